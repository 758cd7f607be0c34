// SPDX-License-Identifier: GPL-3.0-or-later
//! A search as a file or a command describes it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use toml::{Table, Value};

use halfply_engine::base::data_file::DataFileError;
use halfply_engine::base::endings::{Endings, EndingsError};
use halfply_engine::base::files;
use halfply_engine::features::{ExtensionTable, file};
use halfply_engine::games::{EvaluationError, RegisteredGame};
use halfply_engine::search::control::Control;
use halfply_engine::search::parameters::ParameterError;
use halfply_engine::search::{DEFAULT_HASH, MOST_HASH, Parameters, Profile, Realization, Searcher, Setup, Strength};

/// A search with all its settings, files by their names. Settings that are not given have their defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSpec {
    /// The profile.
    pub profile: Profile,
    /// The evaluation, a name or a file; by default that of the game and profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
    /// The extension table, a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<PathBuf>,
    /// The extension table in one line, instead of a file: `Ud-RdTt@0.5 Rc@0.75`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extend: Option<String>,
    /// The model of learned reductions, a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<PathBuf>,
    /// Folders with Syzygy's tables of endings, for the full search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<PathBuf>,
    /// How moves that cost more than one ply are searched.
    #[serde(skip_serializing_if = "Realization::is_off")]
    pub realization: Realization,
    /// The full search's transposition table, 1 to [`MOST_HASH`] MiB; [`DEFAULT_HASH`] by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<u32>,
    /// The full search's parameters: a table, or the name of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
    /// The full search's strength, if it is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
}

/// What is wrong in the description of a search.
#[derive(Debug, Error)]
pub enum SearchSpecError {
    /// A setting of the full search is given for the plain search, which would ignore it.
    #[error("{0} is a setting of the full search: add profile = \"full\"")]
    NeedsFull(&'static str),
    /// The transposition table is too small or too large.
    #[error("hash must be 1 to {MOST_HASH} MiB, not {0}")]
    Hash(u32),
    /// There are two extension tables.
    #[error("extensions and extend both set a table: remove one of them")]
    TwoTables,
    /// The file of the extension table cannot be used.
    #[error(transparent)]
    Extensions(DataFileError),
    /// The line is not an extension table.
    #[error("extend: {0}; write rows such as C@0.5")]
    Extend(String),
    /// The file of the model of search control cannot be used.
    #[error("control: {0}")]
    Control(DataFileError),
    /// The tables of endings cannot be used.
    #[error("syzygy: {0}")]
    Endings(EndingsError),
    /// The plain search has no state to ask for.
    #[error(
        "extensions: a row has an atom of the search's state, which is never true in the plain search: choose the full one"
    )]
    StateInPlain,
    /// The game has no tables of endings.
    #[error("syzygy: there are tables of endings for chess only")]
    NoEndings,
    /// The file of parameters cannot be used.
    #[error("parameters: {0}")]
    ParameterFile(DataFileError),
    /// A parameter is unknown, or its value is invalid.
    #[error("parameters: {0}")]
    Parameter(ParameterError),
    /// The parameters are neither a table nor the name of a file.
    #[error("parameters must be a table, {{ null_move = false }}, or the name of a file")]
    NoParameters,
    /// There is no such evaluation.
    #[error("evaluation: {0}")]
    Evaluation(EvaluationError),
}

impl SearchSpecError {
    /// The keys that lead to the value that is wrong.
    pub fn path(&self) -> Vec<&str> {
        match self {
            Self::NeedsFull(key) => vec![key],
            Self::Hash(_) => vec!["hash"],
            Self::Extensions(_) | Self::StateInPlain => vec!["extensions"],
            Self::Control(_) => vec!["control"],
            Self::Endings(_) | Self::NoEndings => vec!["syzygy"],
            Self::TwoTables | Self::Extend(_) => vec!["extend"],
            Self::ParameterFile(_) | Self::NoParameters => vec!["parameters"],
            Self::Parameter(error) => vec!["parameters", error.subject()],
            Self::Evaluation(_) => vec!["evaluation"],
        }
    }
}

impl SearchSpec {
    /// Checks the values that can be checked without reading a file or knowing the game.
    ///
    /// # Errors
    /// If a value is out of range, or a setting is for the other profile.
    pub fn check(&self) -> Result<(), SearchSpecError> {
        // They would be ignored silently.
        let settings = [
            ("hash", self.hash.is_some()),
            ("control", self.control.is_some()),
            ("syzygy", self.syzygy.is_some()),
            ("parameters", self.parameters.is_some()),
            ("strength", self.strength.is_some()),
        ];
        if let Some((key, _)) = settings.into_iter().find(|(_, is_given)| *is_given && self.profile != Profile::Full) {
            return Err(SearchSpecError::NeedsFull(key));
        }
        match self.hash {
            Some(hash) if !(1..=MOST_HASH).contains(&hash) => Err(SearchSpecError::Hash(hash)),
            _ => Ok(()),
        }
    }

