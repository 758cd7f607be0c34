// SPDX-License-Identifier: GPL-3.0-or-later
//! Which moves give check. A search asks it of many moves of a position, so what they have in common is computed once.

use shakmaty::{Bitboard, Move, Position as _, Role, Square, attacks};

use super::Position;
use super::stages::alone_between;

/// Whether a legal move of the position gives check.
pub(super) fn checks(position: &Position) -> impl Fn(Move) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let occupied = board.occupied();
    // Two kings stand on every board.
    let king = board.king_of(!turn).unwrap_or(Square::A1);
    let (diagonal, straight) = (attacks::bishop_attacks(king, occupied), attacks::rook_attacks(king, occupied));
    // From where each kind of piece attacks the king, counted from the pawn. No piece stands in its own way: on an open line
    // to the king it would attack the king already.
    let attacking = [
        attacks::pawn_attacks(!turn, king),
        attacks::knight_attacks(king),
        diagonal,
        straight,
        diagonal | straight,
        Bitboard::EMPTY,
    ];
    let in_the_way = alone_between(position, king, turn);
    move |mv| match mv {
        Move::Normal { role, from, to, promotion: None, .. } => {
            attacking[role as usize - Role::Pawn as usize].contains(to)
                || in_the_way.contains(from) && !attacks::aligned(from, to, king)
        }
        // A pawn that is promoted may attack through where it stood, castling moves two pieces, and en passant captures
        // on another square.
        _ => {
            let mut next = position.clone();
            next.play_unchecked(mv);
            next.is_check()
        }
    }
}
