// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of parameters for the full search, in TOML: `name = value` in each line.

use std::path::Path;

use super::parameters::{ParameterError, Parameters};
use crate::base::data_file::{self, DataFileError, in_words, line_of};
use crate::base::source::Source;

impl Parameters {
    /// What a file sets, for [`with_table`](Self::with_table), which accepts it.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), or if the file cannot be read.
    pub fn load(path: &Path) -> Result<toml::Table, DataFileError> {
        let text = data_file::read(path, "a TOML file with search parameters, such as `null_move = false`")?;
        Self::parse(&text, &path.display().to_string())
    }

    /// What a text sets, for [`with_table`](Self::with_table), which accepts it. Errors call the text `name`.
    ///
    /// # Errors
    /// If the text is not TOML, or has an unknown parameter or an invalid value. The error names the line.
    pub fn parse(text: &str, name: &str) -> Result<toml::Table, DataFileError> {
        let table = text.parse::<toml::Table>().map_err(|error| DataFileError::Line {
            name: name.to_owned(),
            line: line_of(text, error.span().map_or(0, |span| span.start)),
            reason: format!("{}; write `name = value`, one parameter a line", in_words(error.message())),
        })?;
        let entries = table.iter().map(|(name, value)| Self::entry(name, &value.to_string()));
        let entries: Result<toml::Table, ParameterError> = entries.collect();
        entries.map_err(|error| Source::new(name, text).wrong(&[error.subject()], error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let text = "# fine\nnull_move = false\n";
        assert_eq!(Parameters::parse(text, "p.toml").unwrap().to_string(), "null_move = false\n");
        for (line, expected) in [
            ("nullmove = false", "p.toml:3: there is no search parameter nullmove"),
            ("futility = 7", "p.toml:3: futility is a switch: true or false, not 7"),
            ("Lmr = \"x\"", "p.toml:3: "),
            ("lmr", "p.toml:3: "),
            ("late_move_base = five", "p.toml:3: this is not a value: expected a number, true or false"),
        ] {
            let error = Parameters::parse(&format!("{text}{line}\n"), "p.toml").unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