    /// The same with its file of parameters and the folders of endings by their absolute names, for another working folder.
    pub fn located(self) -> Self {
        let parameters = self.parameters.map(|parameters| match parameters {
            Value::String(named) => Value::String(files::located(Path::new(&named)).display().to_string()),
            table => table,
        });
        let syzygy = self.syzygy.map(|folders| located_folders(&folders, files::located));
        Self { parameters, syzygy, ..self }
    }

    /// The search, on one thread. `path` locates the named files, and `seed` determines the order of moves in the plain
    /// search.
    ///
    /// # Errors
    /// If a value is out of range, or a file cannot be read or is not valid.
    pub fn searcher<G: RegisteredGame>(
        &self,
        seed: u64,
        path: impl Fn(&Path) -> PathBuf,
    ) -> Result<Searcher<G>, SearchSpecError> {
        self.check()?;
        let table = match (&self.extensions, &self.extend) {
            (None, None) => ExtensionTable::default(),
            (Some(named), None) => file::load(&path(named), &G::VOCABULARY).map_err(SearchSpecError::Extensions)?,
            (None, Some(line)) => file::parse_line(line, &G::VOCABULARY).map_err(SearchSpecError::Extend)?,
            (Some(_), Some(_)) => return Err(SearchSpecError::TwoTables),
        };
        if self.profile == Profile::Plain && !table.wanted_state().is_empty() {
            return Err(SearchSpecError::StateInPlain);
        }
        let set = match &self.parameters {
            None => Table::new(),
            Some(Value::String(named)) => {
                Parameters::load(&path(Path::new(named))).map_err(SearchSpecError::ParameterFile)?
            }
            Some(Value::Table(table)) => table.clone(),
            Some(_) => return Err(SearchSpecError::NoParameters),
        };
        let evaluation = match &self.evaluation {
            Some(named) => G::evaluator(named, &path).map_err(SearchSpecError::Evaluation)?,
            None => G::default_evaluation(self.profile),
        };
        let hash = self.hash.map_or(DEFAULT_HASH, |mebibytes| mebibytes as usize);
        let Self { profile, realization, strength, .. } = *self;
        let usual = G::usual_setup(&evaluation);
        let parameters = usual.parameters.clone().with_table(&set).map_err(SearchSpecError::Parameter)?;
        let control = match &self.control {
            Some(named) => {
                let control = Control::load(&path(named), G::NAME, &G::VOCABULARY);
                Some(Arc::new(control.map_err(SearchSpecError::Control)?))
            }
            None => usual.control.clone().filter(|_| profile == Profile::Full),
        };
        let endings = match &self.syzygy {
            Some(_) if !G::ENDINGS => return Err(SearchSpecError::NoEndings),
            Some(named) => Some(Arc::new(endings(named, &path).map_err(SearchSpecError::Endings)?)),
            None => None,
        };
        let setup = Setup { profile, control, endings, table, realization, seed, parameters, hash, strength, ..usual };
        Ok(Searcher { evaluation, setup })
    }
}

/// The tables of endings in these folders, each located by `path`.
///
/// # Errors
/// If they cannot be used.
pub fn endings(folders: &Path, path: impl Fn(&Path) -> PathBuf) -> Result<Endings, EndingsError> {
    Endings::load(&located_folders(folders, path))
}

