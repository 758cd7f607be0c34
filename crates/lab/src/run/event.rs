// SPDX-License-Identifier: GPL-3.0-or-later
//! What a study reports while it runs: the same for all whose steps are alike.

use std::time::Duration;

/// What happens in a study that finds an `S`.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a, S = ()> {
    /// A part of the work begins.
    Stage {
        /// What it is called.
        name: String,
        /// How many units it has.
        units: u64,
    },
    /// A unit has its result.
    Unit {
        /// Whether it was computed now; the results of others are from the journal.
        is_new: bool,
    },
    /// What is being done now.
    Doing(String),
    /// What came of something, in a line.
    Note(String),
    /// A step has ended.
    Step {
        /// Each figure with its name.
        figures: Vec<(String, f64)>,
        /// What was found so far.
        so_far: &'a S,
    },
}

impl<S> Event<'_, S> {
    /// A unit has its result, with the time that it took; none if it is from the journal.
    pub fn unit(time: Option<Duration>) -> Self {
        Self::Unit { is_new: time.is_some() }
    }
}
