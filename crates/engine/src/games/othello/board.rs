// SPDX-License-Identifier: GPL-3.0-or-later
//! The board: bitboards, moves and the rules.
//!
//! Square 0 is a1, 7 is h1, 63 is h8. As Othello players have it, a1 is the upper left corner.

use arrayvec::ArrayVec;

use crate::base::bits::ones;
use crate::base::mix::mix;
use crate::game::{Outcome, Side};

/// The a-file.
pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The h-file.
pub(super) const FILE_H: u64 = FILE_A << 7;
/// The rows 1 and 8.
pub(super) const TOP_AND_BOTTOM: u64 = 0xFF00_0000_0000_00FF;
/// The four squares that are occupied from the start of the game.
pub(super) const CENTER: u64 = 0x0000_0018_1800_0000;

/// Squares of the board.
pub(super) const SQUARES: u32 = 64;

/// Most moves that a position may have: the squares that are empty at the start.
const MAX_MOVES: usize = 60;

/// The legal moves of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Distinguishes the key of a position from that of the same discs with the second player to move.
const SECOND_TO_MOVE: u64 = mix(64);

/// The lines through a square: four rays with higher squares and four with lower ones, without the square itself.
const RAYS: [[[u64; 4]; 2]; 64] = {
    let mut rays = [[[0; 4]; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (file, row) = [(1, 0), (0, 1), (1, 1), (-1, 1)][line];
            rays[square][0][line] = ray(square as i32, file, row);
            rays[square][1][line] = ray(square as i32, -file, -row);
            line += 1;
        }
        square += 1;
    }
    rays
};

/// The squares that are reached from one by repeating a step.
const fn ray(square: i32, file_step: i32, row_step: i32) -> u64 {
    let (mut file, mut row) = (square % 8 + file_step, square / 8 + row_step);
    let mut squares = 0;
    while file >= 0 && file < 8 && row >= 0 && row < 8 {
        squares |= 1 << (row * 8 + file);
        (file, row) = (file + file_step, row + row_step);
    }
    squares
}

/// A move: a disc on a square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u8);

impl Move {
    /// The move of a player who has no square to play on.
    pub const PASS: Self = Self(SQUARES as u8);

    /// A disc on a square (0 to 63), legal or not.
    pub const fn new(square: u32) -> Self {
        Self(square as u8 & 63)
    }

    /// The square of the new disc; none for a pass.
    pub const fn square(self) -> Option<u32> {
        if self.is_pass() { None } else { Some(self.0 as u32) }
    }

    /// The square as a bitboard; empty for a pass.
    pub const fn bit(self) -> u64 {
        if self.is_pass() { 0 } else { 1 << self.0 }
    }

    /// Whether it is a pass.
    pub const fn is_pass(self) -> bool {
        self.0 == Self::PASS.0
    }

    /// A number from 0 to 64.
    pub(super) const fn index(self) -> u16 {
        self.0 as u16
    }
}

/// A position of Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The discs of the side to move.
    pub(super) own: u64,
    /// The opponent's discs.
    pub(super) opposing: u64,
    /// The second player's moves so far plus one: the sixth field of a FEN.
    pub(super) number: u16,
    /// The side to move. [`Side::White`] is the first player, whose discs are black.
    pub(super) turn: Side,
}

impl Position {
    /// A position from the discs of the first and the second player, which the caller has checked.
    pub(super) const fn new(discs: [u64; 2], turn: Side, number: u16) -> Self {
        let [first, second] = discs;
        let (own, opposing) = if matches!(turn, Side::White) { (first, second) } else { (second, first) };
        Self { own, opposing, number, turn }
    }

    /// Black on e4 and d5, White on d4 and e5, Black to move.
    pub(super) const fn start() -> Self {
        Self::new([0x0000_0008_1000_0000, 0x0000_0010_0800_0000], Side::White, 1)
    }

    /// The discs of the first and the second player, one bit a square.
    pub fn discs(&self) -> [u64; 2] {
        match self.turn {
            Side::White => [self.own, self.opposing],
            Side::Black => [self.opposing, self.own],
        }
    }

