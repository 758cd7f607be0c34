// SPDX-License-Identifier: GPL-3.0-or-later
//! Methods that tune settings of the search: costs in an extension table, and parameters of the full search. What they make
//! small is the number of nodes that the search takes to solve a suite.
//!
//! They share positions, searches, journal and held-out positions with the methods that discover features
//! ([`methods`](super::methods)).

pub mod files;
pub mod gene;
mod genetic;
mod gradient;
pub mod listing;
mod objective;
pub mod page;
pub mod run;
pub mod setting;

use clap::Subcommand;
use serde::Serialize;

pub use gene::Genes;
pub use genetic::Genetic;
pub use gradient::Gradient;
pub use objective::{Count, Objective, Scored, Scorer};
pub use setting::Setting;

use super::candidate::Candidate;
use super::searches::Scope;
use super::settings::SettingError;
use crate::run::RunError;
use halfply_engine::features::{AtomSet, Vocabulary};
use halfply_engine::search::Setup;

/// A method, with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Subcommand)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum Tuning {
    /// Evolve parameters of the full search and costs of an extension table, so that a suite takes fewer nodes
    Genetic(Genetic),
    /// Tune the costs in an extension table, or parameters of the full search, by steps against the gradient
    Gradient(Gradient),
}

/// How a run tunes. On record it is one list of settings by name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuningRecipe {
    /// The method, with its settings.
    #[serde(flatten)]
    pub method: Tuning,
    /// What is minimized.
    #[serde(flatten)]
    pub objective: Objective,
}

/// A method whose settings fit a game and a search.
pub trait Tuner {
    /// The settings that it tunes, in their order.
    fn settings(&self) -> &[Setting];

    /// Tunes, beginning with the settings as they were given.
    ///
    /// # Errors
    /// Those of the trials.
    fn tune(&self, given: &Scored, scorer: &mut Scorer<'_>) -> Result<Vec<Round>, RunError>;
}

/// A generation of a population, or a step against the gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The candidates: all of a generation, or where a step led.
    pub tried: Vec<Scored>,
}

impl Round {
    /// The candidate with the fewest nodes; of equal ones the first.
    ///
    /// # Panics
    /// Never for a round that a method made: it has at least one candidate.
    pub fn best(&self) -> &Scored {
        self.tried.iter().min_by_key(|scored| scored.nodes).expect("a round has a candidate")
    }

    /// The mean of a figure over its candidates.
    pub fn mean(&self, figure: impl Fn(&Scored) -> u64) -> f64 {
        let sum: u64 = self.tried.iter().map(figure).fold(0, u64::saturating_add);
        sum as f64 / self.tried.len().max(1) as f64
    }
}

/// What a run found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The settings that were tuned.
    pub settings: Vec<Setting>,
    /// The candidate that was given.
    pub given: Scored,
    /// The rounds, at least one.
    pub rounds: Vec<Round>,
    /// Positions to learn from.
    pub positions: usize,
    /// What the given candidate and the best one do on held-out positions; none if none are held out.
    pub held_out: Option<HeldOut>,
}

impl Tuned {
    /// The best candidate of all rounds; of equal ones the first.
    ///
    /// # Panics
    /// Never for what a method found: there is at least one round.
    pub fn best(&self) -> &Scored {
        let best = self.rounds.iter().map(Round::best).min_by_key(|scored| scored.nodes);
        best.expect("a run has a round")
    }

    /// Whether the best candidate is another search than the given one.
    pub fn has_changed(&self) -> bool {
        self.best().candidate.trimmed() != self.given.candidate.trimmed()
    }
}

/// What candidates do on positions that were not learned from.
#[derive(Clone, Debug)]
pub struct HeldOut {
    /// How many positions there are.
    pub positions: usize,
    /// The candidate that was given.
    pub given: Scored,
    /// The best one.
    pub best: Scored,
}

impl Tuning {
    /// Its name in texts.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Genetic(_) => "genetic search",
            Self::Gradient(_) => "gradient descent",
        }
    }

    /// What one of its rounds is called.
    pub fn round(&self) -> &'static str {
        match self {
            Self::Genetic(_) => "generation",
            Self::Gradient(_) => "iteration",
        }
    }

    /// The genes that it tunes.
    pub fn genes(&mut self) -> &mut Genes {
        match self {
            Self::Genetic(settings) => &mut settings.genes,
            Self::Gradient(settings) => &mut settings.genes,
        }
    }

    /// The method for a game with that vocabulary, beginning with that candidate in that search.
    ///
    /// # Errors
    /// Names the setting that does not fit.
    pub fn tuner(
        &self,
        vocabulary: &Vocabulary,
        given: &Candidate,
        setup: &Setup,
    ) -> Result<Box<dyn Tuner>, SettingError> {
        Ok(match self {
            Self::Genetic(settings) => Box::new(settings.prepare(vocabulary, given, setup)?),
            Self::Gradient(settings) => Box::new(settings.prepare(vocabulary, given, setup)?),
        })
    }
}

/// What the searches of a run may name that tunes those settings and begins with that candidate.
fn scope(settings: &[Setting], given: &Candidate) -> Scope {
    let atoms = settings.iter().map(|setting| match setting {
        Setting::Cost(feature) => *feature,
        Setting::Parameter(_) => AtomSet::EMPTY,
    });
    let parameters = settings.iter().any(|setting| matches!(setting, Setting::Parameter(_)));
    Scope { atoms: atoms.chain([given.table.wanted()]).collect(), parameters }
}
