// SPDX-License-Identifier: GPL-3.0-or-later
//! The result of a tournament as tables.

use std::borrow::Cow;

use anyhow::Result;

use crate::base::figures::{percent, thousands};
use crate::cli::output::{WidthArg, print};
use crate::report::{Cell, Column, Listing, terminal};
use crate::tournament::scoreboard::{Performance, Scoreboard};
use crate::tournament::statistics::{Decision, Elo, Figures, Sprt, SprtFigures, Tally};

/// Prints a tournament: a line for each player with its description, then tables.
pub fn print_all(
    board: &Scoreboard,
    of: u64,
    sprt: Option<&Sprt>,
    descriptions: &[String],
    width: WidthArg,
) -> Result<()> {
    for (player, description) in board.players().iter().zip(descriptions) {
        print(format_args!("{}: {description}", player.name))?;
    }
    print("")?;
    match board.players() {
        [first, second] => print_match(first, second, of, sprt)?,
        _ => {
            print_standings(board, of, width)?;
            print_crosstable(board, width)?;
        }
    }
    print_faults(board)
}

/// The results of one player against another.
fn print_match(first: &Performance, second: &Performance, of: u64, sprt: Option<&Sprt>) -> Result<()> {
    let title = format!("{} against {}", first.name, second.name);
    let mut listing = figures(title, &first.figures(sprt), of);
    for player in [first, second].into_iter().filter(|player| player.extended > 0) {
        let name = format!("frequency of {}'s extended moves", player.name);
        listing.push([name.into(), Cell::share(player.frequency())]);
    }
    print(terminal::markdown(&listing))
}

/// Figures as a table, one in each row; `of` is the number of games that are planned.
pub fn figures(title: impl Into<Cow<'static, str>>, figures: &Figures, of: u64) -> Listing {
    let Figures { games, score, margin, .. } = *figures;
    let mut listing = Listing::new([Column::words(title), Column::figures("")]);
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
        row("SPRT", test(sprt));
    }
    listing
}

fn interval(Elo { low, difference, high }: Elo) -> String {
    format!("{difference:+.1} [{low:+.1}, {high:+.1}]")
}

/// A sequential test in one line.
pub fn test(sprt: &SprtFigures) -> String {
    let verdict = match sprt.decision {
        Some(Decision::H1) => ", passed",
        Some(Decision::H0) => ", failed",
        None => ", undecided",
    };
    format!(
        "LLR {:.2} [{:.2}, {:.2}] for {} Elo of {} against {}{verdict}",
        sprt.llr,
        sprt.lower,
        sprt.upper,
        sprt.model.name(),
        sprt.elo1,
        sprt.elo0
    )
}

fn print_standings(board: &Scoreboard, of: u64, width: WidthArg) -> Result<()> {
    let mut listing = Listing::new([
        Column::words("player"),
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
    print(width.fit(&listing))?;
    let games = board.games();
    if games < of { print(format_args!("{} of {} games", thousands(games), thousands(of))) } else { Ok(()) }
}

/// Prints the scores of rows against columns, in percent.
fn print_crosstable(board: &Scoreboard, width: WidthArg) -> Result<()> {
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
        listing = Listing::new([Column::words("player"), Column::figures(format!("% against {}", name(hub)))]);
        for &one in ranking.iter().filter(|&&one| one != hub) {
            listing.push([name(one).into(), against(one, hub)]);
        }
    } else {
        let mut columns = vec![Column::figures("rank"), Column::words("% against")];
        // Columns of the lowest players are left out first.
        let ranks = (0..ranking.len()).map(|place| u8::try_from(place).unwrap_or(u8::MAX));
        columns.extend(ranks.enumerate().map(|(place, rank)| Column::figures(number(place)).rank(rank)));
        listing = Listing::new(columns);
        for (place, &one) in ranking.iter().enumerate() {
            let scores = ranking.iter().map(|&other| against(one, other));
            listing.push([Cell::text(number(place)), name(one).into()].into_iter().chain(scores));
        }
    }
    print(format_args!("\n{}", width.fit(&listing)))
}

fn print_faults(board: &Scoreboard) -> Result<()> {
    for player in board.players() {
        for (kind, count) in &player.faults {
            let games = if *count == 1 { "game" } else { "games" };
            print(format_args!("{}: {count} {games} lost by {kind}", player.name))?;
        }
    }
    Ok(())
}
