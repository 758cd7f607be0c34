// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply perft`: counts lines, to check the rules against other programs.

use anyhow::Result;
use clap::Args;

use super::count::count;
use super::output::print;
use super::{GameArg, Verdict, position_of};
use halfply_engine::game::{after, legal_moves, perft};
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;

/// Count the lines of a position, depth by depth
#[derive(Debug, Args)]
pub struct Command {
    /// Count to this many plies
    #[arg(value_parser = count::<u32>(1..=20))]
    depth: u32,
    /// The position [default: the start of the game]
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    fen: Option<String>,
    /// Count the lines of each move at the full depth instead
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: RegisteredGame>(command: &Command) -> Result<Verdict> {
    let position = position_of::<G>(command.fen.as_ref())?;
    if command.divide {
        let mut total = 0;
        for &mv in legal_moves::<G>(&position).iter() {
            let count = perft::<G>(&after::<G>(&position, mv), command.depth - 1);
            print(format_args!("{}: {count}", G::format_move(&position, mv)))?;
            total += count;
        }
        print(total)?;
    } else {
        for depth in 1..=command.depth {
            print(perft::<G>(&position, depth))?;
        }
    }
    Ok(Verdict::Good)
}
