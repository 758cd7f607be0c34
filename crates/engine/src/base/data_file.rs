// SPDX-License-Identifier: GPL-3.0-or-later
//! Text files that people write. Errors name the line.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::Spanned;

use crate::base::encoding::without_mark;
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

/// The text of a file, without a byte order mark; UTF-16 that has one is read, too. Invalid UTF-8 is left to the reader of
/// its line.
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
            let text = String::from_utf8_lossy(&without_mark(&bytes)).into_owned();
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
        let reason = reason::<T>(text, &error);
        at(error.span().map_or(0, |span| span.start), format!("{reason}; {expected}"))
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

/// What is wrong in a TOML text that is read as a `T`: for a value that is not TOML, what the key takes.
fn reason<T: DeserializeOwned>(text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start).min(text.len());
    let is_end = |symbol: char| symbol.is_whitespace() || "=,[]{}#\"'".contains(symbol);
    let end = text.get(start..).map_or(start, |rest| start + rest.find(is_end).unwrap_or(rest.len()));
    let word = text.get(start..end).unwrap_or_default();
    let is_value = text.get(..start).is_some_and(|before| before.trim_end().ends_with(['=', ',', '[']));
    let is_number = word.parse::<f64>().is_ok();
    if word.is_empty() || !is_value || is_number || error.message().starts_with("invalid type") {
        return in_words(error.message());
    }
    // As a text the value is of the wrong type, and the error says which type is right.
    match toml::from_str::<T>(&format!("{}\"{word}\"{}", &text[..start], &text[end..])) {
        Ok(_) => format!("a text is put in quotation marks: \"{word}\""),
        Err(typed) if typed.message().starts_with("invalid type") => in_words(typed.message()),
        Err(_) => in_words(error.message()),
    }
}

/// A message of the reader, without the names of types in programs.
pub fn in_words(message: &str) -> String {
    if message.starts_with("invalid boolean") {
        return "this is not a value: expected a number, true or false, or a text in quotation marks".to_owned();
    }
    let Some((found, expected)) = message.rsplit_once("expected ") else { return message.to_owned() };
    let is_negative = found.starts_with("invalid value: integer `-");
    let expected =
        match expected {
            "u8" | "u16" | "u32" | "u64" | "usize" if is_negative => "an integer from 0",
            "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "usize" => {
                if found.starts_with("invalid value") { "an integer nearer to 0" } else { "an integer" }
            }
            "f32" | "f64" => "a number",
            "a boolean" => "true or false",
            expected => expected,
        };
    format!("{found}expected {expected}")
}

/// The line, from 1, of a byte offset.
pub fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct File {
        format: u32,
        ply: f64,
        count: Option<u64>,
        is_on: Option<bool>,
        small: Option<u8>,
        some: Option<std::num::NonZero<u8>>,
        name: Option<String>,
    }

    #[test]
    fn what_a_key_takes_is_said_in_words() {
        for (text, expected) in [
            ("ply = five", "t:2: invalid type: string \"five\", expected a number; and so on"),
            ("ply = 1e", "t:2: invalid exponent, expected digits; and so on"),
            ("ply = true", "t:2: invalid type: boolean `true`, expected a number; and so on"),
            ("ply = 1\ncount = few", "t:3: invalid type: string \"few\", expected an integer; and so on"),
            ("ply = 1\nis_on = yes", "t:3: invalid type: string \"yes\", expected true or false; and so on"),
            ("ply = 1\ncount = -1", "t:3: invalid value: integer `-1`, expected an integer from 0; and so on"),
            ("ply = 1\nsmall = 300", "t:3: invalid value: integer `300`, expected an integer nearer to 0; and so on"),
            ("ply = 1\nsome = 0", "t:3: invalid value: integer `0`, expected a nonzero u8; and so on"),
            ("ply = 1\nname = fred", "t:3: a text is put in quotation marks: \"fred\"; and so on"),
        ] {
            let error = from_toml::<File>(&format!("format = 1\n{text}\n"), "t", 1, "and so on").unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        // Whatever is wrong is refused, and never more than that.
        for text in ["", "=", "ply =", "ply = \"", "ply = é", "é", "[", "ply = [fi", "\u{0}"] {
            assert!(from_toml::<File>(text, "t", 1, "").is_err(), "{text}");
        }
    }
    #[test]
    fn files_of_other_systems_are_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        for bytes in [b"\xEF\xBB\xBFply = 1".to_vec(), utf16("\u{feff}ply = 1"), b"ply = 1".to_vec()] {
            std::fs::write(file.path(), bytes).unwrap();
            assert_eq!(read(file.path(), "a file").unwrap(), "ply = 1");
        }
    }
}
