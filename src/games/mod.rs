// SPDX-License-Identifier: GPL-3.0-or-later
//! The games, and the only place where one is chosen at run time.

pub mod breakthrough;
pub mod chess;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::data_file::DataFileError;
use crate::evaluation::{self, Evaluator};
use crate::game::{Game, Notation, Pieces, Symmetry, Tactics};
use crate::search::Profile;

pub use breakthrough::Breakthrough;
pub use chess::Chess;

/// A data file that is part of the binary, so that an installed program works in any folder.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// Where it is kept in the repository: what reports and errors call it.
    pub name: &'static str,
    /// Its contents.
    pub text: &'static str,
}

/// A game with everything that the commands need of it besides its rules.
pub trait Furnished: Notation + Pieces + Symmetry + Tactics {
    /// The static evaluations that are part of the program, the default one first.
    const EVALUATIONS: &'static [BuiltIn<Self>];
    /// Test positions to learn on.
    const SUITE: Bundled;
    /// Positions to start matches from.
    const OPENINGS: Bundled;
    /// Positions (FEN) of the benchmark whose node count is the behaviour signature.
    const BENCH: &'static [&'static str];
    /// How deep the benchmark searches them. So few plies that it takes a moment: every journal begins with it.
    const BENCH_DEPTHS: BenchDepths;

    /// The evaluation that a search has unless another is asked for.
    #[must_use]
    fn default_evaluation(_profile: Profile) -> Evaluator<Self> {
        let first = &Self::EVALUATIONS[0];
        (first.make)(first.name)
    }

    /// The built-in evaluation of that name.
    #[must_use]
    fn built_in(name: &str) -> Option<Evaluator<Self>> {
        Self::EVALUATIONS.iter().find(|entry| entry.name == name).map(|entry| (entry.make)(entry.name))
    }

    /// The evaluation that somebody has named: a built-in one, else one in a file. `path` finds the file.
    ///
    /// # Errors
    /// If there is no such evaluation and no such file, or the file holds no evaluation of this game.
    fn evaluator(named: &str, path: impl FnOnce(&Path) -> PathBuf) -> Result<Evaluator<Self>, EvaluationError> {
        if let Some(built_in) = Self::built_in(named) {
            return Ok(built_in);
        }
        let path = path(Path::new(named));
        // Whoever writes a name without a dot or a slash means no file.
        if !path.exists() && Path::new(named).components().count() == 1 && !named.contains('.') {
            let names: Vec<_> = Self::EVALUATIONS.iter().map(|entry| entry.name).collect();
            return Err(EvaluationError::Unknown { game: Self::NAME, name: named.to_owned(), names: names.join(", ") });
        }
        Ok(evaluation::file::load(&path)?)
    }
}

/// Why there is no such evaluation.
#[derive(Debug, Error)]
pub enum EvaluationError {
    /// There is none of that name.
    #[error("{game} has no evaluation {name:?}; it has {names}, or give the file of one")]
    Unknown {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        names: String,
    },
    /// The file is none.
    #[error(transparent)]
    File(#[from] DataFileError),
}

/// How deep the benchmark positions are searched, in plies.
#[derive(Clone, Copy, Debug)]
pub struct BenchDepths {
    /// By the plain search without extensions; with extensions two fewer. At least 3.
    pub plain: u32,
    /// By the full search without extensions; with extensions three fewer. At least 4.
    pub full: u32,
}

/// A static evaluation that is part of the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn<G: Game> {
    /// Its name in commands and files.
    pub name: &'static str,
    /// Makes it; it is given its name.
    pub make: fn(&'static str) -> Evaluator<G>,
}

/// A game by name, as commands and files have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameName {
    /// Breakthrough on the 8x8 board.
    Breakthrough,
    /// Chess and Chess960.
    Chess,
}

impl GameName {
    /// Its name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Breakthrough => Breakthrough::NAME,
            Self::Chess => Chess::NAME,
        }
    }

    /// The name of a game known at compile time.
    #[must_use]
    pub fn of<G: Game>() -> Self {
        if G::NAME == Chess::NAME { Self::Chess } else { Self::Breakthrough }
    }

    /// The game of a position (FEN): with a king on the board it is chess, without one Breakthrough. Whether it is a
    /// position at all, the game's own notation says.
    #[must_use]
    pub fn of_position(fen: &str) -> Self {
        let board = fen.split_whitespace().next().unwrap_or_default();
        if board.contains(['k', 'K']) { Self::Chess } else { Self::Breakthrough }
    }
}

/// Runs the body with the type alias `$game` set to the game of that name: everything behind it is compiled for the
/// game.
#[macro_export]
macro_rules! with_game {
    ($name:expr, $game:ident => $body:expr) => {
        match $name {
            $crate::games::GameName::Breakthrough => {
                type $game = $crate::games::Breakthrough;
                $body
            }
            $crate::games::GameName::Chess => {
                type $game = $crate::games::Chess;
                $body
            }
        }
    };
}
