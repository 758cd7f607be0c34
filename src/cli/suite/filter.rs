// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite filter`: keeps the problems from which something can be learned.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::{GameOfFileArg, MARKS, SuiteFile, write_suite};
use crate::cli::count::count;
use crate::cli::own_file::OutFile;
use crate::cli::progress::Progress;
use crate::cli::setup::SetupArgs;
use crate::cli::{EvaluationArg, ThreadsArg, Verdict, load_table, run_file};
use halfply_engine::base::files::shown;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{Profile, Searcher};
use halfply_engine::with_game;
use halfply_lab::suite::filter::{self, FilterSettings};

/// Keep the problems that the search without extensions does not solve
#[derive(Debug, Args)]
pub struct Command {
    /// The suite to choose from, an EPD file
    file: PathBuf,
    /// Nodes a position
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = count::<u64>(1..))]
    nodes: u64,
    /// Seeds; a problem must stay unsolved under each. Learning must not use the same seeds. The full search has no
    /// seed and searches once
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "101,102,103")]
    seeds: Vec<u64>,
    /// Of the hard problems, keep those that the search solves with this extension table under every seed; with several
    /// tables, with any one of them
    #[arg(long, value_name = "FILE", value_parser = run_file::table)]
    solved_with: Vec<PathBuf>,
    /// Keep this many, the first ones; fewer are an error [default: all]
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    count: Option<u32>,
    /// Where to write the suite [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    game: GameOfFileArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let file = SuiteFile::read(&command.file)?;
    with_game!(file.game(command.game)?, G => run_game::<G>(command, &file))
}

fn run_game<G: RegisteredGame>(command: &Command, file: &SuiteFile) -> Result<Verdict> {
    let suite = file.suite::<G>()?;
    let searcher: Searcher<G> = command.setup.searcher(&command.evaluation, None, 0)?;
    let seeds = command.seeds().to_vec();
    let mut tables = Vec::new();
    for path in &command.solved_with {
        tables.push((shown(path), load_table::<G>(Some(path))?));
    }

    let read = command.solved_with.iter().chain([&command.file]).map(PathBuf::as_path);
    let out = OutFile::begin(command.out.as_deref(), MARKS, &read.collect::<Vec<_>>())?;
    // An upper bound: decided problems are not searched again.
    let progress = Progress::new((suite.problems.len() * seeds.len() * (1 + tables.len())) as u64);
    progress.message("searches at most");
    let settings = FilterSettings { nodes: command.nodes, seeds, threads: command.threads.count() };
    let wanted = filter::run(&suite.problems, &searcher, &tables, &settings, || progress.step())?;
    progress.finish();

    // Kept lines are unchanged, including their comments.
    let lines: Vec<&str> = file.text.lines().collect();
    let mut comments: Vec<String> =
        lines.iter().filter(|line| line.trim_start().starts_with('#')).map(|&line| line.to_owned()).collect();
    let kept: Vec<String> = suite
        .problems
        .iter()
        .zip(&wanted)
        .filter(|(_, wanted)| **wanted)
        .map(|(problem, _)| lines[problem.line - 1].to_owned())
        .take(command.count.map_or(usize::MAX, |count| count as usize))
        .collect();
    let total = wanted.iter().filter(|wanted| **wanted).count();
    let are = if tables.is_empty() { "are hard" } else { "are hard, and solved with a table" };
    comments.push(format!(
        "# {}: {total} of {} {are}",
        command.once_more::<G>(searcher.evaluation.name()),
        wanted.len()
    ));
    comments.extend(tables.iter().map(|(name, table)| format!("# {name}: {}", table.summary(&G::VOCABULARY))));
    if let Some(count) = command.count {
        ensure!(kept.len() == count as usize, "only {} of {} problems {are}; generate more", kept.len(), wanted.len());
    }
    write_suite(out, &comments, &kept)
}

impl Command {
    /// The seeds to search under.
    fn seeds(&self) -> &[u64] {
        match self.setup.profile() {
            Profile::Plain => &self.seeds,
            Profile::Full => &self.seeds[..self.seeds.len().min(1)],
        }
    }

    /// The command that makes the same selection.
    fn once_more<G: RegisteredGame>(&self, evaluation: &str) -> String {
        let seeds: Vec<String> = self.seeds().iter().map(u64::to_string).collect();
        let mut text = format!(
            "halfply suite filter --game {} --evaluation {evaluation} --nodes {} --seeds {}{}",
            G::NAME,
            self.nodes,
            seeds.join(","),
            self.setup.options()
        );
        for path in &self.solved_with {
            text += &format!(" --solved-with {}", shown(path));
        }
        if let Some(count) = self.count {
            text += &format!(" --count {count}");
        }
        text
    }
}