/// Folders that are separated as in `PATH`, each located by `path`.
pub fn located_folders(folders: &Path, path: impl Fn(&Path) -> PathBuf) -> PathBuf {
    let located = std::env::join_paths(std::env::split_paths(folders).map(|folder| path(&folder)));
    // A folder whose name has the separator in it can only be given alone.
    located.map_or_else(|_| path(folders), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::base::bundled::BEFORE_TUNING;
    use halfply_engine::games::{Breakthrough, Chess, GameName};
    use halfply_engine::search::{Depth, SearchRecord};
    use halfply_engine::with_game;

    fn spec(text: &str) -> SearchSpec {
        toml::from_str(text).unwrap()
    }

    fn searcher<G: RegisteredGame>(text: &str) -> Result<Searcher<G>, SearchSpecError> {
        spec(text).searcher(7, Path::to_owned)
    }

    #[test]
    fn a_description_is_written_as_it_is_read() {
        for text in [
            "profile = \"plain\"\nrealization = \"rps@1.25\"\n",
            "profile = \"full\"\nhash = 4\n\n[parameters]\nnull_move = false\n",
            "profile = \"full\"\n\n[strength]\nnodes = 300\ntemperature = 500\n",
        ] {
            assert_eq!(toml::to_string(&spec(text)).unwrap(), text);
        }
        assert!(toml::from_str::<SearchSpec>("speed = 1\n").is_err());
    }

    #[test]
    fn a_network_is_played_with_the_parameters_that_are_tuned_for_it() {
        let of = |text: &str| searcher::<Breakthrough>(text).unwrap().setup;
        assert_ne!(Breakthrough::TUNED, Parameters::DEFAULT);
        assert_eq!(of("profile = \"full\"").parameters, Breakthrough::TUNED);
        let by_hand = of("profile = \"full\"\nevaluation = \"safe-advancement\"");
        assert_eq!(by_hand.parameters, Parameters::DEFAULT);

        // Its file is the same network as that of the program.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.network");
        std::fs::write(&path, Breakthrough::NETWORK.unwrap()).unwrap();
        let evaluation = format!("profile = \"full\"\nevaluation = {:?}", path.display().to_string());
        assert_eq!(of(&evaluation).parameters, Breakthrough::TUNED);

        // What is set is set, even if it is the default of all games; what is not set is tuned.
        let default = Parameters::DEFAULT.late_move_base;
        let setup = of(&format!("profile = \"full\"\nparameters = {{ late_move_base = {default}, killers = false }}"));
        let expected = Parameters { late_move_base: default, killers: false, ..Breakthrough::TUNED };
        assert_eq!(setup.parameters, expected);
        let table = setup.parameters.table(&setup.defaults);
        assert_eq!(table.to_string(), format!("killers = false\nlate_move_base = {default}\n"));
    }

    #[test]
    fn what_was_before_tuning_can_be_had_again() {
        let set = Parameters::parse(BEFORE_TUNING.text, BEFORE_TUNING.name).unwrap();
        for game in GameName::all() {
            let tuned = with_game!(*game, G => <G as RegisteredGame>::TUNED);
            assert_eq!(tuned.with_table(&set).unwrap(), Parameters::DEFAULT, "{}", game.name());
        }
    }

    #[test]
    fn everything_that_is_described_arrives() {
        let searcher = searcher::<Breakthrough>("extend = \"C@0.5\"\nevaluation = \"piece-count\"\n").unwrap();
        assert_eq!(searcher.setup, Setup::plain(searcher.setup.table.clone(), 7));
        let record = searcher.record();
        assert_eq!((&record.extensions[..], &record.evaluation[..]), ("C@0.5", "piece-count"));
        assert_eq!(record.full, None);

        let searcher = super::tests::searcher::<Breakthrough>("extend = \"C@1.5\"\nrealization = \"erps\"\n").unwrap();
        assert_eq!(searcher.setup.realization, Realization::Erps(Depth::PLY));
        let description = searcher.record().description(|_| "advancement".to_owned(), Breakthrough::parameters);
        assert!(description.contains("extensions C@1.5, realization erps"), "{description}");

        let text = "profile = \"full\"\nhash = 4\nparameters = { null_move = false }\n";
        let record = super::tests::searcher::<Chess>(text).unwrap().record();
        assert_eq!(record.settings(Chess::parameters), ["4 MiB", "null_move=false"], "what is tuned is not said");
        let weak = super::tests::searcher::<Chess>(&format!("{text}strength = {{ nodes = 300, temperature = 500 }}\n"));
        let weak = weak.unwrap();
        assert_eq!(weak.setup.strength, Some(Strength { nodes: 300, temperature: 500 }));
        assert_eq!(weak.record().settings(Chess::parameters).last().unwrap(), "strength 300 nodes, temperature 500");
        let by_hand = SearchRecord { evaluation: "classical".to_owned(), ..record.clone() };
        assert!(by_hand.settings(Chess::parameters).len() > 10, "it is not usual there");
        assert_eq!(record.evaluation, Chess::default_evaluation(Profile::Full).identity());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_key() {
        for (text, path, reason) in [
            ("hash = 4", "hash", "hash is a setting of the full search: add profile = \"full\""),
            ("strength = { nodes = 1, temperature = 1 }", "strength", "strength is a setting of the full search"),
            ("parameters = {}", "parameters", "parameters is a setting of the full search"),
            ("profile = \"full\"\nhash = 0", "hash", "hash must be 1 to 65536 MiB, not 0"),
            ("profile = \"full\"\nhash = 70000", "hash", "hash must be 1 to 65536 MiB, not 70000"),
            ("profile = \"full\"\nparameters = 1", "parameters", "parameters must be a table"),
            ("profile = \"full\"\nparameters = { nul_move = 1 }", "parameters nul_move", "did you mean null_move"),
            ("profile = \"full\"\nparameters = \"none.toml\"", "parameters", "none.toml"),
            ("extend = \"Xx@0.5\"", "extend", "extend: "),
            ("extensions = \"none.toml\"", "extensions", "none.toml"),
            ("extensions = \"none.toml\"\nextend = \"C@0.5\"", "extend", "both set a table"),
            ("evaluation = \"guess\"", "evaluation", "evaluation: "),
            ("control = \"none.toml\"", "control", "control is a setting of the full search"),
            ("profile = \"full\"\ncontrol = \"none.toml\"", "control", "none.toml"),
        ] {
            let error = searcher::<Breakthrough>(text).unwrap_err();
            assert_eq!(error.path().join(" "), path, "{text}");
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
