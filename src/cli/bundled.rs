// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply bundled`: the files that are part of the program.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::Verdict;
use super::output::print;
use super::own_file::OutFile;
use halfply_engine::base::bundled::{self, ALL, Bundled};
use halfply_engine::base::suggestion::closest;

/// List the files that are part of the program, or print one of them
///
/// Commands read them by these names from any folder. A file of the same name on disk overrides the bundled one.
#[derive(Debug, Args)]
pub struct Command {
    /// The file to print [default: list all]
    name: Option<PathBuf>,
    /// Write the file here instead of to stdout
    #[arg(long, value_name = "FILE", requires = "name")]
    out: Option<PathBuf>,
}

pub fn run(command: &Command) -> Result<Verdict> {
    match &command.name {
        None => print(list())?,
        Some(name) => {
            let file = find(name)?;
            let text = file.text.strip_suffix('\n').unwrap_or(file.text);
            let is_same = |contents: &[u8]| contents == file.text.as_bytes();
            OutFile::replacing(command.out.as_deref(), is_same)?.finish(text, file.about)?;
        }
    }
    Ok(Verdict::Good)
}

fn list() -> String {
    let width = ALL.iter().map(|file| file.name.len()).max().unwrap_or_default();
    let lines: Vec<String> = ALL.iter().map(|file| format!("{:<width$}  {}", file.name, file.about)).collect();
    lines.join("\n")
}

fn find(name: &Path) -> Result<&'static Bundled> {
    let Some(file) = bundled::named(name) else {
        let given = name.display();
        match closest(&given.to_string(), ALL.iter().map(|file| file.name)) {
            Some(near) => bail!("{given}: no such bundled file; did you mean {near}?"),
            None => bail!("{given}: no such bundled file; `halfply bundled` lists them{}", bundled::hint(name)),
        }
    };
    Ok(file)
}
