// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply man`: the manual.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::output::{print, tell};
use super::{Cli, Verdict};

/// Print the manual page, or write a page for each command
///
/// To read it: `halfply man | man -l -`. To install all pages: `halfply man --out ~/.local/share/man/man1`.
#[derive(Debug, Args)]
pub struct Command {
    /// Write halfply.1, halfply-learn.1… to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let Some(folder) = &command.out else {
        let mut page = Vec::new();
        Man::new(Cli::command()).render(&mut page)?;
        print(String::from_utf8_lossy(&page).trim_end())?;
        return Ok(Verdict::Good);
    };
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .with_context(|| format!("{}: the pages cannot be written", folder.display()))?;
    tell(&format!("{}: a page for each command", folder.display()));
    Ok(Verdict::Good)
}
