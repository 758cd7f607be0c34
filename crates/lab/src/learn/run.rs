// SPDX-License-Identifier: GPL-3.0-or-later
//! A run of learning as a library call: it reports its progress to an observer and prints nothing.

use std::cell::RefCell;
use std::time::Duration;

use thiserror::Error;

use super::event::LearnEvent;
use super::findings::Findings;
use super::fitness::{Conditions, Fitness, SuiteFitness};
use super::held_out::{self, HeldOut};
use super::methods::Learner;
use super::outcome::LearnOutcome;
use super::recipe::Recipe;
use super::searches::TestBed;
use super::settings::SettingError;
use crate::run::{RunError, Runner, default_threads};
use crate::suite::Suite;
use crate::suite::trial::TrialResult;
use halfply_engine::features::{AtomSet, ExtensionTable};
use halfply_engine::game::Notation;

/// Why a run failed.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A setting does not fit the game or the suite.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// It was stopped, or the journal cannot be written.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Learns, without a journal. `observe` is called for each event.
///
/// ```
/// use std::path::Path;
///
/// use halfply_engine::games::{Breakthrough, RegisteredGame};
/// use halfply_lab::learn::searches::TestBed;
/// use halfply_lab::learn::{LearnEvent, Recipe};
/// use halfply_lab::players::SearchSpec;
/// use halfply_lab::suite::Suite;
///
/// let mut suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE)?;
/// suite.problems.truncate(4);
/// let searcher = SearchSpec::default().searcher(1, Path::to_owned)?;
/// let bed = TestBed { suite, searcher, nodes: 100 };
/// let mut judged = 0;
/// let findings = halfply_lab::learn::run(&bed, &Recipe::default(), |event| {
///     judged += usize::from(matches!(event, LearnEvent::Judged(_)));
/// })?;
/// assert!(judged > 15 && findings.outcome.judged.len() == judged);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a setting of the recipe does not fit the game or the suite.
pub fn run<G: Notation>(
    bed: &TestBed<G>,
    recipe: &Recipe,
    observe: impl FnMut(LearnEvent<'_>),
) -> Result<Findings, LearnError> {
    let mut runner = Runner::new(default_threads());
    Ok(Ready::new(bed, recipe)?.learn(&mut runner, observe)?)
}

/// A run whose recipe fits the game and the suite.
pub struct Ready<'a, G: Notation> {
    /// The positions and the search.
    pub bed: &'a TestBed<G>,
    /// How it learns.
    pub recipe: &'a Recipe,
    /// The positions to learn from.
    pub learned_from: Suite<G>,
    /// Positions held out; there may be none.
    pub held_out: Suite<G>,
    /// How tables are tried.
    pub conditions: Conditions,
    learner: Box<dyn Learner>,
}

impl<'a, G: Notation> Ready<'a, G> {
    /// Checks the recipe, and divides the suite.
    ///
    /// # Errors
    /// Names the setting that does not fit the game or the suite.
    pub fn new(bed: &'a TestBed<G>, recipe: &'a Recipe) -> Result<Self, SettingError> {
        let learner = recipe.method.learner(&bed.vocabulary())?;
        bed.check_state("atoms", learner.space().base)?;
        let setup = &bed.searcher.setup;
        let conditions = recipe.fitness.conditions(bed.nodes, setup.clone())?;
        let [learned_from, held_out] = held_out::parts(&bed.suite, recipe.fitness.held_out, setup.seed)?;
        Ok(Self { bed, recipe, learned_from, held_out, conditions, learner })
    }

    /// The atoms that its tables may name.
    pub fn atoms(&self) -> AtomSet {
        self.learner.space().base
    }

    /// The names of the positions to learn from, in their order.
    pub fn positions(&self) -> Vec<String> {
        self.learned_from.problems.iter().map(|problem| problem.id.clone()).collect()
    }

    /// Searches of a table that is tried on all positions to learn from.
    pub fn searches_of_table(&self) -> usize {
        self.learned_from.problems.len() * self.conditions.repeats
    }

    /// Learns by searches of that runner.
    ///
    /// # Errors
    /// If the journal cannot be written, the runner was stopped, or it waits for workers.
    pub fn learn(
        &self,
        runner: &mut Runner<TrialResult>,
        observe: impl FnMut(LearnEvent<'_>),
    ) -> Result<Findings, RunError> {
        // Both the method and its searches report to the observer, never one within the other.
        let observe = RefCell::new(observe);
        let finished = |time: Option<Duration>| (observe.borrow_mut())(LearnEvent::Searched { time });
        let mut follow = |event: LearnEvent<'_>| (observe.borrow_mut())(event);
        let Self { bed, learned_from, conditions, .. } = self;
        let mut fitness = SuiteFitness::new(learned_from, &bed.searcher.evaluation, conditions, runner, finished);
        let outcome = self.learner.learn(&mut fitness, &mut follow)?;
        let held_out = self.try_held_out(&outcome, runner, finished, &mut follow)?;
        Ok(Findings { outcome, positions: self.positions(), held_out })
    }

    /// Tries the output on the held-out positions, if there are some.
    fn try_held_out(
        &self,
        outcome: &LearnOutcome,
        runner: &mut Runner<TrialResult>,
        finished: impl FnMut(Option<Duration>),
        follow: &mut dyn FnMut(LearnEvent<'_>),
    ) -> Result<Option<HeldOut>, RunError> {
        let Self { bed, held_out, conditions, .. } = self;
        let positions = held_out.problems.len();
        if positions == 0 {
            return Ok(None);
        }
        let mut tables = vec![ExtensionTable::default()];
        let judged = outcome.output().into_iter().map(|judged| &judged.table);
        for table in judged.chain(outcome.grown.iter().flat_map(|growth| &growth.steps).map(|step| &step.table)) {
            if !tables.contains(table) {
                tables.push(table.clone());
            }
        }
        let mut fitness = SuiteFitness::new(held_out, &bed.searcher.evaluation, conditions, runner, finished);
        follow(LearnEvent::HoldingOut { searches: tables.len() * positions * conditions.repeats });
        fitness.announce(&tables);
        let mut tried = Vec::new();
        for table in tables {
            follow(LearnEvent::Trying(&table));
            let worth = fitness.evaluate(&table, None)?;
            tried.push((table, worth));
        }
        Ok(Some(HeldOut { positions, tried }))
    }
}
