// SPDX-License-Identifier: GPL-3.0-or-later
//! A tournament as a file describes it: TOML, written to be read and edited by a person. `docs/formats.md` describes it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::adjudication::Adjudication;
use super::fault::Policy;
use super::schedule::Kind;
use super::statistics::Model;
use crate::data_file::{self, DataFileError};
use crate::games::GameName;
use crate::search::Profile;

/// The newest format this program reads.
pub const FORMAT: u32 = 1;

/// Games of every two players who meet, unless something else is said.
const USUAL_GAMES: u64 = 400;
/// More games of two players than anybody has time for.
const MOST_GAMES: u64 = 10_000_000;

/// Everything about a tournament.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The form of the file.
    pub format: u32,
    /// What is played.
    pub game: GameName,
    /// Who meets whom.
    #[serde(default)]
    pub kind: Kind,
    /// Games of every two players who meet: an even number, if `pairs` does not say how many.
    #[serde(default)]
    pub games: Option<u64>,
    /// Pairs of games of every two players who meet.
    #[serde(default)]
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
}

/// Where games begin.
#[derive(Clone, Debug, Default, Deserialize)]
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
#[derive(Clone, Copy, Debug, Deserialize)]
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

/// A player. One with a `command` is a program of somebody's, all others are searches of ours.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerDefinition {
    /// What it is called: different for all players.
    #[serde(default)]
    pub name: Option<String>,

    /// A program and its arguments, as for a shell.
    #[serde(default)]
    pub command: Option<String>,
    /// The folder it runs in.
    #[serde(default)]
    pub directory: Option<PathBuf>,
    /// Its UCI options.
    #[serde(default)]
    pub options: BTreeMap<String, toml::Value>,

    /// Our search.
    #[serde(default)]
    pub profile: Option<Profile>,
    /// Its extension table, a file.
    #[serde(default)]
    pub extensions: Option<PathBuf>,
    /// Its extension table in a line: `Ud-RdTt@0.5 Rc@0.75`.
    #[serde(default)]
    pub extend: Option<String>,
    /// Parameters of the full search, a table or the name of a file.
    #[serde(default)]
    pub parameters: Option<toml::Value>,
    /// MiB for its transposition table.
    #[serde(default)]
    pub hash: Option<u32>,
    /// Its evaluation.
    #[serde(default)]
    pub evaluation: Option<String>,

    /// Nodes a move.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Plies a move.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Milliseconds a move.
    #[serde(default)]
    pub movetime: Option<u64>,
    /// A clock: `10+0.1`.
    #[serde(default)]
    pub clock: Option<String>,
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
            kind: Kind::default(),
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
    /// Names the line and what is wrong there: no TOML, a newer format, unknown keys, values of the wrong kind.
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        data_file::from_toml(text, name, FORMAT, "")
    }

    /// Whether everything in it is in range.
    ///
    /// # Errors
    /// Names what is not, and what it may be.
    pub fn check(&self) -> Result<(), String> {
        let refuse = |what: &str| Err(what.to_owned());
        let Adjudication { resign, draw, max_plies } = &self.adjudication;
        if let (Some(games), Some(pairs)) = (self.games, self.pairs) {
            return Err(format!(
                "games is {games} and pairs is {pairs}: two names of one thing, of which one is to go"
            ));
        }
        if let Some(games) = self.games.filter(|games| !games.is_multiple_of(2) || !(2..=MOST_GAMES).contains(games)) {
            return Err(format!(
                "games is {games}: every opening is played twice, so the number of games is even, from 2 to {MOST_GAMES}"
            ));
        }
        if let Some(pairs) = self.pairs.filter(|pairs| !(1..=MOST_GAMES / 2).contains(pairs)) {
            return Err(format!("pairs is {pairs}: there are 1 to {} pairs of games", MOST_GAMES / 2));
        }
        if self.concurrency.is_some_and(|games| !(1..=1024).contains(&games)) {
            return refuse("concurrency is 1 to 1024 games at a time");
        }
        if resign.is_some_and(|resign| resign.score == 0 || resign.moves == 0) {
            return refuse("resign: score and moves are at least 1");
        }
        if draw.is_some_and(|draw| draw.moves == 0) || *max_plies == Some(0) {
            return refuse("adjudication: the moves of a draw and max_plies are at least 1");
        }
        if self.patience == 0 {
            return refuse("patience is at least 1 second");
        }
        Ok(())
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

impl PlayerDefinition {
    /// The same player, who has what it does not say from `defaults`. Limits are taken from there together or not at all.
    #[must_use]
    pub fn with_defaults(&self, defaults: &Self) -> Self {
        let own_limits =
            self.nodes.is_some() || self.depth.is_some() || self.movetime.is_some() || self.clock.is_some();
        let limits = if own_limits { self } else { defaults };
        let mut player = self.clone();
        (player.nodes, player.depth, player.movetime) = (limits.nodes, limits.depth, limits.movetime);
        player.clock.clone_from(&limits.clock);
        if self.command.is_some() {
            // Names of UCI options are the same in any case.
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
        player.profile = self.profile.or(defaults.profile);
        player.hash = self.hash.or(defaults.hash);
        player.parameters = self.parameters.clone().or_else(|| defaults.parameters.clone());
        player.evaluation = self.evaluation.clone().or_else(|| defaults.evaluation.clone());
        player
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Definition, String> {
        Definition::parse(text, "t.toml").map_err(|error| error.to_string())
    }

    #[test]
    fn a_short_definition_has_the_usual_rest() {
        let text = "format = 1\ngame = \"chess\"\n[[player]]\nname = \"a\"\n[[player]]\ncommand = \"x\"\n";
        let definition = read(text).unwrap();
        assert_eq!((definition.pairs(), definition.seed, definition.margin), (200, 1, 50));
        assert_eq!(
            (definition.kind, definition.on_fault, definition.players.len()),
            (Kind::RoundRobin, Policy::Restart, 2)
        );
        assert!(definition.comments && definition.sprt.is_none());
    }

    #[test]
    fn games_and_pairs_are_two_ways_to_say_one_thing() {
        let with = |text: &str| read(&format!("format = 1\ngame = \"chess\"\n{text}\n")).unwrap();
        for (text, pairs) in [("games = 6", 3), ("pairs = 3", 3), ("pairs = 1", 1)] {
            let definition = with(text);
            assert_eq!((definition.pairs(), definition.check()), (pairs, Ok(())), "{text}");
        }
        for (text, reason) in [
            ("games = 5", "even"),
            ("games = 0", "from 2 to"),
            ("pairs = 0", "1 to 5000000"),
            ("pairs = 18446744073709551615", ""),
            ("games = 6\npairs = 3", "games is 6 and pairs is 3"),
        ] {
            let said = read(&format!("format = 1\ngame = \"chess\"\n{text}\n")).and_then(|read| read.check());
            assert!(said.as_ref().is_err_and(|said| said.contains(reason)), "{text}: {said:?}");
        }
    }

    #[test]
    fn players_take_over_what_they_do_not_say() {
        let text = "format = 1\ngame = \"breakthrough\"\n[defaults]\nprofile = \"full\"\nnodes = 5\nextend = \"C@0.5\"\n\
                    options = { Hash = 1, Threads = 1 }\n[[player]]\nname = \"a\"\nclock = \"1+0\"\n\
                    [[player]]\nname = \"b\"\nextensions = \"x.toml\"\n[[player]]\nname = \"c\"\ncommand = \"c\"\noptions.hash = 3\n";
        let definition = read(text).unwrap();
        let players: Vec<_> =
            definition.players.iter().map(|player| player.with_defaults(&definition.defaults)).collect();
        assert_eq!((players[0].nodes, players[0].clock.as_deref()), (None, Some("1+0")));
        assert_eq!((players[0].profile, players[0].extend.as_deref()), (Some(Profile::Full), Some("C@0.5")));
        assert_eq!((players[1].nodes, players[1].extend.as_deref()), (Some(5), None));
        assert_eq!((players[2].nodes, players[2].profile), (Some(5), None));
        assert_eq!((players[2].options["hash"].as_integer(), players[2].options.get("Hash")), (Some(3), None));
        assert_eq!(players[2].options["Threads"].as_integer(), Some(1));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, expected) in [
            ("format = 2\nnew = 1\n", "t.toml:1: format 2 is not known"),
            ("format = 1\ngame = \"go\"\n", "t.toml:2: unknown variant `go`"),
            ("format = 1\ngame = \"chess\"\nspeed = 1\n", "t.toml:3: unknown field `speed`"),
            ("format = 1\ngame = \"chess\"\n[[player]]\nnane = \"x\"\n", "t.toml:4: unknown field `nane`"),
            ("format = 1\ngame = \"chess\"\n[[player]]\nnodes = -1\n", "t.toml:4: "),
            ("game = \"chess\"\n", "missing field `format`"),
            ("format = 1\ngame = [\n", "t.toml:"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(expected), "{text}\n-> {error}\nexpected {expected}");
        }
    }
}
