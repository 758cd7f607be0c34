// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite run`: what a search solves, and what it has gained and lost since.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::report::{Report, Who};
use super::{GameOfFileArg, SuiteFile};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{WholeFile, tell};
use crate::cli::progress::Progress;
use crate::cli::setup::SetupArgs;
use crate::cli::{EvaluationArg, ThreadsArg, Verdict, assignment, load_table};
use crate::experiment::{Runner, Unit};
use crate::games::Furnished;
use crate::protocol::client::{EngineCommand, PATIENCE, Stable};
use crate::search::Limits;
use crate::suite::baseline::Terms;
use crate::suite::external::ExternalTrial;
use crate::suite::points::Score;
use crate::suite::run::{Summary, TrialResult, trials};
use crate::suite::{Baseline, Suite};
use crate::{bench, with_game};

/// Nodes a position unless something else is said.
const NODES: u64 = 500_000;

/// What the two counts of nodes to solution are.
const COUNTS: &str = "\
Nodes to solution are counted twice, each time the limit where there was none:
  first found     until the right move was first the search's choice, as David-Tabibi, Koppel and Netanyahu
                  (Optimizing Selective Search in Chess, 2010) say: nodes \"before finding the correct move\"
  found and kept  until it was the search's choice for good: our count, and what `learn --fitness nodes` goes by";

/// Search every position of a suite and count what is solved
#[derive(Debug, Args)]
#[command(after_help = COUNTS)]
pub struct Command {
    /// The suite, an EPD file [default: the one bundled for the game]
    file: Option<PathBuf>,
    /// Nodes a position [default: 500000, without limit if there is --movetime]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds a position; whichever limit comes first ends a search. What is solved then depends on the machine
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub(super) movetime: Option<u64>,
    /// The extension table [default: none]
    #[arg(long, value_name = "FILE")]
    extensions: Option<PathBuf>,
    /// Give the positions to this program, which speaks UCI: its command line
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["extensions", "baseline", "write_baseline"])]
    engine: Option<String>,
    /// Set a UCI option of that program; as often as there are options to set
    #[arg(long, value_name = "NAME=VALUE", requires = "engine")]
    option: Vec<String>,
    /// Decides the order of moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Count points for moves, too: each position lists moves and what they are worth (c8 and c9), as in the Strategic
    /// Test Suite
    #[arg(long)]
    pub(super) points: bool,
    /// Exit with status 1 if fewer positions are solved
    #[arg(long, value_name = "N")]
    pub(super) min_solved: Option<usize>,
    /// List the positions gained and lost since this baseline, and exit with status 1 if fewer are solved
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    baseline: Option<PathBuf>,
    /// How many positions fewer than the baseline may be solved
    #[arg(long, value_name = "N", default_value_t = 0, requires = "baseline")]
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

fn run_suite<G: Furnished>(command: &Command, suite: &Suite<G>) -> Result<Verdict> {
    if command.points {
        Score::demand(suite).context("--points")?;
    }
    let evaluation = command.evaluation.choose::<G>(command.setup.profile())?;
    let setup = command.setup.setup(load_table::<G>(command.extensions.as_ref())?, command.seed)?;
    let limits = command.limits();
    let terms = Terms::new(suite, evaluation.identity(), &setup, limits.nodes.unwrap_or(NODES));
    if let Some(engine) = &command.engine {
        return run_external(command, suite, engine);
    }
    let baseline = command.baseline.as_deref().map(|path| Baseline::load(path, &terms)).transpose()?;
    let to_write = command.write_baseline.as_deref().map(WholeFile::begin).transpose()?;
    let engine = evaluation.engine(&setup);
    let units = trials(&suite.problems, engine.as_ref(), limits, "");
    let (results, time) = search_all(command, suite, &units)?;
    let report = Report {
        suite,
        who: Who::Ours { evaluation: evaluation.name(), setup: &setup },
        limits,
        summary: Summary::of(&results, limits),
        comparison: baseline.as_ref().map(|baseline| baseline.compare(suite, &results)),
        score: command.points.then(|| Score::of(suite, &results)),
        results: &results,
    };
    report.tell(command, time)?;
    if let (Some(file), Some(path)) = (to_write, &command.write_baseline) {
        let signature = bench::run::<G>(setup.profile).nodes;
        let baseline = Baseline::new(suite, terms, &results, &report.summary, signature);
        file.finish(&baseline.render())?;
        tell(&format!("{}: {} solved, written as a baseline", path.display(), baseline.solved));
    }
    Ok(report.verdict(command))
}

/// Gives the suite to another program.
fn run_external<G: Furnished>(command: &Command, suite: &Suite<G>, engine: &str) -> Result<Verdict> {
    ensure!(
        command.setup.options().is_empty() && command.evaluation.evaluation.is_none(),
        "--profile, --hash, --set, --parameters and --evaluation are of our search; a program has --option"
    );
    let mut program = EngineCommand::parse(engine).context("--engine")?;
    program.options = command.option.iter().map(|text| assignment("option", text)).collect::<Result<_>>()?;
    let required = G::required_options();
    let stable = Stable::new(command.threads.count(), PATIENCE);
    // One is started beforehand, so that a program that cannot be is an error and no list of faults.
    let first = stable.client(0, &program, &required, &|| false).context("--engine")?;
    let title = first.name().to_owned();
    stable.put(0, first);
    let limits = command.limits();
    let unit = |problem| ExternalTrial { problem, command: &program, required: &required, stable: &stable, limits };
    let units: Vec<_> = suite.problems.iter().map(unit).collect();
    let outcome = search_all(command, suite, &units);
    stable.close();
    let (results, time) = outcome?;
    let report = Report {
        suite,
        who: Who::Theirs { title: &title, options: &program.options },
        limits,
        summary: Summary::of(&results, limits),
        comparison: None,
        score: command.points.then(|| Score::of(suite, &results)),
        results: &results,
    };
    report.tell(command, time)?;
    Ok(report.verdict(command))
}

/// Searches all positions; the results, and what they took.
fn search_all<G: Furnished, U: Unit<Output = TrialResult>>(
    command: &Command,
    suite: &Suite<G>,
    units: &[U],
) -> Result<(Vec<TrialResult>, Duration)> {
    let progress = Progress::new(units.len() as u64);
    progress.message(suite.name.clone());
    let start = Instant::now();
    let mut runner = Runner::new(command.threads.count()).stopped_by(&stop_on_ctrl_c());
    let results = runner.run(units, |_, _, _| progress.step())?;
    progress.finish();
    Ok((results, start.elapsed()))
}

impl Command {
    fn limits(&self) -> Limits {
        let time = self.movetime.map(Duration::from_millis);
        Limits { nodes: self.nodes.or(time.is_none().then_some(NODES)), time, depth: None }
    }

    pub(super) fn baseline_name(&self) -> String {
        self.baseline.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }
}
