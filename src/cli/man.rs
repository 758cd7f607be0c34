// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply man`: the manual.

use std::fs;
use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::output::{print, replaced, tell};
use super::{Cli, Verdict};
use halfply_engine::base::replace::Replacement;

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
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add(&mut pages, &command)?;
    fs::create_dir_all(folder).with_context(|| format!("{}: the pages cannot be written", folder.display()))?;
    let is_own =
        |contents: &[u8]| String::from_utf8_lossy(contents).lines().any(|line| line.starts_with(".TH halfply"));
    let mut complete = Vec::new();
    for (name, page) in &pages {
        let path = folder.join(name);
        let written = Replacement::new(&path, page, &is_own);
        complete.push((replaced(&path, written)?, path));
    }
    for (page, path) in complete {
        replaced(&path, page.appear(&is_own))?;
    }
    tell(&format!("{}: a page for each command", folder.display()));
    Ok(Verdict::Good)
}

/// Adds the pages of a command and of its subcommands, each with the name of its file.
fn add(pages: &mut Vec<(String, Vec<u8>)>, command: &clap::Command) -> io::Result<()> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        add(pages, inner)?;
    }
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((page.get_filename(), text));
    Ok(())
}
