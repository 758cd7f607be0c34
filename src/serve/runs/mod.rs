// SPDX-License-Identifier: GPL-3.0-or-later
//! The runs under a folder, for the page: which there are, and what each has found so far.
//!
//! Runs are read and never written or locked, so nobody who computes one notices that it is watched. Whatever is in the
//! folder, the server continues: files of others are left out, and what cannot be read is said on the page.
//!
//! | file | idea |
//! |---|---|
//! | `place` | paths of the page, and the files that they may lead to |
//! | `list` | the runs under the folder |
//! | `watched` | one run, read while it grows |
//! | `view` | what is shown of each kind of run |

mod list;
mod place;
mod view;
mod watched;

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde::Serialize;

use self::list::Listed;
use self::place::Root;
pub use self::place::RunFile;
use self::watched::Watched;
pub use self::watched::{GamesShown, Shown};
use super::refusal::Refusal;

/// How long what was read is as good as new.
const FRESH: Duration = Duration::from_millis(400);

/// The same for the list, which takes more reading.
const LIST_FRESH: Duration = Duration::from_secs(2);

/// How long a run is kept in memory after the last question about it.
const KEPT: Duration = Duration::from_secs(120);

/// The most runs that are kept in memory.
const MOST_KEPT: usize = 16;

/// The most runs of the list that are read, because they run.
const MOST_RUNNING: usize = 8;

/// A text that many pages are sent, which is in memory once.
pub type Text = Bytes;

/// The runs under a folder.
#[derive(Debug)]
pub struct Runs {
    root: Root,
    watched: Mutex<HashMap<String, Arc<Mutex<Watched>>>>,
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

impl Runs {
    /// The runs under this folder.
    ///
    /// # Errors
    /// If it is no folder that can be read.
    pub fn under(folder: &Path) -> io::Result<Self> {
        Ok(Self { root: Root::at(folder)?, watched: Mutex::default(), listed: Mutex::default() })
    }

    /// The list of all runs, as JSON. As long as nothing changes, it is the same text in memory.
    #[must_use]
    pub fn list(&self) -> Text {
        let mut listed = lock(&self.listed);
        if let Some((when, text)) = &*listed
            && when.elapsed() < LIST_FRESH
        {
            return text.clone();
        }
        let (mut runs, is_cut) = list::runs(&self.root);
        for run in runs.iter_mut().filter(|run| run.is_running()).take(MOST_RUNNING) {
            // What it has found so far is only in what it has written so far.
            if let Ok(shown) = self.shown(&run.name) {
                run.headline.clone_from(&shown.headline);
            }
        }
        let shown = ListShown { folder: self.root.name(), runs: &runs, is_cut };
        let text = Text::from(serde_json::to_vec(&shown).unwrap_or_default());
        let text = match &*listed {
            Some((_, before)) if *before == text => before.clone(),
            _ => text,
        };
        *listed = Some((Instant::now(), text.clone()));
        text
    }

    /// What is shown of a run now.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn shown(&self, name: &str) -> Result<Arc<Shown>, Refusal> {
        let watched = self.watched(name)?;
        let mut watched = lock(&watched);
        Ok(watched.look(FRESH))
    }

    /// The same as JSON. As long as nothing changes, it is the same text in memory.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn text(&self, name: &str) -> Result<Text, Refusal> {
        let watched = self.watched(name)?;
        let mut watched = lock(&watched);
        watched.look(FRESH);
        Ok(watched.text())
    }

    /// Some of the games of a tournament, from this number on.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn games(&self, name: &str, from: usize) -> Result<GamesShown, Refusal> {
        let watched = self.watched(name)?;
        let mut watched = lock(&watched);
        watched.look(FRESH);
        Ok(watched.games(from))
    }

    /// One game of a tournament, by its number from 0.
    ///
    /// # Errors
    /// If there is no such run or no such game.
    pub fn game(&self, name: &str, number: usize) -> Result<view::GameToReplay, Refusal> {
        let watched = self.watched(name)?;
        let mut watched = lock(&watched);
        watched.look(FRESH);
        watched.game(number).ok_or(Refusal::Unknown)
    }

    /// A result file of a run: its path under the folder.
    ///
    /// # Errors
    /// If there is no such file, or it is none that a run has written.
    pub fn file(&self, path: &str) -> Result<RunFile, Refusal> {
        self.root.result(path)
    }

    /// The run of this name, read before or not.
    fn watched(&self, name: &str) -> Result<Arc<Mutex<Watched>>, Refusal> {
        let mut all = lock(&self.watched);
        // One that has been removed meanwhile says so itself.
        if let Some(watched) = all.get(name) {
            return Ok(Arc::clone(watched));
        }
        let path = self.root.run(name)?;
        // Those that nobody asks about make room.
        all.retain(|_, watched| Arc::strong_count(watched) > 1 || lock(watched).asked() < KEPT);
        if all.len() >= MOST_KEPT {
            let idle = all.iter().filter(|(_, watched)| Arc::strong_count(watched) == 1);
            let longest = idle.max_by_key(|(_, watched)| lock(watched).asked()).map(|(name, _)| name.clone());
            longest.map(|name| all.remove(&name));
        }
        let watched = Arc::new(Mutex::new(Watched::at(name, &path)));
        all.insert(name.to_owned(), Arc::clone(&watched));
        Ok(watched)
    }
}

/// After a panic in another request, what was read before is as good as ever.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
