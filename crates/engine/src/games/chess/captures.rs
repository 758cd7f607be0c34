// SPDX-License-Identifier: GPL-3.0-or-later
//! Captures and promotions to a queen. `shakmaty` makes all moves and drops those that are not wanted; leaves are where a
//! search spends its time, so here they are made alone.

use shakmaty::{Bitboard, Color, Move, MoveList, Position as _, Rank, Role, Square, attacks};

use super::{Chess, Position};
use crate::game::Tactics;

/// What a capturing pawn may become.
const PROMOTIONS: [Option<Role>; 4] = [Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];

/// Fills an empty list with the legal moves that are [noisy](Tactics::is_noisy), in no particular order.
pub(super) fn fill(position: &Position, moves: &mut MoveList) {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(turn) else { return };
    if position.is_check() {
        *moves = position.legal_moves();
        moves.retain(|mv| Chess::is_noisy(position, *mv));
        return;
    }
    if position.maybe_ep_square().is_some() {
        *moves = position.en_passant_moves();
    }
    let (occupied, own, them) = (board.occupied(), board.by_color(turn), board.by_color(!turn));
    let pinned = alone_between(position, king, !turn);
    let mut add = |role: Role, from: Square, to: Square, promotion: Option<Role>| {
        if !pinned.contains(from) || attacks::aligned(from, to, king) {
            let _ = moves.try_push(Move::Normal { role, from, capture: board.role_at(to), to, promotion });
        }
    };
    for from in own & board.pawns() {
        let captures = attacks::pawn_attacks(turn, from) & them;
        if from.rank() == turn.fold_wb(Rank::Seventh, Rank::Second) {
            captures.for_each(|to| PROMOTIONS.iter().for_each(|&promotion| add(Role::Pawn, from, to, promotion)));
            let advance = Bitboard::from(from).shift(turn.fold_wb(8, -8)) & !occupied;
            advance.for_each(|to| add(Role::Pawn, from, to, Some(Role::Queen)));
        } else {
            captures.for_each(|to| add(Role::Pawn, from, to, None));
        }
    }
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in own & board.by_role(role) {
            let captures = attacks::attacks(from, role.of(turn), occupied) & them;
            captures.for_each(|to| add(role, from, to, None));
        }
    }
    for to in attacks::king_attacks(king) & them {
        if board.attacks_to(to, !turn, occupied).is_empty() {
            add(Role::King, king, to, None);
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
    fn they_are_the_legal_moves_of_their_kind() {
        let (mut en_passant, mut promotions, mut pins) = (0, 0, 0);
        for seed in 0..300 {
            for position in random_game::<Chess>(seed).positions() {
                let mut legal = position.legal_moves();
                legal.retain(|mv| mv.is_capture() || mv.promotion() == Some(Role::Queen));
                let mut made = MoveList::new();
                fill(position, &mut made);
                let order = |mv: &Move| format!("{mv:?}");
                legal.sort_by_key(order);
                made.sort_by_key(order);
                assert_eq!(made, legal, "{:?}", position.board());
                en_passant += legal.iter().filter(|mv| mv.is_en_passant()).count();
                promotions += legal.iter().filter(|mv| mv.is_promotion()).count();
                let king = position.board().king_of(position.turn());
                pins += king.map_or(0, |king| alone_between(position, king, !position.turn()).count());
            }
        }
        assert!(en_passant.min(promotions).min(pins) > 20, "{en_passant} {promotions} {pins}");
    }
}
