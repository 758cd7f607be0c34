// SPDX-License-Identifier: GPL-3.0-or-later
//! Keeps the problems from which something can be learned: those that the search without extensions does not solve in
//! any order of moves and, if tables are given, that it solves with one of them.
//!
//! Every search solves two thirds of an unfiltered suite, and nothing can be learned from those. The seeds used here
//! must not be those that learning uses, or the suite would be hard by selection for that order of moves alone.

use super::Problem;
use super::trial::{Trial, TrialResult, trials};
use crate::run::{RunError, Runner};
use halfply_engine::features::ExtensionTable;
use halfply_engine::game::Notation;
use halfply_engine::search::{Engine, Limits, Searcher, Setup};

/// How problems are chosen.
#[derive(Clone, Debug)]
pub struct FilterSettings {
    /// Nodes a position.
    pub nodes: u64,
    /// A problem must stay unsolved under each of these seeds, and be solved with a table under each of them.
    pub seeds: Vec<u64>,
    /// Searches at a time.
    pub threads: usize,
}

/// Marks the problems that the search without extensions does not solve under any seed and, if there are `tables`, that it
/// solves with one of them under every seed. `tables` have their names, and `finished` is called after each search; there
/// are at most `problems × seeds × (1 + tables)` of them.
///
/// # Errors
/// If a search fails; not because of problems or tables.
pub fn run<G: Notation>(
    problems: &[Problem<G>],
    searcher: &Searcher<G>,
    tables: &[(String, ExtensionTable)],
    settings: &FilterSettings,
    finished: impl FnMut(),
) -> Result<Vec<bool>, RunError> {
    let candidates = |name: &str, table: &ExtensionTable| -> Vec<Candidate<G>> {
        let candidate = |&seed: &u64| {
            let setup = Setup { table: table.clone(), seed, ..searcher.setup.clone() };
            Candidate { label: format!("{name}seed {seed}"), engine: searcher.evaluation.engine(&setup) }
        };
        settings.seeds.iter().map(candidate).collect()
    };
    // The table's name in units; the empty one has none.
    let without = candidates("", &ExtensionTable::default());
    let groups: Vec<_> = tables.iter().map(|(name, table)| candidates(&format!("{name} "), table)).collect();
    let mut runner = Runner::new(settings.threads);
    let mut sieve = Sieve { runner: &mut runner, problems, nodes: settings.nodes, finished };
    let hard = sieve.hard(&without)?;
    if groups.is_empty() { Ok(hard) } else { sieve.solved_by_a_group(&groups, &hard) }
}

/// A search that tries to solve the problems.
struct Candidate<G: Notation> {
    /// Its name in the keys of units.
    label: String,
    /// The search.
    engine: Box<dyn Engine<G>>,
}

/// Finds which searches solve which problems.
struct Sieve<'a, G: Notation, F> {
    /// Runs the trials.
    runner: &'a mut Runner<TrialResult>,
    /// The problems to choose from.
    problems: &'a [Problem<G>],
    /// Nodes a position.
    nodes: u64,
    /// Called after each search.
    finished: F,
}

impl<G: Notation, F: FnMut()> Sieve<'_, G, F> {
    /// Marks the problems that none of the searches solves.
    fn hard(&mut self, candidates: &[Candidate<G>]) -> Result<Vec<bool>, RunError> {
        let mut hard = vec![true; self.problems.len()];
        for candidate in candidates {
            self.narrow(&mut hard, candidate, false)?;
        }
        Ok(hard)
    }

    /// Of the problems marked in `among`, marks those that all candidates of one of the `groups` solve. A group is a
    /// table with each order of moves, so that no table is right by luck.
    fn solved_by_a_group(&mut self, groups: &[Vec<Candidate<G>>], among: &[bool]) -> Result<Vec<bool>, RunError> {
        let mut solved = vec![false; among.len()];
        for group in groups {
            // A problem solved with one table is not searched with the next.
            let mut by_this: Vec<bool> = among.iter().zip(&solved).map(|(&among, &solved)| among && !solved).collect();
            for candidate in group {
                self.narrow(&mut by_this, candidate, true)?;
            }
            solved.iter_mut().zip(by_this).for_each(|(solved, by_this)| *solved |= by_this);
        }
        Ok(solved)
    }

    /// Searches the problems marked in `left`, and keeps the mark where the result is `wanted`.
    fn narrow(&mut self, left: &mut [bool], candidate: &Candidate<G>, wanted: bool) -> Result<(), RunError> {
        let all = trials(self.problems, candidate.engine.as_ref(), Limits::nodes(self.nodes), &candidate.label);
        let units: Vec<Trial<'_, G>> =
            all.into_iter().zip(left.iter()).filter(|(_, left)| **left).map(|(trial, _)| trial).collect();
        let results = self.runner.run(&units, |_, _, _| (self.finished)())?;
        for (left, result) in left.iter_mut().filter(|left| **left).zip(results) {
            *left = result.solved == wanted;
        }
        Ok(())
    }
}
