// SPDX-License-Identifier: GPL-3.0-or-later
//! The folders of a run's journal and results.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Verdict;
use super::output::tell;
use super::results::Results;
use super::spool::tell_waiting;
use halfply_engine::base::figures::thousands;
use halfply_lab::run::{Header, Journal, RunError};

/// The folder of a run, and whether the run continues or starts over.
#[derive(Clone, Debug, Args)]
pub struct RunFolderArgs {
    /// Folder for the journal and the results; a run that was stopped there continues [default: runs/<name by content>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Discard the journal there and start over
    #[arg(long)]
    fresh: bool,
}

impl RunFolderArgs {
    /// Opens the folder of a run: its results, which may have those `names`, and its journal. The default folder
    /// follows from the configuration, so the same command finds its own run again.
    pub fn open<R: Serialize + DeserializeOwned + Clone>(
        &self,
        game: &str,
        header: &Header,
        command: &'static str,
        names: &[&str],
    ) -> Result<(Results, Journal<R>)> {
        let folder = self.out.clone().unwrap_or_else(|| default(&header.experiment, game, header.short_hash()));
        self.open_both(&folder, command, names, &folder, header)
    }

    /// The same for a run that shares its journal with all others that have the same units. Unless a folder was named,
    /// the journal has its own folder, and the `run` has another one for its results.
    pub fn open_sharing<R: Serialize + DeserializeOwned + Clone>(
        &self,
        game: &str,
        header: &Header,
        run: &impl Serialize,
        command: &'static str,
        names: &[&str],
    ) -> Result<(Results, Journal<R>)> {
        let shared = || default("searches", game, header.short_hash());
        let own = || {
            let of_run = Header::new(&header.experiment, &(run, &header.hash), header.signature);
            default(&header.experiment, game, of_run.short_hash())
        };
        let [results, journal] = match &self.out {
            Some(folder) => [folder.clone(), folder.clone()],
            None => [own(), shared()],
        };
        self.open_both(&results, command, names, &journal, header)
    }

    /// Conflicts are found before anything is written.
    fn open_both<R: Serialize + DeserializeOwned + Clone>(
        &self,
        results: &Path,
        command: &'static str,
        names: &[&str],
        journal: &Path,
        header: &Header,
    ) -> Result<(Results, Journal<R>)> {
        let results = Results::find(results, command, names)?;
        let opened = Journal::open(&journal.join("journal.jsonl"), header, self.fresh)?;
        if !opened.is_empty() {
            log::info!("{}: resuming with {} results", journal.display(), opened.len());
        }
        results.claim()?;
        Ok((results, opened))
    }
}

/// The default folder of a run.
fn default(experiment: &str, game: &str, hash: &str) -> PathBuf {
    PathBuf::from("runs").join(format!("{experiment}-{game}-{hash}"))
}

/// Reports that a run came to its end. Since `start` it made so many `units`, named in the plural; the others were in its
/// journal.
pub fn completed(made: u64, units: &str, resumed: bool, start: Instant) {
    let work = format!("{} {units} in {:.1} s", thousands(made), start.elapsed().as_secs_f64());
    match (made, resumed) {
        (0, true) => tell("this run was complete already; --fresh repeats it"),
        (_, true) => tell(&format!("resumed where it was stopped: {work}")),
        (_, false) => tell(&work),
    }
}

/// Reports why a run ended early. It is no error that it was stopped or waits for workers.
pub fn ended(error: RunError, folder: &Path) -> Result<Verdict> {
    match error {
        RunError::Stopped => {
            tell(&format!("stopped; kept in {}; the same command resumes it", folder.display()));
            Ok(Verdict::Interrupted)
        }
        RunError::Waiting(waiting) => Ok(tell_waiting(&waiting)),
        error => bail!(error),
    }
}
