// SPDX-License-Identifier: GPL-3.0-or-later
//! The result of a tournament as listings, for terminals and for pages.

use std::borrow::Cow;

use super::record::GameRecord;
use super::scoreboard::{Performance, Scoreboard};
use super::statistics::{Decision, Elo, Figures, Sprt, SprtFigures, Tally};
use crate::report::{Cell, Column, Listing};
use halfply_engine::base::figures::{percent, thousands};

/// The results of one player against another; `of` is the number of games that are planned.
pub fn duel(first: &Performance, second: &Performance, of: u64, sprt: Option<&Sprt>) -> Listing {
    let title = format!("{} against {}", first.name, second.name);
    let mut listing = figures(title, &first.figures(sprt), of);
    for player in [first, second].into_iter().filter(|player| player.extended > 0) {
        let name = format!("extended moves of {}", player.name);
        listing.push([name.into(), Cell::share(player.frequency())]);
    }
    listing
}

/// Figures as a table, one in each row; `of` is the number of games that are planned.
pub fn figures(title: impl Into<Cow<'static, str>>, figures: &Figures, of: u64) -> Listing {
    let Figures { games, score, margin, .. } = *figures;
    let mut listing = Listing::new([Column::prose(title), Column::figures("")]);
    let mut row = |name: &str, text: String| listing.push([name.to_owned(), text]);
    row("games", if of > games { format!("{} of {}", thousands(games), thousands(of)) } else { thousands(games) });
    if let Some(Tally { wins, draws, losses }) = figures.tally {
        row("wins, draws, losses", format!("{wins}, {draws}, {losses}"));
    }
    row("score", format!("{} ± {}", percent(score), percent(margin)));
    row("Elo", interval(figures.elo));
    if let Some(elo) = figures.normalized_elo {
        row("normalized Elo", interval(elo));
    }
    row("likelihood of superiority", percent(figures.los));
    if let Some(pairs) = figures.pentanomial {
        row("pairs with 0, ½, 1, 1½, 2 points", pairs.map(|pairs| pairs.to_string()).join(", "));
    }
    if let Some(sprt) = &figures.sprt {
        let SprtFigures { llr, lower, upper, elo0, elo1, model, .. } = sprt;
        row(&format!("SPRT: {} Elo {elo1} against {elo0}", model.name()), verdict(sprt).to_owned());
        row("log-likelihood ratio", format!("{llr:.2} [{lower:.2}, {upper:.2}]"));
    }
    listing
}

/// A difference in Elo with its interval.
pub fn interval(Elo { low, difference, high }: Elo) -> String {
    format!("{difference:+.1} [{low:+.1}, {high:+.1}]")
}

/// A sequential test in one line.
pub fn test(sprt: &SprtFigures) -> String {
    let SprtFigures { llr, lower, upper, elo0, elo1, model, .. } = sprt;
    let model = model.name();
    let verdict = verdict(sprt);
    format!("LLR {llr:.2} [{lower:.2}, {upper:.2}] for {model} Elo of {elo1} against {elo0}, {verdict}")
}

fn verdict(sprt: &SprtFigures) -> &'static str {
    match sprt.decision {
        Some(Decision::H1) => "passed",
        Some(Decision::H0) => "failed",
        None => "undecided",
    }
}

/// A row for each player, the best first.
pub fn standings(board: &Scoreboard) -> Listing {
    let mut listing = Listing::new([
        Column::prose("player"),
        Column::figures("games"),
        Column::figures("W-D-L").rank(1),
        Column::figures("score"),
        Column::figures("Elo"),
        Column::figures("LOS").rank(2),
        Column::figures("extended").rank(3),
    ]);
    for player in board.ranking().into_iter().map(|player| &board.players()[player]) {
        let Tally { wins, draws, losses } = player.tally;
        let Figures { games, score, margin, elo, los, .. } = player.figures(None);
        listing.push([
            player.name.as_str().into(),
            Cell::count(games),
            format!("{wins}-{draws}-{losses}").into(),
            Cell::share(score).shown(format!("{} ± {}", percent(score), percent(margin))),
            Cell::decimal(elo.difference, 1).shown(interval(elo)),
            Cell::share(los),
            (player.extended > 0).then(|| Cell::share(player.frequency())).into(),
        ]);
    }
    listing
}

/// The scores of rows against columns, in percent.
pub fn crosstable(board: &Scoreboard) -> Listing {
    let ranking = board.ranking();
    let number = |place: usize| (place + 1).to_string();
    let name = |player: usize| board.players()[player].name.as_str();
    let against = |one: usize, other: usize| -> Cell {
        if one == other {
            return "·".into();
        }
        let figures = board.meeting(one, other).map(|(tally, pairs)| {
            let figures = Figures::of(tally, (pairs.pairs() > 0).then_some(&pairs), None);
            let text = format!("{:.1} ± {:.1}", 100.0 * figures.score, 100.0 * figures.margin);
            Cell::share(figures.score).shown(text)
        });
        figures.into()
    };
    let mut listing;
    if let Some(hub) = board.hub() {
        // The rest of a gauntlet's crosstable is empty.
        listing = Listing::new([Column::prose("player"), Column::figures(format!("% against {}", name(hub)))]);
        for &one in ranking.iter().filter(|&&one| one != hub) {
            listing.push([name(one).into(), against(one, hub)]);
        }
    } else {
        let mut columns = vec![Column::figures("rank"), Column::prose("% against")];
        // Columns of the lowest players are left out first.
        let ranks = (0..ranking.len()).map(|place| u8::try_from(place).unwrap_or(u8::MAX));
        columns.extend(ranks.enumerate().map(|(place, rank)| Column::figures(number(place)).rank(rank)));
        listing = Listing::new(columns);
        for (place, &one) in ranking.iter().enumerate() {
            let scores = ranking.iter().map(|&other| against(one, other));
            listing.push([Cell::text(number(place)), name(one).into()].into_iter().chain(scores));
        }
    }
    listing
}

/// The games that were lost by faults, a line for each player and kind of fault.
pub fn faults(board: &Scoreboard) -> Vec<String> {
    let of_player = |player: &Performance| {
        let line = |(kind, count): (_, &u64)| {
            let games = if *count == 1 { "game" } else { "games" };
            format!("{}: {count} {games} lost by {kind}", player.name)
        };
        player.faults.iter().map(line).collect::<Vec<_>>()
    };
    board.players().iter().flat_map(of_player).collect()
}

/// The games, numbered from 1. `sides` are the names of the first and the second player.
pub fn games<'a>(games: impl IntoIterator<Item = &'a GameRecord>, sides: [&'static str; 2]) -> Listing {
    let mut listing = Listing::new([
        Column::figures("game"),
        Column::words(sides[0]),
        Column::words(sides[1]),
        Column::words("result"),
        Column::figures("plies"),
        Column::words("end"),
    ]);
    for (place, game) in games.into_iter().enumerate() {
        let [first, second] = &game.players;
        listing.push([
            Cell::count(place as u64 + 1),
            first.as_str().into(),
            second.as_str().into(),
            game.result().into(),
            Cell::count(game.plies() as u64),
            game.ending().into(),
        ]);
    }
    listing
}
