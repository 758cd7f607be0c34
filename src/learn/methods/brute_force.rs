// SPDX-License-Identifier: GPL-3.0-or-later
//! Every conjunction of a few atoms: what Gradual Focus is measured against (Skowronski 2009, section 4.1.4).

use super::super::event::Event;
use super::super::fitness::Fitness;
use super::super::judged::{Judged, Verdict};
use super::super::outcome::Outcome;
use super::gradual_focus::Settings;
use crate::features::AtomSet;

/// Evaluates Neutral and every feature of one to `max_atoms` atoms that base, groups and blacklist of the settings allow;
/// nothing is pruned.
///
/// # Errors
/// The fitness's own.
pub fn learn<F: Fitness>(
    settings: &Settings,
    max_atoms: usize,
    fitness: &mut F,
    mut follow: impl FnMut(Event<'_>),
) -> Result<Outcome, F::Error> {
    let mut outcome = Outcome { judged: Vec::new(), capped: false };
    let mut level = vec![AtomSet::EMPTY];
    for atoms in 0..=max_atoms {
        if atoms > 0 {
            level = level.iter().flat_map(|&feature| extensions(settings, feature)).collect();
        }
        if level.is_empty() {
            break;
        }
        follow(Event::Level { atoms: atoms.max(1), features: level.len() });
        let left = settings.max_evaluations.map_or(level.len(), |most| most.saturating_sub(outcome.judged.len()));
        fitness.announce(&level[..left.min(level.len())]);
        for &feature in &level {
            if settings.max_evaluations.is_some_and(|most| outcome.judged.len() >= most) {
                outcome.capped = true;
                return Ok(outcome);
            }
            follow(Event::Evaluating(feature));
            let worth = fitness.evaluate(feature, None)?;
            let verdict = match atoms {
                0 => Verdict::Neutral,
                1 => Verdict::Base,
                _ => Verdict::Tried,
            };
            let judged = Judged { feature, worth, parents: None, verdict };
            follow(Event::Judged(&judged));
            outcome.judged.push(judged);
        }
    }
    Ok(outcome)
}

/// The feature with one atom more, which comes after all of its own: so that each combination is formed once.
fn extensions(settings: &Settings, feature: AtomSet) -> impl Iterator<Item = AtomSet> {
    let last = feature.indices().last();
    let clashes = move |atom: AtomSet| settings.groups.iter().any(|group| group.meets(feature) && group.meets(atom));
    let later = settings.base.indices().filter(move |&index| last.is_none_or(|last| index > last));
    let free = later.map(AtomSet::single).filter(move |&atom| !clashes(atom)).map(move |atom| feature | atom);
    free.filter(|&combined| !settings.blacklist.iter().any(|&banned| combined.contains(banned)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::convert::Infallible;

    use super::*;
    use crate::features::Vocabulary;
    use crate::game::Game;
    use crate::games::{Breakthrough, Chess};
    use crate::learn::fitness::Bar;
    use crate::learn::recipe::Recipe;
    use crate::learn::worth::Worth;

    struct Nothing;

    impl Fitness for Nothing {
        type Error = Infallible;

        fn evaluate(&mut self, _feature: AtomSet, _bar: Option<Bar<'_>>) -> Result<Worth, Infallible> {
            Ok(Worth::made(0, 0, &[]))
        }
    }

    fn tried(vocabulary: &Vocabulary, recipe: &Recipe, max_atoms: usize) -> Vec<AtomSet> {
        let settings = recipe.settings(vocabulary).unwrap();
        let Ok(outcome) = learn(&settings, max_atoms, &mut Nothing, |_| ());
        outcome.judged.iter().map(|judged| judged.feature).collect()
    }

    #[test]
    fn breakthrough_has_377_features_of_up_to_three_atoms() {
        // Skowronski 2009, section 4.1.4; Neutral besides.
        let vocabulary = Breakthrough::VOCABULARY;
        let features = tried(&vocabulary, &Recipe::default(), 3);
        let count = |atoms: usize| features.iter().filter(|feature| feature.len() == atoms).count();
        assert_eq!([count(0), count(1), count(2), count(3)], [1, 15, 88, 274]);
        assert_eq!(features.iter().collect::<HashSet<_>>().len(), 378);
        let ungrouped = Recipe { groups: Some("none".to_owned()), ..Recipe::default() };
        assert_eq!(tried(&vocabulary, &ungrouped, 15).len(), 32_768);
    }

    #[test]
    fn what_is_on_the_blacklist_is_not_tried() {
        let vocabulary = Chess::VOCABULARY;
        let banned = vocabulary.parse("PcK-AcQ").unwrap();
        assert!(tried(&vocabulary, &Recipe::default(), 2).iter().all(|feature| !feature.contains(banned)));
        let recipe = Recipe { blacklist: Some(Vec::new()), ..Recipe::default() };
        assert!(tried(&vocabulary, &recipe, 2).contains(&banned));
    }
}
