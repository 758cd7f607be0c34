// SPDX-License-Identifier: GPL-3.0-or-later
//! Where an experiment keeps its journal and its results.

use std::path::PathBuf;

use anyhow::Result;
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
    /// configuration, so that the same command finds its own run again.
    pub fn open<R: Serialize + DeserializeOwned>(&self, game: &str, header: &Header) -> Result<(PathBuf, Journal<R>)> {
        let default = || PathBuf::from("runs").join(format!("{}-{game}-{}", header.experiment, header.short_hash()));
        let folder = self.out.clone().unwrap_or_else(default);
        let journal = Journal::open(&folder.join("journal.jsonl"), header, self.fresh)?;
        if !journal.is_empty() {
            log::info!("{}: going on with {} results", folder.display(), journal.len());
        }
        Ok((folder, journal))
    }
}
