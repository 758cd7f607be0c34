// SPDX-License-Identifier: GPL-3.0-or-later
//! The lines of the values in a TOML file, for errors that are found only after it has been read.

use std::fmt::Display;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::base::data_file::{DataFileError, line_of};

/// The text of a TOML file, and what errors call it.
#[derive(Clone, Debug, Default)]
pub struct Source {
    name: String,
    text: String,
}

impl Source {
    /// The file with this name and text.
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned() }
    }

    /// The line, from 1, of the value at a path of keys and, in lists, places from 0; none if the file does not set it. Keys
    /// are case-insensitive.
    pub fn line(&self, path: &[&str]) -> Option<usize> {
        let document = DeTable::parse(&self.text).ok()?;
        let (first, rest) = path.split_first()?;
        let (mut span, mut value) = entry(document.get_ref(), first)?;
        for step in rest {
            (span, value) = match value {
                DeValue::Table(table) => entry(table, step)?,
                DeValue::Array(list) => {
                    let element = list.get(step.parse::<usize>().ok()?)?;
                    (element.span(), element.get_ref())
                }
                _ => return None,
            };
        }
        Some(line_of(&self.text, span.start))
    }

    /// An error about the value at this path. If the file does not set it, the error names the line of the enclosing table,
    /// if there is one.
    pub fn wrong(&self, path: &[&str], reason: impl Display) -> DataFileError {
        let (name, reason) = (self.name.clone(), reason.to_string());
        match (1..=path.len()).rev().find_map(|steps| self.line(&path[..steps])) {
            Some(line) => DataFileError::Line { name, line, reason },
            None => DataFileError::Whole { name, reason },
        }
    }
}

/// The value of a key, and the range of the key in the text.
fn entry<'a, 'b>(table: &'a DeTable<'b>, key: &str) -> Option<(Range<usize>, &'a DeValue<'b>)> {
    let is_meant = |(found, _): &(&Spanned<_>, _)| AsRef::<str>::as_ref(found.get_ref()).eq_ignore_ascii_case(key);
    let (found, value) = table.iter().find(is_meant)?;
    // A header such as [[player]] may be above the first key of its table.
    Some((found.span(), value.get_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_in_every_notation() {
        let text = "format = 1\nopenings.file = \"x\"\nlist = [\n  1,\n  2,\n]\n\n[[player]]\nname = \"a\"\n\n\
                    [[player]]\noptions = { Hash = 1,\n  \"Skill Level\" = 3 }\n[player.parameters]\nNull_Move = 5\n";
        let source = Source::new("t.toml", text);
        for (path, line) in [
            (&["format"][..], Some(1)),
            (&["openings", "file"], Some(2)),
            (&["list", "1"], Some(5)),
            (&["player", "0"], Some(8)),
            (&["player", "0", "name"], Some(9)),
            (&["player", "1"], Some(11)),
            (&["player", "1", "options", "Skill Level"], Some(13)),
            (&["player", "1", "parameters", "null_move"], Some(15)),
            (&["player", "2"], None),
            (&["format", "x"], None),
            (&["list", "x"], None),
            (&[], None),
        ] {
            assert_eq!(source.line(path), line, "{path:?}");
        }
        let wrong = |path: &[&str]| source.wrong(path, "no").to_string();
        assert_eq!(wrong(&["player", "0", "nodes"]), "t.toml:8: no");
        assert_eq!(wrong(&["margin"]), "t.toml: no");
    }
}
