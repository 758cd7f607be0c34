// SPDX-License-Identifier: GPL-3.0-or-later
//! The benchmark: a fixed amount of searching whose node count tells whether a change has changed the search.

use std::fmt;
use std::time::{Duration, Instant};

use crate::features::{AtomSet, ExtensionTable, Row};
use crate::games::Furnished;
use crate::search::{Depth, Limits, Root};

/// What a benchmark counted and took.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Nodes in all: the signature, the same on every machine.
    pub nodes: u64,
    /// What it took.
    pub time: Duration,
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_second = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        write!(f, "{} nodes {per_second:.0} nps", self.nodes)
    }
}

/// Searches the game's benchmark positions, one thread: with each evaluation and no extensions, then with each atom
/// extended by half a ply, and with many atoms at once. A change of any of them shows in the count.
///
/// # Panics
/// If a benchmark position of the game is no position of it, which a test rules out.
#[must_use]
pub fn run<G: Furnished>() -> Bench {
    let start = Instant::now();
    let mut nodes = 0;
    for evaluation in G::EVALUATIONS {
        nodes += search::<G>(evaluation.name, ExtensionTable::default(), G::BENCH_DEPTH);
    }
    let atoms: Vec<AtomSet> = G::VOCABULARY.all().indices().map(AtomSet::single).collect();
    let half = Depth::hundredths(50);
    let tables = atoms.iter().map(|&atom| ExtensionTable::single(atom, half));
    let costs = [50, 75, 125, 150].map(Depth::hundredths).into_iter().cycle();
    let many =
        ExtensionTable::new(atoms.iter().copied().zip(costs).map(|(feature, cost)| Row { feature, cost }).collect());
    for table in tables.chain([many]) {
        nodes += search::<G>(G::EVALUATIONS[0].name, table, G::BENCH_DEPTH - 2);
    }
    Bench { nodes, time: start.elapsed() }
}

/// Nodes of all benchmark positions, searched to a depth.
fn search<G: Furnished>(evaluation: &str, table: ExtensionTable, depth: u32) -> u64 {
    let engine = G::plain(evaluation, table, 1).expect("a game knows its own evaluations");
    let nodes = |fen: &&str| {
        let position = G::parse_position(fen).expect("benchmark positions are positions");
        engine.player().search(Root::bare(&position), Limits::depth(depth), &mut ()).nodes
    };
    G::BENCH.iter().map(nodes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Breakthrough, Chess};

    fn every_atom_counts<G: Furnished>() {
        let depth = G::BENCH_DEPTH - 2;
        let without = search::<G>(G::EVALUATIONS[0].name, ExtensionTable::default(), depth);
        for index in G::VOCABULARY.base().indices() {
            let table = ExtensionTable::single(AtomSet::single(index), Depth::hundredths(50));
            let name = G::VOCABULARY.atoms[index].name;
            assert_ne!(
                search::<G>(G::EVALUATIONS[0].name, table, depth),
                without,
                "{name} is in no move of the benchmark"
            );
        }
    }

    #[test]
    fn a_change_of_any_atom_would_show() {
        every_atom_counts::<Breakthrough>();
        every_atom_counts::<Chess>();
    }
}
