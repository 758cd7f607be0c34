// SPDX-License-Identifier: GPL-3.0-or-later
//! Where an experiment keeps its journal and its results.

use std::fs;
use std::path::PathBuf;

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
        let default = || PathBuf::from("runs").join(format!("{}-{game}-{}", header.experiment, header.short_hash()));
        let folder = self.out.clone().unwrap_or_else(default);
        let journal = Journal::open(&folder.join("journal.jsonl"), header, self.fresh)?;
        if journal.is_empty() {
            for file in results.iter().map(|name| folder.join(name)).filter(|file| file.exists()) {
                fs::remove_file(&file)
                    .with_context(|| format!("{}: is of an earlier run and stays", file.display()))?;
            }
        } else {
            log::info!("{}: going on with {} results", folder.display(), journal.len());
        }
        Ok((folder, journal))
    }
}
