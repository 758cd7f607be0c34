// SPDX-License-Identifier: GPL-3.0-or-later
//! The benchmark: a fixed amount of searching whose node count tells whether a change has changed the search.

use std::time::{Duration, Instant};

use crate::features::{AtomSet, ExtensionTable, Row};
use crate::games::Furnished;
use crate::search::{Depth, Limits, Root};

/// Plies searched without extensions, and with the table that asks for every atom.
const DEPTHS: [u32; 2] = [5, 4];

/// What a benchmark counted and took.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Nodes in all: the signature, the same on every machine.
    pub nodes: u64,
    /// What it took.
    pub time: Duration,
}

/// Searches the game's benchmark positions with its usual evaluation, one thread.
///
/// # Panics
/// If a benchmark position of the game is no position of it, which a test rules out.
#[must_use]
pub fn run<G: Furnished>() -> Bench {
    let start = Instant::now();
    let mut nodes = 0;
    for (table, depth) in [ExtensionTable::default(), every_atom::<G>()].into_iter().zip(DEPTHS) {
        let engine = G::plain(G::EVALUATIONS[0], table, 1).expect("a game knows its own evaluations");
        for fen in G::BENCH {
            let position = G::parse_position(fen).expect("benchmark positions are positions");
            nodes += engine.search(Root::bare(&position), Limits::depth(depth), &mut ()).nodes;
        }
    }
    Bench { nodes, time: start.elapsed() }
}

/// Every pair of neighbouring atoms that may stand together, at half a ply or one and a half: a change of any atom
/// shows in the count.
fn every_atom<G: Furnished>() -> ExtensionTable {
    let pairs = (1..G::VOCABULARY.atoms.len()).map(|index| AtomSet::single(index - 1) | AtomSet::single(index));
    let costs = [50, 150].map(Depth::hundredths);
    ExtensionTable::new(pairs.zip(costs.into_iter().cycle()).map(|(feature, cost)| Row { feature, cost }).collect())
}
