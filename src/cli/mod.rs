// SPDX-License-Identifier: GPL-3.0-or-later
//! The command line: one file a subcommand.
//!
//! Results go to stdout; logs, progress and errors to stderr. Exit status: 0 done, 1 a negative result (a suite below
//! `--min-solved` or its baseline, a sequential test that failed, a position that `solve` could not solve), 2 misuse or
//! failure, 3 waiting for the results of `halfply work`, 130 stopped by Ctrl-C.

mod adjudication;
mod atoms;
mod bench;
mod bundled;
mod completions;
mod count;
mod describe;
mod evaluation;
mod experiment;
mod explain;
mod gtp;
mod interrupt;
mod learn;
mod man;
mod output;
mod own_file;
mod pace;
mod parameters;
mod perft;
mod play;
mod progress;
mod recorded;
mod refusal;
mod results;
mod review;
mod run_file;
mod run_folder;
mod serve;
mod setup;
mod solve;
mod spool;
mod study;
mod suite;
mod tournament;
mod uci;
mod work;

use std::any::TypeId;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory, Parser, Subcommand};
use log::Level;

use self::count::count;
use self::refusal::refuse;
use halfply_engine::base::echo::plain;
use halfply_engine::base::{data_file, processor};
use halfply_engine::features::{ExtensionTable, file};
use halfply_engine::game::{Game, Notation};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::patterns::{MoveAtoms, Theory};
use halfply_engine::search::Evaluator;
use halfply_engine::search::Profile;
use halfply_lab::players::program_spec;
use halfply_lab::run::default_threads;
use halfply_lab::suite::{Suite, epd};

/// A game engine that learns where to look deeper.
///
/// Without a command it is a UCI engine on stdin and stdout: in GUIs and match runners, the engine's command is just
/// `halfply`. It plays chess, and with `setoption name UCI_Variant` also Breakthrough and Othello (flipello).
#[derive(Debug, Parser)]
#[command(name = "halfply", version = env!("HALFPLY_VERSION"), propagate_version = true, max_term_width = 120)]
#[command(
    after_help = "Start with `halfply learn`: it discovers search extensions for Breakthrough in about a minute.\n\n\
                  Counts may be written 10k, 1_000, 1e5 or 1M. The folder of a run stands for its file, and \
                  runs/latest is the newest run. The environment variable RUST_LOG sets what is reported on stderr \
                  besides: error, warn (default), info, debug or trace."
)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    uci: uci::Command,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Learn(learn::Command),
    Experiment(experiment::Command),
    #[command(subcommand)]
    Suite(suite::Command),
    #[command(subcommand)]
    Tournament(tournament::Command),
    #[command(subcommand)]
    Evaluation(evaluation::Command),
    Solve(solve::Command),
    Review(review::Command),
    Work(work::Command),
    Serve(serve::Command),
    Play(play::Command),
    /// Run as a UCI engine on stdin and stdout, as without a command
    Uci(uci::Command),
    Gtp(gtp::Command),
    Explain(explain::Command),
    Describe(describe::Command),
    Perft(perft::Command),
    Bench(bench::Command),
    Parameters(parameters::Command),
    Atoms(atoms::Command),
    Bundled(bundled::Command),
    Completions(completions::Command),
    Man(man::Command),
}

/// The result of a command that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// All is well.
    Good,
    /// A negative result: a goal was not reached.
    Short,
    /// It was stopped by Ctrl-C.
    Interrupted,
    /// Other processes must run units before it can continue.
    Waiting,
}

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    if let Some(reason) = processor::refusal() {
        refuse(reason);
        return ExitCode::from(2);
    }
    log_to_stderr();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let Some(reason) = refusal::of_arguments(&error) else { error.exit() };
            refuse(reason);
            return ExitCode::from(2);
        }
    };
    match cli.command.map_or_else(|| uci::run(&cli.uci), run) {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Short) => ExitCode::from(1),
        Ok(Verdict::Waiting) => ExitCode::from(3),
        Ok(Verdict::Interrupted) => ExitCode::from(interrupt::STATUS),
        Err(error) => {
            refuse(error);
            ExitCode::from(2)
        }
    }
}

