// SPDX-License-Identifier: GPL-3.0-or-later
//! A run of tuning as a library call: it reports its progress to an observer and prints nothing.

use std::cell::RefCell;
use std::time::Duration;

use super::{HeldOut, Scored, Scorer, Tuned, Tuner, TuningRecipe, scope};
use crate::learn::candidate::Candidate;
use crate::learn::fitness::{Conditions, SuiteFitness};
use crate::learn::held_out;
use crate::learn::searches::{Scope, TestBed};
use crate::learn::settings::SettingError;
use crate::run::{Event, RunError, Runner};
use crate::suite::Suite;
use crate::suite::trial::TrialResult;
use halfply_engine::games::RegisteredGame;

/// A run whose recipe fits the game and the suite.
pub struct Ready<'a, G: RegisteredGame> {
    /// The positions and the search.
    pub bed: &'a TestBed<G>,
    /// How it tunes.
    pub recipe: &'a TuningRecipe,
    /// What it begins with.
    pub given: Candidate,
    /// The positions to learn from.
    pub learned_from: Suite<G>,
    /// Positions held out; there may be none.
    pub held_out: Suite<G>,
    /// How candidates are tried.
    pub conditions: Conditions,
    tuner: Box<dyn Tuner>,
}

impl<'a, G: RegisteredGame> Ready<'a, G> {
    /// Checks the recipe, and divides the suite.
    ///
    /// # Errors
    /// Names the setting that does not fit the game or the suite.
    pub fn new(bed: &'a TestBed<G>, recipe: &'a TuningRecipe, given: Candidate) -> Result<Self, SettingError> {
        let setup = &bed.searcher.setup;
        let tuner = recipe.method.tuner(&bed.vocabulary(), &given, setup)?;
        bed.check_state("extensions", given.table.wanted())?;
        bed.check_state("gene", scope(tuner.settings(), &given).atoms)?;
        let conditions = recipe.objective.conditions(bed.nodes, setup.clone())?;
        let [learned_from, held_out] = held_out::parts(&bed.suite, recipe.objective.held_out, setup.seed)?;
        Ok(Self { bed, recipe, given, learned_from, held_out, conditions, tuner })
    }

    /// What its searches may name.
    pub fn scope(&self) -> Scope {
        scope(self.tuner.settings(), &self.given)
    }

    /// Tunes by searches of that runner.
    ///
    /// # Errors
    /// If the journal cannot be written, the runner was stopped, or it waits for workers.
    pub fn learn(
        &self,
        runner: &mut Runner<TrialResult>,
        observe: &mut dyn FnMut(Event<'_, Tuned>),
    ) -> Result<Tuned, RunError> {
        // Both the method and its searches report to the observer, never one within the other.
        let observe = RefCell::new(observe);
        let finished = |time: Option<Duration>| (observe.borrow_mut())(Event::unit(time));
        let mut follow = |event: Event<'_, Tuned>| (observe.borrow_mut())(event);
        let Self { bed, learned_from, conditions, .. } = self;
        let (count, round) = (self.recipe.objective.fitness, self.recipe.method.round());
        let positions = learned_from.problems.len();
        let mut trials = SuiteFitness::new(learned_from, &bed.searcher.evaluation, conditions, runner, finished);
        let mut scorer = Scorer::new(&mut trials, count).observed(positions, round, &mut follow);
        let given = one(scorer.score(vec![self.given.clone()])?);
        scorer.given(&given, self.tuner.settings());
        let rounds = self.tuner.tune(&given, &mut scorer)?;
        let settings = self.tuner.settings().to_vec();
        let mut tuned = Tuned { settings, given, rounds, positions, held_out: None };

        let positions = self.held_out.problems.len();
        if positions > 0 {
            let both = vec![self.given.clone(), tuned.best().candidate.clone()];
            follow(Event::Stage { name: "the held-out positions".to_owned(), units: (both.len() * positions) as u64 });
            let mut trials = SuiteFitness::new(&self.held_out, &bed.searcher.evaluation, conditions, runner, finished);
            // The stage has been announced.
            let mut scored = Scorer::new(&mut trials, count).score(both)?;
            let best = one(scored.split_off(1));
            tuned.held_out = Some(HeldOut { positions, given: one(scored), best });
        }
        Ok(tuned)
    }
}

/// The score of the only candidate.
fn one(mut scored: Vec<Scored>) -> Scored {
    // There is one for each candidate.
    scored.swap_remove(0)
}
