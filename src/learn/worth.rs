// SPDX-License-Identifier: GPL-3.0-or-later
//! What a fitness call found out about a feature.

use crate::base::Depth;
use crate::suite::run::Summary;

/// What a fitness call found out about a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The feature's value in positions, as the fitness counts them: by default the positions solved. For a feature
    /// that was rejected early, an upper bound.
    pub value: i64,
    /// The cost of a move with the feature; the best one of those tried.
    pub ply: Depth,
    /// How many costs were tried.
    pub plies_tried: usize,
    /// The credit of each position, by its place in the suite; only for comparison.
    pub credits: Vec<u64>,
    /// Which positions were solved by most of their searches: their places, ascending.
    pub solved: Vec<usize>,
    /// Positions solved with each seed.
    pub by_seed: Vec<usize>,
    /// The other counts of the searches.
    pub summary: Summary,
    /// Searches that this took.
    pub searched: usize,
    /// Searches that were left out, because the feature was rejected before.
    pub unsearched: usize,
    /// Whether the feature was rejected early: its value is a bound, and the other counts are for the positions
    /// searched.
    pub is_bound: bool,
}

#[cfg(test)]
impl Worth {
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
