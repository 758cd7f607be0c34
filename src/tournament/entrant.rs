// SPDX-License-Identifier: GPL-3.0-or-later
//! The players of a tournament, made of their definitions.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::allowance::Allowance;
use super::config::EntrantConfig;
use super::definition::{Definition, PlayerDefinition};
use crate::evaluation::Evaluator;
use crate::experiment::Stop;
use crate::features::{ExtensionTable, file};
use crate::games::Furnished;
use crate::protocol::client::{Client, EngineCommand, PATIENCE};
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
    /// Names the player and what is wrong with its definition.
    pub fn all(definition: &Definition) -> Result<Vec<Self>> {
        let named = &definition.defaults;
        ensure!(
            named.name.is_none() && named.command.is_none(),
            "[defaults] holds for all players: a name and a command belong to one [[player]]"
        );
        let mut players: Vec<Self> = Vec::new();
        for (index, player) in definition.players.iter().enumerate() {
            let name = player.name.clone().with_context(|| format!("player {}: give it a name", index + 1))?;
            let is_plain = !name.is_empty() && name.trim() == name && !name.contains('"');
            // With a blank on either side, a name that begins or ends with a dash shows too.
            ensure!(
                is_plain && !format!(" {name} ").contains(" - ") && !name.contains(char::is_control),
                "player {name:?}: a name is not empty, and has no blanks around it, no quotation marks, no line ends or \
                 other control characters, and no dash between blanks or at its ends, which stands between two names"
            );
            ensure!(
                players.iter().all(|other| other.name != name),
                "player {name:?}: two players have this name; records could not tell them apart"
            );
            let player = player.with_defaults(named);
            players.push(Self::of(definition, &player, &name).with_context(|| format!("player {name:?}"))?);
        }
        ensure!(players.len() >= 2, "a tournament has at least two players: add a [[player]]");
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

    fn of(definition: &Definition, player: &PlayerDefinition, name: &str) -> Result<Self> {
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
    pub fn try_out(&mut self, patience: Duration, stop: &Stop) -> Result<()> {
        if let Nature::External { command, required, title, .. } = &mut self.nature {
            let interrupted = || stop.is_raised();
            let start = || Client::start(command, required, patience, &interrupted);
            let mut client = start().with_context(|| format!("player {:?}", self.name))?;
            client.name().clone_into(title);
            if !self.allowance.is_timed()
                && let Some(nodes) = self.allowance.nodes
            {
                client
                    .keeps_to_nodes("position startpos", nodes, &interrupted)
                    .with_context(|| format!("player {:?}", self.name))?;
            }
            client.quit();
        }
        Ok(())
    }

    /// Which search it is, for the signature of journals; none for programs of others.
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

fn allowance(player: &PlayerDefinition) -> Result<Allowance> {
    let control = player.clock.as_deref().map(|text| text.parse().map_err(anyhow::Error::msg)).transpose();
    let allowance = Allowance {
        nodes: player.nodes,
        depth: player.depth,
        move_time: player.movetime.map(Duration::from_millis),
        control: control.context("clock")?,
    };
    ensure!(!allowance.is_endless(), "nothing limits its searches: give nodes, depth, movetime or a clock");
    let nothing = player.nodes == Some(0) || player.depth == Some(0) || player.movetime == Some(0);
    ensure!(!nothing, "nodes, depth and movetime are at least 1");
    ensure!(player.movetime.is_none_or(|time| time <= 86_400_000), "movetime is at most a day, 86400000");
    Ok(allowance)
}

fn internal<G: Furnished>(definition: &Definition, player: &PlayerDefinition) -> Result<Nature<G>> {
    ensure!(
        player.directory.is_none() && player.options.is_empty(),
        "directory and options are for other programs; this one has no command"
    );
    let table = match (&player.extensions, &player.extend) {
        (None, None) => ExtensionTable::default(),
        (Some(path), None) => file::load::<G>(&definition.path(path))?,
        (None, Some(line)) => file::parse_line::<G>(line).map_err(anyhow::Error::msg).context("extend")?,
        (Some(_), Some(_)) => bail!("give the table once, by extensions or by extend"),
    };
    let profile = player.profile.unwrap_or_default();
    ensure!(
        profile == Profile::Full || (player.hash.is_none() && player.parameters.is_none()),
        "hash and parameters are settings of the full search: add profile = \"full\""
    );
    let parameters = match &player.parameters {
        None => Parameters::default(),
        Some(toml::Value::String(path)) => Parameters::load(&definition.path(Path::new(path)))?,
        Some(toml::Value::Table(table)) => Parameters::from_table(table).context("parameters")?,
        Some(_) => bail!("parameters is a table, {{ null_move = false }}, or the name of a file"),
    };
    let hash = player.hash.map_or(Ok(DEFAULT_HASH), usize::try_from)?;
    ensure!((1..=65_536).contains(&hash), "hash is 1 to 65536 MiB");
    let evaluation = match &player.evaluation {
        Some(named) => G::evaluator(named, |path| definition.path(path)).context("evaluation")?,
        None => G::default_evaluation(profile),
    };
    let setup = Setup { profile, table, seed: definition.seed, parameters, hash, threads: 1 };
    Ok(Nature::Internal { evaluation, setup })
}

fn external<G: Furnished>(definition: &Definition, player: &PlayerDefinition, line: &str) -> Result<Nature<G>> {
    let ours = player.profile.is_some()
        || player.extensions.is_some()
        || player.extend.is_some()
        || player.parameters.is_some()
        || player.hash.is_some()
        || player.evaluation.is_some();
    ensure!(
        !ours,
        "profile, extensions, extend, parameters, hash and evaluation are of searches of ours; a command has options"
    );
    let mut command = EngineCommand::parse(line).context("command")?;
    // Not those that the system looks for itself.
    if command.program.components().count() > 1 {
        command.program = definition.path(&command.program);
    }
    command.directory = player.directory.as_ref().map(|path| definition.path(path));
    for (name, value) in &player.options {
        let value = match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(_) | toml::Value::Boolean(_) | toml::Value::Float(_) => value.to_string(),
            _ => bail!("options: {name} is a text, a number or true or false"),
        };
        command.options.push((name.clone(), value));
    }
    let given = (line.to_owned(), player.directory.clone());
    Ok(Nature::External { command, given, required: G::required_options(), title: String::new() })
}
