// SPDX-License-Identifier: GPL-3.0-or-later
//! Gradual Focus: growing conjunctions of atoms, level by level, from those that solve more than their parents.
//!
//! Skowronski, Björnsson and Winands, *Automated Discovery of Search-Extension Features* (2009): Algorithms 1 to 3,
//! whose names and line numbers are used here. The thesis has the same algorithms as its Algorithms 3 to 5, with a
//! superfluous negation before `isCompositionAllowed`.

use std::collections::HashSet;

use clap::{ArgAction, Args};
use serde::Serialize;

use super::super::event::LearnEvent;
use super::super::fitness::Fitness;
use super::super::judged::{Judged, Parents, Verdict};
use super::super::outcome::{LearnOutcome, best_first};
use super::super::settings::{SettingError, defaults};
use super::super::significance::Comparison;
use super::conjunctions::{Space, features};
use super::{Conjunctions, Learner};
use crate::run::RunError;
use halfply_engine::base::figures::count_in;
use halfply_engine::features::{AtomSet, Vocabulary};

/// The settings of the method.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct GradualFocus {
    /// Turn off linear tree pruning: do not ban combinations with children of a pruned one's second parent
    #[arg(long = "no-linear-tree-pruning", action = ArgAction::SetFalse)]
    pub linear_tree_pruning: bool,
    /// Turn off threshold pruning: do not drop atoms that solve fewer positions than delta
    #[arg(long = "no-threshold-pruning", action = ArgAction::SetFalse)]
    pub threshold_pruning: bool,
    /// The threshold of threshold pruning [default: the positions solved without extensions]
    #[arg(long, value_name = "N", value_parser = count_in::<i64>(0..), conflicts_with = "threshold_pruning")]
    pub delta: Option<i64>,
    /// Atoms that threshold pruning must not drop
    #[arg(long, value_name = "ATOM,...", value_delimiter = ',', conflicts_with = "threshold_pruning")]
    pub unsafe_to_prune: Vec<String>,
    /// Exclude the atoms marked as unsafe to prune from threshold pruning
    #[arg(long, conflicts_with = "threshold_pruning")]
    pub domain_knowledge: bool,
    /// Which conjunctions there are, and what comes after them.
    #[command(flatten)]
    #[serde(flatten)]
    pub conjunctions: Conjunctions,
}

/// The papers' options where they have one value for all experiments with Breakthrough.
impl Default for GradualFocus {
    fn default() -> Self {
        defaults()
    }
}

impl GradualFocus {
    /// The method for a game with that vocabulary.
    pub(super) fn prepare(&self, vocabulary: &Vocabulary) -> Result<Prepared, SettingError> {
        let space = self.conjunctions.space(vocabulary)?;
        let marked = vocabulary.atoms.iter().enumerate().filter(|(_, atom)| self.domain_knowledge && !atom.prunable);
        let marked: AtomSet = marked.map(|(index, _)| AtomSet::single(index)).collect();
        let named: AtomSet = features(vocabulary, "unsafe-to-prune", &self.unsafe_to_prune)?.into_iter().collect();
        let threshold = Threshold { delta: self.delta, unsafe_to_prune: marked | named };
        Ok(Prepared {
            space,
            linear_tree_pruning: self.linear_tree_pruning,
            threshold_pruning: self.threshold_pruning.then_some(threshold),
        })
    }
}

/// The method for a game.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// The conjunctions to choose from.
    pub space: Space,
    /// Whether a pruned combination bans those with its second parent's children too (section 3.4).
    pub linear_tree_pruning: bool,
    /// Whether Base features below the threshold are dropped (section 3.5).
    pub threshold_pruning: Option<Threshold>,
}

/// The options of threshold pruning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threshold {
    /// Delta: the value below which a Base feature is dropped; none for Neutral's value.
    pub delta: Option<i64>,
    /// Base features that are kept whatever they solve: marked unsafe to prune (thesis, Table 4.2).
    pub unsafe_to_prune: AtomSet,
}

impl Learner for Prepared {
    fn space(&self) -> &Space {
        &self.space
    }

    fn try_conjunctions(
        &self,
        fitness: &mut dyn Fitness,
        follow: &mut dyn FnMut(LearnEvent<'_>),
    ) -> Result<LearnOutcome, RunError> {
        let mut learner = FeatureLearner { method: self, fitness, follow, blacklist: self.space.blacklist.clone() };
        let mut outcome = LearnOutcome::default();
        match learner.run(&mut outcome.judged) {
            Ok(()) => {}
            Err(Stop::Capped) => outcome.capped = true,
            Err(Stop::Failed(error)) => return Err(error),
        }
        Ok(outcome)
    }
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

/// Why a run ended before its end.
enum Stop {
    Capped,
    Failed(RunError),
}

/// Algorithm 1, `featureLearner`.
struct FeatureLearner<'a> {
    method: &'a Prepared,
    fitness: &'a mut dyn Fitness,
    follow: &'a mut dyn FnMut(LearnEvent<'_>),
    /// Line 1. A composition that contains one of these is not allowed.
    blacklist: Vec<AtomSet>,
}

