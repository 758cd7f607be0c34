// SPDX-License-Identifier: GPL-3.0-or-later
//! Parameters of the full search as files: TOML, `name = value` a line.

use std::path::Path;

use thiserror::Error;

use super::parameters::{ParameterError, Parameters};
use crate::data_file::{self, DataFileError, line_of};

/// Why a file holds no parameters.
#[derive(Debug, Error)]
pub enum ParameterFileError {
    /// It is no file, or no TOML.
    #[error(transparent)]
    File(#[from] DataFileError),
    /// It sets something that is no parameter, or to something that it cannot be.
    #[error("{name}: {error}")]
    Parameter {
        /// The file.
        name: String,
        /// What is wrong.
        error: ParameterError,
    },
}

impl Parameters {
    /// The parameters that a file sets; all others have their usual values.
    ///
    /// # Errors
    /// Says what is wrong with the file, and in which line where that is known.
    pub fn load(path: &Path) -> Result<Self, ParameterFileError> {
        let text = data_file::read(path, "a TOML file with search parameters, such as `null_move = false`")?;
        let name = path.display().to_string();
        let table = text.parse::<toml::Table>().map_err(|error| DataFileError::Line {
            name: name.clone(),
            line: line_of(&text, error.span().map_or(0, |span| span.start)),
            reason: format!("{}; write `name = value`, one parameter a line", error.message()),
        })?;
        Self::from_table(&table).map_err(|error| ParameterFileError::Parameter { name, error })
    }
}
