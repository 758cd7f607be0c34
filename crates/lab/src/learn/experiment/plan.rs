// SPDX-License-Identifier: GPL-3.0-or-later
//! An experiment defined by a file: several runs on the same searches, compared with published figures.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use super::super::recipe::Recipe;
use super::super::searches::TestBed;
use super::super::settings::SettingError;
use crate::players::SearchSpec;
use crate::suite::Suite;
use halfply_engine::base::data_file::{self, DataFileError};
use halfply_engine::base::figures::deserialize_count;
use halfply_engine::base::source::Source;
use halfply_engine::features::Vocabulary;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::search::{Depth, Profile, Realization};

/// The newest format this program reads.
pub const FORMAT: u32 = 1;

/// Everything about an experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The format of the file.
    pub format: u32,
    /// The title.
    pub title: String,
    /// Which game.
    pub game: GameName,
    /// Test positions; those bundled for the game if none.
    pub suite: Option<PathBuf>,
    /// Nodes a position.
    #[serde(deserialize_with = "deserialize_count")]
    pub nodes: u64,
    /// What a move with the feature costs, in plies.
    #[serde(default = "half")]
    pub ply: f64,
    /// Which search.
    #[serde(default)]
    pub profile: Profile,
    /// How moves that cost more than one ply are searched.
    #[serde(default)]
    pub realization: Realization,
    /// MiB for the full search's transposition table.
    pub hash: Option<u32>,
    /// Parameters of the full search, a TOML file.
    pub parameters: Option<PathBuf>,
    /// The evaluation, by name or as a file; by default that of the game for the profile.
    pub evaluation: Option<String>,
    /// Decides the order of moves in every search.
    #[serde(default = "one")]
    pub seed: u64,
    /// The name of the published figures.
    #[serde(default)]
    pub published_by: String,
    /// The runs.
    #[serde(default, rename = "run")]
    pub runs: Vec<PlannedRun>,
    /// The folder that paths in the file are relative to.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The text of the file.
    #[serde(skip)]
    source: Source,
}

/// One run of an experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedRun {
    /// Its name.
    pub name: String,
    /// How it learns.
    #[serde(skip)]
    pub recipe: Recipe,
    /// The same as the file says it.
    #[serde(default, rename = "recipe")]
    settings: Table,
    /// Whether other runs overlook what this run finds and they do not.
    #[serde(default)]
    pub is_reference: bool,
    /// The published number of evaluations.
    pub published_evaluations: Option<u64>,
    /// The published number of features overlooked.
    pub published_overlooked: Option<u64>,
    /// The published values of features, by name.
    #[serde(default)]
    pub published_features: std::collections::BTreeMap<String, u64>,
}

const fn half() -> f64 {
    0.5
}

const fn one() -> u64 {
    1
}

impl Plan {
    /// Reads an experiment from a file; paths in it are relative to its folder.
    ///
    /// # Errors
    /// If the file cannot be read, or [`parse`](Self::parse) refuses it.
    pub fn load(path: &Path) -> Result<Self, DataFileError> {
        let text = data_file::read(path, "a TOML file that describes an experiment")?;
        let mut plan = Self::parse(&text, &path.display().to_string())?;
        plan.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(plan)
    }

    /// The search, without extensions, as it is described.
    fn spec(&self) -> SearchSpec {
        let parameters = self.parameters.as_ref().map(|path| Value::String(path.to_string_lossy().into_owned()));
        let evaluation = self.evaluation.clone();
        let Self { profile, realization, hash, .. } = *self;
        SearchSpec { profile, realization, hash, parameters, evaluation, ..SearchSpec::default() }
    }

    /// The file of positions; none for those bundled for the game.
    pub fn suite_path(&self) -> Option<PathBuf> {
        self.suite.as_ref().map(|path| self.folder.join(path))
    }

    /// The positions and the search of all runs, with so many nodes a position.
    ///
    /// # Errors
    /// If the positions or the parameters of the search cannot be read.
    pub fn bed<G: RegisteredGame>(&self, nodes: u64) -> Result<TestBed<G>, DataFileError> {
        let suite = match self.suite_path() {
            Some(path) => Suite::load(&path)?,
            None => Suite::bundled(G::SUITE)?,
        };
        let searcher = self.spec().searcher(self.seed, |path| self.folder.join(path));
        let searcher = searcher.map_err(|error| self.source.wrong(&error.path(), &error))?;
        Ok(TestBed { suite, searcher, nodes })
    }

