// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that options name: each appears all at once, and replaces no file of others.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use same_file::is_same_file;

use super::output::{print, replaced};
use super::results;
use halfply_engine::base::replace::{self, is_marked};

/// Whether contents are of a file that the program has written.
type OwnCheck = Box<dyn Fn(&[u8]) -> bool>;

/// A file that an option names. It is checked before long work, so a path that cannot be written fails before the work and
/// not after, and an argument too many costs nobody a file.
pub struct OwnFile {
    path: PathBuf,
    is_own: OwnCheck,
}

impl OwnFile {
    /// Makes sure that the file can be written. One that exists is replaced only if it is empty, or is one that the program
    /// has written for the same purpose, and no result of a run.
    pub fn begin(path: &Path, is_own: impl Fn(&[u8]) -> bool + 'static) -> Result<Self> {
        ensure!(!path.is_dir(), "{}: is a folder; name a file", path.display());
        ensure!(
            !results::is_listed(path),
            "{}: is a result of the run in that folder; choose another name",
            path.display()
        );
        let is_own = move |contents: &[u8]| contents.is_empty() || is_own(contents);
        let file = Self { path: path.to_owned(), is_own: Box::new(is_own) };
        replaced(path, replace::ensure(path, &file.is_own))?;
        Ok(file)
    }

    /// Writes the whole file.
    pub fn finish(self, contents: impl AsRef<[u8]>) -> Result<()> {
        replaced(&self.path, replace::replace(&self.path, contents, &self.is_own))
    }
}

/// The output of a generator: a file, or stdout if none was named.
pub struct OutFile(Option<OwnFile>);

impl OutFile {
    /// Makes sure, before the work, that the file can be written, and is none of those that are read. One of these
    /// [marks](is_marked) is in its text.
    pub fn begin(path: Option<&Path>, marks: &'static [&'static str], read: &[&Path]) -> Result<Self> {
        if let Some(path) = path {
            let is_read = read.iter().any(|read| is_same_file(path, read).unwrap_or_default());
            ensure!(!is_read, "{}: is read by this command; choose another name for what it writes", path.display());
        }
        Self::replacing(path, move |contents| is_marked(marks, contents))
    }

    /// The same for a text that does not say what made it.
    pub fn replacing(path: Option<&Path>, is_own: impl Fn(&[u8]) -> bool + 'static) -> Result<Self> {
        Ok(Self(path.map(|path| OwnFile::begin(path, is_own)).transpose()?))
    }

    /// Writes the text. For a file, prints on stdout what it contains.
    pub fn finish(self, text: &str, contents: &str) -> Result<()> {
        match self.0 {
            Some(file) => {
                let name = file.path.display().to_string();
                file.finish(format!("{text}\n"))?;
                print(format_args!("{name}: {contents}"))
            }
            None => print(text),
        }
    }
}
