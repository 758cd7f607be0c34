// SPDX-License-Identifier: GPL-3.0-or-later
//! What a table or a candidate is worth: the positions of a suite that a search with it solves (Skowronski 2009, section
//! 3.7), or the nodes that it takes.

mod measure;
mod prefix;
mod settings;
mod suite;

pub use measure::Measure;
pub use settings::FitnessSettings;
pub use suite::{Conditions, SuiteFitness};

use super::candidate::Candidate;
use super::worth::Worth;
use crate::run::RunError;
use halfply_engine::features::ExtensionTable;

/// What a table must reach to be kept.
#[derive(Clone, Copy, Debug)]
pub struct Bar<'a> {
    /// The least value.
    pub value: i64,
    /// The positions that its parent solves. The others are searched first: there the table is more likely to fail, and
    /// an early failure saves searches.
    pub solved_by_parent: &'a [usize],
}

/// The papers' `evaluateFitness`.
pub trait Fitness {
    /// Evaluates a table; the empty one is *Neutral*. With a bar, the evaluation may end as soon as the table can no
    /// longer reach it, and only then.
    ///
    /// # Errors
    /// If the run was stopped, waits for workers, or cannot keep its results.
    fn evaluate(&mut self, table: &ExtensionTable, bar: Option<Bar<'_>>) -> Result<Worth, RunError>;

    /// Announces the tables that will probably be evaluated next, in that order. Some may not be, if a result bans them.
    fn announce(&mut self, _tables: &[ExtensionTable]) {}
}

/// What methods that tune settings ask: how candidates do, each on all positions.
pub trait Trials {
    /// How many of these candidates have not been tried yet; equal ones count once.
    fn untried(&self, candidates: &[Candidate]) -> usize;

    /// Tries candidates, all at the same time if there are workers enough. Each is tried only once in a run.
    ///
    /// # Errors
    /// If the run was stopped, waits for workers, or cannot keep its results.
    fn try_all(&mut self, candidates: &[Candidate]) -> Result<Vec<Worth>, RunError>;
}