/// Whether the program accepts these arguments, which follow its name. Nothing is run.
///
/// # Errors
/// What the program would say on stderr.
pub fn accepts(arguments: &[String]) -> Result<(), String> {
    let program = Cli::command().get_name().to_owned();
    Cli::try_parse_from([&program].into_iter().chain(arguments)).map(|_| ()).map_err(|error| error.to_string())
}

/// The options and arguments whose values are paths, each after its command: `suite run --page`, `suite run file`.
pub fn paths() -> Vec<String> {
    fn add(command: &clap::Command, words: &str, paths: &mut Vec<String>) {
        for argument in command.get_arguments() {
            let names = argument.get_value_names().unwrap_or_default();
            let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>()
                || names.iter().any(|name| {
                    name.split(|symbol: char| !symbol.is_ascii_uppercase()).any(|word| ["FILE", "DIR"].contains(&word))
                });
            if is_path {
                let name =
                    argument.get_long().map_or_else(|| argument.get_id().to_string(), |long| format!("--{long}"));
                paths.push(format!("{words} {name}").trim_start().to_owned());
            }
        }
        for inner in command.get_subcommands() {
            add(inner, format!("{words} {}", inner.get_name()).trim_start(), paths);
        }
    }
    let mut paths = Vec::new();
    add(&Cli::command(), "", &mut paths);
    paths
}

/// Logs to stderr at the level of `RUST_LOG`, by default warnings and errors, in the style of our errors.
fn log_to_stderr() {
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"));
    builder.format(|stderr, record| {
        let style = stderr.default_level_style(record.level());
        let level = match record.level() {
            Level::Warn => "warning".to_owned(),
            level => level.as_str().to_lowercase(),
        };
        writeln!(stderr, "{style}{level}{style:#}: {}", plain(&record.args().to_string()))
    });
    builder.init();
}

fn run(command: Command) -> Result<Verdict> {
    match command {
        Command::Learn(command) => learn::run(&command),
        Command::Experiment(command) => experiment::run(&command),
        Command::Suite(command) => suite::run(&command),
        Command::Tournament(command) => tournament::run(&command),
        Command::Evaluation(command) => evaluation::run(&command),
        Command::Solve(command) => solve::run(&command),
        Command::Review(command) => review::run(&command),
        Command::Work(command) => work::run(&command),
        Command::Serve(command) => serve::run(&command),
        Command::Play(command) => play::run(&command),
        Command::Uci(command) => uci::run(&command),
        Command::Gtp(command) => gtp::run(&command),
        Command::Explain(command) => explain::run(&command),
        Command::Describe(command) => describe::run(&command),
        Command::Perft(command) => perft::run(&command),
        Command::Bench(command) => bench::run(&command),
        Command::Parameters(command) => parameters::run(&command),
        Command::Atoms(command) => atoms::run(&command),
        Command::Bundled(command) => bundled::run(&command),
        Command::Completions(command) => completions::run(&command),
        Command::Man(command) => man::run(&command),
    }
}

/// Which game.
#[derive(Clone, Copy, Debug, Args)]
struct GameArg {
    /// The game
    #[arg(long, value_enum, default_value = "breakthrough")]
    game: GameName,
}

/// How many threads.
#[derive(Clone, Copy, Debug, Args)]
struct ThreadsArg {
    /// Number of threads; results do not depend on it [default: one for each core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArg {
    fn count(self) -> usize {
        self.threads.map_or_else(default_threads, usize::from)
    }
}

/// Which static evaluation.
#[derive(Clone, Debug, Args)]
struct EvaluationArg {
    /// The static evaluation, a name or a file [default: the game's default for the search]
    #[arg(long, value_name = "NAME|FILE", value_parser = run_file::evaluation)]
    evaluation: Option<String>,
}

