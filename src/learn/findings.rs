// SPDX-License-Identifier: GPL-3.0-or-later
//! All that a recipe finds on a suite: conjunctions, the disjunctions grown from them, and what both solve of the
//! held-out positions.

use std::time::Duration;

use super::event::Event;
use super::fitness::{Bar, Conditions, SuiteFitness};
use super::held_out::HeldOut;
use super::judged::Judged;
use super::methods::disjunction::{self, Growth};
use super::methods::gradual_focus::Settings;
use super::outcome::Outcome;
use super::recipe::Recipe;
use super::similarity;
use crate::base::Depth;
use crate::features::{ExtensionTable, Row};
use crate::games::Furnished;
use crate::run::{RunError, Runner};
use crate::search::Evaluator;
use crate::suite::Suite;
use crate::suite::run::TrialResult;

/// What a recipe found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The features.
    pub outcome: Outcome,
    /// The names of the positions that were learned from, in their order.
    pub positions: Vec<String>,
    /// What the output solves of the held-out positions; none if there are none.
    pub held_out: Option<HeldOut>,
    /// Disjunctions, each grown from the best feature of a kind; none unless requested.
    pub disjunctions: Vec<Growth>,
}

/// What a recipe is given.
pub struct Inputs<'a, G: Furnished> {
    /// The positions to learn from.
    pub learned_from: &'a Suite<G>,
    /// Positions held out; there may be none.
    pub held_out: &'a Suite<G>,
    /// The static evaluation of the searches.
    pub evaluation: &'a Evaluator<G>,
    /// How features are tried.
    pub conditions: &'a Conditions,
    /// Runs the searches.
    pub runner: &'a mut Runner<TrialResult>,
}

impl<G: Furnished> Inputs<'_, G> {
    /// Searches that a table takes which is tried in full.
    #[must_use]
    pub fn searches_of_table(&self) -> usize {
        self.learned_from.problems.len() * self.conditions.repeats
    }
}

impl Findings {
    /// The disjunction that is worth most, and the best feature that is worth less; none if no disjunction is better than
    /// every feature alone.
    #[must_use]
    pub fn best_disjunction(&self) -> Option<(&Growth, &Judged)> {
        let best = *self.outcome.output().first()?;
        // With equal values the first, which grew from the better feature.
        let growth = self.disjunctions.iter().rev().max_by_key(|growth| growth.last().worth.value)?;
        (growth.last().worth.value > best.worth.value).then_some((growth, best))
    }
}

/// Follows a recipe; `settings` are its own. `finished` is called after each search, with the time it took if it was done
/// now.
///
/// # Errors
/// If the journal cannot be written, or the runner was stopped.
pub fn find<G: Furnished>(
    recipe: &Recipe,
    settings: &Settings,
    inputs: Inputs<'_, G>,
    mut finished: impl FnMut(Option<Duration>),
    mut follow: impl FnMut(Event<'_>),
) -> Result<Findings, RunError> {
    let Inputs { learned_from, held_out, evaluation, conditions, runner } = inputs;
    let vocabulary = G::VOCABULARY;
    let mut fitness = SuiteFitness::new(learned_from, evaluation, conditions, runner, &mut finished);
    let outcome = recipe.learn(&vocabulary, settings, &mut fitness, &mut follow)?;

    let worthwhile = outcome.worthwhile(&vocabulary);
    let candidates: Vec<Row> = worthwhile.iter().map(|judged| judged.row()).collect();
    let mut disjunctions: Vec<Growth> = Vec::new();
    if recipe.rows > 1 {
        for first in first_of_kinds(&worthwhile).into_iter().take(recipe.starts as usize) {
            // A table's cost is that of its rows.
            let evaluate = |tables: &[ExtensionTable], bar: Option<Bar<'_>>| {
                fitness.announce_tables(tables.iter().cloned());
                fitness.try_table(&tables[0], Depth::PLY, bar)
            };
            let most = recipe.rows as usize;
            let growth = disjunction::grow(first, &candidates, most, settings, evaluate, &mut follow)?;
            // Different starts may grow the same table.
            if disjunctions.iter().all(|other| other.last().table != growth.last().table) {
                disjunctions.push(growth);
            }
        }
    }

    let held_out = (!held_out.problems.is_empty()).then_some(held_out);
    let tried = held_out.map(|held_out| {
        let mut fitness = SuiteFitness::new(held_out, evaluation, conditions, runner, &mut finished);
        let features = outcome.output().into_iter().map(Judged::table);
        let grown = disjunctions.iter().flat_map(|growth| &growth.steps).map(|step| step.table.clone());
        let mut tables = vec![ExtensionTable::default()];
        for table in features.chain(grown) {
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        follow(Event::HoldingOut { searches: tables.len() * held_out.problems.len() * conditions.repeats });
        fitness.announce_tables(tables.iter().cloned());
        let mut tried = Vec::new();
        for table in tables {
            follow(Event::Trying(&table));
            let evaluation = fitness.try_table(&table, Depth::PLY, None)?;
            tried.push((table, evaluation));
        }
        Ok::<_, RunError>(HeldOut { positions: held_out.problems.len(), tried })
    });
    let positions = learned_from.problems.iter().map(|problem| problem.id.clone()).collect();
    Ok(Findings { outcome, positions, held_out: tried.transpose()?, disjunctions })
}

/// The first feature of each kind, from features sorted best first.
fn first_of_kinds<'a>(features: &[&'a Judged]) -> Vec<&'a Judged> {
    let solved: Vec<&[usize]> = features.iter().map(|judged| &judged.worth.solved[..]).collect();
    let leaders = similarity::leaders(&solved);
    features.iter().enumerate().filter(|(place, _)| leaders[*place] == *place).map(|(_, &judged)| judged).collect()
}
