// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply tournament run`: the games.
//!
//! | file | idea |
//! |---|---|
//! | `options` | what is asked for: arguments, and the definition they make with a file or without |
//! | `narrator` | a tournament told as it goes |

mod narrator;
mod options;

use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use serde::Serialize;
use serde_json::Value;

use self::narrator::{Narrator, event};
pub use self::options::Command;
use super::show;
use crate::base::figures::thousands;
use crate::cli::Verdict;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::tell;
use crate::games::Furnished;
use crate::run::{Header, Runner, Unit, default_threads};
use crate::tournament::definition::Definition;
use crate::tournament::entrant::{self, Entrant, EntrantRecord, start_patience};
use crate::tournament::fault::Policy;
use crate::tournament::game::{ScheduledGame, Tournament};
use crate::tournament::ledger::Ledger;
use crate::tournament::openings::Book;
use crate::tournament::pgn;
use crate::tournament::record::GameRecord;
use crate::tournament::schedule::Kind;
use crate::tournament::scoreboard::Scoreboard;
use crate::tournament::statistics::Decision;
use crate::with_game;

/// The games in the run's folder that other programs and people read.
const GAMES: &str = "games.pgn";
/// What they have come to.
const RESULT: &str = "result.json";

pub fn run(command: &Command) -> Result<Verdict> {
    let definition = command.definition()?;
    with_game!(definition.game, G => run_game::<G>(command, &definition))
}

/// Everything that a game depends on. The number of games is not in it, so that a finished tournament can be made longer;
/// nor are test and policy, which only end it earlier.
#[derive(Serialize)]
struct Config<'a> {
    game: &'a str,
    kind: Kind,
    players: Vec<EntrantRecord>,
    openings: &'a str,
    start: u64,
    seed: u64,
    adjudication: Value,
    margin: u32,
    patience: u32,
    comments: bool,
}

