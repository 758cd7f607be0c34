// SPDX-License-Identifier: GPL-3.0-or-later
//! The fifteen atoms of Breakthrough (Skowronski 2009, Tables 4.1 and 4.2).
//!
//! All are seen from the mover's side, on the board after the move: the origin is empty, the piece is on its
//! destination.
//!
//! Table 4.1 says of PP that the "piece's direction is unhindered towards opponent's back rank". This has four
//! readings: along the piece's file or in the direction of its move, and with or without the moves onto the back rank,
//! ahead of which nothing can stand. `PP` is the reading whose frequencies are nearest to those of Table 4.5; the other
//! three are atoms that learning does not use by default. research/readings-of-pp.md has the measurement.

use std::borrow::Cow;

use super::board::{backward, forward};
use super::shape::{FILE_A, Shape};
use super::{Breakthrough, SIZE};
use crate::features::{Atom, AtomSet, Grouping, Vocabulary, atoms};
use crate::game::MoveContext;

/// The readings of PP: one group, so that two readings of one property are never combined.
const READINGS: &[&str] = &["PP", "PPm", "PPf", "PPf7"];

/// The vocabulary of the game.
pub(super) const VOCABULARY: Vocabulary =
    Vocabulary { game: "breakthrough", atoms: Cow::Borrowed(ATOMS), groupings: GROUPINGS, blacklist: &[], own: None };

atoms! {
    /// The atoms in the order of Table 4.1. Rdb, Rdt and Edg are the ones that the *Domain Knowledge* run keeps.
    UD = Atom::new("Ud", "the piece is not attacked on its destination");
    PP = Atom::new("PP", "nothing is ahead in the direction of the move, up to row 8; false of moves to row 8");
    RC = Atom::new("Rc", "captures the piece that moved last");
    C = Atom::new("C", "captures");
    MS = Atom::new("Ms", "own pieces stand on more than half of the squares around the piece");
    RDB = Atom::new("Rdb", "moves within the own half (rows 1 to 4)").kept();
    RDBB = Atom::new("RdBb", "moves to rows 1 or 2").within("Rdb");
    RDBT = Atom::new("RdBt", "moves to rows 3 or 4").within("Rdb");
    RDT = Atom::new("Rdt", "moves to the opponent's half (rows 5 to 8)").kept();
    RDTB = Atom::new("RdTb", "moves to rows 5 or 6").within("Rdt");
    RDTT = Atom::new("RdTt", "moves to rows 7 or 8").within("Rdt");
    EDG = Atom::new("Edg", "moves to the edge (files a, b, g and h)").kept();
    MR = Atom::new("Mr", "moves to the middle (files c to f)");
    UDP = Atom::new("Udp", "stands unattacked before an opposing piece, about to step round it");
    BV2 = Atom::new("Bv2", "stands before an opposing piece with an own piece behind: a vertical wall of two");
    PPM = Atom::new("PPm", "nothing is ahead in the direction of the move, up to row 8; true of moves to row 8").only_if_named();
    PPF = Atom::new("PPf", "nothing is ahead on the file, up to row 8; true of moves to row 8").only_if_named();
    PPF7 = Atom::new("PPf7", "nothing is ahead on the file, up to row 8; false of moves to row 8").only_if_named();
}

const GROUPINGS: &[Grouping] = &[
    Grouping {
        name: "thesis",
        description: "Skowronski 2009, Table 4.2",
        groups: &[&["Rc", "C"], &["Rdb", "RdBb", "RdBt", "Rdt", "RdTb", "RdTt"], &["Edg", "Mr"], READINGS],
    },
    Grouping {
        name: "paper",
        description: "Skowronski, Björnsson and Winands 2009, section 4.2",
        groups: &[&["Rdb", "RdBb", "RdBt"], &["Rdt", "RdTb", "RdTt"], &["Edg", "Mr"], READINGS],
    },
    Grouping::NONE,
];

impl Breakthrough {
    /// By row of the destination: the atoms that the row alone decides.
    const BY_ROW: [AtomSet; 8] = {
        const fn both(a: AtomSet, b: AtomSet) -> AtomSet {
            AtomSet(a.0 | b.0)
        }
        let mut atoms = [AtomSet::EMPTY; 8];
        let mut row = 0;
        while row < SIZE {
            let is_own_half = 2 * row < SIZE;
            atoms[row as usize] = match (is_own_half, row < 2, row + 2 < SIZE) {
                (true, true, _) => both(RDB, RDBB),
                (true, false, _) => both(RDB, RDBT),
                (false, _, true) => both(RDT, RDTB),
                (false, _, false) => both(RDT, RDTT),
            };
            row += 1;
        }
        atoms
    };

