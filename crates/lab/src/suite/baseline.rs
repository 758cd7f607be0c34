// SPDX-License-Identifier: GPL-3.0-or-later
//! What an earlier run of a suite solved, for comparison.
//!
//! A change to a search nearly always gains some positions and loses others. What counts is how many are solved; which
//! ones they are says where to look. The file is small, a line a solved position, so that a change to it can be read.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::Suite;
use super::terms::Terms;
use super::trial::{Summary, TrialResult};
use halfply_engine::base::data_file::{self, DataFileError};
use halfply_engine::game::Notation;

/// The format of baselines that this program reads and writes.
const FORMAT: u32 = 1;

/// Whose results a baseline holds, for information.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author<'a> {
    /// Those of our search, with the game's bench nodes.
    Ours(u64),
    /// Those of an external engine, with its own name.
    Program(&'a str),
}

/// What a run solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    format: u32,
    /// The suite's name; the same positions under another path are the same suite.
    pub suite: String,
    /// The version of the program, for information.
    pub version: String,
    /// The game's bench nodes, for information; none for another program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<u64>,
    /// The external engine's own name, for information.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The terms of the run.
    pub terms: Terms,
    /// Positions in the suite.
    pub positions: usize,
    /// Positions solved.
    pub solved: usize,
    /// [`Summary::nodes_first_found`]; none if the file is older than this count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes_first_found: Option<u64>,
    /// [`Summary::nodes_found_and_kept`]; none if the file is older than this count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes_found_and_kept: Option<u64>,
    /// Which ones, in the order of the suite.
    pub ids: Vec<String>,
}

/// A baseline that cannot be compared with.
#[derive(Debug, Error)]
pub enum BaselineError {
    /// It cannot be read, or is not a baseline.
    #[error(transparent)]
    File(#[from] DataFileError),
    /// It is of other positions.
    #[error("{name}: this baseline is of other positions: {difference}; write another one with --write-baseline")]
    OtherSuite {
        /// Which file.
        name: String,
        /// What differs.
        difference: String,
    },
    /// It is of the same positions on other terms.
    #[error(
        "{name}: this baseline was made with other options: {difference}; use the same, compare with it all the same \
         by --other-options, or write it anew with --write-baseline"
    )]
    OtherRun {
        /// Which file.
        name: String,
        /// What differs.
        difference: String,
    },
}

impl Baseline {
    /// What a run of the suite solved.
    pub fn new<G: Notation>(
        suite: &Suite<G>,
        terms: Terms,
        results: &[TrialResult],
        summary: &Summary,
        author: Author<'_>,
    ) -> Self {
        let (signature, engine) = match author {
            Author::Ours(signature) => (Some(signature), None),
            Author::Program(name) => (None, Some(name.to_owned())),
        };
        let solved = suite.problems.iter().zip(results).filter(|(_, result)| result.solved);
        let ids: Vec<String> = solved.map(|(problem, _)| problem.id.clone()).collect();
        Self {
            format: FORMAT,
            suite: suite.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            signature,
            engine,
            terms,
            positions: results.len(),
            solved: ids.len(),
            nodes_first_found: summary.nodes_first_found,
            nodes_found_and_kept: Some(summary.nodes_found_and_kept),
            ids,
        }
    }

    /// Reads a baseline of a run on these terms; `others` takes one of the same positions on other terms too.
    ///
    /// # Errors
    /// If the file cannot be read, [`parse`](Self::parse) refuses it, or it is of a run on other terms.
    pub fn load(path: &Path, terms: &Terms, others: bool) -> Result<Self, BaselineError> {
        let name = path.display().to_string();
        let text = data_file::read(path, "a baseline that `halfply suite run --write-baseline FILE` has written")?;
        let baseline = Self::parse(&text, &name)?;
        let difference = terms.difference(&baseline.terms);
        if !terms.has_positions_of(&baseline.terms) {
            return Err(BaselineError::OtherSuite { name, difference });
        }
        if others || difference.is_empty() { Ok(baseline) } else { Err(BaselineError::OtherRun { name, difference }) }
    }

    /// Reads a baseline from text; `name` is what errors call it.
    ///
    /// # Errors
    /// Names the line for text that is no baseline, one of another format, and one whose count is not that of its ids.
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let at = |line, reason| DataFileError::Line { name: name.to_owned(), line, reason };
        let value: Value = serde_json::from_str(text)
            .map_err(|error| at(error.line().max(1), format!("this is not a baseline: {error}")))?;
        // The format first: the rest of a newer format cannot be checked.
        if let Some(format) = value.get("format").filter(|&format| *format != FORMAT) {
            return Err(at(1, format!("format {format} is not known, this program reads {FORMAT}")));
        }
        let baseline: Self = serde_json::from_str(text)
            .map_err(|error| at(error.line().max(1), format!("this is not a baseline: {error}")))?;
        let distinct: HashSet<&String> = baseline.ids.iter().collect();
        if baseline.solved != baseline.ids.len() || distinct.len() != baseline.ids.len() {
            let reason = format!("it says {} solved and names {} ids; write it anew", baseline.solved, distinct.len());
            return Err(at(1, reason));
        }
        Ok(baseline)
    }

    /// As the text of a file.
    pub fn render(&self) -> String {
        // Plain data with string keys can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The problems that the results solve and the baseline does not, or the reverse.
    pub fn compare<G: Notation>(&self, suite: &Suite<G>, results: &[TrialResult]) -> BaselineComparison {
        let before: HashSet<&str> = self.ids.iter().map(String::as_str).collect();
        let mut comparison = BaselineComparison {
            before: self.solved,
            nodes_first_found: self.nodes_first_found,
            nodes_found_and_kept: self.nodes_found_and_kept,
            gained: Vec::new(),
            lost: Vec::new(),
        };
        for (index, (problem, result)) in suite.problems.iter().zip(results).enumerate() {
            match (before.contains(problem.id.as_str()), result.solved) {
                (false, true) => comparison.gained.push(index),
                (true, false) => comparison.lost.push(index),
                _ => {}
            }
        }
        comparison
    }
}

