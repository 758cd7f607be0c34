// SPDX-License-Identifier: GPL-3.0-or-later
//! What the full search knows of chess.

use shakmaty::{Bitboard, Color, Position as _, Role, Square, attacks};

use super::exchange::{self, value};
use super::{Chess, Move, Position};
use super::{endings, stages};
use crate::base::endings::Endings;
use crate::base::{Outcome, Score};
use crate::game::Tactics;

/// Odd numbers without a pattern, for keys of sets of squares.
const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03];

impl Tactics for Chess {
    #[inline]
    fn fill_noisy(position: &Position, moves: &mut shakmaty::MoveList) {
        stages::fill_noisy(position, moves);
    }

    const STAGED: bool = true;

    fn add_quiet(position: &Position, moves: &mut shakmaty::MoveList) {
        stages::add_quiet(position, moves);
    }

    /// Where from, where to (of castling, the rook's square) and the piece promoted to.
    #[inline]
    fn pack(mv: Move) -> u16 {
        let packed = |from: Square, to: Square| u16::from(from) | u16::from(to) << 6;
        // A search packs all moves of a node, and nearly all are of the first kind.
        match mv {
            Move::Normal { from, to, promotion, .. } => {
                packed(from, to) | promotion.map_or(0, |role| role as u16) << 12
            }
            _ => packed(mv.from().unwrap_or(Square::A1), mv.to()),
        }
    }

    #[inline]
    fn moved(mv: Move) -> u16 {
        (mv.role() as u16 - Role::Pawn as u16) * 64 + u16::from(mv.to())
    }

    /// The pawns, the light pieces, and the heavy pieces with the kings.
    #[inline]
    fn structures(position: &Position) -> impl AsRef<[u64]> {
        let board = position.board();
        let key = |pieces: [Bitboard; 2]| {
            let [white, black] = pieces.map(|pieces| pieces.0);
            white.wrapping_mul(FACTORS[0]) ^ black.wrapping_mul(FACTORS[1]).rotate_left(32)
        };
        let of = |pieces: Bitboard| key([pieces & board.white(), pieces & board.black()]);
        let light = of(board.knights()) ^ of(board.bishops()).rotate_left(16);
        let heavy = of(board.rooks()) ^ of(board.queens()).rotate_left(16) ^ of(board.kings()).rotate_left(48);
        [of(board.pawns()), light, heavy]
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

    fn danger(position: &Position) -> impl Fn(Move) -> Score {
        let occupied = position.board().occupied();
        let them = position.turn().other();
        let by_pawns = attacked(position.their(Role::Pawn), |square| attacks::pawn_attacks(them, square));
        let by_light = by_pawns
            | attacked(position.their(Role::Knight), attacks::knight_attacks)
            | attacked(position.their(Role::Bishop), |square| attacks::bishop_attacks(square, occupied));
        let by_rooks =
            by_light | attacked(position.their(Role::Rook), |square| attacks::rook_attacks(square, occupied));
        // By role, counted from the pawn.
        let dangers = [Bitboard::EMPTY, by_pawns, by_pawns, by_light, by_rooks, Bitboard::EMPTY];
        move |mv| {
            // Kings are in no danger here, and en passant is noisy.
            let Move::Normal { role, from, to, .. } = mv else { return 0 };
            let dangerous = dangers[role as usize - Role::Pawn as usize];
            (Score::from(dangerous.contains(from)) - Score::from(dangerous.contains(to))) * value(role)
        }
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

    fn by_tables(tables: &Endings, position: &Position, earlier: &[u64]) -> Option<(Outcome, shakmaty::MoveList)> {
        endings::moves(tables, position, endings::is_repeated(position, earlier))
    }

    #[inline]
    fn is_calm(_position: &Position) -> bool {
        true
    }
}

/// All squares that pieces on these squares attack.
#[inline]
fn attacked(pieces: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
    pieces.into_iter().map(attacks).fold(Bitboard::EMPTY, |all, attacked| all | attacked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};

    #[test]
    fn a_piece_is_in_danger_where_a_cheaper_one_attacks_it() {
        // Black's pawn attacks a3 and c3, the knight c3, d2 and d6; the rook attacks nothing behind its king.
        let position = Chess::parse_position("4k2r/8/8/8/1p2n3/2N5/4P3/R2QK3 w - - 0 1").unwrap();
        let danger = Chess::danger(&position);
        for (text, expected) in [
            ("c3b5", 325),
            ("c3b1", 325),
            ("a1b1", 0),
            ("a1a3", -500),
            ("d1d2", -975),
            ("d1d6", -975),
            ("d1d8", 0),
            ("d1b3", 0),
            ("e1f1", 0),
            ("e2e3", 0),
        ] {
            let mv = Chess::parse_move(&position, text).unwrap();
            assert_eq!(danger(mv), expected, "{text}");
        }
        // Where the queen stands in the rook's way, a move along it saves nothing.
        let position = Chess::parse_position("4k3/8/8/8/r2Q3N/8/8/4K3 w - - 0 1").unwrap();
        let danger = Chess::danger(&position);
        let of = |text: &str| danger(Chess::parse_move(&position, text).unwrap());
        assert_eq!((of("d4d1"), of("d4b4"), of("h4f3")), (975, 0, 0));
        assert!(Chess::generate(&position).into_iter().all(|mv| mv.role() != Role::King || danger(mv) == 0));
    }
}
