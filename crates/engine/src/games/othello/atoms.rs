// SPDX-License-Identifier: GPL-3.0-or-later
//! The atoms of Othello: ours, from what Othello players look at (Rose 2005, *Othello: A Minute to Learn... A Lifetime to
//! Master*): corners and the squares beside them, edges and wedges, quiet moves, mobility, parity, and forced passes.
//!
//! All are seen from the mover's side, on the board after the move unless it says otherwise. A pass has the atom `Pss` and
//! no other.

use std::borrow::Cow;

use super::Othello;
use super::board::{FILE_A, FILE_H, Position, TOP_AND_BOTTOM, flips, mobility, surroundings};
use super::evaluation::beside_empty_corners;
use super::stability::{CORNERS, stable};
use crate::features::{Atom, AtomSet, Grouping, Vocabulary, atoms};
use crate::game::MoveContext;

/// A few moves: so many or fewer.
const FEW_MOVES: u32 = 3;
/// A few discs: so many or fewer.
const FEW_DISCS: u32 = 2;
/// Many discs: so many or more.
const MANY_DISCS: u32 = 6;

atoms! {
    /// The atoms. Those with special cases are the ones that domain knowledge keeps.
    EDG = Atom::new("Edg", "plays on the edge").kept();
    COR = Atom::new("Cor", "plays on a corner").within("Edg");
    CSQ = Atom::new("Csq", "plays beside a corner on the edge (a C-square)").within("Edg").kept();
    CSE = Atom::new("Cse", "plays beside an empty corner on the edge").within("Csq");
    XSQ = Atom::new("Xsq", "plays diagonally beside a corner (an X-square)").kept();
    XSE = Atom::new("Xse", "plays diagonally beside an empty corner").within("Xsq");
    MID = Atom::new("Mid", "plays on one of the sixteen squares in the middle (c3 to f6)");
    FF = Atom::new("Ff", "turns over one or two discs").kept();
    F1 = Atom::new("F1", "turns over a single disc").within("Ff");
    FM = Atom::new("Fm", "turns over six discs or more");
    QT = Atom::new("Qt", "turns over no disc that is beside an empty square: a quiet move");
    OF = Atom::new("Of", "leaves the opponent three moves or fewer").kept();
    OP = Atom::new("Op", "leaves the opponent no move: it must pass, or the game is over").within("Of");
    MF = Atom::new("Mf", "leaves the mover three squares to play on or fewer, were it to move again");
    PAR = Atom::new("Par", "plays into a region with an odd number of empty squares").kept();
    LST = Atom::new("Lst", "fills the last empty square of a region").within("Par");
    WDG = Atom::new("Wdg", "plays on the edge between two discs of the opponent: a wedge");
    OC = Atom::new("Oc", "lets the opponent take a corner");
    CNT = Atom::new("Cnt", "plays on a square on which the opponent could have played");
    ADJ = Atom::new("Adj", "plays beside the opponent's last disc");
    RT = Atom::new("Rt", "turns over the opponent's last disc");
    STB = Atom::new("Stb", "puts the disc where it can never be turned over");
    PSS = Atom::new("Pss", "passes");
}

/// The vocabulary of the game.
pub(super) const VOCABULARY: Vocabulary = Vocabulary {
    game: "othello",
    atoms: Cow::Borrowed(ATOMS),
    own: None,
    groupings: &[
        Grouping {
            name: "places",
            description: "where the disc goes, how many are turned over, what the opponent is left with, parity",
            groups: &[
                &["Edg", "Cor", "Csq", "Cse", "Xsq", "Xse", "Mid"],
                &["Ff", "F1", "Fm"],
                &["Of", "Op"],
                &["Par", "Lst"],
            ],
        },
        Grouping::NONE,
    ],
    // A disc on a corner is always stable, only the edge has wedges, and who has no move takes no corner. A pass is
    // nothing else.
    blacklist: &[
        "Cor-Stb", "Xsq-Wdg", "Xse-Wdg", "Mid-Wdg", "Cor-Wdg", "Op-Oc", "Edg-Pss", "Cor-Pss", "Csq-Pss", "Cse-Pss",
        "Xsq-Pss", "Xse-Pss", "Mid-Pss", "Ff-Pss", "F1-Pss", "Fm-Pss", "Qt-Pss", "Of-Pss", "Op-Pss", "Mf-Pss",
        "Par-Pss", "Lst-Pss", "Wdg-Pss", "Oc-Pss", "Cnt-Pss", "Adj-Pss", "Rt-Pss", "Stb-Pss",
    ],
};

