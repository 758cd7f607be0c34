// SPDX-License-Identifier: GPL-3.0-or-later
//! When a search stops.

use std::time::{Duration, Instant};

use super::Watcher;

/// The limits of a search; the first one reached ends it. Without a limit it continues to the game's longest line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes; one is one move played, leaves included. Tested before each.
    pub nodes: Option<u64>,
    /// Iterations: the last is searched to this many plies.
    pub depth: Option<u32>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
}

impl Limits {
    /// Stop after so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Stop after the iteration of so many plies.
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }
}

/// Nodes between two checks of clock and watcher: far less than a millisecond in the plain search, and one or two in
/// the full search, which fast games need.
pub(super) const NODES_BETWEEN_LOOKS: u64 = 1024;

/// Counts nodes and reports when the search is over. It costs one comparison a node; clock and watcher are checked now
/// and then.
pub(super) struct Meter<'w, M> {
    /// Nodes so far.
    pub nodes: u64,
    limit: u64,
    deadline: Option<Instant>,
    /// The node count of the next check: of the limit, or of clock and watcher.
    next_look: u64,
    /// The watcher of the search.
    pub watcher: &'w mut dyn Watcher<M>,
}

impl<'w, M> Meter<'w, M> {
    pub fn new(limits: Limits, watcher: &'w mut dyn Watcher<M>) -> Self {
        let limit = limits.nodes.unwrap_or(u64::MAX);
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        Self { nodes: 0, limit, deadline, next_look: limit.min(NODES_BETWEEN_LOOKS), watcher }
    }

    /// Nodes are not counted, and no limit ends the search, until [`resume`](Self::resume) is called with what this returns.
    pub fn suspend(&mut self) -> (u64, u64) {
        (self.nodes, std::mem::replace(&mut self.next_look, u64::MAX))
    }

    /// Counts on where it was [suspended](Self::suspend).
    pub fn resume(&mut self, (nodes, next_look): (u64, u64)) {
        (self.nodes, self.next_look) = (nodes, next_look);
    }

    /// Reports what the search would play now. The watcher may end the search before the next node.
    pub fn chose(&mut self, mv: M) {
        self.watcher.choice(mv, self.nodes);
        self.next_look = self.nodes;
    }

    /// Whether the limit is reached. Called before each node.
    #[inline]
    pub fn used_up(&mut self) -> bool {
        self.nodes == self.next_look && self.look()
    }

    #[cold]
    fn look(&mut self) -> bool {
        let out_of_time = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.nodes == self.limit || out_of_time || self.watcher.look(self.nodes).is_break() {
            return true;
        }
        self.next_look = self.limit.min(self.nodes + NODES_BETWEEN_LOOKS);
        false
    }
}
