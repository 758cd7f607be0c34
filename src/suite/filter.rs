// SPDX-License-Identifier: GPL-3.0-or-later
//! Keeps the problems from which something can be learned: those that the search without extensions does not solve in
//! any order of moves and, if tables are given, that it solves with one of them.
//!
//! Every search solves two thirds of an unfiltered suite, and nothing can be learned from those. The seeds used here
//! must not be those that learning uses, or the suite would be hard by selection for that order of moves alone.

use super::Problem;
use super::trial::{Trial, TrialResult, trials};
use crate::game::Notation;
use crate::run::{RunError, Runner};
use crate::search::{Engine, Limits};

/// A search that tries to solve the problems.
pub struct Candidate<G: Notation> {
    /// Its name in the keys of units.
    pub label: String,
    /// The search.
    pub engine: Box<dyn Engine<G>>,
}

/// Finds which searches solve which problems.
pub struct Sieve<'a, G: Notation, F> {
    /// Runs the trials.
    pub runner: &'a mut Runner<TrialResult>,
    /// The problems to choose from.
    pub problems: &'a [Problem<G>],
    /// Nodes a position.
    pub nodes: u64,
    /// Called after each search.
    pub finished: F,
}

impl<G: Notation, F: FnMut()> Sieve<'_, G, F> {
    /// Marks the problems that none of the searches solves.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn hard(&mut self, candidates: &[Candidate<G>]) -> Result<Vec<bool>, RunError> {
        let mut hard = vec![true; self.problems.len()];
        for candidate in candidates {
            self.narrow(&mut hard, candidate, false)?;
        }
        Ok(hard)
    }

    /// Of the problems marked in `among`, marks those that all candidates of one of the `groups` solve. A group is a
    /// table with each order of moves, so that no table is right by luck.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn solved_by_a_group(&mut self, groups: &[Vec<Candidate<G>>], among: &[bool]) -> Result<Vec<bool>, RunError> {
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
