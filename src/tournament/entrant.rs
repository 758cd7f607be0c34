// SPDX-License-Identifier: GPL-3.0-or-later
//! The players of a tournament, made of their definitions.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};

use super::allowance::Allowance;
use super::config::EntrantConfig;
use super::definition::{Definition, PlayerDefinition};
use crate::bench;
use crate::features::{AtomSet, ExtensionTable, file};
use crate::games::Furnished;
use crate::protocol::client::{Client, EngineCommand, Fault, PATIENCE};
use crate::run::Stop;
use crate::search::Evaluator;
use crate::search::setup::DEFAULT_HASH;
use crate::search::{FullSettings, Parameters, Profile, Setup};

/// How long the programs of a tournament may take to be ready: as long as for a move without a clock, and not so short
/// that a loaded machine is a fault of theirs.
#[must_use]
pub fn start_patience(definition: &Definition) -> Duration {
    Duration::from_secs(definition.patience.into()).max(PATIENCE)
}

/// A player of a tournament.
#[derive(Clone, Debug)]
pub struct Entrant<G: Furnished> {
    /// What it is called.
    pub name: String,
    /// What it may use for its moves.
    pub allowance: Allowance,
    /// What it is.
    pub nature: Nature<G>,
}

/// What a player is.
#[derive(Clone, Debug)]
pub enum Nature<G: Furnished> {
    /// A search of ours; the order of moves in a pair follows from the tournament's seed and the pair's number.
    Internal {
        /// The evaluation.
        evaluation: Evaluator<G>,
        /// How it searches.
        setup: Setup,
    },
    /// A program of somebody's.
    External {
        /// How it is started.
        command: EngineCommand,
        /// Command and folder as they were given.
        given: (String, Option<PathBuf>),
        /// Options that the game needs.
        required: Vec<(String, String)>,
        /// What it calls itself; empty until it has been asked.
        title: String,
    },
}

