// SPDX-License-Identifier: GPL-3.0-or-later
//! The kings: pawn shelter for the own king, and danger of the other king.
//!
//! Attackers help each other, so danger grows faster than their number. It is counted in units, and every number of
//! units has its own weight. So the evaluation stays linear in its weights, and tuning finds the curve.

use shakmaty::{Bitboard, attacks};

use super::layout::{DANGER, KING_FILE, SAFE_CHECK, SHELTER, STORM};
use super::sink::Sink;
use super::view::{Attacks, BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, View, files};

/// Units of danger for each kind of piece with a safe check.
const CHECK_UNITS: usize = 3;

/// Adds the terms of pawns around the own king.
#[inline]
pub fn shelter<S: Sink>(view: &View, sink: &mut S) {
    let rank = view.king as usize >> 3;
    let file = view.king as usize & 7;
    // Ranks ahead of the king, and its own: a pawn beside it is no shelter, but blocks a file.
    let ahead = Bitboard(u64::MAX << (8 * rank));
    // At the edge the three files are those nearest to it.
    let middle = file.clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let squares = Bitboard(0x0101_0101_0101_0101 << file) & ahead;
        // Pawns never stand on the last rank, so 7 is beyond any of them.
        let distance = |pawns: Bitboard| (pawns & squares).first().map_or(7, |square| (square as usize >> 3) - rank);
        sink.add(SHELTER.at(distance(view.own[PAWN])), 1);
        sink.add(STORM.at(distance(view.their[PAWN])), 1);
    }
    let king = view.own[KING];
    if (king & files(view.own[PAWN])).is_empty() {
        let closed = (king & files(view.their[PAWN])).any();
        sink.add(KING_FILE.at(usize::from(closed)), 1);
    }
}

/// Adds the danger of the other king.
#[inline]
pub fn danger<S: Sink>(view: &View, own: &Attacks, their: &Attacks, sink: &mut S) {
    let defended = their.by[PAWN] | their.by[KNIGHT] | their.by[BISHOP] | their.by[ROOK] | their.by[QUEEN];
    let weak = own.all & !defended & view.ring();
    let mut units = own.danger + weak.count();

    // A check is safe on squares that are not attacked, or attacked only by the king but defended.
    let safe = !view.own_all & !(their.all & !(own.twice & !defended));
    let diagonals = attacks::bishop_attacks(view.their_king, view.occupied);
    let lines = attacks::rook_attacks(view.their_king, view.occupied);
    let from = [attacks::knight_attacks(view.their_king), diagonals, lines, diagonals | lines];
    for (index, squares) in from.into_iter().enumerate() {
        if (squares & own.by[KNIGHT + index] & safe).any() {
            sink.add(SAFE_CHECK.at(index), 1);
            units += CHECK_UNITS;
        }
    }
    sink.add(DANGER.at(units.min(DANGER.count - 1)), 1);
}
