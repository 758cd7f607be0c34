// SPDX-License-Identifier: GPL-3.0-or-later
//! Pawn structure, and passed pawns.

use shakmaty::{Bitboard, Square};

use super::layout::{
    BACKWARD, DOUBLED, ISOLATED, PASSED, PASSED_BLOCKED, PASSED_FREE, PASSED_OWN_KING, PASSED_SUPPORTED,
    PASSED_THEIR_KING, PHALANX, SUPPORTED,
};
use super::sink::Sink;
use super::view::{Attacks, PAWN, View, down, files, fill_down, fill_up, rank, sideways, up};

/// The distance of kings counts for passed pawns from this rank (the fifth).
const FAR: usize = 4;

/// Adds the pawn terms except squares; `own` and `their` are both sides' attacks.
#[inline]
pub fn pawns<S: Sink>(view: &View, own: &Attacks, their: &Attacks, sink: &mut S) {
    let (pawns, opposing) = (view.own[PAWN], view.their[PAWN]);
    // Squares below an own pawn, and the whole files of opposing ones.
    sink.add(DOUBLED.at(0), (pawns & fill_down(down(pawns))).count());
    let closed = files(opposing);

    let isolated = pawns & !sideways(files(pawns));
    by_file(&ISOLATED, isolated, closed, sink);
    // Squares that own pawns attack now or after any advance, and squares where an opposing pawn would capture.
    let supportable = fill_up(own.by[PAWN]);
    let stopped = down(up(pawns) & their.by[PAWN]);
    by_file(&BACKWARD, stopped & !supportable & !isolated, closed, sink);

    let supported = pawns & own.by[PAWN];
    by_rank(PHALANX.at(0), pawns & sideways(pawns), sink);
    by_rank(SUPPORTED.at(0), supported, sink);

    let in_front_of_opposing = fill_down(down(opposing));
    let stoppable = in_front_of_opposing | sideways(in_front_of_opposing);
    // Of two on a file only the one ahead is passed.
    let passed = pawns & !stoppable & !fill_down(down(pawns));
    for square in passed {
        passed_pawn(view, square, their, sink);
    }
    sink.add(PASSED_SUPPORTED.at(0), (passed & supported).count());
}

/// Files closed by an opposing pawn first, then the others.
#[inline(always)]
fn by_file<S: Sink>(term: &super::layout::Term, pawns: Bitboard, closed: Bitboard, sink: &mut S) {
    sink.add(term.at(0), (pawns & closed).count());
    sink.add(term.at(1), (pawns & !closed).count());
}

#[inline(always)]
fn by_rank<S: Sink>(first: usize, pawns: Bitboard, sink: &mut S) {
    for square in pawns {
        sink.add(first + rank(square), 1);
    }
}

#[inline]
fn passed_pawn<S: Sink>(view: &View, square: Square, their: &Attacks, sink: &mut S) {
    let rank = rank(square);
    sink.add(PASSED.at(rank), 1);
    let ahead = up(Bitboard::from(square));
    let theirs = view.occupied ^ view.own_all;
    if (ahead & theirs).any() {
        sink.add(PASSED_BLOCKED.at(rank), 1);
    }
    if (fill_up(ahead) & (view.occupied | their.all)).is_empty() {
        sink.add(PASSED_FREE.at(rank), 1);
    }
    if rank >= FAR
        && let Some(stop) = ahead.first()
    {
        sink.add(PASSED_OWN_KING.at(view.king.distance(stop) as usize), 1);
        sink.add(PASSED_THEIR_KING.at(view.their_king.distance(stop) as usize), 1);
    }
}
