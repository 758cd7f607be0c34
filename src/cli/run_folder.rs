// SPDX-License-Identifier: GPL-3.0-or-later
//! The folders of a run's journal and results.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::output::tell;
use super::results::Results;
use super::run_file::LATEST;
use halfply_engine::base::figures::quantity;
use halfply_engine::base::replace::link;
use halfply_lab::run::{Header, Journal};

/// The folder of a run, and whether the run continues or starts over.
#[derive(Clone, Debug, Args)]
pub struct RunFolderArgs {
    /// Folder for the journal and the results; a run that was stopped there continues [default: runs/<command>-<game>-<hash>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Discard the journal there and start over
    #[arg(long)]
    fresh: bool,
}

impl RunFolderArgs {
    /// Opens the folder of a run: its results, which may have those `names`, and its journal. The default folder
    /// follows from the configuration, so the same command finds its own run again. If the results depend on something
    /// `besides`, the run shares its journal with all others that have the same units: unless a folder was named, the
    /// journal has its own folder, and the run has another one for its results.
    pub fn open<R: Serialize + DeserializeOwned + Clone>(
        &self,
        game: &str,
        header: &Header,
        besides: Option<&Value>,
        command: &'static str,
        names: &[&str],
    ) -> Result<(Results, Journal<R>)> {
        let [results, journal] = match (&self.out, besides) {
            (Some(folder), _) => [folder.clone(), folder.clone()],
            (None, None) => {
                let folder = default(&header.experiment, game, header.short_hash());
                [folder.clone(), folder]
            }
            (None, Some(besides)) => {
                let of_run = Header::new(&header.experiment, &(besides, &header.hash), header.signature);
                let own = default(&header.experiment, game, of_run.short_hash());
                [own, default("searches", game, header.short_hash())]
            }
        };
        // Conflicts are found before anything is written.
        let results = Results::find(&results, command, names)?;
        let opened = Journal::open(&journal.join("journal.jsonl"), header, self.fresh)?;
        if !opened.is_empty() {
            log::info!("{}: resuming with {} results", journal.display(), opened.len());
        }
        results.claim()?;
        if self.out.is_none() {
            link_latest(results.folder());
        }
        Ok((results, opened))
    }
}

/// Lets the link `latest` beside a run's folder lead to it. The run does not depend on it, so it may fail.
fn link_latest(folder: &Path) {
    if let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) {
        let latest = parent.join(LATEST);
        if let Err(error) = link(&latest, name) {
            log::debug!("{}: {error}", latest.display());
        }
    }
}

/// The default folder of a run.
fn default(experiment: &str, game: &str, hash: &str) -> PathBuf {
    PathBuf::from("runs").join(format!("{experiment}-{game}-{hash}"))
}

/// Reports that a run came to its end. Since `start` it made so many units; the others were in its journal.
pub fn completed(made: u64, unit: &str, resumed: bool, start: Instant) {
    let work = format!("{} in {:.1} s", quantity(made, unit), start.elapsed().as_secs_f64());
    match (made, resumed) {
        (0, true) => tell("this run was complete already; --fresh repeats it"),
        (_, true) => tell(&format!("resumed where it was stopped: {work}")),
        (_, false) => tell(&work),
    }
}
