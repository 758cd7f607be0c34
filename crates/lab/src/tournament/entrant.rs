// SPDX-License-Identifier: GPL-3.0-or-later
//! The players of a tournament, made from their definitions.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::allowance::Allowance;
use super::definition::Definition;
use super::error::TournamentError;
use super::player_definition::{PlayerDefinition, PlayerError};
use crate::client::EngineFault;
use crate::players::{Player, PlayerRecord};
use crate::run::Stop;
use halfply_engine::bench;
use halfply_engine::features::AtomSet;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{Evaluator, Parameters, Searcher, Setup};

/// The time that a program has to get ready: as much as for a move without a clock.
pub fn start_patience(definition: &Definition) -> Duration {
    Duration::from_secs(definition.patience.into())
}

/// A player of a tournament.
#[derive(Clone, Debug)]
pub struct Entrant<G: RegisteredGame> {
    /// Its name; empty until the programs were started, if none was given.
    pub name: String,
    /// What limits its moves.
    pub allowance: Allowance,
    /// Its search or program. A search has the tournament's seed here; in a game its seed is derived from that and the
    /// number of the pair.
    pub player: Player<G>,
}

/// What a player's games depend on, as the header of a journal has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntrantRecord {
    /// Its name.
    pub name: String,
    /// What limits its moves.
    pub limits: String,
    /// Its search or program.
    #[serde(flatten)]
    pub player: PlayerRecord,
}

impl<G: RegisteredGame> Entrant<G> {
    /// The players of a definition.
    ///
    /// # Errors
    /// Names the player and what is wrong with its definition; if there is a file, also the line.
    pub fn all(definition: &Definition) -> Result<Vec<Self>, TournamentError> {
        let defaults = &definition.defaults;
        for (key, is_given) in [("name", defaults.name.is_some()), ("command", defaults.command.is_some())] {
            if is_given {
                let reason = format!("[defaults] is for all players: move {key} to its [[player]]");
                return Err(definition.wrong(&["defaults", key], reason));
            }
        }
        let mut players: Vec<Self> = Vec::new();
        for player in &definition.players {
            let wrong = |path: &[&str], reason: &str| definition.wrong_player(player, path, reason);
            let name = player.name.as_deref();
            if name.is_some_and(|name| !is_name(name)) {
                return Err(wrong(
                    &["name"],
                    "a name must not be empty or have blanks at its ends, quotation marks, line ends or other control \
                     characters, or a dash between blanks or at its ends, which separates two names",
                ));
            }
            let name = name.unwrap_or_default();
            if !name.is_empty() && players.iter().any(|other| other.name == name) {
                return Err(wrong(&["name"], "two players have this name: rename one of them"));
            }
            let own = player.with_defaults(defaults);
            let entrant = Self::of(definition, &own, name).map_err(|PlayerError { path, reason }| {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                wrong(&path, &reason)
            })?;
            players.push(entrant);
        }
        if players.len() < 2 {
            return Err(definition.wrong(&[], "a tournament has at least two players: add a [[player]]"));
        }
        Ok(players)
    }

    /// The places of the first two players that differ only by their names. Games between them show nothing.
    pub fn twins(players: &[Self]) -> Option<[usize; 2]> {
        let records: Vec<EntrantRecord> =
            players.iter().map(|entrant| EntrantRecord { name: String::new(), ..entrant.record() }).collect();
        let twin_before = |index: &usize| records[..*index].contains(&records[*index]);
        let second = (0..records.len()).find(twin_before)?;
        let first = records.iter().position(|record| *record == records[second])?;
        Some([first, second])
    }

    fn of(definition: &Definition, player: &PlayerDefinition, name: &str) -> Result<Self, PlayerError> {
        let spec = player.spec()?;
        let allowance = player.allowance()?;
        let player = spec.player(definition.seed, |path| definition.path(path))?;
        Ok(Self { name: name.to_owned(), allowance, player })
    }

    /// Sets a program for Chess960. A search of this program sees it in the position.
    pub fn play_chess960(&mut self) {
        if let Player::Program(program) = &mut self.player {
            program.play_chess960();
        }
    }

