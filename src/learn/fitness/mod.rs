// SPDX-License-Identifier: GPL-3.0-or-later
//! What a feature is worth: the positions of a suite that a search extending on it solves (Skowronski 2009, section 3.7).
//!
//! | file | idea |
//! |---|---|
//! | [`mod@self`] | what learners ask, and what they are told |
//! | `suite` | the answer from searches of a suite's positions |
//! | `measure` | what one search counts |
//! | `prefix` | when enough is known to reject a feature |

mod measure;
mod prefix;
mod suite;

pub use measure::Measure;
pub use suite::{Conditions, SuiteFitness};

use super::significance::Comparison;
use crate::features::AtomSet;
use crate::search::Depth;
use crate::suite::run::Summary;

/// What a fitness call found out about a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The feature's value in positions, as the fitness counts them: those that it solves unless something else was asked
    /// for. Of a feature that was rejected early, the most that it could have been.
    pub value: i64,
    /// What a move with the feature costs; of several costs tried, the best.
    pub ply: Depth,
    /// How many costs were tried.
    pub plies_tried: usize,
    /// What each position counts, by its place in the suite; only to be compared.
    pub credits: Vec<u64>,
    /// Which positions were solved by most of their searches: their places, ascending.
    pub solved: Vec<usize>,
    /// Positions solved with each seed.
    pub by_seed: Vec<usize>,
    /// The rest of what the searches tell.
    pub summary: Summary,
    /// Searches that this took.
    pub searched: usize,
    /// Searches that it did not take, because the feature was rejected before their turn.
    pub unsearched: usize,
    /// Whether the feature was rejected early: its value is a bound, and the rest is of the positions searched.
    pub is_bound: bool,
}

impl Evaluation {
    /// Compared with another on the same positions, both in full. The best of several plies is the best of as many tries.
    #[must_use]
    pub fn against(&self, other: &Self) -> Comparison {
        Comparison::of_best(self, other, self.plies_tried)
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

#[cfg(test)]
impl Evaluation {
    /// One of so many positions that solves those.
    pub fn made(value: i64, positions: usize, solved: &[usize]) -> Self {
        Self {
            value,
            ply: Depth::hundredths(50),
            plies_tried: 1,
            credits: (0..positions).map(|place| u64::from(solved.contains(&place))).collect(),
            solved: solved.to_vec(),
            by_seed: vec![solved.len()],
            summary: Summary::of(&[], crate::search::Limits::default()),
            searched: positions,
            unsearched: 0,
            is_bound: false,
        }
    }
}
