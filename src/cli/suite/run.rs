// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite run`: what a search solves, and what it has gained and lost since.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::{GameOfFileArg, SuiteFile};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{WholeFile, print, print_json, table, tell};
use crate::cli::progress::Progress;
use crate::cli::setup::SetupArgs;
use crate::cli::{EvaluationArg, ThreadsArg, Verdict, assignment, load_table};
use crate::experiment::{Runner, Unit};
use crate::figures::{percent, thousands};
use crate::games::Furnished;
use crate::protocol::client::{EngineCommand, PATIENCE, Stable};
use crate::search::{Limits, Profile, Setup};
use crate::suite::baseline::{Comparison, Terms};
use crate::suite::external::ExternalTrial;
use crate::suite::run::{Summary, TrialResult, trials};
use crate::suite::{Baseline, Problem, Suite};
use crate::{bench, with_game};

/// Nodes a position unless something else is said.
const NODES: u64 = 500_000;

/// Search every position of a suite and count what is solved
#[derive(Debug, Args)]
pub struct Command {
    /// The suite, an EPD file [default: the one bundled for the game]
    file: Option<PathBuf>,
    /// Nodes a position [default: 500000, without limit if there is --movetime]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds a position; whichever limit comes first ends a search. What is solved then depends on the machine
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
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
    seed: u64,
    /// Exit with status 1 if fewer positions are solved
    #[arg(long, value_name = "N")]
    min_solved: Option<usize>,
    /// List the positions gained and lost since this baseline, and exit with status 1 if fewer are solved
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    baseline: Option<PathBuf>,
    /// How many positions fewer than the baseline may be solved
    #[arg(long, value_name = "N", default_value_t = 0, requires = "baseline")]
    tolerance: u32,
    /// Write what is solved as a baseline for later runs
    #[arg(long, value_name = "FILE", conflicts_with = "movetime")]
    write_baseline: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// List every position
    #[arg(long, short)]
    verbose: bool,
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
        results: &results,
    };
    report.tell(command, time)?;
    if let (Some(file), Some(path)) = (to_write, &command.write_baseline) {
        let baseline = Baseline::new(suite, terms, &results, bench::run::<G>(setup.profile).nodes);
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

    fn baseline_name(&self) -> String {
        self.baseline.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }
}

/// Who searched.
enum Who<'a> {
    /// We did.
    Ours { evaluation: &'a str, setup: &'a Setup },
    /// Another program did.
    Theirs { title: &'a str, options: &'a [(String, String)] },
}

/// All that is to be said of a run.
struct Report<'a, G: Furnished> {
    suite: &'a Suite<G>,
    who: Who<'a>,
    limits: Limits,
    results: &'a [TrialResult],
    summary: Summary,
    comparison: Option<Comparison>,
}

