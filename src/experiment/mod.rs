// SPDX-License-Identifier: GPL-3.0-or-later
//! Every experiment is a list of independent units.
//!
//! A [`Unit`] is a small description with a stable key; its result depends on the description alone, so that units may
//! run in any order, on any number of threads, today or tomorrow. A [`Runner`] runs lists of them in parallel and
//! keeps every result in a [`journal`]; what is in the journal already is not run again. Whoever decides *which* units
//! there are never learns *where* they ran.

pub mod journal;
mod pool;

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use journal::{Header, Journal, JournalError};

/// One independent piece of work.
pub trait Unit: Sync {
    /// What comes out of it: it must be the same, byte for byte, wherever and whenever the unit runs.
    type Output: Serialize + DeserializeOwned + Clone + Send;

    /// Names the unit among all units of its experiment.
    fn key(&self) -> String;

    /// Does the work.
    fn run(&self) -> Self::Output;
}

/// Runs units in parallel, and each only once.
#[derive(Debug)]
pub struct Runner<O> {
    journal: Option<Journal<O>>,
    threads: usize,
    computed: usize,
}

impl<O: Serialize + DeserializeOwned + Clone + Send> Runner<O> {
    /// A runner on so many threads (at least one) that forgets its results.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self { journal: None, threads: threads.max(1), computed: 0 }
    }

    /// A runner that keeps its results in a journal, and takes from there what it holds.
    #[must_use]
    pub fn with_journal(threads: usize, journal: Journal<O>) -> Self {
        Self { journal: Some(journal), ..Self::new(threads) }
    }

    /// How many units were really run; the rest came from the journal.
    #[must_use]
    pub fn computed(&self) -> usize {
        self.computed
    }

    /// Results of units in the order of the units. `finished` is called for each in the order in which they finish,
    /// first for those that the journal holds, with the time they took if they were run now.
    ///
    /// # Errors
    /// If the journal cannot be written; what was written before is kept.
    pub fn run<U: Unit<Output = O>>(
        &mut self,
        units: &[U],
        mut finished: impl FnMut(usize, &O, Option<Duration>),
    ) -> Result<Vec<O>, JournalError> {
        let mut results: Vec<Option<O>> = Vec::with_capacity(units.len());
        let mut open = Vec::new();
        for (index, unit) in units.iter().enumerate() {
            let known = self.journal.as_ref().and_then(|journal| journal.get(&unit.key())).cloned();
            match &known {
                Some(result) => finished(index, result, None),
                None => open.push(index),
            }
            results.push(known);
        }
        let journal = &mut self.journal;
        pool::run(
            self.threads,
            &open,
            |&index| units[index].run(),
            |&index, result: O, time| {
                if let Some(journal) = journal {
                    journal.append(&units[index].key(), &result, time)?;
                }
                finished(index, &result, Some(time));
                results[index] = Some(result);
                Ok(())
            },
        )?;
        self.computed += open.len();
        // The pool has returned without an error, so every slot is filled.
        Ok(results.into_iter().flatten().collect())
    }
}

/// The number of threads to use where the user names none: one a core.
#[must_use]
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
