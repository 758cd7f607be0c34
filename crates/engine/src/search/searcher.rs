// SPDX-License-Identifier: GPL-3.0-or-later
//! A search with all its settings, and its record in journals.

use serde::{Deserialize, Serialize};

use super::{Engine, Evaluator, FullSettings, Parameters, Profile, Realization, Setup};
use crate::base::digest;
use crate::features::AtomSet;
use crate::game::Game;

/// A search, ready to be used: its evaluation and all its settings.
#[derive(Clone, Debug)]
pub struct Searcher<G: Game> {
    /// The static evaluation.
    pub evaluation: Evaluator<G>,
    /// All other settings.
    pub setup: Setup,
}

impl<G: Game> Searcher<G> {
    /// The search itself.
    pub fn engine(&self) -> Box<dyn Engine<G>> {
        self.evaluation.engine(&self.setup)
    }

    /// What its results depend on, except the seed and the limits.
    pub fn record(&self) -> SearchRecord {
        let table = &self.setup.table;
        let mut extensions = table.summary(&G::VOCABULARY);
        if let Some(own) = table.own().filter(|own| table.wanted().meets(AtomSet(own.bits()))) {
            // Other definitions under the same names are another search.
            extensions += " sha256:";
            extensions += &digest::short(own.text(table.wanted().0));
        }
        SearchRecord {
            profile: self.setup.profile,
            extensions,
            realization: self.setup.realization,
            evaluation: self.evaluation.identity().to_owned(),
            full: FullSettings::of(&self.setup),
        }
    }
}

/// Two searches are equal if all their results are. Files of evaluations are compared by their contents.
impl<G: Game> PartialEq for Searcher<G> {
    fn eq(&self, other: &Self) -> bool {
        self.evaluation.identity() == other.evaluation.identity() && self.setup == other.setup
    }
}

/// What a search's results depend on, except the seed and the limits. Journals and baselines store it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// Which search.
    pub profile: Profile,
    /// The extension table in one line, with a hash of the definitions of atoms that are not the game's.
    pub extensions: String,
    /// How moves that cost more than one ply are searched.
    #[serde(default, skip_serializing_if = "Realization::is_off")]
    pub realization: Realization,
    /// The evaluation's identity.
    pub evaluation: String,
    /// Settings of the full search; none for the plain one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<FullSettings>,
}

impl SearchRecord {
    /// The settings of the full search as texts: `16 MiB`, `null_move=false`. `usual` are the game's parameters with
    /// the evaluation of an identity; only those that differ from them are said.
    pub fn settings(&self, usual: impl Fn(&str) -> Parameters) -> Vec<String> {
        let Some(FullSettings { hash, parameters, strength, .. }) = &self.full else { return Vec::new() };
        let mut used = Parameters::DEFAULT;
        // Another version may have had parameters that this one has not.
        let is_known = parameters.iter().all(|(name, value)| used.set(name, value).is_ok());
        let said = if is_known { used.changes_from(&usual(&self.evaluation)) } else { parameters.clone() };
        let said = said.iter().map(|(name, value)| format!("{name}={value}"));
        let strength = strength.map(|strength| strength.to_string());
        std::iter::once(format!("{hash} MiB")).chain(said).chain(strength).collect()
    }

    /// The search in one line, without its evaluation if that is the default of its profile, and without the parameters that
    /// are the usual ones ([`settings`](Self::settings)).
    pub fn description(
        &self,
        default_evaluation: impl Fn(Profile) -> String,
        usual: impl Fn(&str) -> Parameters,
    ) -> String {
        let mut parts = vec![format!("{} search", self.profile.name()), format!("extensions {}", self.extensions)];
        if !self.realization.is_off() {
            parts.push(format!("realization {}", self.realization));
        }
        if self.evaluation != default_evaluation(self.profile) {
            parts.push(format!("evaluation {}", self.evaluation));
        }
        parts.extend(self.settings(usual));
        parts.join(", ")
    }
}