/// The left and right, and the upper and lower edge.
const EDGES: [u64; 2] = [FILE_A | FILE_H, TOP_AND_BOTTOM];
/// c3 to f6.
const MIDDLE: u64 = 0x0000_3C3C_3C3C_0000;
/// The squares diagonally beside the corners.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The squares beside the corners on the edges.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;

/// Which of the `wanted` atoms the move has.
#[inline(always)]
pub(super) fn atoms(context: &MoveContext<'_, Othello>, wanted: AtomSet) -> AtomSet {
    let Position { own: before_own, opposing: before_opposing, .. } = *context.before;
    // After the move it is the opponent's turn.
    let (own, opposing) = (context.after.opposing, context.after.own);
    let Some(square) = context.mv.square() else { return AtomSet(PSS.0 & wanted.0) };
    let disc = 1_u64 << square;
    let (empty_before, empty) = (context.before.empty(), context.after.empty());
    let mut found = AtomSet::EMPTY;
    let mut note = |atom: AtomSet, holds: bool| {
        if holds {
            found |= atom;
        }
    };
    note(EDG, disc & (EDGES[0] | EDGES[1]) != 0);
    note(COR, disc & CORNERS != 0);
    note(CSQ, disc & C_SQUARES != 0);
    note(XSQ, disc & X_SQUARES != 0);
    note(MID, disc & MIDDLE != 0);
    if wanted.meets(CSE | XSE) {
        let (x_squares, c_squares) = beside_empty_corners(empty);
        note(XSE, disc & x_squares != 0);
        note(CSE, disc & c_squares != 0);
    }
    let turned = own & before_opposing;
    note(FF, turned.count_ones() <= FEW_DISCS);
    note(F1, turned.count_ones() == 1);
    note(FM, turned.count_ones() >= MANY_DISCS);
    note(QT, surroundings(turned) & empty == 0);
    if wanted.meets(OF | OP | OC) {
        let replies = mobility(opposing, own);
        note(OF, replies.count_ones() <= FEW_MOVES);
        note(OP, replies == 0);
        note(OC, replies & CORNERS != 0);
    }
    if wanted.meets(MF) {
        note(MF, mobility(own, opposing).count_ones() <= FEW_MOVES);
    }
    if wanted.meets(PAR | LST) {
        let region = region(disc, empty_before).count_ones();
        note(PAR, region % 2 == 1);
        note(LST, region == 1);
    }
    if wanted.meets(WDG) {
        note(WDG, is_wedge(disc, before_opposing));
    }
    if wanted.meets(CNT) {
        note(CNT, flips(square, before_opposing, before_own) != 0);
    }
    let previous = context.previous.map_or(0, |previous| previous.bit());
    note(ADJ, surroundings(disc) & previous != 0);
    note(RT, turned & previous != 0);
    if wanted.meets(STB) {
        note(STB, stable(own, opposing) & disc != 0);
    }
    AtomSet(found.0 & wanted.0)
}

/// The empty squares that are connected with one of them, in all eight directions.
fn region(square: u64, empty: u64) -> u64 {
    let mut region = square;
    loop {
        let more = surroundings(region) & empty;
        if more == region {
            return region;
        }
        region = more;
    }
}

/// Whether a disc of the opponent is on either side of a square on the edge.
fn is_wedge(disc: u64, opposing: u64) -> bool {
    let beside = if disc & CORNERS != 0 {
        return false;
    } else if disc & EDGES[0] != 0 {
        disc << 8 | disc >> 8
    } else if disc & EDGES[1] != 0 {
        disc << 1 | disc >> 1
    } else {
        return false;
    };
    opposing & beside == beside
}

#[cfg(test)]
#[path = "atoms_tests.rs"]
mod tests;
