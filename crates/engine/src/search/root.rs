// SPDX-License-Identifier: GPL-3.0-or-later
//! Where a search starts.

use crate::game::{Game, legal_moves};

/// A position, and what came before it.
#[derive(Debug)]
pub struct Root<'a, G: Game> {
    /// The position to search.
    pub position: &'a G::Position,
    /// The move that led to it, if known: some atoms ask for it.
    pub previous: Option<G::Move>,
    /// The keys of the game's positions before it, the latest last: what may be repeated.
    pub earlier: &'a [u64],
    /// The only moves to consider; all legal moves if empty.
    pub moves: &'a [G::Move],
    /// The number of best moves to report, each with its line. Only the full search supports more than one.
    pub lines: usize,
}

// Derived, these would require positions to be `Copy` too.
impl<G: Game> Clone for Root<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Root<'_, G> {}

impl<'a, G: Game> Root<'a, G> {
    /// A position of which nothing else is known.
    pub fn bare(position: &'a G::Position) -> Self {
        Self { position, previous: None, earlier: &[], moves: &[], lines: 1 }
    }

    /// The moves to consider, in the order of generation; none if the game is over.
    pub(super) fn candidates(&self) -> G::Moves {
        let moves = legal_moves::<G>(self.position);
        if self.moves.is_empty() {
            return moves;
        }
        moves.iter().copied().filter(|mv| self.moves.contains(mv)).collect()
    }
}
