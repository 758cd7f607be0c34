// SPDX-License-Identifier: GPL-3.0-or-later
//! Where a search starts.

use crate::game::Game;

/// A position, and what came before it.
#[derive(Debug)]
pub struct Root<'a, G: Game> {
    /// The position to search.
    pub position: &'a G::Position,
    /// The move that led to it, if known: some atoms ask for it.
    pub previous: Option<G::Move>,
    /// The keys of the game's positions before it, the latest last: what may be repeated.
    pub earlier: &'a [u64],
}

// Derived, these would ask that positions be `Copy` too.
impl<G: Game> Clone for Root<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Root<'_, G> {}

impl<'a, G: Game> Root<'a, G> {
    /// A position of which nothing else is known.
    #[must_use]
    pub fn bare(position: &'a G::Position) -> Self {
        Self { position, previous: None, earlier: &[] }
    }
}
