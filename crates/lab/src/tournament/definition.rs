// SPDX-License-Identifier: GPL-3.0-or-later
//! A tournament as a file describes it, in TOML. `docs/formats.md` describes the format for users.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::adjudication::{Adjudication, yes};
use super::error::TournamentError;
use super::fault::Policy;
use super::player_definition::PlayerDefinition;
use super::schedule::{Schedule, pairings};
use super::statistics::{Model, Sprt};
use halfply_engine::base::data_file::{self, DataFileError};
use halfply_engine::base::figures::{deserialize_optional_count, thousands};
use halfply_engine::base::source::Source;
use halfply_engine::games::GameName;

/// The newest format that this program reads.
pub const FORMAT: u32 = 1;

/// The default number of games of each pairing.
const DEFAULT_GAMES: u64 = 400;
/// The most games of a tournament: all of them are in memory.
const MOST_GAMES: u64 = 1_000_000;

/// The most players: their table has a cell for each two of them.
pub const MOST_PLAYERS: usize = 200;

/// Everything about a tournament.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The version of the format.
    pub format: u32,
    /// The game.
    pub game: GameName,
    /// Who meets whom.
    #[serde(default)]
    pub kind: Schedule,
    /// Games of each pairing, an even number. `pairs` is another way to give it.
    #[serde(default, deserialize_with = "deserialize_optional_count", skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Pairs of games of each pairing.
    #[serde(default, deserialize_with = "deserialize_optional_count", skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// The seed of the order of openings, and of moves in the plain search.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Games at a time; by default one for each core.
    pub concurrency: Option<u16>,
    /// The openings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub openings: Openings,
    /// When games end early.
    #[serde(default, skip_serializing_if = "is_default")]
    pub adjudication: Adjudication,
    /// A sequential test that may end the tournament early, for two players.
    pub sprt: Option<SprtDefinition>,
    /// What happens after a fault.
    #[serde(default)]
    pub on_fault: Policy,
    /// Milliseconds by which a move may be late without losing the game.
    #[serde(default = "default_margin")]
    pub margin: u32,
    /// Seconds of silence after which a program without a clock counts as hanging. With a clock it has a few seconds more
    /// than its time.
    #[serde(default = "default_patience")]
    pub patience: u32,
    /// Whether score, depth, nodes and time of each move are recorded.
    #[serde(default = "yes")]
    pub comments: bool,
    /// Settings of players that do not set their own.
    #[serde(default)]
    pub defaults: PlayerDefinition,
    /// The players.
    #[serde(default, rename = "player")]
    pub players: Vec<PlayerDefinition>,
    /// The folder to which paths in the file are relative.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The text of the file; none if the command line defines the tournament.
    #[serde(skip)]
    pub source: Option<Source>,
}

/// A value that is out of range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The keys that lead to the value.
    pub path: &'static [&'static str],
    /// The value, and the range.
    pub reason: String,
}

/// The openings of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// The book; by default the one bundled for the game.
    pub file: Option<PathBuf>,
    /// How many openings of the shuffled book are skipped.
    #[serde(default)]
    pub start: u64,
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtDefinition {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative hypothesis.
    pub elo1: f64,
    /// The probability of accepting the alternative hypothesis wrongly.
    #[serde(default = "default_error")]
    pub alpha: f64,
    /// The probability of accepting the null hypothesis wrongly.
    #[serde(default = "default_error")]
    pub beta: f64,
    /// The Elo model of the test.
    #[serde(default)]
    pub model: Model,
}

const fn default_seed() -> u64 {
    1
}

/// The delay that two pipes and a loaded machine may cause.
const fn default_margin() -> u32 {
    50
}

const fn default_patience() -> u32 {
    60
}

