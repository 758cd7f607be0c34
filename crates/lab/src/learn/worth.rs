// SPDX-License-Identifier: GPL-3.0-or-later
//! What a fitness call found out about a table.

use crate::suite::trial::Summary;

/// What a fitness call found out about a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The table's value in positions, as the fitness counts them: by default the positions solved. For a table that
    /// was rejected early, an upper bound.
    pub value: i64,
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
    /// Searches that were left out, because the table was rejected before.
    pub unsearched: usize,
    /// Whether the table was rejected early: its value is a bound, and the other counts are for the positions
    /// searched.
    pub is_bound: bool,
}

#[cfg(test)]
impl Worth {
    /// One of so many positions that solves those.
    pub fn made(value: i64, positions: usize, solved: &[usize]) -> Self {
        Self {
            value,
            credits: (0..positions).map(|place| u64::from(solved.contains(&place))).collect(),
            solved: solved.to_vec(),
            by_seed: vec![solved.len()],
            summary: Summary::of(&[], halfply_engine::search::Limits::default()),
            searched: positions,
            unsearched: 0,
            is_bound: false,
        }
    }
}
