// SPDX-License-Identifier: GPL-3.0-or-later
//! A player of a tournament as a file describes it: its name, its search or program, and its limits.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toml::Value;

use super::allowance::Allowance;
use crate::players::{PlayerSpec, ProgramSpec, SearchSpec, SpecError};
use halfply_engine::base::figures::deserialize_optional_count;
use halfply_engine::search::{Profile, Realization, Strength};

/// A player. With a `command` it is another program, else a search of this one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerDefinition {
    /// Its name, which no other player has; by default the name that a program reports, and the table of a search.
    pub name: Option<String>,

    /// The program and its arguments, as for a shell.
    pub command: Option<String>,
    /// The folder it runs in.
    pub directory: Option<PathBuf>,
    /// Its UCI options.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,

    /// Which search of this program.
    pub profile: Option<Profile>,
    /// Its extension table, a file.
    pub extensions: Option<PathBuf>,
    /// Its extension table in one line: `Ud-RdTt@0.5 Rc@0.75`.
    pub extend: Option<String>,
    /// The model of learned reductions, a file.
    pub control: Option<PathBuf>,
    /// Folders with Syzygy's tables of endings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<PathBuf>,
    /// How moves that cost more than one ply are searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub realization: Option<Realization>,
    /// Parameters of the full search: a table, or the name of a file.
    pub parameters: Option<Value>,
    /// The strength of the full search, if it is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// The size of its transposition table in MiB.
    pub hash: Option<u32>,
    /// Its evaluation.
    pub evaluation: Option<String>,

    /// Nodes a move.
    #[serde(default, deserialize_with = "deserialize_optional_count", skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u32>,
    /// Milliseconds a move.
    pub movetime: Option<u64>,
    /// A clock: `10+0.1`.
    pub clock: Option<String>,

    /// Its place in the file, from 0.
    #[serde(skip)]
    pub index: usize,
}

/// What is wrong in a player's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerError {
    /// The keys that lead to the value, inside the player's table; none if it is about the player as a whole.
    pub path: Vec<String>,
    /// What is wrong, and the remedy.
    pub reason: String,
}

impl PlayerError {
    fn new(path: &[&str], reason: impl Display) -> Self {
        Self { path: path.iter().map(|&key| key.to_owned()).collect(), reason: reason.to_string() }
    }
}

impl From<SpecError> for PlayerError {
    fn from(error: SpecError) -> Self {
        Self::new(&error.path(), &error)
    }
}

impl PlayerDefinition {
    /// The same player with `defaults` for what it does not set. It inherits all limits if it sets none of them.
    pub fn with_defaults(&self, defaults: &Self) -> Self {
        let own_limits =
            self.nodes.is_some() || self.depth.is_some() || self.movetime.is_some() || self.clock.is_some();
        let limits = if own_limits { self } else { defaults };
        let mut player = self.clone();
        (player.nodes, player.depth, player.movetime) = (limits.nodes, limits.depth, limits.movetime);
        player.clock.clone_from(&limits.clock);
        if self.command.is_some() {
            // Names of UCI options are case-insensitive.
            let own = |name: &String| self.options.keys().any(|own| own.eq_ignore_ascii_case(name));
            let options = defaults.options.iter().filter(|(name, _)| !own(name));
            player.directory = self.directory.clone().or_else(|| defaults.directory.clone());
            player.options.extend(options.map(|(name, value)| (name.clone(), value.clone())));
            return player;
        }
        let own_table = self.extensions.is_some() || self.extend.is_some();
        let tables = if own_table { self } else { defaults };
        player.extensions.clone_from(&tables.extensions);
        player.extend.clone_from(&tables.extend);
        player.control = self.control.clone().or_else(|| defaults.control.clone());
        player.syzygy = self.syzygy.clone().or_else(|| defaults.syzygy.clone());
        player.profile = self.profile.or(defaults.profile);
        player.realization = self.realization.or(defaults.realization);
        player.hash = self.hash.or(defaults.hash);
        player.parameters = self.parameters.clone().or_else(|| defaults.parameters.clone());
        player.strength = self.strength.or(defaults.strength);
        player.evaluation = self.evaluation.clone().or_else(|| defaults.evaluation.clone());
        player
    }

    /// The description of its search or program.
    ///
    /// # Errors
    /// If a key is for the other kind of player. The error names the key and the remedy.
    pub fn spec(&self) -> Result<PlayerSpec, PlayerError> {
        match &self.command {
            Some(command) => self.program(command).map(PlayerSpec::Program),
            None => self.search().map(PlayerSpec::Search),
        }
    }

