// SPDX-License-Identifier: GPL-3.0-or-later
//! Where an experiment keeps its journal and its results.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::experiment::{Header, Journal};

/// Where an experiment is kept, and whether it goes on or starts over.
#[derive(Clone, Debug, Args)]
pub struct RunFolderArgs {
    /// Folder for the journal and the results; a run that was stopped there goes on [default: runs/<name by content>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Forget what the folder holds and start over
    #[arg(long)]
    fresh: bool,
}

impl RunFolderArgs {
    /// Opens the journal of the experiment: its folder, and the journal. The default folder follows from the
    /// configuration, so that the same command finds its own run again. Of the files in `results` none is left that an
    /// earlier run has written.
    pub fn open<R: Serialize + DeserializeOwned + Clone>(
        &self,
        game: &str,
        header: &Header,
        results: &[&str],
    ) -> Result<(PathBuf, Journal<R>)> {
        let folder = self.out.clone().unwrap_or_else(|| default(&header.experiment, game, header.short_hash()));
        let journal = self.journal(&folder, header)?;
        if journal.is_empty() {
            remove(&folder, results)?;
        }
        Ok((folder, journal))
    }

    /// The same for a run that shares its journal with all others whose units are the same: unless a folder was named,
    /// the journal has one of its own, and the `run` another for its results.
    pub fn open_sharing<R: Serialize + DeserializeOwned + Clone>(
        &self,
        game: &str,
        header: &Header,
        run: &impl Serialize,
        results: &[&str],
    ) -> Result<(PathBuf, Journal<R>)> {
        let shared = || default("searches", game, header.short_hash());
        let journal = self.journal(&self.out.clone().unwrap_or_else(shared), header)?;
        let own = || {
            let of_run = Header::new(&header.experiment, &(run, &header.hash), header.signature);
            default(&header.experiment, game, of_run.short_hash())
        };
        let folder = self.out.clone().unwrap_or_else(own);
        remove(&folder, results)?;
        fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        Ok((folder, journal))
    }

    fn journal<R: Serialize + DeserializeOwned + Clone>(&self, folder: &Path, header: &Header) -> Result<Journal<R>> {
        let journal = Journal::open(&folder.join("journal.jsonl"), header, self.fresh)?;
        if !journal.is_empty() {
            log::info!("{}: going on with {} results", folder.display(), journal.len());
        }
        Ok(journal)
    }
}

/// Where a run is kept unless somebody says otherwise.
fn default(experiment: &str, game: &str, hash: &str) -> PathBuf {
    PathBuf::from("runs").join(format!("{experiment}-{game}-{hash}"))
}

/// Removes files of an earlier run, which are not true any more.
fn remove(folder: &Path, files: &[&str]) -> Result<()> {
    for file in files.iter().map(|name| folder.join(name)).filter(|file| file.exists()) {
        fs::remove_file(&file).with_context(|| format!("{}: is of an earlier run and stays", file.display()))?;
    }
    Ok(())
}
