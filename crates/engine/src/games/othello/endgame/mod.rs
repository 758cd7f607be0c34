// SPDX-License-Identifier: GPL-3.0-or-later
//! Endgames, solved exactly.
//!
//! Alpha-beta with a principal variation (Marsland and Campbell 1982) over bitboards, in the way that Othello programs have
//! solved endgames since LOGISTELLO:
//!
//! - *fastest first*: moves that leave the opponent few replies are searched first, for their trees are small;
//! - *parity*: moves into a region with an odd number of empty squares are searched before others, because who fills the
//!   last square of a region gains;
//! - *stability*: discs that can never be turned over bound the result;
//! - a transposition table of bounds above the last squares, and the last four squares without lists or sorting.
//!
//! A value is the difference of discs for the side to move at the end, and empty squares count for the winner.

mod last;
mod table;

use std::ops::{ControlFlow, Neg};

use super::board::{Move, Position, flips, mobility, surroundings};
use super::stability::{CORNERS, stable};
use crate::base::Outcome;
use crate::base::bits::ones;
use crate::game::Undecided;
use last::{finished, odd_quarters};
use table::{Entry, Table};

/// A difference of discs, from -64 to 64.
pub type Discs = i32;

/// More than any difference.
const MOST: Discs = 64;

/// With so many empty squares or fewer, squares are searched one after the other without a list of moves.
const FEW: u32 = 4;

/// With so many empty squares or more, moves are sorted by the replies that they leave; with fewer that costs more than it
/// saves.
const SORTED: u32 = 7;

/// With so many empty squares or more, positions are looked up in the table.
const TABLED: u32 = 8;

/// Stable discs are counted only if their number could matter: by empty squares, the least value of alpha. Late in the game
/// many discs are stable, so that the count pays for lower windows too.
const STABILITY_FROM: [Discs; 61] = {
    let mut from = [0; 61];
    let mut empty = 0;
    while empty < 61 {
        let least = -40 + 4 * empty as Discs;
        from[empty] = if least > 40 { 40 } else { least };
        empty += 1;
    }
    from
};

/// The values between which a search tells values apart: outside it says only on which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    alpha: Discs,
    beta: Discs,
}

impl Window {
    const ALL: Self = Self { alpha: -MOST, beta: MOST };
    /// Tells wins, draws and losses apart.
    const OUTCOME: Self = Self { alpha: -1, beta: 1 };

    /// The window that only tells whether a value is greater than alpha.
    const fn null(self) -> Self {
        Self { alpha: self.alpha, beta: self.alpha + 1 }
    }
}

impl Neg for Window {
    type Output = Self;

    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Nodes between two looks at the clock or whatever else may end the work: a few milliseconds.
const NODES_A_LOOK: u64 = 1 << 16;

/// Follows the work: it gets the nodes so far. A break ends the work.
pub type Watch<'w> = dyn FnMut(u64) -> ControlFlow<()> + 'w;

/// A solver with its table. One solver can solve many positions, and neighbours gain from each other.
pub struct Solver<'w> {
    table: Table,
    nodes: u64,
    budget: u64,
    watch: Option<&'w mut Watch<'w>>,
    /// The number of nodes at which to see whether the work must end.
    next_look: u64,
    /// Whether it had to end; values returned after that are meaningless.
    stopped: bool,
}

impl<'w> Solver<'w> {
    /// Bytes of a pair of entries of the table.
    pub const PAIR: u64 = size_of::<[Entry; 2]>() as u64;

    /// A solver that searches at most `budget` nodes in all, with a table of `1 << bits` pairs of entries
    /// ([`PAIR`](Self::PAIR) bytes each).
    pub fn new(bits: u32, budget: u64) -> Self {
        let next_look = NODES_A_LOOK.min(budget);
        Self { table: Table::new(bits), nodes: 0, budget, watch: None, next_look, stopped: false }
    }

