// SPDX-License-Identifier: GPL-3.0-or-later
//! The board: bitboards, moves and the rules.
//!
//! Square 0 is a1, 7 is h1, 8 is a2 and 63 is h8. A smaller board is the corner at a1. Shifts are rotations: a piece that
//! would leave the board by the top or bottom has already won, so nothing ever wraps, and one expression serves both sides
//! without a branch.

use arrayvec::ArrayVec;

use super::shape::{FORWARD, FORWARD_EAST, FORWARD_WEST, Shape};
use crate::base::bits::ones;
use crate::base::mix::mix;
use crate::game::{Outcome, Side};

/// Most moves that a position has: sixteen pieces with three each.
const MAX_MOVES: usize = 48;

/// The legal moves of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// One random number a side and square, and one for Black to move.
const ZOBRIST: ([[u64; 64]; 2], u64) = {
    let mut keys = [[0; 64]; 2];
    let mut side = 0;
    while side < 2 {
        let mut square = 0;
        while square < 64 {
            keys[side][square] = mix((side * 64 + square) as u64);
            square += 1;
        }
        side += 1;
    }
    (keys, mix(128))
};

/// A move: where from and where to, in 12 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    /// The move between two squares (0 to 63), legal or not.
    pub const fn new(from: u32, to: u32) -> Self {
        Self((from | to << 6) as u16)
    }

    /// The square it starts from.
    pub const fn from(self) -> u32 {
        self.0 as u32 & 63
    }

    /// The square it ends on.
    pub const fn to(self) -> u32 {
        self.0 as u32 >> 6
    }
}

/// A position of Breakthrough on a board of any size, which it does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pieces of the side to move. Stored by turn and not by colour, so a move needs no look-up by side.
    pub(super) own: u64,
    /// The opponent's pieces.
    pub(super) opposing: u64,
    /// Moves since the last capture: the fifth field of a FEN. It has no effect.
    pub(super) clock: u16,
    /// Black's moves so far plus one: the sixth field of a FEN.
    pub(super) number: u16,
    /// The side to move.
    pub(super) turn: Side,
}

impl Position {
    /// A position from White's and Black's pieces, which the caller has checked.
    pub(super) fn new(pieces: [u64; 2], turn: Side, clock: u16, number: u16) -> Self {
        let (own, opposing) = (pieces[turn.index()], pieces[turn.other().index()]);
        Self { own, opposing, clock, number, turn }
    }

    /// Full rows of pieces at both ends, as many as given; White to move.
    pub(super) fn start(shape: impl Shape, rows: u32) -> Self {
        let white = (0..rows).fold(0, |pieces, row| pieces | shape.rank(row));
        Self::new([white, shape.upside_down(white)], Side::White, 0, 1)
    }

    /// White's and Black's pieces, one bit a square.
    pub fn pieces(&self) -> [u64; 2] {
        match self.turn {
            Side::White => [self.own, self.opposing],
            Side::Black => [self.opposing, self.own],
        }
    }

    /// Over, if the side that has just moved stands on its goal or has left no piece to move.
    #[inline]
    pub(super) fn decided(&self, shape: impl Shape) -> Option<Outcome> {
        let goal_reached = self.opposing & shape.goal(self.turn.other()) != 0;
        (goal_reached || self.own == 0).then_some(Outcome::Loss)
    }

    /// Straight steps onto empty squares, diagonal ones onto squares without an own piece.
    #[inline]
    pub(super) fn generate(&self, shape: impl Shape) -> MoveList {
        let mut moves = MoveList::new();
        let side = self.turn.index();
        let steps = [FORWARD[side], FORWARD_WEST[side], FORWARD_EAST[side]];
        for (targets, step) in self.targets(shape).into_iter().zip(steps) {
            moves.extend(ones(targets).map(|to| Move::new(to.wrapping_sub(step) & 63, to)));
        }
        moves
    }

    /// How many moves there are.
    #[inline]
    pub(super) fn mobility(&self, shape: impl Shape) -> u32 {
        self.targets(shape).map(u64::count_ones).into_iter().sum()
    }

    /// Where moves end: those straight ahead, to the west, and to the east.
    #[inline(always)]
    fn targets(&self, shape: impl Shape) -> [u64; 3] {
        let straight = forward(self.own, self.turn) & !(self.own | self.opposing);
        let (west, east) = shape.forward_diagonals(self.own, self.turn);
        [straight, west & !self.own, east & !self.own]
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        self.clock = if self.captures(mv) == 1 { 0 } else { self.clock.saturating_add(1) };
        self.number = self.number.saturating_add(self.turn.index() as u16);
        (self.own, self.opposing) = (self.opposing & !(1 << to), self.own ^ (1 << from | 1 << to));
        self.turn = self.turn.other();
    }

    /// How many pieces the move captures: 0 or 1.
    #[inline]
    fn captures(&self, mv: Move) -> u64 {
        self.opposing >> mv.to() & 1
    }

    /// Zobrist key of pieces and side to move.
    pub(super) fn key(&self) -> u64 {
        let mut key = if self.turn == Side::Black { ZOBRIST.1 } else { 0 };
        for (pieces, keys) in self.pieces().iter().zip(&ZOBRIST.0) {
            for square in ones(*pieces) {
                key ^= keys[square as usize];
            }
        }
        key
    }

    /// The key after a move of the position with that key.
    #[inline]
    pub(super) fn key_after(&self, key: u64, mv: Move) -> u64 {
        let [us, them] = [self.turn, self.turn.other()].map(|side| &ZOBRIST.0[side.index()]);
        let (from, to) = (mv.from() as usize, mv.to() as usize);
        // Zero or one times a key costs less than an unpredictable branch.
        key ^ us[from] ^ us[to] ^ ZOBRIST.1 ^ (self.captures(mv) * them[to])
    }
}

/// A bitboard moved one row forward.
#[inline]
pub(super) fn forward(board: u64, side: Side) -> u64 {
    board.rotate_left(FORWARD[side.index()])
}

/// A bitboard moved one row back.
#[inline]
pub(super) fn backward(board: u64, side: Side) -> u64 {
    board.rotate_right(FORWARD[side.index()])
}
