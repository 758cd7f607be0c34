// SPDX-License-Identifier: GPL-3.0-or-later
//! What is kept of a game.

use serde::{Deserialize, Serialize};

use super::fault::GameFault;
use crate::game::Side;

/// A game that was played, as its line of the journal has it. At fixed nodes, all but `times` is the same whenever and
/// wherever it is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Who had White and Black.
    pub players: [String; 2],
    /// Which pair of games it is of, from 0.
    pub pair: u64,
    /// Where it began, as FEN.
    pub opening: String,
    /// Who won; none for a draw.
    pub winner: Option<Side>,
    /// Why it ended, in a few words.
    pub end: String,
    /// Whose fault it was, if it ended by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
    /// How many of the moves are from the book.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub book: usize,
    /// The moves, in coordinates, with spaces between.
    pub moves: String,
    /// Nodes that White and Black searched.
    pub nodes: [u64; 2],
    /// How many of them matched a row of the player's extension table; 0 for programs of others.
    pub extended: [u64; 2],
    /// What was said of each move that was searched: `+0.35/8 12345n` is score, depth and nodes, for the side that moved.
    /// Empty if comments were not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// What the clock said.
    pub times: Times,
}

/// The part of a game that no two runs share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Seconds that both players thought.
    pub thinking: f64,
    /// Milliseconds of each move that was searched; empty if comments were not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<u64>,
}

/// A fault that cost a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Whose.
    pub side: Side,
    /// Which.
    #[serde(flatten)]
    pub fault: GameFault,
}

impl GameRecord {
    /// The result as PGN has it.
    #[must_use]
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Half points that White and Black made.
    #[must_use]
    pub fn half_points(&self) -> [u64; 2] {
        match self.winner {
            Some(Side::White) => [2, 0],
            Some(Side::Black) => [0, 2],
            None => [1, 1],
        }
    }

    /// The place of the game in a schedule of two players, of whom `first` has White first.
    #[must_use]
    pub fn place(&self, first: &str) -> usize {
        let pair = usize::try_from(self.pair).unwrap_or(usize::MAX / 2 - 1).min(usize::MAX / 2 - 1);
        2 * pair + usize::from(self.players[0] != first)
    }

    /// Plies played, those of the book included.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
