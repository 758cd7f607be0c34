// SPDX-License-Identifier: GPL-3.0-or-later
//! A tournament as a file describes it: TOML, written to be read and edited by a person. `docs/formats.md` describes it.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::error::TournamentError;
use super::fault::Policy;
use super::player_definition::PlayerDefinition;
use super::schedule::Schedule;
use super::statistics::{Model, Sprt};
use crate::base::data_file::{self, DataFileError};
use crate::base::figures::deserialize_optional_count;
use crate::base::source::Source;
use crate::games::GameName;

/// The newest format this program reads.
pub const FORMAT: u32 = 1;

/// Games of every two players who meet, unless something else is said.
const USUAL_GAMES: u64 = 400;
/// More games of two players than anybody has time for.
const MOST_GAMES: u64 = 10_000_000;

/// Everything about a tournament.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The form of the file.
    pub format: u32,
    /// What is played.
    pub game: GameName,
    /// Who meets whom.
    #[serde(default)]
    pub kind: Schedule,
    /// Games of every two players who meet: an even number, if `pairs` does not say how many.
    #[serde(default, deserialize_with = "deserialize_optional_count", skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Pairs of games of every two players who meet.
    #[serde(default, deserialize_with = "deserialize_optional_count", skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// Decides the order of openings, and of moves in the plain search.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Games at a time; one a core if none.
    #[serde(default)]
    pub concurrency: Option<u16>,
    /// Where games begin.
    #[serde(default)]
    pub openings: Openings,
    /// When games are ended early.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// When the tournament is ended early; for two players.
    #[serde(default)]
    pub sprt: Option<SprtDefinition>,
    /// What is done after a fault.
    #[serde(default)]
    pub on_fault: Policy,
    /// Milliseconds by which a move may come too late.
    #[serde(default = "default_margin")]
    pub margin: u32,
    /// Seconds without an answer after which a program is taken to hang where no clock runs; where one does, it has a few
    /// seconds more than its time.
    #[serde(default = "default_patience")]
    pub patience: u32,
    /// Whether score, depth, nodes and time of each move are kept.
    #[serde(default = "yes")]
    pub comments: bool,
    /// What holds for all players that do not say otherwise.
    #[serde(default)]
    pub defaults: PlayerDefinition,
    /// Who plays.
    #[serde(default, rename = "player")]
    pub players: Vec<PlayerDefinition>,
    /// The folder that paths in the file start from.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The text of the file; none if the command line defines the tournament.
    #[serde(skip)]
    pub source: Option<Source>,
}

/// A value that is out of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The keys that lead to it.
    pub path: &'static [&'static str],
    /// What it is, and what it may be.
    pub reason: String,
}

/// Where games begin.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// The book; the one bundled for the game if none.
    #[serde(default)]
    pub file: Option<PathBuf>,
    /// How many openings of the shuffled book are passed over.
    #[serde(default)]
    pub start: u64,
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtDefinition {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// That of the alternative.
    pub elo1: f64,
    /// How often the alternative may be accepted wrongly.
    #[serde(default = "default_error")]
    pub alpha: f64,
    /// How often the null hypothesis may be.
    #[serde(default = "default_error")]
    pub beta: f64,
    /// What is meant by Elo.
    #[serde(default)]
    pub model: Model,
}

const fn default_seed() -> u64 {
    1
}

/// What a loaded machine may add to a move that passes through two pipes.
const fn default_margin() -> u32 {
    50
}

const fn default_patience() -> u32 {
    60
}

const fn default_error() -> f64 {
    0.05
}

const fn yes() -> bool {
    true
}

impl Definition {
    /// A tournament of that game in which everything is as usual, and nobody plays yet.
    #[must_use]
    pub fn of(game: GameName) -> Self {
        Self {
            format: FORMAT,
            game,
            kind: Schedule::default(),
            games: None,
            pairs: None,
            seed: default_seed(),
            concurrency: None,
            openings: Openings::default(),
            adjudication: Adjudication::default(),
            sprt: None,
            on_fault: Policy::default(),
            margin: default_margin(),
            patience: default_patience(),
            comments: true,
            defaults: PlayerDefinition::default(),
            players: Vec::new(),
            folder: PathBuf::new(),
            source: None,
        }
    }

    /// Reads a definition from a file; paths in it are relative to its folder.
    ///
    /// # Errors
    /// If the file cannot be read, or [`parse`](Self::parse) refuses it.
    pub fn load(path: &Path) -> Result<Self, DataFileError> {
        let text = data_file::read(path, "a TOML file that defines a tournament")?;
        let mut definition = Self::parse(&text, &path.display().to_string())?;
        definition.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(definition)
    }

