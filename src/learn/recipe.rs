// SPDX-License-Identifier: GPL-3.0-or-later
//! How a run learns, as commands and files describe it.

use std::fmt;
use std::ops::RangeInclusive;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::event::Event;
use super::fitness::{Conditions, Fitness, Measure};
use super::held_out::divide;
use super::methods::brute_force;
use super::methods::gradual_focus::{self, Settings, Threshold};
use super::outcome::Outcome;
use crate::features::{AtomSet, FeatureError, Grouping, Vocabulary};
use crate::game::Notation;
use crate::search::{Depth, Profile, Setup};
use crate::suite::Suite;

/// The methods there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Grow conjunctions of atoms and keep those that solve more positions
    #[default]
    GradualFocus,
    /// Try every conjunction of so many atoms
    BruteForce,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GradualFocus => "gradual focus",
            Self::BruteForce => "brute force",
        })
    }
}

/// A method with its options, by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recipe {
    /// The method.
    pub method: Method,
    /// The atoms to start from; those of the game's papers if empty.
    pub atoms: Vec<String>,
    /// The grouping; the game's first if none.
    pub groups: Option<String>,
    /// As [`Settings::epsilon`].
    pub epsilon: u32,
    /// As [`Settings::strictly_better`].
    pub strictly_better: bool,
    /// As [`Settings::early_rejection`].
    pub early_rejection: bool,
    /// As [`Settings::linear_tree_pruning`].
    pub linear_tree_pruning: bool,
    /// Whether Base features below the threshold are dropped.
    pub threshold_pruning: bool,
    /// The threshold; Neutral's value if none.
    pub delta: Option<i64>,
    /// Atoms that threshold pruning must not drop.
    pub unsafe_to_prune: Vec<String>,
    /// Whether it spares the atoms that the game's authors mark.
    pub domain_knowledge: bool,
    /// Features that are never tried, alone or as part of others; if none, those that the game's papers leave out.
    pub blacklist: Option<Vec<String>>,
    /// Stop after so many features.
    pub max_evaluations: Option<u32>,
    /// The most atoms of a feature, for brute force.
    pub max_atoms: u32,
    /// The costs of a move with a feature, in plies: each is tried with each feature, and the best counts. If empty,
    /// the cost that the command or the file sets for all.
    pub plies: Vec<f64>,
    /// What a search counts.
    pub fitness: Measure,
    /// As [`Conditions::frequency_penalty`].
    pub frequency_penalty: f64,
    /// As [`Conditions::repeats`].
    pub repeats: u32,
    /// As [`Settings::significance`].
    pub significance: Option<f64>,
    /// The share of the held-out positions, 0 to 1; what the output solves of them is reported.
    pub held_out: f64,
    /// The most rows of a disjunction; 1 grows none.
    pub rows: u32,
    /// The number of kinds from whose best feature a disjunction is grown.
    pub starts: u32,
}

/// The papers' options where they have one value for all experiments with Breakthrough.
impl Default for Recipe {
    fn default() -> Self {
        Self {
            method: Method::default(),
            atoms: Vec::new(),
            groups: None,
            epsilon: 3,
            strictly_better: false,
            early_rejection: false,
            linear_tree_pruning: true,
            threshold_pruning: true,
            delta: None,
            unsafe_to_prune: Vec::new(),
            domain_knowledge: false,
            blacklist: None,
            max_evaluations: None,
            max_atoms: 3,
            plies: Vec::new(),
            fitness: Measure::default(),
            frequency_penalty: 0.0,
            repeats: 1,
            significance: None,
            held_out: 0.0,
            rows: 1,
            starts: 1,
        }
    }
}

/// An option that does not fit the game.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RecipeError {
    /// A name that is no feature.
    #[error("{option} {name}: {error}")]
    Feature {
        /// Which option.
        option: &'static str,
        /// What was given.
        name: String,
        /// What is wrong with it.
        error: FeatureError,
    },
    /// No such grouping.
    #[error("groups {name}: this game has the groupings {known}")]
    Grouping {
        /// What was given.
        name: String,
        /// The valid groupings.
        known: String,
    },
    /// A number out of its range.
    #[error("{option} {given}: {expected}")]
    Number {
        /// Which option.
        option: &'static str,
        /// What was given.
        given: f64,
        /// What is valid.
        expected: String,
    },
}

impl RecipeError {
    /// The option's key in files.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Feature { option, .. } | Self::Number { option, .. } if *option != "ply" => option.replace('-', "_"),
            Self::Grouping { .. } => "groups".to_owned(),
            // One for all on the command line, a list in files.
            _ => "plies".to_owned(),
        }
    }
}

