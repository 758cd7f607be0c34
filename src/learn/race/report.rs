// SPDX-License-Identifier: GPL-3.0-or-later
//! The result of a race as a table and as files.

use super::run::{Ready, with_players};
use super::{Finish, Racer};
use crate::base::figures::percent;
use crate::features::file;
use crate::games::Furnished;
use crate::learn::spsa::report::ReportError;
use crate::report::{Cell, Column, Listing, data};
use crate::tournament::definition::{Definition, SprtDefinition};
use crate::tournament::schedule::Schedule;
use crate::tournament::statistics::Model;

/// All tables with their results.
pub const STANDING: &str = "race.csv";
/// The winner.
pub const EXTENSIONS: &str = "extensions.toml";
/// A tournament of the winner against none.
pub const MATCH: &str = "match.toml";

/// All names.
pub const ALL: [&str; 3] = [STANDING, EXTENSIONS, MATCH];

/// The most games of the match: the sequential test ends it before.
const MOST_GAMES: u64 = 10_000;

/// The tables with their results, the best first.
#[must_use]
pub fn standing(finish: &Finish) -> Listing {
    let columns = [Column::words("table"), Column::figures("games"), Column::figures("score")];
    let more = [Column::figures("margin"), Column::figures("laps"), Column::words("out").rank(1)];
    let mut listing = Listing::new(columns.into_iter().chain(more));
    for racer in &finish.racers {
        listing.push([
            Cell::text(racer.name.clone()),
            Cell::count(racer.pairs.games()),
            Cell::text(percent(racer.pairs.score())),
            Cell::text(percent(racer.pairs.margin())),
            Cell::number(racer.exit.map_or(finish.laps, |(_, lap)| lap).into()),
            Cell::text(racer.exit.map_or("", |(exit, _)| exit.name())),
        ]);
    }
    listing
}

/// The result in a sentence. The score of a winner is too high: it is the best of several.
#[must_use]
pub fn summary(finish: &Finish) -> String {
    let games: u64 = finish.racers.iter().map(|racer| racer.pairs.games()).sum();
    let of = |racer: &Racer| format!("{} is left, {} of its games", racer.name, percent(racer.pairs.score()));
    let result = finish.winner().map_or_else(|| "no table is better than none".to_owned(), of);
    format!("{games} games in {} laps: {result}", finish.laps)
}

/// The result files with their names. Without a winner there is no table.
///
/// # Errors
/// If there is not enough memory.
pub fn files<G: Furnished>(ready: &Ready<'_, G>, finish: &Finish) -> Result<Vec<(&'static str, String)>, ReportError> {
    let mut files = vec![(STANDING, data::csv(&standing(finish))?)];
    if let Some(winner) = finish.winner() {
        let comments = ["learned by halfply learn race".to_owned(), summary(finish)];
        files.push((EXTENSIONS, file::render(&winner.table, &comments, &G::VOCABULARY)));
        let sprt = SprtDefinition { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::default() };
        let games = with_players(ready.definition(), std::iter::once(winner));
        let mut players = games.players.clone();
        players.reverse();
        let definition = Definition {
            kind: Schedule::default(),
            players,
            games: Some(MOST_GAMES),
            sprt: Some(sprt),
            // Openings in another order, because the race has chosen by those of its own.
            seed: games.seed.wrapping_add(1),
            concurrency: None,
            ..games
        };
        let text = toml::to_string(&definition)?;
        let comment = "# halfply tournament run THIS-FILE: is the winner better in games that did not choose it?\n";
        files.push((MATCH, format!("{comment}{text}")));
    }
    Ok(files)
}
