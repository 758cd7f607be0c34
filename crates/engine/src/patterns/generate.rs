// SPDX-License-Identifier: GPL-3.0-or-later
//! All features that a number of transformations make of a theory's first ones, and all their patterns.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::conjunction::Conjunction;
use super::pattern::Pattern;
use super::symmetry::{Symmetry, representative};
use super::theory::Theory;
use super::transform::Transformation;
use super::unfold::{Limits, Unfinished, unfold};

/// What is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerateSettings {
    /// Transformations one after another, from a first feature to the last ones.
    pub steps: u32,
    /// The most features that are tried.
    pub features: usize,
    /// How much the unfolding of each may be.
    pub limits: Limits,
    /// The most facts of a pattern; longer ones are left out.
    pub longest: u32,
}

/// A feature, and what its unfolding gave.
#[derive(Clone, Debug)]
pub struct Feature {
    /// The feature.
    pub conjunction: Conjunction,
    /// The number of transformations that made it.
    pub steps: u32,
    /// The last of them, and the place of the feature that it was applied to; none for a first feature.
    pub origin: Option<(Transformation, usize)>,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It has patterns that no feature before it has as a whole.
    Kept {
        /// The solutions: its conjunctions of facts, equal ones counted each.
        solutions: u64,
        /// Its different patterns.
        patterns: usize,
        /// Those that no feature before it has.
        new: usize,
    },
    /// It has the same patterns as the feature at this place.
    Repeats(usize),
    /// It has no pattern: its facts contradict each other.
    Empty,
    /// Its unfolding reached a limit. Its own transformations are tried nevertheless.
    TooLarge(Unfinished),
}

/// All features, and the patterns of those that were kept.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    /// The features, in the order in which they were made.
    pub features: Vec<Feature>,
    /// The different patterns.
    pub patterns: HashSet<Pattern>,
    /// Whether the limit of features was reached, so that there would be more.
    pub is_cut: bool,
}

/// How many features and patterns there are, before and after merging.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Features that differ as texts.
    pub features: usize,
    /// Those of them that were kept.
    pub kept: usize,
    /// Those that repeat the patterns of another one.
    pub repeats: usize,
    /// Those without patterns.
    pub empty: usize,
    /// Those that were too large.
    pub too_large: usize,
    /// Conjunctions of facts in all kept features.
    pub solutions: u64,
    /// The same, without equal ones in one feature.
    pub patterns: u64,
    /// The same, without equal ones in all features.
    pub unique: usize,
    /// The same, without images under the symmetries of the game.
    pub representatives: usize,
}

/// Generates breadth first. `observe` is called after each feature.
pub fn generate(theory: &Theory, settings: &GenerateSettings, observe: &mut dyn FnMut(&Generated)) -> Generated {
    let mut known: HashSet<Conjunction> = theory.starts.iter().cloned().collect();
    let mut generated = Generated::default();
    let mut by_patterns = HashMap::new();
    let mut waiting: Vec<_> = theory.starts.iter().map(|start| (start.clone(), None)).collect();
    for steps in 0..=settings.steps {
        let first = generated.features.len();
        for (conjunction, origin) in std::mem::take(&mut waiting) {
            if generated.features.len() == settings.features {
                generated.is_cut = true;
                return generated;
            }
            let fate = generated.add(theory, settings, &conjunction, &mut by_patterns);
            generated.features.push(Feature { conjunction, steps, origin, fate });
            observe(&generated);
        }
        if steps == settings.steps {
            break;
        }
        for (place, feature) in generated.features.iter().enumerate().skip(first) {
            // What has no pattern gets none by further conditions; without some of them it was made already.
            if feature.fate == Fate::Empty {
                continue;
            }
            for transformation in Transformation::ALL {
                for next in transformation.apply(theory, &feature.conjunction) {
                    if waiting.len() <= settings.features && known.insert(next.clone()) {
                        waiting.push((next, Some((transformation, place))));
                    }
                }
            }
        }
    }
    generated
}

impl Generated {
    /// Unfolds a feature and takes its patterns.
    fn add(
        &mut self,
        theory: &Theory,
        settings: &GenerateSettings,
        conjunction: &Conjunction,
        by_patterns: &mut HashMap<(usize, u64), usize>,
    ) -> Fate {
        let mut unfolded = match unfold(theory, conjunction, settings.limits) {
            Ok(unfolded) => unfolded,
            Err(unfinished) => return Fate::TooLarge(unfinished),
        };
        unfolded.patterns.retain(|pattern| (1..=settings.longest).contains(&pattern.length()));
        if unfolded.patterns.is_empty() {
            return Fate::Empty;
        }
        let place = *by_patterns.entry(fingerprint(&unfolded.patterns)).or_insert(self.features.len());
        if place < self.features.len() {
            return Fate::Repeats(place);
        }
        let before = self.patterns.len();
        self.patterns.extend(&unfolded.patterns);
        let new = self.patterns.len() - before;
        Fate::Kept { solutions: unfolded.solutions, patterns: unfolded.patterns.len(), new }
    }

    /// How many there are.
    pub fn counts(&self, symmetries: &[Symmetry]) -> Counts {
        let mut counts = Counts { features: self.features.len(), unique: self.patterns.len(), ..Counts::default() };
        for feature in &self.features {
            match feature.fate {
                Fate::Kept { solutions, patterns, .. } => {
                    counts.kept += 1;
                    counts.solutions += solutions;
                    counts.patterns += patterns as u64;
                }
                Fate::Repeats(_) => counts.repeats += 1,
                Fate::Empty => counts.empty += 1,
                Fate::TooLarge(_) => counts.too_large += 1,
            }
        }
        counts.representatives = self.representatives(symmetries).len();
        counts
    }

    /// One of each set of patterns that are images of each other.
    pub fn representatives(&self, symmetries: &[Symmetry]) -> HashSet<Pattern> {
        self.patterns.iter().map(|&pattern| representative(symmetries, pattern)).collect()
    }
}

/// The number of patterns and a hash of them, which are equal for equal sets.
fn fingerprint(patterns: &BTreeSet<Pattern>) -> (usize, u64) {
    let mut hasher = DefaultHasher::new();
    patterns.hash(&mut hasher);
    (patterns.len(), hasher.finish())
}