    /// Reads the recipe of each run. One that sets no costs has that of all runs.
    fn read_recipes(&mut self) -> Result<(), DataFileError> {
        for index in 0..self.runs.len() {
            let mut settings = self.runs[index].settings.clone();
            settings.entry("plies").or_insert_with(|| Value::Array(vec![Value::Float(self.ply)]));
            let recipe = Recipe::from_table(&settings).map_err(|error| self.wrong_run(index, &error))?;
            self.runs[index].recipe = recipe;
        }
        Ok(())
    }

    /// What is wrong with the recipe of the run at that place, from 0.
    pub fn wrong_run(&self, index: usize, error: &SettingError) -> DataFileError {
        let name = &self.runs[index].name;
        self.source
            .wrong(&["run", &index.to_string(), "recipe", &error.key()], format!("run {name:?}: {}", error.in_file()))
    }

    /// Checks the names of the published features of the run at that place, from 0. A feature has one name in reports.
    ///
    /// # Errors
    /// Names the line of one that is unknown, or is called otherwise.
    pub fn check_published(&self, index: usize, vocabulary: &Vocabulary) -> Result<(), DataFileError> {
        for name in self.runs[index].published_features.keys() {
            let path = ["run", &index.to_string(), "published_features", name];
            let feature = vocabulary.parse(name).map_err(|error| self.source.wrong(&path, error))?;
            let usual = vocabulary.format(feature);
            if usual != *name {
                return Err(self.source.wrong(&path, format!("the feature {name:?} is called {usual:?} in reports")));
            }
        }
        Ok(())
    }

    /// Reads an experiment from text; `name` is what errors call it.
    ///
    /// # Errors
    /// Names the line and what is wrong there.
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let expected = "an experiment has `format = 1`, `title = \"...\"`, `game = \"...\"`, `nodes` and for each run `[[run]]` with \
                        `name = \"...\"`";
        let mut plan: Self = data_file::from_toml(text, name, FORMAT, expected)?;
        plan.source = Source::new(name, text);
        let refuse = |key: &str, reason: &str| Err(plan.source.wrong(&[key], format!("{key}: {reason}")));
        if plan.runs.is_empty() {
            return refuse("run", "there is none; add a [[run]] with a name");
        }
        let names = || plan.runs.iter().map(|run| &run.name);
        if let Some((index, twin)) =
            names().enumerate().find(|&(index, name)| names().take(index).any(|other| other == name))
        {
            let path = ["run", &index.to_string(), "name"];
            return Err(plan.source.wrong(&path, format!("name: two runs are called {twin:?}")));
        }
        if plan.nodes == 0 {
            return refuse("nodes", "at least 1 a position");
        }
        Depth::from_cost(plan.ply).map_err(|error| plan.source.wrong(&["ply"], format!("ply: {error}")))?;
        plan.spec().check().map_err(|error| plan.source.wrong(&error.path(), &error))?;
        plan.read_recipes()?;
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::methods::{BruteForce, Method};

