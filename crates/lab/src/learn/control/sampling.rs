// SPDX-License-Identifier: GPL-3.0-or-later
//! Games of the program with itself, in whose searches some late moves are tried at full depth.

use std::path::{Path, PathBuf};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};

use super::samples;
use crate::run::{Stop, Unit, keep_named};
use halfply_engine::base::mix::derive;
use halfply_engine::base::score::plies_to_end;
use halfply_engine::games::RegisteredGame;
use halfply_engine::history::History;
use halfply_engine::search::control::Sample;
use halfply_engine::search::{Limits, Searcher, Thinker, Watcher};

/// Games in a unit: some seconds of work.
pub const BATCH: u64 = 10;

/// A game of so many plies is not played on.
const LONGEST: usize = 300;

/// Games begin with so many random plies, at least half as many.
const OPENING: usize = 10;

/// How often a later move is a random one: positions off the lines of good play occur in every search.
const RANDOM: f64 = 0.03;

/// How games are played and sampled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// Games.
    pub games: u64,
    /// Nodes a move, on average: from half to one and a half of it, so that depths mix.
    pub nodes: u64,
    /// How many late moves there are to a sample.
    pub every: u64,
    /// The seed of all games.
    pub seed: u64,
}

/// Some games, played one after the other.
#[derive(Clone, Debug)]
pub struct Batch<'a, G: RegisteredGame> {
    /// How they are played.
    pub sampling: &'a Sampling,
    /// Who plays.
    pub searcher: &'a Searcher<G>,
    /// Which batch.
    pub index: u64,
    /// The run's folder.
    pub folder: &'a Path,
}

/// What came of a batch. The samples are in a file of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sampled {
    /// The SHA-256 of the file of samples, and its name without the ending.
    pub file: String,
    /// How many samples there are.
    pub samples: u64,
    /// Those that raised alpha.
    pub raised: u64,
}

/// The folder of samples in a run's folder.
pub fn folder(run: &Path) -> PathBuf {
    run.join("samples")
}

/// The file of a batch's samples.
pub fn file(run: &Path, name: &str) -> PathBuf {
    folder(run).join(format!("{name}.samples"))
}

/// Keeps what a search reports.
struct Collector {
    every: u64,
    bytes: Vec<u8>,
    raised: u64,
}

impl<M> Watcher<M> for Collector {
    fn sampling(&self) -> u64 {
        self.every
    }

    fn sample(&mut self, sample: &Sample) {
        samples::write(sample, &mut self.bytes);
        self.raised += u64::from(sample.raised);
    }
}

impl Sampling {
    /// The batches of all games.
    pub fn batches<'a, G: RegisteredGame>(&'a self, searcher: &'a Searcher<G>, folder: &'a Path) -> Vec<Batch<'a, G>> {
        let batch = |index| Batch { sampling: self, searcher, index, folder };
        (0..self.games.div_ceil(BATCH)).map(batch).collect()
    }
}

impl<G: RegisteredGame> Batch<'_, G> {
    fn games(&self) -> u64 {
        BATCH.min(self.sampling.games - self.index * BATCH)
    }

    /// One game, from its opening to its end. None if it was stopped.
    fn game(
        &self,
        player: &mut dyn Thinker<G>,
        random: &mut ChaCha8Rng,
        collector: &mut Collector,
        stop: &Stop,
    ) -> Option<()> {
        let mut game = History::<G>::new(G::start());
        for _ in 0..random.random_range(OPENING / 2..=OPENING) {
            match game.legal_moves().choose(random) {
                Some(&mv) => game.play(mv),
                None => return Some(()),
            }
        }
        while game.outcome().is_none() && game.moves().len() < LONGEST {
            if stop.is_raised() {
                return None;
            }
            let nodes = self.sampling.nodes / 2 + random.random_range(0..=self.sampling.nodes);
            let report = player.search(game.root(), Limits::nodes(nodes), collector);
            let Some(best) = report.best.filter(|_| plies_to_end(report.score).is_none()) else { break };
            let is_random = random.random_bool(RANDOM);
            game.play(if is_random { *game.legal_moves().choose(random)? } else { best });
        }
        Some(())
    }
}

impl<G: RegisteredGame> Unit for Batch<'_, G> {
    type Output = Sampled;

    /// The number of its games is part of the key, because the last batch may have fewer.
    fn key(&self) -> String {
        let Sampling { nodes, every, seed, .. } = self.sampling;
        format!("{} games at {nodes} nodes, one of {every}, seed {seed}, batch {}", self.games(), self.index)
    }

    fn run(&self, stop: &Stop) -> Option<Sampled> {
        let mut collector = Collector { every: self.sampling.every, bytes: Vec::new(), raised: 0 };
        let mut player = self.searcher.engine().thinker();
        for game in 0..self.games() {
            let mut random = ChaCha8Rng::seed_from_u64(derive(derive(self.sampling.seed, self.index), game));
            player.forget();
            self.game(player.as_mut(), &mut random, &mut collector, stop)?;
        }
        let file = keep_named(&collector.bytes, self.folder, file, stop)?;
        let samples = (collector.bytes.len() / samples::SIZE) as u64;
        Some(Sampled { file, samples, raised: collector.raised })
    }
}
