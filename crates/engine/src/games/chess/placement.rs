// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network sees of chess: which piece stands on which square. The board is turned so that the side's own king
//! stands on files e to h; without castling rights, which a network does not see, a position and its mirror image are
//! worth the same. What a piece is worth depends on where the own king stands, so there are four sets of inputs.

use super::Chess;
use crate::evaluation::network::{Inputs, Perspective};
use crate::game::Side;

/// Kinds of pieces.
const KINDS: usize = 6;
/// The place of the king among them.
const KING: usize = 5;

impl Inputs for Chess {
    const SETS: usize = 4;

    /// As the odds of the Elo scale: 100 ln(10) ^ -1 times 4.
    const LOGIT: f64 = 173.7;

    fn perspective(boards: &[u64; 12], side: Side) -> Perspective {
        let king = boards[side.index() * KINDS + KING].trailing_zeros();
        let to_other_end = if side == Side::White { 0 } else { 56 };
        let to_other_wing = if king % 8 < 4 { 7 } else { 0 };
        let turn = to_other_end | to_other_wing;
        let set = match king ^ turn {
            // Behind the pawns of its wing, on g1 or h1; in the middle of the first row; on the second row; beyond.
            6..8 => 0,
            ..6 => 1,
            8..16 => 2,
            16.. => 3,
        };
        Perspective { turn, set }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, Pieces};

    #[test]
    fn the_own_king_decides_which_inputs_a_side_sees() {
        let seen = |fen: &str| {
            let boards = Chess::boards(&Chess::parse_position(fen).unwrap());
            Side::BOTH.map(|side| Chess::perspective(&boards, side).set)
        };
        for (fen, sets) in [
            ("6k1/8/8/8/8/8/8/4K3 w - - 0 1", [1, 0]),
            ("2k5/8/8/8/8/8/8/1K6 w - - 0 1", [0, 1]),
            ("8/k7/8/8/8/8/7K/8 w - - 0 1", [2, 2]),
            ("8/8/k7/8/8/8/8/3K4 b - - 0 1", [1, 3]),
            ("3K4/8/8/8/8/8/8/7k b - - 0 1", [3, 3]),
        ] {
            assert_eq!(seen(fen), sets, "{fen}");
        }
        assert_eq!(
            Chess::perspective(&[0; 12], Side::Black).set,
            3,
            "boards without a king are no position, but no panic"
        );
    }
}