    #[test]
    fn a_plan_is_read_with_defaults() {
        let text = "format = 1\ntitle = \"t\"\ngame = \"breakthrough\"\nnodes = 5\n[[run]]\nname = \"a\"\n\
                    [[run]]\nname = \"b\"\nrecipe = { method = \"brute-force\", max_atoms = 2 }\n";
        let plan = Plan::parse(text, "p.toml").unwrap();
        assert_eq!((plan.ply, plan.seed, plan.runs.len()), (0.5, 1, 2));
        assert_eq!(plan.runs[0].recipe, Recipe::default());
        let brute_force = BruteForce { max_atoms: 2, ..BruteForce::default() };
        assert_eq!(plan.runs[1].recipe.method, Method::BruteForce(brute_force));
        let plan = Plan::parse(&text.replace("nodes = 5", "nodes = 5\nply = 0.25"), "p.toml").unwrap();
        assert!(plan.runs.iter().all(|run| run.recipe.method.conjunctions().plies == [0.25]));
        for (text, expected) in [
            ("format = 2\n", "p.toml:1: format 2"),
            (
                "format = 1\ntitle = \"t\"\ngame = \"chess\"\nnodes = 5\nhash = 4\n[[run]]\nname = \"a\"\n",
                "p.toml:5: hash is a setting of",
            ),
            (
                "format = 1\ntitle = \"t\"\ngame = \"chess\"\nnodes = 5\nprofile = \"full\"\nhash = 70000\n[[run]]\nname = \"a\"\n",
                "p.toml:6: hash must be 1 to 65536",
            ),
            ("format = 1\ntitle = 1\n", "p.toml:2: "),
            (
                "format = 1\ntitle = \"t\"\ngame = \"chess\"\nnodes = 5\n[[run]]\nname = \"a\"\n[[run]]\nname = \"a\"\n",
                "p.toml:8: name: two runs are called \"a\"",
            ),
            ("format = 1\ntitle = \"t\"\ngame = \"chess\"\nnodes = 5\n", "p.toml: run: there is none; add a [[run]]"),
            (
                "format = 1\ntitle = \"t\"\ngame = \"chess\"\nnodes = 0\n[[run]]\nname = \"a\"\n",
                "p.toml:4: nodes: at least 1",
            ),
            (
                "format = 1\ntitle = \"t\"\ngame = \"chess\"\nnodes = 5\nply = 11\n[[run]]\nname = \"a\"\n",
                "p.toml:5: ply: ",
            ),
            (
                "format = 1\ntitle = \"t\"\ngame = \"chess\"\nnodes = 5\nrun = []\nspeed = 1\n",
                "p.toml:6: unknown field",
            ),
        ] {
            let error = Plan::parse(text, "p.toml").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_evaluation_is_the_one_that_is_named() {
        let bed = |line: &str| {
            let text = format!(
                "format = 1\ntitle = \"t\"\ngame = \"breakthrough\"\nnodes = 5\n{line}\n[[run]]\nname = \"a\"\n"
            );
            let plan = Plan::parse(&text, "p.toml").unwrap();
            plan.bed::<halfply_engine::games::Breakthrough>(5).map(|bed| bed.searcher.evaluation.name().to_owned())
        };
        assert_eq!(bed("").unwrap(), "safe-advancement");
        assert_eq!(bed("evaluation = \"piece-count\"").unwrap(), "piece-count");
        let error = bed("evaluation = \"magic\"").unwrap_err().to_string();
        assert!(error.starts_with("p.toml:5: evaluation: breakthrough has no evaluation"), "{error}");
    }

    #[test]
    fn what_is_wrong_with_a_recipe_is_named_with_its_line() {
        use halfply_engine::game::Game;
        use halfply_engine::games::Breakthrough;
        let text = "format = 1\ntitle = \"t\"\ngame = \"breakthrough\"\nnodes = 5\n[[run]]\nname = \"a\"\n\
                    [[run]]\nname = \"b\"\n[run.recipe]\nepsilon = 1\n";
        for (line, expected) in [
            ("held_out = 2.0", "p.toml:11: run \"b\": held_out 2"),
            ("plies = [0.5, 99.0]", "p.toml:11: run \"b\": plies 99"),
            ("atoms = [\"Xx\"]", "p.toml:11: run \"b\": atoms Xx"),
            ("groups = \"none such\"", "p.toml:11: run \"b\": groups none such"),
            ("method = \"brute-force\"", "p.toml:10: run \"b\": epsilon 1: brute force keeps every feature"),
        ] {
            let plan = Plan::parse(&format!("{text}{line}\n"), "p.toml").unwrap();
            let recipe = &plan.runs[1].recipe;
            let learner = recipe.method.learner(&Breakthrough::VOCABULARY).map(|_| ());
            let setup = plan.bed::<Breakthrough>(5).unwrap().searcher.setup;
            let conditions = recipe.fitness.conditions(plan.nodes, setup).map(|_| ());
            let error = plan.wrong_run(1, &learner.and(conditions).unwrap_err()).to_string();
            assert!(error.contains(expected), "{error}");
        }
        let published = |name: &str| {
            let text = format!("{text}[run.published_features]\n\"Ud-RdTt\" = 1\n\"{name}\" = 2\n");
            Plan::parse(&text, "p.toml").unwrap().check_published(1, &Breakthrough::VOCABULARY)
        };
        assert!(published("C").is_ok());
        assert!(published("Xx").unwrap_err().to_string().starts_with("p.toml:13: "));
        let error = published("RdTt-Ud").unwrap_err().to_string();
        assert!(error.contains("p.toml:13: the feature \"RdTt-Ud\" is called \"Ud-RdTt\""), "{error}");
        for (line, expected) in [
            ("epsilom = 2", "p.toml:11: run \"b\": epsilom 2: there is no such setting; did you mean epsilon?"),
            ("max_atoms = 2", "p.toml:11: run \"b\": max_atoms 2: there is no such setting"),
            ("repeats = \"x\"", "p.toml:11: run \"b\": repeats \"x\": invalid digit"),
        ] {
            let error = Plan::parse(&format!("{text}{line}\n"), "p.toml").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
