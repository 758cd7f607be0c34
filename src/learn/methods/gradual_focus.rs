// SPDX-License-Identifier: GPL-3.0-or-later
//! Gradual Focus: growing conjunctions of atoms, level by level, from those that solve more than their parents.
//!
//! Skowronski, Björnsson and Winands, *Automated Discovery of Search-Extension Features* (2009): Algorithms 1 to 3,
//! whose names and line numbers are used here. The thesis has the same algorithms as its Algorithms 3 to 5, with a
//! superfluous negation before `isCompositionAllowed`.

use std::collections::HashSet;

use super::super::event::Event;
use super::super::fitness::{Bar, Fitness};
use super::super::judged::{Judged, Parents, Verdict};
use super::super::outcome::{Outcome, best_first};
use super::super::significance::Comparison;
use crate::features::{AtomSet, Vocabulary};

/// The options of the method.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The atoms to start from (the papers' Base).
    pub base: AtomSet,
    /// Atoms of one group are never combined (paper, section 3.3).
    pub groups: Vec<AtomSet>,
    /// Whether a pruned combination bans those with its second parent's children too (section 3.4).
    pub linear_tree_pruning: bool,
    /// Whether Base features below the threshold are dropped (section 3.5).
    pub threshold_pruning: Option<Threshold>,
    /// How much more than its first parent a combination must solve to be kept. Not negative: the order in which
    /// parents are paired relies on it.
    pub epsilon: u32,
    /// Ours: a combination that solves just epsilon more than its parent is pruned too. With epsilon 0 the papers keep
    /// all the combinations that change nothing.
    pub strictly_better: bool,
    /// Ours: a combination is not evaluated further once it can no longer be kept. No verdict changes, but the values
    /// of pruned combinations are only bounds.
    pub early_rejection: bool,
    /// Ours: a combination whose gain on its first parent is not significant at this level is pruned too. The test is
    /// McNemar's exact test over positions.
    pub significance: Option<f64>,
    /// Combinations that are never formed. A single atom in it is left out of Base.
    pub blacklist: Vec<AtomSet>,
    /// Stop after so many fitness calls.
    pub max_evaluations: Option<usize>,
}

impl Settings {
    /// The least value with which a combination is kept, given the value of its first parent.
    #[must_use]
    pub fn least(&self, first_value: i64) -> i64 {
        first_value + i64::from(self.epsilon) + i64::from(self.strictly_better)
    }

    /// Whether a gain is significant; any is if no level is set.
    #[must_use]
    pub fn is_significant(&self, comparison: Comparison) -> bool {
        self.significance.is_none_or(|level| comparison.is_gain() && comparison.p <= level)
    }
}

/// The options of threshold pruning.
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// Delta: the value below which a Base feature is dropped; none for Neutral's value.
    pub delta: Option<i64>,
    /// Base features that are kept whatever they solve: marked unsafe to prune (thesis, Table 4.2).
    pub unsafe_to_prune: AtomSet,
}

/// A combination that was formed and not yet evaluated.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    feature: AtomSet,
    parents: Parents,
}

/// A feature that may be combined further.
#[derive(Clone, Copy, Debug)]
struct Scored {
    feature: AtomSet,
    value: i64,
}

/// Algorithm 1, `featureLearner`.
///
/// # Errors
/// The fitness's own.
pub fn learn<F: Fitness>(
    vocabulary: &Vocabulary,
    settings: &Settings,
    fitness: &mut F,
    mut follow: impl FnMut(Event<'_>),
) -> Result<Outcome, F::Error> {
    let mut learner =
        Learner { vocabulary, settings, fitness, follow: &mut follow, blacklist: settings.blacklist.clone() };
    let mut outcome = Outcome { judged: Vec::new(), capped: false };
    match learner.run(&mut outcome.judged) {
        Ok(()) => {}
        Err(Stop::Capped) => outcome.capped = true,
        Err(Stop::Failed(error)) => return Err(error),
    }
    Ok(outcome)
}

/// Why a run ended before its end.
enum Stop<E> {
    Capped,
    Failed(E),
}

struct Learner<'a, F, C> {
    vocabulary: &'a Vocabulary,
    settings: &'a Settings,
    fitness: &'a mut F,
    follow: &'a mut C,
    /// Line 1. A composition that contains one of these is not allowed.
    blacklist: Vec<AtomSet>,
}

