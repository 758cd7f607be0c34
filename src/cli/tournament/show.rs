// SPDX-License-Identifier: GPL-3.0-or-later
//! The result of a tournament as tables.

use anyhow::Result;

use crate::cli::output::{WidthArg, print};
use halfply_engine::base::figures::thousands;
use halfply_lab::tournament::listing;
use halfply_lab::tournament::scoreboard::Scoreboard;
use halfply_lab::tournament::statistics::Sprt;

/// Prints a line for each player, of its name and its description, and an empty one.
pub fn print_players<'a>(players: impl Iterator<Item = (&'a str, String)>) -> Result<()> {
    for (name, description) in players {
        print(format_args!("{name}: {description}"))?;
    }
    print("")
}

/// The results of a tournament as tables.
pub fn results(board: &Scoreboard, of: u64, sprt: Option<&Sprt>, width: WidthArg) -> Vec<String> {
    let mut lines = Vec::new();
    match board.players() {
        [first, second] => lines.push(width.fit(&listing::duel(first, second, of, sprt))),
        _ => {
            lines.push(width.fit(&listing::standings(board)));
            let games = board.games();
            if games < of {
                lines.push(format!("{} of {} games", thousands(games), thousands(of)));
            }
            lines.push(format!("\n{}", width.fit(&listing::crosstable(board))));
        }
    }
    lines.extend(listing::faults(board));
    lines
}
