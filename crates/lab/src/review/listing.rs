// SPDX-License-Identifier: GPL-3.0-or-later
//! A review as tables.

use serde_json::{Value as Json, json};

use super::judgement::{Account, Class, Reviewed};
use super::wording::{better, named, number, percent};
use crate::report::{Cell, Column, Listing, data};
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::game::{Notation, Side};

/// Moves of a better line that are shown.
const SHOWN: usize = 5;

/// Both sides of each game: accuracy and mistakes.
pub fn sides<G: Inputs + Notation>(games: &[Reviewed<'_, G>]) -> Listing {
    let numbered = (games.len() > 1).then(|| Column::figures("game"));
    let columns = [Column::words("side").rank(2), Column::prose("player"), Column::figures("accuracy")];
    let counts = [Column::figures("lost a move").rank(1), Column::figures("blunders"), Column::figures("mistakes")];
    let columns = numbered.into_iter().chain(columns).chain(counts).chain([Column::figures("inaccuracies")]);
    let mut listing = Listing::new(columns);
    for (index, reviewed) in games.iter().enumerate() {
        for side in Side::BOTH {
            let Account { accuracy, mean_loss, mistakes, .. } = reviewed.accounts[side.index()];
            let first = (games.len() > 1).then(|| Cell::count(index as u64 + 1));
            let figures = [
                Cell::text(G::SIDE_NAMES[side.index()]),
                Cell::text(reviewed.played.name(side)),
                accuracy.map(|accuracy| Cell::decimal(accuracy, 1)).into(),
                mean_loss.map(|loss| Cell::decimal(loss, 4).shown(format!("{:.1} %", 100.0 * loss))).into(),
            ];
            listing.push(first.into_iter().chain(figures).chain(mistakes.map(|count| Cell::count(count as u64))));
        }
    }
    listing
}

/// The mistakes of a game, the better moves beside them.
pub fn mistakes<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>) -> Listing {
    let columns = [Column::words("move"), Column::figures("before"), Column::figures("after"), Column::words("is a")];
    let mut listing = Listing::new(columns.into_iter().chain([Column::prose("better")]));
    for judged in reviewed.mistakes() {
        listing.push([
            Cell::text(named(reviewed, judged)),
            share(judged.before),
            share(judged.after),
            Cell::text(judged.class.name()),
            Cell::text(better(reviewed.played, judged, SHOWN)),
        ]);
    }
    listing
}

/// All moves of a game, each with the value of the position after it.
pub fn moves<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>) -> Listing {
    let columns =
        [Column::words("number"), Column::words("side").rank(3), Column::words("move"), Column::figures("value")];
    let shares = ["before", "after", "lost"].map(Column::figures);
    let points = G::counts(&G::start()).map(|_| Column::figures(format!("{} lost", G::SCORE_UNIT)).rank(2));
    let last = [Column::words("is a"), Column::prose("better").rank(1)];
    let mut listing = Listing::new(columns.into_iter().chain(shares).chain(points.clone()).chain(last));
    for judged in &reviewed.moves {
        let mut row = vec![
            Cell::text(number(reviewed.played, judged.ply)),
            Cell::text(G::SIDE_NAMES[judged.side.index()]),
            Cell::text(&*judged.text).shown(format!("{}{}", judged.text, judged.class.sign())),
            Cell::text(reviewed.values[judged.ply + 1].text::<G>()),
            share(judged.before),
            share(judged.after),
            if judged.loss < 0.005 { share(judged.loss).shown("") } else { share(judged.loss) },
        ];
        if points.is_some() {
            row.push(judged.points_lost.map(|points| Cell::number(points.into())).into());
        }
        row.extend([Cell::text(judged.class.name()), Cell::text(better(reviewed.played, judged, SHOWN))]);
        listing.push(row);
    }
    listing
}

fn share(share: f64) -> Cell {
    // So many digits as the search has, and a file that is the same on every machine.
    Cell::decimal((share * 1e6).round() / 1e6, 4).shown(percent(share))
}

/// What the words and figures mean.
pub fn notes<G: Notation>() -> Vec<String> {
    let [first, _] = G::SIDE_NAMES;
    let value = match G::counts(&G::start()) {
        Some(_) => format!("value: {} for {first}; whole numbers are exact", G::SCORE_UNIT),
        None => format!("value: {} for {first}; #3 is a win in three moves, #-3 a loss", G::SCORE_UNIT),
    };
    vec![
        "before, after: the score that the player can expect, 100 % for a win".to_owned(),
        "an inaccuracy loses 5 percentage points of it, a mistake 10, a blunder 20".to_owned(),
        value,
    ]
}

/// A game as one JSON object.
pub fn json<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>) -> Json {
    let played = reviewed.played;
    let sides = Side::BOTH.map(|side| {
        let Account { moves, accuracy, mean_loss, mistakes } = reviewed.accounts[side.index()];
        let [blunders, mistakes, inaccuracies] = mistakes;
        let rounded = |figure: Option<f64>| figure.map(|figure| (figure * 1e6).round() / 1e6);
        json!({
            "side": G::SIDE_NAMES[side.index()], "player": played.players[side.index()], "moves": moves,
            "accuracy": rounded(accuracy), "mean_loss": rounded(mean_loss),
            "blunders": blunders, "mistakes": mistakes, "inaccuracies": inaccuracies,
        })
    });
    json!({
        "game": G::NAME,
        "result": played.result,
        "start": played.history.positions().first().map(G::format_position),
        "sides": sides,
        "turning_point": reviewed.turning.map(|place| named(reviewed, &reviewed.moves[place])),
        "moves": data::json(&moves(reviewed)),
    })
}

/// The result of a game in a sentence.
pub fn headline<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>) -> String {
    let found = |side: Side| {
        let account = &reviewed.accounts[side.index()];
        let accuracy = account.accuracy.map_or_else(|| "no moves".to_owned(), |accuracy| format!("{accuracy:.1}"));
        format!("{} {accuracy}", reviewed.played.name(side))
    };
    let worst = reviewed.moves.iter().map(|judged| judged.class).max().unwrap_or(Class::Good);
    let worst =
        if worst == Class::Good { "no mistake".to_owned() } else { format!("the worst move is a {}", worst.name()) };
    format!("accuracy: {}, {}; {worst}", found(Side::White), found(Side::Black))
        .replace("a inaccuracy", "an inaccuracy")
}

/// The turning point of a game, without the name of the player: names may be long, and the move tells the side.
pub fn turning_point<G: Inputs + Notation>(reviewed: &Reviewed<'_, G>) -> Option<String> {
    let judged = &reviewed.moves[reviewed.turning?];
    let (before, after) = (percent(judged.before), percent(judged.after));
    Some(format!("turning point: {}, {before} before, {after} after", named(reviewed, judged)))
}
