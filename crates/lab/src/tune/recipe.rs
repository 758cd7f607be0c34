// SPDX-License-Identifier: GPL-3.0-or-later
//! How a network is learned, as a file says it. `docs/formats.md` describes it.

use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::model::Shape;
use halfply_engine::base::Score;
use halfply_engine::base::data_file::{self, DataFileError, in_words};
use halfply_engine::base::figures::deserialize_count;
use halfply_engine::base::source::Source;
use halfply_engine::games::GameName;

/// The newest format this program reads.
pub const FORMAT: u32 = 1;

/// Units in a layer.
const UNITS: RangeInclusive<usize> = 1..=1024;

/// What [`Play::margin`] is unless it is set.
pub const MARGIN: Score = 10_000;

/// What [`Play::decisive`] is unless it is set.
pub const DECISIVE: Score = 20_000;

/// How games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Play {
    /// Nodes a move of the full search.
    #[serde(deserialize_with = "deserialize_count")]
    pub nodes: u64,
    /// Games begin with up to so many random plies, at least half as many.
    #[serde(default = "opening")]
    pub opening: u32,
    /// How often a later move is a random one, from 0 to 1.
    #[serde(default)]
    pub random: f64,
    /// The most, in hundredths of a pawn, by which a side may stand better after the opening; other games are left out.
    #[serde(default = "margin")]
    pub margin: Score,
    /// A game is won if the search reports this score, in hundredths of a pawn, for one side in six consecutive plies.
    #[serde(default = "decisive")]
    pub decisive: Score,
}

/// A network, and the generations in which it is learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkRecipe {
    /// The form of the file.
    pub format: u32,
    /// What is played.
    pub game: GameName,
    /// The seed of games and training.
    #[serde(default = "one")]
    pub seed: u64,
    /// The evaluation that plays the games of the first generation, a name or a file; the game's first if none. A
    /// network that has the same shape is trained further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Units of the first layer for each side, without their twins, in generations that have no number of their own.
    pub units: usize,
    /// Units of the layers that follow, the last one included, which has one.
    pub layers: Vec<usize>,
    /// Settings that generations have unless they have their own.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub defaults: toml::Table,
    /// The generations as they are written.
    #[serde(rename = "generation")]
    pub written: Vec<toml::Table>,
    /// The generations.
    #[serde(skip)]
    pub generations: Vec<Generation>,
}

/// One generation: games by the network of the one before, and training on the games of the last few.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Units of the first layer; those of the recipe if none. A network of another width than the one before is trained
    /// from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<usize>,
    /// Whether the squares of their values are passed on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub squared: bool,
    /// Games to play.
    #[serde(deserialize_with = "deserialize_count")]
    pub games: u64,
    /// How they are played.
    #[serde(flatten)]
    pub play: Play,
    /// How much of what came after a position is in its target, from 0 to 1.
    pub lambda: f64,
    /// Whether training leaves out positions with a check or a capture as the best move.
    #[serde(default)]
    pub quiet: bool,
    /// Training is on the games of so many generations, this one included.
    #[serde(default = "window")]
    pub window: usize,
    /// Passes over all examples.
    #[serde(default = "epochs")]
    pub epochs: u32,
    /// Examples a step.
    #[serde(default = "batch", deserialize_with = "deserialize_count")]
    pub batch: u64,
    /// The length of the first steps.
    #[serde(default = "rate")]
    pub rate: f32,
    /// Games against the generation before; none by default.
    #[serde(default)]
    pub match_games: u64,
    /// Nodes a move in them.
    #[serde(default = "match_nodes")]
    pub match_nodes: u64,
}

const fn one() -> u64 {
    1
}
const fn opening() -> u32 {
    10
}
const fn margin() -> Score {
    MARGIN
}
const fn decisive() -> Score {
    DECISIVE
}
const fn window() -> usize {
    4
}
const fn epochs() -> u32 {
    10
}
const fn batch() -> u64 {
    8192
}
const fn rate() -> f32 {
    0.001
}
const fn match_nodes() -> u64 {
    1000
}

impl Generation {
    /// What is out of its range: the key, and what it may be.
    fn refusal(&self) -> Option<(&'static str, &'static str)> {
        let (share, play) = (0.0..=1.0, &self.play);
        [
            (self.units.is_none_or(|units| UNITS.contains(&units)), "units", "1 to 1024"),
            (self.games > 0 && self.games <= 100_000_000, "games", "1 to 100,000,000"),
            (play.nodes > 0, "nodes", "at least 1"),
            (play.opening <= 100, "opening", "0 to 100"),
            (share.contains(&play.random), "random", "0 to 1"),
            (play.margin > 0, "margin", "at least 1"),
            (play.decisive > 0, "decisive", "at least 1"),
            (share.contains(&self.lambda), "lambda", "0 to 1"),
            (self.window > 0, "window", "at least 1"),
            (self.epochs > 0 && self.epochs <= 10_000, "epochs", "1 to 10,000"),
            (self.batch > 0 && self.batch <= 10_000_000, "batch", "1 to 10,000,000"),
            (self.rate > 0.0 && self.rate <= 1.0, "rate", "above 0, up to 1"),
            (self.match_games.is_multiple_of(2), "match_games", "an even number"),
            (self.match_nodes > 0, "match_nodes", "at least 1"),
        ]
        .into_iter()
        .find(|(is_good, _, _)| !is_good)
        .map(|(_, key, range)| (key, range))
    }
}