    fn search(&self) -> Result<SearchSpec, PlayerError> {
        refuse(
            &[("directory", self.directory.is_some()), ("options", !self.options.is_empty())],
            "is for other programs: add a command, or remove it",
        )?;
        Ok(SearchSpec {
            profile: self.profile.unwrap_or_default(),
            evaluation: self.evaluation.clone(),
            extensions: self.extensions.clone(),
            extend: self.extend.clone(),
            control: self.control.clone(),
            syzygy: self.syzygy.clone(),
            realization: self.realization.unwrap_or_default(),
            hash: self.hash,
            parameters: self.parameters.clone(),
            strength: self.strength,
        })
    }

    fn program(&self, command: &str) -> Result<ProgramSpec, PlayerError> {
        let settings = [
            ("profile", self.profile.is_some()),
            ("extensions", self.extensions.is_some()),
            ("extend", self.extend.is_some()),
            ("control", self.control.is_some()),
            ("syzygy", self.syzygy.is_some()),
            ("realization", self.realization.is_some()),
            ("parameters", self.parameters.is_some()),
            ("strength", self.strength.is_some()),
            ("hash", self.hash.is_some()),
            ("evaluation", self.evaluation.is_some()),
        ];
        refuse(&settings, "is for searches of this program; set a program by options = { Name = value }")?;
        let option = |(name, value): (&String, &Value)| match value {
            Value::String(text) => Ok((name.clone(), text.clone())),
            Value::Integer(_) | Value::Boolean(_) | Value::Float(_) => Ok((name.clone(), value.to_string())),
            _ => {
                let reason = format!("options: {name} must be a text, a number, true or false");
                Err(PlayerError::new(&["options", name], reason))
            }
        };
        let options = self.options.iter().map(option).collect::<Result<_, _>>()?;
        Ok(ProgramSpec { command: command.to_owned(), directory: self.directory.clone(), options })
    }

    /// What limits its moves.
    ///
    /// # Errors
    /// If it has no limit, or one that is out of range.
    pub fn allowance(&self) -> Result<Allowance, PlayerError> {
        let control = self.clock.as_deref().map(str::parse).transpose();
        let allowance = Allowance {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.movetime.map(Duration::from_millis),
            control: control.map_err(|reason: String| PlayerError::new(&["clock"], format!("clock: {reason}")))?,
        };
        if allowance.is_endless() {
            return Err(PlayerError::new(&[], "nothing limits its searches: set nodes, depth, movetime or clock"));
        }
        let depth = self.depth.map(u64::from);
        for (key, value) in [("nodes", self.nodes), ("depth", depth), ("movetime", self.movetime)] {
            if value == Some(0) {
                return Err(PlayerError::new(&[key], format!("{key} must be at least 1")));
            }
        }
        if self.movetime.is_some_and(|time| time > 86_400_000) {
            return Err(PlayerError::new(&["movetime"], "movetime must be at most a day, 86400000 ms"));
        }
        Ok(allowance)
    }
}

/// Refuses the first key that is given.
fn refuse(keys: &[(&str, bool)], reason: &str) -> Result<(), PlayerError> {
    match keys.iter().find(|(_, is_given)| *is_given) {
        Some((key, _)) => Err(PlayerError::new(&[key], format!("{key} {reason}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(text: &str) -> PlayerDefinition {
        let defaults = "profile = 'full'\nnodes = 5\nextend = 'C@0.5'\noptions = { Hash = 1, Threads = 1 }";
        let [player, defaults] = [text, defaults].map(|text| toml::from_str::<PlayerDefinition>(text).unwrap());
        player.with_defaults(&defaults)
    }

    #[test]
    fn players_inherit_the_defaults() {
        let timed = player("name = 'a'\nclock = '1+0'");
        assert_eq!((timed.nodes, timed.clock.as_deref()), (None, Some("1+0")));
        assert_eq!((timed.profile, timed.extend.as_deref()), (Some(Profile::Full), Some("C@0.5")));
        let with_table = player("name = 'b'\nextensions = 'x.toml'");
        assert_eq!((with_table.nodes, with_table.extend), (Some(5), None));
        let program = player("name = 'c'\ncommand = 'c'\noptions.hash = 3");
        assert_eq!((program.nodes, program.profile), (Some(5), None));
        assert_eq!((program.options["hash"].as_integer(), program.options.get("Hash")), (Some(3), None));
        assert_eq!(program.options["Threads"].as_integer(), Some(1));
    }

    #[test]
    fn keys_for_the_other_kind_of_player_are_refused() {
        for (text, key) in [("options.Hash = 1", "options"), ("command = 'x'\nhash = 1", "hash")] {
            let definition: PlayerDefinition = toml::from_str(text).unwrap();
            assert_eq!(definition.spec().unwrap_err().path, [key], "{text}");
        }
        assert_eq!(PlayerDefinition::default().allowance().unwrap_err().path, [""; 0]);
    }
}