    /// By file of the destination: the atom that the file alone decides.
    const BY_FILE: [AtomSet; 8] = {
        let mut atoms = [EDG; 8];
        let mut file = 2;
        while file + 2 < SIZE {
            atoms[file as usize] = MR;
            file += 1;
        }
        atoms
    };

    /// By side, length of the step less seven, and square: the squares ahead as far as the goal in the direction of that
    /// step. All squares, which are never all empty, if the direction leaves the board at its side.
    const AHEAD: [[[u64; 64]; 3]; 2] = {
        let mut ahead = [[[0; 64]; 3]; 2];
        let mut square = 0;
        while square < 64 {
            let mut step = 7;
            while step <= 9 {
                ahead[0][step - 7][square] = ray(SIZE as i32, square as i32, step as i32);
                ahead[1][step - 7][square] = ray(SIZE as i32, square as i32, -(step as i32));
                step += 1;
            }
            square += 1;
        }
        ahead
    };

    /// By square: the up to eight squares around it.
    const AROUND: [u64; 64] = {
        let last_file = FILE_A << (SIZE - 1);
        let board = (FILE_A >> (8 * (8 - SIZE))) * (0xFF >> (8 - SIZE));
        let mut around = [0; 64];
        let mut square = 0;
        while square < 64 {
            let piece = 1_u64 << square;
            let row = piece | (piece & !FILE_A) >> 1 | (piece & !last_file) << 1;
            around[square] = (row | row << 8 | row >> 8) & !piece & board;
            square += 1;
        }
        around
    };
}

/// What [`AHEAD`](Breakthrough::AHEAD) holds of one square and one step, which is negative for Black.
const fn ray(size: i32, square: i32, step: i32) -> u64 {
    let (forward, aside) = if step > 0 { (1, step - 8) } else { (-1, step + 8) };
    let goal = if step > 0 { size - 1 } else { 0 };
    let (mut rank, mut file) = (square / 8, square % 8);
    let mut squares = 0;
    while rank != goal && rank < size {
        (rank, file) = (rank + forward, file + aside);
        if file < 0 || file >= size {
            return u64::MAX;
        }
        squares |= 1 << (rank * 8 + file);
    }
    squares
}

/// Which of the `wanted` atoms the move has.
#[inline(always)]
pub(super) fn atoms(context: &MoveContext<'_, Breakthrough>, wanted: AtomSet) -> AtomSet {
    let shape = Breakthrough;
    let us = context.before.turn;
    // After the move it is the opponent's turn.
    let (own, opposing) = (context.after.opposing, context.after.own);
    let square = context.mv.to();
    let piece = 1_u64 << square;

    let mut found = Breakthrough::BY_ROW[shape.row(square, us) as usize] | Breakthrough::BY_FILE[square as usize % 8];
    let mut note = |atom: AtomSet, holds: bool| {
        if holds {
            found |= atom;
        }
    };
    if wanted.meets(UD | UDP) {
        // The attackers of a square are where a piece of the other side on it would attack.
        let unattacked = shape.attacks(piece, us) & opposing == 0;
        note(UD, unattacked);
        note(UDP, unattacked && forward(piece, us) & opposing != 0);
    }
    if wanted.meets(PP | PPM | PPF | PPF7) {
        let passed = |step: u32| {
            let ahead = Breakthrough::AHEAD[us.index()][step as usize - 7][square as usize];
            ahead & (own | opposing) == 0
        };
        let (by_move, by_file) = (passed(square.abs_diff(context.mv.from())), passed(8));
        let short = shape.goal(us) & piece == 0;
        note(PP, by_move && short);
        note(PPM, by_move);
        note(PPF, by_file);
        note(PPF7, by_file && short);
    }
    if wanted.meets(RC | C) {
        let captures = context.before.opposing & piece != 0;
        note(C, captures);
        note(RC, captures && context.previous.is_some_and(|previous| previous.to() == square));
    }
    if wanted.meets(MS) {
        let around = Breakthrough::AROUND[square as usize];
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
