// SPDX-License-Identifier: GPL-3.0-or-later
//! The result of a race as a table and as files.

use super::run::{Ready, with_players};
use super::{Finish, Racer};
use crate::learn::files::FileError;
use crate::learn::match_file;
use crate::report::{Cell, Column, Listing, data};
use halfply_engine::base::figures::{percent, thousands};
use halfply_engine::features::file;
use halfply_engine::games::RegisteredGame;

/// All tables with their results.
pub const STANDING: &str = "race.csv";
/// The best table.
pub const EXTENSIONS: &str = "extensions.toml";
/// A tournament of the best table against none.
pub const MATCH: &str = "match.toml";

/// All names.
pub const ALL: [&str; 3] = [STANDING, EXTENSIONS, MATCH];

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

/// The result in a sentence. The score of the best table is too high, because it is the best of several.
#[must_use]
pub fn summary(finish: &Finish) -> String {
    let games: u64 = finish.racers.iter().map(|racer| racer.pairs.games()).sum();
    let verdict = if finish.is_shown { "shown to gain" } else { "not shown to gain" };
    let of = |Racer { name, pairs, .. }: &Racer| {
        format!("{name} is left, with {} ± {}; {verdict}", percent(pairs.score()), percent(pairs.margin()))
    };
    let result = finish.best().map_or_else(|| "no table was shown to gain".to_owned(), of);
    let laps = if finish.laps == 1 { "1 lap".to_owned() } else { format!("{} laps", finish.laps) };
    format!("{} games in {laps}: {result}", thousands(games))
}

/// The result files with their names. If no table is left there is none.
///
/// # Errors
/// If there is not enough memory.
pub fn files<G: RegisteredGame>(
    ready: &Ready<'_, G>,
    finish: &Finish,
) -> Result<Vec<(&'static str, String)>, FileError> {
    let mut files = vec![(STANDING, data::csv(&standing(finish))?)];
    if let Some(best) = finish.best() {
        let comments = ["learned by halfply learn race".to_owned(), summary(finish)];
        files.push((EXTENSIONS, file::render(&best.table, &comments, &G::VOCABULARY)));
        let games = with_players(ready.definition(), std::iter::once(best));
        if let [none, best] = &games.players[..] {
            let question = "is the best table better than none in games that did not choose it?";
            files.push((MATCH, match_file::sequential(&games, [best.clone(), none.clone()], 10.0, question)?));
        }
    }
    Ok(files)
}
