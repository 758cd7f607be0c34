// SPDX-License-Identifier: GPL-3.0-or-later
//! A table as it grew: what changed, and what it was worth then.

use super::significance::Comparison;
use super::worth::Worth;
use crate::features::{ExtensionTable, Row};

/// A table as it was after a row was added or dropped.
#[derive(Clone, Debug)]
pub struct Step {
    /// What changed.
    pub change: Change,
    /// The table then.
    pub table: ExtensionTable,
    /// What it solves.
    pub worth: Worth,
    /// Against the step before; none for the first. A row that was added is the best of all that were tried.
    pub from_previous: Option<Comparison>,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It came to the table.
    Added(Row),
    /// It went, for the table solves as much without it.
    Dropped(Row),
}
