// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite run`: what a search solves, and the gains and losses since a baseline.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::report::Report;
use super::{GameOfFileArg, SuiteFile};
use crate::cli::count::count;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{OwnFile, WidthArg, tell};
use crate::cli::progress::Progress;
use crate::cli::setup::SetupArgs;
use crate::cli::{EvaluationArg, ThreadsArg, Verdict, assignment, run_file};
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::Limits;
use halfply_engine::with_game;
use halfply_lab::players::{Player, ProgramSpec};
use halfply_lab::report::page;
use halfply_lab::suite::Score;
use halfply_lab::suite::Terms;
use halfply_lab::suite::run::{Ready, RunOptions, SuiteError, SuiteOutcome};
use halfply_lab::suite::{Baseline, Suite};
use halfply_lab::suite::{Summary, TrialResult};

/// The default nodes a position.
const NODES: u64 = 500_000;

/// The meaning of the two counts of nodes to solution.
const COUNTS: &str = "\
Nodes to solution are counted twice; where there is none, the limit counts:
  first found     until the right move was first the search's choice. This is
                  the count of David-Tabibi, Koppel and Netanyahu (Optimizing
                  Selective Search in Chess, 2010), read literally: nodes
                  \"before finding the correct move\"
  found and kept  until it was the search's choice for good. This count is
                  ours; `learn --fitness nodes` goes by it";

/// Search every position of a suite and count what is solved
#[derive(Debug, Args)]
#[command(after_help = COUNTS)]
pub struct Command {
    /// The suite, an EPD file [default: the one bundled for the game]
    file: Option<PathBuf>,
    /// Nodes a position [default: 500000, or no limit with --movetime]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    nodes: Option<u64>,
    /// Milliseconds a position; the first limit reached ends a search. Results then depend on the machine
    #[arg(long, value_name = "MS", value_parser = count::<u64>(1..=86_400_000))]
    pub(super) movetime: Option<u64>,
    /// The extension table [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table)]
    extensions: Option<PathBuf>,
    /// Run this external UCI engine instead of our search: its command line
    #[arg(long, value_name = "COMMAND", conflicts_with = "extensions")]
    engine: Option<String>,
    /// Set a UCI option of the external engine; can be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "engine")]
    option: Vec<String>,
    /// For an engine that ignores `go nodes`: it searches without a limit and is stopped when it reports that many
    /// nodes. Its answer is its last best line within the limit. A trial detects such engines without this flag
    #[arg(long, requires = "engine")]
    watch_nodes: bool,
    /// The seed of the order of moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Also count points for moves: each position lists moves and their points (c8 and c9), as in the Strategic Test
    /// Suite
    #[arg(long)]
    pub(super) points: bool,
    /// Exit with status 1 if fewer positions are solved
    #[arg(long, value_name = "N", value_parser = count::<usize>(0..))]
    pub(super) min_solved: Option<usize>,
    /// List the positions gained and lost since this baseline, and exit with status 1 if fewer are solved
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    baseline: Option<PathBuf>,
    /// Compare with the baseline even if it was made with other options, and say which
    #[arg(long, requires = "baseline")]
    other_options: bool,
    /// How many fewer positions than the baseline may be solved
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u32>(0..), requires = "baseline")]
    pub(super) tolerance: u32,
    /// Write the solved positions as a baseline for later runs
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    write_baseline: Option<PathBuf>,
    /// Also write a page to look at: pictures of the positions missed, or gained and lost since the baseline
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
    /// List every position
    #[arg(long, short)]
    pub(super) verbose: bool,
    #[command(flatten)]
    pub(super) width: WidthArg,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    pub(super) threads: ThreadsArg,
    #[command(flatten)]
    game: GameOfFileArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    match &command.file {
        Some(path) => {
            let file = SuiteFile::read(path)?;
            with_game!(file.game(command.game)?, G => run_suite::<G>(command, &file.suite()?))
        }
        None => {
            let game = command.game.game.unwrap_or_default();
            with_game!(game, G => run_suite::<G>(command, &Suite::bundled(G::SUITE)?))
        }
    }
}

