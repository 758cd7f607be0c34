// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs: lists of independent units of work, with a journal of their results.
//!
//! A [`Unit`] has a stable key, and its result depends only on its description. So units may run in any order, on any number
//! of threads, and at any time. A [`Runner`] gives lists of units to [`workers`] and writes each result to a [`journal`].
//! Units whose results are in the journal are not run again. The code that chooses the units does not know where they run.
//!
//! Runs are watched by their [`events`], the [report so far](live) and their journals, of which a [`part`] can be read while
//! they grow.

mod error;
mod event;
pub mod events;
pub mod gather;
mod header;
pub mod journal;
mod line;
pub mod live;
mod named;
pub mod part;
mod reader;
mod stop;
pub mod workers;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

pub use error::JournalError;
pub use event::Event;
pub use header::Header;
pub use journal::Journal;
pub use named::{keep_named, read_named, write_named};
pub use stop::Stop;
use workers::{Threads, Waiting, Workers};

/// The result of a unit: plain data for a journal.
pub trait Output: Serialize + DeserializeOwned + Clone + Send {}

impl<O: Serialize + DeserializeOwned + Clone + Send> Output for O {}

/// One independent piece of work.
pub trait Unit: Sync {
    /// Its result, which must be the same in every run, byte for byte, unless it depends on a clock or on another program.
    /// A field `times` may hold times, which may always differ.
    type Output: Output;

    /// Identifies the unit in its run.
    fn key(&self) -> String;

    /// Does the work. None if `stop` is raised meanwhile, or if something that it needs is not available; another run may
    /// then do it. It may raise `stop` itself, if the units that follow cannot do their work either.
    fn run(&self, stop: &Stop) -> Option<Self::Output>;
}

/// Why a list of units was not finished.
#[derive(Debug, Error)]
pub enum RunError {
    /// The journal could not be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The run was stopped. Finished results are in the journal, if there is one.
    #[error("stopped")]
    Stopped,
    /// A unit failed, and logged why.
    #[error("not all units could be computed; the error before this one says why; finished results are kept")]
    Failed,
    /// Units were handed out to other processes. The run can continue when their results are there.
    #[error(transparent)]
    Waiting(#[from] Waiting),
}

/// Hears of the result of a unit by its place, with the time that it took; none if the result was known.
type Finished<'a, O> = dyn FnMut(usize, &O, Option<Duration>) -> ControlFlow<()> + 'a;

/// Runs units, each only once.
#[derive(Debug)]
pub struct Runner<O> {
    journal: Option<Journal<O>>,
    workers: Box<dyn Workers<O>>,
    stop: Stop,
    resumed: bool,
    computed: usize,
}

impl<O: Output> Runner<O> {
    /// A runner on this number of threads, at least one, without a journal.
    pub fn new(threads: usize) -> Self {
        Self { journal: None, workers: Box::new(Threads(threads)), stop: Stop::default(), resumed: false, computed: 0 }
    }

    /// A runner that writes results to a journal, and does not run units whose results are there.
    pub fn with_journal(threads: usize, journal: Journal<O>) -> Self {
        Self { resumed: !journal.is_empty(), journal: Some(journal), ..Self::new(threads) }
    }

    /// The same runner with other workers.
    pub fn worked_by(self, workers: impl Workers<O> + 'static) -> Self {
        Self { workers: Box::new(workers), ..self }
    }