impl EvaluationArg {
    /// The evaluation; by default that of the profile.
    fn choose<G: RegisteredGame>(&self, profile: Profile) -> Result<Evaluator<G>> {
        match &self.evaluation {
            Some(named) => G::evaluator(named, Path::to_owned).context("--evaluation"),
            None => Ok(G::default_evaluation(profile)),
        }
    }

    /// The name by which a definition in any folder names it; none by default.
    fn located<G: RegisteredGame>(&self) -> Option<String> {
        self.evaluation.as_deref().map(G::located_evaluation)
    }
}

/// Atoms that are not the game's.
#[derive(Clone, Debug, Args)]
struct TheoryArg {
    /// Atoms of moves written as clauses; of a file that has none they are derived from its rules
    #[arg(long, value_name = "FILE")]
    theory: Option<PathBuf>,
}

impl TheoryArg {
    /// The empty table, which knows these atoms.
    fn table<G: RegisteredGame>(&self) -> Result<ExtensionTable> {
        let Some(path) = &self.theory else { return Ok(ExtensionTable::default()) };
        let (mut text, name) = (Theory::read(path)?, path.display().to_string());
        if !MoveAtoms::are_in(&text) {
            text = atoms::derived::<G>(&text, &name, atoms::MOST, atoms::GAMES)?.text;
        }
        let own = G::move_atoms(&text, &name)?;
        Ok(ExtensionTable::default().with_own(Some(Arc::new(own))))
    }
}

/// The table in a file; by default the empty one.
fn load_table<G: Game>(path: Option<&PathBuf>) -> Result<ExtensionTable> {
    Ok(path.map(|path| file::load(path, &G::VOCABULARY)).transpose()?.unwrap_or_default())
}

/// The position of `--fen`; by default the start of the game.
fn position_of<G: RegisteredGame>(fen: Option<&String>) -> Result<G::Position> {
    let Some(fen) = fen else { return Ok(G::start()) };
    let position = G::parse_position(fen).with_context(|| format!("--fen {fen:?}"));
    position.map_err(|error| suggest_game::<G>(fen, error))
}

/// Adds the option that is missing if a position was refused that is one of another game.
fn suggest_game<G: RegisteredGame>(fen: &str, error: anyhow::Error) -> anyhow::Error {
    match GameName::of_position(fen) {
        Ok(game) if game != G::GAME && game.has_position(fen) => {
            let name = game.name();
            error.context(format!("this is a position of {name}, not of {}: add --game {name}", G::NAME))
        }
        _ => error,
    }
}

/// The suite in a file; by default the bundled one.
fn load_suite<G: RegisteredGame>(path: Option<&PathBuf>) -> Result<Suite<G>> {
    let Some(path) = path else {
        let suite = Suite::bundled(G::SUITE)?;
        tell_tolerated(&suite);
        return Ok(suite);
    };
    parse_suite(&data_file::read(path, "an EPD file")?, &path.display().to_string())
}

/// The suite in a text, or what is wrong: perhaps it is one of another game.
fn parse_suite<G: RegisteredGame>(text: &str, name: &str) -> Result<Suite<G>> {
    let suite = Suite::parse(text, name).map_err(|error| match epd::records(text).next() {
        Some(Ok(record)) => suggest_game::<G>(&record.position, error.into()),
        _ => error.into(),
    })?;
    tell_tolerated(&suite);
    Ok(suite)
}

/// Reports the deviations from the EPD standard that were accepted in a suite.
fn tell_tolerated<G: Notation>(suite: &Suite<G>) {
    if !suite.tolerated.is_empty() {
        output::tell(&format!("{}: accepted though not standard: {}", suite.name, suite.tolerated));
    }
}

/// The UCI options of an external engine, as `flag` sets them: names and values.
fn assignments(flag: &str, texts: &[String]) -> Result<Vec<(String, String)>> {
    let assignment = |text: &String| {
        let (name, value) = text.split_once('=').with_context(|| format!("--{flag} {text}: write name=value"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    let options = texts.iter().map(assignment).collect::<Result<Vec<_>>>()?;
    program_spec::check_names(&options).with_context(|| format!("--{flag}"))?;
    Ok(options)
}
