// SPDX-License-Identifier: GPL-3.0-or-later
//! The two players, and how a game ended for one of them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The two players. White moves up the board and, in the games here, starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first player.
    White,
    /// The second player.
    Black,
}

impl Side {
    /// Both, in the order of their indices.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// 0 for White, 1 for Black: an index into tables with a row a side.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// How a finished game ended, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has won.
    Win,
    /// A draw.
    Draw,
    /// The side to move has lost.
    Loss,
}
