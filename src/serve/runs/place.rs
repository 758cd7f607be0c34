// SPDX-License-Identifier: GPL-3.0-or-later
//! Paths as the page names them, and the files under the folder that they may lead to.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::serve::refusal::Refusal;
use halfply_engine::base::files;
use halfply_lab::report::page::is_ours;
use halfply_lab::run::live::LIVE;

/// The list of a run's results.
const LIST: &str = "halfply-results.json";

/// The most bytes of that list.
const LARGEST_LIST: u64 = 1 << 20;

/// As many bytes of a report say whether it is one.
const LIVE_BEGINNING: u64 = 1 << 10;

/// Results that a browser shows or saves, with their types.
const KINDS: [(&str, &str); 6] = [
    ("html", "text/html; charset=utf-8"),
    ("md", "text/plain; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
    ("toml", "text/plain; charset=utf-8"),
    ("json", "application/json"),
    ("pgn", "text/plain; charset=utf-8"),
];

/// The folder whose runs are shown.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
    name: String,
}

/// A result file of a run.
#[derive(Debug)]
pub struct RunFile {
    /// Its content type.
    pub kind: &'static str,
    /// The file, to be read while it is sent.
    pub file: File,
    /// Its bytes.
    pub length: u64,
}

impl Root {
    pub(super) fn at(folder: &Path) -> io::Result<Self> {
        let path = folder.canonicalize()?;
        // A file would have no runs, and a folder that cannot be read neither.
        fs::read_dir(&path)?;
        Ok(Self { path, name: folder.display().to_string() })
    }

    /// The folder, as it was named.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder or the journal of a run.
    pub(super) fn run(&self, name: &str) -> Result<PathBuf, Refusal> {
        self.inside(name)
    }

    /// A result file, one that its run has listed as its own, or the report of one that is running.
    pub(super) fn result(&self, path: &str) -> Result<RunFile, Refusal> {
        let path = self.inside(path)?;
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let kind = kind(name).ok_or(Refusal::Unknown)?;
        let folder = path.parent().ok_or(Refusal::Unknown)?;
        let is_result = || is_own(&path) && results(folder).iter().any(|result| result == name);
        if !is_live(&path) && !is_result() {
            return Err(Refusal::Unknown);
        }
        let file = files::open_at(&path, 0).map_err(|_| Refusal::Unknown)?;
        let length = file.metadata().map_err(|_| Refusal::Unknown)?.len();
        Ok(RunFile { kind, file, length })
    }

    /// A path under the folder that exists and leads nowhere else, not by links either.
    fn inside(&self, name: &str) -> Result<PathBuf, Refusal> {
        let relative = Path::new(name);
        let is_plain = relative.components().all(|component| matches!(component, Component::Normal(_)));
        if !is_plain || name.contains('\0') {
            return Err(Refusal::Unknown);
        }
        let path = self.path.join(relative).canonicalize().map_err(|_| Refusal::Unknown)?;
        if path.starts_with(&self.path) { Ok(path) } else { Err(Refusal::Unknown) }
    }
}

/// Whether the path is a file itself, and not a link to one, which may be anywhere.
pub(super) fn is_own(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_file())
}

/// Whether a file is the report of a running study, which no list has.
pub(super) fn is_live(path: &Path) -> bool {
    let beginning = || files::read_beginning(path, LIVE_BEGINNING).unwrap_or_default();
    path.file_name().is_some_and(|name| name == LIVE) && is_own(path) && is_ours(&beginning())
}

/// The bytes of a file that is no link. Every file under the folder whose contents are shown is opened after this check.
pub(super) fn read_own(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if is_own(path) { files::read(path, most) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// The content type of a file that is shown; none for others.
fn kind(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

/// Whether a result with this name is shown. It is in the folder of its run.
pub fn is_shown(name: &str) -> bool {
    kind(name).is_some() && !name.contains(['/', '\\'])
}

/// The names of the results of a run; none if it has no list of them.
pub(super) fn results(folder: &Path) -> Vec<String> {
    #[derive(Deserialize)]
    struct List {
        files: BTreeMap<String, serde::de::IgnoredAny>,
    }
    let list = read_own(&folder.join(LIST), LARGEST_LIST).unwrap_or_default();
    serde_json::from_slice::<List>(&list).map(|list| list.files.into_keys().collect()).unwrap_or_default()
}