    /// Starts a program once, to check that it runs, has the options, plays the game and obeys its node limit, and to get
    /// its name. Does nothing for a search of this program.
    ///
    /// # Errors
    /// If something is wrong with the program or its options.
    pub fn try_out(&mut self, patience: Duration, stop: &Stop) -> Result<(), EngineFault> {
        if let Player::Program(program) = &mut self.player {
            let interrupted = || stop.is_raised();
            let mut client = program.try_out(patience, &interrupted)?;
            if !self.allowance.is_timed()
                && let Some(nodes) = self.allowance.nodes
            {
                client.keeps_to_nodes("position startpos", nodes, &interrupted)?;
            }
            client.quit();
        }
        Ok(())
    }

    /// The player in one line.
    pub fn description(&self) -> String {
        self.record().description::<G>()
    }

    /// What its games depend on.
    pub fn record(&self) -> EntrantRecord {
        EntrantRecord { name: self.name.clone(), limits: self.allowance.to_string(), player: self.player.record() }
    }
}

impl EntrantRecord {
    /// The player in one line; `G` is the game.
    pub fn description<G: RegisteredGame>(&self) -> String {
        let evaluation = |profile| G::default_evaluation(profile).identity().to_owned();
        let player = self.player.description(evaluation, G::parameters);
        format!("{player}, {}", self.limits)
    }
}

/// Whether a player can be called this. The keys of games put ` - ` between two names.
pub(super) fn is_name(name: &str) -> bool {
    let is_trimmed = !name.is_empty() && name.trim() == name;
    // The added blanks detect a dash at either end.
    is_trimmed
        && !format!(" {name} ").contains(" - ")
        && !name.contains(|symbol: char| symbol == '"' || symbol.is_control())
}

/// The behaviour signature of all searches that play: a benchmark for each profile and evaluation, with all atoms of their
/// tables.
pub fn signature<G: RegisteredGame>(entrants: &[Entrant<G>]) -> u64 {
    let mut searches: Vec<(&Setup, &Evaluator<G>, AtomSet)> = Vec::new();
    for entrant in entrants {
        let Player::Search(Searcher { evaluation, setup }) = &entrant.player else { continue };
        let alike = |(other, others, _): &&mut (&Setup, &Evaluator<G>, AtomSet)| {
            (other.profile, other.realization) == (setup.profile, setup.realization)
                && others.identity() == evaluation.identity()
                && other.parameters.further_techniques(&Parameters::DEFAULT)
                    == setup.parameters.further_techniques(&Parameters::DEFAULT)
        };
        match searches.iter_mut().find(alike) {
            Some((.., atoms)) => *atoms |= setup.table.wanted(),
            None => searches.push((setup, evaluation, setup.table.wanted())),
        }
    }
    let signatures = searches.iter().map(|(setup, evaluation, atoms)| bench::signature(setup, evaluation, *atoms));
    // The sum may wrap: it is only compared.
    signatures.fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn players_are_described_with_all_their_settings() {
        for (text, expected) in [
            (
                r#"{"name":"a","limits":"5 nodes a move","profile":"plain","extensions":"none","evaluation":"safe-advancement"}"#,
                "plain search, extensions none, 5 nodes a move",
            ),
            (
                r#"{"name":"b","limits":"10+0.1 s","profile":"full","extensions":"C@0.5","evaluation":"other",
                    "full":{"hash":4,"parameters":{"null_move":"false"}}}"#,
                "full search, extensions C@0.5, evaluation other, 4 MiB, null_move=false, 10+0.1 s",
            ),
            (
                r#"{"name":"c","limits":"1 s a move","command":"x","options":[["Hash","16"],["Skill Level","3"]],"title":"X 1"}"#,
                "X 1, Hash=16, Skill Level=3, 1 s a move",
            ),
        ] {
            let record: EntrantRecord = serde_json::from_str(text).unwrap();
            assert_eq!(record.description::<Breakthrough>(), expected);
            // A record must be written as it was read, or a journal would not be recognised.
            let written = serde_json::to_value(&record).unwrap();
            assert_eq!(written, serde_json::from_str::<serde_json::Value>(text).unwrap());
        }
    }
}