impl<G: Furnished> Report<'_, G> {
    /// Prints it.
    fn tell(&self, command: &Command, time: Duration) -> Result<()> {
        let per_second = self.summary.nodes_per_second(time);
        if command.json {
            return print_json(&self.json(command, per_second));
        }
        self.print(command)?;
        let threads = command.threads.count();
        tell(&format!("{} nodes per second on {threads} threads", thousands(per_second as u64)));
        Ok(())
    }

    fn json(&self, command: &Command, per_second: f64) -> Value {
        let entries = self.suite.problems.iter().zip(self.results).map(|(problem, result)| {
            let mut entry = json!(result);
            entry["id"] = json!(problem.id);
            entry
        });
        let mut object = json!(self.summary);
        object["nodes_per_second"] = json!(per_second);
        object["suite"] = json!(self.suite.name);
        object["game"] = json!(G::NAME);
        match &self.who {
            Who::Ours { evaluation, setup } => {
                let is_full = setup.profile == Profile::Full;
                object["extensions"] = json!(setup.table.summary(&G::VOCABULARY));
                object["evaluation"] = json!(evaluation);
                object["profile"] = json!(setup.profile);
                object["hash"] = json!(is_full.then_some(setup.hash));
                object["parameters"] = json!(setup.parameters.unusual());
            }
            Who::Theirs { title, options } => {
                object["engine"] = json!(title);
                object["options"] = json!(options);
            }
        }
        object["node_limit"] = json!(self.limits.nodes);
        object["movetime"] = json!(command.movetime);
        object["reproducible"] = json!(self.limits.time.is_none());
        object["seed"] = json!(command.seed);
        if let Some(comparison) = &self.comparison {
            let ids = |places: &[usize]| places.iter().map(|&place| &self.suite.problems[place].id).collect::<Vec<_>>();
            object["baseline"] = json!({
                "file": command.baseline_name(),
                "solved": comparison.before,
                "gained": ids(&comparison.gained),
                "lost": ids(&comparison.lost),
                "tolerance": command.tolerance,
            });
        }
        object["results"] = json!(entries.collect::<Vec<_>>());
        object
    }

    fn print(&self, command: &Command) -> Result<()> {
        if command.verbose {
            let mut list = table(&["position", "solved", "move", "depth", "height", "nodes to solution"], 3);
            for (problem, result) in self.suite.problems.iter().zip(self.results) {
                let solved = if result.solved { "yes" } else { "no" };
                let to_solution = result.nodes_to_solution.map_or_else(|| "-".to_owned(), thousands);
                let (depth, height) = (result.depth.to_string(), result.height.to_string());
                list.add_row([&problem.id, solved, &result.mv, &depth, &height, &to_solution]);
            }
            print(list)?;
        }
        let summary = &self.summary;
        let mut list = table(&[&self.suite.name, ""], 1);
        list.add_row(["search", &self.search()]);
        if let Who::Ours { evaluation, setup } = &self.who {
            list.add_row(["evaluation", evaluation]);
            list.add_row(["extensions", &setup.table.summary(&G::VOCABULARY)]);
        }
        list.add_row(["solved".to_owned(), format!("{} of {}", summary.solved, summary.positions)]);
        list.add_row(["mean iteration depth".to_owned(), format!("{:.2}", summary.mean_depth)]);
        list.add_row(["mean height".to_owned(), format!("{:.2}", summary.mean_height)]);
        if let Who::Ours { .. } = self.who {
            list.add_row(["frequency of extended moves", &percent(summary.frequency)]);
        }
        list.add_row(["nodes", &thousands(summary.nodes)]);
        list.add_row(["nodes to solution", &thousands(summary.nodes_to_solution)]);
        print(list)?;
        let faults: Vec<_> =
            self.suite.problems.iter().zip(self.results).filter(|(_, result)| result.fault.is_some()).collect();
        for (problem, result) in &faults {
            print(format_args!("{}: {}", problem.id, result.fault.as_deref().unwrap_or_default()))?;
        }
        if !faults.is_empty() {
            print(format_args!("{} positions without an answer, counted as unsolved", faults.len()))?;
        }
        if self.limits.time.is_some() {
            print("searched by the clock: another run may solve others")?;
        }
        match &self.comparison {
            Some(comparison) => self.print_comparison(comparison, &command.baseline_name()),
            None => Ok(()),
        }
    }

    /// The search and its limits in a line.
    fn search(&self) -> String {
        let mut parts = Vec::new();
        match &self.who {
            Who::Ours { setup, .. } => {
                parts.push(setup.profile.name().to_owned());
                if setup.profile == Profile::Full {
                    parts.push(format!("{} MiB", setup.hash));
                    parts.extend(setup.parameters.unusual().iter().map(|(name, value)| format!("{name}={value}")));
                }
            }
            Who::Theirs { title, options } => {
                parts.push((*title).to_owned());
                parts.extend(options.iter().map(|(name, value)| format!("{name}={value}")));
            }
        }
        parts.extend(self.limits.nodes.map(|nodes| format!("{} nodes", thousands(nodes))));
        parts.extend(self.limits.time.map(|time| format!("{} ms", thousands(time.as_millis() as u64))));
        parts.join(", ")
    }

    fn print_comparison(&self, comparison: &Comparison, name: &str) -> Result<()> {
        let Comparison { before, gained, lost } = comparison;
        if !gained.is_empty() || !lost.is_empty() {
            let mut list = table(&["", "position", "plays", "best"], 4);
            for (what, places) in [("gained", gained), ("lost", lost)] {
                for &place in places {
                    let problem = &self.suite.problems[place];
                    list.add_row([what, &problem.id, &self.results[place].mv, &best::<G>(problem)]);
                }
            }
            print(format_args!("\n{list}"))?;
        }
        print(format_args!("{} gained, {} lost; {name} solves {before}", gained.len(), lost.len()))
    }

    fn verdict(&self, command: &Command) -> Verdict {
        let solved = self.summary.solved;
        let mut verdict = Verdict::Good;
        if let Some(least) = command.min_solved.filter(|&least| solved < least) {
            tell(&format!("halfply: {solved} solved, fewer than --min-solved {least}"));
            verdict = Verdict::Short;
        }
        if let Some(comparison) = self.comparison.as_ref().filter(|comparison| !comparison.is_within(command.tolerance))
        {
            tell(&format!(
                "halfply: {solved} solved, {} fewer than the baseline; --tolerance is {}",
                -comparison.net(),
                command.tolerance
            ));
            verdict = Verdict::Short;
        }
        verdict
    }
}

/// What solves a problem.
fn best<G: Furnished>(problem: &Problem<G>) -> String {
    let names = |moves: &[G::Move]| {
        let names: Vec<_> = moves.iter().map(|&mv| G::format_move(&problem.position, mv)).collect();
        names.join(" ")
    };
    match (&problem.best[..], &problem.avoid[..]) {
        ([], avoid) => format!("not {}", names(avoid)),
        (best, _) => names(best),
    }
}
