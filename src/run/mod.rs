// SPDX-License-Identifier: GPL-3.0-or-later
//! Every experiment is a list of independent units.
//!
//! A [`Unit`] is a small description with a stable key; its result depends on the description alone, so that units may
//! run in any order, on any number of threads, today or tomorrow. A [`Runner`] has lists of them worked and
//! keeps every result in a [`journal`]; what is in the journal already is not run again. Whoever decides *which* units
//! there are never learns *where* they ran: that is the business of [`workers`].

mod error;
mod header;
pub mod journal;
mod line;
mod stop;
pub mod workers;

use std::ops::ControlFlow;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

pub use error::JournalError;
pub use header::{Header, digest};
pub use journal::Journal;
pub use stop::Stop;
use workers::{Threads, Waiting, Workers};

/// What comes out of a unit: plain data that a journal keeps.
pub trait Output: Serialize + DeserializeOwned + Clone + Send {}

impl<O: Serialize + DeserializeOwned + Clone + Send> Output for O {}

/// One independent piece of work.
pub trait Unit: Sync {
    /// What comes out of it: it must be the same, byte for byte, wherever and whenever the unit runs; unless the clock
    /// decides what it does, or another program. What clocks say is in a field `times`, which may differ.
    type Output: Output;

    /// Names the unit among all units of its experiment.
    fn key(&self) -> String;

    /// Does the work. It comes to nothing if `stop` is raised meanwhile, or if something outside that it needs is not
    /// there; then it is left for another time.
    fn run(&self, stop: &Stop) -> Option<Self::Output>;
}

/// Why a list of units was not worked to its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// The journal could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Somebody asked to stop; what was finished is in the journal, if there is one.
    #[error("stopped")]
    Stopped,
    /// Units were handed out to be worked elsewhere; the run goes on when their results are there.
    #[error(transparent)]
    Waiting(#[from] Waiting),
}

/// Has units worked, and each only once.
#[derive(Debug)]
pub struct Runner<O> {
    journal: Option<Journal<O>>,
    workers: Box<dyn Workers<O>>,
    stop: Stop,
    computed: usize,
}

impl<O: Output> Runner<O> {
    /// A runner on so many threads (at least one) that forgets its results.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self { journal: None, workers: Box::new(Threads(threads)), stop: Stop::default(), computed: 0 }
    }

    /// A runner that keeps its results in a journal, and takes from there what it holds.
    #[must_use]
    pub fn with_journal(threads: usize, journal: Journal<O>) -> Self {
        Self { journal: Some(journal), ..Self::new(threads) }
    }

    /// The same runner, whose units are worked there.
    #[must_use]
    pub fn worked_by(self, workers: impl Workers<O> + 'static) -> Self {
        Self { workers: Box::new(workers), ..self }
    }

    /// The same runner, which stops when that flag is raised: it takes no more units, and gives up those under way.
    #[must_use]
    pub fn stopped_by(self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), ..self }
    }

    /// Says which units will probably be run next, by their keys, for workers that are better handed many units at once.
    /// Replaces what was said before; nothing depends on whether it comes true.
    pub fn announce(&mut self, keys: impl Iterator<Item = String>) {
        let journal = &self.journal;
        let is_open = |key: &String| journal.as_ref().is_none_or(|journal| journal.get(key).is_none());
        self.workers.announce(&mut keys.filter(is_open));
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
    /// As [`run_while`](Self::run_while), or if the runner was stopped.
    pub fn run<U: Unit<Output = O>>(
        &mut self,
        units: &[U],
        mut finished: impl FnMut(usize, &O, Option<Duration>),
    ) -> Result<Vec<O>, RunError> {
        let results = self.run_while(units, |index, output, time| {
            finished(index, output, time);
            ControlFlow::Continue(())
        })?;
        results.into_iter().collect::<Option<Vec<O>>>().ok_or(RunError::Stopped)
    }

    /// As [`run`](Self::run), but `finished` may say that enough is known: the units that are left are not run, and those
    /// under way are given up. They have no result.
    ///
    /// # Errors
    /// If the journal cannot be written, or the workers are elsewhere and not done yet; what was written before is kept.
    pub fn run_while<U: Unit<Output = O>>(
        &mut self,
        units: &[U],
        mut finished: impl FnMut(usize, &O, Option<Duration>) -> ControlFlow<()>,
    ) -> Result<Vec<Option<O>>, RunError> {
        let known = |unit: &U| self.journal.as_ref().and_then(|journal| journal.get(&unit.key())).cloned();
        let mut results: Vec<Option<O>> = units.iter().map(known).collect();
        let mut open = Vec::new();
        let mut enough = false;
        for (index, result) in results.iter().enumerate() {
            match result {
                // All that is known is told, whoever has heard enough.
                Some(result) => enough |= finished(index, result, None).is_break(),
                None => open.push(index),
            }
        }
        if enough {
            return Ok(results);
        }
        let stop = self.stop.of_a_part();
        let (journal, computed) = (&mut self.journal, &mut self.computed);
        let work: Vec<&dyn Unit<Output = O>> = open.iter().map(|&index| &units[index] as _).collect();
        self.workers.work(&work, &stop, &mut |place, result, time| {
            let index = open[place];
            if let Some(journal) = journal {
                journal.append(&units[index].key(), &result, time)?;
            }
            *computed += 1;
            if finished(index, &result, Some(time)).is_break() {
                stop.raise();
            }
            results[index] = Some(result);
            Ok(())
        })?;
        if let Some(journal) = &mut self.journal {
            journal.check_place()?;
        }
        Ok(results)
    }
}

/// The number of threads to use where the user names none: one a core.
#[must_use]
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
