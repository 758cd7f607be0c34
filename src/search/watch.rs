// SPDX-License-Identifier: GPL-3.0-or-later
//! How the world follows a search: it is told, and may ask it to stop; the search itself never prints.

use std::ops::ControlFlow;

use super::Score;

/// A completed iteration.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<'a, M> {
    /// Its depth in plies.
    pub depth: u32,
    /// The root's value.
    pub score: Score,
    /// Nodes of the search so far.
    pub nodes: u64,
    /// The principal variation; never empty.
    pub line: &'a [M],
}

/// Someone who follows a search.
pub trait Watcher<M> {
    /// Called after each iteration that was completed; may end the search.
    fn iteration(&mut self, _iteration: &Iteration<'_, M>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called whenever the move that the search would play, were it stopped now, has changed.
    fn choice(&mut self, _mv: M, _nodes: u64) {}
}

/// Nobody.
impl<M> Watcher<M> for () {}
