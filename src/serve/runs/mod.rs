// SPDX-License-Identifier: GPL-3.0-or-later
//! The runs under a folder, for the page: which there are, how far each is, its report and its games.
//!
//! Runs are read and never written or locked, so nobody who computes one notices that it is watched. Nothing of them is kept in
//! memory. Whatever is in the folder, the server continues: files of others are left out.
//!
//! | file | idea |
//! |---|---|
//! | `place` | paths of the page, and the files that they may lead to |
//! | `list` | the runs under the folder |
//! | `games` | the games of a tournament, by its journal |

mod games;
mod list;
mod place;

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};

use axum::body::Bytes;
use serde::Serialize;

use self::games::{GameToReplay, GamesShown};
use self::list::Listed;
pub use self::place::RunFile;
use self::place::{Root, is_live, is_own, is_shown, results};
use super::refusal::Refusal;
use halfply_engine::base::echo::shortened;
use halfply_engine::base::process::ProcessId;
use halfply_lab::run::live::LIVE;

/// How long the list is as good as new.
const LIST_FRESH: Duration = Duration::from_secs(2);

/// The report among the results of a run.
const REPORT: &str = "report.html";

/// The most result files that are shown.
const MOST_FILES: usize = 200;

/// The most characters of a command that are shown.
const LONGEST_COMMAND: usize = 20_000;

/// A text that pages are sent.
pub type Text = Bytes;

/// The runs under a folder.
#[derive(Debug)]
pub struct Runs {
    root: Root,
    listed: Mutex<Option<(Instant, Text)>>,
}

/// The list of runs, as the page gets it.
#[derive(Debug, Serialize)]
struct ListShown<'a> {
    /// The folder.
    folder: &'a str,
    /// The runs, the newest first.
    runs: &'a [Listed],
    /// Whether there are more.
    is_cut: bool,
}

/// What the page shows of a run.
#[derive(Debug, Serialize)]
struct Shown {
    #[serde(flatten)]
    run: Listed,
    /// The command that continues it.
    command: Option<String>,
    /// The process that computes it, or has done so last.
    process: Option<ProcessId>,
    /// The file with its report; none if the server makes one of its games.
    report: Option<&'static str>,
    /// Another one after each change of the report; none if there is no report.
    version: Option<u64>,
    /// The bytes of the journal with its games; 0 if it has none.
    journal: u64,
    /// Result files, by name.
    files: Vec<String>,
}

impl Runs {
    /// The runs under this folder.
    ///
    /// # Errors
    /// If it is no folder that can be read.
    pub fn under(folder: &Path) -> io::Result<Self> {
        Ok(Self { root: Root::at(folder)?, listed: Mutex::default() })
    }

    /// The list of all runs, as JSON.
    pub fn list(&self) -> Text {
        // After a panic in another request, what was read before is as good as ever.
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((when, text)) = &*listed
            && when.elapsed() < LIST_FRESH
        {
            return text.clone();
        }
        let (runs, is_cut) = list::runs(&self.root);
        let shown = ListShown { folder: self.root.name(), runs: &runs, is_cut };
        let text = Text::from(serde_json::to_vec(&shown).unwrap_or_default());
        *listed = Some((Instant::now(), text.clone()));
        text
    }

    /// What is shown of a run now, as JSON.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn text(&self, name: &str) -> Result<Text, Refusal> {
        let path = self.root.run(name)?;
        let (run, begin) = list::run_at(&self.root, &path).ok_or(Refusal::Unknown)?;
        let mut files = results(&path);
        files.retain(|name| is_shown(name) && is_own(&path.join(name)));
        files.truncate(MOST_FILES);
        let journal = games::journal(&path).map_or(0, |journal| length(&journal));
        let report = match files.iter().any(|name| name == REPORT) {
            _ if is_live(&path.join(LIVE)) => Some(LIVE),
            true => Some(REPORT),
            false => None,
        };
        let version = report.map(|file| changed(&path.join(file))).or((journal > 0).then_some(journal));
        let process = begin.as_ref().map(|begin| begin.process);
        let command = begin.map(|begin| shortened(&begin.command, LONGEST_COMMAND).into_owned());
        let shown = Shown { run, command, process, report, version, journal, files };
        Ok(serde_json::to_vec(&shown).unwrap_or_default().into())
    }

    /// Some of the games of a tournament, from this place of its journal on.
    ///
    /// # Errors
    /// If there is no such run, or it has no games.
    pub fn games(&self, name: &str, from: u64) -> Result<GamesShown, Refusal> {
        games::some(&self.root.run(name)?, from)
    }

    /// The game at this place of a journal.
    ///
    /// # Errors
    /// If there is no such run or no such game.
    pub fn game(&self, name: &str, at: u64) -> Result<GameToReplay, Refusal> {
        games::game(&self.root.run(name)?, at)
    }

    /// The report of a tournament that has none, made of its games.
    ///
    /// # Errors
    /// If there is no such run, or its games cannot be shown.
    pub fn report(&self, name: &str) -> Result<String, Refusal> {
        games::report(&self.root.run(name)?)
    }

    /// A result file of a run: its path under the folder.
    ///
    /// # Errors
    /// If there is no such file, or it is none that a run has written.
    pub fn file(&self, path: &str) -> Result<RunFile, Refusal> {
        self.root.result(path)
    }
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |about| about.len())
}

/// When a file was last written, in milliseconds: a number that JavaScript can hold.
fn changed(path: &Path) -> u64 {
    let modified = fs::metadata(path).and_then(|about| about.modified()).unwrap_or(UNIX_EPOCH);
    modified.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

#[cfg(test)]
mod tests;
