// SPDX-License-Identifier: GPL-3.0-or-later
//! Where units are worked.
//!
//! A [`Runner`](super::Runner) has a list of units whose results it does not know yet; [`Workers`] produce the results.
//! [`Threads`] work them in this process. A [`Spool`] hands them out as a [`Manifest`], which any number of other
//! processes work in [`Shard`]s, on any machine that sees the folder.

mod manifest;
mod shard;
mod spool;
mod threads;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::{JournalError, RunError, Stop, Unit};

pub use manifest::{Manifest, ManifestError};
pub use shard::{Shard, ShardError, ShardFile};
pub use spool::Spool;
pub use threads::Threads;

/// Takes a result: the unit's place in the list, what came of it, and the time that it took.
pub type Done<'a, O> = dyn FnMut(usize, O, Duration) -> Result<(), JournalError> + 'a;

/// Whoever works lists of units.
pub trait Workers<O>: fmt::Debug {
    /// Works units, and hands each result to `done`, on the calling thread and in any order. Once `stop` is raised, `done`
    /// is handed no more than what was finished before; units that come to nothing are left out.
    ///
    /// # Errors
    /// The first error of `done`; [`Waiting`] if the results are not there yet and will not be before another run.
    fn work(&mut self, units: &[&dyn Unit<Output = O>], stop: &Stop, done: &mut Done<'_, O>) -> Result<(), RunError>;

    /// Hears the keys of units that will probably be worked next; what was announced before is of no interest any more.
    fn announce(&mut self, _keys: &mut dyn Iterator<Item = String>) {}
}

/// Units were handed out, and their results are awaited.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {units} units are to be worked before the run can go on", manifest.display())]
pub struct Waiting {
    /// The manifest that names them.
    pub manifest: PathBuf,
    /// How many there are.
    pub units: usize,
}
