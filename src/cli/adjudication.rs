// SPDX-License-Identifier: GPL-3.0-or-later
//! The arguments for when games are ended before their rules end them.

use clap::Args;

use super::count::count;
use halfply_lab::tournament::adjudication::{Adjudication, Draw, Resign};

/// Ends of games by scores and length.
#[derive(Clone, Debug, Args)]
pub struct AdjudicationArgs {
    /// A side loses if both sides report for MOVES moves in a row that it is behind by SCORE or more, in hundredths of a pawn
    #[arg(long, value_name = "SCORE,MOVES", value_parser = numbers::<2>)]
    resign: Option<[u32; 2]>,
    /// A game is drawn if both sides report no more than SCORE for MOVES moves in a row, not before AFTER moves of each
    #[arg(long, value_name = "SCORE,MOVES,AFTER", value_parser = numbers::<3>)]
    draw: Option<[u32; 3]>,
    /// A game is drawn after this many plies, not counting the opening
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    max_plies: Option<u32>,
}

impl AdjudicationArgs {
    /// Sets what was given, and leaves the rest as it is. Whether one or both sides must report a lost game is not an
    /// argument: both, unless `adjudication` says otherwise.
    pub fn set(&self, adjudication: &mut Adjudication) {
        if let Some([score, moves]) = self.resign {
            let two_sided = adjudication.resign.is_none_or(|resign| resign.two_sided);
            adjudication.resign = Some(Resign { score, moves, two_sided });
        }
        if let Some([score, moves, after]) = self.draw {
            adjudication.draw = Some(Draw { score, moves, after });
        }
        adjudication.max_plies = self.max_plies.or(adjudication.max_plies);
    }
}

/// Reads numbers separated by commas.
fn numbers<const N: usize>(text: &str) -> Result<[u32; N], String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| format!("write {N} numbers separated by commas"))
}
