// SPDX-License-Identifier: GPL-3.0-or-later
//! A search behind one call, so that its kind and evaluation may be chosen at run time. The choice costs one indirect
//! call a search; inside it everything is resolved at compile time.

use super::{Limits, Report, Root, Watcher};
use crate::game::Game;

/// A search with all its settings, shared between its users.
pub trait Engine<G: Game>: Send + Sync {
    /// A new thinker with these settings, which remembers nothing yet.
    fn thinker(&self) -> Box<dyn Thinker<G>>;
}

/// A search with its memory, such as a transposition table. A thinker belongs to one thread. Its results depend on all its
/// searches since it was created or last [forgot](Thinker::forget).
pub trait Thinker<G: Game>: Send {
    /// Searches a position.
    fn search(&mut self, root: Root<'_, G>, limits: Limits, watcher: &mut dyn Watcher<G::Move>) -> Report<G::Move>;

    /// Begins another game: the next search is as if it were the first.
    fn forget(&mut self);

    /// The size of its transposition table in MiB, less than requested if memory is short; none without a table.
    fn hash(&self) -> Option<usize> {
        None
    }
}
