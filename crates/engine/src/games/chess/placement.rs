// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network sees of chess: which piece stands on which square. The board is turned so that the side's own king
//! stands on files e to h; without castling rights, which a network does not see, a position and its mirror image are
//! worth the same.

use super::Chess;
use crate::evaluation::network::Inputs;
use crate::game::Side;

/// Kinds of pieces.
const KINDS: usize = 6;
/// The place of the king among them.
const KING: usize = 5;

impl Inputs for Chess {
    /// As the odds of the Elo scale: 100 ln(10) ^ -1 times 4.
    const LOGIT: f64 = 173.7;

    fn turn(boards: &[u64; 12], side: Side) -> u32 {
        let king = boards[side.index() * KINDS + KING].trailing_zeros();
        let to_other_end = if side == Side::White { 0 } else { 56 };
        let to_other_wing = if king % 8 < 4 { 7 } else { 0 };
        to_other_end | to_other_wing
    }
}
