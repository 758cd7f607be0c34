// SPDX-License-Identifier: GPL-3.0-or-later
//! Fitness from searches of a suite's positions.

use std::cmp::Reverse;
use std::time::Duration;

use super::measure::{Measure, WHOLE};
use super::prefix::{Prefix, value};
use super::{Bar, Evaluation, Fitness};
use crate::experiment::{RunError, Runner};
use crate::features::{AtomSet, ExtensionTable};
use crate::games::Furnished;
use crate::search::{Depth, Limits, Setup};
use crate::suite::Suite;
use crate::suite::run::{Summary, Trial, TrialResult};

/// How every feature is tried.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// What a move with the feature costs. The feature is tried at each of these, and the best counts; at least one.
    pub plies: Vec<Depth>,
    /// Nodes a position.
    pub nodes: u64,
    /// The search, the same for every feature but for the extension table.
    pub setup: Setup,
    /// How often a position is searched, with the seed of the search and those that follow it; at least once.
    pub repeats: usize,
    /// What a search counts.
    pub measure: Measure,
    /// Positions taken off the value for each percent of the moves that the feature extends.
    pub frequency_penalty: f64,
}

/// Positions of a suite solved by a search.
pub struct SuiteFitness<'a, G: Furnished, F> {
    suite: &'a Suite<G>,
    evaluation: &'a str,
    conditions: &'a Conditions,
    runner: &'a mut Runner<TrialResult>,
    finished: F,
    /// How long each position's last search took.
    times: Vec<Duration>,
}

impl<'a, G: Furnished, F: FnMut(Option<Duration>)> SuiteFitness<'a, G, F> {
    /// Fitness by the search with the evaluation of that name; `finished` is called after each search, with the
    /// time it took if it was done now.
    pub fn new(
        suite: &'a Suite<G>,
        evaluation: &'a str,
        conditions: &'a Conditions,
        runner: &'a mut Runner<TrialResult>,
        finished: F,
    ) -> Self {
        let times = vec![Duration::ZERO; suite.problems.len()];
        Self { suite, evaluation, conditions, runner, finished, times }
    }

    /// What a search with that table solves; `ply` is what the evaluation is to name as its cost.
    ///
    /// # Errors
    /// If the journal cannot be written, or the runner was stopped.
    ///
    /// # Panics
    /// If the game has no evaluation of the name given to [`new`](Self::new).
    pub fn try_table(
        &mut self,
        table: &ExtensionTable,
        ply: Depth,
        bar: Option<Bar<'_>>,
    ) -> Result<Evaluation, RunError> {
        let Conditions { nodes, ref setup, repeats, measure, frequency_penalty, .. } = *self.conditions;
        let positions = self.suite.problems.len();
        // Units are named by the table and not by the feature: whatever tries it again finds it in the journal.
        let name = table.summary(&G::VOCABULARY);
        let with_seed = |repeat: usize| {
            let seed = setup.seed.wrapping_add(repeat as u64);
            let setup = Setup { table: table.clone(), seed, ..setup.clone() };
            let engine = G::engine(self.evaluation, &setup).expect("the caller has checked the evaluation's name");
            // The first seed is that of the journal, and need not be named.
            (engine, if repeat == 0 { name.clone() } else { format!("{name} seed {seed}") })
        };
        let engines: Vec<_> = (0..repeats).map(with_seed).collect();
        let order = self.order(bar);
        let limits = Limits::nodes(nodes);
        let units: Vec<Trial<'_, G>> = order
            .iter()
            .map(|&place| &self.suite.problems[place])
            .flat_map(|problem| engines.iter().map(move |engine| (problem, engine)))
            .map(|(problem, (engine, label))| Trial { problem, engine: engine.as_ref(), limits, label })
            .collect();
        let mut prefix = Prefix::new(units.len(), repeats, bar.map(|bar| bar.value));
        let (times, finished) = (&mut self.times, &mut self.finished);
        let results = self.runner.run_while(&units, |index, result, time| {
            finished(time);
            if let Some(time) = time {
                times[order[index / repeats]] = time;
            }
            prefix.enter(index, measure.credit(result, nodes))
        })?;
        // What was finished beyond the prefix that decided is kept in the journal, but does not count: on another number
        // of threads it would not have been searched.
        let counted = results.into_iter().take(prefix.decided_at()).collect::<Option<Vec<_>>>();
        let counted = counted.ok_or(RunError::Stopped)?;

        let mut times_solved = vec![0; positions];
        let mut by_seed = vec![0; repeats];
        for (index, _) in counted.iter().enumerate().filter(|(_, result)| result.solved) {
            times_solved[order[index / repeats]] += 1;
            by_seed[index % repeats] += 1;
        }
        let by_most = |place: &usize| 2 * times_solved[*place] as usize > repeats;
        let solved = (0..positions).filter(by_most).collect();
        let unsearched = units.len() - counted.len();
        let credit: u64 = counted.iter().map(|result| measure.credit(result, nodes)).sum();
        let summary = Summary::of(&counted, limits);
        let is_bound = unsearched > 0;
        // Nobody knows how often a feature would have been met in the searches left undone.
        let penalty = if is_bound { 0.0 } else { frequency_penalty * 100.0 * summary.frequency };
        let value = value(credit + unsearched as u64 * WHOLE, repeats, penalty);
        let searched = counted.len();
        Ok(Evaluation { value, ply, times_solved, solved, by_seed, summary, searched, unsearched, is_bound })
    }

    /// The order in which positions are searched.
    fn order(&self, bar: Option<Bar<'_>>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.suite.problems.len()).collect();
        match bar {
            // Stable: the order follows from the parent's results alone, for verdicts depend on it.
            Some(bar) => order.sort_by_key(|place| bar.solved_by_parent.contains(place)),
            // The slow ones first, so that no thread waits long for the last.
            None => order.sort_by_key(|&place| Reverse(self.times[place])),
        }
        order
    }
}

impl<G: Furnished, F: FnMut(Option<Duration>)> Fitness for SuiteFitness<'_, G, F> {
    type Error = RunError;

    /// # Errors
    /// As [`try_table`](Self::try_table).
    ///
    /// # Panics
    /// As [`try_table`](Self::try_table).
    fn evaluate(&mut self, feature: AtomSet, bar: Option<Bar<'_>>) -> Result<Evaluation, RunError> {
        // Without extensions, what they cost makes no difference.
        let plies = if feature.is_empty() { 1 } else { self.conditions.plies.len() };
        let tried: Result<Vec<_>, _> = self.conditions.plies[..plies]
            .iter()
            .map(|&ply| self.try_table(&ExtensionTable::single(feature, ply), ply, bar))
            .collect();
        let tried = tried?;
        let [searched, unsearched] = [|one: &Evaluation| one.searched, |one: &Evaluation| one.unsearched]
            .map(|figure| tried.iter().map(figure).sum());
        // What was tried in full, then the better, then what extends less. A bound is below the bar, and so below
        // whatever may be kept.
        let best = tried.into_iter().max_by_key(|one| (!one.is_bound, one.value, one.ply));
        let best = best.expect("there is a cost");
        Ok(Evaluation { searched, unsearched, ..best })
    }
}
