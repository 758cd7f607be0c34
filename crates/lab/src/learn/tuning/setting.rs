// SPDX-License-Identifier: GPL-3.0-or-later
//! A setting of the search that can be tuned: a parameter of the full search, or what a feature costs in the extension
//! table. Its values are integers: of a switch 0 and 1, of a cost hundredths of a ply.

use crate::learn::candidate::Candidate;
use halfply_engine::base::depth::{Depth, DepthError};
use halfply_engine::base::suggestion::closest;
use halfply_engine::features::{AtomSet, ExtensionTable, FeatureError, Row, Vocabulary};
use halfply_engine::search::Parameters;
use halfply_engine::search::parameters::{Parameter, ParameterKind};

/// A setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A parameter of the full search.
    Parameter(&'static Parameter),
    /// What a move with this feature costs. At one ply the table has no row for it.
    Cost(AtomSet),
}

impl Setting {
    /// The setting of that name: a parameter, or a feature of the game.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str, vocabulary: &Vocabulary) -> Result<Self, String> {
        if let Some(parameter) = Parameters::ALL.iter().find(|parameter| parameter.name == name) {
            return Ok(Self::Parameter(parameter));
        }
        let feature = vocabulary.parse(name).map_err(|error| match error {
            FeatureError::UnknownAtom { .. } => {
                let known = Parameters::ALL.iter().map(|parameter| parameter.name);
                let hint = closest(name, known.chain(vocabulary.names(vocabulary.all() | vocabulary.state_set())))
                    .map_or_else(
                        || "`halfply parameters` and `halfply atoms` list them".to_owned(),
                        |name| format!("did you mean {name}?"),
                    );
                format!("there is no search parameter and no feature of {} called {name}; {hint}", vocabulary.game)
            }
            error => error.to_string(),
        })?;
        vocabulary.check_clash(feature).map_err(|error| error.to_string())?;
        Ok(Self::Cost(feature))
    }

    /// Its name.
    pub fn name(self, vocabulary: &Vocabulary) -> String {
        match self {
            Self::Parameter(parameter) => parameter.name.to_owned(),
            Self::Cost(feature) => vocabulary.format(feature),
        }
    }

    /// The least and the greatest value.
    pub fn range(self) -> (i64, i64) {
        match self {
            Self::Parameter(Parameter { kind: ParameterKind::Switch { .. }, .. }) => (0, 1),
            Self::Parameter(Parameter { kind: ParameterKind::Number { min, max, .. }, .. }) => {
                (i64::from(*min), i64::from(*max))
            }
            Self::Cost(_) => (0, i64::from(Depth::MAX_COST.as_hundredths())),
        }
    }

    /// Reads a value: `true`, `300`, or a cost in plies.
    ///
    /// # Errors
    /// If it is no value of this setting.
    pub fn read(self, text: &str) -> Result<i64, String> {
        let (least, most) = self.range();
        let value = match self {
            Self::Parameter(Parameter { kind: ParameterKind::Switch { .. }, .. }) => {
                text.parse().ok().map(|is_on: bool| i64::from(is_on))
            }
            Self::Parameter(_) => text.parse().ok(),
            Self::Cost(_) => {
                let cost: Depth = text.parse().map_err(|error: DepthError| error.to_string())?;
                Some(i64::from(cost.as_hundredths()))
            }
        };
        let value = value.filter(|value| (least..=most).contains(value));
        value.ok_or_else(|| format!("{text} is none of the values from {} to {}", self.show(least), self.show(most)))
    }

    /// Writes a value as it is read.
    pub fn show(self, value: i64) -> String {
        match self {
            Self::Parameter(Parameter { kind: ParameterKind::Switch { .. }, .. }) => (value != 0).to_string(),
            Self::Parameter(_) => value.to_string(),
            Self::Cost(_) => cost(value).to_string(),
        }
    }

    /// Its value in a candidate.
    pub fn get(self, candidate: &Candidate) -> i64 {
        match self {
            Self::Parameter(parameter) => {
                let value = candidate.parameters.get(parameter.name).unwrap_or_default();
                self.read(&value).unwrap_or_default()
            }
            Self::Cost(feature) => {
                let row = candidate.table.rows().iter().find(|row| row.feature == feature);
                i64::from(row.map_or(Depth::PLY, |row| row.cost).as_hundredths())
            }
        }
    }

    /// The same candidate with another value, which must be in the range.
    ///
    /// # Panics
    /// If the value is out of its range.
    pub fn with(self, value: i64, candidate: &Candidate) -> Candidate {
        let mut changed = candidate.clone();
        match self {
            Self::Parameter(parameter) => {
                let set = changed.parameters.set(parameter.name, &self.show(value));
                set.expect("the value is in the parameter's range");
            }
            Self::Cost(feature) => {
                let others = candidate.table.rows().iter().copied().filter(|row| row.feature != feature);
                // Also at one ply: beside a row that costs more it decides what its moves cost.
                let rows = others.chain([Row { feature, cost: cost(value) }]).collect();
                changed.table = ExtensionTable::new(rows).with_own(candidate.table.own().cloned());
            }
        }
        changed
    }
}

