// SPDX-License-Identifier: GPL-3.0-or-later
//! What the full search knows of chess.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Position as _, Role};

use super::endings;
use super::exchange::{self, value};
use super::{Chess, Move, Position};
use crate::base::endings::Endings;
use crate::base::{Outcome, Score};
use crate::game::Tactics;

/// Odd numbers without a pattern, for keys of sets of squares.
const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03];

impl Tactics for Chess {
    /// Where from, where to (of castling, the rook's square) and the piece promoted to.
    #[inline]
    fn pack(mv: Move) -> u16 {
        let from = mv.from().map_or(0, u16::from);
        let promotion = mv.promotion().map_or(0, |role| role as u16);
        from | u16::from(mv.to()) << 6 | promotion << 12
    }

    #[inline]
    fn moved(mv: Move) -> u16 {
        (mv.role() as u16 - Role::Pawn as u16) * 64 + u16::from(mv.to())
    }

    /// The pawns, the light pieces, and the heavy pieces with the kings.
    #[inline]
    fn structures(position: &Position) -> ArrayVec<u64, 4> {
        let board = position.board();
        let key = |pieces: [Bitboard; 2]| {
            let [white, black] = pieces.map(|pieces| pieces.0);
            white.wrapping_mul(FACTORS[0]) ^ black.wrapping_mul(FACTORS[1]).rotate_left(32)
        };
        let of = |pieces: Bitboard| key([pieces & board.white(), pieces & board.black()]);
        let light = of(board.knights()) ^ of(board.bishops()).rotate_left(16);
        let heavy = of(board.rooks()) ^ of(board.queens()).rotate_left(16) ^ of(board.kings()).rotate_left(48);
        ArrayVec::from_iter([of(board.pawns()), light, heavy])
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

    fn turned(position: &Position) -> Option<Position> {
        position.clone().swap_turn().ok()
    }

    /// Not in check, and not with pawns alone, where having to move is often what loses.
    fn pass(position: &Position) -> Option<Position> {
        let pieces = position.our(Role::Pawn) | position.our(Role::King);
        if position.is_check() || pieces == position.us() { None } else { Self::turned(position) }
    }

    /// Fewer than three pieces besides king and pawns (Heinz 1999).
    fn has_few_pieces(position: &Position) -> bool {
        let board = position.board();
        let pieces = board.occupied() & !(board.pawns() | board.kings());
        Color::ALL.iter().any(|&color| (pieces & board.by_color(color)).count() < 3)
    }

    const ENDINGS: bool = true;

    #[inline]
    fn in_tables(tables: &Endings, position: &Position) -> Option<Outcome> {
        endings::outcome(tables, position)
    }

    fn by_tables(tables: &Endings, position: &Position, is_repeated: bool) -> Option<(Outcome, shakmaty::MoveList)> {
        endings::moves(tables, position, is_repeated)
    }

    #[inline]
    fn is_calm(_position: &Position) -> bool {
        true
    }
}
