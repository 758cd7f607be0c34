// SPDX-License-Identifier: GPL-3.0-or-later
//! The outcome of a method: every table that it judged.

use super::growth::Growth;
use super::judged::Judged;
use super::significance::{Comparison, holm};
use halfply_engine::features::{AtomSet, Vocabulary};

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct LearnOutcome {
    /// Every table judged, in the order of evaluation.
    pub judged: Vec<Judged>,
    /// Whether `max_evaluations` ended the run.
    pub capped: bool,
    /// Disjunctions, each grown from the best feature of a group of similar ones; none unless requested.
    pub grown: Vec<Growth>,
}

impl LearnOutcome {
    /// Every feature evaluated, best first: by value, then by the sequence of atoms.
    pub fn ranking(&self) -> Vec<&Judged> {
        let mut ranking: Vec<&Judged> = self.judged.iter().collect();
        ranking.sort_by(|a, b| best_first((a.worth.value, a.feature()), (b.worth.value, b.feature())));
        ranking
    }

    /// The number of searches that early rejection left out, and the number without early rejection.
    pub fn saved(&self) -> (usize, usize) {
        let unsearched = |judged: &Judged| judged.worth.unsearched;
        let searched: usize = self.judged.iter().map(|judged| judged.worth.searched).sum();
        let unsearched: usize = self.judged.iter().map(unsearched).sum();
        (unsearched, searched + unsearched)
    }

    /// What a feature is compared with: its first parent, or Neutral. None for Neutral itself, and where one of the two was
    /// not tried on all positions.
    pub fn compared_with(&self, judged: &Judged) -> Option<(&Judged, Comparison)> {
        let other = judged.parents.map_or(AtomSet::EMPTY, |parents| parents.first);
        let is_other = |parent: &&Judged| parent.feature() == other && parent.feature() != judged.feature();
        let other = self.judged.iter().find(is_other)?;
        let whole = !judged.worth.is_bound && !other.worth.is_bound;
        whole.then(|| (other, Comparison::of_best(&judged.worth, &other.worth, judged.tables_tried)))
    }

    /// The features in the output whose gain is significant at that level after correction for all features tried
    /// (Holm). Features outside the output count as tried with p = 1, because the differences of those rejected early
    /// are unknown.
    pub fn real_gains(&self, level: f64) -> Vec<AtomSet> {
        let tried = self.judged.iter().filter(|judged| !judged.table.is_empty());
        let gain = |judged: &Judged| {
            let (_, comparison) = self.compared_with(judged).filter(|_| judged.verdict.is_output())?;
            comparison.is_gain().then_some(comparison.p)
        };
        let (features, p_values): (Vec<AtomSet>, Vec<f64>) =
            tried.map(|judged| (judged.feature(), gain(judged).unwrap_or(1.0))).unzip();
        let real = holm(&p_values, level).into_iter().zip(features);
        real.filter(|(real, _)| *real).map(|(_, feature)| feature).collect()
    }

    /// The features of the output that are worth more than Neutral and are valid in a file, best first.
    pub fn worthwhile(&self, vocabulary: &Vocabulary) -> Vec<&Judged> {
        let neutral = self.judged.first().map_or(0, |neutral| neutral.worth.value);
        let is_worthwhile = |judged: &&Judged| {
            // Without groups the output may have a redundant combination (Rdt-RdTt), which files refuse.
            let is_clear = judged.table.rows().iter().all(|row| vocabulary.check_clash(row.feature).is_ok());
            judged.worth.value > neutral && is_clear
        };
        self.output().into_iter().filter(is_worthwhile).collect()
    }

    /// The disjunction that is worth most, and the best feature that is worth less; none if no disjunction is better than
    /// every feature alone.
    pub fn best_disjunction(&self) -> Option<(&Growth, &Judged)> {
        let best = *self.output().first()?;
        // With equal values the first, which grew from the better feature.
        let growth = self.grown.iter().rev().max_by_key(|growth| growth.last().worth.value)?;
        (growth.last().worth.value > best.worth.value).then_some((growth, best))
    }

    /// The output of the method, best first (the algorithm's `Output`).
    pub fn output(&self) -> Vec<&Judged> {
        self.ranking().into_iter().filter(|judged| judged.verdict.is_output()).collect()
    }
}

/// The order of `sortDesc`: descending by value; the papers leave ties open, here the sequence of atoms decides.
pub(super) fn best_first(a: (i64, AtomSet), b: (i64, AtomSet)) -> std::cmp::Ordering {
    b.0.cmp(&a.0).then_with(|| a.1.cmp_as_sequence(b.1))
}
