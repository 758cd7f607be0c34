// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn race`: tables that are chosen by games.

use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;

use super::games::GamesArgs;
use crate::cli::events;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{WidthArg, print};
use crate::cli::progress::Progress;
use crate::cli::run_folder::{RunFolderArgs, completed, ended};
use crate::cli::setup::SetupArgs;
use crate::cli::spool::SpoolArgs;
use crate::cli::{EvaluationArg, GameArg, ThreadsArg, Verdict};
use halfply_engine::base::figures::percent;
use halfply_engine::games::Furnished;
use halfply_engine::with_game;
use halfply_lab::learn::race::report::{ALL, EXTENSIONS, MATCH, STANDING, files, standing, summary};
use halfply_lab::learn::race::run::{Event, Ready};
use halfply_lab::learn::race::{Race, Racer};
use halfply_lab::learn::rounds::RoundsError;
use halfply_lab::run::Runner;
use halfply_lab::run::events::{Ending, RunEvent, RunKind, Step};
use halfply_lab::tournament::player_definition::PlayerDefinition;

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
    let evaluation = command.evaluation.located::<G>();
    // Before the first game: an evaluation that does not exist, or a parameter.
    command.setup.searcher::<G>(&command.evaluation, None, 1)?;
    let player = PlayerDefinition { evaluation, ..command.setup.player()? };
    let ready = Ready::<G>::new(&command.settings, &player, &definition, &stop)?;
    let run = &command.settings;
    let (results, journal) = command.folder.open_sharing(G::NAME, &ready.header, run, "learn race", &ALL)?;
    let folder = results.folder().to_owned();
    let runner = Runner::with_journal(ready.concurrency(), journal).stopped_by(&stop);
    // Each lap has a description of its own.
    let mut runner = command.spool.place(runner, &ready.header, &())?;

    let start = Instant::now();
    let progress = Progress::new(0);
    let tables = if run.tables.len() == 1 { "1 table".to_owned() } else { format!("{} tables", run.tables.len()) };
    progress.note(&format!("{tables}, {} games at a time", ready.concurrency()));
    let title = format!("A race of {}", if run.tables.len() <= 3 { run.tables.join(", ") } else { tables });
    let mut events = events::begin(&folder, RunKind::Tuning, G::NAME, title, &());
    let finish = ready.learn(&mut runner, |event| match event {
        Event::Lap { number, games } => progress.stage(&format!("lap {number}"), games),
        Event::Game { time } => progress.finished(time),
        Event::Standing { number, racers } => {
            events.tell(&RunEvent::Step(figures(racers)));
            progress.note(&lap(number, racers));
        }
    });
    progress.finish();
    let finish = match finish {
        Ok(finish) => finish,
        Err(RoundsError::Run(error)) => {
            events::end_early(events, &error);
            return ended(error, &folder);
        }
        Err(error) => bail!(error),
    };
    command.spool.close(&ready.header)?;
    results.publish(&files(&ready, &finish)?)?;
    events.end(Ending::Complete, summary(&finish));

    print(command.width.fit(&standing(&finish)))?;
    print(summary(&finish))?;
    let path = |name: &str| folder.join(name).display().to_string();
    print(format_args!("every table:  {}", path(STANDING)))?;
    if finish.best().is_some() {
        print(format_args!(
            "the best:     {}\nin new games: halfply tournament run {}",
            path(EXTENSIONS),
            path(MATCH)
        ))?;
    }
    completed(runner.computed() as u64, "games", runner.resumed(), start);
    Ok(Verdict::Good)
}

/// Who is in the race, the best first.
fn left(racers: &[Racer]) -> Vec<&Racer> {
    let mut left: Vec<&Racer> = racers.iter().filter(|racer| racer.runs()).collect();
    left.sort_by(|a, b| b.pairs.score().total_cmp(&a.pairs.score()));
    left
}

/// A lap in figures.
fn figures(racers: &[Racer]) -> Step {
    let left = left(racers);
    let best = left.first().map(|racer| ("best score, %".to_owned(), racer.pairs.score() * 100.0));
    let tables = ("tables left".to_owned(), left.len() as f64);
    Step { figures: [tables].into_iter().chain(best).collect() }
}

/// A lap in words.
fn lap(number: u32, racers: &[Racer]) -> String {
    let left = left(racers);
    let left: Vec<String> =
        left.iter().map(|racer| format!("{} {}", racer.name, percent(racer.pairs.score()))).collect();
    format!("lap {number}: {}", if left.is_empty() { "nobody is left".to_owned() } else { left.join(", ") })
}
