// SPDX-License-Identifier: GPL-3.0-or-later
//! Static exchange: the result of a series of captures on one square.

use shakmaty::{Bitboard, Color, Move, Position as _, Role, Square, attacks};

use super::Position;
use crate::base::Score;

/// The value of a piece in exchanges, in hundredths of a pawn. A king is never captured.
pub(super) const fn value(role: Role) -> Score {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 975,
        Role::King => 10_000,
    }
}

/// Whether the exchange that the move begins gains at least `threshold`. Pins are ignored.
pub(super) fn reaches(position: &Position, mv: Move, threshold: Score) -> bool {
    // Castling and drops exchange nothing.
    let (Some(from), false) = (mv.from(), mv.is_castle()) else { return threshold <= 0 };
    let to = mv.to();
    let board = position.board();
    let promoted = mv.promotion().map_or(0, |role| value(role) - value(Role::Pawn));
    // The balance for the side that has just moved, if the exchange stopped now ...
    let mut balance = mv.capture().map_or(0, value) + promoted - threshold;
    if balance < 0 {
        return false;
    }
    // ... and if the opponent took the piece that moved and everything stopped then.
    balance -= value(mv.promotion().unwrap_or(mv.role()));
    if balance >= 0 {
        return true;
    }
    let mut occupied = board.occupied().without(from).with(to);
    if mv.is_en_passant() {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    let diagonal = board.bishops() | board.queens();
    let straight = board.rooks() | board.queens();
    let mut attackers = attackers(position, to, occupied) & occupied;
    let mut side = position.turn().other();
    // Whether the side that is not to capture now would be content with the balance as it stands.
    loop {
        let own = attackers & board.by_color(side);
        let Some((from, role)) = least_valuable(position, own) else { break };
        if role == Role::King && (attackers & board.by_color(side.other())).any() {
            // It would step into check: the capture is not possible.
            break;
        }
        occupied.discard(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        attackers &= occupied;
        side = side.other();
        // Seen by the side now to capture: what it loses if the exchange ends after it has recaptured.
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
    }
    // The side that cannot capture, or would not gain by it, loses the exchange.
    side != position.turn()
}

/// All pieces, of both sides, that attack the square.
fn attackers(position: &Position, square: Square, occupied: Bitboard) -> Bitboard {
    let board = position.board();
    board.attacks_to(square, Color::White, occupied) | board.attacks_to(square, Color::Black, occupied)
}

/// The least valuable of some pieces, and where it stands.
fn least_valuable(position: &Position, pieces: Bitboard) -> Option<(Square, Role)> {
    Role::ALL.into_iter().find_map(|role| Some(((pieces & position.board().by_role(role)).first()?, role)))
}

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;
