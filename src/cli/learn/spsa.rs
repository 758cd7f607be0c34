// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn spsa`: parameters that are tuned by games.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::arguments::MethodArgs;
use super::games::{GamesArgs, of_run};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{command_line, tell};
use crate::cli::study::{self, Document, Plan};
use crate::cli::tournament::program;
use crate::cli::{Verdict, run_file};
use halfply_engine::base::figures::quantity;
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::learn::spsa::Spsa;
use halfply_lab::learn::spsa::report::{ALL, MATCH, PAGE, PARAMETERS, TRAIL, files, page, summary, values};
use halfply_lab::learn::spsa::run::Ready;
use halfply_lab::learn::spsa::target::Target;
use halfply_lab::run::Event;
use halfply_lab::run::events::RunKind;

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
    common: MethodArgs,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.common.game.game, G => run_game::<G>(command))
}

fn run_game<G: RegisteredGame>(command: &Command) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let definition = command.games.definition(command.common.game.game, command.common.threads.threads)?;
    let target = command.target::<G>()?;
    let ready = match Ready::<G>::new(&command.settings, &target, &definition, &stop) {
        _ if stop.is_raised() => {
            tell("stopped before the first game");
            return Ok(Verdict::Interrupted);
        }
        ready => ready?,
    };
    let games = u64::from(ready.iterations()) * u64::from(2 * command.settings.pairs);
    let plan = Plan {
        command: "learn spsa",
        kind: Some(RunKind::Tuning),
        game: G::NAME,
        title: format!(
            "SPSA of {}, {}",
            quantity(command.settings.parameters.len() as u64, "parameter"),
            quantity(games, "game")
        ),
        header: &ready.header,
        besides: None,
        files: &ALL,
        threads: ready.concurrency(),
        // Each iteration has a description of its own.
        description: &|_| Ok(().into()),
        watched: ().into(),
        unit: "game",
    };
    study::run(&command.common.study, &plan, &stop, &mut |runner, watch| {
        let (iterations, at_a_time) = (quantity(ready.iterations().into(), "iteration"), ready.concurrency());
        watch.progress.all(games);
        watch.begin(format_args!("{} in {iterations}, {at_a_time} at a time", quantity(games, "game")));
        // Of the games and of the method, each setting in a line.
        let parts = ready.header.config.as_object().into_iter().flatten().filter_map(|(_, part)| part.as_object());
        let set: Vec<(String, String)> = parts
            .flatten()
            .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
            .collect();
        let command_line = command_line();
        let trail = ready.learn(runner, &mut |event| {
            if let Event::Step { so_far, .. } = &event {
                watch.show(|| page::<G>(so_far, &set, &command_line), || summary(so_far));
            }
            watch.tell(event);
        });
        let trail = trail.map_err(of_run)?;
        let mut document = Document::new(files(&ready, &trail, &set, &command_line)?, summary(&trail));
        document.table(&values(&trail), command.common.study.width);
        document.line(summary(&trail));
        document.next("report", watch.path(PAGE));
        document.next("every iteration", watch.path(TRAIL));
        document.next("for another run", watch.path(PARAMETERS));
        if trail.has_changed() {
            document.next("new against old", format!("halfply tournament run {}", watch.path(MATCH)));
        }
        Ok(document)
    })
}

impl Command {
    /// Who is tuned.
    fn target<G: RegisteredGame>(&self) -> Result<Target> {
        let Some(engine) = &self.engine else {
            let searcher =
                self.common.setup.searcher::<G>(&self.common.evaluation, self.extensions.as_ref(), self.games.seed)?;
            return Ok(Target::search::<G>(self.common.player::<G>()?, &searcher.setup, &self.settings.parameters)?);
        };
        self.common.setup.ensure_unset(
            &self.common.evaluation,
            "for the search of this program: set the options of another one with --option",
        )?;
        Ok(Target::program(program(engine, "option", &self.option)?))
    }
}
