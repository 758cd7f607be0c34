// SPDX-License-Identifier: GPL-3.0-or-later
//! How an engine is to search: everything that is chosen at run time except game and evaluation.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::control::Control;
use super::parameters::Parameters;
use super::weaker::{Strength, Weaker};
use super::{Engine, Full, Plain, Realization};
use crate::base::endings::Endings;
use crate::evaluation::Evaluation;
use crate::features::ExtensionTable;
use crate::game::Tactics;

/// The two searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// The thesis's program: alpha-beta and nothing else. The default for learning.
    #[default]
    Plain,
    /// The search with all techniques, which plays games.
    Full,
}

impl Profile {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Plain, Self::Full];

    /// Its name in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Full => "full",
        }
    }
}

/// The default size of the transposition table, in MiB.
pub const DEFAULT_HASH: usize = 16;

/// The most memory for the transposition table, in MiB.
pub const MOST_HASH: u32 = 65_536;

/// A search's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Which search.
    pub profile: Profile,
    /// What every move costs.
    pub table: ExtensionTable,
    /// How moves that cost more than one ply are searched.
    pub realization: Realization,
    /// The order of moves in the plain search, for the full one has an order of its own; and the mistakes of a limited
    /// strength.
    pub seed: u64,
    /// The full search's parameters.
    pub parameters: Parameters,
    /// The model of learned reductions, if the game has one.
    pub control: Option<Arc<Control>>,
    /// Tables of endings that the full search asks, if there are any.
    pub endings: Option<Arc<Endings>>,
    /// What they are unless they are set: files of parameters say what differs from these. No search asks for it.
    pub defaults: Box<Parameters>,
    /// The full search's transposition table, in MiB.
    pub hash: usize,
    /// Threads of the full search.
    pub threads: usize,
    /// The strength, if it is to be less than it could be.
    pub strength: Option<Strength>,
    /// What a logit is worth in hundredths of a pawn: by how much a mistake of a limited strength is one.
    pub logit: i32,
}

impl Setup {
    /// The plain search.
    pub fn plain(table: ExtensionTable, seed: u64) -> Self {
        Self { profile: Profile::Plain, table, seed, ..Self::full() }
    }

    /// The full search with the defaults of all games, on one thread and without extensions.
    pub fn full() -> Self {
        Self {
            profile: Profile::Full,
            table: ExtensionTable::default(),
            realization: Realization::Off,
            seed: 1,
            parameters: Parameters::DEFAULT,
            control: None,
            endings: None,
            defaults: Box::default(),
            hash: DEFAULT_HASH,
            threads: 1,
            strength: None,
            logit: 100,
        }
    }

    /// An engine with these settings and that evaluation.
    pub fn engine<G: Tactics, E: Evaluation<G>>(&self, evaluation: E) -> Box<dyn Engine<G>> {
        let unit = evaluation.unit();
        let engine: Box<dyn Engine<G>> = match self.profile {
            Profile::Plain => {
                let (table, realization) = (self.table.clone(), self.realization);
                Box::new(Plain { table, realization, seed: self.seed, evaluation })
            }
            Profile::Full => Box::new(Full { setup: self.clone(), evaluation }),
        };
        match self.strength {
            Some(strength) => {
                let logit = (self.logit * unit / 100).max(1);
                Box::new(Weaker { engine, strength, logit, seed: self.seed })
            }
            None => engine,
        }
    }
}

/// The settings of the full search that results depend on: part of a journal's configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FullSettings {
    /// The transposition table, in MiB.
    pub hash: usize,
    /// The identity of the model of search control, where a parameter turns it on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// The identity of the tables of endings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endings: Option<String>,
    /// The parameters that are not at the defaults of all games ([`Parameters::DEFAULT`]).
    pub parameters: BTreeMap<String, String>,
    /// The strength, if it is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
}

impl FullSettings {
    /// None for the plain search, which has no settings.
    pub fn of(setup: &Setup) -> Option<Self> {
        let full = setup.profile == Profile::Full;
        let control = setup.control.as_ref().filter(|_| setup.parameters.learned_reductions);
        let control = control.map(|control| control.identity().to_owned());
        let endings = setup.endings.as_ref().map(|endings| endings.identity().to_owned());
        let parameters = setup.parameters.non_default();
        full.then_some(Self { hash: setup.hash, control, endings, parameters, strength: setup.strength })
    }
}