    /// The same runner with a flag that stops it: once it is raised, no more units start, and those under way are abandoned.
    pub fn stopped_by(self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), ..self }
    }

    /// Announces the keys of units that will probably be run next, for workers that take many units at once. It replaces
    /// earlier announcements. Results do not depend on it.
    pub fn announce(&mut self, keys: impl Iterator<Item = String>) {
        let journal = &self.journal;
        let is_open = |key: &String| journal.as_ref().is_none_or(|journal| journal.get(key).is_none());
        self.workers.announce(&mut keys.filter(is_open));
    }

    /// Describes the units that follow to workers in other processes, if each list of units has a description of its own.
    /// It replaces the one before. Results do not depend on it.
    ///
    /// # Panics
    /// If the description has a map whose keys are not strings.
    pub fn describe<D: Serialize>(&mut self, description: impl Fn() -> D) {
        let value = || serde_json::to_value(description()).expect("a description is made of plain data");
        self.workers.describe(&value);
    }

    /// The number of units that were run; the results of the others were in the journal.
    pub fn computed(&self) -> usize {
        self.computed
    }

    /// Whether the journal had results already when the runner was made.
    pub fn resumed(&self) -> bool {
        self.resumed
    }

    /// The results of units, in the order of the units. `finished` is called for each: first for those in the journal, then
    /// for the others as they finish, with the time that they took.
    ///
    /// # Errors
    /// As [`run_while`](Self::run_while), if the runner was stopped, or if a unit failed.
    pub fn run<U: Unit<Output = O>>(
        &mut self,
        units: &[U],
        mut finished: impl FnMut(usize, &O, Option<Duration>),
    ) -> Result<Vec<O>, RunError> {
        let results = self.run_while(units, |index, output, time| {
            finished(index, output, time);
            ControlFlow::Continue(())
        })?;
        let error = || if self.stop.is_raised() { RunError::Stopped } else { RunError::Failed };
        let owned = |result: Option<Arc<O>>| result.map(Arc::unwrap_or_clone);
        results.into_iter().map(owned).collect::<Option<Vec<O>>>().ok_or_else(error)
    }

    /// As [`run`](Self::run), one after the other on a thread of this process, wherever other units are worked: for units
    /// that use all threads, or need what only this process has.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_here<U: Unit<Output = O>>(
        &mut self,
        units: &[U],
        finished: impl FnMut(usize, &O, Option<Duration>),
    ) -> Result<Vec<O>, RunError> {
        let elsewhere = std::mem::replace(&mut self.workers, Box::new(Threads(1)));
        let results = self.run(units, finished);
        self.workers = elsewhere;
        results
    }

    /// As [`run`](Self::run), but `finished` may break: no more units start, and those under way are abandoned. They have
    /// no result. The results are shared with the journal: of many large ones there is only one copy.
    ///
    /// # Errors
    /// If the journal cannot be written, or if other processes have not finished yet. Written results are kept.
    pub fn run_while<U: Unit<Output = O>>(
        &mut self,
        units: &[U],
        mut finished: impl FnMut(usize, &O, Option<Duration>) -> ControlFlow<()>,
    ) -> Result<Vec<Option<Arc<O>>>, RunError> {
        let units: Vec<&dyn Unit<Output = O>> = units.iter().map(|unit| unit as _).collect();
        self.run_any(&units, &mut finished)
    }

    /// The same for units of any type: it is compiled once for each type of results.
    fn run_any(
        &mut self,
        units: &[&dyn Unit<Output = O>],
        finished: &mut Finished<'_, O>,
    ) -> Result<Vec<Option<Arc<O>>>, RunError> {
        let known = |unit: &&dyn Unit<Output = O>| self.journal.as_ref()?.get(&unit.key()).cloned();
        let mut results: Vec<Option<Arc<O>>> = units.iter().map(known).collect();
        let mut open = Vec::new();
        let mut enough = false;
        for (index, result) in results.iter().enumerate() {
            match result {
                // Results of the journal are all reported, even after a break.
                Some(result) => enough |= finished(index, result, None).is_break(),
                None => open.push(index),
            }
        }
        if enough {
            return Ok(results);
        }
        let stop = self.stop.of_a_part();
        let (journal, computed) = (&mut self.journal, &mut self.computed);
        let work: Vec<&dyn Unit<Output = O>> = open.iter().map(|&index| units[index]).collect();
        self.workers.work(&work, &stop, &mut |place, result, time| {
            let index = open[place];
            let result = Arc::new(result);
            if let Some(journal) = journal {
                journal.append(&units[index].key(), Arc::clone(&result), time)?;
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

/// The default number of threads: one for each core.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
