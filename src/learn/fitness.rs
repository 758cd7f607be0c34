// SPDX-License-Identifier: GPL-3.0-or-later
//! What a feature is worth: the positions of a suite that a search extending on it solves (Skowronski 2009, section 3.7).

use std::time::Duration;

use crate::experiment::{RunError, Runner};
use crate::features::{AtomSet, ExtensionTable};
use crate::games::Furnished;
use crate::search::{Depth, Limits, Setup};
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
#[derive(Clone, Debug)]
pub struct Conditions {
    /// What a move with the feature costs.
    pub ply: Depth,
    /// Nodes a position.
    pub nodes: u64,
    /// The search, the same for every feature but for the extension table.
    pub setup: Setup,
}

/// Positions of a suite solved by a search.
pub struct SuiteFitness<'a, G: Furnished, F> {
    suite: &'a Suite<G>,
    evaluation: &'a str,
    conditions: Conditions,
    runner: &'a mut Runner<TrialResult>,
    finished: F,
}

impl<'a, G: Furnished, F: FnMut(Option<Duration>)> SuiteFitness<'a, G, F> {
    /// Fitness by the search with the evaluation of that name; `finished` is called after each position, with the
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
    type Error = RunError;

    /// # Errors
    /// If the journal cannot be written.
    ///
    /// # Panics
    /// If the game has no evaluation of the name given to [`new`](Self::new).
    fn evaluate(&mut self, feature: AtomSet) -> Result<Evaluation, RunError> {
        let Conditions { ply, nodes, ref setup } = self.conditions;
        let setup = Setup { table: ExtensionTable::single(feature, ply), ..setup.clone() };
        let label = G::VOCABULARY.format(feature);
        let engine = G::engine(self.evaluation, &setup).expect("the caller has checked the evaluation's name");
        let limits = Limits::nodes(nodes);
        let units = trials(&self.suite.problems, engine.as_ref(), limits, &label);
        let results = self.runner.run(&units, |_, _, time| (self.finished)(time))?;
        let solved: Vec<usize> = (0..results.len()).filter(|&index| results[index].solved).collect();
        Ok(Evaluation { value: solved.len() as i64, solved, summary: Summary::of(&results, limits) })
    }
}