fn run_suite<G: RegisteredGame>(command: &Command, suite: &Suite<G>) -> Result<Verdict> {
    if command.points {
        Score::demand(suite).context("--points")?;
    }
    let (player, stop) = (command.player::<G>()?, stop_on_ctrl_c());
    let options =
        RunOptions { limits: command.limits(), watch_nodes: command.watch_nodes, threads: command.threads.count() };
    let ready = Ready::new(suite, player, options, &stop).context("--engine")?;
    let guard = Guard::begin(command, ready.terms())?;
    let page = command.page.as_deref().map(|path| OwnFile::begin(path, page::is_ours)).transpose()?;

    let progress = Progress::new(suite.problems.len() as u64);
    progress.message(suite.name.clone());
    let start = Instant::now();
    let outcome = ready.run(|_, _| progress.step());
    progress.finish();
    let time = start.elapsed();
    let SuiteOutcome { results, summary } = match outcome {
        Err(error @ SuiteError::NoAnswers(_)) => return Err(error).context("--engine"),
        outcome => outcome?,
    };

    let report = Report {
        ready: &ready,
        summary,
        comparison: guard.before.as_ref().map(|before| before.compare(suite, &results)),
        score: command.points.then(|| Score::of(suite, &results)),
        results: &results,
    };
    report.tell(command, time)?;
    if let Some(page) = page {
        page.finish(&report.page(command))?;
    }
    guard.write(command, &ready, &results, &report.summary)?;
    Ok(report.verdict(command))
}

/// The baseline to compare with, and the one to write.
struct Guard {
    before: Option<Baseline>,
    /// The file, and what its results depend on.
    to_write: Option<(OwnFile, Terms)>,
}

fn is_baseline(contents: &[u8]) -> bool {
    str::from_utf8(contents).is_ok_and(|text| Baseline::parse(text, "").is_ok())
}

impl Guard {
    /// Checks, before the work, that the baseline is for the same terms and that the new one can be written. Without
    /// terms there are no baselines: the arguments exclude each other.
    fn begin(command: &Command, terms: Option<Terms>) -> Result<Self> {
        let Some(terms) = terms else { return Ok(Self { before: None, to_write: None }) };
        let load = |path| Baseline::load(path, &terms, command.other_options);
        let before = command.baseline.as_deref().map(load).transpose()?;
        let difference = before.as_ref().map(|before| terms.difference(&before.terms)).unwrap_or_default();
        if !difference.is_empty() {
            tell(&format!("{}: made with other options: {difference}", command.baseline_name()));
        }
        let to_write = command.write_baseline.as_deref().map(|path| OwnFile::begin(path, is_baseline)).transpose()?;
        Ok(Self { before, to_write: to_write.map(|file| (file, terms)) })
    }

    /// Writes the baseline, if one was requested.
    fn write<G: RegisteredGame>(
        self,
        command: &Command,
        ready: &Ready<'_, G>,
        results: &[TrialResult],
        summary: &Summary,
    ) -> Result<()> {
        if let (Some((file, terms)), Some(path)) = (self.to_write, &command.write_baseline) {
            let baseline = Baseline::new(ready.suite, terms, results, summary, ready.author());
            file.finish(&baseline.render())?;
            tell(&format!("{}: {} solved, written as a baseline", path.display(), baseline.solved));
        }
        Ok(())
    }
}

impl Command {
    /// Who is to solve the problems: our search, or another program.
    fn player<G: RegisteredGame>(&self) -> Result<Player<G>> {
        let Some(engine) = &self.engine else {
            let extensions = self.extensions.as_ref();
            return Ok(Player::Search(self.setup.searcher(&self.evaluation, extensions, self.seed)?));
        };
        ensure!(
            self.setup.options().is_empty() && self.evaluation.evaluation.is_none(),
            "--profile, --hash, --set, --parameters and --evaluation are of our search; a program has --option"
        );
        ensure!(self.limits().nodes.is_some() || !self.watch_nodes, "--watch-nodes: say how many with --nodes");
        let options = self.option.iter().map(|text| assignment("option", text)).collect::<Result<_>>()?;
        let spec = ProgramSpec { command: engine.clone(), directory: None, options };
        Ok(Player::Program(spec.program::<G>(Path::to_owned).context("--engine")?))
    }

    fn limits(&self) -> Limits {
        let time = self.movetime.map(Duration::from_millis);
        Limits { nodes: self.nodes.or(time.is_none().then_some(NODES)), time, depth: None }
    }

    pub(super) fn baseline_name(&self) -> String {
        self.baseline.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }
}
