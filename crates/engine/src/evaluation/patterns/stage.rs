// SPDX-License-Identifier: GPL-3.0-or-later
//! Stages of a game: positions with so many pieces on the board.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::Pieces;

/// Positions with `least` to `most` pieces on the board, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Stage {
    /// The fewest pieces.
    pub least: u32,
    /// The most pieces; not fewer.
    pub most: u32,
}

impl Stage {
    /// Whether a position with so many pieces is of the stage.
    pub const fn has(self, pieces: u32) -> bool {
        self.least <= pieces && pieces <= self.most
    }

    /// How many pieces a position has too few or too many for the stage.
    pub const fn distance(self, pieces: u32) -> u32 {
        if pieces < self.least { self.least - pieces } else { pieces.saturating_sub(self.most) }
    }
}

/// The number of pieces on the board.
pub fn pieces<G: Pieces>(position: &G::Position) -> u32 {
    G::boards(position).as_ref().iter().map(|board| board.count_ones()).sum()
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least == self.most { write!(f, "{}", self.least) } else { write!(f, "{}-{}", self.least, self.most) }
    }
}

impl FromStr for Stage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= 64 => Ok(Self { least, most }),
            _ => Err(format!("{text:?} is not a stage: write a number of pieces such as 60, or a range such as 53-56")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_read_as_they_are_written() {
        for text in ["60", "53-56", "1", "1-64"] {
            assert_eq!(text.parse::<Stage>().unwrap().to_string(), text);
        }
        for text in ["", "0", "65", "56-53", "a", "1-2-3", "-5"] {
            assert!(text.parse::<Stage>().unwrap_err().contains("is not a stage"), "{text}");
        }
        let stage: Stage = "53-56".parse().unwrap();
        assert!(stage.has(53) && stage.has(56) && !stage.has(52) && !stage.has(57));
        assert_eq!([50, 53, 56, 60].map(|pieces| stage.distance(pieces)), [3, 0, 0, 4]);
    }
}
