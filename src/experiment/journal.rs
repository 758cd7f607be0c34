// SPDX-License-Identifier: GPL-3.0-or-later
//! An append-only file of results: JSON Lines, one line a unit, flushed as it is written.
//!
//! The first line is the [`Header`]: the whole configuration of the experiment. A journal of another configuration, or
//! of a search that behaves differently by now, is refused and never mixed in. A process killed while it wrote leaves
//! a torn last line, which is dropped.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The newest form of journals this program reads, and the one it writes.
const FORMAT: u32 = 1;

/// What an experiment is: the first line of its journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The form of the journal.
    pub format: u32,
    /// The version of the program that began it; another one with the same signature may go on.
    pub version: String,
    /// The kind of experiment: `learn`, `tournament`.
    pub experiment: String,
    /// Everything the results depend on, the seed included.
    pub config: Value,
    /// Nodes of the game's benchmark: they tell whether the search has changed.
    pub signature: u64,
    /// SHA-256 over experiment, configuration and signature.
    pub hash: String,
}

impl Header {
    /// The header of an experiment with that configuration.
    ///
    /// # Panics
    /// Never for configurations made of strings, numbers, lists and maps with string keys.
    #[must_use]
    pub fn new(experiment: &str, config: &impl Serialize, signature: u64) -> Self {
        let config = serde_json::to_value(config).expect("a configuration is made of plain data");
        // Maps of `Value` are sorted by key, so equal configurations have equal text.
        let hash = digest(&format!("{experiment}\n{config}\n{signature}"));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { format: FORMAT, version, experiment: experiment.to_owned(), config, signature, hash }
    }

    /// The first digits of the hash: enough to name a folder.
    #[must_use]
    pub fn short_hash(&self) -> &str {
        &self.hash[..8]
    }

    /// In words, what another experiment does differently; none if it is the same.
    fn difference(&self, other: &Self) -> Option<String> {
        if other.format != self.format {
            return Some(format!("its format is {}, this program writes {}", other.format, self.format));
        }
        if other.experiment != self.experiment {
            return Some(format!("it is of the experiment \"{}\", not \"{}\"", other.experiment, self.experiment));
        }
        if other.config != self.config {
            let keys = |value: &Value| value.as_object().cloned().unwrap_or_default();
            let (ours, theirs) = (keys(&self.config), keys(&other.config));
            let mut names: Vec<_> = ours.keys().chain(theirs.keys()).collect();
            names.sort();
            names.dedup();
            let changed: Vec<_> = names
                .into_iter()
                .filter(|name| ours.get(*name) != theirs.get(*name))
                .map(|name| {
                    let (name, theirs, ours) = first_difference(name, theirs.get(name), ours.get(name));
                    let show = |value: Option<&Value>| value.map_or_else(|| "not set".to_owned(), short);
                    format!("{name} was {} and is {}", show(theirs), show(ours))
                })
                .collect();
            return Some(format!("its configuration differs: {}", changed.join("; ")));
        }
        if other.signature != self.signature {
            return Some(format!(
                "the search has changed since (bench signature {} then, {} now)",
                other.signature, self.signature
            ));
        }
        (other.hash != self.hash).then(|| "its hash does not match its configuration".to_owned())
    }
}

/// The innermost place at which two values first differ: its name, and what is there.
fn first_difference<'a>(
    name: &str,
    theirs: Option<&'a Value>,
    ours: Option<&'a Value>,
) -> (String, Option<&'a Value>, Option<&'a Value>) {
    let inner = match (theirs, ours) {
        (Some(Value::Array(theirs)), Some(Value::Array(ours))) if theirs.len() == ours.len() => {
            let place = theirs.iter().zip(ours).position(|(theirs, ours)| theirs != ours);
            place.map(|place| (format!("{name}[{place}]"), theirs.get(place), ours.get(place)))
        }
        (Some(Value::Object(theirs)), Some(Value::Object(ours))) => {
            let key = theirs.keys().chain(ours.keys()).find(|&key| theirs.get(key) != ours.get(key));
            key.map(|key| (format!("{name}.{key}"), theirs.get(key), ours.get(key)))
        }
        _ => None,
    };
    match inner {
        Some((name, theirs, ours)) => first_difference(&name, theirs, ours),
        None => (name.to_owned(), theirs, ours),
    }
}

