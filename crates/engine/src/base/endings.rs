// SPDX-License-Identifier: GPL-3.0-or-later
//! Tables with the exact values of chess positions with few pieces: those of Syzygy (Ronald de Man), read by
//! `shakmaty-syzygy`. The game of chess says what they mean; for the search they are an opaque value.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;
use thiserror::Error;

use super::digest;

/// Tables of endings in one or several folders. Files are opened when they are first asked for.
pub struct Endings {
    tables: Tablebase<Chess>,
    most_pieces: u32,
    identity: String,
    folders: PathBuf,
}

/// Why tables cannot be used.
#[derive(Debug, Error)]
pub enum EndingsError {
    /// A folder cannot be read, or a file in it is no table.
    #[error("{}: cannot be read as a folder of Syzygy tables: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system, or the library, says.
        source: std::io::Error,
    },
    /// There is nothing to ask.
    #[error("{}: there are no Syzygy tables (files such as KQvK.rtbw)", path.display())]
    Empty {
        /// The folders, as they were given.
        path: PathBuf,
    },
}

impl Endings {
    /// The tables of a folder, or of several with the separator that the system uses in `PATH`.
    ///
    /// # Errors
    /// If a folder cannot be read, a table in it has a wrong size, or there is none.
    pub fn load(path: &Path) -> Result<Self, EndingsError> {
        let mut tables = Tablebase::new();
        let mut names = Vec::new();
        for folder in std::env::split_paths(path) {
            let wrong = |source| EndingsError::Folder { path: folder.clone(), source };
            tables.add_directory(&folder).map_err(wrong)?;
            for entry in fs::read_dir(&folder).map_err(wrong)? {
                let name = entry.map_err(wrong)?.file_name().to_string_lossy().into_owned();
                names.extend(Some(name).filter(|name| name.ends_with(".rtbw") || name.ends_with(".rtbz")));
            }
        }
        names.sort_unstable();
        names.dedup();
        let most_pieces = tables.max_pieces() as u32;
        if most_pieces == 0 {
            return Err(EndingsError::Empty { path: path.to_owned() });
        }
        let identity = format!("syzygy {} files sha256:{}", names.len(), digest::short(names.join("\n")));
        Ok(Self { tables, most_pieces, identity, folders: path.to_owned() })
    }

    /// The tables.
    pub(crate) fn tables(&self) -> &Tablebase<Chess> {
        &self.tables
    }

    /// No position with more pieces, kings included, is in them.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// The folders, as they were given.
    pub fn folders(&self) -> &Path {
        &self.folders
    }

    /// What results depend on: how many files there are, and the beginning of the SHA-256 of their names.
    pub fn identity(&self) -> &str {
        &self.identity
    }
}

impl fmt::Debug for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Endings").field(&self.identity).finish()
    }
}

/// Tables of the same names hold the same values.
impl PartialEq for Endings {
    fn eq(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}

impl Eq for Endings {}