impl<G: Furnished> Entrant<G> {
    /// The players of a definition.
    ///
    /// # Errors
    /// Names the player and what is wrong with its definition, and where that stands if there is a file.
    pub fn all(definition: &Definition) -> Result<Vec<Self>> {
        let defaults = &definition.defaults;
        for (key, is_given) in [("name", defaults.name.is_some()), ("command", defaults.command.is_some())] {
            let reason = format!("[defaults] holds for all players: move {key} to the [[player]] that it belongs to");
            ensure!(!is_given, definition.wrong(&["defaults", key], reason));
        }
        let mut players: Vec<Self> = Vec::new();
        for player in &definition.players {
            let wrong = |path: &[&str], reason: &str| definition.wrong_player(player, path, reason);
            let number = player.index + 1;
            let name = player.name.as_ref();
            let name = name.ok_or_else(|| wrong(&[], &format!("player {number} has no name: add name = \"...\"")))?;
            let is_plain = !name.is_empty() && name.trim() == name && !name.contains('"');
            // With a blank on either side, a name that begins or ends with a dash shows too.
            ensure!(
                is_plain && !format!(" {name} ").contains(" - ") && !name.contains(char::is_control),
                wrong(
                    &["name"],
                    "a name is not empty, and has no blanks around it, no quotation marks, no line ends or other control \
                     characters, and no dash between blanks or at its ends, which stands between two names"
                )
            );
            ensure!(
                players.iter().all(|other| other.name != *name),
                wrong(&["name"], "two players have this name; give one of them another")
            );
            let own = player.with_defaults(defaults);
            let entrant = Self::of(definition, &own, name).map_err(|Wrong { path, reason }| {
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

    /// The first two players who differ in nothing but their names: games between them say nothing.
    #[must_use]
    pub fn twins(players: &[Self]) -> Option<[&Self; 2]> {
        let configs: Vec<EntrantConfig> = players.iter().map(|player| player.config().unnamed()).collect();
        let twin_before = |index: &usize| configs[..*index].contains(&configs[*index]);
        let second = (0..configs.len()).find(twin_before)?;
        let first = configs.iter().position(|config| *config == configs[second])?;
        Some([&players[first], &players[second]])
    }

    fn of(definition: &Definition, player: &PlayerDefinition, name: &str) -> Result<Self, Wrong> {
        let allowance = allowance(player)?;
        let nature = match &player.command {
            Some(command) => external(definition, player, command)?,
            None => internal(definition, player)?,
        };
        Ok(Self { name: name.to_owned(), allowance, nature })
    }

    /// Has a program play Chess960. Nothing is to be done for searches of ours, which see it by the position.
    pub fn play_chess960(&mut self) {
        if let Nature::External { required, .. } = &mut self.nature {
            required.push(("UCI_Chess960".to_owned(), "true".to_owned()));
        }
    }

    /// Starts the program once, to see that it runs, has the options it is to be set, and plays the game; and asks it for
    /// its name. Nothing is to be done for searches of ours.
    ///
    /// # Errors
    /// Says what is wrong with the program or its options.
    pub fn try_out(&mut self, patience: Duration, stop: &Stop) -> Result<(), Fault> {
        if let Nature::External { command, required, title, .. } = &mut self.nature {
            let interrupted = || stop.is_raised();
            let mut client = Client::start(command, required, patience, &interrupted)?;
            client.name().clone_into(title);
            if !self.allowance.is_timed()
                && let Some(nodes) = self.allowance.nodes
            {
                client.keeps_to_nodes("position startpos", nodes, &interrupted)?;
            }
            client.quit();
        }
        Ok(())
    }

    /// Which search it is; none for other programs.
    #[must_use]
    pub fn profile(&self) -> Option<Profile> {
        match &self.nature {
            Nature::Internal { setup, .. } => Some(setup.profile),
            Nature::External { .. } => None,
        }
    }

    /// What it is, in a line.
    #[must_use]
    pub fn description(&self) -> String {
        self.config().description(|profile| G::default_evaluation(profile).identity().to_owned())
    }

    /// What its games depend on.
    #[must_use]
    pub fn config(&self) -> EntrantConfig {
        let (name, limits) = (self.name.clone(), self.allowance.to_string());
        match &self.nature {
            Nature::Internal { evaluation, setup } => EntrantConfig::Internal {
                name,
                limits,
                profile: setup.profile,
                extensions: setup.table.summary(&G::VOCABULARY),
                evaluation: evaluation.identity().to_owned(),
                full: FullSettings::of(setup),
            },
            Nature::External { command, given: (line, directory), title, .. } => EntrantConfig::External {
                name,
                limits,
                command: line.clone(),
                directory: directory.clone(),
                options: command.options.clone(),
                title: title.clone(),
            },
        }
    }
}

/// What is wrong with a player's definition.
struct Wrong {
    /// The keys that lead to it from the player's own; none if it is the player as a whole.
    path: Vec<String>,
    reason: String,
}

impl Wrong {
    fn new(path: &[&str], reason: impl Display) -> Self {
        Self { path: path.iter().map(|&key| key.to_owned()).collect(), reason: reason.to_string() }
    }
}

/// The behaviour signature of the searches that play: each profile with each evaluation, and all atoms of their tables.
#[must_use]
pub fn signature<G: Furnished>(entrants: &[Entrant<G>]) -> u64 {
    let mut searches: Vec<(Profile, &Evaluator<G>, AtomSet)> = Vec::new();
    for entrant in entrants {
        let Nature::Internal { evaluation, setup } = &entrant.nature else { continue };
        let alike = |(profile, other, _): &&mut (Profile, &Evaluator<G>, AtomSet)| {
            *profile == setup.profile && other.identity() == evaluation.identity()
        };
        match searches.iter_mut().find(alike) {
            Some((.., atoms)) => *atoms |= setup.table.wanted(),
            None => searches.push((setup.profile, evaluation, setup.table.wanted())),
        }
    }
    let signatures = searches.iter().map(|&(profile, evaluation, atoms)| bench::signature(profile, evaluation, atoms));
    // A sum that wraps is as good as one that does not.
    signatures.fold(0, u64::wrapping_add)
}

fn allowance(player: &PlayerDefinition) -> Result<Allowance, Wrong> {
    let control = player.clock.as_deref().map(str::parse).transpose();
    let allowance = Allowance {
        nodes: player.nodes,
        depth: player.depth,
        move_time: player.movetime.map(Duration::from_millis),
        control: control.map_err(|reason: String| Wrong::new(&["clock"], format!("clock: {reason}")))?,
    };
    if allowance.is_endless() {
        return Err(Wrong::new(&[], "nothing limits its searches: give nodes, depth, movetime or a clock"));
    }
    let depth = player.depth.map(u64::from);
    for (key, value) in [("nodes", player.nodes), ("depth", depth), ("movetime", player.movetime)] {
        if value == Some(0) {
            return Err(Wrong::new(&[key], format!("{key} is at least 1")));
        }
    }
    if player.movetime.is_some_and(|time| time > 86_400_000) {
        return Err(Wrong::new(&["movetime"], "movetime is at most a day, 86400000 ms"));
    }
    Ok(allowance)
}

fn internal<G: Furnished>(definition: &Definition, player: &PlayerDefinition) -> Result<Nature<G>, Wrong> {
    for (key, is_given) in [("directory", player.directory.is_some()), ("options", !player.options.is_empty())] {
        if is_given {
            return Err(Wrong::new(&[key], format!("{key} is for other programs: add a command or remove it")));
        }
    }
    let table = match (&player.extensions, &player.extend) {
        (None, None) => ExtensionTable::default(),
        (Some(path), None) => {
            file::load(&definition.path(path), &G::VOCABULARY).map_err(|error| Wrong::new(&["extensions"], error))?
        }
        (None, Some(line)) => file::parse_line(line, &G::VOCABULARY)
            .map_err(|reason| Wrong::new(&["extend"], format!("extend: {reason}; write rows such as C@0.5")))?,
        (Some(_), Some(_)) => {
            return Err(Wrong::new(&["extend"], "extensions and extend both give a table: remove one of them"));
        }
    };
    let profile = player.profile.unwrap_or_default();
    for (key, is_given) in [("hash", player.hash.is_some()), ("parameters", player.parameters.is_some())] {
        if is_given && profile != Profile::Full {
            let reason = format!("{key} is a setting of the full search: add profile = \"full\"");
            return Err(Wrong::new(&[key], reason));
        }
    }
    let parameters = match &player.parameters {
        None => Parameters::default(),
        Some(toml::Value::String(path)) => Parameters::load(&definition.path(Path::new(path)))
            .map_err(|error| Wrong::new(&["parameters"], format!("parameters: {error}")))?,
        Some(toml::Value::Table(table)) => Parameters::from_table(table)
            .map_err(|error| Wrong::new(&["parameters", error.subject()], format!("parameters: {error}")))?,
        Some(_) => {
            let reason = "parameters is a table, { null_move = false }, or the name of a file";
            return Err(Wrong::new(&["parameters"], reason));
        }
    };
    let hash = player.hash.unwrap_or(DEFAULT_HASH as u32);
    if !(1..=65_536).contains(&hash) {
        return Err(Wrong::new(&["hash"], format!("hash is 1 to 65536 MiB, not {hash}")));
    }
    let evaluation = match &player.evaluation {
        Some(named) => G::evaluator(named, |path| definition.path(path))
            .map_err(|error| Wrong::new(&["evaluation"], format!("evaluation: {error}")))?,
        None => G::default_evaluation(profile),
    };
    let setup = Setup { profile, table, seed: definition.seed, parameters, hash: hash as usize, threads: 1 };
    Ok(Nature::Internal { evaluation, setup })
}

fn external<G: Furnished>(definition: &Definition, player: &PlayerDefinition, line: &str) -> Result<Nature<G>, Wrong> {
    for (key, is_given) in [
        ("profile", player.profile.is_some()),
        ("extensions", player.extensions.is_some()),
        ("extend", player.extend.is_some()),
        ("parameters", player.parameters.is_some()),
        ("hash", player.hash.is_some()),
        ("evaluation", player.evaluation.is_some()),
    ] {
        if is_given {
            let reason = format!("{key} is a setting of our searches; a program takes options = {{ Name = value }}");
            return Err(Wrong::new(&[key], reason));
        }
    }
    let mut command = EngineCommand::parse(line).map_err(|error| Wrong::new(&["command"], error))?;
    // Not those that the system looks for itself.
    if command.program.components().count() > 1 {
        command.program = definition.path(&command.program);
    }
    command.directory = player.directory.as_ref().map(|path| definition.path(path));
    for (name, value) in &player.options {
        let value = match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(_) | toml::Value::Boolean(_) | toml::Value::Float(_) => value.to_string(),
            _ => {
                let reason = format!("options: {name} is a text, a number or true or false");
                return Err(Wrong::new(&["options", name], reason));
            }
        };
        command.options.push((name.clone(), value));
    }
    let given = (line.to_owned(), player.directory.clone());
    Ok(Nature::External { command, given, required: G::required_options(), title: String::new() })
}
