// SPDX-License-Identifier: GPL-3.0-or-later
//! Recognises positions that occurred before, mirror images included.

use std::collections::HashSet;
use std::marker::PhantomData;

use halfply_engine::game::{Notation, Symmetry};

/// The positions met so far, each with all its images.
#[derive(Debug)]
pub struct Distinct<G> {
    seen: HashSet<String>,
    game: PhantomData<G>,
}

impl<G> Default for Distinct<G> {
    fn default() -> Self {
        Self { seen: HashSet::new(), game: PhantomData }
    }
}

impl<G: Notation + Symmetry> Distinct<G> {
    /// Adds a position: whether neither it nor an image of it was added before. The counters of a FEN make no difference.
    pub fn insert(&mut self, position: &G::Position) -> bool {
        self.seen.insert(canonical::<G>(position))
    }
}

/// What a position and its images (mirrored, sides exchanged) have in common: the first of them, without counters.
pub fn canonical<G: Notation + Symmetry>(position: &G::Position) -> String {
    let board = |image: &G::Position| first_four_fields(&G::format_position(image));
    G::images(position).iter().map(board).min().unwrap_or_default()
}

/// A FEN without its counters: the position part of an EPD line.
pub fn first_four_fields(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn images_are_not_new() {
        let mut distinct = Distinct::<Breakthrough>::default();
        for (fen, new) in [
            ("8/7p/8/8/8/8/P7/8 w - - 0 1", true),
            ("8/7p/8/8/8/8/P7/8 w - - 3 9", false),
            ("8/p7/8/8/8/8/7P/8 w - - 0 1", false),
            ("8/p7/8/8/8/8/7P/8 b - - 0 1", false),
            ("8/7p/8/8/8/8/6P1/8 w - - 0 1", true),
        ] {
            assert_eq!(distinct.insert(&Breakthrough::parse_position(fen).unwrap()), new, "{fen}");
        }
    }
}
