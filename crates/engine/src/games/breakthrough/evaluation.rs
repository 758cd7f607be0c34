// SPDX-License-Identifier: GPL-3.0-or-later
//! The three evaluations of the thesis's program (Skowronski 2009, Appendix A.3 and A.4).

use super::board::Position;
use super::shape::Shape;
use super::{Breakthrough, SIZE};
use crate::base::Score;
use crate::evaluation::Evaluation;
use crate::game::Side;

/// The first: the difference of pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceCount;

impl Evaluation<Breakthrough> for PieceCount {
    type State = ();

    fn unit(&self) -> Score {
        1
    }

    fn start(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _ply: usize, position: &Position) -> Score {
        position.own.count_ones() as Score - position.opposing.count_ones() as Score
    }
}

/// The second: every piece moves up the board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Advancement;

impl Evaluation<Breakthrough> for Advancement {
    type State = ();

    /// What the pieces of the starting position are worth on average from half-way up the board.
    fn unit(&self) -> Score {
        4
    }

    fn start(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _ply: usize, position: &Position) -> Score {
        let (us, them) = (position.turn, position.turn.other());
        let rows = &Breakthrough::ADVANCE;
        rows.weigh(position.own, us) - rows.weigh(position.opposing, them)
    }
}

/// The third, used for learning: material, and for every piece that is not attacked a bonus that grows with its row.
/// Material keeps pieces from advancing undefended.
#[derive(Clone, Copy, Debug, Default)]
pub struct SafeAdvancement;

impl SafeAdvancement {
    /// A piece is worth more than any advance, so none is sacrificed for one. The thesis gives the shape of this
    /// evaluation without numbers; these are ours.
    const PIECE: Score = 10;
}

impl Evaluation<Breakthrough> for SafeAdvancement {
    type State = ();

    fn unit(&self) -> Score {
        Self::PIECE
    }

    fn start(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _ply: usize, position: &Position) -> Score {
        let Position { own, opposing, turn: us, .. } = *position;
        let them = us.other();
        let material = Self::PIECE * (own.count_ones() as Score - opposing.count_ones() as Score);
        let safe = own & !Breakthrough.attacks(opposing, them);
        let safe_opposing = opposing & !Breakthrough.attacks(own, us);
        let bonus = &Breakthrough::ADVANCE;
        material + bonus.weigh(safe, us) - bonus.weigh(safe_opposing, them)
    }
}

impl Breakthrough {
    /// One point for each row from the own back row. The last row wins, so its weight has no effect.
    const ADVANCE: Planes<3> = Planes::new([0, 1, 2, 3, 4, 5, 6, 7], SIZE as usize);
}

/// Row weights of up to `BITS` bits, sliced into one mask for each binary digit. The weighted sum over all pieces of a
/// side then takes `BITS` population counts for any number of pieces.
#[derive(Clone, Copy, Debug)]
struct Planes<const BITS: usize> {
    /// By side, then by binary digit: the squares whose weight has that digit.
    masks: [[u64; BITS]; 2],
}

impl<const BITS: usize> Planes<BITS> {
    /// Weights by row, the own back row first, for a board of so many rows.
    const fn new(weights: [u32; 8], rows: usize) -> Self {
        let mut masks = [[0; BITS]; 2];
        let mut row = 0;
        while row < rows {
            assert!(weights[row] < 1 << BITS, "a weight needs more bits");
            let mut bit = 0;
            while bit < BITS {
                if weights[row] >> bit & 1 == 1 {
                    masks[0][bit] |= 0xFF << (8 * row);
                    masks[1][bit] |= 0xFF << (8 * (rows - 1 - row));
                }
                bit += 1;
            }
            row += 1;
        }
        Self { masks }
    }

    /// The sum of the weights of a side's pieces.
    #[inline]
    fn weigh(&self, pieces: u64, side: Side) -> Score {
        let mut sum = 0;
        for (bit, mask) in self.masks[side.index()].iter().enumerate() {
            sum += ((pieces & mask).count_ones() << bit) as Score;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::Breakthrough;
    use super::*;
    use crate::game::{Notation, Symmetry};

    fn value<E: Evaluation<Breakthrough> + Default>(fen: &str) -> Score {
        let position = Breakthrough::parse_position(fen).unwrap();
        let value = E::default().judge(&position);
        for image in Breakthrough::images(&position) {
            assert_eq!(E::default().judge(&image), value, "an evaluation favours a side or a wing");
        }
        value
    }

    #[test]
    fn the_evaluations_count_what_they_say() {
        // White: c6 (row 5, attacked from b7) and g3 (row 2). Black: b7 (row 1, attacked from c6), h4 (row 4, attacked).
        let board = "8/1p6/2P5/8/7p/6P1/8/8";
        assert_eq!(value::<PieceCount>(&format!("{board} w")), 0);
        assert_eq!(value::<Advancement>(&format!("{board} w")), (5 + 2) - (1 + 4));
        // g3 and h4 attack each other, and so does the other pair: no piece is safe.
        assert_eq!(value::<SafeAdvancement>(&format!("{board} w")), 0);
        // Now h4 has gone and g3 is safe on row 2, worth 2, and a piece up is worth 10.
        let board = "8/1p6/2P5/8/8/6P1/8/8";
        assert_eq!(value::<SafeAdvancement>(&format!("{board} w")), 10 + 2);
        assert_eq!(value::<SafeAdvancement>(&format!("{board} b")), -10 - 2);
        assert_eq!(value::<PieceCount>(&format!("{board} b")), -1);
    }
}
