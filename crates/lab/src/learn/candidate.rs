// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search is tried with, and its name in the keys of journals.

use crate::suite::trial::Until;
use halfply_engine::features::{ExtensionTable, Vocabulary, file};
use halfply_engine::search::{Parameters, Setup};

/// What stands before each part of a name that follows the table.
const WITH: &str = " with ";
const SEED: &str = " seed ";
const TO_FIRST_FIND: &str = " to the first find";

/// What methods change of a search: the extension table, and the parameters of the full search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What every move costs.
    pub table: ExtensionTable,
    /// The parameters of the full search; the plain search ignores them.
    pub parameters: Parameters,
}

impl Candidate {
    /// A table, with the parameters of that search.
    pub fn of_table(table: ExtensionTable, setup: &Setup) -> Self {
        Self { table, parameters: setup.parameters.clone() }
    }

    /// The same search with no row that changes no cost ([`ExtensionTable::trimmed`]), so that equal searches are equal
    /// candidates.
    pub fn trimmed(&self) -> Self {
        Self { table: self.table.trimmed(), ..self.clone() }
    }

    /// That search with this table and these parameters. The search's table defines atoms that are not the game's.
    pub fn setup(&self, setup: &Setup) -> Setup {
        let own = self.table.own().or(setup.table.own()).cloned();
        Setup { table: self.table.clone().with_own(own), parameters: self.parameters.clone(), ..setup.clone() }
    }
}

/// A search of a position: what it is tried with, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What it is tried with.
    pub candidate: Candidate,
    /// The seed.
    pub seed: u64,
    /// When it ends.
    pub until: Until,
}

impl Attempt {
    /// Its name in keys: the table, then what differs from `journal`, the search in the journal's configuration.
    ///
    /// `AcK@0.5 with multi_cut=true,null_move=false seed 2 to the first find`
    pub fn name(&self, journal: &Setup, vocabulary: &Vocabulary) -> String {
        let mut name = self.candidate.table.summary(&journal.table.vocabulary(vocabulary));
        let changes = self.candidate.parameters.changes_from(&journal.parameters);
        let changes: Vec<String> = changes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !changes.is_empty() {
            name += &format!("{WITH}{}", changes.join(","));
        }
        if self.seed != journal.seed {
            name += &format!("{SEED}{}", self.seed);
        }
        if self.until == Until::FirstFind {
            name += TO_FIRST_FIND;
        }
        name
    }

    /// The attempt with that name.
    ///
    /// # Errors
    /// If no attempt has it. The error says which part is wrong.
    pub fn parse(name: &str, journal: &Setup, vocabulary: &Vocabulary) -> Result<Self, String> {
        let (rest, until) = match name.strip_suffix(TO_FIRST_FIND) {
            Some(rest) => (rest, Until::FirstFind),
            None => (name, Until::Limit),
        };
        let (rest, seed) = match rest.split_once(SEED) {
            Some((rest, seed)) => (rest, seed.parse().map_err(|_| format!("{seed} is not a seed"))?),
            None => (rest, journal.seed),
        };
        let (table, changes) = rest.split_once(WITH).unwrap_or((rest, ""));
        let table = file::parse_summary(table, &journal.table.vocabulary(vocabulary))?;
        let mut parameters = journal.parameters.clone();
        for change in changes.split(',').filter(|change| !change.is_empty()) {
            parameters.assign(change).map_err(|error| error.to_string())?;
        }
        let attempt = Self { candidate: Candidate { table, parameters }, seed, until };
        let written = attempt.name(journal, vocabulary);
        if written == name { Ok(attempt) } else { Err(format!("it is written {written:?}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::game::Game;
    use halfply_engine::games::Breakthrough;

    const VOCABULARY: Vocabulary = Breakthrough::VOCABULARY;

    #[test]
    fn every_attempt_is_read_from_its_name() {
        let mut parameters = Parameters::default();
        parameters.assign("killers=false").unwrap();
        let journal = Setup { parameters, seed: 7, ..Setup::full() };
        for name in [
            "none",
            "Ud-RdTt@0.5 Rc@0.75",
            "none with multi_cut=true",
            "Ud@0.5 with killers=true,multi_cut=true,null_move_reduction=400 seed 8 to the first find",
            "none to the first find",
        ] {
            let attempt = Attempt::parse(name, &journal, &VOCABULARY).unwrap();
            assert_eq!(attempt.name(&journal, &VOCABULARY), name);
        }
        let attempt = Attempt::parse("Ud@0.5 with multi_cut=true to the first find", &journal, &VOCABULARY).unwrap();
        assert!(attempt.candidate.parameters.multi_cut && !attempt.candidate.parameters.killers);
        assert_eq!((attempt.seed, attempt.until), (7, Until::FirstFind));
    }

    /// One search has one name, or it would be searched twice.
    #[test]
    fn a_name_that_would_be_written_otherwise_is_refused() {
        let journal = Setup::full();
        for (name, reason) in [
            ("none seed 1", "it is written \"none\""),
            ("none with multi_cut=false", "it is written \"none\""),
            ("none with null_move=false,multi_cut=true", "it is written \"none with multi_cut=true,null_move=false\""),
            ("none with nul_move=false", "did you mean null_move?"),
            ("none with null_move_reduction=9000", "from 100 to 800"),
            ("none seed x", "x is not a seed"),
            ("Xx@0.5", "Xx"),
        ] {
            let error = Attempt::parse(name, &journal, &VOCABULARY).unwrap_err();
            assert!(error.contains(reason), "{name}: {error}");
        }
    }
}
