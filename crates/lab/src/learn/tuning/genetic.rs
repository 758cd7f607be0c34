// SPDX-License-Identifier: GPL-3.0-or-later
//! A genetic algorithm over settings of the search (David-Tabibi, Koppel and Netanyahu, "Optimizing Selective Search in
//! Chess", 2010, section 4): Gray-coded chromosomes, fitness-proportional selection, uniform crossover and elitism.
//!
//! The paper leaves open, and this chooses: mutation is per bit; a pair of parents has one child, and without crossover the
//! child is a copy of its first parent; the fitness that selection is proportional to is one over the nodes.

use clap::Args;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

use super::gene::{self, Chromosome, Gene, Genes, express};
use super::{Round, Scored, Scorer, Setting, Tuner};
use crate::learn::candidate::Candidate;
use crate::learn::settings::SettingError;
use crate::run::RunError;
use halfply_engine::base::figures::count_in;
use halfply_engine::features::Vocabulary;
use halfply_engine::search::Setup;

/// The settings of the method.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct Genetic {
    /// What is evolved.
    #[command(flatten)]
    #[serde(flatten)]
    pub genes: Genes,
    /// Organisms of a generation
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count_in::<u32>(2..=1000))]
    pub population: u32,
    /// Generations, the first, random one included
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = count_in::<u32>(1..=100_000))]
    pub generations: u32,
    /// The probability that a child has bits of both parents, each bit of either with equal chance
    #[arg(long, value_name = "P", default_value_t = 0.75)]
    pub crossover: f64,
    /// The probability that a bit of a child flips
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub mutation: f64,
    /// The seed of the first generation, and of all random choices after it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub population_seed: u64,
    /// Begin with the settings as given, and random organisms beside them; the paper's are all random
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub from_given: bool,
}

impl Genetic {
    /// The method for a game with that vocabulary and for that search.
    pub(super) fn prepare(
        &self,
        vocabulary: &Vocabulary,
        given: &Candidate,
        setup: &Setup,
    ) -> Result<Prepared, SettingError> {
        let genes = self.genes.prepare(vocabulary, setup)?;
        let reason = "there is nothing to evolve: give --gene NAME=FIRST..LAST/COUNT, or --genes FILE";
        SettingError::unless(!genes.is_empty(), "gene", "", reason)?;
        let settings: Vec<Setting> = genes.iter().map(|gene| gene.setting).collect();
        let given = if self.from_given { Some(gene::encode(given, &genes, vocabulary)?) } else { None };
        for (name, probability) in [("crossover", self.crossover), ("mutation", self.mutation)] {
            let reason = "a probability is from 0 to 1";
            SettingError::unless((0.0..=1.0).contains(&probability), name, probability, reason)?;
        }
        Ok(Prepared { genes, settings, given, how: self.clone() })
    }
}

/// The method for a game.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    genes: Vec<Gene>,
    settings: Vec<Setting>,
    /// The settings as given, if they are in the first generation.
    given: Option<Chromosome>,
    how: Genetic,
}

impl Tuner for Prepared {
    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn tune(&self, given: &Scored, scorer: &mut Scorer<'_>) -> Result<Vec<Round>, RunError> {
        let mut random = ChaCha8Rng::seed_from_u64(self.how.population_seed);
        let mut population = self.first(&mut random);
        let mut rounds = Vec::new();
        loop {
            let organisms = population.iter().map(|chromosome| express(chromosome, &self.genes, &given.candidate));
            let round = Round { tried: scorer.score(organisms.collect())? };
            scorer.ended(rounds.len() + 1, &round);
            let nodes: Vec<u64> = round.tried.iter().map(|organism| organism.nodes).collect();
            rounds.push(round);
            if rounds.len() >= self.how.generations as usize {
                return Ok(rounds);
            }
            population = self.next(&population, &nodes, &mut random);
        }
    }
}

impl Prepared {
    /// A generation of random chromosomes; what was given may be in the place of the first.
    fn first(&self, random: &mut ChaCha8Rng) -> Vec<Chromosome> {
        let bits: usize = self.genes.iter().map(Gene::bits).sum();
        let mut chromosome = |_| Chromosome((0..bits).map(|_| random.random_bool(0.5)).collect());
        let mut population: Vec<Chromosome> = (0..self.how.population).map(&mut chromosome).collect();
        if let Some(given) = &self.given {
            population[0].clone_from(given);
        }
        population
    }

