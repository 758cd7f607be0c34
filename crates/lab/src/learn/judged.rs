// SPDX-License-Identifier: GPL-3.0-or-later
//! An evaluated table and its verdict.

use super::worth::Worth;
use halfply_engine::features::{AtomSet, ExtensionTable, Row, Vocabulary};

/// The verdict on a table.
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
    /// Whether the table is in the output.
    pub fn is_output(&self) -> bool {
        matches!(self, Self::Neutral | Self::Base | Self::Kept | Self::Tried)
    }
}

/// An evaluated table. So far its row, if it has one, is a feature with its best cost.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The table; the empty one is Neutral. It does not carry the definitions of atoms that are not the game's:
    /// [`ExtensionTable::with_own`] adds them.
    pub table: ExtensionTable,
    /// How many tables were tried for it, of which it is the best: the same feature with several costs.
    pub tables_tried: usize,
    /// The result of its evaluation.
    pub worth: Worth,
    /// The parents of a combination, with the first one's value.
    pub parents: Option<Parents>,
    /// The verdict.
    pub verdict: Verdict,
}

impl Judged {
    /// The atoms that the table asks for: of a table with one row, its feature.
    pub fn feature(&self) -> AtomSet {
        self.table.wanted()
    }

    /// The table's row; none for Neutral, and for a table of several rows.
    pub fn row(&self) -> Option<Row> {
        match self.table.rows() {
            [row] => Some(*row),
            _ => None,
        }
    }

    /// What reports call it: its feature, or the whole of a table with several rows.
    pub fn name(&self, vocabulary: &Vocabulary) -> String {
        match self.table.rows() {
            [] | [_] => vocabulary.format(self.feature()),
            _ => self.table.summary(vocabulary),
        }
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
