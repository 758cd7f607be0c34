// SPDX-License-Identifier: GPL-3.0-or-later
//! A search or another program: its description, itself, and its record.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::program_spec::{Program, ProgramRecord, ProgramSpec};
use super::search_spec::{SearchSpec, SearchSpecError};
use crate::client::CommandError;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{Parameters, Profile, SearchRecord, Searcher};

/// The description of a player, from a file or a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PlayerSpec {
    /// Another program. It is tried first, because its `command` identifies it.
    Program(ProgramSpec),
    /// A search of this program.
    Search(SearchSpec),
}

/// What is wrong in a description.
#[derive(Debug, Error)]
pub enum SpecError {
    /// A setting of a search.
    #[error(transparent)]
    Search(#[from] SearchSpecError),
    /// The command of a program.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// A player.
#[derive(Clone, Debug)]
pub enum Player<G: RegisteredGame> {
    /// A search of this program.
    Search(Searcher<G>),
    /// Another program.
    Program(Program),
}

/// What a player's results depend on, except seed and limits. Journals store it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PlayerRecord {
    /// A search of this program.
    Search(SearchRecord),
    /// Another program.
    Program(ProgramRecord),
}

impl PlayerSpec {
    /// The player. `path` locates the named files, and `seed` determines the order of moves in the plain search.
    ///
    /// # Errors
    /// As [`SearchSpec::searcher`] and [`ProgramSpec::program`].
    pub fn player<G: RegisteredGame>(
        &self,
        seed: u64,
        path: impl Fn(&Path) -> PathBuf,
    ) -> Result<Player<G>, SpecError> {
        Ok(match self {
            Self::Search(spec) => Player::Search(spec.searcher(seed, path)?),
            Self::Program(spec) => Player::Program(spec.program::<G>(path)?),
        })
    }
}

impl SpecError {
    /// The keys that lead to the value that is wrong.
    pub fn path(&self) -> Vec<&str> {
        match self {
            Self::Search(error) => error.path(),
            Self::Command(_) => vec!["command"],
        }
    }
}

impl<G: RegisteredGame> Player<G> {
    /// The profile of a search; none for other programs.
    pub fn profile(&self) -> Option<Profile> {
        match self {
            Self::Search(searcher) => Some(searcher.setup.profile),
            Self::Program(_) => None,
        }
    }

    /// What its results depend on, except seed and limits.
    pub fn record(&self) -> PlayerRecord {
        match self {
            Self::Search(searcher) => PlayerRecord::Search(searcher.record()),
            Self::Program(program) => PlayerRecord::Program(program.record()),
        }
    }
}

impl PlayerRecord {
    /// The player in one line, as [`SearchRecord::description`].
    pub fn description(
        &self,
        default_evaluation: impl Fn(Profile) -> String,
        usual: impl Fn(&str) -> Parameters,
    ) -> String {
        match self {
            Self::Search(record) => record.description(default_evaluation, usual),
            Self::Program(record) => record.description(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn a_command_makes_a_program_and_everything_else_a_search() {
        let spec = |text: &str| toml::from_str::<PlayerSpec>(text);
        assert!(matches!(spec("command = \"x\"").unwrap(), PlayerSpec::Program(_)));
        assert!(matches!(spec("profile = \"full\"").unwrap(), PlayerSpec::Search(_)));
        assert!(spec("command = \"x\"\nprofile = \"full\"").is_err());
        for (text, path) in [("command = \"'\"", "command"), ("hash = 1", "hash")] {
            let error = spec(text).unwrap().player::<Breakthrough>(1, Path::to_owned).unwrap_err();
            assert_eq!(error.path(), [path]);
        }
    }

    #[test]
    fn what_is_described_can_be_recorded_and_read_again() {
        for text in ["extend = \"C@0.5\"", "profile = \"full\"\nhash = 1", "command = \"x -y\""] {
            let spec: PlayerSpec = toml::from_str(text).unwrap();
            let record = spec.player::<Breakthrough>(1, Path::to_owned).unwrap().record();
            let written = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<PlayerRecord>(&written).unwrap(), record, "{written}");
        }
    }
}
