// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn spsa`: parameters that are tuned by games.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use clap::Args;

use super::command_line;
use super::games::GamesArgs;
use crate::cli::events as cli_events;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{WidthArg, print, tell};
use crate::cli::progress::Progress;
use crate::cli::run_folder::{RunFolderArgs, completed, ended};
use crate::cli::setup::SetupArgs;
use crate::cli::spool::SpoolArgs;
use crate::cli::{EvaluationArg, GameArg, ThreadsArg, Verdict, assignment, run_file};
use halfply_engine::base::figures::thousands;
use halfply_engine::games::Furnished;
use halfply_engine::with_game;
use halfply_lab::learn::rounds::RoundsError;
use halfply_lab::learn::spsa::report::{ALL, MATCH, PAGE, PARAMETERS, TRAIL, files, summary, values};
use halfply_lab::learn::spsa::run::Ready;
use halfply_lab::learn::spsa::target::Target;
use halfply_lab::learn::spsa::{Event, Spsa, Step};
use halfply_lab::run::Runner;
use halfply_lab::run::events::{Ending, RunEvent, RunKind, Step as RunStep};
use halfply_lab::tournament::player_definition::PlayerDefinition;

/// Tune parameters by games: those of the full search, costs of features, or UCI options of any engine
///
/// The parameters are written as for OpenBench: "Razor Margin,int,120,50,300,20,0.002". Step and rate are those of the
/// last iteration. Without --engine, a parameter is one of the full search (`halfply parameters --format spsa` prints
/// them all) or the cost of a feature in plies (Ud-Rdt,float,0.75,0.1,1.5,0.1,0.002).
#[derive(Clone, Debug, Args)]
pub struct Command {
    #[command(flatten)]
    settings: Spsa,
    /// The UCI program to tune, with its arguments [default: the search of this program]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Set another UCI option of the program; can be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "engine")]
    option: Vec<String>,
    /// The extension table to begin with, or the folder of a run [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table, conflicts_with = "engine")]
    extensions: Option<PathBuf>,
    #[command(flatten)]
    games: GamesArgs,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    spool: SpoolArgs,
    #[command(flatten)]
    width: WidthArg,
    #[command(flatten)]
    folder: RunFolderArgs,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: Furnished>(command: &Command) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let definition = command.games.definition(command.game.game, command.threads.threads)?;
    let target = command.target::<G>()?;
    let ready = match Ready::<G>::new(&command.settings, &target, &definition, &stop) {
        _ if stop.is_raised() => {
            tell("stopped before the first game");
            return Ok(Verdict::Interrupted);
        }
        ready => ready?,
    };
    let (results, journal) = command.folder.open(G::NAME, &ready.header, "learn spsa", &ALL)?;
    let folder = results.folder().to_owned();
    let runner = Runner::with_journal(ready.concurrency(), journal).stopped_by(&stop);
    // Each iteration has a description of its own.
    let mut runner = command.spool.place(runner, &ready.header, &())?;

    let start = Instant::now();
    let games = u64::from(ready.iterations()) * u64::from(2 * command.settings.pairs);
    let progress = Progress::new(games);
    progress.note(&format!(
        "{} games in {} iterations, {} at a time; kept in {}",
        thousands(games),
        thousands(ready.iterations().into()),
        ready.concurrency(),
        folder.display()
    ));
    let title = format!("SPSA of {} parameters, {} games", command.settings.parameters.len(), thousands(games));
    let mut events = cli_events::begin(&folder, RunKind::Tuning, G::NAME, title, &());
    let trail = ready.learn(&mut runner, |event| match event {
        Event::Game { time } => progress.finished(time),
        Event::Step { number, step } => {
            let names = command.settings.parameters.iter().map(|parameter| parameter.name.clone());
            events.tell(&RunEvent::Step(RunStep { figures: names.zip(step.values.iter().copied()).collect() }));
            progress.message(command.standing(number, step));
        }
    });
    progress.finish();
    let trail = match trail {
        Ok(trail) => trail,
        Err(RoundsError::Run(error)) => {
            cli_events::end_early(events, &error);
            return ended(error, &folder);
        }
        Err(error) => bail!(error),
    };
    command.spool.close(&ready.header)?;
    // Of the games and of the method, each setting in a line.
    let parts = ready.header.config.as_object().into_iter().flatten().filter_map(|(_, part)| part.as_object());
    let set: Vec<(String, String)> = parts
        .flatten()
        .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    results.publish(&files(&ready, &trail, &set, &command_line())?)?;
    events.end(Ending::Complete, summary(&trail));

    print(command.width.fit(&values(&trail)))?;
    print(summary(&trail))?;
    let path = |name: &str| folder.join(name).display().to_string();
    print(format_args!(
        "to look at:       {}\nevery iteration:  {}\nfor another run:  {}\nnew against old:  halfply tournament run {}",
        path(PAGE),
        path(TRAIL),
        path(PARAMETERS),
        path(MATCH)
    ))?;
    completed(runner.computed() as u64, "games", runner.resumed(), start);
    Ok(Verdict::Good)
}

impl Command {
    /// Who is tuned.
    fn target<G: Furnished>(&self) -> Result<Target> {
        let Some(engine) = &self.engine else {
            let searcher = self.setup.searcher::<G>(&self.evaluation, self.extensions.as_ref(), self.games.seed)?;
            let player = PlayerDefinition { evaluation: self.evaluation.located::<G>(), ..self.setup.player()? };
            return Ok(Target::search::<G>(player, &searcher.setup, &self.settings.parameters)?);
        };
        ensure!(
            self.setup.options().is_empty() && self.evaluation.evaluation.is_none(),
            "--profile, --hash, --set, --parameters and --evaluation are for the search of this program: set the options of \
             another one with --option"
        );
        let option = |text: &String| {
            let (name, value) = assignment("option", text)?;
            Ok((name, toml::Value::String(value)))
        };
        let options = self.option.iter().map(option).collect::<Result<BTreeMap<_, _>>>()?;
        Ok(Target::program(PlayerDefinition { command: Some(engine.clone()), options, ..PlayerDefinition::default() }))
    }

    /// The values after an iteration, in a line.
    fn standing(&self, number: u32, step: &Step) -> String {
        let value = |(parameter, value): (&halfply_lab::learn::spsa::Parameter, &f64)| {
            let places = if parameter.is_whole { 1 } else { 3 };
            format!("{} {value:.places$}", parameter.name)
        };
        let values: Vec<String> = self.settings.parameters.iter().zip(&step.values).map(value).collect();
        format!("iteration {number}: {}", values.join(", "))
    }
}
