// SPDX-License-Identifier: GPL-3.0-or-later
//! What the full search knows of Othello.

use super::board::Position;
use super::{Move, Othello, endgame};
use crate::game::{Proof, Tactics};

/// With so many empty squares or fewer the full search asks the exact solver, which then takes less than a millisecond.
const SOLVED: u32 = 8;

/// Below so many empty squares a single move may decide the game, and margins say little.
const LATE: u32 = 14;

/// No disc ever leaves the board, so no move is noisy. Having to move is what loses, so nobody passes for a search.
impl Tactics for Othello {
    #[inline]
    fn pack(mv: Move) -> u16 {
        1 + mv.index()
    }

    /// The last few squares are played perfectly. The game lasts about as many plies as there are empty squares.
    #[inline]
    fn proved(position: &Position) -> Option<Proof> {
        let empty = position.empty().count_ones();
        (empty <= SOLVED).then(|| Proof { outcome: endgame::last_squares(position), plies: empty as usize })
    }

    fn turned(position: &Position) -> Option<Position> {
        Some(Position { own: position.opposing, opposing: position.own, turn: position.turn.other(), ..*position })
    }

    fn is_calm(position: &Position) -> bool {
        position.empty().count_ones() >= LATE
    }
}