impl FeatureLearner<'_> {
    fn run(&mut self, judged: &mut Vec<Judged>) -> Result<(), Stop> {
        // Lines 3 to 6: Neutral and all of Base are evaluated.
        let atoms: Vec<AtomSet> =
            self.method.space.base.indices().map(AtomSet::single).filter(|&atom| self.is_allowed(atom)).collect();
        self.begin_level(1, &[&[AtomSet::EMPTY], &atoms[..]].concat(), judged.len());
        let neutral = self.judge(judged, AtomSet::EMPTY, None, Verdict::Neutral)?;
        for &atom in &atoms {
            self.judge(judged, atom, None, Verdict::Base)?;
        }
        // Lines 7 to 13: features below the threshold leave Base, and the output.
        if let Some(threshold) = self.method.threshold_pruning {
            let delta = threshold.delta.unwrap_or(neutral);
            for base in judged.iter_mut().filter(|base| base.verdict == Verdict::Base) {
                if base.worth.value < delta && !threshold.unsafe_to_prune.contains(base.feature()) {
                    base.verdict = Verdict::BelowThreshold { delta };
                    (self.follow)(LearnEvent::Dropped(base));
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
            let features: Vec<AtomSet> = candidates.iter().map(|candidate| candidate.feature).collect();
            self.begin_level(level, &features, judged.len());
            work_set.clear();
            for candidate in candidates {
                // Line 21: a feature judged meanwhile may have banned this one.
                if !self.is_allowed(candidate.feature) {
                    let tables = self.method.space.tables(candidate.feature).len();
                    (self.follow)(LearnEvent::Skipped { feature: candidate.feature, tables });
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

    fn begin_level(&mut self, atoms: usize, features: &[AtomSet], judged: usize) {
        self.method.space.begin_level(atoms, features, judged, self.fitness, self.follow);
    }

    /// Evaluates a feature (line 22), filters it if it is a combination (line 23), notes and reports it.
    fn judge(
        &mut self,
        judged: &mut Vec<Judged>,
        feature: AtomSet,
        parents: Option<Parents>,
        verdict: Verdict,
    ) -> Result<i64, Stop> {
        let space = &self.method.space;
        let acceptance = &space.acceptance;
        if space.is_full(judged.len()) {
            return Err(Stop::Capped);
        }
        (self.follow)(LearnEvent::Evaluating(feature));
        let first = parents.and_then(|parents| judged.iter().find(|judged| judged.feature() == parents.first));
        let bar = first.and_then(|first| acceptance.bar(acceptance.least(first.worth.value), &first.worth));
        let tried = space.evaluate(feature, bar, self.fitness).map_err(Stop::Failed)?;
        let value = tried.worth.value;
        let verdict = match (parents, first) {
            (Some(parents), Some(first)) => {
                let comparison = Comparison::of_best(&tried.worth, &first.worth, tried.tables);
                self.filter_feature(feature, value, parents, comparison)
            }
            _ => verdict,
        };
        judged.push(Judged { parents, ..tried.judged(verdict) });
        if let Some(judged) = judged.last() {
            (self.follow)(LearnEvent::Judged(judged));
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
        let enough = value >= self.method.space.acceptance.least(parents.first_value);
        let by_chance = (enough && !self.method.space.acceptance.is_significant(from_first)).then_some(from_first.p);
        if enough && by_chance.is_none() {
            return Verdict::Kept;
        }
        self.blacklist.push(feature);
        let mut banned = Vec::new();
        if self.method.linear_tree_pruning {
            // Lines 3 to 8; the second parent is a Base feature, only its direct children are banned.
            let children: AtomSet =
                parents.second.indices().map(|index| self.method.space.vocabulary.children(index)).collect();
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
        self.method.space.groups.iter().any(|group| group.meets(a) && group.meets(b))
    }
}

impl Scored {
    fn of(judged: &Judged) -> Self {
        Self { feature: judged.feature(), value: judged.worth.value }
    }
}

/// `sortDesc`.
fn sort_desc(features: &mut [Scored]) {
    features.sort_by(|a, b| best_first((a.value, a.feature), (b.value, b.feature)));
}

#[cfg(test)]
#[path = "gradual_focus_tests.rs"]
mod tests;
