// SPDX-License-Identifier: GPL-3.0-or-later
//! What a run of a suite depends on: two runs are compared only if these are the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Suite;
use halfply_engine::base::difference;
use halfply_engine::game::{Game, Notation};
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{FullSettings, Profile, Realization, SearchRecord, Strength};

/// Everything that a run's results depend on, except the program itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// The game.
    pub game: String,
    /// SHA-256 of the suite's positions and answers.
    pub digest: String,
    /// Nodes a position.
    pub nodes: u64,
    /// Our search; this and the other fields of our search are none for an external engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// The static evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
    /// The extension table in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<String>,
    /// How moves that cost more than one ply are searched.
    #[serde(default, skip_serializing_if = "Realization::is_off")]
    pub realization: Realization,
    /// The order of moves of the plain search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The full search's transposition table in MiB; none for the plain search, which has no such table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<usize>,
    /// The model of search control, where one is used that is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// The tables of endings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endings: Option<String>,
    /// The strength, if it is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// The full search's parameters that are not at their defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// How the external engine was run; none for our search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramTerms>,
}

/// What the results of an external engine depend on, except the program itself: a baseline is there to test its next
/// version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramTerms {
    /// The options that were set, in their order, as `name=value`.
    pub options: Vec<String>,
    /// Whether its nodes were watched: it searched without a limit, and was stopped when it reported that many nodes.
    pub watch_nodes: bool,
}

impl Terms {
    /// What it means to give the suite to that search.
    pub fn new<G: RegisteredGame>(suite: &Suite<G>, search: SearchRecord, seed: u64, nodes: u64) -> Self {
        let SearchRecord { profile, extensions, realization, evaluation, full } = search;
        let plain = Self {
            profile: Some(profile),
            evaluation: Some(evaluation),
            extensions: Some(extensions),
            realization,
            seed: Some(seed),
            ..Self::bare(suite, nodes)
        };
        let Some(FullSettings { hash, control, endings, parameters, strength }) = full else { return plain };
        let is_own = |identity: &String| G::control().is_some_and(|own| own.identity() == identity);
        let control = control.filter(|identity| !is_own(identity));
        Self { hash: Some(hash), control, endings, strength, parameters, ..plain }
    }

    /// The terms of a run of an external engine.
    pub fn of_program<G: Notation>(suite: &Suite<G>, program: ProgramTerms, nodes: u64) -> Self {
        Self { program: Some(program), ..Self::bare(suite, nodes) }
    }

    /// The suite and the limit, for any player.
    fn bare<G: Notation>(suite: &Suite<G>, nodes: u64) -> Self {
        Self {
            game: <G as Game>::NAME.to_owned(),
            digest: suite.digest.clone(),
            nodes,
            profile: None,
            evaluation: None,
            extensions: None,
            realization: Realization::Off,
            seed: None,
            hash: None,
            control: None,
            endings: None,
            strength: None,
            parameters: BTreeMap::new(),
            program: None,
        }
    }

    /// The differences between these terms and `others`, in words; empty if they are the same.
    pub fn difference(&self, others: &Self) -> String {
        let fields = |terms: &Self| match serde_json::to_value(terms) {
            Ok(Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        if self.program.is_some() != others.program.is_some() {
            let whose = if others.program.is_some() { "another program" } else { "our own search" };
            return format!("it is of {whose}");
        }
        let (mut now, mut before) = (fields(self), fields(others));
        // Two hashes would mean nothing to a reader.
        let [digest, other] = [&mut now, &mut before].map(|fields| fields.remove("digest"));
        let suite = (digest != other).then(|| "the suite is another one, or has changed".to_owned());
        let rest = Some(difference::in_words(&before, &now)).filter(|text| !text.is_empty());
        suite.into_iter().chain(rest).collect::<Vec<_>>().join("; ")
    }

    /// Whether both are of the same positions.
    pub fn has_positions_of(&self, other: &Self) -> bool {
        (&self.game, &self.digest) == (&other.game, &other.digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn all_settings_of_the_full_search_are_compared_but_the_games_own_model() {
        let suite = Suite::<Breakthrough>::parse("8/7p/8/8/8/8/P7/8 w - - bm a2a3;", "s.epd").unwrap();
        let terms = |control: &str, endings: Option<&str>, strength| {
            let (control, endings) = (Some(control.to_owned()), endings.map(str::to_owned));
            let full = Some(FullSettings { hash: 4, control, endings, parameters: BTreeMap::new(), strength });
            let (profile, realization) = (Profile::Full, Realization::Off);
            let [extensions, evaluation] = ["none", "advancement"].map(str::to_owned);
            Terms::new(&suite, SearchRecord { profile, extensions, realization, evaluation, full }, 1, 100)
        };
        let usual = terms(Breakthrough::control().unwrap().identity(), None, None);
        assert!(!serde_json::to_string(&usual).unwrap().contains("control"), "{usual:?}");
        for (other, expected) in [
            (terms("mine", None, None), "control was not set and is mine"),
            (terms("mine", Some("syzygy"), None), "endings was not set and is syzygy"),
            (terms("mine", None, Some(Strength { nodes: 3, temperature: 5 })), "strength"),
        ] {
            let difference = other.difference(&usual);
            assert!(difference.contains(expected), "{difference}");
        }
    }
}
