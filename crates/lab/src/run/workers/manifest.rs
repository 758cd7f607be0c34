// SPDX-License-Identifier: GPL-3.0-or-later
//! The units that a run needs next, with everything that other processes need to run them.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::super::Header;
use halfply_engine::base::digest::digest;
use halfply_engine::base::files;

/// The newest format of manifests that this program reads, and the one it writes.
const FORMAT: u32 = 1;

/// Why a manifest cannot be used.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error("{}: cannot be read ({cause}); name the manifest that a run with --spool has written", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// It is not a manifest, or has a format that this program does not know.
    #[error("{place}: is not a manifest for this halfply ({reason}); start the run again to write a new one")]
    Invalid {
        /// The file, with the line if that is known.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The run made from it is not the one that wrote it.
    #[error(
        "{}: the run cannot be reproduced here: {difference}; use the halfply that wrote the manifest, and the same files",
        path.display()
    )]
    OtherRun {
        /// The file.
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
    /// The folder of the run's results, as it was named. Another run, even of the same units, has another manifest.
    pub run: String,
    /// The header of the run's journal. Files of results have the same header; those with another one are refused.
    pub header: Header,
    /// The description from which workers make the same units: paths of files, settings. Its type depends on the kind of
    /// run in the header.
    pub description: Value,
    /// The keys of the units.
    pub units: Vec<String>,
}

impl Manifest {
    /// A manifest of these units of the run in a folder.
    pub fn new(run: String, header: Header, description: Value, units: Vec<String>) -> Self {
        Self { format: FORMAT, run, header, description, units }
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// If it cannot be read, is not a manifest, or has a format that this program does not know.
    pub fn load(path: &Path) -> Result<Self, ManifestError> {
        let bytes = files::read(path, files::LARGEST_TEXT)
            .map_err(|cause| ManifestError::Unreadable { path: path.to_owned(), cause })?;
        let invalid = |line: usize, reason: String| ManifestError::Invalid {
            place: format!("{}:{}", path.display(), line.max(1)),
            reason,
        };
        let manifest: Self =
            serde_json::from_slice(&bytes).map_err(|error| invalid(error.line(), error.to_string()))?;
        if manifest.format != FORMAT {
            return Err(invalid(2, format!("its format is {}, this program reads {FORMAT}", manifest.format)));
        }
        Ok(manifest)
    }

    /// The text of the file.
    ///
    /// # Errors
    /// Never if the description was read from JSON or is made of plain data.
    pub fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The first digits of a hash of run and units, for names of files of results.
    pub fn short_hash(&self) -> String {
        digest(format!("{}\n{}", self.header.hash, self.units.join("\n")))[..12].to_owned()
    }

    /// Checks that the run made from the manifest at `path`, whose header is `remade`, is the one that wrote it.
    ///
    /// # Errors
    /// If it is not. The error names the difference.
    pub fn check(&self, path: &Path, remade: &Header) -> Result<(), ManifestError> {
        match remade.difference(&self.header) {
            None => Ok(()),
            Some(difference) => Err(ManifestError::OtherRun { path: path.to_owned(), difference }),
        }
    }
}
