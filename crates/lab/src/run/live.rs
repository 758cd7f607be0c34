// SPDX-License-Identifier: GPL-3.0-or-later
//! The report of a run while it runs, in a file of its folder. It is for watchers, and nothing depends on it: if it
//! cannot be written, the run continues without it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::report::page::is_ours;
use halfply_engine::base::replace;

/// The file's name in the folder of a run.
pub const LIVE: &str = "live.html";

/// The shortest time between two reports.
const PAUSE: Duration = Duration::from_millis(500);

/// The least part of the time that is not spent on reports, as a multiple of what they take.
const REST: u32 = 20;

/// Writes the report of a run from time to time; by default never.
#[derive(Debug, Default)]
pub struct LiveReport {
    /// None if there is none.
    path: Option<PathBuf>,
    /// When the next one is due; none before the first.
    due: Option<Instant>,
}

impl LiveReport {
    /// The report in the folder of a run.
    pub fn of(folder: &Path) -> Self {
        Self { path: Some(folder.join(LIVE)), due: None }
    }

    /// Writes what was found so far, and says so. Most calls do nothing, because the last report is not old enough.
    pub fn show(&mut self, page: impl FnOnce() -> String) -> bool {
        let now = Instant::now();
        let Some(path) = self.path.as_ref().filter(|_| self.due.is_none_or(|due| due <= now)) else { return false };
        if let Err(error) = replace::replace(path, page(), &is_ours) {
            log::warn!("{}: {error}; the run continues, but cannot be watched", path.display());
            self.path = None;
            return false;
        }
        self.due = Some(Instant::now() + PAUSE.max(now.elapsed() * REST));
        true
    }

    /// Removes it: the run has its final report.
    pub fn end(self) {
        if let Some(path) = self.path
            && let Err(error) = replace::remove(&path, &is_ours)
        {
            log::warn!("{}: {error}", path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::report::page::page;

    #[test]
    fn a_report_is_written_from_time_to_time_and_removed_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LIVE);
        let mut live = LiveReport::of(folder.path());
        assert!(live.show(|| page("first", "", &[])));
        assert!(!live.show(|| panic!("too soon")), "the first one is not old enough");
        live.due = Some(Instant::now());
        assert!(live.show(|| page("second", "", &[])));
        assert!(fs::read_to_string(&path).unwrap().contains("second"));
        live.end();
        assert!(!path.exists());
        // A file of others stays.
        fs::write(&path, "mine").unwrap();
        let mut live = LiveReport::of(folder.path());
        assert!(!live.show(|| page("third", "", &[])));
        live.end();
        LiveReport::of(folder.path()).end();
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    }
}
