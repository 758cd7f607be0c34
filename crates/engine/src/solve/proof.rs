// SPDX-License-Identifier: GPL-3.0-or-later
//! Depth-first proof-number search (Nagai 2002, "Df-pn algorithm for searching AND/OR trees and its applications").
//!
//! Every position has a number for the win of the side to move and one for its loss: how many positions must still be
//! proved at least. A move that loses for the opponent proves the win, so the number for a win is the least of the
//! children's numbers for a loss; a loss takes all children, so its number is their sum. The search always expands the
//! most promising child, and stays in it until a sibling is clearly better (by a quarter: Pawlewicz and Lew 2007,
//! "Improving depth-first PN-search: 1 + ε trick").
//!
//! Answers are exact only if there are no draws and no position comes back in a line.

use std::fmt::Debug;
use std::ops::ControlFlow;

use super::table::{NEVER, Table};
use super::{Limits, MemoryError, Solution, Value, Watch};
use crate::base::Outcome;

pub use super::table::{Identity, Numbers};

/// Nodes between two calls of the watch, less one: a few milliseconds.
const WATCH_MASK: u64 = (1 << 14) - 1;

/// The rules of a game in which somebody wins and no position comes back.
pub trait Rules: Copy + Debug + Send + Sync {
    /// A position.
    type Position: Copy + Debug + Send + Sync;
    /// A move.
    type Move: Copy;
    /// Moves of a position.
    type Moves: IntoIterator<Item = Self::Move>;

    /// The moves. Moves that lose at once may be missing if there are others; none if the game is over.
    fn moves(self, position: &Self::Position) -> Self::Moves;

    /// The position after a move.
    fn after(self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Whether the side to move wins, if the position shows it without a search. Known in all finished positions.
    fn known(self, position: &Self::Position) -> Option<bool>;

    /// The same for positions that are the same problem, different for all others.
    fn identity(self, position: &Self::Position) -> Identity;

    /// About how many moves there are: the first estimate of how hard it is to prove a loss.
    fn mobility(self, position: &Self::Position) -> u32;

    /// Writes a move.
    fn format_move(self, mv: Self::Move) -> String;
}

/// Who wins from this position, and moves that prove it.
///
/// # Errors
/// If there is no memory for the table.
pub fn solve<R: Rules>(
    rules: R,
    position: &R::Position,
    limits: Limits,
    watch: &mut Watch<'_>,
) -> Result<Solution, MemoryError> {
    let table = Table::new(limits.memory)?;
    let most = limits.nodes.unwrap_or(u64::MAX);
    let mut search =
        Search { rules, table, children: Vec::new(), root: Numbers { win: 1, loss: 1 }, nodes: 0, most, watch };
    let thresholds = Numbers { win: NEVER, loss: NEVER };
    let wins = match rules.known(position) {
        Some(wins) => Some(wins),
        None => match search.expand(position, rules.identity(position), thresholds, 0) {
            ControlFlow::Continue(numbers) => numbers.proved(),
            ControlFlow::Break(()) => None,
        },
    };
    let value = wins.map(|wins| Value { outcome: if wins { Outcome::Win } else { Outcome::Loss }, margin: None });
    let line = wins.map(|wins| search.line(*position, wins)).unwrap_or_default();
    Ok(Solution { value, line, nodes: search.nodes })
}

/// A child of a node that is being expanded.
#[derive(Clone, Copy)]
struct Child<R: Rules> {
    position: R::Position,
    identity: Identity,
    /// For the side to move in it.
    numbers: Numbers,
}

/// The state of a search.
struct Search<'a, 'w, R: Rules> {
    rules: R,
    table: Table,
    /// The children of all nodes on the current line, so that nothing is allocated for a node.
    children: Vec<Child<R>>,
    /// The numbers of the first position, for the watch.
    root: Numbers,
    nodes: u64,
    most: u64,
    watch: &'a mut Watch<'w>,
}

/// What the children of a node say.
struct Summary {
    numbers: Numbers,
    /// The most promising child.
    best: usize,
    /// The number for a loss of the next best one.
    second: u32,
    /// The sum of the numbers for a win.
    sum: u64,
}

impl<R: Rules> Search<'_, '_, R> {
    /// Expands an unfinished position of unknown value until one of its numbers reaches the threshold, and returns them.
    /// Breaks if the work must end.
    fn expand(
        &mut self,
        position: &R::Position,
        identity: Identity,
        thresholds: Numbers,
        ply: u32,
    ) -> ControlFlow<(), Numbers> {
        if self.nodes >= self.most {
            return ControlFlow::Break(());
        }
        self.nodes += 1;
        let (before, first) = (self.nodes, self.children.len());
        for mv in self.rules.moves(position) {
            let child = self.child(self.rules.after(position, mv));
            self.children.push(child);
        }
        let numbers = loop {
            let Summary { numbers, best, second, sum } = summarise(&self.children[first..]);
            if numbers.win >= thresholds.win || numbers.loss >= thresholds.loss {
                break numbers;
            }
            if ply == 0 {
                self.root = numbers;
            }
            if self.nodes & WATCH_MASK == 0 {
                let Numbers { win, loss } = self.root;
                (self.watch)(self.nodes, format_args!("proof numbers {win} and {loss}"))?;
            }
            let Child { position, identity, numbers: Numbers { win, .. } } = self.children[first + best];
            let others = sum - u64::from(win);
            let of_child = Numbers {
                win: match thresholds.loss {
                    NEVER => NEVER,
                    // More than the child has, or it would not be expanded.
                    threshold => u64::from(threshold).saturating_sub(others).max(u64::from(win) + 1) as u32,
                },
                loss: thresholds.win.min(second.saturating_add(second / 4).saturating_add(1)),
            };
            self.children[first + best].numbers = self.expand(&position, identity, of_child, ply + 1)?;
        };
        self.children.truncate(first);
        self.table.put(identity, numbers, self.nodes - before + 1);
        ControlFlow::Continue(numbers)
    }

