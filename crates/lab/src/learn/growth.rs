// SPDX-License-Identifier: GPL-3.0-or-later
//! The growth of a table of several rows: for each step the change, and the value after it.

use super::significance::Comparison;
use super::worth::Worth;
use halfply_engine::features::{ExtensionTable, Row};

/// How a disjunction grew; the last step is the disjunction.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The steps; the first has a single row.
    pub steps: Vec<Step>,
}

impl Growth {
    /// The last step.
    ///
    /// # Panics
    /// Never for one that a method made: there is always a first step.
    pub fn last(&self) -> &Step {
        self.steps.last().expect("a growth begins with a feature")
    }
}

/// A table as it was after a row was added or dropped.
#[derive(Clone, Debug)]
pub struct Step {
    /// What changed.
    pub change: Change,
    /// The table then.
    pub table: ExtensionTable,
    /// What it solves.
    pub worth: Worth,
    /// The comparison with the step before; none for the first. An added row is the best of all that were tried.
    pub from_previous: Option<Comparison>,
}

/// A change of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The row was added.
    Added(Row),
    /// The row was dropped, because the table solves as much without it.
    Dropped(Row),
}
