// SPDX-License-Identifier: GPL-3.0-or-later
//! Text files that people write. Errors name the line.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;

use crate::base::{bundled, files};

/// Why a file is refused, and where.
#[derive(Debug, Error)]
pub enum DataFileError {
    /// The file could not be read at all.
    #[error("{}: cannot be read ({cause}); name {wanted}{}", path.display(), bundled::hint(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
        /// What was expected.
        wanted: &'static str,
    },
    /// A line of it is wrong.
    #[error("{name}:{line}: {reason}")]
    Line {
        /// The file.
        name: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong, and what was expected.
        reason: String,
    },
    /// It is wrong as a whole.
    #[error("{name}: {reason}")]
    Whole {
        /// The file.
        name: String,
        /// What is wrong, and what was expected.
        reason: String,
    },
    /// It has no position.
    #[error("{name}: there is no position in this file; each line must hold one: {example}")]
    Empty {
        /// The file.
        name: String,
        /// What a line looks like.
        example: &'static str,
    },
}

/// The text of a file, without the byte order mark that editors on Windows write. Invalid UTF-8 is left to the reader
/// of its line.
///
/// A file on disk overrides the [bundled] one of the same name; a warning says so where the two differ.
///
/// # Errors
/// If it cannot be read, or is larger than 1 GiB.
pub fn read(path: &Path, wanted: &'static str) -> Result<String, DataFileError> {
    read_up_to(files::LARGEST_TEXT, path, wanted)
}

/// As [`read`], of a file of at most `most` bytes.
///
/// # Errors
/// If it cannot be read. The error says which kind of file is `wanted`.
pub fn read_up_to(most: u64, path: &Path, wanted: &'static str) -> Result<String, DataFileError> {
    let bundled = bundled::named(path);
    match (files::read(path, most), bundled) {
        (Ok(bytes), _) => {
            let mut text =
                String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            if text.starts_with('\u{feff}') {
                text.remove(0);
            }
            // Line by line: a checkout on Windows ends lines its own way.
            if bundled.is_some_and(|file| !file.text.lines().eq(text.lines())) {
                log::warn!("{}: read from disk; the bundled file of that name differs", path.display());
            }
            Ok(text)
        }
        (Err(cause), Some(file)) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(file.text.to_owned())
        }
        (Err(cause), _) => Err(DataFileError::Unreadable { path: path.to_owned(), cause, wanted }),
    }
}

/// The key in all our TOML files that shows a newer format.
#[derive(Deserialize)]
struct Header {
    format: Option<Spanned<u32>>,
}

/// Reads a TOML file whose `format` this program knows. Errors call the file `name`, and add what is `expected`.
///
/// # Errors
/// If the text is not TOML, has another format, or does not fit the type. The error names the line.
pub fn from_toml<T: DeserializeOwned>(text: &str, name: &str, format: u32, expected: &str) -> Result<T, DataFileError> {
    let at = |offset, reason| DataFileError::Line { name: name.to_owned(), line: line_of(text, offset), reason };
    let refused = |error: toml::de::Error| {
        at(error.span().map_or(0, |span| span.start), format!("{}; {expected}", error.message()))
    };
    // The format first: the rest of a newer format cannot be checked.
    let header: Header = toml::from_str(text).map_err(refused)?;
    if let Some(found) = header.format.filter(|found| *found.as_ref() != format) {
        let remedy = if *found.as_ref() > format { "use a newer halfply" } else { "write format = 1" };
        let reason = format!("format {} is not known, this program reads {format}: {remedy}", found.as_ref());
        return Err(at(found.span().start, reason));
    }
    toml::from_str(text).map_err(refused)
}

/// The line, from 1, of a byte offset.
#[must_use]
pub fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count()
}
