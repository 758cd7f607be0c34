// SPDX-License-Identifier: GPL-3.0-or-later
//! The units that a run needs next, and all that is needed to work them elsewhere.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::super::{Header, digest};
use crate::base::files;

/// The newest format of manifests that this program reads, and the one it writes.
const FORMAT: u32 = 1;

/// Why a manifest cannot be used.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error("{}: cannot be read ({cause}); name the manifest that a run with --spool has written", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It is none, or one that this program does not know.
    #[error("{}: is no manifest that this halfply can work ({reason}); have the run write it again", path.display())]
    Invalid {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The run that is remade from it is not the one that wrote it.
    #[error(
        "{}: the run cannot be remade here: {difference}; use the halfply that wrote the manifest, and the files as they \
         were then",
        path.display()
    )]
    OtherRun {
        /// Which file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
}

/// The units that a run needs next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format of the file.
    pub format: u32,
    /// The run: what its journal begins with. Results name it, and those of another are refused.
    pub header: Header,
    /// What the run is remade from: paths of files, settings. Its type follows from the experiment that the header names.
    pub description: Value,
    /// The keys of the units.
    pub units: Vec<String>,
}

impl Manifest {
    /// A manifest of those units.
    #[must_use]
    pub fn new(header: Header, description: Value, units: Vec<String>) -> Self {
        Self { format: FORMAT, header, description, units }
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If it cannot be read, or is not one of a format that this program knows.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        let bytes = files::read(path, files::LARGEST_TEXT)
            .map_err(|cause| ManifestError::Unreadable { path: path.to_owned(), cause })?;
        let invalid = |reason: String| ManifestError::Invalid { path: path.to_owned(), reason };
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))?;
        if manifest.format != FORMAT {
            return Err(invalid(format!("its format is {}, this program reads {FORMAT}", manifest.format)));
        }
        Ok(manifest)
    }

    /// Its text.
    ///
    /// # Errors
    /// Never for what was read from JSON or is made of plain data.
    pub fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The first digits of a hash of the run and the units: names what is made from it.
    #[must_use]
    pub fn short_hash(&self) -> String {
        digest(format!("{}\n{}", self.header.hash, self.units.join("\n")))[..12].to_owned()
    }

    /// Makes sure that a run remade from the manifest, which has that header, is the one that wrote it; `path` is where
    /// the manifest was read.
    ///
    /// # Errors
    /// Says what differs.
    pub fn check(&self, path: &Path, remade: &Header) -> Result<(), ManifestError> {
        match remade.difference(&self.header) {
            None => Ok(()),
            Some(difference) => Err(ManifestError::OtherRun { path: path.to_owned(), difference }),
        }
    }
}
