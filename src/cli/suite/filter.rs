// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite filter`: keeps the problems from which something can be learned.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::{GameOfFileArg, SuiteFile, write_suite};
use crate::cli::count::count;
use crate::cli::output::OutFile;
use crate::cli::progress::Progress;
use crate::cli::setup::SetupArgs;
use crate::cli::{EvaluationArg, ThreadsArg, Verdict, load_table, run_file};
use crate::features::ExtensionTable;
use crate::games::Furnished;
use crate::run::Runner;
use crate::search::{Profile, Searcher, Setup};
use crate::suite::filter::{Candidate, Sieve};
use crate::with_game;

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
    /// Keep at most this many, the first ones [default: all]
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

fn run_game<G: Furnished>(command: &Command, file: &SuiteFile) -> Result<Verdict> {
    let suite = file.suite::<G>()?;
    let searcher: Searcher<G> = command.setup.searcher(&command.evaluation, None, 0)?;
    let seeds = command.seeds();
    // The table's name in units; the empty one has none.
    let candidates = |name: &str, table: &ExtensionTable| -> Vec<Candidate<G>> {
        let candidate = |&seed: &u64| {
            let setup = Setup { table: table.clone(), seed, ..searcher.setup.clone() };
            Candidate { label: format!("{name}seed {seed}"), engine: searcher.evaluation.engine(&setup) }
        };
        seeds.iter().map(candidate).collect()
    };
    let without = candidates("", &ExtensionTable::default());
    let mut tables = Vec::new();
    let mut groups = Vec::new();
    for path in &command.solved_with {
        let table = load_table::<G>(Some(path))?;
        groups.push(candidates(&format!("{} ", path.display()), &table));
        tables.push(format!("# {}: {}", path.display(), table.summary(&G::VOCABULARY)));
    }

    let out = OutFile::begin(command.out.as_deref())?;
    // An upper bound: decided problems are not searched again.
    let progress = Progress::new((suite.problems.len() * seeds.len() * (1 + groups.len())) as u64);
    progress.message("searches at most");
    let mut runner = Runner::new(command.threads.count());
    let finished = || progress.step();
    let mut sieve = Sieve { runner: &mut runner, problems: &suite.problems, nodes: command.nodes, finished };
    let hard = sieve.hard(&without)?;
    let wanted = if groups.is_empty() { hard } else { sieve.solved_by_a_group(&groups, &hard)? };
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
    let are = if groups.is_empty() { "are hard" } else { "are hard, and solved with a table" };
    comments.push(format!(
        "# {}: {total} of {} {are}",
        command.once_more::<G>(searcher.evaluation.name()),
        wanted.len()
    ));
    comments.extend(tables);
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
    fn once_more<G: Furnished>(&self, evaluation: &str) -> String {
        let seeds: Vec<String> = self.seeds().iter().map(u64::to_string).collect();
        let mut text = format!(
            "halfply suite filter --game {} --evaluation {evaluation} --nodes {} --seeds {}{}",
            G::NAME,
            self.nodes,
            seeds.join(","),
            self.setup.options()
        );
        for path in &self.solved_with {
            text += &format!(" --solved-with {}", path.display());
        }
        if let Some(count) = self.count {
            text += &format!(" --count {count}");
        }
        text
    }
}
