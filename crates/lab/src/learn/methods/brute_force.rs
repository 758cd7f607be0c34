// SPDX-License-Identifier: GPL-3.0-or-later
//! Every conjunction of a few atoms: what Gradual Focus is measured against (Skowronski 2009, section 4.1.4).

use clap::Args;
use serde::Serialize;

use super::super::event::LearnEvent;
use super::super::fitness::Fitness;
use super::super::judged::Verdict;
use super::super::outcome::LearnOutcome;
use super::super::settings::{SettingError, defaults};
use super::conjunctions::Space;
use super::{Conjunctions, Learner};
use crate::run::RunError;
use halfply_engine::base::figures::count_in;
use halfply_engine::features::{AtomSet, Vocabulary};

/// The settings of the method.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct BruteForce {
    /// The most atoms of a feature
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = count_in::<u32>(1..=32))]
    pub max_atoms: u32,
    /// Which conjunctions there are, and what comes after them.
    #[command(flatten)]
    #[serde(flatten)]
    pub conjunctions: Conjunctions,
}

impl Default for BruteForce {
    fn default() -> Self {
        defaults()
    }
}

impl BruteForce {
    /// The method for a game with that vocabulary.
    pub(super) fn prepare(&self, vocabulary: &Vocabulary) -> Result<Prepared, SettingError> {
        let Conjunctions { acceptance, disjunction, .. } = &self.conjunctions;
        // All conjunctions are kept.
        if !disjunction.grows() {
            acceptance.check_unused()?;
        }
        Ok(Prepared { space: self.conjunctions.space(vocabulary)?, max_atoms: self.max_atoms as usize })
    }
}

/// The method for a game.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// The conjunctions to choose from.
    pub space: Space,
    /// The most atoms of a feature.
    pub max_atoms: usize,
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
        let space = &self.space;
        let mut outcome = LearnOutcome::default();
        let mut level = vec![AtomSet::EMPTY];
        for atoms in 0..=self.max_atoms {
            if atoms > 0 {
                level = level.iter().flat_map(|&feature| extensions(space, feature)).collect();
            }
            if level.is_empty() {
                break;
            }
            space.begin_level(atoms.max(1), &level, outcome.judged.len(), fitness, follow);
            for &feature in &level {
                if space.is_full(outcome.judged.len()) {
                    outcome.capped = true;
                    return Ok(outcome);
                }
                follow(LearnEvent::Evaluating(feature));
                let verdict = match atoms {
                    0 => Verdict::Neutral,
                    1 => Verdict::Base,
                    _ => Verdict::Tried,
                };
                let judged = space.evaluate(feature, None, fitness)?.judged(verdict);
                follow(LearnEvent::Judged(&judged));
                outcome.judged.push(judged);
            }
        }
        Ok(outcome)
    }
}

/// The feature with one atom more, which comes after all of its own: so that each combination is formed once.
fn extensions(space: &Space, feature: AtomSet) -> impl Iterator<Item = AtomSet> {
    let last = feature.indices().last();
    let clashes = move |atom: AtomSet| space.groups.iter().any(|group| group.meets(feature) && group.meets(atom));
    let later = space.base.indices().filter(move |&index| last.is_none_or(|last| index > last));
    let free = later.map(AtomSet::single).filter(move |&atom| !clashes(atom)).map(move |atom| feature | atom);
    free.filter(|&combined| !space.blacklist.iter().any(|&banned| combined.contains(banned)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::learn::fitness::Bar;
    use crate::learn::judged::Judged;
    use crate::learn::worth::Worth;
    use halfply_engine::features::ExtensionTable;
    use halfply_engine::game::Game;
    use halfply_engine::games::{Breakthrough, Chess};

    struct Nothing;

    impl Fitness for Nothing {
        fn evaluate(&mut self, _table: &ExtensionTable, _bar: Option<Bar<'_>>) -> Result<Worth, RunError> {
            Ok(Worth::made(0, 0, &[]))
        }
    }

    fn tried(vocabulary: &Vocabulary, conjunctions: Conjunctions, max_atoms: u32) -> Vec<AtomSet> {
        let method = BruteForce { max_atoms, conjunctions }.prepare(vocabulary).unwrap();
        let outcome = method.learn(&mut Nothing, &mut |_| ()).unwrap();
        outcome.judged.iter().map(Judged::feature).collect()
    }

    #[test]
    fn breakthrough_has_377_features_of_up_to_three_atoms() {
        // Skowronski 2009, section 4.1.4; Neutral besides.
        let vocabulary = Breakthrough::VOCABULARY;
        let features = tried(&vocabulary, Conjunctions::default(), 3);
        let count = |atoms: usize| features.iter().filter(|feature| feature.len() == atoms).count();
        assert_eq!([count(0), count(1), count(2), count(3)], [1, 15, 88, 274]);
        assert_eq!(features.iter().collect::<HashSet<_>>().len(), 378);
        let ungrouped = Conjunctions { groups: Some("none".to_owned()), ..Conjunctions::default() };
        assert_eq!(tried(&vocabulary, ungrouped, 15).len(), 32_768);
    }

    #[test]
    fn what_is_on_the_blacklist_is_not_tried() {
        let vocabulary = Chess::VOCABULARY;
        let banned = vocabulary.parse("PcK-AcQ").unwrap();
        let with = |blacklist| tried(&vocabulary, Conjunctions { blacklist, ..Conjunctions::default() }, 2);
        assert!(with(None).iter().all(|feature| !feature.contains(banned)));
        for none in [Vec::new(), vec![String::new()], vec!["none".to_owned()]] {
            assert!(with(Some(none)).contains(&banned));
        }
    }
}