fn cost(hundredths: i64) -> Depth {
    Depth::hundredths(hundredths.clamp(0, i64::from(Depth::MAX_COST.as_hundredths())) as i32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use halfply_engine::game::Game;
    use halfply_engine::games::{Breakthrough, Chess, RegisteredGame};
    use halfply_engine::search::Setup;

    const VOCABULARY: Vocabulary = Chess::VOCABULARY;

    #[test]
    fn a_setting_is_read_set_and_written() {
        let start = Candidate::of_table(ExtensionTable::default(), &Setup::full());
        for (name, text, value) in
            [("null_move", "false", 0), ("reduction_base", "-20", -20), ("AcK", "0.25", 25), ("Rc-Rdb", "1.5", 150)]
        {
            let setting = Setting::named(name, &VOCABULARY).unwrap();
            assert_eq!(setting.read(text), Ok(value));
            let changed = setting.with(value, &start);
            assert_eq!((setting.get(&changed), setting.show(value).as_str()), (value, text), "{name}");
            assert_eq!(setting.name(&VOCABULARY), name);
            assert_ne!(changed, start);
        }
        // A ply is what a move costs anyway, unless another row would charge it more.
        let [check, rook] = ["AcK", "PcR"].map(|name| Setting::named(name, &VOCABULARY).unwrap());
        assert_eq!(check.get(&start), 100);
        assert_eq!(check.with(100, &check.with(50, &start)).trimmed(), start);
        let dearer = rook.with(200, &check.with(100, &start)).trimmed();
        assert_eq!(dearer.table.summary(&VOCABULARY), "AcK@1 PcR@2");
    }

    #[test]
    fn a_table_keeps_the_definitions_of_its_atoms() {
        let own = Breakthrough::move_atoms(":- atom Safe if not protects(_, To, Them).", "own").unwrap();
        let table = ExtensionTable::default().with_own(Some(Arc::new(own)));
        let (start, vocabulary) = (table.clone(), table.vocabulary(&Breakthrough::VOCABULARY));
        let safe = Setting::named("Safe", &vocabulary).unwrap();
        let changed = safe.with(50, &Candidate::of_table(start, &Setup::full())).table;
        assert_eq!(changed.own(), table.own());
        assert_eq!(changed.summary(&Breakthrough::VOCABULARY), "Safe@0.5");
    }

    #[test]
    fn what_is_no_setting_or_value_is_refused() {
        for (name, reason) in [
            ("nul_move", "did you mean null_move?"),
            ("xyz", "`halfply parameters` and `halfply atoms` list them"),
            ("AcX", "no search parameter and no feature of chess called AcX"),
            ("AcK-AcK", "named twice"),
            ("PcK-PcQ", "one group"),
        ] {
            let error = Setting::named(name, &VOCABULARY).unwrap_err();
            assert!(error.contains(reason), "{name}: {error}");
        }
        for (name, text, reason) in [
            ("null_move", "2", "from false to true"),
            ("null_move_reduction", "50", "from 100 to 800"),
            ("null_move_reduction", "x", "from 100 to 800"),
            ("AcK", "-1", "from 0 to 10"),
            ("AcK", "x", "a number of plies"),
        ] {
            let error = Setting::named(name, &VOCABULARY).unwrap().read(text).unwrap_err();
            assert!(error.contains(reason), "{name}: {error}");
        }
    }
}
