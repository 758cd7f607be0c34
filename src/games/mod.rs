// SPDX-License-Identifier: GPL-3.0-or-later
//! The games, and the only place where one is chosen at run time.

pub mod breakthrough;
pub mod chess;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::features::ExtensionTable;
use crate::game::{Evaluation, Game, Notation, Symmetry, Tactics};
use crate::search::{Engine, Score, Setup};

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
pub trait Furnished: Notation + Symmetry + Tactics {
    /// The static evaluations, the usual one first.
    const EVALUATIONS: &'static [Judge<Self>];
    /// Test positions to learn on.
    const SUITE: Bundled;
    /// Positions to start matches from.
    const OPENINGS: Bundled;
    /// Positions (FEN) of the benchmark whose node count is the behaviour signature.
    const BENCH: &'static [&'static str];
    /// How deep the benchmark searches them. So few plies that it takes a moment: every journal begins with it.
    const BENCH_DEPTHS: BenchDepths;

    /// The evaluation of that name.
    fn evaluation(name: &str) -> Option<&'static Judge<Self>> {
        Self::EVALUATIONS.iter().find(|judge| judge.name == name)
    }

    /// An engine with the evaluation of that name; none if no evaluation is called so.
    fn engine(evaluation: &str, setup: &Setup) -> Option<Box<dyn Engine<Self>>> {
        Some((Self::evaluation(evaluation)?.engine)(setup))
    }

    /// The plain search with the evaluation of that name; none if no evaluation is called so.
    fn plain(evaluation: &str, table: ExtensionTable, seed: u64) -> Option<Box<dyn Engine<Self>>> {
        Self::engine(evaluation, &Setup::plain(table, seed))
    }
}

/// How deep the benchmark positions are searched, in plies.
#[derive(Clone, Copy, Debug)]
pub struct BenchDepths {
    /// By the plain search without extensions; with extensions two fewer. At least 3.
    pub plain: u32,
    /// By the full search without extensions; with extensions three fewer. At least 4.
    pub full: u32,
}

/// A static evaluation, chosen at run time.
#[derive(Clone, Copy, Debug)]
pub struct Judge<G: Game> {
    /// Its name in commands and files.
    pub name: &'static str,
    /// What a pawn is worth in its units.
    pub unit: Score,
    /// The worth of an undecided position for the side to move.
    pub evaluate: fn(&G::Position) -> Score,
    /// An engine with this evaluation.
    pub engine: fn(&Setup) -> Box<dyn Engine<G>>,
}

impl<G: Tactics> Judge<G> {
    /// The evaluation of that type.
    #[must_use]
    pub const fn of<E: Evaluation<G>>() -> Self {
        Self {
            name: E::NAME,
            unit: E::UNIT,
            evaluate: |position| E::default().evaluate(position),
            engine: |setup| setup.engine::<G, E>(),
        }
    }
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
