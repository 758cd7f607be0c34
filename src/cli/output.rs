// SPDX-License-Identifier: GPL-3.0-or-later
//! Writing results: to stdout without panicking on a closed pipe, to files all at once.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

/// Writes a text and a line feed to stdout.
pub fn print(text: impl std::fmt::Display) -> Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}").and_then(|()| stdout.flush()).context("stdout cannot be written")
}

/// Says something to the person at the terminal, on stderr: what depends on the clock, and so is no result.
pub fn tell(text: &str) {
    // Nothing is lost if nobody hears it.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes a value to stdout as one JSON object.
pub fn print_json(value: &impl Serialize) -> Result<()> {
    print(serde_json::to_string_pretty(value).context("the result cannot be written as JSON")?)
}

/// Writes a whole file: under another name first, so that a kill never leaves half of it.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let partial = path.with_file_name(name);
    fs::write(&partial, text)
        .and_then(|()| fs::rename(&partial, path))
        .with_context(|| format!("{}: cannot be written; name a file in a folder that exists", path.display()))
}

/// An empty table in the one style that all commands print, which is Markdown's too; columns from `first_number` on
/// are numbers.
pub fn table(header: &[&str], first_number: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header.to_vec());
    for (index, column) in table.column_iter_mut().enumerate() {
        if index >= first_number {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// An integer with commas between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share as a percentage with two decimals.
pub fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_parted() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(super::thousands(number), text);
        }
    }
}
