// SPDX-License-Identifier: GPL-3.0-or-later
//! The one way to write a file that may exist already. It appears all at once, and replaces only a file that this program
//! wrote. A file shows by its contents who wrote it; each caller knows how its own files do.
//!
//! Journals alone are written otherwise: they grow, and have a check of their own.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::{digest, files};

/// Says whether a file may be replaced.
#[derive(Clone, Copy)]
pub enum IsOwn<'a> {
    /// By its contents, which fit into memory.
    Contents(&'a dyn Fn(&[u8]) -> bool),
    /// By the [digest](digest::digest) of its contents, however many these are.
    Digest(&'a dyn Fn(&str) -> bool),
}

impl<'a, F: Fn(&[u8]) -> bool> From<&'a F> for IsOwn<'a> {
    fn from(contents: &'a F) -> Self {
        Self::Contents(contents)
    }
}

/// The bytes in which a text file says what made it.
const BEGINNING: usize = 4096;

/// Lines with which a format may begin, above the comment that says it.
const LINES_ABOVE: usize = 2;

/// What temporary files are called at their end, so that those left by a kill can be recognised.
const TEMPORARY: &str = ".halfply-partial";

/// Whether a text file says that this program made it: a line of its first comment begins with one of these marks.
pub fn is_marked(marks: &[&str], contents: &[u8]) -> bool {
    let beginning = String::from_utf8_lossy(&contents[..contents.len().min(BEGINNING)]);
    let says = |line: &str| {
        let comment = line.strip_prefix("# ").or_else(|| line.strip_prefix("% "));
        comment.is_some_and(|comment| marks.iter().any(|mark| comment.starts_with(mark)))
    };
    let is_comment = |line: &str| line.starts_with(['#', '%']);
    let above = beginning.lines().take_while(|line| !is_comment(line)).count();
    // A script begins with a comment, too.
    !beginning.starts_with("#!")
        && above <= LINES_ABOVE
        && beginning.lines().skip(above).take_while(|line| is_comment(line)).any(says)
}

/// A complete file under a temporary name, which is removed if the file never appears.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    file: NamedTempFile,
}

impl Replacement {
    /// Writes the contents under a temporary name in the same folder, so that renaming it is one step.
    ///
    /// # Errors
    /// As [`ensure`], or if the disk is full.
    pub fn new<'a>(path: &Path, contents: impl AsRef<[u8]>, is_own: impl Into<IsOwn<'a>>) -> io::Result<Self> {
        let mut replacement = Self::begin(path, is_own)?;
        replacement.file.write_all(contents.as_ref())?;
        Ok(replacement)
    }

    /// The same for contents that are then [written](Self::file) piece by piece.
    ///
    /// # Errors
    /// As [`ensure`].
    pub fn begin<'a>(path: &Path, is_own: impl Into<IsOwn<'a>>) -> io::Result<Self> {
        // A link stays, and what it leads to is replaced.
        let path = if path.is_symlink() { fs::canonicalize(path)? } else { path.to_owned() };
        ensure_own(&path, is_own)?;
        let file = temporary(&path)?;
        Ok(Self { path, file })
    }

    /// The file under its temporary name.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// The [digest](digest::digest) of what has been written.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn digest(&self) -> io::Result<String> {
        digest::of_file(self.file.path())
    }

    /// Gives the file its name. Its contents may still be extended.
    ///
    /// # Errors
    /// If it cannot be renamed, or a file of others has appeared meanwhile.
    pub fn appear<'a>(self, is_own: impl Into<IsOwn<'a>>) -> io::Result<File> {
        ensure_own(&self.path, is_own)?;
        Ok(self.file.persist(&self.path)?)
    }
}

/// Writes a whole file.
///
/// # Errors
/// As [`ensure`], or if the disk is full.
pub fn replace<'a>(path: &Path, contents: impl AsRef<[u8]>, is_own: impl Into<IsOwn<'a>>) -> io::Result<()> {
    let is_own = is_own.into();
    Replacement::new(path, contents, is_own)?.appear(is_own).map(drop)
}

/// Makes sure, before long work, that a file can be written there.
///
/// # Errors
/// If another program wrote the file that is there, it is no regular file, or the folder cannot be written.
pub fn ensure<'a>(path: &Path, is_own: impl Into<IsOwn<'a>>) -> io::Result<()> {
    Replacement::begin(path, is_own).map(drop)
}

/// Removes a file, if it exists.
///
/// # Errors
/// If another program wrote it, or it cannot be removed.
pub fn remove<'a>(path: &Path, is_own: impl Into<IsOwn<'a>>) -> io::Result<()> {
    ensure_own(path, is_own)?;
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Renames a file that this program wrote.
///
/// # Errors
/// If the new name is taken, or the file cannot be renamed.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    ensure_own(to, &|_: &[u8]| false)?;
    fs::rename(from, to)
}

fn ensure_own<'a>(path: &Path, is_own: impl Into<IsOwn<'a>>) -> io::Result<()> {
    let answer = match is_own.into() {
        IsOwn::Contents(is_own) => files::read(path, files::LARGEST_TEXT).map(|contents| is_own(&contents)),
        IsOwn::Digest(is_own) => digest::of_file(path).map(|digest| is_own(&digest)),
    };
    match answer {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(true) => Ok(()),
        Ok(false) => {
            let reason = "it exists already, and is not a file that halfply wrote for this purpose";
            Err(io::Error::new(ErrorKind::AlreadyExists, reason))
        }
    }
}

fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().ok_or(ErrorKind::IsADirectory)?;
    let mut builder = Builder::new();
    builder.prefix(name).suffix(TEMPORARY);
    // As other files are created: readable for all whom the mask of the process allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
}

/// Lets a link lead to a file or folder beside it, where the system has links. Only a link that does so already is replaced;
/// what else has that name stays.
///
/// # Errors
/// If the folder cannot be written.
#[cfg(unix)]
pub fn link(path: &Path, beside: &OsStr) -> io::Result<()> {
    let leads_beside = |target: PathBuf| target.components().count() == 1;
    if fs::symlink_metadata(path).is_ok() && !fs::read_link(path).is_ok_and(leads_beside) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let made = Builder::new().suffix(TEMPORARY).make_in(folder, |new| std::os::unix::fs::symlink(beside, new))?;
    Ok(made.into_temp_path().persist(path)?)
}

/// Does nothing: this system may not let everybody make links.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn link(_path: &Path, _beside: &OsStr) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_others_survives_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let is_own = &|contents: &[u8]| contents.starts_with(b"ours");
        let text = || fs::read_to_string(&path).unwrap();
        ensure(&path, is_own).unwrap();
        assert!(!path.exists());
        replace(&path, "ours 1", is_own).unwrap();
        replace(&path, "ours 2", is_own).unwrap();
        assert_eq!(text(), "ours 2");
        let begun = Replacement::new(&path, "ours 3", is_own).unwrap();
        fs::write(&path, "mine").unwrap();
        let other = folder.path().join("other");
        fs::write(&other, "").unwrap();
        for refused in [
            begun.appear(is_own).map(drop),
            ensure(&path, is_own),
            replace(&path, "ours", is_own),
            remove(&path, is_own),
            rename(&other, &path),
        ] {
            assert_eq!(refused.unwrap_err().kind(), ErrorKind::AlreadyExists);
        }
        assert_eq!(text(), "mine");
        rename(&path, &folder.path().join("moved")).unwrap();
        remove(&path, is_own).unwrap();
        assert!(replace(folder.path(), "", is_own).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_written_piece_by_piece_is_known_by_its_digest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let known = digest::digest("one two");
        let is_own = IsOwn::Digest(&|digest| digest == known);
        let mut begun = Replacement::begin(&path, is_own).unwrap();
        for piece in ["one", " ", "two"] {
            begun.file().write_all(piece.as_bytes()).unwrap();
        }
        assert_eq!(begun.digest().unwrap(), known);
        begun.appear(is_own).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one two");
        ensure(&path, is_own).unwrap();
        fs::write(&path, "one three").unwrap();
        assert_eq!(Replacement::begin(&path, is_own).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(remove(&path, is_own).unwrap_err().kind(), ErrorKind::AlreadyExists);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_rights_are_those_of_other_files() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [path, link, plain] = ["file", "link", "plain"].map(|name| folder.path().join(name));
        fs::write(&path, "").unwrap();
        symlink("file", &link).unwrap();
        replace(&link, "new", &|contents: &[u8]| contents.is_empty()).unwrap();
        assert!(link.is_symlink() && fs::read_to_string(&path).unwrap() == "new");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
    }

    #[test]
    fn a_text_says_what_made_it() {
        for (text, expected) in [
            ("# a\n# halfply suite generate --game chess\n", true),
            ("format = 1\n# halfply suite generate --game chess\n", true),
            ("% halfply suite filter --game othello", true),
            ("# halfply suite generate makes such files\n", false),
            ("# see halfply suite generate --game chess\n", false),
            ("#!/bin/sh\n# halfply suite generate --game chess\n", false),
            ("# mine\nhalfply suite generate --game chess\n", false),
            ("# mine\n8/8 w\n# halfply suite generate --game chess\n", false),
            ("a\nb\nc\n# halfply suite generate --game chess\n", false),
            ("- `# halfply suite filter --game chess`\n", false),
            ("", false),
        ] {
            let marks = ["halfply suite generate --game ", "halfply suite filter --game "];
            assert_eq!(is_marked(&marks, text.as_bytes()), expected, "{text}");
        }
        assert!(!is_marked(&["a"], format!("{}\n# a", "x".repeat(BEGINNING)).as_bytes()));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_replaces_only_links_of_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let latest = folder.path().join("latest");
        link(&latest, OsStr::new("a")).unwrap();
        link(&latest, OsStr::new("b")).unwrap();
        assert_eq!(fs::read_link(&latest).unwrap(), Path::new("b"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing temporary is left");
        for others in ["/elsewhere/mine", "sub/mine"] {
            fs::remove_file(&latest).unwrap();
            std::os::unix::fs::symlink(others, &latest).unwrap();
            link(&latest, OsStr::new("b")).unwrap();
            assert_eq!(fs::read_link(&latest).unwrap(), Path::new(others));
        }
        fs::remove_file(&latest).unwrap();
        fs::create_dir(&latest).unwrap();
        link(&latest, OsStr::new("b")).unwrap();
        assert!(latest.is_dir() && !latest.is_symlink());
    }
}