    /// Reads a definition from text; `name` is what errors call it.
    ///
    /// # Errors
    /// Names the line and what is wrong there: no TOML, a newer format, unknown keys, values of the wrong kind or out of
    /// their range.
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let mut definition: Self = data_file::from_toml(text, name, FORMAT, "")?;
        let source = Source::new(name, text);
        definition.check().map_err(|Refusal { path, reason }| source.wrong(path, reason))?;
        for (index, player) in definition.players.iter_mut().enumerate() {
            player.index = index;
        }
        definition.source = Some(source);
        Ok(definition)
    }

    /// An error about the value at a path of keys, with its place if there is a file.
    #[must_use]
    pub fn wrong(&self, path: &[&str], reason: impl Display) -> TournamentError {
        match &self.source {
            Some(source) => source.wrong(path, reason).into(),
            None => TournamentError::Definition(reason.to_string()),
        }
    }

    /// An error about a player's value, with its place if there is a file: that among the defaults if the player has it
    /// from there.
    #[must_use]
    pub fn wrong_player(&self, player: &PlayerDefinition, path: &[&str], reason: impl Display) -> TournamentError {
        let index = player.index.to_string();
        let own = [&["player", index.as_str()], path].concat();
        let default = [&["defaults"], path].concat();
        let is_set = |path: &[&str]| self.source.as_ref().is_some_and(|source| source.line(path).is_some());
        let path = if !is_set(&own) && is_set(&default) { default } else { own };
        let name = player.name.as_ref().map_or_else(String::new, |name| format!("player {name:?}: "));
        self.wrong(&path, format!("{name}{reason}"))
    }

    /// The sequential test, if there is to be one.
    ///
    /// # Errors
    /// If there can be no such test.
    pub fn test(&self) -> Result<Option<Sprt>, Refusal> {
        let test = |&SprtDefinition { elo0, elo1, alpha, beta, model }: &SprtDefinition| {
            Sprt::new(elo0, elo1, alpha, beta, model)
                .map_err(|error| Refusal { path: &["sprt"], reason: error.to_string() })
        };
        self.sprt.as_ref().map(test).transpose()
    }

    /// Whether everything in it is in range.
    ///
    /// # Errors
    /// Names what is not, and what it may be.
    pub fn check(&self) -> Result<(), Refusal> {
        let Adjudication { resign, draw, max_plies } = &self.adjudication;
        let refuse = |path, reason: &str| Err(Refusal { path, reason: reason.to_owned() });
        if let (Some(games), Some(pairs)) = (self.games, self.pairs) {
            let reason = format!("games is {games} and pairs is {pairs}: remove one, they say the same thing");
            return refuse(&["pairs"], &reason);
        }
        if let Some(games) = self.games.filter(|games| !games.is_multiple_of(2) || !(2..=MOST_GAMES).contains(games)) {
            let reason = format!(
                "games is {games}: every opening is played twice, so the number of games is even, from 2 to {MOST_GAMES}"
            );
            return refuse(&["games"], &reason);
        }
        if let Some(pairs) = self.pairs.filter(|pairs| !(1..=MOST_GAMES / 2).contains(pairs)) {
            return refuse(&["pairs"], &format!("pairs is {pairs}: there are 1 to {} pairs of games", MOST_GAMES / 2));
        }
        if self.concurrency.is_some_and(|games| !(1..=1024).contains(&games)) {
            return refuse(&["concurrency"], "concurrency is 1 to 1024 games at a time");
        }
        if resign.is_some_and(|resign| resign.score == 0 || resign.moves == 0) {
            return refuse(&["adjudication", "resign"], "resign: score and moves are at least 1");
        }
        if draw.is_some_and(|draw| draw.moves == 0) {
            return refuse(&["adjudication", "draw"], "draw: moves is at least 1");
        }
        if *max_plies == Some(0) {
            return refuse(&["adjudication", "max_plies"], "max_plies is at least 1");
        }
        if self.patience == 0 {
            return refuse(&["patience"], "patience is at least 1 second");
        }
        self.test().map(|_| ())
    }

    /// Pairs of games of every two players who meet.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs.unwrap_or_else(|| self.games.unwrap_or(USUAL_GAMES) / 2)
    }

    /// A path of the file as we can open it.
    #[must_use]
    pub fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }
}

#[cfg(test)]
#[path = "definition_tests.rs"]
mod tests;
