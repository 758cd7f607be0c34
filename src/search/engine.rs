// SPDX-License-Identifier: GPL-3.0-or-later
//! A search behind one call, so that its kind and evaluation may be chosen at run time. The choice costs one indirect
//! call a search; inside it everything is resolved at compile time.

use super::{Limits, Report, Root, Watcher};
use crate::game::Game;

/// A search with all its settings, shared by whoever works with it.
pub trait Engine<G: Game>: Send + Sync {
    /// Someone who searches with these settings and remembers nothing yet.
    fn player(&self) -> Box<dyn Player<G>>;
}

/// Whoever finds a move in a position. One thread's own: what it learns in a search it may use in the next one, so
/// that results depend on all it has searched since it was made or last [forgot](Player::forget).
pub trait Player<G: Game>: Send {
    /// Searches a position.
    fn search(&mut self, root: Root<'_, G>, limits: Limits, watcher: &mut dyn Watcher<G::Move>) -> Report<G::Move>;

    /// Another game begins: the next search is as if it were the first.
    fn forget(&mut self);

    /// The size of its transposition table in MiB, none without one: less than asked for where memory is short.
    fn hash(&self) -> Option<usize> {
        None
    }
}
