// SPDX-License-Identifier: GPL-3.0-or-later
//! The searches that learning asks for: what their results depend on, and how each is remade from its key.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::candidate::Attempt;
use super::settings::SettingError;
use crate::players::search_spec::{SearchSpec, SearchSpecError, located_folders};
use crate::run::{Header, Stop, Unit};
use crate::suite::trial::{Trial, TrialResult, Until, key};
use crate::suite::{Problem, Suite};
use halfply_engine::base::data_file::DataFileError;
use halfply_engine::base::files;
use halfply_engine::bench;
use halfply_engine::features::{AtomSet, FeatureError, Vocabulary};
use halfply_engine::game::Notation;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::search::parameters::ParameterError;
use halfply_engine::search::{Engine, FullSettings, Limits, Parameters, Profile, Realization, Searcher, Setup};

/// What the searches of a run may name besides the parameters in its configuration. The behaviour of the search with
/// these is in the journal's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The atoms of its tables.
    pub atoms: AtomSet,
    /// Whether it changes parameters of the full search: it may turn on techniques that are off by default.
    pub parameters: bool,
}

impl From<AtomSet> for Scope {
    /// Tables of those atoms.
    fn from(atoms: AtomSet) -> Self {
        Self { atoms, parameters: false }
    }
}

/// Everything that the search of a position with a table depends on. The method that chooses tables is not in it, so all
/// methods share their searches.
#[derive(Serialize)]
pub struct SearchConfig<'a> {
    /// The game.
    pub game: &'a str,
    /// The hash of the positions.
    pub suite: &'a str,
    /// The identity of the evaluation.
    pub evaluation: &'a str,
    /// Nodes a position.
    pub nodes: u64,
    /// The first seed.
    pub seed: u64,
    /// How moves that cost more than one ply are searched.
    #[serde(skip_serializing_if = "Realization::is_off")]
    pub realization: Realization,
    /// Nothing for the plain search, which has no settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<FullSettings>,
    /// The definitions of atoms that are not the game's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definitions: Option<String>,
}

/// The positions to learn from, and the search that is given them.
#[derive(Clone, Debug)]
pub struct TestBed<G: Notation> {
    /// The positions.
    pub suite: Suite<G>,
    /// The search, without extensions; its seed is the first one. Its table may define atoms that are not the game's.
    pub searcher: Searcher<G>,
    /// Nodes a position.
    pub nodes: u64,
}

impl<G: Notation> TestBed<G> {
    /// What its searches depend on, except the table.
    pub fn config(&self) -> SearchConfig<'_> {
        let Searcher { evaluation, setup } = &self.searcher;
        SearchConfig {
            game: G::NAME,
            suite: &self.suite.digest,
            evaluation: evaluation.identity(),
            nodes: self.nodes,
            seed: setup.seed,
            realization: setup.realization,
            full: FullSettings::of(setup),
            definitions: definitions(setup),
        }
    }

    /// The game's vocabulary, with the atoms that the search's table defines.
    pub fn vocabulary(&self) -> Vocabulary {
        self.searcher.setup.table.vocabulary(&G::VOCABULARY)
    }

    /// Refuses atoms that an option names if they are of the search's state, and the search has none.
    ///
    /// # Errors
    /// If one of them is.
    pub fn check_state(&self, option: &str, atoms: AtomSet) -> Result<(), SettingError> {
        let profile = self.searcher.setup.profile;
        let is_right = profile == Profile::Full || !atoms.meets(self.vocabulary().state_set());
        let reason = "atoms of the search's state are for the full search: choose it, or leave them out";
        SettingError::unless(is_right, option, profile.name(), reason)
    }
}

impl<G: RegisteredGame> TestBed<G> {
    /// The header of a journal of such searches. The atoms of the game's base are always in its scope, so that runs share
    /// their searches whichever of these they begin with.
    pub fn header(&self, scope: impl Into<Scope>) -> Header {
        let scope = scope.into();
        let Searcher { evaluation, setup } = &self.searcher;
        let atoms = scope.atoms | G::VOCABULARY.base();
        let parameters =
            if scope.parameters { setup.parameters.with_further_techniques() } else { setup.parameters.clone() };
        let signature = bench::signature(&Setup { parameters, ..setup.clone() }, evaluation, atoms);
        Header::new("learn", &self.config(), signature)
    }

