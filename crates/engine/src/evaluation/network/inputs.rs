// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network sees of a position.

use arrayvec::ArrayVec;

use crate::base::bits::ones;
use crate::game::{Pieces, Side};

/// Squares of the board.
const SQUARES: usize = 64;

/// The most inputs that are on at a time.
pub const MOST_ACTIVE: usize = 64;

/// The most inputs that are switched on, or off, when sums are corrected instead of computed again.
pub const MOST_CHANGED: usize = 24;

/// Inputs that are on.
pub type Active = ArrayVec<u32, MOST_ACTIVE>;

/// What differs between two positions, seen by one side.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Inputs that are on in the first position only.
    pub off: ArrayVec<u32, MOST_CHANGED>,
    /// Inputs that are on in the second position only.
    pub on: ArrayVec<u32, MOST_CHANGED>,
}

/// How a side sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    /// The number to combine (exclusive or) with each square.
    pub turn: u32,
    /// The set of inputs, below [`Inputs::SETS`].
    pub set: u32,
}

impl Perspective {
    /// Its number among a side's, below [`Inputs::PERSPECTIVES`].
    pub(super) const fn number(self) -> usize {
        2 * self.set as usize + if self.turn.is_multiple_of(8) { 0 } else { 1 }
    }
}

/// A game whose positions a network can see. An input is on or off, or on several times: its weights then count as often,
/// as those of a pattern that stands in several places. Each side has its own view of the board, with its
/// own goal at the top, so that a position and the same position with exchanged sides have equal inputs. By default an input
/// is a kind of piece of a side on a square, the side's own ones first.
pub trait Inputs: Pieces {
    /// Sets of the same inputs, each with weights of its own. A side sees one of them at a time.
    const SETS: usize = 1;

    /// How many inputs there are, in all sets.
    const INPUTS: usize = Self::SETS * 2 * SQUARES * Self::KINDS.len();

    /// How many inputs each set has.
    const INPUTS_OF_SET: usize = Self::INPUTS / Self::SETS;

    /// How many perspectives a side has: the sets, with the board as it is or turned to its other wing.
    const PERSPECTIVES: usize = 2 * Self::SETS;

    /// How many views of the board a network sees: 2, the mover's and the other side's, or 1, the mover's alone, where it
    /// holds all that the other's does. A single view changes with the side to move, so its sums are computed from
    /// scratch for each position.
    const VIEWS: usize = 2;

    /// Whether a position and its mirror image (left to right) are worth the same, so that the network's units come in
    /// mirrored pairs.
    const MIRRORED: bool = false;

    /// What a network's output of 1, a logit, is worth in hundredths of a pawn or of the game's commonest piece.
    const LOGIT: f64 = 100.0;

    /// The input that an input becomes in the mirror image of the position.
    fn mirrored(input: u32) -> u32 {
        input ^ 7
    }

    /// How a side sees the board. By default Black sees the eighth row as the first one.
    fn perspective(_boards: &Self::Boards, side: Side) -> Perspective {
        Perspective { turn: if side == Side::White { 0 } else { 56 }, set: 0 }
    }

    /// The first input of a set, for the board of that place in [`Pieces::boards`].
    fn first_input(set: u32, place: usize, side: Side) -> u32 {
        let kinds = Self::KINDS.len();
        let place = if side == Side::White { place } else { (place + kinds) % (2 * kinds) };
        set * Self::INPUTS_OF_SET as u32 + (place * SQUARES) as u32
    }

    /// The inputs that are on as a side sees the board.
    fn active(boards: &Self::Boards, side: Side) -> Active {
        let Perspective { turn, set } = Self::perspective(boards, side);
        let mut active = Active::new();
        for (place, &board) in boards.as_ref().iter().enumerate() {
            for square in ones(board) {
                // Of more pieces than there are squares, what does not fit is of no position.
                let _ = active.try_push(Self::first_input(set, place, side) + (square ^ turn));
            }
        }
        active
    }

    /// Fills empty lists with what differs between two positions, as White sees them and as Black does. False for a side
    /// whose sums are better computed from scratch, whatever its list says. A game whose [active](Inputs::active) inputs are
    /// others says so here too; with a single view nobody asks.
    #[inline]
    fn changes(from: &Self::Boards, to: &Self::Boards, changes: &mut [Changes; 2]) -> [bool; 2] {
        let perspectives = Side::BOTH.map(|side| Self::perspective(to, side));
        let mut known = Side::BOTH.map(|side| Self::perspective(from, side) == perspectives[side.index()]);
        for (place, (&from, &to)) in from.as_ref().iter().zip(to.as_ref()).enumerate() {
            for square in ones(from ^ to) {
                for side in Side::BOTH {
                    let index = side.index();
                    let Perspective { turn, set } = perspectives[index];
                    let Changes { on, off } = &mut changes[index];
                    let list = if to >> square & 1 == 1 { on } else { off };
                    known[index] &= list.try_push(Self::first_input(set, place, side) + (square ^ turn)).is_ok();
                }
            }
        }
        known
    }
}