    /// The squares without a disc.
    pub const fn empty(&self) -> u64 {
        !(self.own | self.opposing)
    }

    /// The discs of the side to move minus those of its opponent.
    pub const fn difference(&self) -> i32 {
        self.own.count_ones() as i32 - self.opposing.count_ones() as i32
    }

    /// Over, if neither side has a square to play on.
    #[inline]
    pub(super) fn decided(&self) -> Option<Outcome> {
        let over = mobility(self.own, self.opposing) == 0 && mobility(self.opposing, self.own) == 0;
        over.then(|| outcome(self.difference()))
    }

    /// The squares to play on, lowest first; a pass if there are none.
    #[inline]
    pub(super) fn generate(&self) -> MoveList {
        let targets = mobility(self.own, self.opposing);
        if targets == 0 {
            return MoveList::from_iter([Move::PASS]);
        }
        // Four squares are always occupied, so no position has more moves than the list holds.
        ones(targets).map(Move::new).take(MAX_MOVES).collect()
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn play(&mut self, mv: Move) {
        let (bit, flips) = match mv.square() {
            Some(square) => (1 << square, flips(square, self.own, self.opposing)),
            None => (0, 0),
        };
        self.number = self.number.saturating_add(self.turn.index() as u16);
        (self.own, self.opposing) = (self.opposing ^ flips, self.own | flips | bit);
        self.turn = self.turn.other();
    }

    /// The key of discs and side to move. A move changes many discs, so a hash of both bitboards costs less than one
    /// random number for each change.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        let discs = hash(self.own, self.opposing);
        if self.turn == Side::White { discs } else { discs ^ SECOND_TO_MOVE }
    }
}

/// A hash of the mover's and the opponent's discs.
#[inline]
pub(super) fn hash(own: u64, opposing: u64) -> u64 {
    mix(mix(own) ^ opposing)
}