    /// What workers remake such searches from; `suite` is the file of the positions, none for those bundled for the game.
    pub fn description(&self, game: GameName, suite: Option<&Path>, scope: impl Into<Scope>) -> SearchDescription {
        let scope = scope.into();
        let Searcher { evaluation, setup } = &self.searcher;
        let atoms = self.vocabulary().names(scope.atoms).into_iter().map(str::to_owned).collect();
        SearchDescription {
            game,
            suite: suite.map(files::located),
            evaluation: G::located_evaluation(evaluation.name()).into(),
            nodes: self.nodes,
            seed: setup.seed,
            profile: setup.profile,
            realization: setup.realization,
            full: FullSettings::of(setup),
            syzygy: setup.endings.as_ref().map(|endings| located_folders(endings.folders(), files::located)),
            definitions: definitions(setup),
            atoms,
            changes_parameters: scope.parameters,
        }
    }
}

/// The definitions of atoms that are not the game's, as a text.
fn definitions(setup: &Setup) -> Option<String> {
    setup.table.own().map(|own| own.text(u64::MAX))
}

/// Where workers read what the searches of a run depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchDescription {
    /// The game.
    pub game: GameName,
    /// The positions; none for the suite bundled for the game.
    pub suite: Option<PathBuf>,
    /// The evaluation, by name or as a file.
    pub evaluation: PathBuf,
    /// Nodes a position.
    pub nodes: u64,
    /// The first seed.
    pub seed: u64,
    /// The search.
    pub profile: Profile,
    /// How moves that cost more than one ply are searched.
    #[serde(default, skip_serializing_if = "Realization::is_off")]
    pub realization: Realization,
    /// Settings of the full search; none for the plain one.
    pub full: Option<FullSettings>,
    /// The folders with its tables of endings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<PathBuf>,
    /// The definitions of atoms that are not the game's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definitions: Option<String>,
    /// The atoms that tables may name: the behaviour of the search with these is in the header.
    pub atoms: Vec<String>,
    /// Whether the run changes parameters of the full search.
    #[serde(default)]
    pub changes_parameters: bool,
}

