// SPDX-License-Identifier: GPL-3.0-or-later
//! The result of a tournament as tables.

use anyhow::Result;

use crate::cli::output::{WidthArg, print};
use halfply_engine::base::figures::thousands;
use halfply_lab::report::terminal;
use halfply_lab::tournament::listing;
use halfply_lab::tournament::scoreboard::Scoreboard;
use halfply_lab::tournament::statistics::Sprt;

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
        [first, second] => print(terminal::markdown(&listing::duel(first, second, of, sprt)))?,
        _ => {
            print(width.fit(&listing::standings(board)))?;
            let games = board.games();
            if games < of {
                print(format_args!("{} of {} games", thousands(games), thousands(of)))?;
            }
            print(format_args!("\n{}", width.fit(&listing::crosstable(board))))?;
        }
    }
    listing::faults(board).iter().try_for_each(print)
}
