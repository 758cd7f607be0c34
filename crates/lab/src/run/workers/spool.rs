// SPDX-License-Identifier: GPL-3.0-or-later
//! A folder through which a run and other processes exchange units and results.
//!
//! | path | what it is |
//! |---|---|
//! | `manifest.json` | the units that are needed next; replaced each time the run stops to wait |
//! | `results/*.jsonl` | results of workers: journals of the same run, complete once they have this name |
//!
//! The run takes results in the order of its list of units, up to the first that is missing. So its journal is the same as
//! with one thread, and results that turn out not to be needed (of a feature that was banned meanwhile, of a game after
//! the test's decision) do not get into it.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::super::journal::results_of_worker;
use super::super::{Header, JournalError, Output, RunError, Stop, Unit};
use super::{Done, Manifest, Waiting, Workers};
use halfply_engine::base::{files, replace};

/// The name of the manifest.
const MANIFEST: &str = "manifest.json";
/// The name of the folder of results.
const RESULTS: &str = "results";

/// A folder for the exchange of units and results.
#[derive(Debug)]
pub struct Spool<O> {
    folder: PathBuf,
    /// The folder of the run's results.
    run: String,
    header: Header,
    description: Value,
    most: usize,
    results: HashMap<String, (O, Duration)>,
    announced: Vec<String>,
}

impl<O: Output> Spool<O> {
    /// Opens the folder for the `run` in another folder, which has this header, and reads all results there. Workers make the
    /// units from `description`. A manifest has at most `most` units.
    ///
    /// # Errors
    /// If the folder cannot be created or read, if its manifest or a file of results is of another run, or if one is damaged.
    pub fn open(
        folder: &Path,
        run: &Path,
        header: &Header,
        description: Value,
        most: usize,
    ) -> Result<Self, JournalError> {
        let place = results_folder(folder);
        let failed = |action| {
            let path = place.clone();
            move |cause| JournalError::File { path, action, cause }
        };
        fs::create_dir_all(&place).map_err(failed("cannot be created"))?;
        let mut results = HashMap::new();
        for entry in fs::read_dir(&place).map_err(failed("cannot be read"))? {
            let path = entry.map_err(failed("cannot be read"))?.path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                let found = results_of_worker(&path, header)?;
                results.extend(found.into_iter().map(|(key, result, time)| (key, (result, time))));
            }
        }
        let path = folder.join(MANIFEST);
        let run = run.display().to_string();
        replace::ensure(&path, &|contents: &[u8]| is_of(contents, &run, header)).map_err(unwritable(&path))?;
        let (folder, header) = (folder.to_owned(), header.clone());
        Ok(Self { folder, run, header, description, most: most.max(1), results, announced: Vec::new() })
    }

    /// Removes the manifest of a run that has ended, so that no worker starts on it.
    ///
    /// # Errors
    /// If it is of another run, or cannot be removed.
    pub fn close(folder: &Path, run: &Path, header: &Header) -> Result<(), JournalError> {
        let path = folder.join(MANIFEST);
        replace::remove(&path, &|contents: &[u8]| is_of(contents, &run.display().to_string(), header))
            .map_err(|cause| JournalError::File { path, action: "cannot be removed", cause })
    }

    /// Writes the manifest of these units, and of announced ones up to the limit.
    fn hand_out(&mut self, mut units: Vec<String>) -> Result<Waiting, JournalError> {
        let mut taken: HashSet<String> = units.iter().cloned().collect();
        let announced = std::mem::take(&mut self.announced);
        units.extend(announced.into_iter().filter(|key| !self.results.contains_key(key) && taken.insert(key.clone())));
        units.truncate(self.most);
        let path = self.folder.join(MANIFEST);
        let count = units.len();
        Manifest::new(self.run.clone(), self.header.clone(), self.description.clone(), units)
            .text()
            .map_err(Into::into)
            .and_then(|text| {
                replace::replace(&path, &text, &|contents: &[u8]| is_of(contents, &self.run, &self.header))
            })
            .map_err(unwritable(&path))?;
        Ok(Waiting { manifest: path, units: count })
    }
}

/// The run of a manifest; none if the file is no manifest.
fn run_of(path: &Path) -> Option<String> {
    let contents = files::read(path, files::LARGEST_TEXT).ok()?;
    Some(serde_json::from_slice::<Manifest>(&contents).ok()?.run)
}

/// Whether a file is a manifest of the `run` with this header.
fn is_of(contents: &[u8], run: &str, header: &Header) -> bool {
    serde_json::from_slice(contents)
        .is_ok_and(|manifest: Manifest| manifest.run == run && manifest.header.difference(header).is_none())
}

fn unwritable(path: &Path) -> impl Fn(io::Error) -> JournalError {
    move |cause| {
        let other = run_of(path).filter(|_| cause.kind() == io::ErrorKind::AlreadyExists);
        let of_run = |run| io::Error::new(cause.kind(), format!("it is the manifest of another run, in {run}"));
        let cause = other.map(of_run).unwrap_or(cause);
        JournalError::File { path: path.to_owned(), action: "cannot be written", cause }
    }
}

/// The folder of results beside a manifest.
pub(super) fn results_folder(folder: &Path) -> PathBuf {
    folder.join(RESULTS)
}

impl<O: Output + fmt::Debug> Workers<O> for Spool<O> {
    fn work(&mut self, units: &[&dyn Unit<Output = O>], stop: &Stop, done: &mut Done<'_, O>) -> Result<(), RunError> {
        let keys: Vec<String> = units.iter().map(|unit| unit.key()).collect();
        for (place, key) in keys.iter().enumerate() {
            if stop.is_raised() {
                return Ok(());
            }
            let Some((result, time)) = self.results.get(key) else { break };
            done(place, result.clone(), *time)?;
        }
        let missing: Vec<String> = keys.into_iter().filter(|key| !self.results.contains_key(key)).collect();
        if stop.is_raised() || missing.is_empty() {
            return Ok(());
        }
        Err(self.hand_out(missing)?.into())
    }

    fn describe(&mut self, description: &dyn Fn() -> Value) {
        self.description = description();
    }

    fn announce(&mut self, keys: &mut dyn Iterator<Item = String>) {
        self.announced = keys.collect();
    }
}
