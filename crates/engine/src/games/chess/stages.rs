// SPDX-License-Identifier: GPL-3.0-or-later
//! Noisy moves and quiet moves, each made alone. `shakmaty` makes all moves and drops those that are not wanted; leaves, where a
//! search spends its time, want noisy moves only, and half of the other nodes never come to their quiet ones.

use shakmaty::{Bitboard, Board, CastlingSide, Color, Move, MoveList, Position as _, Rank, Role, Square, attacks};

use super::{Chess, Position};
use crate::game::Tactics;

/// What a pawn may become. Only to become a queen without a capture is noisy.
const PROMOTIONS: [Option<Role>; 4] = [Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];

/// Adds moves of a position to a list, where the side to move is not in check.
struct Maker<'a> {
    board: &'a Board,
    turn: Color,
    king: Square,
    pinned: Bitboard,
    moves: &'a mut MoveList,
}

impl<'a> Maker<'a> {
    /// None where the side to move is in check.
    fn new(position: &'a Position, moves: &'a mut MoveList) -> Option<Self> {
        let (board, turn) = (position.board(), position.turn());
        let king = board.king_of(turn).filter(|_| !position.is_check())?;
        Some(Self { board, turn, king, pinned: alone_between(position, king, !turn), moves })
    }

    /// Adds a move of a piece or pawn, but of the king, if it is legal.
    #[inline(always)]
    fn add(&mut self, role: Role, from: Square, to: Square, capture: Option<Role>, promotion: Option<Role>) {
        if !self.pinned.contains(from) || attacks::aligned(from, to, self.king) {
            // There is room for all moves of a position.
            let _ = self.moves.try_push(Move::Normal { role, from, capture, to, promotion });
        }
    }

    /// Adds the legal moves of pieces and the king to some squares; castling is none of them.
    #[inline(always)]
    fn add_pieces(&mut self, targets: Bitboard, capture: impl Fn(Square) -> Option<Role>) {
        let (board, turn, king, occupied) = (self.board, self.turn, self.king, self.board.occupied());
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in board.by_color(turn) & board.by_role(role) {
                let to = attacks::attacks(from, role.of(turn), occupied) & targets;
                to.for_each(|to| self.add(role, from, to, capture(to), None));
            }
        }
        for to in attacks::king_attacks(king) & targets {
            if board.attacks_to(to, !turn, occupied).is_empty() {
                self.add(Role::King, king, to, capture(to), None);
            }
        }
    }

    /// The pawns of the side to move, and whether each is about to promote.
    fn pawns(&self) -> impl Iterator<Item = (Square, bool)> + use<> {
        let last = self.turn.fold_wb(Rank::Seventh, Rank::Second);
        (self.board.by_color(self.turn) & self.board.pawns()).into_iter().map(move |from| (from, from.rank() == last))
    }

    /// The free squares before these.
    fn before(&self, squares: Bitboard) -> Bitboard {
        squares.shift(self.turn.fold_wb(8, -8)) & !self.board.occupied()
    }
}

/// Fills an empty list with the legal moves that are [noisy](Tactics::is_noisy), in no particular order.
pub(super) fn fill_noisy(position: &Position, moves: &mut MoveList) {
    if position.maybe_ep_square().is_some() {
        *moves = position.en_passant_moves();
    }
    let Some(mut maker) = Maker::new(position, moves) else {
        *moves = position.legal_moves();
        moves.retain(|mv| Chess::is_noisy(position, *mv));
        return;
    };
    let (board, them) = (position.board(), position.them());
    for (from, promotes) in maker.pawns() {
        let captures = attacks::pawn_attacks(maker.turn, from) & them;
        if promotes {
            for to in captures {
                PROMOTIONS.iter().for_each(|&role| maker.add(Role::Pawn, from, to, board.role_at(to), role));
            }
            maker.before(from.into()).for_each(|to| maker.add(Role::Pawn, from, to, None, Some(Role::Queen)));
        } else {
            captures.for_each(|to| maker.add(Role::Pawn, from, to, board.role_at(to), None));
        }
    }
    maker.add_pieces(them, |to| board.role_at(to));
}

/// Adds the legal moves that are not noisy to a list, in no particular order.
pub(super) fn add_quiet(position: &Position, moves: &mut MoveList) {
    let Some(mut maker) = Maker::new(position, moves) else {
        let legal = position.legal_moves();
        moves.extend(legal.into_iter().filter(|&mv| !Chess::is_noisy(position, mv)));
        return;
    };
    let first = maker.turn.fold_wb(Rank::Second, Rank::Seventh);
    for (from, promotes) in maker.pawns() {
        let step = maker.before(from.into());
        if promotes {
            for to in step {
                PROMOTIONS[1..].iter().for_each(|&role| maker.add(Role::Pawn, from, to, None, role));
            }
        } else {
            let two = if from.rank() == first { maker.before(step) } else { Bitboard::EMPTY };
            (step | two).for_each(|to| maker.add(Role::Pawn, from, to, None, None));
        }
    }
    maker.add_pieces(!position.board().occupied(), |_| None);
    for side in CastlingSide::ALL {
        if position.castles().has(position.turn(), side) {
            moves.extend(position.castling_moves(side));
        }
    }
}

/// The pieces of the side to move that stand alone between a king and a piece of that colour that would attack it: on lines
/// to their own king they are pinned, on lines to the other one they give check by leaving.
pub(super) fn alone_between(position: &Position, king: Square, sliders: Color) -> Bitboard {
    let (board, turn) = (position.board(), position.turn());
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & (board.rooks() | board.queens());
    let diagonal = attacks::bishop_attacks(king, Bitboard::EMPTY) & (board.bishops() | board.queens());
    let mut alone = Bitboard::EMPTY;
    for slider in (straight | diagonal) & board.by_color(sliders) {
        let between = attacks::between(king, slider) & board.occupied();
        if !between.more_than_one() {
            alone |= between & board.by_color(turn);
        }
    }
    alone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chess, random_game};

    #[test]
    fn both_together_are_the_legal_moves() {
        let (mut en_passant, mut promotions, mut pins, mut castling, mut checks) = (0, 0, 0, 0, 0);
        let is_noisy = |mv: &Move| mv.is_capture() || mv.promotion() == Some(Role::Queen);
        for seed in 0..300 {
            for position in random_game::<Chess>(seed).positions() {
                let sorted = |mut moves: MoveList| {
                    moves.sort_by_cached_key(|mv| format!("{mv:?}"));
                    moves
                };
                let legal = position.legal_moves();
                let mut made = MoveList::new();
                fill_noisy(position, &mut made);
                assert!(made.iter().all(is_noisy), "{:?}", position.board());
                let noisy = made.len();
                add_quiet(position, &mut made);
                assert!(!made[noisy..].iter().any(is_noisy), "{:?}", position.board());
                assert_eq!(sorted(made), sorted(legal.clone()), "{:?}", position.board());
                en_passant += legal.iter().filter(|mv| mv.is_en_passant()).count();
                promotions += legal.iter().filter(|mv| mv.is_promotion()).count();
                castling += legal.iter().filter(|mv| mv.is_castle()).count();
                checks += usize::from(position.is_check());
                let king = position.board().king_of(position.turn());
                pins += king.map_or(0, |king| alone_between(position, king, !position.turn()).count());
            }
        }
        let counts = [en_passant, promotions, pins, castling, checks];
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }
}
