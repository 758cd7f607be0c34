// SPDX-License-Identifier: GPL-3.0-or-later
//! What a run reports.

use std::time::Duration;

use super::growth::Step;
use super::judged::Judged;
use halfply_engine::features::{AtomSet, ExtensionTable};

/// A step of a run.
#[derive(Clone, Copy, Debug)]
pub enum LearnEvent<'a> {
    /// A search has its result.
    Searched {
        /// The time that it took; none if the result was known.
        time: Option<Duration>,
    },
    /// These features are never tried, alone or as part of others.
    NeverTried(&'a [AtomSet]),
    /// A level begins: Neutral and Base first, then the combinations of two atoms…
    Level {
        /// How many atoms its features have; 1 for Neutral and Base.
        atoms: usize,
        /// Features to evaluate, if none of them is banned meanwhile.
        features: usize,
        /// Tables to try for those that may still be evaluated: a feature has one for each cost.
        tables: usize,
    },
    /// A feature is about to be evaluated.
    Evaluating(AtomSet),
    /// A feature was judged.
    Judged(&'a Judged),
    /// A Base feature was dropped by threshold pruning, after all of Base had been evaluated.
    Dropped(&'a Judged),
    /// A combination was banned between being formed and being evaluated.
    Skipped {
        /// The combination.
        feature: AtomSet,
        /// The tables that need not be tried.
        tables: usize,
    },
    /// A disjunction will be tried with each of several further rows, or without each of its own.
    Round {
        /// Tables to try.
        tables: usize,
    },
    /// A table is about to be tried.
    Trying(&'a ExtensionTable),
    /// A table was tried.
    Tried {
        /// How many.
        searches: usize,
    },
    /// A disjunction has changed.
    Grown(&'a Step),
    /// The output will be tried on the held-out positions.
    HoldingOut {
        /// How many.
        searches: usize,
    },
}
