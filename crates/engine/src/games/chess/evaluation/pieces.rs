// SPDX-License-Identifier: GPL-3.0-or-later
//! Knights, bishops, rooks and queens: squares, mobility, and attacks on the other king.

use shakmaty::{Bitboard, Square, attacks};

use super::layout::{
    BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_PAWNS, KNIGHT_MOBILITY, MATERIAL, OUTPOST, QUEEN_MOBILITY, RING_ATTACKS,
    ROOK_FILE, ROOK_MOBILITY, ROOK_SEVENTH, SQUARES, Term,
};
use super::sink::Sink;
use super::view::{
    Attacks, BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, View, down, east, files, fill_down, half, sideways, up, west,
};

/// Units of danger for a knight, bishop, rook or queen that attacks the ring around the king.
const UNITS: [usize; 4] = [2, 2, 3, 4];

const FOURTH_TO_SIXTH: Bitboard = Bitboard(0x0000_FFFF_FF00_0000);
const SEVENTH: Bitboard = Bitboard(0x00FF_0000_0000_0000);
const EIGHTH: Bitboard = Bitboard(0xFF00_0000_0000_0000);

/// What all pieces of a kind have in common.
struct Kind {
    role: usize,
    mobility: Term,
}

/// Adds material, squares, mobility and the other terms of single pieces. Returns the side's attacks.
#[inline]
pub fn pieces<S: Sink>(view: &View, sink: &mut S) -> Attacks {
    let mut found = Attacks::default();
    let pawns = view.own[PAWN];
    found.insert(PAWN, west(up(pawns)));
    found.insert(PAWN, east(up(pawns)));
    found.insert(KING, attacks::king_attacks(view.king));
    for role in [PAWN, KNIGHT, BISHOP, ROOK, QUEEN] {
        sink.add(MATERIAL.at(role), view.own[role].count());
    }
    for square in pawns {
        sink.add(SQUARES[PAWN].at(half(square)), 1);
    }
    sink.add(SQUARES[KING].at(half(view.king)), 1);

    let occupied = view.occupied;
    let kinds = [(KNIGHT, KNIGHT_MOBILITY), (BISHOP, BISHOP_MOBILITY), (ROOK, ROOK_MOBILITY), (QUEEN, QUEEN_MOBILITY)];
    let [knights, bishops, rooks, queens] = kinds.map(|(role, mobility)| Kind { role, mobility });
    each(view, &knights, &mut found, sink, attacks::knight_attacks);
    each(view, &bishops, &mut found, sink, |square| attacks::bishop_attacks(square, occupied));
    each(view, &rooks, &mut found, sink, |square| attacks::rook_attacks(square, occupied));
    each(view, &queens, &mut found, sink, |square| attacks::queen_attacks(square, occupied));
    placement(view, &found, sink);
    found
}

/// Square, mobility and attacks on the king of every piece of a kind.
#[inline(always)]
fn each<S: Sink>(view: &View, kind: &Kind, found: &mut Attacks, sink: &mut S, reach: impl Fn(Square) -> Bitboard) {
    let Kind { role, mobility } = *kind;
    let area = !(view.own_all | view.their_pawn_attacks());
    let ring = view.ring();
    for square in view.own[role] {
        let squares = reach(square);
        found.insert(role, squares);
        sink.add(SQUARES[role].at(half(square)), 1);
        sink.add(mobility.at((squares & area).count()), 1);
        let at_king = (squares & ring).count();
        if at_king > 0 {
            sink.add(RING_ATTACKS.at(role - KNIGHT), at_king);
            found.danger += UNITS[role - KNIGHT];
        }
    }
}

/// Terms for all pieces of a kind at once.
#[inline]
fn placement<S: Sink>(view: &View, found: &Attacks, sink: &mut S) {
    let (pawns, their_pawns) = (view.own[PAWN], view.their[PAWN]);
    let bishops = view.own[BISHOP];
    if bishops.more_than_one() {
        sink.add(BISHOP_PAIR.at(0), 1);
    }
    for color in [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES] {
        sink.add(BISHOP_PAWNS.at(0), (bishops & color).count() * (pawns & color).count());
    }

    // Where an opposing pawn may ever attack: whatever is beside and below it.
    let reachable = sideways(fill_down(down(their_pawns)));
    let outposts = found.by[PAWN] & !reachable & FOURTH_TO_SIXTH;
    sink.add(OUTPOST.at(0), (view.own[KNIGHT] & outposts).count());
    sink.add(OUTPOST.at(1), (bishops & outposts).count());

    let without_own = view.own[ROOK] & !files(pawns);
    let open = without_own & !files(their_pawns);
    sink.add(ROOK_FILE.at(0), open.count());
    sink.add(ROOK_FILE.at(1), (without_own ^ open).count());
    if (their_pawns & SEVENTH).any() || (view.their[KING] & EIGHTH).any() {
        sink.add(ROOK_SEVENTH.at(0), (view.own[ROOK] & SEVENTH).count());
    }
}
