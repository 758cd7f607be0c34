// SPDX-License-Identifier: GPL-3.0-or-later
//! An append-only file of results: JSON Lines, one line a unit, flushed as it is written.
//!
//! The first line is the [`Header`], with the whole configuration of the run. A journal of another configuration, or of a
//! search that behaves differently now, is refused. A kill may leave an incomplete last line, which is dropped. If a unit
//! has several lines, the first one counts.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use same_file::Handle;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::{JournalError, LOOK, RESULTS, RUN, Remedies};
use super::header::{FORMAT, Header};
use super::line::encode;
use super::reader::Reader;
use halfply_engine::base::files;

/// The beginning of every header, but for the format's digit.
const BEGINNING: [&str; 2] = ["{\"format\":", ",\"version\":\""];

/// Keys and results of units, each with the time that it took.
type TimedResults<R> = Vec<(String, R, Duration)>;

/// An open journal. Its file is locked until it is dropped.
#[derive(Debug)]
pub struct Journal<R> {
    file: File,
    /// Identifies the file.
    identity: Handle,
    path: PathBuf,
    /// Bytes written.
    length: u64,
    header: Header,
    /// Shared with the run, which may keep them, too.
    results: HashMap<String, Arc<R>>,
}

impl<R: Serialize + DeserializeOwned> Journal<R> {
    /// Opens the journal of a run, or begins a new one. With `fresh` it always begins a new one.
    ///
    /// # Errors
    /// If the file cannot be used, is open in another process, is not a journal or of another run, or has a damaged line.
    pub fn open(path: &Path, header: &Header, fresh: bool) -> Result<Self, JournalError> {
        let failed = |action| move |cause| JournalError::File { path: path.to_owned(), action, cause };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed("its folder cannot be created"))?;
        }
        // Devices may have no end, and pipes may block.
        ensure_regular(path, &RUN)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed("cannot be opened"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.to_owned())),
            Err(TryLockError::Error(cause)) => return Err(failed("cannot be locked")(cause)),
        }
        let mut results = HashMap::new();
        let mut reader = Reader::new(&file, path, &RUN);
        let found = reader.header()?;
        // It may not be our file, and then not even --fresh may replace it.
        if found.is_none() && !reader.rest().is_empty() && !is_torn_header(reader.rest()) {
            return Err(reader.no_header("its first line has no end"));
        }
        let length = match found {
            Some(found) if !fresh => {
                if let Some(difference) = header.difference(&found) {
                    return Err(JournalError::OtherRun { path: path.to_owned(), difference });
                }
                reader.results(&found, |key, result, _| {
                    results.entry(key).or_insert_with(|| Arc::new(result));
                })?;
                reader.length()
            }
            _ => 0,
        };
        drop(reader);
        file.set_len(length).map_err(failed("cannot be cut to its last whole line"))?;
        file.seek(SeekFrom::End(0)).map_err(failed("cannot be continued"))?;
        let identity = file.try_clone().and_then(Handle::from_file).map_err(failed("cannot be told from others"))?;
        let mut journal = Self { file, identity, path: path.to_owned(), length, header: header.clone(), results };
        if length == 0 {
            let line = serde_json::to_string(header).map_err(|error| journal.unwritable(error.into()))?;
            journal.write(&(line + "\n"))?;
        }
        Ok(journal)
    }

    /// The result of the unit with this key.
    pub fn get(&self, key: &str) -> Option<&Arc<R>> {
        self.results.get(key)
    }

    /// The number of results.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether it has no results.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Writes the result of a unit. Once this has returned, a kill does not lose it.
    ///
    /// # Errors
    /// If the file system refuses, or as [`check_place`](Self::check_place).
    pub fn append(&mut self, key: &str, result: impl Into<Arc<R>>, time: Duration) -> Result<(), JournalError> {
        let result = result.into();
        let line = encode(key, &*result, time).map_err(|error| self.unwritable(error.into()))?;
        self.results.entry(key.to_owned()).or_insert(result);
        // Before writing: the file may belong to another program now.
        self.check_place()?;
        self.write(&line)
    }

    /// Checks that the file is still at its path and unchanged.
    ///
    /// # Errors
    /// If the file was removed, moved or changed. All results have then been written to a new file.
    pub fn check_place(&mut self) -> Result<(), JournalError> {
        let is_there = match Handle::from_path(&self.path) {
            Ok(there) => there == self.identity,
            // Other errors do not mean that the file has gone.
            Err(cause) => !matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        let is_whole = self.file.metadata().is_ok_and(|metadata| metadata.len() == self.length);
        if is_there && is_whole { Ok(()) } else { Err(self.rescue()) }
    }

    /// Writes all results to a new file.
    fn rescue(&self) -> JournalError {
        let (path, results) = (self.path.clone(), self.results.len());
        match self.write_again() {
            Ok(to) => JournalError::Taken { path, to, results },
            Err(cause) => JournalError::Lost { path, results, cause },
        }
    }

    fn write_again(&self) -> io::Result<PathBuf> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let others = (1..).map(|number| self.path.with_file_name(format!("journal.rescued-{number}.jsonl")));
        for path in [self.path.clone()].into_iter().chain(others) {
            match File::create_new(&path) {
                Ok(file) => return self.write_all_to(file).map(|()| path),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    fn write_all_to(&self, file: File) -> io::Result<()> {
        let mut file = BufWriter::new(file);
        writeln!(file, "{}", serde_json::to_string(&self.header)?)?;
        for (key, result) in &self.results {
            file.write_all(encode(key, &**result, Duration::ZERO)?.as_bytes())?;
        }
        file.flush()
    }

    fn write(&mut self, line: &str) -> Result<(), JournalError> {
        // One write for each line, so that a kill leaves a prefix of it.
        self.file
            .write_all(line.as_bytes())
            .and_then(|()| self.file.flush())
            .map_err(|cause| self.unwritable(cause))?;
        self.length += line.len() as u64;
        Ok(())
    }

    fn unwritable(&self, cause: io::Error) -> JournalError {
        JournalError::File { path: self.path.clone(), action: "cannot be written", cause }
    }
}

fn ensure_regular(path: &Path, remedies: &Remedies) -> Result<(), JournalError> {
    let unusable = |cause: io::Error| JournalError::Unusable {
        path: path.to_owned(),
        reason: cause.to_string(),
        remedy: remedies.no_header,
    };
    files::ensure_regular(path).map_err(unusable)
}

/// The header and the results of a journal of this kind of run, with any configuration and signature. The journal may be
/// in use, when an incomplete last line is left out, or compressed with gzip. Each unit occurs once.
///
/// # Errors
/// If the file cannot be read, is not a journal or of another kind of run, or has a damaged line.
pub fn load<R: DeserializeOwned>(path: &Path, experiment: &str) -> Result<(Header, Vec<(String, R)>), JournalError> {
    let (header, results) = read(path, &LOOK, |header, reader| {
        header.other_kind(experiment).map_or(Ok(()), |reason| Err(reader.no_header(&reason)))
    })?;
    Ok((header, results.into_iter().map(|(key, result, _)| (key, result)).collect()))
}

/// The results in a worker's file for the run with this header, each with the time that it took.
///
/// # Errors
/// If the file cannot be read, is of another run or search, or has a damaged line.
pub(super) fn results_of_worker<R: DeserializeOwned>(
    path: &Path,
    header: &Header,
) -> Result<TimedResults<R>, JournalError> {
    let (_, results) = read(path, &RESULTS, |found, _| match header.difference(found) {
        Some(difference) => Err(JournalError::OtherResults { path: path.to_owned(), difference }),
        None => Ok(()),
    })?;
    Ok(results)
}

/// A journal that is only read: its header, which must be accepted, and the results with their times. Of several lines of a
/// unit the first one counts.
fn read<R: DeserializeOwned>(
    path: &Path,
    remedies: &Remedies,
    accept: impl FnOnce(&Header, &Reader<'_>) -> Result<(), JournalError>,
) -> Result<(Header, TimedResults<R>), JournalError> {
    ensure_regular(path, remedies)?;
    let mut reader = Reader::of_file(path, remedies)?;
    let header = reader.header()?.ok_or_else(|| reader.no_header("it is empty"))?;
    accept(&header, &reader)?;
    let (mut results, mut keys) = (Vec::new(), HashSet::new());
    reader.results(&header, |key, result, time| {
        if keys.insert(key.clone()) {
            results.push((key, result, time));
        }
    })?;
    Ok((header, results))
}

/// Whether these bytes can be an incomplete header.
fn is_torn_header(bytes: &[u8]) -> bool {
    let begins = (1..=FORMAT).any(|format| {
        let beginning = BEGINNING.join(&format.to_string()).into_bytes();
        bytes.starts_with(&beginning) || beginning.starts_with(bytes)
    });
    begins && serde_json::from_slice::<Value>(bytes).is_err()
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
