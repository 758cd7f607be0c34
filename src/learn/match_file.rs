// SPDX-License-Identifier: GPL-3.0-or-later
//! The tournament that tests whether what is best on positions is best in games, as a definition's text.

use super::candidate::Candidate;
use super::fitness::Conditions;
use crate::game::Game;
use crate::search::{Parameters, Profile, Setup};

/// The number of games for each two of the players.
pub const GAMES: u32 = 1000;

/// A tournament of candidates with names, in the search that learned. `origin` says what made it.
#[must_use]
pub fn match_toml<G: Game>(
    players: &[(&str, &Candidate)],
    conditions: &Conditions,
    evaluation: &str,
    origin: &str,
) -> String {
    let Conditions { nodes, setup, .. } = conditions;
    let mut text = String::from("# halfply tournament run THIS-FILE: is what is best on positions best in games?\n");
    text.extend(origin.lines().map(|line| format!("# {line}\n")));
    text += &format!(
        "format = 1\ngame = \"{}\"\nkind = \"round-robin\"\ngames = {GAMES}\nseed = 1\ncomments = false\n\n[defaults]\n\
         profile = \"{}\"\nevaluation = \"{evaluation}\"\nnodes = {nodes}\n",
        G::NAME,
        setup.profile.name()
    );
    if !setup.realization.is_off() {
        text += &format!("realization = \"{}\"\n", setup.realization.name());
    }
    let is_full = setup.profile == Profile::Full;
    if is_full {
        text += &format!("hash = {}\n{}", setup.hash, parameters(&setup.parameters, setup));
    }
    for (name, candidate) in players {
        let table = candidate.table.summary(&G::VOCABULARY);
        text += &format!("\n[[player]]\nname = \"{name}\"\nextend = \"{table}\"\n");
        if is_full && candidate.parameters != setup.parameters {
            text += &parameters(&candidate.parameters, setup);
        }
    }
    text
}

/// The key for parameters.
fn parameters(parameters: &Parameters, setup: &Setup) -> String {
    let changed = parameters.changes_from(&setup.defaults);
    let changed: Vec<String> = changed.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("parameters = {{ {} }}\n", changed.join(", "))
}
