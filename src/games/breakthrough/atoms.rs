// SPDX-License-Identifier: GPL-3.0-or-later
//! The fifteen atoms of Breakthrough (Skowronski 2009, Tables 4.1 and 4.2).
//!
//! All are seen from the mover's side and judged on the board after the move: the origin empty, the piece on its
//! destination.

use super::Breakthrough;
use super::board::{FILE_A, FILE_H, attacks, backward, forward, row};
use crate::features::{Atom, AtomSet, Grouping, Vocabulary};
use crate::game::MoveContext;

const fn atom(name: &'static str, parent: Option<&'static str>, prunable: bool, description: &'static str) -> Atom {
    Atom { name, description, parent, prunable, only_if_named: false }
}

/// The atoms in the order of Table 4.1. Rdb, Rdt and Edg are the ones that the *Domain Knowledge* run keeps.
pub(super) const VOCABULARY: Vocabulary = Vocabulary {
    atoms: &[
        atom("Ud", None, true, "the piece is not attacked on its destination"),
        atom("PP", None, true, "nothing stands ahead of the piece on its file, as far as the goal row"),
        atom("Rc", None, true, "captures the piece that moved last"),
        atom("C", None, true, "captures"),
        atom("Ms", None, true, "own pieces stand on more than half of the squares around the piece"),
        atom("Rdb", None, false, "moves within the own half (rows 1 to 4)"),
        atom("RdBb", Some("Rdb"), true, "moves to rows 1 or 2"),
        atom("RdBt", Some("Rdb"), true, "moves to rows 3 or 4"),
        atom("Rdt", None, false, "moves to the opponent's half (rows 5 to 8)"),
        atom("RdTb", Some("Rdt"), true, "moves to rows 5 or 6"),
        atom("RdTt", Some("Rdt"), true, "moves to rows 7 or 8"),
        atom("Edg", None, false, "moves to the edge (files a, b, g and h)"),
        atom("Mr", None, true, "moves to the middle (files c to f)"),
        atom("Udp", None, true, "stands unattacked before an opposing piece, about to step round it"),
        atom("Bv2", None, true, "stands before an opposing piece with an own piece behind: a vertical wall of two"),
    ],
    groupings: &[
        Grouping {
            name: "thesis",
            description: "Skowronski 2009, Table 4.2",
            groups: &[&["Rc", "C"], &["Rdb", "RdBb", "RdBt", "Rdt", "RdTb", "RdTt"], &["Edg", "Mr"]],
        },
        Grouping {
            name: "paper",
            description: "Skowronski, Björnsson and Winands 2009, section 4.2",
            groups: &[&["Rdb", "RdBb", "RdBt"], &["Rdt", "RdTb", "RdTt"], &["Edg", "Mr"]],
        },
        Grouping { name: "none", description: "every atom on its own", groups: &[] },
    ],
    blacklist: &[],
};

// The bits, in the order above; a test holds the two together.
const UD: AtomSet = AtomSet::single(0);
const PP: AtomSet = AtomSet::single(1);
const RC: AtomSet = AtomSet::single(2);
const C: AtomSet = AtomSet::single(3);
const MS: AtomSet = AtomSet::single(4);
const RDB: AtomSet = AtomSet::single(5);
const RDBB: AtomSet = AtomSet::single(6);
const RDBT: AtomSet = AtomSet::single(7);
const RDT: AtomSet = AtomSet::single(8);
const RDTB: AtomSet = AtomSet::single(9);
const RDTT: AtomSet = AtomSet::single(10);
const EDG: AtomSet = AtomSet::single(11);
const MR: AtomSet = AtomSet::single(12);
const UDP: AtomSet = AtomSet::single(13);
const BV2: AtomSet = AtomSet::single(14);

/// By row of the destination: the atoms that the row alone decides.
const BY_ROW: [AtomSet; 8] = {
    const fn both(a: AtomSet, b: AtomSet) -> AtomSet {
        AtomSet(a.0 | b.0)
    }
    let (first, second) = (both(RDB, RDBB), both(RDB, RDBT));
    let (third, fourth) = (both(RDT, RDTB), both(RDT, RDTT));
    [first, first, second, second, third, third, fourth, fourth]
};

/// By file of the destination: the atom that the file alone decides.
const BY_FILE: [AtomSet; 8] = [EDG, EDG, MR, MR, MR, MR, EDG, EDG];

/// By side and square: the squares ahead on the same file.
const AHEAD: [[u64; 64]; 2] = {
    let mut ahead = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        ahead[0][square] = (FILE_A << 8) << square;
        ahead[1][square] = (FILE_H >> 8) >> (63 - square);
        square += 1;
    }
    ahead
};

/// By square: the up to eight squares around it.
const AROUND: [u64; 64] = {
    let mut around = [0; 64];
    let mut square = 0;
    while square < 64 {
        let piece = 1_u64 << square;
        let row = piece | (piece & !FILE_A) >> 1 | (piece & !FILE_H) << 1;
        around[square] = (row | row << 8 | row >> 8) & !piece;
        square += 1;
    }
    around
};

/// Which of the `wanted` atoms the move has.
#[inline(always)]
pub(super) fn atoms(context: &MoveContext<'_, Breakthrough>, wanted: AtomSet) -> AtomSet {
    let us = context.before.turn;
    // After the move it is the opponent's turn.
    let (own, opposing) = (context.after.opposing, context.after.own);
    let square = context.mv.to();
    let piece = 1_u64 << square;

    let mut found = BY_ROW[row(square, us) as usize] | BY_FILE[square as usize % 8];
    let mut note = |atom: AtomSet, holds: bool| {
        if holds {
            found |= atom;
        }
    };
    if wanted.meets(UD | UDP) {
        // Whoever attacks a square stands where a piece on it would attack.
        let unattacked = attacks(piece, us) & opposing == 0;
        note(UD, unattacked);
        note(UDP, unattacked && forward(piece, us) & opposing != 0);
    }
    if wanted.meets(PP) {
        note(PP, AHEAD[us.index()][square as usize] & (own | opposing) == 0);
    }
    if wanted.meets(RC | C) {
        let captures = context.before.opposing & piece != 0;
        note(C, captures);
        note(RC, captures && context.previous.is_some_and(|previous| previous.to() == square));
    }
    if wanted.meets(MS) {
        let around = AROUND[square as usize];
        note(MS, 2 * (around & own).count_ones() > around.count_ones());
    }
    if wanted.meets(BV2) {
        note(BV2, forward(piece, us) & opposing != 0 && backward(piece, us) & own != 0);
    }
    AtomSet(found.0 & wanted.0)
}

#[cfg(test)]
#[path = "atoms_tests.rs"]
mod tests;
