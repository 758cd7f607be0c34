// SPDX-License-Identifier: GPL-3.0-or-later
//! What a feature is worth: the positions of a suite that a search extending on it solves (Skowronski 2009, section 3.7).
//!
//! | file | idea |
//! |---|---|
//! | [`mod@self`] | the trait that learners use |
//! | `suite` | the answer from searches of a suite's positions |
//! | `measure` | what one search counts |
//! | `prefix` | when enough is known to reject a feature |

mod measure;
mod prefix;
mod suite;

pub use measure::Measure;
pub use suite::{Conditions, SuiteFitness};

use super::worth::Worth;
use crate::features::AtomSet;

/// What a combination must reach to be kept.
#[derive(Clone, Copy, Debug)]
pub struct Bar<'a> {
    /// The least value.
    pub value: i64,
    /// The positions that its first parent solves. The others are searched first: there the combination is more likely
    /// to fail, and an early failure saves searches.
    pub solved_by_parent: &'a [usize],
}

/// The papers' `evaluateFitness`.
pub trait Fitness {
    /// Why an evaluation may fail.
    type Error;

    /// Evaluates a feature; the empty one is *Neutral*. With a bar, the evaluation may end as soon as the feature can
    /// no longer reach it, and only then.
    ///
    /// # Errors
    /// See the implementation.
    fn evaluate(&mut self, feature: AtomSet, bar: Option<Bar<'_>>) -> Result<Worth, Self::Error>;

    /// Hears which features will probably be evaluated next, in that order. Some may not be, if a result bans them.
    fn announce(&mut self, _features: &[AtomSet]) {}
}
