// SPDX-License-Identifier: GPL-3.0-or-later
//! The atoms of chess: the 29 of Skowronski 2009, Table 4.6, and four traditional extensions of chess programs
//! (David-Tabibi, Koppel and Netanyahu 2010, Table 1), which learning does not use by default.

use std::borrow::Cow;

use shakmaty::{CastlingSide, Color, Position as _, Role, Square};

use super::{Chess, Move};
use crate::features::{Atom, AtomSet, Grouping, Vocabulary, atoms};
use crate::game::MoveContext;

/// The thesis marks every atom of chess unsafe for threshold pruning.
const fn atom(name: &'static str, description: &'static str) -> Atom {
    Atom::new(name, description).kept()
}

atoms! {
    /// The atoms in the order of Table 4.6, pieces from the king down.
    PCK = atom("PcK", "moves the king, castling included");
    PCQ = atom("PcQ", "moves a queen");
    PCR = atom("PcR", "moves a rook");
    PCB = atom("PcB", "moves a bishop");
    PCN = atom("PcN", "moves a knight");
    PCP = atom("PcP", "moves a pawn");
    ACK = atom("AcK", "gives check, discovered check included");
    ACQ = atom("AcQ", "attacks a queen from its destination");
    ACR = atom("AcR", "attacks a rook from its destination");
    ACB = atom("AcB", "attacks a bishop from its destination");
    ACN = atom("AcN", "attacks a knight from its destination");
    ACP = atom("AcP", "attacks a pawn from its destination");
    RC = atom("Rc", "captures the piece that moved last");
    RDB = atom("Rdb", "moves within the own half (ranks 1 to 4)");
    RDBB = atom("RdBb", "moves to ranks 1 or 2").within("Rdb");
    RDBT = atom("RdBt", "moves to ranks 3 or 4").within("Rdb");
    RDT = atom("Rdt", "moves to the opponent's half (ranks 5 to 8)");
    RDTB = atom("RdTb", "moves to ranks 5 or 6").within("Rdt");
    RDTT = atom("RdTt", "moves to ranks 7 or 8").within("Rdt");
    CCQ = atom("CcQ", "captures a queen");
    CCR = atom("CcR", "captures a rook");
    CCB = atom("CcB", "captures a bishop");
    CCN = atom("CcN", "captures a knight");
    CCP = atom("CcP", "captures a pawn");
    LCQ = atom("LcQ", "the opponent's last move moved a queen");
    LCR = atom("LcR", "the opponent's last move moved a rook");
    LCB = atom("LcB", "the opponent's last move moved a bishop");
    LCN = atom("LcN", "the opponent's last move moved a knight");
    LCP = atom("LcP", "the opponent's last move moved a pawn");
    RX = atom("Rx", "recaptures on the square where the opponent has just captured").only_if_named();
    OR = atom("Or", "is the only legal move").only_if_named();
    MT = atom("Mt", "answers a threat of mate").only_if_named();
    P7 = atom("P7", "takes a pawn, passed by then, to the seventh rank").only_if_named();
}

/// The vocabulary of the game.
pub(super) const VOCABULARY: Vocabulary = Vocabulary {
    game: "chess",
    atoms: Cow::Borrowed(ATOMS),
    own: None,
    groupings: &[
        Grouping {
            name: "thesis",
            description: "Skowronski 2009, Table 4.6",
            groups: &[
                &["PcK", "PcQ", "PcR", "PcB", "PcN", "PcP"],
                // One move may attack several pieces, but the thesis puts them into one group.
                &["AcK", "AcQ", "AcR", "AcB", "AcN", "AcP"],
                &["Rdb", "RdBb", "RdBt", "Rdt", "RdTb", "RdTt"],
                &["CcQ", "CcR", "CcB", "CcN", "CcP"],
                &["LcQ", "LcR", "LcB", "LcN", "LcP"],
            ],
        },
        Grouping::NONE,
    ],
    // The thesis's initial blacklist: pawns do not move back, kings do not get far, and a king that gives check or
    // attacks a queen does so for another piece or is in check.
    blacklist: &["PcP-RdBb", "PcK-RdTt", "PcK-AcK", "PcK-AcQ"],
};

