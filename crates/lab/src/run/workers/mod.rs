// SPDX-License-Identifier: GPL-3.0-or-later
//! Where units run.
//!
//! A [`Runner`](super::Runner) has a list of units without results, and [`Workers`] produce the results. [`Threads`] run the
//! units in this process. A [`Spool`] hands them out as a [`Manifest`]: other processes, on any machine that can access the
//! folder, run [`Shard`]s of it.

mod manifest;
mod shard;
mod spool;
mod threads;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use thiserror::Error;

use super::{JournalError, RunError, Stop, Unit};

pub use manifest::{Manifest, ManifestError};
pub use shard::{Shard, ShardError, ShardFile};
pub use spool::Spool;
pub use threads::Threads;

/// Takes a result: the unit's place in the list, its result, and the time that it took.
pub type Done<'a, O> = dyn FnMut(usize, O, Duration) -> Result<(), JournalError> + 'a;

/// Runs lists of units.
pub trait Workers<O>: fmt::Debug {
    /// Runs units, and passes each result to `done`, on the calling thread and in any order. Once `stop` is raised, `done`
    /// gets only results that were finished before. Units without a result are left out.
    ///
    /// # Errors
    /// The first error of `done`, or [`Waiting`] if other processes have yet to run units.
    fn work(&mut self, units: &[&dyn Unit<Output = O>], stop: &Stop, done: &mut Done<'_, O>) -> Result<(), RunError>;

    /// Asks for a description of the units that follow if other processes compute them. It replaces the one before.
    fn describe(&mut self, _description: &dyn Fn() -> Value) {}

    /// Takes the keys of units that will probably be run next. They replace those announced before.
    fn announce(&mut self, _keys: &mut dyn Iterator<Item = String>) {}
}

/// Units were handed out, and the run waits for their results.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {units} units must be computed before the run can continue", manifest.display())]
pub struct Waiting {
    /// The manifest that lists them.
    pub manifest: PathBuf,
    /// Their number.
    pub units: usize,
}
