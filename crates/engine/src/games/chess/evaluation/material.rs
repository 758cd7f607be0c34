// SPDX-License-Identifier: GPL-3.0-or-later
//! The count of pieces: the baseline for learners and other evaluations.

use shakmaty::{Color, Position as _};

use super::super::{Chess, Position};
use crate::base::Score;
use crate::evaluation::Evaluation;

/// Pieces only, with the textbook values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl Material {
    /// Pawn, knight, bishop, rook, queen.
    const VALUES: [Score; 5] = [100, 300, 300, 500, 900];
}

impl Evaluation<Chess> for Material {
    type State = ();

    fn start(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _ply: usize, position: &Position) -> Score {
        let board = position.board();
        let pieces = [board.pawns(), board.knights(), board.bishops(), board.rooks(), board.queens()];
        let of = |color: Color| -> Score {
            let own = board.by_color(color);
            pieces.iter().zip(Self::VALUES).map(|(&pieces, value)| (pieces & own).count() as Score * value).sum()
        };
        of(position.turn()) - of(position.turn().other())
    }
}