    fn child(&self, position: R::Position) -> Child<R> {
        let identity = self.rules.identity(&position);
        let numbers = self.value(&position, identity).unwrap_or_else(|| {
            // Not proved, and not disproved.
            let moves = self.rules.mobility(&position).max(1);
            Numbers { win: 1, loss: moves }
        });
        Child { position, identity, numbers }
    }

    /// What the position shows, or the table knows.
    fn value(&self, position: &R::Position, identity: Identity) -> Option<Numbers> {
        let known = self.rules.known(position).map(Numbers::of);
        known.or_else(|| self.table.get(identity).map(|(numbers, _)| numbers))
    }

    /// Moves from a position of known value to the end, or as far as the table knows them. The winner's moves win; the
    /// loser's are those that took most work to refute.
    fn line(&self, mut position: R::Position, mut wins: bool) -> Vec<String> {
        let mut line = Vec::new();
        loop {
            let mut best = None;
            for mv in self.rules.moves(&position) {
                let next = self.rules.after(&position, mv);
                let identity = self.rules.identity(&next);
                if self.value(&next, identity).and_then(Numbers::proved) != Some(!wins) {
                    continue;
                }
                let work = self.table.get(identity).map_or(0, |(_, nodes)| nodes);
                // A winner takes the shortest way that it knows.
                let rank = if wins { u64::MAX - work } else { work };
                if best.as_ref().is_none_or(|&(most, _, _)| rank > most) {
                    best = Some((rank, mv, next));
                }
            }
            let Some((_, mv, next)) = best else { return line };
            line.push(self.rules.format_move(mv));
            (position, wins) = (next, !wins);
        }
    }
}

fn summarise<R: Rules>(children: &[Child<R>]) -> Summary {
    let mut summary = Summary { numbers: Numbers { win: NEVER, loss: 0 }, best: 0, second: NEVER, sum: 0 };
    let mut least = NEVER;
    for (place, child) in children.iter().enumerate() {
        let Numbers { win, loss } = child.numbers;
        summary.sum += u64::from(win);
        summary.numbers.loss = summary.numbers.loss.max(win);
        if loss < summary.numbers.win || (loss == summary.numbers.win && win < least) {
            (summary.second, summary.best, least) = (summary.numbers.win, place, win);
            summary.numbers.win = loss;
        } else {
            summary.second = summary.second.min(loss);
        }
    }
    // One child that wins for the opponent disproves nothing of ours, but it ends the hope of a loss by all of them.
    if summary.numbers.loss < NEVER {
        summary.numbers.loss = summary.sum.min(u64::from(NEVER - 1)) as u32;
    }
    summary
}
