// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing results: to stdout without panicking on a closed pipe, to files all at once.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::Serialize;

use halfply_engine::base::files;
use halfply_lab::report::{Listing, terminal};

/// Writes a text and a line feed to stdout. A reader who has closed the pipe has read enough (`… | head -1`): that is
/// no error, and the exit status is still that of the result.
pub fn print(text: impl std::fmt::Display) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("stdout cannot be written"),
        _ => Ok(()),
    }
}

/// Writes a message to stderr, for what depends on the clock and is therefore not part of the result.
pub fn tell(text: &str) {
    // A failure to write the message is ignored.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes a value to stdout as one JSON object.
pub fn print_json(value: &impl Serialize) -> Result<()> {
    print(json(value)?)
}

/// Writes a value to stdout as JSON in one line, its keys sorted.
pub fn print_json_line(value: &impl Serialize) -> Result<()> {
    print(sorted(value)?)
}

/// A value as indented JSON, its keys sorted: the output does not depend on the order of fields in a type.
pub fn json(value: &impl Serialize) -> Result<String> {
    Ok(format!("{:#}", sorted(value)?))
}

/// A map of `serde_json` is sorted by its keys.
fn sorted(value: &impl Serialize) -> Result<serde_json::Value> {
    serde_json::to_value(value).context("the result cannot be written as JSON")
}

/// Writes a whole file: under another name first, so that a kill never leaves half of it.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    let file = WholeFile::begin(path)?;
    file.finish(text)
}

/// What every file that `--out` names says in its first bytes.
const MARK: &str = "halfply";
/// So many bytes.
const BEGINNING: u64 = 4096;

/// A file that appears under its name once it is complete. It is created before long work, so a path that cannot be
/// written fails before the work and not after.
pub struct WholeFile {
    path: PathBuf,
    partial: PathBuf,
}

impl WholeFile {
    /// Makes sure that the file can be written.
    pub fn begin(path: &Path) -> Result<Self> {
        ensure!(!path.is_dir(), "{}: is a folder; name a file", path.display());
        let file = Self { path: path.to_owned(), partial: files::partial(path) };
        file.check(fs::write(&file.partial, ""))?;
        Ok(file)
    }

    /// The same for an output that the user named: a file that is there already is replaced only if it is empty or says at
    /// its beginning that this program wrote it. So an argument too many costs nobody a file.
    pub fn begin_own(path: &Path) -> Result<Self> {
        let refused = |reason| format!("{}: {reason}; move it away, or name another file", path.display());
        if let Ok(kind) = fs::metadata(path) {
            ensure!(kind.is_file() || kind.is_dir(), refused("is no regular file"));
        }
        if path.is_file() {
            let beginning = files::read_beginning(path, BEGINNING).with_context(|| refused("cannot be read"))?;
            let is_own = beginning.is_empty() || String::from_utf8_lossy(&beginning).contains(MARK);
            ensure!(is_own, refused("is there already, and does not say that halfply wrote it"));
        }
        Self::begin(path)
    }

    /// Writes the text and gives the file its name.
    pub fn finish(self, text: &str) -> Result<()> {
        self.fill(text)?;
        self.appear()
    }

    /// Writes the contents, under the temporary name.
    pub fn fill(&self, contents: impl AsRef<[u8]>) -> Result<()> {
        self.check(fs::write(&self.partial, contents))
    }

    /// Gives the file its name; what had it before is replaced.
    pub fn appear(self) -> Result<()> {
        let remedy = "close the programs that use it";
        fs::rename(&self.partial, &self.path)
            .with_context(|| format!("{}: cannot be replaced; {remedy}", self.path.display()))
    }

    fn check(&self, result: io::Result<()>) -> Result<()> {
        let remedy = "it takes a folder that exists, can be written and has room";
        result.with_context(|| format!("{}: cannot be written; {remedy}", self.path.display()))
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // After `finish` the file is gone; after a failure it is not needed.
        let _ = fs::remove_file(&self.partial);
    }
}

/// The output of a generator: a file, or stdout if none was named.
pub struct OutFile(Option<WholeFile>);

impl OutFile {
    /// Makes sure, before the work, that the file can be written.
    pub fn begin(path: Option<&Path>) -> Result<Self> {
        Ok(Self(path.map(WholeFile::begin_own).transpose()?))
    }

    /// Writes the text. For a file, prints on stdout what it contains.
    pub fn finish(self, text: &str, contents: &str) -> Result<()> {
        match self.0 {
            Some(file) => {
                let name = file.path.display().to_string();
                file.finish(&format!("{text}\n"))?;
                print(format_args!("{name}: {contents}"))
            }
            None => print(text),
        }
    }
}

/// Which columns of tables are shown.
#[derive(Clone, Copy, Debug, Args)]
pub struct WidthArg {
    /// Show every column of tables, however wide they get
    #[arg(long)]
    wide: bool,
}

impl WidthArg {
    /// A listing without its notes: as many columns as fit the terminal, and the names of the others.
    pub fn fit(self, listing: &Listing) -> String {
        if self.wide {
            return terminal::markdown(listing);
        }
        let (mut text, left_out) = terminal::fitted(listing, width());
        if !left_out.is_empty() {
            text += &format!("\nnot shown: {} (--wide)", left_out.join(", "));
        }
        text
    }
}

/// The width of the terminal, or the default width if stdout is not a terminal.
fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(terminal::WIDTH, |(width, _)| usize::from(width.0))
}