impl NetworkRecipe {
    /// The shape of the network that a generation learns.
    pub(super) fn shape(&self, generation: &Generation) -> Shape<'_> {
        let Generation { units, squared, .. } = *generation;
        Shape { units: units.unwrap_or(self.units), squared, widths: &self.layers }
    }

    /// Reads a recipe from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or [`parse`](Self::parse) refuses it.
    pub fn load(path: &Path) -> Result<Self, DataFileError> {
        let text = data_file::read(path, "a recipe for a network: a TOML file, docs/formats.md describes it")?;
        Self::parse(&text, &path.display().to_string())
    }

    /// Reads a recipe; `name` is what errors call it.
    ///
    /// # Errors
    /// If the text is no recipe, or a value is out of its range.
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let expected = "a recipe for a network has `format = 1`, `game`, `units`, `layers` and one table [[generation]] \
                        for each generation";
        let mut recipe: Self = data_file::from_toml(text, name, FORMAT, expected)?;
        let source = Source::new(name, text);
        let has_units = UNITS.contains(&recipe.units);
        if !has_units || !recipe.layers.iter().all(|width| UNITS.contains(width)) || recipe.layers.last() != Some(&1) {
            let key = if has_units { "layers" } else { "units" };
            let reason = format!("units and layers are 1 to {}, and the last layer is 1", UNITS.end());
            return Err(source.wrong(&[key], reason));
        }
        if recipe.written.is_empty() {
            return Err(source.wrong(&["generation"], format!("there is no [[generation]]; {expected}")));
        }
        for (index, own) in recipe.written.iter().enumerate() {
            let number = index + 1;
            let mut all = recipe.defaults.clone();
            all.extend(own.clone());
            // A value is the generation's own, or that of all.
            let wrong = |key: &str, reason: &str| {
                let (place, reason) = (index.to_string(), format!("generation {number}: {reason}"));
                let is_default = !own.contains_key(key) && recipe.defaults.contains_key(key);
                let path = if is_default { vec!["defaults", key] } else { vec!["generation", &place, key] };
                source.wrong(&path, reason)
            };
            let generation: Generation = all.clone().try_into().map_err(|error: toml::de::Error| {
                // What follows lists the keys that there are.
                let about = error.message().split(", expected").next().unwrap_or_default();
                let key = all.keys().find(|key| about.contains(&format!("`{key}`")));
                wrong(key.map_or("", String::as_str), &in_words(error.message()))
            })?;
            if let Some((key, range)) = generation.refusal() {
                return Err(wrong(key, &format!("{key} is {range}")));
            }
            recipe.generations.push(generation);
        }
        Ok(recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "format = 1\ngame = \"breakthrough\"\nunits = 16\nlayers = [16, 1]\n\
        [defaults]\ngames = 100\nnodes = 50\nlambda = 0.9\n\
        [[generation]]\n[[generation]]\nnodes = \"1k\"\nlambda = 0.5\n";

    #[test]
    fn generations_have_the_defaults_where_they_have_nothing_of_their_own() {
        let recipe = NetworkRecipe::parse(TEXT, "x").unwrap();
        let [one, two] = &recipe.generations[..] else { panic!("{recipe:?}") };
        assert_eq!((one.games, one.play.nodes, one.lambda), (100, 50, 0.9));
        assert_eq!((two.games, two.play.nodes, two.lambda), (100, 1000, 0.5));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (from, to, reason) in [
            ("lambda = 0.5", "lambda = 1.5", "x:12: generation 2: lambda is 0 to 1"),
            ("lambda = 0.5", "lambda = 0.5\nunits = 2000", "x:13: generation 2: units is 1 to 1024"),
            ("lambda = 0.5", "lamda = 0.5", "x:12: generation 2: unknown field `lamda`"),
            ("lambda = 0.9", "lambda = 1.9", "x:8: generation 1: lambda is 0 to 1"),
            ("lambda = 0.9", "epochs = 0\nlambda = 0.9", "x:8: generation 1: epochs is 1 to 10,000"),
            ("games = 100\n", "", "x:8: generation 1: missing field `games`"),
            ("layers = [16, 1]", "layers = [16]", "x:4: units and layers are 1 to 1024, and the last layer is 1"),
            ("units = 16", "units = 100000", "x:3: units and layers are 1 to 1024"),
            ("[[generation]]\n[[generation]]", "[generation]", "x:"),
        ] {
            let error = NetworkRecipe::parse(&TEXT.replace(from, to), "x").unwrap_err().to_string();
            assert!(error.contains(reason), "{error}, not {reason}");
        }
        let none = TEXT.split("[[generation]]").next().unwrap();
        assert!(NetworkRecipe::parse(none, "x").is_err());
    }
}
