// SPDX-License-Identifier: GPL-3.0-or-later
//! The result of a search.

use super::Score;

/// What a search found, and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The move to play; none if the game is over.
    pub best: Option<M>,
    /// The root's value in the last completed iteration, its static evaluation if there is none; of a finished game, its
    /// outcome.
    pub score: Score,
    /// The principal variation of the last completed iteration.
    pub line: Vec<M>,
    /// Plies of the last completed iteration.
    pub depth: u32,
    /// The deepest ply that was reached.
    pub height: u32,
    /// Moves played: inner nodes and leaves.
    pub nodes: u64,
    /// How many of them matched a row of the table.
    pub extended: u64,
}

impl<M> Report<M> {
    /// Nothing yet; a line of `max_ply` plies will not need more memory.
    pub(super) fn new(max_ply: usize) -> Self {
        Self { best: None, score: 0, line: Vec::with_capacity(max_ply), depth: 0, height: 0, nodes: 0, extended: 0 }
    }
}