const fn default_error() -> f64 {
    0.05
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Definition {
    /// A tournament of this game with the defaults of files, and without players.
    ///
    /// # Panics
    /// Never: all other keys have defaults.
    pub fn of(game: GameName) -> Self {
        let least = serde_json::json!({ "format": FORMAT, "game": game });
        serde_json::from_value(least).expect("all other keys have defaults")
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

    /// Reads a definition from text. Errors call the text `name`.
    ///
    /// # Errors
    /// If the text is not TOML, has a newer format or an unknown key, or a value has the wrong type or is out of range.
    /// The error names the line.
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let expected =
            "a tournament has `format = 1`, `game = \"...\"` and for each player `[[player]]` with `name = \"...\"`";
        let mut definition: Self = data_file::from_toml(text, name, FORMAT, expected)?;
        let source = Source::new(name, text);
        definition.check().map_err(|Refusal { path, reason }| source.wrong(path, reason))?;
        for (index, player) in definition.players.iter_mut().enumerate() {
            player.index = index;
        }
        definition.source = Some(source);
        Ok(definition)
    }

    /// An error about the value at a path of keys. If there is a file, the error names the line.
    pub fn wrong(&self, path: &[&str], reason: impl Display) -> TournamentError {
        match &self.source {
            Some(source) => source.wrong(path, reason).into(),
            None => TournamentError::Definition(reason.to_string()),
        }
    }

    /// An error about a player's value. If there is a file, the error names the line: that of the defaults if the value
    /// is from there.
    pub fn wrong_player(&self, player: &PlayerDefinition, path: &[&str], reason: impl Display) -> TournamentError {
        let index = player.index.to_string();
        let own = [&["player", index.as_str()], path].concat();
        let default = [&["defaults"], path].concat();
        let is_set = |path: &[&str]| self.source.as_ref().is_some_and(|source| source.line(path).is_some());
        let path = if !is_set(&own) && is_set(&default) { default } else { own };
        let who = match (&player.name, &self.source) {
            (Some(name), _) => format!("player {name:?}"),
            (None, Some(_)) => format!("player {}", player.index + 1),
            // The command line calls its two players so.
            (None, None) => format!("player {}", ["A", "B"][player.index.min(1)]),
        };
        self.wrong(&path, format!("{who}: {reason}"))
    }

    /// The sequential test, if the definition has one.
    ///
    /// # Errors
    /// If a value of the test is out of range.
    pub fn test(&self) -> Result<Option<Sprt>, Refusal> {
        let test = |&SprtDefinition { elo0, elo1, alpha, beta, model }: &SprtDefinition| {
            Sprt::new(elo0, elo1, alpha, beta, model)
                .map_err(|error| Refusal { path: &["sprt"], reason: error.to_string() })
        };
        self.sprt.as_ref().map(test).transpose()
    }

    /// Checks that all values are in range.
    ///
    /// # Errors
    /// Names a value that is not, and its range.
    pub fn check(&self) -> Result<(), Refusal> {
        let Adjudication { resign, draw, max_plies, .. } = &self.adjudication;
        let refuse = |path, reason: &str| Err(Refusal { path, reason: reason.to_owned() });
        if let (Some(games), Some(pairs)) = (self.games, self.pairs) {
            let reason = format!("games is {games} and pairs is {pairs}: both set the number of games, so remove one");
            return refuse(&["pairs"], &reason);
        }
        if let Some(games) = self.games.filter(|games| !games.is_multiple_of(2) || !(2..=MOST_GAMES).contains(games)) {
            let reason = format!(
                "games is {games}: every opening is played twice, so games must be even, from 2 to {MOST_GAMES}"
            );
            return refuse(&["games"], &reason);
        }
        if let Some(pairs) = self.pairs.filter(|pairs| !(1..=MOST_GAMES / 2).contains(pairs)) {
            return refuse(&["pairs"], &format!("pairs is {pairs}: pairs must be 1 to {}", MOST_GAMES / 2));
        }
        if self.players.len() > MOST_PLAYERS {
            let reason = format!("there are {} players: {MOST_PLAYERS} are the most", self.players.len());
            return refuse(&["player"], &reason);
        }
        let games = pairings(self.kind, self.players.len()).len() as u64 * 2 * self.pairs();
        if games > MOST_GAMES {
            let place: &[_] = if self.pairs.is_some() { &["pairs"] } else { &["games"] };
            let reason = format!("these are {} games in all: {} are the most", thousands(games), thousands(MOST_GAMES));
            return refuse(place, &reason);
        }
        if self.concurrency.is_some_and(|games| !(1..=1024).contains(&games)) {
            return refuse(&["concurrency"], "concurrency must be 1 to 1024 games at a time");
        }
        if resign.is_some_and(|resign| resign.score == 0 || resign.moves == 0) {
            return refuse(&["adjudication", "resign"], "resign: score and moves must be at least 1");
        }
        if draw.is_some_and(|draw| draw.moves == 0) {
            return refuse(&["adjudication", "draw"], "draw: moves must be at least 1");
        }
        if *max_plies == Some(0) {
            return refuse(&["adjudication", "max_plies"], "max_plies must be at least 1");
        }
        if self.patience == 0 {
            return refuse(&["patience"], "patience must be at least 1 second");
        }
        self.test().map(|_| ())
    }

    /// Pairs of games of each pairing.
    pub fn pairs(&self) -> u64 {
        self.pairs.unwrap_or_else(|| self.games.unwrap_or(DEFAULT_GAMES) / 2)
    }

    /// A path in the file, relative to the working folder.
    pub fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }
}

#[cfg(test)]
#[path = "definition_tests.rs"]
mod tests;
