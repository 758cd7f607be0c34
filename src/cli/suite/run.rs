// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite run`: what a search solves, and the gains and losses since a baseline.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;

use super::report::{Report, Who};
use super::{GameOfFileArg, SuiteFile};
use crate::cli::count::count;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{WholeFile, WidthArg, tell};
use crate::cli::progress::Progress;
use crate::cli::setup::SetupArgs;
use crate::cli::{EvaluationArg, ThreadsArg, Verdict, run_file};
use crate::games::Furnished;
use crate::run::{RunError, Runner, Stop, Unit};
use crate::search::{Limits, Searcher};
use crate::suite::baseline::Author;
use crate::suite::points::Score;
use crate::suite::run::{Summary, TrialResult, trials};
use crate::suite::terms::Terms;
use crate::suite::{Baseline, Suite};
use crate::{bench, with_game};

/// The default nodes a position.
pub(super) const NODES: u64 = 500_000;

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
    pub(super) option: Vec<String>,
    /// For an engine that ignores `go nodes`: it searches without a limit and is stopped when it reports that many
    /// nodes. Its answer is its last best line within the limit. A trial detects such engines without this flag
    #[arg(long, requires = "engine")]
    pub(super) watch_nodes: bool,
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
    /// How many fewer positions than the baseline may be solved
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u32>(0..), requires = "baseline")]
    pub(super) tolerance: u32,
    /// Write the solved positions as a baseline for later runs
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    write_baseline: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
    /// List every position
    #[arg(long, short)]
    pub(super) verbose: bool,
    #[command(flatten)]
    pub(super) width: WidthArg,
    #[command(flatten)]
    pub(super) evaluation: EvaluationArg,
    #[command(flatten)]
    pub(super) setup: SetupArgs,
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

fn run_suite<G: Furnished>(command: &Command, suite: &Suite<G>) -> Result<Verdict> {
    if command.points {
        Score::demand(suite).context("--points")?;
    }
    if let Some(engine) = &command.engine {
        return super::external::run(command, suite, engine);
    }
    let searcher: Searcher<G> =
        command.setup.searcher(&command.evaluation, command.extensions.as_ref(), command.seed)?;
    let limits = command.limits();
    let terms = Terms::new(suite, searcher.record(), command.seed, limits.nodes.unwrap_or(NODES));
    let guard = Guard::begin(command, terms)?;
    let engine = searcher.engine();
    let units = trials(&suite.problems, engine.as_ref(), limits, "");
    let done = search_all(command, suite, &units, &stop_on_ctrl_c(), |_, _| false)?;
    finish(command, suite, Who::Ours(&searcher), &done, guard, || {
        let Searcher { evaluation, setup } = &searcher;
        Author::Ours(bench::signature(setup.profile, evaluation, setup.table.wanted()))
    })
}

/// The baseline to compare with, and the one to write.
pub(super) struct Guard {
    terms: Terms,
    before: Option<Baseline>,
    to_write: Option<WholeFile>,
}

impl Guard {
    /// Checks, before the work, that the baseline is for the same terms and that the new one can be written.
    pub fn begin(command: &Command, terms: Terms) -> Result<Self> {
        let before = command.baseline.as_deref().map(|path| Baseline::load(path, &terms)).transpose()?;
        let to_write = command.write_baseline.as_deref().map(WholeFile::begin).transpose()?;
        Ok(Self { terms, before, to_write })
    }
}

/// The results of all positions, and the time they took.
pub(super) struct Done {
    results: Vec<TrialResult>,
    time: Duration,
}

/// Searches all positions. If `is_hopeless` returns true for a result and its place in the suite, the run ends as if it
/// had been stopped.
pub(super) fn search_all<G: Furnished, U: Unit<Output = TrialResult>>(
    command: &Command,
    suite: &Suite<G>,
    units: &[U],
    stop: &Stop,
    mut is_hopeless: impl FnMut(usize, &TrialResult) -> bool,
) -> Result<Done> {
    let progress = Progress::new(units.len() as u64);
    progress.message(suite.name.clone());
    let start = Instant::now();
    let mut runner = Runner::new(command.threads.count()).stopped_by(stop);
    let results = runner.run_while(units, |place, result, _| {
        progress.step();
        if is_hopeless(place, result) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    progress.finish();
    let results = results.into_iter().collect::<Option<Vec<_>>>().ok_or(RunError::Stopped)?;
    Ok(Done { results, time: start.elapsed() })
}

/// Reports the run, and writes the baseline if one was requested.
pub(super) fn finish<'a, G: Furnished>(
    command: &Command,
    suite: &Suite<G>,
    who: Who<'_, G>,
    Done { results, time }: &Done,
    guard: Guard,
    author: impl FnOnce() -> Author<'a>,
) -> Result<Verdict> {
    let limits = command.limits();
    let report = Report {
        suite,
        who,
        limits,
        summary: Summary::of(results, limits),
        comparison: guard.before.map(|before| before.compare(suite, results)),
        score: command.points.then(|| Score::of(suite, results)),
        results,
    };
    report.tell(command, *time)?;
    if let (Some(file), Some(path)) = (guard.to_write, &command.write_baseline) {
        let baseline = Baseline::new(suite, guard.terms, results, &report.summary, author());
        file.finish(&baseline.render())?;
        tell(&format!("{}: {} solved, written as a baseline", path.display(), baseline.solved));
    }
    Ok(report.verdict(command))
}

impl Command {
    pub(super) fn limits(&self) -> Limits {
        let time = self.movetime.map(Duration::from_millis);
        Limits { nodes: self.nodes.or(time.is_none().then_some(NODES)), time, depth: None }
    }

    pub(super) fn baseline_name(&self) -> String {
        self.baseline.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }
}
