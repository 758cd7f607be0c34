// SPDX-License-Identifier: GPL-3.0-or-later
//! An evaluated feature and its verdict.

use super::worth::Worth;
use crate::features::{AtomSet, ExtensionTable, Row};

/// The verdict on a feature.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The empty feature: the baseline.
    Neutral,
    /// An atom; all of them are tried.
    Base,
    /// An atom below delta, dropped by threshold pruning.
    BelowThreshold {
        /// The threshold.
        delta: i64,
    },
    /// It solves at least epsilon more than its first parent.
    Kept,
    /// It does not, or the gain is not significant.
    Pruned {
        /// Combinations that linear tree pruning banned with it.
        banned: Vec<AtomSet>,
        /// The p-value of the gain, if it was pruned for that.
        by_chance: Option<f64>,
    },
    /// It was tried, and nothing depends on the result.
    Tried,
}

impl Verdict {
    /// Whether the feature is in the output.
    #[must_use]
    pub fn is_output(&self) -> bool {
        matches!(self, Self::Neutral | Self::Base | Self::Kept | Self::Tried)
    }
}

/// An evaluated feature.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The feature.
    pub feature: AtomSet,
    /// The result of its evaluation.
    pub worth: Worth,
    /// The parents of a combination, with the first one's value.
    pub parents: Option<Parents>,
    /// The verdict.
    pub verdict: Verdict,
}

impl Judged {
    /// The feature as a row, at its cost.
    #[must_use]
    pub fn row(&self) -> Row {
        Row { feature: self.feature, cost: self.worth.ply }
    }

    /// The table that extends on the feature alone.
    #[must_use]
    pub fn table(&self) -> ExtensionTable {
        ExtensionTable::single(self.feature, self.worth.ply)
    }
}

/// Where a combination comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parents {
    /// The first parent: the one with the greater fitness, against which the combination is judged.
    pub first: AtomSet,
    /// The first parent's value.
    pub first_value: i64,
    /// The second parent, always a Base feature.
    pub second: AtomSet,
}