    /// The same, but `watch` may end the work too. It is called every few milliseconds.
    pub fn watched(self, watch: &'w mut Watch<'w>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// A solver for the last few squares: without a table and without an end.
    const fn bare() -> Self {
        let endless = u64::MAX;
        Self { table: Table::none(), nodes: 0, budget: endless, watch: None, next_look: endless, stopped: false }
    }

    /// Nodes so far: positions searched, without the last square.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The exact difference of discs for the side to move if both sides play perfectly.
    ///
    /// # Errors
    /// If the budget runs out first.
    pub fn discs(&mut self, position: &Position) -> Result<Discs, Undecided> {
        self.value(position, Window::ALL)
    }

    /// Who wins if both sides play perfectly, seen by the side to move.
    ///
    /// # Errors
    /// If the budget runs out first.
    pub fn outcome(&mut self, position: &Position) -> Result<Outcome, Undecided> {
        self.value(position, Window::OUTCOME).map(super::board::outcome)
    }

    /// The exact difference of discs, and all moves that reach it, in the order of the squares; no moves if the game is over.
    ///
    /// # Errors
    /// If the budget runs out first.
    pub fn best(&mut self, position: &Position) -> Result<(Discs, Vec<Move>), Undecided> {
        let discs = self.discs(position)?;
        // The others need only be proved to be worse.
        let values = self.each(position, Window { alpha: discs - 1, beta: discs })?;
        Ok((discs, values.into_iter().filter(|&(_, value)| value >= discs).map(|(mv, _)| mv).collect()))
    }

    /// Moves of both sides that lead to the exact difference of discs, to the end of the game.
    ///
    /// # Errors
    /// If the budget runs out first.
    pub fn line(&mut self, position: &Position) -> Result<Vec<Move>, Undecided> {
        let mut discs = self.discs(position)?;
        let (mut position, mut line) = (*position, Vec::new());
        while let Some((mv, next)) = self.reaching(&position, discs)? {
            line.push(mv);
            (position, discs) = (next, -discs);
        }
        Ok(line)
    }

    /// A move that reaches so many discs, and the position after it; none if there is none.
    fn reaching(&mut self, position: &Position, discs: Discs) -> Result<Option<(Move, Position)>, Undecided> {
        if position.decided().is_none() {
            for mv in position.generate() {
                let mut next = *position;
                next.play(mv);
                if -self.value(&next, -Window { alpha: discs - 1, beta: discs })? >= discs {
                    return Ok(Some((mv, next)));
                }
            }
        }
        Ok(None)
    }

    /// What each legal move leads to for the side to move, in the order of the squares; none if the game is over.
    ///
    /// # Errors
    /// If the budget runs out first.
    pub fn outcomes(&mut self, position: &Position) -> Result<Vec<(Move, Outcome)>, Undecided> {
        let values = self.each(position, Window::OUTCOME)?;
        Ok(values.into_iter().map(|(mv, value)| (mv, super::board::outcome(value))).collect())
    }

    /// The move that wins, if there is exactly one.
    ///
    /// # Errors
    /// If the budget runs out first.
    pub fn only_win(&mut self, position: &Position) -> Result<Option<Move>, Undecided> {
        let mut found = None;
        if position.decided().is_none() {
            for mv in position.generate() {
                let mut next = *position;
                next.play(mv);
                if self.outcome(&next)? == Outcome::Loss && found.replace(mv).is_some() {
                    return Ok(None);
                }
            }
        }
        Ok(found)
    }

    fn each(&mut self, position: &Position, window: Window) -> Result<Vec<(Move, Discs)>, Undecided> {
        if position.decided().is_some() {
            return Ok(Vec::new());
        }
        let value = |mv: Move| {
            let mut next = *position;
            next.play(mv);
            Ok((mv, -self.value(&next, -window)?))
        };
        position.generate().into_iter().map(value).collect()
    }

    /// The value of a position inside the window; outside, a bound on the same side.
    fn value(&mut self, position: &Position, window: Window) -> Result<Discs, Undecided> {
        let value = self.search(position.own, position.opposing, window);
        if self.stopped { Err(Undecided) } else { Ok(value) }
    }

    /// Whether the work must end.
    fn must_end(&mut self) -> bool {
        let nodes = self.nodes;
        self.stopped =
            self.stopped || nodes > self.budget || self.watch.as_mut().is_some_and(|watch| watch(nodes).is_break());
        self.next_look = if self.stopped { 0 } else { self.budget.min(nodes.saturating_add(NODES_A_LOOK)) };
        self.stopped
    }

    /// The value of a position, fail-soft.
    fn search(&mut self, own: u64, opposing: u64, window: Window) -> Discs {
        let empty = !(own | opposing);
        let count = empty.count_ones();
        if count <= FEW {
            return self.few(own, opposing, window);
        }
        self.nodes += 1;
        if self.nodes >= self.next_look && self.must_end() {
            return 0;
        }
        // Whatever happens, the opponent keeps its stable discs.
        if window.alpha >= STABILITY_FROM[count as usize] {
            let most = MOST - 2 * stable(opposing, own).count_ones() as Discs;
            if most <= window.alpha {
                return most;
            }
        }
        let targets = mobility(own, opposing);
        if targets == 0 {
            return if mobility(opposing, own) == 0 {
                finished(own, opposing)
            } else {
                -self.search(opposing, own, -window)
            };
        }
        if count < SORTED {
            return self.by_parity(own, opposing, targets, window);
        }
        self.sorted(own, opposing, targets, window)
    }

    /// Searches moves by parity alone.
    fn by_parity(&mut self, own: u64, opposing: u64, targets: u64, mut window: Window) -> Discs {
        let odd = odd_quarters(!(own | opposing));
        let mut best = -MOST - 1;
        for part in [targets & odd, targets & !odd] {
            for square in ones(part) {
                let flipped = flips(square, own, opposing);
                let value = -self.search(opposing ^ flipped, own | flipped | 1 << square, -window);
                if value > best {
                    best = value;
                    if value >= window.beta {
                        return value;
                    }
                    window.alpha = window.alpha.max(value);
                }
            }
        }
        best
    }

    /// Searches moves in their best order, with the table.
    fn sorted(&mut self, own: u64, opposing: u64, targets: u64, mut window: Window) -> Discs {
        let empty = !(own | opposing);
        let count = empty.count_ones();
        let known = if count >= TABLED { self.table.get(own, opposing) } else { None };
        if let Some(known) = known {
            let (lower, upper) = known.bounds();
            if lower >= window.beta || lower == upper {
                return lower;
            }
            if upper <= window.alpha {
                return upper;
            }
            window = Window { alpha: window.alpha.max(lower), beta: window.beta.min(upper) };
        }
        let known_best = known.map(|known| known.best());
        let odd = odd_quarters(empty);
        let mut moves = arrayvec::ArrayVec::<(u32, u64, u32), 60>::new();
        for square in ones(targets).take(moves.capacity()) {
            let flipped = flips(square, own, opposing);
            let (next_own, next_opposing) = (opposing ^ flipped, own | flipped | 1 << square);
            let rank = if known_best == Some(square) {
                0
            } else if next_own == 0 {
                1
            } else {
                Self::rank(square, next_own, next_opposing, odd)
            };
            moves.push((rank, flipped, square));
        }
        moves.sort_unstable_by_key(|&(rank, _, square)| (rank, square));
        let first = window;
        let mut best = -MOST - 1;
        let mut best_square = 0;
        for (index, &(_, flipped, square)) in moves.iter().enumerate() {
            let (next_own, next_opposing) = (opposing ^ flipped, own | flipped | 1 << square);
            let mut value = -MOST - 1;
            if index > 0 {
                value = -self.search(next_own, next_opposing, -window.null());
            }
            if index == 0 || (value > window.alpha && value < window.beta) {
                value = -self.search(next_own, next_opposing, -window);
            }
            if value > best {
                (best, best_square) = (value, square);
                if value >= window.beta {
                    break;
                }
                window.alpha = window.alpha.max(value);
            }
        }
        if count >= TABLED && !self.stopped {
            let lower = if best > first.alpha { best } else { -MOST };
            let upper = if best < first.beta { best } else { MOST };
            self.table.put(Entry::new([own, opposing], lower, upper, best_square));
        }
        best
    }

    /// The rank of a move by the position that it leads to: few replies first, corners counted twice; parity among equals.
    fn rank(square: u32, next_own: u64, next_opposing: u64, odd: u64) -> u32 {
        let replies = mobility(next_own, next_opposing);
        let potential = surroundings(next_opposing) & !(next_own | next_opposing);
        let weight = 2 * (replies.count_ones() + (replies & CORNERS).count_ones());
        let is_even = u32::from(odd >> square & 1 == 0);
        2 + 4 * weight + potential.count_ones() + 3 * is_even
    }
}

/// Who wins with few empty squares, seen by the side to move: what the full search asks at its nodes.
pub(super) fn last_squares(position: &Position) -> Outcome {
    super::board::outcome(Solver::bare().search(position.own, position.opposing, Window::OUTCOME))
}

#[cfg(test)]
mod tests;
