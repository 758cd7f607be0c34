// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network sees of Breakthrough: every one of the 49 blocks of 2x2 squares, and what stands on its
//! four squares. Attack, defence and blockade all happen inside such blocks.

use super::shape::Shape;
use super::{Breakthrough, SIZE};
use crate::base::bits::ones;
use crate::evaluation::network::{Active, Changes, Inputs, MOST_CHANGED};
use crate::game::Side;

/// What may stand on a block, except nothing: an empty block is no input.
const STATES: u32 = 80;

/// What stands on four squares, by the mover's pieces on them (four bits) and the other side's (four more): a number of
/// four ternary digits.
const TERNARY: [u8; 256] = {
    let mut table = [0; 256];
    let mut pieces = 0;
    while pieces < 256 {
        let (mut square, mut weight) = (0, 1);
        while square < 4 {
            if pieces >> square & 1 == 1 {
                table[pieces] += weight;
            } else if pieces >> (square + 4) & 1 == 1 {
                table[pieces] += 2 * weight;
            }
            (square, weight) = (square + 1, weight * 3);
        }
        pieces += 1;
    }
    table
};

/// The state of a block whose left and right squares change places.
const fn mirrored_state(state: u32) -> u32 {
    let (lower, upper) = (state % 9, state / 9);
    (lower % 3 * 3 + lower / 3) + 9 * (upper % 3 * 3 + upper / 3)
}

impl Breakthrough {
    /// Blocks in a row, and in a column.
    const ROW: u32 = SIZE - 1;

    /// The lower left squares of all blocks.
    const CORNERS: u64 = 0x007F_7F7F_7F7F_7F7F;

    /// The pieces as a side sees them: its own, and the other side's, with its goal at the top.
    #[inline]
    fn seen([white, black]: [u64; 2], side: Side) -> [u64; 2] {
        match side {
            Side::White => [white, black],
            Side::Black => [Self.upside_down(black), Self.upside_down(white)],
        }
    }

    /// The input of a block, given its lower left square; none if it is empty.
    #[inline]
    fn input([own, other]: [u64; 2], corner: u32) -> Option<u32> {
        let four = |board: u64| {
            let block = board >> corner & 0x303;
            (block | block >> 6) & 15
        };
        let state = TERNARY[(four(own) | four(other) << 4) as usize];
        let block = corner / 8 * Self::ROW + corner % 8;
        (state > 0).then(|| block * STATES + u32::from(state) - 1)
    }
}

impl Inputs for Breakthrough {
    const INPUTS: usize = (Self::ROW * Self::ROW * STATES) as usize;

    const MIRRORED: bool = true;

    fn mirrored(input: u32) -> u32 {
        let (block, state) = (input / STATES, input % STATES + 1);
        (block / Self::ROW * Self::ROW + (Self::ROW - 1 - block % Self::ROW)) * STATES + mirrored_state(state) - 1
    }

    fn active(boards: &[u64; 2], side: Side) -> Active {
        let seen = Self::seen(*boards, side);
        ones(Self::CORNERS).filter_map(|corner| Self::input(seen, corner)).collect()
    }

    #[inline]
    fn changes(from: &[u64; 2], to: &[u64; 2], changes: &mut [Changes; 2]) -> [bool; 2] {
        Side::BOTH.map(|side| {
            let (from, to) = (Self::seen(*from, side), Self::seen(*to, side));
            let changed = (from[0] ^ to[0]) | (from[1] ^ to[1]);
            // A square belongs to up to four blocks.
            let corners = (changed | changed >> 1 | changed >> 8 | changed >> 9) & Self::CORNERS;
            let known = corners.count_ones() as usize <= MOST_CHANGED;
            let Changes { on, off } = &mut changes[side.index()];
            for corner in ones(if known { corners } else { 0 }) {
                off.extend(Self::input(from, corner));
                on.extend(Self::input(to, corner));
            }
            known
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, Pieces, Symmetry};
    use crate::games::Breakthrough;

    #[test]
    fn a_block_is_told_from_every_other() {
        // One piece on d4 belongs to four blocks; e4 and d5 share two with it.
        let inputs = |fen: &str, side| {
            let mut inputs =
                Breakthrough::active(&Breakthrough::boards(&Breakthrough::parse_position(fen).unwrap()), side).to_vec();
            inputs.sort_unstable();
            inputs
        };
        // c3, d3, c4 and d4 are the lower left squares; d4 is upper right, upper left, lower right and lower left.
        let block = |file: u32, rank: u32| (rank - 1) * Breakthrough::ROW + file;
        let piece = [(2, 3, 27), (3, 3, 9), (2, 4, 3), (3, 4, 1)];
        let expected: Vec<u32> =
            piece.iter().map(|&(file, rank, state)| block(file, rank) * STATES + state - 1).collect();
        assert_eq!(inputs("8/7p/8/8/3P4/8/8/8 w", Side::White)[..4], expected);
        // A black piece on d5 is to Black what a white one on d4 is to White.
        assert_eq!(inputs("8/8/8/3p4/8/8/7P/8 w", Side::Black), inputs("8/7p/8/8/3P4/8/8/8 w", Side::White));
    }

    #[test]
    fn mirrored_inputs_are_those_of_the_mirror_image() {
        for fen in <Breakthrough as crate::games::RegisteredGame>::BENCH {
            let position = Breakthrough::parse_position(fen).unwrap();
            let mirror = Breakthrough::images(&position)[1];
            for side in Side::BOTH {
                let mut images: Vec<u32> = Breakthrough::active(&Breakthrough::boards(&position), side)
                    .iter()
                    .map(|&input| Breakthrough::mirrored(input))
                    .collect();
                let mut inputs = Breakthrough::active(&Breakthrough::boards(&mirror), side).to_vec();
                images.sort_unstable();
                inputs.sort_unstable();
                assert_eq!(images, inputs, "{fen}");
            }
        }
        for input in 0..Breakthrough::INPUTS as u32 {
            assert_eq!(Breakthrough::mirrored(Breakthrough::mirrored(input)), input);
        }
    }
}
