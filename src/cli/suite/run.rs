// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite run`: what a search solves, and what it has gained and lost since.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;

use super::report::{Report, Who};
use super::{GameOfFileArg, SuiteFile};
use crate::cli::count::count;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{WholeFile, tell};
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

/// Nodes a position unless something else is said.
pub(super) const NODES: u64 = 500_000;

/// What the two counts of nodes to solution are.
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
    /// Nodes a position [default: 500000, without limit if there is --movetime]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    nodes: Option<u64>,
    /// Milliseconds a position; whichever limit comes first ends a search. What is solved then depends on the machine
    #[arg(long, value_name = "MS", value_parser = count::<u64>(1..=86_400_000))]
    pub(super) movetime: Option<u64>,
    /// The extension table [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table)]
    extensions: Option<PathBuf>,
    /// Give the positions to this program, which speaks UCI: its command line
    #[arg(long, value_name = "COMMAND", conflicts_with = "extensions")]
    engine: Option<String>,
    /// Set a UCI option of that program; as often as there are options to set
    #[arg(long, value_name = "NAME=VALUE", requires = "engine")]
    pub(super) option: Vec<String>,
    /// For a program that does not know `go nodes`: it searches without limit and is stopped when it reports so many nodes;
    /// its last best line of no more nodes is its answer. Programs that ignore `go nodes` are found out and treated so
    #[arg(long, requires = "engine")]
    pub(super) watch_nodes: bool,
    /// Decides the order of moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Count points for moves, too: each position lists moves and what they are worth (c8 and c9), as in the Strategic
    /// Test Suite
    #[arg(long)]
    pub(super) points: bool,
    /// Exit with status 1 if fewer positions are solved
    #[arg(long, value_name = "N", value_parser = count::<usize>(0..))]
    pub(super) min_solved: Option<usize>,
    /// List the positions gained and lost since this baseline, and exit with status 1 if fewer are solved
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    baseline: Option<PathBuf>,
    /// How many positions fewer than the baseline may be solved
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u32>(0..), requires = "baseline")]
    pub(super) tolerance: u32,
    /// Write what is solved as a baseline for later runs
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    write_baseline: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
    /// List every position
    #[arg(long, short)]
    pub(super) verbose: bool,
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

/// What a run is compared with, and where what it solves is kept.
pub(super) struct Guard {
    terms: Terms,
    before: Option<Baseline>,
    to_write: Option<WholeFile>,
}

impl Guard {
    /// Makes sure, before the work, that the baseline is of the same work and that the new one can be written.
    pub fn begin(command: &Command, terms: Terms) -> Result<Self> {
        let before = command.baseline.as_deref().map(|path| Baseline::load(path, &terms)).transpose()?;
        let to_write = command.write_baseline.as_deref().map(WholeFile::begin).transpose()?;
        Ok(Self { terms, before, to_write })
    }
}

/// What came of all positions, and how long that took.
pub(super) struct Done {
    results: Vec<TrialResult>,
    time: Duration,
}

/// Searches all positions, unless `is_hopeless` says of some result (and its place in the suite) that this is no use: then
/// it is as if somebody had stopped the run.
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

/// Reports what was done, and writes it as a baseline if that was asked for.
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
