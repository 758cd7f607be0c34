// SPDX-License-Identifier: GPL-3.0-or-later
//! What a feature is worth: the positions of a suite that a search extending on it solves (Skowronski 2009, section 3.7).

use std::ops::ControlFlow;
use std::time::Duration;

use crate::experiment::{RunError, Runner};
use crate::features::{AtomSet, ExtensionTable};
use crate::games::Furnished;
use crate::search::{Depth, Limits, Setup};
use crate::suite::Suite;
use crate::suite::run::{Summary, Trial, TrialResult, trials};

/// What a fitness call found out about a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The feature's value: positions solved; of a feature that was rejected early, the most that it could have solved.
    pub value: i64,
    /// Which positions those are, by their place in the suite.
    pub solved: Vec<usize>,
    /// The rest of what the searches tell.
    pub summary: Summary,
    /// Positions that were not searched, because the feature was rejected before their turn.
    pub unsearched: usize,
}

impl Evaluation {
    /// Whether the feature was rejected early: its value is a bound, and the rest is of the positions searched.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.unsearched > 0
    }
}

/// What a combination must reach to be kept.
#[derive(Clone, Copy, Debug)]
pub struct Bar<'a> {
    /// The least value.
    pub value: i64,
    /// The positions that its first parent solves. The others come first: there it is more likely to fail, and the sooner
    /// it fails, the less has to be searched.
    pub solved_by_parent: &'a [usize],
}

/// The papers' `evaluateFitness`.
pub trait Fitness {
    /// Why an evaluation may fail.
    type Error;

    /// Evaluates a feature; the empty one is *Neutral*. If there is a bar, the evaluation may end as soon as the feature
    /// can no longer reach it; it must never end so otherwise.
    ///
    /// # Errors
    /// As the implementation says.
    fn evaluate(&mut self, feature: AtomSet, bar: Option<Bar<'_>>) -> Result<Evaluation, Self::Error>;
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
    fn evaluate(&mut self, feature: AtomSet, bar: Option<Bar<'_>>) -> Result<Evaluation, RunError> {
        let Conditions { ply, nodes, ref setup } = self.conditions;
        let setup = Setup { table: ExtensionTable::single(feature, ply), ..setup.clone() };
        // Units are named by the table and not by the feature: whatever tries it again finds it in the journal.
        let label = setup.table.summary(&G::VOCABULARY);
        let engine = G::engine(self.evaluation, &setup).expect("the caller has checked the evaluation's name");
        let limits = Limits::nodes(nodes);
        let mut units = trials(&self.suite.problems, engine.as_ref(), limits, &label);
        let mut order: Vec<usize> = (0..units.len()).collect();
        if let Some(bar) = bar {
            // Stable: the order follows from the parent's results alone.
            order.sort_by_key(|place| bar.solved_by_parent.contains(place));
            let in_place = |place: &usize| Trial { problem: &self.suite.problems[*place], ..units[*place] };
            units = order.iter().map(in_place).collect();
        }
        let mut prefix = Prefix::new(units.len(), bar.map(|bar| bar.value));
        let results = self.runner.run_while(&units, |index, result, time| {
            (self.finished)(time);
            prefix.enter(index, result.solved)
        })?;
        // What was finished beyond the prefix that decided is kept in the journal, but does not count: on another number
        // of threads it would not have been searched.
        let counted = results.into_iter().take(prefix.decided_at()).collect::<Option<Vec<_>>>();
        let counted = counted.ok_or(RunError::Stopped)?;
        let mut solved: Vec<usize> = (0..counted.len()).filter(|&index| counted[index].solved).collect();
        for index in &mut solved {
            *index = order[*index];
        }
        solved.sort_unstable();
        let unsearched = units.len() - counted.len();
        let value = (solved.len() + unsearched) as i64;
        Ok(Evaluation { value, solved, summary: Summary::of(&counted, limits), unsearched })
    }
}

/// Follows the longest finished prefix of a list of positions, until it shows that a bar cannot be reached.
struct Prefix {
    solved: Vec<Option<bool>>,
    length: usize,
    /// How many of the prefix are unsolved.
    failures: usize,
    /// How many may be; none if there is no bar.
    tolerable: Option<usize>,
}

impl Prefix {
    fn new(positions: usize, bar: Option<i64>) -> Self {
        // A bar that is out of reach from the beginning tolerates none, and falls with the first failure.
        let tolerable = bar.map(|bar| positions.saturating_sub(usize::try_from(bar).unwrap_or(0)));
        Self { solved: vec![None; positions], length: 0, failures: 0, tolerable }
    }

    fn enter(&mut self, index: usize, solved: bool) -> ControlFlow<()> {
        self.solved[index] = Some(solved);
        while !self.is_decided()
            && let Some(&Some(solved)) = self.solved.get(self.length)
        {
            self.length += 1;
            self.failures += usize::from(!solved);
        }
        if self.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_decided(&self) -> bool {
        self.tolerable.is_some_and(|tolerable| self.failures > tolerable)
    }

    /// How many positions count: all, unless fewer were enough to decide.
    fn decided_at(&self) -> usize {
        if self.is_decided() { self.length } else { self.solved.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a list of results decides, entered in that order.
    fn decided(results: &[bool], bar: Option<i64>, arrival: &[usize]) -> usize {
        let mut prefix = Prefix::new(results.len(), bar);
        for &index in arrival {
            if prefix.enter(index, results[index]).is_break() {
                break;
            }
        }
        prefix.decided_at()
    }

    #[test]
    fn the_prefix_decides_and_not_the_order_of_arrival() {
        let results = [true, false, false, true, false, true];
        let in_order = [0, 1, 2, 3, 4, 5];
        // Five of six are wanted: the second failure decides, which is the third position.
        assert_eq!(decided(&results, Some(5), &in_order), 3);
        assert_eq!(decided(&results, Some(5), &[5, 4, 3, 2, 1, 0]), 3);
        // Three can be had, four cannot: the last failure decides.
        assert_eq!(decided(&results, Some(4), &in_order), 5);
        for bar in [None, Some(3), Some(0), Some(-5)] {
            assert_eq!(decided(&results, bar, &in_order), 6);
        }
        assert_eq!(decided(&results, Some(7), &in_order), 2);
    }
}