// The first bits of the families.
const PC: usize = Bit::PCK as usize;
const AC: usize = Bit::ACK as usize;
const CC: usize = Bit::CCQ as usize;
const LC: usize = Bit::LCQ as usize;

const fn span(first: usize, count: usize) -> AtomSet {
    AtomSet(((1 << count) - 1) << first)
}

const ANY_ATTACK: AtomSet = span(AC, 6);
const ANY_CAPTURE: AtomSet = span(CC, 5);
const ANY_LAST: AtomSet = span(LC, 5);

/// By row of the destination, the own back rank first: the atoms that it alone decides.
const BY_ROW: [AtomSet; 8] = {
    const fn both(a: AtomSet, b: AtomSet) -> AtomSet {
        AtomSet(a.0 | b.0)
    }
    let (first, second, third, fourth) = (both(RDB, RDBB), both(RDB, RDBT), both(RDT, RDTB), both(RDT, RDTT));
    [first, first, second, second, third, third, fourth, fourth]
};

/// The pieces from the king down, as the families have them.
const fn place(role: Role) -> usize {
    match role {
        Role::King => 0,
        Role::Queen => 1,
        Role::Rook => 2,
        Role::Bishop => 3,
        Role::Knight => 4,
        Role::Pawn => 5,
    }
}

/// Which of the `wanted` atoms the move has.
#[inline]
pub(super) fn atoms(context: &MoveContext<'_, Chess>, wanted: AtomSet) -> AtomSet {
    let mv = context.mv;
    let us = context.before.turn();
    let to = destination(mv, us);
    let captured = mv.capture();

    let mut found = AtomSet::single(PC + place(mv.role())) | BY_ROW[row(to, us) as usize];
    if wanted.meets(ANY_ATTACK) {
        if context.after.is_check() {
            found |= AtomSet::single(AC);
        }
        let board = context.after.board();
        let attacked = board.attacks_from(to) & board.by_color(us.other());
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            if (attacked & board.by_role(role)).any() {
                found |= AtomSet::single(AC + place(role));
            }
        }
    }
    if wanted.meets(ANY_CAPTURE)
        && let Some(role) = captured.filter(|&role| role != Role::King)
    {
        found |= AtomSet::single(CC + place(role) - 1);
    }
    if let Some(previous) = context.previous {
        if wanted.meets(ANY_LAST) && previous.role() != Role::King {
            found |= AtomSet::single(LC + place(previous.role()) - 1);
        }
        if wanted.meets(RC | RX) && captured.is_some() {
            // An en passant capture takes the pawn that has just moved.
            let captures_it = mv.is_en_passant() || mv.to() == last_square(previous, us.other());
            if captures_it {
                found |= RC;
            }
            if captures_it && previous.is_capture() {
                found |= RX;
            }
        }
    }
    if context.only_move {
        found |= OR;
    }
    if context.mate_threat {
        found |= MT;
    }
    // On the seventh rank every pawn is passed: only the last one lies ahead, where no pawn stands.
    if mv.role() == Role::Pawn && row(to, us) == 6 {
        found |= P7;
    }
    AtomSet(found.0 & wanted.0)
}

/// Where the moving piece ends: the king, when it castles.
fn destination(mv: Move, us: Color) -> Square {
    mv.castling_side().map_or(mv.to(), |side| side.king_to(us))
}

/// Where the piece that can be captured has come to stand: the rook, after castling.
fn last_square(previous: Move, them: Color) -> Square {
    previous.castling_side().map_or(previous.to(), |side: CastlingSide| side.rook_to(them))
}

/// The row of a square seen by a side: 0 is its own back rank.
fn row(square: Square, us: Color) -> u32 {
    let rank = u32::from(square.rank());
    us.fold_wb(rank, 7 - rank)
}

#[cfg(test)]
#[path = "atoms_tests.rs"]
mod tests;