/// Why searches cannot be remade from their description.
#[derive(Debug, Error)]
pub enum SearchesError {
    /// A file.
    #[error(transparent)]
    File(#[from] DataFileError),
    /// The evaluation, or another setting of the search.
    #[error(transparent)]
    Search(#[from] SearchSpecError),
    /// A parameter of the full search.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An atom.
    #[error(transparent)]
    Atom(#[from] FeatureError),
    /// A key that no search of the run has.
    #[error("{key:?} names no search of this run: {reason}")]
    Key {
        /// The key.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl SearchDescription {
    /// Reads what the searches depend on.
    ///
    /// # Errors
    /// Names the file or setting that is wrong.
    pub fn open<G: RegisteredGame>(&self) -> Result<Searches<G>, SearchesError> {
        let suite = match &self.suite {
            Some(path) => Suite::load(path)?,
            None => Suite::bundled(G::SUITE)?,
        };
        let spec = SearchSpec {
            profile: self.profile,
            evaluation: Some(self.evaluation.to_string_lossy().into_owned()),
            syzygy: self.syzygy.clone(),
            realization: self.realization,
            // What is too large for the type is refused like everything that is too large.
            hash: self.full.as_ref().map(|full| u32::try_from(full.hash).unwrap_or(u32::MAX)),
            ..SearchSpec::default()
        };
        let Searcher { evaluation, mut setup } = spec.searcher::<G>(self.seed, Path::to_owned)?;
        // They are what differs from the defaults of all games, whatever is usual with the evaluation.
        setup.parameters = Parameters::DEFAULT;
        for (name, value) in self.full.iter().flat_map(|full| &full.parameters) {
            setup.parameters.set(name, value)?;
        }
        if let Some(text) = &self.definitions {
            setup.table = setup.table.with_own(Some(Arc::new(G::move_atoms(text, "the definitions of atoms")?)));
        }
        let bed = TestBed { suite, searcher: Searcher { evaluation, setup }, nodes: self.nodes };
        let vocabulary = bed.vocabulary();
        let mut atoms = AtomSet::EMPTY;
        for atom in &self.atoms {
            atoms |= vocabulary.parse(atom)?;
        }
        let problems = bed.suite.problems.iter().enumerate();
        let places = problems.map(|(place, problem)| (problem.id.clone(), place)).collect();
        let scope = Scope { atoms, parameters: self.changes_parameters };
        Ok(Searches { header: bed.header(scope), places, bed })
    }
}

/// The searches of a run.
pub struct Searches<G: RegisteredGame> {
    bed: TestBed<G>,
    /// Where problems are in the suite, by their identifiers.
    places: HashMap<String, usize>,
    header: Header,
}

impl<G: RegisteredGame> Searches<G> {
    /// What the journal of the run begins with.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The search that a key names.
    ///
    /// # Errors
    /// If no search of the run has that key.
    pub fn unit(&self, named: &str) -> Result<Search<'_, G>, SearchesError> {
        let wrong = |reason: String| SearchesError::Key { key: named.to_owned(), reason };
        // No attempt has a slash in its name, but a problem may.
        let (label, problem) = named.split_once('/').ok_or_else(|| wrong("it has no table".to_owned()))?;
        let Searcher { evaluation, setup } = &self.bed.searcher;
        let attempt = Attempt::parse(label, setup, &G::VOCABULARY).map_err(wrong)?;
        let place = self.places.get(problem).ok_or_else(|| wrong(format!("there is no position {problem:?}")))?;
        let engine = evaluation.engine(&Setup { seed: attempt.seed, ..attempt.candidate.setup(setup) });
        let problem = &self.bed.suite.problems[*place];
        let (limits, label) = (Limits::nodes(self.bed.nodes), label.to_owned());
        Ok(Search { problem, engine, limits, until: attempt.until, label })
    }
}

/// A search of a position with a table, which borrows nothing of a learner.
pub struct Search<'a, G: RegisteredGame> {
    problem: &'a Problem<G>,
    engine: Box<dyn Engine<G>>,
    limits: Limits,
    until: Until,
    label: String,
}

impl<G: RegisteredGame> Unit for Search<'_, G> {
    type Output = TrialResult;

    fn key(&self) -> String {
        key(&self.label, &self.problem.id)
    }

    fn run(&self, stop: &Stop) -> Option<TrialResult> {
        let Self { problem, engine, limits, until, label } = self;
        Trial { problem, engine: engine.as_ref(), limits: *limits, until: *until, label }.run(stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::candidate::Candidate;
    use halfply_engine::features::ExtensionTable;
    use halfply_engine::game::Game;
    use halfply_engine::games::Breakthrough;
    use halfply_engine::search::Depth;

    fn searches() -> Searches<Breakthrough> {
        let suite = Suite::bundled(Breakthrough::SUITE).unwrap();
        let searcher = SearchSpec::default().searcher(7, Path::to_owned).unwrap();
        let bed = TestBed::<Breakthrough> { suite, searcher, nodes: 500 };
        bed.description(GameName::Breakthrough, None, AtomSet::EMPTY).open().unwrap()
    }

    /// Also of atoms of one group, which files refuse and learning without groups tries.
    #[test]
    fn every_search_is_remade_from_its_key() {
        let searches = searches();
        let all = Breakthrough::VOCABULARY.all().indices().map(AtomSet::single);
        let first = AtomSet::single(0);
        let tables = all
            .flat_map(|atom| [atom, atom | first])
            .map(|feature| ExtensionTable::single(feature, Depth::hundredths(33)));
        let bed = &searches.bed;
        let id = &bed.suite.problems[5].id;
        for table in tables.chain([ExtensionTable::default()]) {
            for (seed, until) in [(7, Until::Limit), (8, Until::FirstFind)] {
                let candidate = Candidate::of_table(table.clone(), &bed.searcher.setup);
                let attempt = Attempt { candidate, seed, until };
                let key = key(&attempt.name(&bed.searcher.setup, &Breakthrough::VOCABULARY), id);
                let unit = searches.unit(&key).unwrap();
                assert_eq!(unit.key(), key);
                // The very search: the same result as of the engine that a learner has.
                let setup = Setup::plain(table.clone(), seed);
                let engine = bed.searcher.evaluation.engine(&setup);
                let problem = &bed.suite.problems[5];
                let trial = Trial { problem, engine: engine.as_ref(), limits: Limits::nodes(500), until, label: "" };
                assert_eq!(unit.run(&Stop::default()), trial.run(&Stop::default()), "{key}");
            }
        }
    }

    #[test]
    fn workers_know_atoms_that_are_not_the_games() {
        let plain = searches().bed;
        let own = |text| Some(Arc::new(Breakthrough::move_atoms(text, "own").unwrap()));
        let bed = |text| {
            let mut bed = plain.clone();
            bed.searcher.setup.table = ExtensionTable::default().with_own(own(text));
            bed
        };
        let [safe, taken] = [":- atom Safe if not protects(_, To, Them).", ":- atom Safe if protects(_, To, Them)."];
        let learner = bed(safe);
        let atoms = learner.vocabulary().base();
        assert_eq!(learner.vocabulary().names(atoms), ["Safe"]);
        let told = serde_json::to_string(&learner.description(GameName::Breakthrough, None, atoms)).unwrap();
        let worker = serde_json::from_str::<SearchDescription>(&told).unwrap().open::<Breakthrough>().unwrap();
        assert_eq!(worker.header(), &learner.header(atoms));
        assert_ne!(worker.header(), &bed(taken).header(atoms), "the same name means something else");
        assert_ne!(worker.header(), &plain.header(AtomSet::EMPTY));

        let candidate =
            Candidate::of_table(ExtensionTable::single(atoms, Depth::hundredths(50)), &learner.searcher.setup);
        let attempt = Attempt { candidate, seed: 7, until: Until::Limit };
        let label = attempt.name(&learner.searcher.setup, &Breakthrough::VOCABULARY);
        assert_eq!(label, "Safe@0.5");
        let extended = |searches: &Searches<Breakthrough>, label: &str| {
            let unit = searches.unit(&key(label, &learner.suite.problems[3].id)).unwrap();
            unit.run(&Stop::default()).unwrap().extended
        };
        let own = extended(&worker, &label);
        // The game's own atom of that meaning.
        assert_eq!(own, extended(&searches(), "Ud@0.5"));
        assert!(own > 0);
    }

    #[test]
    fn settings_that_the_search_cannot_have_are_refused() {
        let spec = SearchSpec { profile: Profile::Full, ..SearchSpec::default() };
        let bed = TestBed::<Breakthrough> { searcher: spec.searcher(7, Path::to_owned).unwrap(), ..searches().bed };
        let mut described = bed.description(GameName::Breakthrough, None, AtomSet::EMPTY);
        assert_eq!(described.open::<Breakthrough>().unwrap().header(), &bed.header(AtomSet::EMPTY));
        for hash in [0, usize::MAX] {
            described.full.as_mut().unwrap().hash = hash;
            let error = described.open::<Breakthrough>().err().unwrap().to_string();
            assert!(error.contains("hash must be 1 to 65536 MiB"), "{error}");
        }
    }

    #[test]
    fn keys_of_other_runs_are_refused() {
        let searches = searches();
        let id = searches.bed.suite.problems[0].id.clone();
        for (key, reason) in [
            (id.clone(), "it has no table"),
            (format!("Xx@0.5/{id}"), "Xx"),
            ("none/nowhere".to_owned(), "no position \"nowhere\""),
            (format!("none seed x/{id}"), "x is not a seed"),
            // The journal's own seed is not named.
            (format!("none seed 7/{id}"), "it is written \"none\""),
        ] {
            let error = searches.unit(&key).err().unwrap().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
