// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a tournament cannot be played, or not to its end.

use thiserror::Error;

use crate::run::RunError;
use halfply_engine::base::data_file::DataFileError;

/// Why a tournament cannot be played, or not to its end.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The definition or the book cannot be read, or a value in it is wrong.
    #[error(transparent)]
    File(#[from] DataFileError),
    /// A value is wrong in a definition that is not from a file.
    #[error("{0}")]
    Definition(String),
    /// A game of the journal cannot be replayed.
    #[error("the journal's game {key}: {reason}")]
    Game {
        /// The key of the game.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The journal cannot be written, or the games are played elsewhere.
    #[error(transparent)]
    Run(#[from] RunError),
}