    /// The generation after one whose organisms took so many nodes.
    fn next(&self, population: &[Chromosome], nodes: &[u64], random: &mut ChaCha8Rng) -> Vec<Chromosome> {
        let fitness: Vec<f64> = nodes.iter().map(|&nodes| 1.0 / nodes.max(1) as f64).collect();
        // Elitism: the best organism, of equal ones the first, is copied.
        let best = (0..nodes.len()).min_by_key(|&place| nodes[place]).unwrap_or_default();
        let mut next = vec![population[best].clone()];
        while next.len() < population.len() {
            let [first, second] = [(); 2].map(|()| &population[select(&fitness, random)]);
            next.push(self.child(first, second, random));
        }
        next
    }

    /// A child of two parents.
    fn child(&self, first: &Chromosome, second: &Chromosome, random: &mut ChaCha8Rng) -> Chromosome {
        let is_crossed = random.random_bool(self.how.crossover);
        let bit = |(&first, &second): (&bool, &bool)| {
            let bit = if is_crossed && random.random_bool(0.5) { second } else { first };
            bit ^ random.random_bool(self.how.mutation)
        };
        Chromosome(first.0.iter().zip(&second.0).map(bit).collect())
    }
}

/// Chooses a place with a probability proportional to its fitness.
fn select(fitness: &[f64], random: &mut ChaCha8Rng) -> usize {
    let mut rest = random.random_range(0.0..1.0) * fitness.iter().sum::<f64>();
    for (place, fitness) in fitness.iter().enumerate() {
        rest -= fitness;
        if rest < 0.0 {
            return place;
        }
    }
    // Rounding may leave a little.
    fitness.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::fitness::Trials;
    use crate::learn::tuning::Count;
    use crate::learn::worth::Worth;
    use halfply_engine::features::ExtensionTable;
    use halfply_engine::game::Game;
    use halfply_engine::games::Chess;

    fn genetic(words: &str) -> Genetic {
        let command = Genetic::augment_args(clap::Command::new("test").no_binary_name(true));
        let matches = command.try_get_matches_from(words.split_whitespace()).unwrap();
        clap::FromArgMatches::from_arg_matches(&matches).unwrap()
    }

    fn given() -> Candidate {
        Candidate::of_table(ExtensionTable::default(), &Setup::full())
    }

    fn prepared(words: &str) -> Prepared {
        genetic(words).prepare(&Chess::VOCABULARY, &given(), &Setup::full()).unwrap()
    }

    /// A thousand nodes, and one more for each unit in which a margin misses 600.
    struct Misses {
        asked: Vec<Vec<Candidate>>,
    }

    impl Trials for Misses {
        fn untried(&self, candidates: &[Candidate]) -> usize {
            candidates.len()
        }

        fn try_all(&mut self, candidates: &[Candidate]) -> Result<Vec<Worth>, RunError> {
            self.asked.push(candidates.to_vec());
            let worth = |candidate: &Candidate| {
                let mut worth = Worth::made(0, 1, &[]);
                let missed = candidate.parameters.futility_margin_1.abs_diff(600);
                worth.summary.nodes_found_and_kept = 1000 + u64::from(missed);
                worth.summary.nodes_first_found = Some(worth.summary.nodes_found_and_kept);
                worth
            };
            Ok(candidates.iter().map(worth).collect())
        }
    }

    fn evolve(words: &str) -> (Vec<Round>, Vec<Vec<Candidate>>) {
        let given = Scored::new(given(), &Worth::made(0, 1, &[]), Count::FirstFound);
        let mut trials = Misses { asked: Vec::new() };
        let mut scorer = Scorer::new(&mut trials, Count::FirstFound);
        let rounds = prepared(words).tune(&given, &mut scorer).unwrap();
        (rounds, trials.asked)
    }

    #[test]
    fn a_population_comes_nearer_to_the_best() {
        let words = "--gene futility_margin_1=0..1023 --population 20 --generations 40";
        let (rounds, asked) = evolve(words);
        assert_eq!((rounds.len(), asked.len(), asked[0].len()), (40, 40, 20));
        let best: Vec<u64> = rounds.iter().map(|round| round.best().nodes).collect();
        assert!(best.is_sorted_by(|before, after| before >= after), "the elite stays: {best:?}");
        assert!(best[0] > 1010 && best[39] < 1010, "{best:?}");
        assert!(rounds[39].mean(|scored| scored.nodes) < rounds[0].mean(|scored| scored.nodes));
        // The same chance again, and another.
        assert_eq!(evolve(words).0, rounds);
        assert_ne!(evolve(&format!("{words} --population-seed 2")).0, rounds);
    }

    #[test]
    fn a_population_can_begin_with_what_was_given() {
        let words = "--gene futility_margin_1=0..1023 --generations 2";
        let [random, begun] = ["", "--from-given"].map(|option| evolve(&format!("{words} {option}")).1.swap_remove(0));
        assert_eq!(begun[0], given());
        assert_ne!(random[0], given());
        assert_eq!(begun[1..], random[1..], "the others are as random as before");
    }

    #[test]
    fn without_chance_the_best_and_copies_are_left() {
        let (rounds, asked) =
            evolve("--gene futility_margin_1=0..1023 --crossover 0 --mutation 0 --generations 5 --population 6");
        for (before, after) in asked.iter().zip(&asked[1..]) {
            assert!(after.iter().all(|candidate| before.contains(candidate)), "nothing new");
        }
        assert_eq!(rounds[4].best(), rounds[0].best());
        assert_eq!(rounds[4].tried[0], *rounds[0].best(), "the elite comes first");
    }

    #[test]
    fn bits_flip_and_cross_as_often_as_they_should() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let count = |chromosomes: &[Chromosome]| {
            chromosomes.iter().flat_map(|chromosome| &chromosome.0).filter(|&&bit| bit).count() as f64 / 100_000.0
        };
        let [zeros, ones] = [false, true].map(|bit| Chromosome(vec![bit; 100]));
        let mut children = |words: &str, second: &Chromosome| -> Vec<Chromosome> {
            let method = prepared(&format!("--gene null_move {words}"));
            (0..1000).map(|_| method.child(&zeros, second, &mut random)).collect()
        };
        let flipped = count(&children("--crossover 0 --mutation 0.05", &ones));
        assert!((flipped - 0.05).abs() < 0.003, "{flipped}");
        let crossed = children("--crossover 0.75 --mutation 0", &ones);
        // Three quarters of the children have half of their bits of the other parent, the rest none.
        let copies = crossed.iter().filter(|&child| *child == zeros).count() as f64 / 1000.0;
        assert!((copies - 0.25).abs() < 0.05 && (count(&crossed) - 0.375).abs() < 0.02, "{copies} {}", count(&crossed));
    }

    #[test]
    fn selection_is_proportional_to_fitness() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let mut times = [0.0_f64; 3];
        for _ in 0..10_000 {
            times[select(&[1.0, 2.0, 5.0], &mut random)] += 1.0 / 10_000.0;
        }
        for (share, expected) in times.iter().zip([0.125, 0.25, 0.625]) {
            assert!((share - expected).abs() < 0.02, "{times:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (words, setup, expected) in [
            ("", Setup::full(), "--gene: there is nothing to evolve"),
            ("--gene nul_move", Setup::full(), "gene nul_move: there is no search parameter"),
            ("--gene null_move --mutation 1.5", Setup::full(), "mutation 1.5: a probability"),
            ("--gene null_move --crossover nan", Setup::full(), "crossover NaN: a probability"),
            ("--gene null_move", Setup::plain(ExtensionTable::default(), 1), "add --profile full"),
        ] {
            let error = genetic(words).prepare(&Chess::VOCABULARY, &given(), &setup).unwrap_err().to_string();
            assert!(error.contains(expected), "{words}: {error}");
        }
        let plain = Setup::plain(ExtensionTable::default(), 1);
        assert!(genetic("--gene AcK=1..0/5").prepare(&Chess::VOCABULARY, &given(), &plain).is_ok());
    }
}
