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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::{Chess, random_game};

    #[test]
    fn checks_are_the_moves_behind_which_the_king_is_attacked() {
        // Checks in all, and those of pawns that are promoted, of castling and of captures en passant.
        let mut counts = [0; 4];
        let mut compare = |position: &Position| {
            let checks = checks(position);
            for mv in position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(mv);
                assert_eq!(checks(mv), next.is_check(), "{mv:?} in {:?}", position.board());
                let kinds = [true, mv.is_promotion(), mv.is_castle(), mv.is_en_passant()];
                let of_these = counts.iter_mut().zip(kinds).filter(|(_, is)| *is && next.is_check());
                of_these.for_each(|(count, _)| *count += 1);
            }
        };
        compare(&Chess::parse_position("5k2/8/8/8/8/8/8/4K2R w K - 0 1").unwrap());
        (0..150).for_each(|seed| random_game::<Chess>(seed).positions().iter().for_each(&mut compare));
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}
