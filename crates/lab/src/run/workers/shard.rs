// SPDX-License-Identifier: GPL-3.0-or-later
//! A part of a manifest, for one process.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::super::journal::{Journal, results_of_worker};
use super::super::{JournalError, RunError, Runner, Stop, Unit};
use super::Manifest;
use super::spool::results_folder;
use halfply_engine::base::replace;

/// The number of a part, and how many parts there are: `3/8` is the third of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("{text}: write the number of the shard, from 1, and how many shards there are: 3/8");
        let (number, of) = text.split_once('/').ok_or_else(wanted)?;
        let [number, of] = [number, of].map(|part| part.trim().parse::<usize>().map_err(|_| wanted()));
        let shard = Self { number: number?, of: of? };
        if (1..=shard.of).contains(&shard.number) { Ok(shard) } else { Err(wanted()) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// The keys of its units. Units next to each other take about as long, so they are in different shards.
    pub fn keys(self, manifest: &Manifest) -> impl Iterator<Item = &String> {
        manifest.units.iter().skip(self.number - 1).step_by(self.of)
    }
}

/// Why a shard was not finished.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The results cannot be written, or the work was stopped.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The file of results is of another shard.
    #[error("{}: holds results of other units of this run; name another file with --out", .0.display())]
    OtherUnits(PathBuf),
    /// Some units have no result.
    #[error("{missing} of {units} units could not be computed; the others are kept, and the same command continues")]
    Incomplete {
        /// The units without a result.
        missing: usize,
        /// All units of the shard.
        units: usize,
    },
    /// The complete file of results cannot be renamed.
    #[error("{}: cannot be renamed to {} ({cause}); run the same command again", from.display(), to.display())]
    Rename {
        /// Its temporary name.
        from: PathBuf,
        /// Its final name.
        to: PathBuf,
        /// The cause.
        cause: io::Error,
    },
}

impl From<JournalError> for ShardError {
    fn from(error: JournalError) -> Self {
        Self::Run(error.into())
    }
}

/// The file of a shard's results: a journal with a temporary name until it is complete. After a kill, a worker continues
/// the temporary file.
#[derive(Clone, Debug)]
pub struct ShardFile {
    /// The final name.
    pub path: PathBuf,
    partial: PathBuf,
}

impl ShardFile {
    /// The file for a shard of the manifest at `place`: `named` if given, else `results/HASH-K-of-N.jsonl` beside the
    /// manifest, with the manifest's hash.
    pub fn of(shard: Shard, manifest: &Manifest, place: &Path, named: Option<&Path>) -> Self {
        let name = format!("{}-{}-of-{}", manifest.short_hash(), shard.number, shard.of);
        let folder = results_folder(place.parent().unwrap_or_else(|| Path::new("")));
        let path = named.map_or_else(|| folder.join(format!("{name}.jsonl")), Path::to_owned);
        // The temporary name depends on the contents, so two shards with the same final name do not share a file.
        let partial = path.with_file_name(format!("{name}.partial"));
        Self { path, partial }
    }

    /// Runs the units that have no result in the file yet, and gives the file its final name. Does nothing if the file is
    /// complete, and continues it if it was cut off. Returns the number of units that were run; `finished` is called after each.
    ///
    /// # Errors
    /// If the results cannot be written, the file is of another shard, or the work was stopped.
    pub fn work<U: Unit>(
        &self,
        manifest: &Manifest,
        units: &[U],
        threads: usize,
        stop: &Stop,
        mut finished: impl FnMut(Option<Duration>),
    ) -> Result<usize, ShardError> {
        if self.path.exists() {
            let results = results_of_worker::<U::Output>(&self.path, &manifest.header)?;
            let known: HashSet<&String> = results.iter().map(|(key, ..)| key).collect();
            let keys: HashSet<String> = units.iter().map(Unit::key).collect();
            if keys.iter().all(|key| known.contains(key)) {
                return Ok(0);
            }
            // A file that was cut off is continued, but not one of other units.
            if !known.iter().all(|&key| keys.contains(key)) {
                return Err(ShardError::OtherUnits(self.path.clone()));
            }
            self.rename(&self.path, &self.partial)?;
        }
        let journal = Journal::open(&self.partial, &manifest.header, false)?;
        let mut runner = Runner::with_journal(threads, journal).stopped_by(stop);
        let results = runner.run_while(units, |_, _, time| {
            finished(time);
            ControlFlow::Continue(())
        })?;
        let computed = runner.computed();
        // Closes the journal.
        drop(runner);
        if stop.is_raised() {
            return Err(RunError::Stopped.into());
        }
        let missing = results.iter().filter(|result| result.is_none()).count();
        if missing > 0 {
            return Err(ShardError::Incomplete { missing, units: units.len() });
        }
        self.rename(&self.partial, &self.path)?;
        Ok(computed)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), ShardError> {
        replace::rename(from, to).map_err(|cause| ShardError::Rename {
            from: from.to_owned(),
            to: to.to_owned(),
            cause,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::run::Header;

    #[test]
    fn every_unit_is_in_one_shard() {
        let units: Vec<String> = (0..10).map(|unit| unit.to_string()).collect();
        let manifest = Manifest::new(String::new(), Header::new("test", &0, 0), Value::Null, units.clone());
        for of in [1, 3, 10, 12] {
            let shard = |number| format!("{number}/{of}").parse::<Shard>().unwrap();
            let shards: Vec<Vec<&String>> = (1..=of).map(|number| shard(number).keys(&manifest).collect()).collect();
            let mut all: Vec<&String> = shards.iter().flatten().copied().collect();
            all.sort();
            assert_eq!(all, units.iter().collect::<Vec<_>>(), "{of}");
            let [fewest, most] = [shards.iter().map(Vec::len).min(), shards.iter().map(Vec::len).max()];
            assert!(most.unwrap() - fewest.unwrap() <= 1);
        }
    }

    /// Two shards never have the same file, in one round or in different ones.
    #[test]
    fn files_are_named_by_their_contents() {
        let manifest = |config: u32, units: &[&str]| {
            let units = units.iter().map(|&unit| unit.to_owned()).collect();
            Manifest::new(String::new(), Header::new("test", &config, 0), Value::Null, units)
        };
        let name = |manifest: &Manifest, shard: &str| {
            ShardFile::of(shard.parse().unwrap(), manifest, Path::new("spool/manifest.json"), None).path
        };
        let first = name(&manifest(1, &["a", "b"]), "1/2");
        assert!(first.starts_with("spool/results"));
        assert_eq!(name(&manifest(1, &["a", "b"]), "1/2"), first);
        for (other, shard) in [
            (manifest(1, &["a", "b"]), "2/2"),
            (manifest(1, &["a", "b"]), "1/3"),
            (manifest(1, &["a", "c"]), "1/2"),
            (manifest(2, &["a", "b"]), "1/2"),
        ] {
            assert_ne!(name(&other, shard), first);
        }
    }
}
