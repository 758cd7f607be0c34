// SPDX-License-Identifier: GPL-3.0-or-later
//! What a feature is worth: the positions of a suite that a search extending on it solves (Skowronski 2009, section 3.7).

use std::time::Duration;

use crate::experiment::{JournalError, Runner};
use crate::features::{AtomSet, ExtensionTable};
use crate::games::Furnished;
use crate::search::{Depth, Limits};
use crate::suite::Suite;
use crate::suite::run::{Summary, TrialResult, trials};

/// What a fitness call found out about a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The feature's value: positions solved.
    pub value: i64,
    /// Which positions those are, by their place in the suite.
    pub solved: Vec<usize>,
    /// The rest of what the searches tell.
    pub summary: Summary,
}

/// The papers' `evaluateFitness`.
pub trait Fitness {
    /// Why an evaluation may fail.
    type Error;

    /// Evaluates a feature; the empty one is *Neutral*.
    ///
    /// # Errors
    /// As the implementation says.
    fn evaluate(&mut self, feature: AtomSet) -> Result<Evaluation, Self::Error>;
}

/// How every feature is tried.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// What a move with the feature costs.
    pub ply: Depth,
    /// Nodes a position.
    pub nodes: u64,
    /// Decides the order of moves, the same for every feature.
    pub seed: u64,
}

/// Positions of a suite solved by the plain search.
pub struct SuiteFitness<'a, G: Furnished, F> {
    suite: &'a Suite<G>,
    evaluation: &'a str,
    conditions: Conditions,
    runner: &'a mut Runner<TrialResult>,
    finished: F,
}

impl<'a, G: Furnished, F: FnMut(Option<Duration>)> SuiteFitness<'a, G, F> {
    /// Fitness by the plain search with the evaluation of that name; `finished` is called after each position, with the
    /// time it took if it was searched now.
    pub fn new(
        suite: &'a Suite<G>,
        evaluation: &'a str,
        conditions: Conditions,
        runner: &'a mut Runner<TrialResult>,
        finished: F,
    ) -> Self {
        Self { suite, evaluation, conditions, runner, finished }
    }
}

impl<G: Furnished, F: FnMut(Option<Duration>)> Fitness for SuiteFitness<'_, G, F> {
    type Error = JournalError;

    /// # Errors
    /// If the journal cannot be written.
    ///
    /// # Panics
    /// If the game has no evaluation of the name given to [`new`](Self::new).
    fn evaluate(&mut self, feature: AtomSet) -> Result<Evaluation, JournalError> {
        let Conditions { ply, nodes, seed } = self.conditions;
        let table = ExtensionTable::single(feature, ply);
        let label = G::VOCABULARY.format(feature);
        let engine = G::plain(self.evaluation, table, seed).expect("the caller has checked the evaluation's name");
        let limits = Limits::nodes(nodes);
        let units = trials(&self.suite.problems, engine.as_ref(), limits, &label);
        let results = self.runner.run(&units, |_, _, time| (self.finished)(time))?;
        let solved: Vec<usize> = (0..results.len()).filter(|&index| results[index].solved).collect();
        Ok(Evaluation { value: solved.len() as i64, solved, summary: Summary::of(&results, limits) })
    }
}
