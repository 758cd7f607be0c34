// SPDX-License-Identifier: GPL-3.0-or-later
//! How callers follow a search: it reports to a watcher, which may stop it. The search itself never prints.

use std::ops::ControlFlow;

use super::Score;
use super::control::Sample;

/// What the root is known to be worth.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<'a, M> {
    /// Plies of the iteration.
    pub depth: u32,
    /// The deepest ply that the search has reached.
    pub height: u32,
    /// Which of the best moves this is about, 1 for the best; more than one are searched only on
    /// [demand](super::Root::lines).
    pub rank: usize,
    /// The value.
    pub score: Score,
    /// Nodes of the search so far.
    pub nodes: u64,
    /// Entries of the transposition table that this search has written, in thousandths; none without a table.
    pub hash_full: Option<u32>,
    /// The principal variation; never empty.
    pub line: &'a [M],
}

/// On which side of its window a search found the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The root is worth at most the score.
    Low,
    /// The root is worth at least the score.
    High,
}

/// Follows a search.
pub trait Watcher<M> {
    /// Called after each iteration that was completed, for each line in the order of their scores; may end the search.
    /// With several lines, those that were not complete when the search was stopped are left out.
    fn iteration(&mut self, _iteration: &Iteration<'_, M>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called when an iteration has to be repeated because the root's value is outside the window, and the score only
    /// a bound of it; not where several lines are wanted.
    fn outside_window(&mut self, _iteration: &Iteration<'_, M>, _failure: Failure) {}

    /// Called when, in the middle of an iteration, a root move turns out better than those before it: its value is true,
    /// and it is what the search would play now.
    fn improvement(&mut self, _iteration: &Iteration<'_, M>) {}

    /// Called when the move that the search would play if it were stopped now has changed.
    fn choice(&mut self, _mv: M, _nodes: u64) {}

    /// Called before a root move is searched: the `number`th, from 1, of an iteration to `depth` plies.
    fn root_move(&mut self, _mv: M, _number: usize, _depth: u32) {}

    /// How many late moves there are to one that is searched to full depth, beside the search, and reported as a
    /// [`sample`](Self::sample); 0 for none, which is the default.
    fn sampling(&self) -> u64 {
        0
    }

    /// Called for each sample.
    fn sample(&mut self, _sample: &Sample) {}

    /// Called about every thousand nodes, and before the next node after a [`choice`](Self::choice); may end the search.
    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A watcher that does nothing.
impl<M> Watcher<M> for () {}
