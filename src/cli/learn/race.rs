// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn race`: tables that are chosen by games.

use anyhow::Result;
use clap::Args;

use super::arguments::MethodArgs;
use super::games::{GamesArgs, of_run};
use crate::cli::Verdict;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::study::{self, Document, Plan};
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::learn::race::Race;
use halfply_lab::learn::race::report::{ALL, EXTENSIONS, MATCH, STANDING, files, standing, summary};
use halfply_lab::learn::race::run::Ready;
use halfply_lab::run::events::RunKind;

/// Choose the best of several extension tables by games against none
///
/// All tables play the same openings. The better half stays after laps 1, 3, 7, 15 and so on, and a sequential test takes
/// out tables that are no better than none. Races with other tables share the games that are the same.
#[derive(Clone, Debug, Args)]
pub struct Command {
    #[command(flatten)]
    settings: Race,
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
    // Before the first game: an evaluation that does not exist, or a parameter.
    command.common.setup.searcher::<G>(&command.common.evaluation, None, 1)?;
    let player = command.common.player::<G>()?;
    let ready = Ready::<G>::new(&command.settings, &player, &definition, &stop)?;
    let names = &command.settings.tables;
    let tables = if names.len() == 1 { "1 table".to_owned() } else { format!("{} tables", names.len()) };
    let plan = Plan {
        command: "learn race",
        kind: Some(RunKind::Tuning),
        game: G::NAME,
        title: format!("A race of {}", if names.len() <= 3 { names.join(", ") } else { tables.clone() }),
        header: &ready.header,
        besides: Some(serde_json::to_value(&command.settings)?),
        files: &ALL,
        threads: ready.concurrency(),
        // Each lap has a description of its own.
        description: &|_| Ok(().into()),
        watched: ().into(),
        units: "games",
    };
    study::run(&command.common.study, &plan, &stop, &mut |runner, watch| {
        watch.begin(format_args!("{tables}, {} games at a time", ready.concurrency()));
        let finish = ready.learn(runner, &mut |event| watch.tell(event)).map_err(of_run)?;
        let mut document = Document::new(files(&ready, &finish)?, summary(&finish));
        document.table(&standing(&finish), command.common.study.width);
        document.line(summary(&finish));
        document.next("every table", watch.path(STANDING));
        if finish.best().is_some() {
            document.next("the best", watch.path(EXTENSIONS));
            document.next("in new games", format!("halfply tournament run {}", watch.path(MATCH)));
        }
        Ok(document)
    })
}
