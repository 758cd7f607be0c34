// SPDX-License-Identifier: GPL-3.0-or-later
//! A search behind one call, so that its kind and evaluation may be chosen at run time. The choice costs one indirect
//! call a search; inside it everything is resolved at compile time.

use super::{Limits, Plain, Report, Root, Watcher};
use crate::game::{Evaluation, Game};

/// Whatever finds a move in a position.
pub trait Engine<G: Game>: Send + Sync {
    /// Searches a position.
    fn search(&self, root: Root<'_, G>, limits: Limits, watcher: &mut dyn Watcher<G::Move>) -> Report<G::Move>;
}

impl<G: Game, E: Evaluation<G>> Engine<G> for Plain<E> {
    fn search(&self, root: Root<'_, G>, limits: Limits, watcher: &mut dyn Watcher<G::Move>) -> Report<G::Move> {
        Plain::search(self, root, limits, watcher)
    }
}
