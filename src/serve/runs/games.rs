// SPDX-License-Identifier: GPL-3.0-or-later
//! The games of a tournament, by its journal: a list that is read part by part, one game with its moves, and a report where the
//! tournament has written none.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::list::{JOURNAL, events, header};
use super::place::is_own;
use crate::serve::asked::LARGEST_BODY;
use crate::serve::refusal::Refusal;
use halfply_engine::base::echo::shortened;
use halfply_engine::base::figures::thousands;
use halfply_lab::run::Header;
use halfply_lab::run::events::EVENTS;
use halfply_lab::run::part::{Part, Placed, part};
use halfply_lab::tournament::course::{Course, Planned, Roster};
use halfply_lab::tournament::definition::MOST_PLAYERS;
use halfply_lab::tournament::page::Page;
use halfply_lab::tournament::record::{GameRecord, Outline};

/// Bytes of a journal that are read at a time.
const AT_A_TIME: u64 = 1 << 20;

/// The most bytes of a journal from which a report is made.
const LARGEST_REPORTED: u64 = 256 << 20;

/// Bytes that are read of it at a time.
const REPORTED_AT_A_TIME: u64 = 64 << 20;

/// The most characters of a name, or of why a game ended, that are shown.
const LONGEST_NAME: usize = 300;

/// Some games of a tournament.
#[derive(Debug, Serialize)]
pub struct GamesShown {
    /// The games.
    pub games: Vec<GameShown>,
    /// Where the next ones begin.
    pub next: u64,
}

/// A game in the list of games.
#[derive(Debug, Serialize)]
pub struct GameShown {
    /// Its place in the journal.
    pub at: u64,
    /// Its key. A journal may have a game twice, and then the first one counts.
    key: String,
    players: [String; 2],
    pair: u64,
    result: &'static str,
    plies: usize,
    end: String,
}

/// A game with its moves.
#[derive(Debug, Serialize)]
pub struct GameToReplay {
    game: &'static str,
    start: String,
    moves: Vec<String>,
    /// How many of the moves are from the book.
    book: usize,
    #[serde(flatten)]
    shown: GameShown,
}

/// The journal of a run, if it is one of games.
pub(super) fn journal(path: &Path) -> Option<PathBuf> {
    let journal = if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() };
    header(&journal).filter(|header| header.experiment == "tournament").map(|_| journal)
}

/// A part of the journal of a run, without what each move was worth.
fn read(path: &Path, from: u64, most: u64) -> Result<Part<GameRecord>, Refusal> {
    let journal = journal(path).filter(|journal| is_own(journal)).ok_or(Refusal::Unknown)?;
    let Part { header, results, damaged, next } =
        part::<Outline>(&journal, "tournament", from, most).map_err(Refusal::invalid)?;
    let games = results.into_iter().map(|Placed { at, key, result: Outline(result) }| Placed { at, key, result });
    Ok(Part { header, results: games.collect(), damaged, next })
}

/// What is planned of a run. Its journal may have games of a longer run before, which do not count.
fn planned(path: &Path) -> Planned {
    let events = events(&path.join(EVENTS));
    events.and_then(|events| serde_json::from_value(events.begin.plan).ok()).unwrap_or_default()
}

fn shown(at: u64, key: &str, game: &GameRecord) -> GameShown {
    let short = |text: &str| shortened(text, LONGEST_NAME).into_owned();
    GameShown {
        at,
        key: short(key),
        players: game.players.each_ref().map(|name| short(name)),
        pair: game.pair,
        result: game.result(),
        plies: game.plies(),
        end: short(&game.ending()),
    }
}

/// Some of the games, from this place on. Left out is what the page could not send back to be told what the position is.
pub(super) fn some(path: &Path, from: u64) -> Result<GamesShown, Refusal> {
    let (part, pairs) = (read(path, from, AT_A_TIME)?, planned(path).pairs);
    let counts = |game: &GameRecord| pairs == 0 || game.pair < pairs;
    let games = part.results.iter().filter(|placed| counts(&placed.result) && !is_too_long(&placed.result));
    Ok(GamesShown {
        games: games.map(|placed| shown(placed.at, &placed.key, &placed.result)).collect(),
        next: part.next,
    })
}

fn is_too_long(game: &GameRecord) -> bool {
    game.opening.len() + game.moves.len() > LARGEST_BODY / 2
}

/// The game at this place.
pub(super) fn game(path: &Path, at: u64) -> Result<GameToReplay, Refusal> {
    let part = read(path, at, AT_A_TIME)?;
    let roster = roster(&part.header)?;
    let placed = part.results.into_iter().next().filter(|placed| placed.at == at && !is_too_long(&placed.result));
    let placed = placed.ok_or(Refusal::Unknown)?;
    let shown = shown(at, &placed.key, &placed.result);
    let GameRecord { opening, moves, book, .. } = placed.result;
    let moves = moves.split_whitespace().map(str::to_owned).collect();
    Ok(GameToReplay { game: roster.game.name(), start: opening, moves, book, shown })
}

/// Who plays what.
fn roster(header: &Header) -> Result<Roster, Refusal> {
    let roster: Roster = serde_json::from_value(header.config.clone())
        .map_err(|error| Refusal::invalid(format!("the configuration in the journal cannot be read: {error}")))?;
    let players = roster.players.len();
    if !(1..=MOST_PLAYERS).contains(&players) {
        let players = thousands(players as u64);
        return Err(Refusal::Invalid(format!("this journal has {players} players: 1 to {MOST_PLAYERS} can be shown")));
    }
    if let Some(name) = roster.players.iter().map(|player| &player.name).find(|name| name.len() > LONGEST_NAME) {
        let reason = format!("a player's name has {} bytes, and at most {LONGEST_NAME} are shown", name.len());
        return Err(Refusal::Invalid(reason));
    }
    Ok(roster)
}

/// The report of all games.
pub(super) fn report(path: &Path) -> Result<String, Refusal> {
    let planned = planned(path);
    let mut part = read(path, 0, REPORTED_AT_A_TIME)?;
    let roster = roster(&part.header)?;
    let mut course = Course::new(roster.names(), planned.test());
    let (mut keys, mut damaged) = (HashSet::new(), 0);
    while !part.results.is_empty() || part.damaged > 0 {
        damaged += part.damaged;
        for placed in part.results {
            let counts = planned.pairs == 0 || placed.result.pair < planned.pairs;
            if counts && keys.insert(placed.key) {
                course.enter(&placed.result);
            }
        }
        if part.next > LARGEST_REPORTED {
            let reason =
                format!("the journal has more than {} MiB: use halfply tournament stats", LARGEST_REPORTED >> 20);
            return Err(Refusal::Invalid(reason));
        }
        part = read(path, part.next, REPORTED_AT_A_TIME)?;
    }
    let describe = |text: &String| shortened(text, 10 * LONGEST_NAME).into_owned();
    let descriptions: Vec<String> = roster.descriptions().iter().map(describe).collect();
    let page = Page { game: roster.game.name(), descriptions: &descriptions, course: &course, of: planned.games };
    let notes = match damaged {
        0 => String::new(),
        _ => format!("{damaged} damaged lines of the journal are left out."),
    };
    Ok(page.so_far(&notes))
}
