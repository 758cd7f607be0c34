// SPDX-License-Identifier: GPL-3.0-or-later
//! A slice of a manifest, worked in a process of its own.

use std::collections::HashSet;
use std::fmt;
use std::fs;
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

/// Which slice of how many: `3/8` is the third of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("{text}: a shard is its number, from 1, and how many there are: 3/8");
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
    /// Its units' keys. Neighbours, which take about as long, are dealt to different shards.
    pub fn keys(self, manifest: &Manifest) -> impl Iterator<Item = &String> {
        manifest.units.iter().skip(self.number - 1).step_by(self.of)
    }
}

/// Why a shard was not worked to its end.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The results cannot be kept, or the work was stopped.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The file of results is another's.
    #[error("{}: holds results of other units of this run; name another file with --out", .0.display())]
    OtherUnits(PathBuf),
    /// Some units came to nothing.
    #[error("{missing} of {units} units could not be worked; what was done is kept, and the same command goes on")]
    Incomplete {
        /// How many.
        missing: usize,
        /// Of how many.
        units: usize,
    },
    /// The results are there, and cannot be given their name.
    #[error("{}: cannot be renamed to {} ({cause}); give the same command again", from.display(), to.display())]
    Rename {
        /// Their name until now.
        from: PathBuf,
        /// The name that they should have.
        to: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
}

impl From<JournalError> for ShardError {
    fn from(error: JournalError) -> Self {
        Self::Run(error.into())
    }
}

/// Where the results of a shard go: a journal that has another name until it is whole. A worker that was killed goes on
/// there.
#[derive(Clone, Debug)]
pub struct ShardFile {
    /// The results.
    pub path: PathBuf,
    partial: PathBuf,
}

impl ShardFile {
    /// The file for a shard of the manifest at `place`: the one that is named, else `results/MANIFEST-K-of-N.jsonl` beside
    /// the manifest, MANIFEST being its hash.
    #[must_use]
    pub fn of(shard: Shard, manifest: &Manifest, place: &Path, named: Option<&Path>) -> Self {
        let name = format!("{}-{}-of-{}", manifest.short_hash(), shard.number, shard.of);
        let folder = results_folder(place.parent().unwrap_or_else(|| Path::new("")));
        let path = named.map_or_else(|| folder.join(format!("{name}.jsonl")), Path::to_owned);
        // Of the contents: shards that are by mistake given one name do not write into one file.
        let partial = path.with_file_name(format!("{name}.partial"));
        Self { path, partial }
    }

    /// Works the units that have no result there yet, on so many threads, and gives the file its name. Done once more, it
    /// does nothing. Returns how many were worked now; `finished` is called after each.
    ///
    /// # Errors
    /// If the results cannot be kept, the file is another's, or the work was stopped.
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
            let has = |unit: &U| known.contains(&unit.key());
            return if units.iter().all(has) { Ok(0) } else { Err(ShardError::OtherUnits(self.path.clone())) };
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
        let [from, to] = [&self.partial, &self.path].map(Clone::clone);
        fs::rename(&from, &to).map_err(|cause| ShardError::Rename { from, to, cause })?;
        Ok(computed)
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
        let manifest = Manifest::new(Header::new("test", &0, 0), Value::Null, units.clone());
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

    /// Shards of one round, and of the next, never have the same file.
    #[test]
    fn files_are_named_by_what_is_in_them() {
        let manifest = |config: u32, units: &[&str]| {
            let units = units.iter().map(|&unit| unit.to_owned()).collect();
            Manifest::new(Header::new("test", &config, 0), Value::Null, units)
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
