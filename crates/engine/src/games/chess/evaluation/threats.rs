// SPDX-License-Identifier: GPL-3.0-or-later
//! Attacks on pieces, and undefended pieces.

use shakmaty::Bitboard;

use super::layout::{HANGING, KING_THREAT, MINOR_THREAT, PAWN_THREAT, PUSH_THREAT, ROOK_THREAT};
use super::sink::Sink;
use super::view::{Attacks, BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, View, sideways, up};

/// Adds the terms of attacks on opposing pieces.
#[inline]
pub fn threats<S: Sink>(view: &View, own: &Attacks, their: &Attacks, sink: &mut S) {
    let mut officers = Bitboard(0);
    for role in [KNIGHT, BISHOP, ROOK, QUEEN] {
        officers |= view.their[role];
        sink.add(PAWN_THREAT.at(role - KNIGHT), (view.their[role] & own.by[PAWN]).count());
    }
    // A piece supported by a pawn is not threatened by a more valuable piece.
    let unsupported = !their.by[PAWN];
    let by_minors = (own.by[KNIGHT] | own.by[BISHOP]) & unsupported;
    let by_rooks = own.by[ROOK] & unsupported;
    for role in [PAWN, KNIGHT, BISHOP, ROOK, QUEEN] {
        sink.add(MINOR_THREAT.at(role), (view.their[role] & by_minors).count());
        sink.add(ROOK_THREAT.at(role), (view.their[role] & by_rooks).count());
    }
    let targets = officers | view.their[PAWN];
    let loose = targets & own.all & !their.all;
    sink.add(KING_THREAT.at(0), (targets & own.by[KING] & unsupported).count());
    sink.add(HANGING.at(0), (loose & view.their[PAWN]).count());
    sink.add(HANGING.at(1), (loose & officers).count());

    let free = !view.occupied;
    let step = up(view.own[PAWN]) & free;
    let two_steps = up(step & Bitboard(0x0000_0000_00FF_0000)) & free;
    let safe = (step | two_steps) & !their.by[PAWN] & (own.all | !their.all);
    sink.add(PUSH_THREAT.at(0), (sideways(up(safe)) & officers & !own.by[PAWN]).count());
}