impl<F: Fitness, C: FnMut(Event<'_>)> Learner<'_, F, C> {
    fn run(&mut self, judged: &mut Vec<Judged>) -> Result<(), Stop<F::Error>> {
        // Lines 3 to 6: Neutral and all of Base are evaluated.
        let atoms: Vec<AtomSet> =
            self.settings.base.indices().map(AtomSet::single).filter(|&atom| self.is_allowed(atom)).collect();
        (self.follow)(Event::Level { atoms: 1, features: atoms.len() + 1 });
        self.announce(judged.len(), &[&[AtomSet::EMPTY], &atoms[..]].concat());
        let neutral = self.judge(judged, AtomSet::EMPTY, None, Verdict::Neutral)?;
        for &atom in &atoms {
            self.judge(judged, atom, None, Verdict::Base)?;
        }
        // Lines 7 to 13: features below the threshold leave Base, and the output.
        if let Some(threshold) = self.settings.threshold_pruning {
            let delta = threshold.delta.unwrap_or(neutral);
            for base in judged.iter_mut().filter(|base| base.verdict == Verdict::Base) {
                if base.worth.value < delta && !threshold.unsafe_to_prune.contains(base.feature) {
                    base.verdict = Verdict::BelowThreshold { delta };
                    (self.follow)(Event::Dropped(base));
                }
            }
        }
        // Lines 14 to 16.
        let mut base: Vec<Scored> =
            judged.iter().filter(|judged| judged.verdict == Verdict::Base).map(Scored::of).collect();
        sort_desc(&mut base);
        let mut work_set = base.clone();
        // Lines 17 to 26.
        for level in 2.. {
            sort_desc(&mut work_set);
            let candidates = self.evolve_features(&work_set, &base);
            if candidates.is_empty() {
                break;
            }
            (self.follow)(Event::Level { atoms: level, features: candidates.len() });
            let features: Vec<AtomSet> = candidates.iter().map(|candidate| candidate.feature).collect();
            self.announce(judged.len(), &features);
            work_set.clear();
            for candidate in candidates {
                // Line 21: a feature judged meanwhile may have banned this one.
                if !self.is_allowed(candidate.feature) {
                    (self.follow)(Event::Skipped(candidate.feature));
                    continue;
                }
                let value = self.judge(judged, candidate.feature, Some(candidate.parents), Verdict::Kept)?;
                // Pruned features stay in the papers' workSet; the blacklist keeps their compositions from being
                // formed, so they are left out here at once.
                if judged.last().is_some_and(|judged| judged.verdict == Verdict::Kept) {
                    work_set.push(Scored { feature: candidate.feature, value });
                }
            }
        }
        Ok(())
    }

    /// Announces the features of a level, as many as may still be evaluated after so many.
    fn announce(&mut self, judged: usize, features: &[AtomSet]) {
        let left = self.settings.max_evaluations.map_or(features.len(), |most| most.saturating_sub(judged));
        self.fitness.announce(&features[..left.min(features.len())]);
    }

    /// Evaluates a feature (line 22), filters it if it is a combination (line 23), notes and reports it.
    fn judge(
        &mut self,
        judged: &mut Vec<Judged>,
        feature: AtomSet,
        parents: Option<Parents>,
        verdict: Verdict,
    ) -> Result<i64, Stop<F::Error>> {
        if self.settings.max_evaluations.is_some_and(|most| judged.len() >= most) {
            return Err(Stop::Capped);
        }
        (self.follow)(Event::Evaluating(feature));
        let first = parents.and_then(|parents| judged.iter().find(|judged| judged.feature == parents.first));
        let bar = first
            .filter(|_| self.settings.early_rejection)
            .map(|first| Bar { value: self.settings.least(first.worth.value), solved_by_parent: &first.worth.solved });
        let worth = self.fitness.evaluate(feature, bar).map_err(Stop::Failed)?;
        let value = worth.value;
        let verdict = match (parents, first) {
            (Some(parents), Some(first)) => {
                let comparison = Comparison::of(&worth, &first.worth);
                self.filter_feature(feature, value, parents, comparison)
            }
            _ => verdict,
        };
        judged.push(Judged { feature, worth, parents, verdict });
        if let Some(judged) = judged.last() {
            (self.follow)(Event::Judged(judged));
        }
        Ok(value)
    }

    /// Algorithm 2, `evolveFeatures`: every allowed combination of a feature of the work set with one of Base, both
    /// sorted, each once.
    fn evolve_features(&self, work_set: &[Scored], base: &[Scored]) -> Vec<Candidate> {
        let mut new = Vec::new();
        let mut formed = HashSet::new();
        for a in work_set {
            for b in base {
                if self.belong_to_same_group(a.feature, b.feature) {
                    continue;
                }
                let feature = a.feature | b.feature;
                if self.is_allowed(feature) && formed.insert(feature) {
                    let parents = Parents { first: a.feature, first_value: a.value, second: b.feature };
                    new.push(Candidate { feature, parents });
                }
            }
        }
        new
    }

    /// Algorithm 3, `filterFeature`.
    fn filter_feature(&mut self, feature: AtomSet, value: i64, parents: Parents, from_first: Comparison) -> Verdict {
        let enough = value >= self.settings.least(parents.first_value);
        let by_chance = (enough && !self.settings.is_significant(from_first)).then_some(from_first.p);
        if enough && by_chance.is_none() {
            return Verdict::Kept;
        }
        self.blacklist.push(feature);
        let mut banned = Vec::new();
        if self.settings.linear_tree_pruning {
            // Lines 3 to 8; the second parent is a Base feature, only its direct children are banned.
            let children: AtomSet = parents.second.indices().map(|index| self.vocabulary.children(index)).collect();
            // Without groups the first parent may contain the child itself; banning the child would then ban the first
            // parent. The paper's groups never combine the two.
            let combined = children.indices().map(|child| parents.first | AtomSet::single(child));
            banned.extend(combined.filter(|&combined| combined != parents.first));
            self.blacklist.extend_from_slice(&banned);
        }
        Verdict::Pruned { banned, by_chance }
    }

    /// `isCompositionAllowed`: no part of it is blacklisted.
    fn is_allowed(&self, feature: AtomSet) -> bool {
        !self.blacklist.iter().any(|&banned| feature.contains(banned))
    }

    /// `belongToSameGroup`: a combination inherits the groups of its parents.
    fn belong_to_same_group(&self, a: AtomSet, b: AtomSet) -> bool {
        self.settings.groups.iter().any(|group| group.meets(a) && group.meets(b))
    }
}

impl Scored {
    fn of(judged: &Judged) -> Self {
        Self { feature: judged.feature, value: judged.worth.value }
    }
}

/// `sortDesc`.
fn sort_desc(features: &mut [Scored]) {
    features.sort_by(|a, b| best_first((a.value, a.feature), (b.value, b.feature)));
}

#[cfg(test)]
#[path = "gradual_focus_tests.rs"]
mod tests;