/// A value in a line of an error message.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// SHA-256 of a text in hexadecimal: names contents in configurations.
#[must_use]
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file system said no.
    #[error("{}: {action} ({cause}); choose a folder that can be written with --out", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What it said.
        cause: std::io::Error,
    },
    /// Another process has it open.
    #[error("{}: another halfply is writing this run; wait for it, or choose another folder with --out", .0.display())]
    InUse(PathBuf),
    /// It belongs to another experiment.
    #[error("{}: this folder holds another run: {difference}; choose another folder with --out, or start over with --fresh", path.display())]
    OtherRun {
        /// Which file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// It cannot be read.
    #[error("{}: cannot be read ({cause}); name a run's folder or its journal", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// Its first line does not say what run it is of.
    #[error("{}:1: this is no journal of halfply's ({reason}); choose another folder with --out, or start over with --fresh", path.display())]
    NoHeader {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A line before the last is no result.
    #[error("{}:{line}: this line is damaged ({reason}); remove it to have its unit run again, or start over with --fresh", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// A unit's line.
#[derive(Serialize, Deserialize)]
struct Line<R> {
    key: String,
    result: R,
    /// What it took; the only field that differs from run to run.
    seconds: f64,
}

/// An open journal. The file is locked as long as it lives.
#[derive(Debug)]
pub struct Journal<R> {
    file: File,
    path: PathBuf,
    results: HashMap<String, R>,
}

impl<R: Serialize + DeserializeOwned + Clone> Journal<R> {
    /// Opens the journal of an experiment, or begins one; with `fresh`, begins one in any case.
    ///
    /// # Errors
    /// If the file cannot be used, another process uses it, it is of another experiment, or a line is damaged.
    pub fn open(path: &Path, header: &Header, fresh: bool) -> Result<Self, JournalError> {
        let failed = |action| move |cause| JournalError::File { path: path.to_owned(), action, cause };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed("its folder cannot be made"))?;
        }
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
        let mut bytes = Vec::new();
        if !fresh {
            file.read_to_end(&mut bytes).map_err(failed("cannot be read"))?;
        }
        // What follows the last line feed was torn by a kill.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole == 0 && !bytes.is_empty() && !serde_json::to_vec(header).is_ok_and(|line| line.starts_with(&bytes)) {
            // No header that was torn: whoever wrote that file wants to keep it.
            let reason = "its first line has no end".to_owned();
            return Err(JournalError::NoHeader { path: path.to_owned(), reason });
        }
        let results = read(&bytes[..whole], path, header)?;
        let mut journal = Self { file, path: path.to_owned(), results };
        journal.file.set_len(whole as u64).map_err(failed("cannot be cut to its last whole line"))?;
        journal.file.seek(SeekFrom::End(0)).map_err(failed("cannot be continued"))?;
        if whole == 0 {
            journal.write_line(header)?;
        }
        Ok(journal)
    }

    /// The result of the unit with that key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&R> {
        self.results.get(key)
    }

    /// How many results it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Writes the result of a unit; when this returns, a kill can no longer lose it.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn append(&mut self, key: &str, result: &R, time: Duration) -> Result<(), JournalError> {
        self.write_line(&Line { key: key.to_owned(), result, seconds: time.as_secs_f64() })?;
        self.results.insert(key.to_owned(), result.clone());
        Ok(())
    }

    fn write_line(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let failed = |cause| JournalError::File { path: self.path.clone(), action: "cannot be written", cause };
        let mut text = serde_json::to_string(line).map_err(|error| failed(error.into()))?;
        text.push('\n');
        // One write a line: a kill leaves it whole or torn, never mixed.
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush()).map_err(failed)
    }
}

/// The header and the results of a journal of that kind of experiment, by whatever configuration and search. It may be
/// in use, and a line that is just being written is left out; or put away with gzip.
///
/// # Errors
/// If the file cannot be read, is no journal, is one of another kind, or a line is damaged.
pub fn load<R: DeserializeOwned>(path: &Path, experiment: &str) -> Result<(Header, Vec<(String, R)>), JournalError> {
    let bytes = contents(path).map_err(|cause| JournalError::Unreadable { path: path.to_owned(), cause })?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let no_header = |reason: String| JournalError::NoHeader { path: path.to_owned(), reason };
    let first = bytes[..whole].split_inclusive(|&byte| byte == b'\n').next();
    let first = first.ok_or_else(|| no_header("it is empty".to_owned()))?;
    let header: Header = serde_json::from_slice(first).map_err(|error| no_header(error.to_string()))?;
    if header.experiment != experiment {
        return Err(no_header(format!("it is of the experiment \"{}\", not \"{experiment}\"", header.experiment)));
    }
    if header.format != FORMAT {
        return Err(no_header(format!("its format is {}, this program reads {FORMAT}", header.format)));
    }
    let results = lines(&bytes[..whole], path)?;
    Ok((header, results))
}

/// The bytes of a journal; of one that was put away with gzip, what is in it.
fn contents(path: &Path) -> std::io::Result<Vec<u8>> {
    let bytes = fs::read(path)?;
    if path.extension().is_none_or(|extension| extension != "gz") {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unpacked)?;
    Ok(unpacked)
}