impl Recipe {
    /// The options as the methods want them.
    ///
    /// # Errors
    /// Names the option that does not fit the game.
    pub fn settings(&self, vocabulary: &Vocabulary) -> Result<Settings, RecipeError> {
        let read = |option: &'static str, names: &[String]| -> Result<Vec<AtomSet>, RecipeError> {
            let feature = |name: &String| {
                vocabulary.parse(name).map_err(|error| RecipeError::Feature { option, name: name.clone(), error })
            };
            names.iter().map(feature).collect()
        };
        let default = || vocabulary.blacklist.iter().map(|&name| name.to_owned()).collect();
        let blacklist = read("blacklist", &self.blacklist.clone().unwrap_or_else(default))?;
        let marked = vocabulary.atoms.iter().enumerate().filter(|(_, atom)| self.domain_knowledge && !atom.prunable);
        let marked: AtomSet = marked.map(|(index, _)| AtomSet::single(index)).collect();
        let named: AtomSet = read("unsafe-to-prune", &self.unsafe_to_prune)?.into_iter().collect();
        let threshold = Threshold { delta: self.delta, unsafe_to_prune: marked | named };
        let named: AtomSet = read("atoms", &self.atoms)?.into_iter().collect();
        Ok(Settings {
            base: if named.is_empty() { vocabulary.base() } else { named },
            groups: vocabulary.groups(self.grouping(vocabulary)?),
            linear_tree_pruning: self.linear_tree_pruning,
            threshold_pruning: self.threshold_pruning.then_some(threshold),
            epsilon: self.epsilon,
            strictly_better: self.strictly_better,
            early_rejection: self.early_rejection,
            significance: self.significance,
            blacklist,
            max_evaluations: self.max_evaluations.map(|most| most as usize),
        })
    }

    /// How features are tried by a search with that many nodes. `ply` is the cost of a move with a feature if the
    /// recipe sets none.
    ///
    /// # Errors
    /// Names the option that is out of its range.
    pub fn conditions(&self, ply: Depth, nodes: u64, setup: Setup) -> Result<Conditions, RecipeError> {
        let number =
            |option, given, expected: &str| RecipeError::Number { option, given, expected: expected.to_owned() };
        let check = |option, given: f64, range: RangeInclusive<f64>, expected| {
            if range.contains(&given) { Ok(()) } else { Err(number(option, given, expected)) }
        };
        let cost = |&given: &f64| Depth::from_cost(given).map_err(|error| number("ply", given, &error.to_string()));
        let plies =
            if self.plies.is_empty() { vec![ply] } else { self.plies.iter().map(cost).collect::<Result<_, _>>()? };
        check("frequency-penalty", self.frequency_penalty, 0.0..=1e6, "positions a percent, not negative")?;
        check("held-out", self.held_out, 0.0..=0.9, "the share of held-out positions is from 0 to 0.9")?;
        check("significance", self.significance.unwrap_or(0.05), 0.0..=1.0, "a probability is from 0 to 1")?;
        let most_repeats = if setup.profile == Profile::Full { 1.0 } else { 1000.0 };
        let repeats = "searches are repeated 1 to 1000 times, and those of the full search once: it knows no seeds";
        check("repeats", f64::from(self.repeats), 1.0..=most_repeats, repeats)?;
        check("rows", f64::from(self.rows), 1.0..=64.0, "a table has 1 to 64 rows")?;
        check("starts", f64::from(self.starts), 1.0..=1e6, "it begins at least once")?;
        Ok(Conditions {
            plies,
            nodes,
            setup,
            repeats: self.repeats as usize,
            measure: self.fitness,
            frequency_penalty: self.frequency_penalty,
        })
    }

    /// The positions to learn from, and those held out.
    ///
    /// # Errors
    /// If positions are to be held out, and the choice would be none or all of them.
    pub fn parts<G: Notation>(&self, suite: &Suite<G>, seed: u64) -> Result<[Suite<G>; 2], RecipeError> {
        let parts = divide(suite, self.held_out, seed);
        if self.held_out > 0.0 && parts.iter().any(|part| part.problems.is_empty()) {
            let expected = format!("some of the {} positions must be held out, and some not", suite.problems.len());
            return Err(RecipeError::Number { option: "held-out", given: self.held_out, expected });
        }
        Ok(parts)
    }

    fn grouping(&self, vocabulary: &Vocabulary) -> Result<&'static Grouping, RecipeError> {
        let groupings = vocabulary.groupings;
        let wanted = self.groups.as_deref();
        let found = groupings.iter().find(|grouping| wanted.is_none_or(|name| grouping.name == name));
        found.ok_or_else(|| {
            let list = groupings.iter().map(|grouping| format!("{} ({})", grouping.name, grouping.description));
            RecipeError::Grouping {
                name: wanted.unwrap_or_default().to_owned(),
                known: list.collect::<Vec<_>>().join(", "),
            }
        })
    }

    /// Learns; `settings` are this recipe's own.
    ///
    /// # Errors
    /// The fitness's own.
    pub fn learn<F: Fitness>(
        &self,
        vocabulary: &Vocabulary,
        settings: &Settings,
        fitness: &mut F,
        follow: impl FnMut(Event<'_>),
    ) -> Result<Outcome, F::Error> {
        match self.method {
            Method::GradualFocus => gradual_focus::learn(vocabulary, settings, fitness, follow),
            Method::BruteForce => brute_force::learn(settings, self.max_atoms as usize, fitness, follow),
        }
    }
}