/// The outcome of a finished game for the side that is ahead by so many discs.
pub(super) const fn outcome(difference: i32) -> Outcome {
    match difference {
        1.. => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// The squares on which the owner of the first discs may play.
#[inline]
pub(super) fn mobility(own: u64, opposing: u64) -> u64 {
    // No line of opposing discs that goes round the edge of the board has an end on either side.
    let inner = opposing & !(FILE_A | FILE_H);
    let targets = runs(own, inner, 1) | runs(own, opposing, 8) | runs(own, inner, 7) | runs(own, inner, 9);
    targets & !(own | opposing)
}

/// The squares behind a line of opposing discs that begins beside an own disc, in both directions of a step.
#[inline]
fn runs(own: u64, opposing: u64, step: u32) -> u64 {
    let (mut up, mut down) = (opposing & own << step, opposing & own >> step);
    // Two squares at a time from the second disc on: lines have at most six.
    up |= opposing & up << step;
    down |= opposing & down >> step;
    let (above, below) = (opposing & opposing << step, opposing & opposing >> step);
    up |= above & up << (2 * step);
    down |= below & down >> (2 * step);
    up |= above & up << (2 * step);
    down |= below & down >> (2 * step);
    up << step | down >> step
}

/// The opposing discs that a disc on a square (0 to 63) turns over.
#[inline]
pub(super) fn flips(square: u32, own: u64, opposing: u64) -> u64 {
    let [higher, lower] = &RAYS[square as usize & 63];
    let mut flips = 0;
    for &ray in higher {
        // The nearest square of the ray without an opposing disc, if there is an own one.
        let blockers = ray & !opposing;
        let end = blockers & blockers.wrapping_neg() & own;
        flips |= ray & end.saturating_sub(1);
    }
    for &ray in lower {
        let blockers = ray & !opposing;
        // Square 0 stands for no blocker; it is removed again if it is none.
        let end = (1 << 63) >> (blockers | 1).leading_zeros() & blockers & own;
        flips |= ray & end.wrapping_neg() << 1;
    }
    flips
}

/// The squares around those of a set, in all eight directions, themselves included.
#[inline]
pub(super) const fn surroundings(set: u64) -> u64 {
    let row = set | (set & !FILE_A) >> 1 | (set & !FILE_H) << 1;
    row | row << 8 | row >> 8
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;
    use crate::games::{Othello, random_game};

    /// The rules as they are printed, square by square: what a disc turns over.
    fn slow_flips(square: u32, own: u64, opposing: u64) -> u64 {
        let has = |board: u64, (file, row): (i32, i32)| {
            (0..8).contains(&file) && (0..8).contains(&row) && board >> (row * 8 + file) & 1 == 1
        };
        let mut flips = 0;
        for (east, south) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
            let mut at = (square as i32 % 8 + east, square as i32 / 8 + south);
            let mut line = 0;
            while has(opposing, at) {
                line |= 1 << (at.1 * 8 + at.0);
                at = (at.0 + east, at.1 + south);
            }
            if has(own, at) {
                flips |= line;
            }
        }
        flips
    }

    fn slow_mobility(own: u64, opposing: u64) -> u64 {
        let playable = |&square: &u32| (own | opposing) >> square & 1 == 0 && slow_flips(square, own, opposing) != 0;
        (0..64).filter(playable).map(|square| 1 << square).sum()
    }

    /// Lines of so many plies, counted by the slow rules.
    fn slow_perft(own: u64, opposing: u64, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let targets = slow_mobility(own, opposing);
        if targets == 0 {
            return if slow_mobility(opposing, own) == 0 { 0 } else { slow_perft(opposing, own, depth - 1) };
        }
        let behind = |square: u32| {
            let flips = slow_flips(square, own, opposing);
            slow_perft(opposing ^ flips, own | flips | 1 << square, depth - 1)
        };
        (0..64).filter(|square| targets >> square & 1 == 1).map(behind).sum()
    }

    fn fast_perft(position: &Position, depth: u32) -> u64 {
        crate::game::perft::<Othello>(position, depth)
    }

    #[test]
    fn any_board_has_the_moves_and_flips_of_the_slow_rules() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..20_000 {
            let (a, b, c): (u64, u64, u64) = (random.random(), random.random(), random.random());
            // Nearly full and nearly empty boards too.
            let (own, opposing) = ([a, a & c, a | c][a as usize % 3], b);
            let (own, opposing) = (own & !opposing, opposing);
            assert_eq!(mobility(own, opposing), slow_mobility(own, opposing), "{own:#x} {opposing:#x}");
            for square in 0..64 {
                let (own, opposing) = (own & !(1 << square), opposing & !(1 << square));
                assert_eq!(flips(square, own, opposing), slow_flips(square, own, opposing), "{square} {own:#x}");
            }
        }
    }

    /// Passes are rare near the start and common near the end, where random games are followed to the end.
    #[test]
    fn perft_agrees_with_the_slow_rules_where_players_pass() {
        let (mut passes, mut ends) = (0, 0);
        for seed in 0..300 {
            for position in random_game::<Othello>(seed).positions() {
                if position.decided().is_some() {
                    ends += 1;
                    assert_eq!(fast_perft(position, 1), 0);
                    continue;
                }
                let is_pass = position.generate()[0] == Move::PASS;
                passes += u32::from(is_pass);
                if is_pass || position.empty().count_ones() < 6 {
                    let slow = slow_perft(position.own, position.opposing, 3);
                    assert_eq!(fast_perft(position, 3), slow, "{position:?}");
                }
            }
        }
        assert!(passes > 100 && ends == 300, "{passes} passes");
    }

    #[test]
    fn discs_are_conserved_and_a_pass_moves_none() {
        let mut position = Position::start();
        let before = position;
        position.play(Move::PASS);
        assert_eq!((position.discs(), position.turn), (before.discs(), Side::Black));
        assert_ne!(position.key(), before.key());
        position.play(Move::PASS);
        assert_eq!((position.key(), position.number), (before.key(), 2));
        position.play(Move::new(19));
        assert_eq!(position.discs().map(u64::count_ones), [4, 1]);
        assert_eq!(position.empty().count_ones(), 59);
    }
}
