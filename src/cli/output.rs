// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing results to stdout, without panicking on a closed pipe.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use serde::Serialize;

use halfply_engine::base::echo::plain;
use halfply_engine::base::files;
use halfply_lab::report::{Listing, terminal};

/// Writes a text and a line feed to stdout, without what a terminal would obey. A reader who has closed the pipe has read
/// enough (`… | head -1`): that is no error, and the exit status is still that of the result.
pub fn print(text: impl std::fmt::Display) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match writeln!(stdout, "{}", plain(&text.to_string())).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("stdout cannot be written"),
        _ => Ok(()),
    }
}

/// Writes a message to stderr, for what depends on the clock and is therefore not part of the result.
pub fn tell(text: &str) {
    // A failure to write the message is ignored.
    let _ = writeln!(io::stderr(), "{}", plain(text));
}

/// Writes a value to stdout as one JSON object.
pub fn print_json(value: &impl Serialize) -> Result<()> {
    print(json(value)?)
}

/// A value as JSON in one line, its keys sorted.
pub fn json_line(value: &impl Serialize) -> Result<String> {
    Ok(sorted(value)?.to_string())
}

/// A value as indented JSON, its keys sorted: the output does not depend on the order of fields in a type.
pub fn json(value: &impl Serialize) -> Result<String> {
    Ok(format!("{:#}", sorted(value)?))
}

/// A map of `serde_json` is sorted by its keys.
fn sorted(value: &impl Serialize) -> Result<serde_json::Value> {
    serde_json::to_value(value).context("the result cannot be written as JSON")
}

/// What came of replacing a file, with what to do if it failed.
pub fn replaced<T>(path: &Path, result: io::Result<T>) -> Result<T> {
    result.map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::AlreadyExists => "move it away, or choose another name",
            _ => "it takes a folder that exists, can be written and has room, and a file that no program uses",
        };
        anyhow!("{}: cannot be written: {error}; {remedy}", path.display())
    })
}

/// The command line of this process, quoted for a shell, with paths as results name them ([`files::shown`]).
pub fn command_line() -> String {
    quoted(std::env::args_os().skip(1).map(|word| shown(&word.to_string_lossy())))
}

/// The command line as it was given, for files that are not shared.
pub fn exact_command_line() -> String {
    quoted(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()))
}

fn quoted(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    let words = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
    format!("halfply {words}")
}

/// A word of a command line as results have it. It may be a path, have one after `=`, or be the command of an engine.
fn shown(word: &str) -> String {
    let path = Path::new(word);
    match word.find([' ', '=', '"', '\'']) {
        _ if path.is_absolute() && path.exists() => files::shown(path),
        // The separators have one byte.
        Some(at) => format!("{}{}{}", shown(&word[..at]), &word[at..=at], shown(&word[at + 1..])),
        None => files::shown(path),
    }
}

/// Which columns of tables are shown.
#[derive(Clone, Copy, Debug, Default, Args)]
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn commands_in_results_name_no_folder() {
        for (word, expected) in [
            ("--out=/home/ann/runs", "--out=runs"),
            ("EvalFile=/home/ann/a.nnue", "EvalFile=a.nnue"),
            ("'/home/ann/engine' --log /tmp/b", "'engine' --log b"),
            ("/usr/bin", "bin"),
            ("suites/ecm.epd", "suites/ecm.epd"),
            ("Ud=1..0/5", "Ud=1..0/5"),
            ("ü=/ü", "ü=ü"),
            ("", ""),
        ] {
            assert_eq!(shown(word), expected);
        }
    }
}