/// A run compared with its baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineComparison {
    /// How many problems the baseline solves.
    pub before: usize,
    /// What the baseline counts as [`Summary::nodes_first_found`], if it does.
    pub nodes_first_found: Option<u64>,
    /// What the baseline counts as [`Summary::nodes_found_and_kept`], if it does.
    pub nodes_found_and_kept: Option<u64>,
    /// Solved now and not in the baseline, by their places in the suite.
    pub gained: Vec<usize>,
    /// Solved in the baseline and not now.
    pub lost: Vec<usize>,
}

impl BaselineComparison {
    /// How many problems more than before are solved; fewer if negative.
    pub fn net(&self) -> i64 {
        self.gained.len() as i64 - self.lost.len() as i64
    }

    /// Whether at most `tolerance` fewer problems are solved than before.
    pub fn is_within(&self, tolerance: u32) -> bool {
        self.net() >= -i64::from(tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::terms::ProgramTerms;
    use halfply_engine::games::Breakthrough;
    use halfply_engine::search::{Limits, Profile, Realization, SearchRecord};

    fn suite() -> Suite<Breakthrough> {
        let board = "8/7p/8/8/8/8/P7/8 w - -";
        let lines: Vec<_> = ["a", "b", "c"].iter().map(|id| format!("{board} bm a2a3; id \"{id}\";")).collect();
        Suite::parse(&lines.join("\n"), "s.epd").unwrap()
    }

    fn results(solved: [bool; 3]) -> Vec<TrialResult> {
        let result = |solved: bool| TrialResult {
            solved,
            nodes: 100,
            nodes_first_found: solved.then_some(10),
            nodes_found_and_kept: solved.then_some(20),
            ..TrialResult::default()
        };
        solved.map(result).to_vec()
    }

    fn baseline(solved: [bool; 3]) -> Baseline {
        let results = results(solved);
        Baseline::new(&suite(), terms(), &results, &Summary::of(&results, Limits::nodes(100)), Author::Ours(7))
    }

    fn terms() -> Terms {
        let (extensions, evaluation) = ("none".to_owned(), "piece-count".to_owned());
        let (profile, realization) = (Profile::Plain, Realization::Off);
        Terms::new(&suite(), SearchRecord { profile, extensions, realization, evaluation, full: None }, 1, 100)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let baseline = baseline([true, false, true]);
        assert_eq!(baseline.ids, ["a", "c"]);
        assert_eq!((baseline.nodes_first_found, baseline.nodes_found_and_kept), (Some(120), Some(140)));
        assert_eq!(Baseline::parse(&baseline.render(), "b.json").unwrap(), baseline);
        assert_eq!(baseline.render().lines().filter(|line| line.trim() == "\"c\"").count(), 1, "a line an id");
    }

    #[test]
    fn the_net_counts_and_not_which_ones() {
        let suite = suite();
        let baseline = baseline([true, true, false]);
        let exchanged = baseline.compare(&suite, &results([true, false, true]));
        assert_eq!((&exchanged.gained[..], &exchanged.lost[..], exchanged.net()), (&[2][..], &[1][..], 0));
        assert!(exchanged.is_within(0));
        let worse = baseline.compare(&suite, &results([false, false, true]));
        assert!(!worse.is_within(0) && worse.is_within(1));
    }

    #[test]
    fn a_baseline_of_a_program_is_of_its_options_and_not_of_its_version() {
        let program = |hash: &str, watch_nodes| {
            let options = vec![format!("Hash={hash}")];
            Terms::of_program(&suite(), ProgramTerms { options, watch_nodes }, 100)
        };
        let results = results([true; 3]);
        let summary = Summary::of(&results, Limits::nodes(100));
        let baseline = Baseline::new(&suite(), program("1", false), &results, &summary, Author::Program("X 1.0"));
        assert_eq!(Baseline::parse(&baseline.render(), "b.json").unwrap(), baseline);
        assert!(baseline.render().contains("\"engine\": \"X 1.0\"") && !baseline.render().contains("signature"));
        for (others, expected) in [
            (program("1", false), ""),
            (program("2", false), "program.options[0] was Hash=2 and is Hash=1"),
            (program("1", true), "program.watch_nodes was true and is false"),
            (terms(), "it is of our own search"),
        ] {
            let difference = baseline.terms.difference(&others);
            assert!(difference.contains(expected) && difference.is_empty() == expected.is_empty(), "{difference}");
        }
        assert_eq!(terms().difference(&baseline.terms), "it is of another program");
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        let good = baseline([true; 3]).render();
        for (text, expected) in [
            (String::new(), "b.json:1: this is not a baseline"),
            ("{}".into(), "missing field"),
            (good.replace("\"format\": 1", "\"format\": 2"), "format 2 is not known"),
            (good.replace("\"solved\": 3", "\"solved\": 4"), "says 4 solved and names 3"),
            (good.replace("\"c\"", "\"b\""), "says 3 solved and names 2"),
            (good.replace("\"seed\"", "\"sead\""), "unknown field `sead`"),
        ] {
            let error = Baseline::parse(&text, "b.json").unwrap_err().to_string();
            assert!(error.contains(expected), "{text}\n-> {error}");
        }
    }
}
