// SPDX-License-Identifier: GPL-3.0-or-later
//! What a run found: the outcome of its method, and what the output solves of the held-out positions.

use super::held_out::HeldOut;
use super::outcome::LearnOutcome;

/// What a run found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The features, and the disjunctions grown from them.
    pub outcome: LearnOutcome,
    /// The names of the positions that were learned from, in their order.
    pub positions: Vec<String>,
    /// What the output solves of the held-out positions; none if there are none.
    pub held_out: Option<HeldOut>,
}