/// The results in whole lines, the header checked.
fn read<R: DeserializeOwned>(bytes: &[u8], path: &Path, header: &Header) -> Result<HashMap<String, R>, JournalError> {
    if let Some(first) = bytes.split_inclusive(|&byte| byte == b'\n').next() {
        let found: Header = serde_json::from_slice(first)
            .map_err(|error| JournalError::NoHeader { path: path.to_owned(), reason: error.to_string() })?;
        if let Some(difference) = header.difference(&found) {
            return Err(JournalError::OtherRun { path: path.to_owned(), difference });
        }
    }
    Ok(lines(bytes, path)?.into_iter().collect())
}

/// The results in whole lines, the first of which is the header.
fn lines<R: DeserializeOwned>(bytes: &[u8], path: &Path) -> Result<Vec<(String, R)>, JournalError> {
    let result = |(index, line): (usize, &[u8])| {
        let line: Line<R> = serde_json::from_slice(line).map_err(|error| JournalError::Damaged {
            path: path.to_owned(),
            line: index + 1,
            reason: error.to_string(),
        })?;
        Ok((line.key, line.result))
    };
    bytes.split_inclusive(|&byte| byte == b'\n').enumerate().skip(1).map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn header(nodes: u32) -> Header {
        Header::new("test", &json!({"nodes": nodes, "seed": 1}), 99)
    }

    fn open(path: &Path, header: &Header) -> Result<Journal<u32>, String> {
        Journal::open(path, header, false).map_err(|error| error.to_string())
    }

    #[test]
    fn results_outlive_a_kill_and_the_torn_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run/journal.jsonl");
        let mut journal = open(&path, &header(5)).unwrap();
        for (key, result) in [("a", 1), ("b", 2)] {
            journal.append(key, &result, Duration::ZERO).unwrap();
        }
        drop(journal);
        let whole = fs::read(&path).unwrap();
        // Torn at every byte of the last line, and before its first.
        let last = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        for end in last..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut journal = open(&path, &header(5)).unwrap();
            assert_eq!((journal.get("a"), journal.get("b")), (Some(&1), None));
            journal.append("b", &2, Duration::ZERO).unwrap();
            drop(journal);
            assert_eq!(fs::read(&path).unwrap(), whole, "torn at {end}");
        }
        // Torn in the header: nothing is lost, for nothing was there.
        fs::write(&path, &whole[..20]).unwrap();
        assert!(open(&path, &header(5)).unwrap().is_empty());
    }

    #[test]
    fn other_runs_are_refused_with_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        drop(open(&path, &header(5)).unwrap());
        assert!(open(&path, &header(6)).unwrap_err().contains("nodes was 5 and is 6"));
        let mut changed = header(5);
        changed.signature = 100;
        assert!(open(&path, &changed).unwrap_err().contains("the search has changed since"));
        let held = open(&path, &header(5)).unwrap();
        assert!(open(&path, &header(5)).unwrap_err().contains("another halfply"));
        drop(held);
        assert!(Journal::<u32>::open(&path, &header(6), true).is_ok());
    }

    #[test]
    fn what_differs_is_named_by_its_place() {
        let (ours, theirs) = (json!([{"a": 1, "b": [1, 2]}]), json!([{"a": 1, "b": [1, 3]}]));
        let (name, was, is) = first_difference("players", Some(&theirs), Some(&ours));
        assert_eq!((name.as_str(), was, is), ("players[0].b[1]", Some(&json!(3)), Some(&json!(2))));
        let (name, was, is) = first_difference("x", None, Some(&ours));
        assert_eq!((name.as_str(), was, is), ("x", None, Some(&ours)));
        assert_eq!(first_difference("x", Some(&json!([1])), Some(&json!([1, 2]))).0, "x");
    }

    #[test]
    fn a_damaged_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        drop(open(&path, &header(5)).unwrap());
        let mut text = fs::read_to_string(&path).unwrap();
        text += "{\"key\":\n{\"key\":\"b\",\"result\":2,\"seconds\":0}\n";
        fs::write(&path, text).unwrap();
        assert!(open(&path, &header(5)).unwrap_err().contains("journal.jsonl:2: this line is damaged"));
        fs::write(&path, "{\"format\":1}\n").unwrap();
        assert!(open(&path, &header(5)).unwrap_err().contains("journal.jsonl:1: this is no journal"));
        // Without a line feed it might be torn, but is no beginning of ours.
        fs::write(&path, "notes").unwrap();
        assert!(open(&path, &header(5)).unwrap_err().contains("journal.jsonl:1: this is no journal"));
        assert_eq!(fs::read(&path).unwrap(), b"notes");
    }
}