fn run_game<G: Furnished>(command: &Command, definition: &Definition) -> Result<Verdict> {
    let mut entrants = Entrant::<G>::all(definition)?;
    if let Some([one, other]) = Entrant::twins(&entrants) {
        let reason = format!(
            "players {:?} and {:?} are the same ({}), and games between them say nothing; {}",
            one.name,
            other.name,
            one.description(),
            command.remedy_for_twins()
        );
        let index = definition.players.iter().find(|player| player.name.as_ref() == Some(&other.name));
        let index = index.map_or_else(String::new, |player| player.index.to_string());
        return Err(definition.wrong(&["player", &index], reason));
    }
    let sprt = definition.test().map_err(|refusal| definition.wrong(refusal.path, refusal.reason))?;
    if sprt.is_some() && entrants.len() != 2 {
        let reason = "a sequential test is of two players, and here are";
        let remedy = "choose two with --players, or remove the test";
        return Err(definition.wrong(&["sprt"], format!("{reason} {}; {remedy}", entrants.len())));
    }
    let book = match &definition.openings.file {
        Some(path) => Book::<G>::load(&definition.path(path))?,
        None => Book::bundled(G::OPENINGS)?,
    };
    let is_chess960 = book.is_chess960();
    let book = if is_chess960 { book.as_chess960() } else { book };
    let stop = stop_on_ctrl_c();
    for (entrant, player) in entrants.iter_mut().zip(&definition.players) {
        if is_chess960 {
            entrant.play_chess960();
        }
        let outcome = entrant.try_out(start_patience(definition), &stop);
        if stop.is_raised() {
            tell("stopped before the first game");
            return Ok(Verdict::Interrupted);
        }
        outcome.map_err(|fault| definition.wrong_player(player, &["command"], fault))?;
    }
    let concurrency = definition.concurrency.map_or_else(default_threads, usize::from);
    let header = header(definition, &entrants, &book)?;
    let (results, journal) = command.folder.open(G::NAME, &header, "tournament", &[GAMES, RESULT])?;
    let folder = results.folder().to_owned();
    let resumed = !journal.is_empty();
    let mut runner = Runner::with_journal(concurrency, journal).stopped_by(&stop);

    let tournament = Tournament::new(definition, entrants, book, concurrency);
    let scheduled = tournament.scheduled(definition);
    let board = Scoreboard::new(tournament.entrants().iter().map(|entrant| entrant.name.clone()));
    let mut ledger = Ledger::new(board, sprt, definition.on_fault);
    let start = Instant::now();
    let mut narrator = Narrator::new(scheduled.len(), command.json, start);
    narrator.begin(&tournament, definition, concurrency, &folder)?;
    let outcome = runner.run_while(&scheduled, |place, game, time| {
        let flow = ledger.enter(place, game, time.is_some());
        let withdrawn = tournament.withdrawn();
        let told = narrator.ended(&ledger, &withdrawn, game, time);
        let is_fault = !withdrawn.is_empty() && definition.on_fault == Policy::Stop;
        // If it cannot be told, nobody is there to read it.
        if told.is_err() || is_fault { ControlFlow::Break(()) } else { flow }
    });
    tournament.close();
    narrator.finish();
    let games = outcome?;

    let of = scheduled.len() as u64;
    let object = show::summary(ledger.board(), of, ledger.sprt());
    results.publish(&[
        (GAMES, games_as_pgn::<G>(definition, &tournament, &scheduled, &games)?),
        (RESULT, format!("{}\n", serde_json::to_string_pretty(&object)?)),
    ])?;
    if command.json {
        event("end", object)?;
    } else {
        let descriptions: Vec<String> = tournament.entrants().iter().map(Entrant::description).collect();
        show::print_all(ledger.board(), of, ledger.sprt(), &descriptions, command.width)?;
    }
    let played = runner.computed() as u64;
    let is_whole = games.iter().all(Option::is_some);
    let kept = format!("kept in {}", folder.display());
    if ledger.stopped_by_fault() {
        bail!(
            "stopped by a fault, as --on-fault stop asks; {kept}; the same command goes on to the next, and with --on-fault restart to the end"
        );
    }
    let withdrawn: Vec<String> = tournament
        .withdrawn()
        .iter()
        .map(|(name, reason)| format!("{name} cannot be started any more: {reason}"))
        .collect();
    if ledger.decision().is_none() && !is_whole && !withdrawn.is_empty() {
        let left = games.iter().filter(|game| game.is_none()).count();
        bail!(
            "{}; {left} of {of} games are left; {kept}; the same command plays them when that is mended",
            withdrawn.join("; ")
        );
    }
    let seconds = start.elapsed().as_secs_f64();
    if ledger.decision().is_none() && !is_whole {
        tell(&format!("stopped after {} of {of} games; {kept}; the same command goes on", ledger.board().games()));
        return Ok(Verdict::Interrupted);
    }
    tell(&match (played, resumed) {
        (0, true) => "this run was complete already; --fresh repeats it, more --games go on".to_owned(),
        _ => format!("{} games played in {seconds:.1} s; {kept}", thousands(played)),
    });
    Ok(if ledger.decision() == Some(Decision::H0) { Verdict::Short } else { Verdict::Good })
}

fn header<G: Furnished>(definition: &Definition, entrants: &[Entrant<G>], book: &Book<G>) -> Result<Header> {
    let signature = entrant::signature(entrants);
    let config = Config {
        game: G::NAME,
        kind: definition.kind,
        players: entrants.iter().map(Entrant::record).collect(),
        openings: &book.digest,
        start: definition.openings.start,
        seed: definition.seed,
        adjudication: serde_json::to_value(&definition.adjudication)?,
        margin: definition.margin,
        patience: definition.patience,
        comments: definition.comments,
    };
    Ok(Header::new("tournament", &config, signature))
}

fn games_as_pgn<G: Furnished>(
    definition: &Definition,
    tournament: &Tournament<G>,
    scheduled: &[ScheduledGame<'_, G>],
    games: &[Option<GameRecord>],
) -> Result<String> {
    let event = pgn::Event {
        name: format!("halfply tournament, seed {}", definition.seed),
        variant: G::record_variant(tournament.book().is_chess960()),
        limits: tournament
            .entrants()
            .iter()
            .map(|player| (player.name.clone(), player.allowance.to_string()))
            .collect(),
    };
    let mut text = String::new();
    for (game, record) in scheduled.iter().zip(games) {
        if let Some(record) = record {
            text += &pgn::game::<G>(&event, &game.round(), record)
                .map_err(|reason| anyhow!("the journal's game {}: {reason}", game.key()))?;
        }
    }
    Ok(text)
}
