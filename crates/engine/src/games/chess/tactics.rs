// SPDX-License-Identifier: GPL-3.0-or-later
//! What the full search knows of chess.

use shakmaty::{Color, Position as _, Role};

use super::exchange::{self, value};
use super::{Chess, Move, Position};
use crate::base::Score;
use crate::game::Tactics;

impl Tactics for Chess {
    /// Where from, where to (of castling, the rook's square) and the piece promoted to.
    #[inline]
    fn pack(mv: Move) -> u16 {
        let from = mv.from().map_or(0, u16::from);
        let promotion = mv.promotion().map_or(0, |role| role as u16);
        from | u16::from(mv.to()) << 6 | promotion << 12
    }

    #[inline]
    fn is_noisy(_position: &Position, mv: Move) -> bool {
        mv.is_capture() || mv.promotion() == Some(Role::Queen)
    }

    #[inline]
    fn gain(_position: &Position, mv: Move) -> Score {
        let promoted = mv.promotion().map_or(0, |role| value(role) - value(Role::Pawn));
        mv.capture().map_or(0, value) + promoted - mv.role() as Score
    }

    #[inline]
    fn exchange(position: &Position, mv: Move, threshold: Score) -> bool {
        exchange::reaches(position, mv, threshold)
    }

    /// Not in check, and not with pawns alone, where having to move is often what loses.
    fn pass(position: &Position) -> Option<Position> {
        let pieces = position.our(Role::Pawn) | position.our(Role::King);
        if position.is_check() || pieces == position.us() {
            return None;
        }
        position.clone().swap_turn().ok()
    }

    /// Fewer than three pieces besides king and pawns (Heinz 1999).
    fn has_few_pieces(position: &Position) -> bool {
        let board = position.board();
        let pieces = board.occupied() & !(board.pawns() | board.kings());
        Color::ALL.iter().any(|&color| (pieces & board.by_color(color)).count() < 3)
    }

    #[inline]
    fn is_calm(_position: &Position) -> bool {
        true
    }
}
