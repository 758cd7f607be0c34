// SPDX-License-Identifier: GPL-3.0-or-later
//! Scores as in UCI.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::Notation;
use crate::search::{Score, score};

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UciScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The game ends in this many moves, negative if the side to move loses; 0 for a game that is over.
    Mate(i32),
}

impl UciScore {
    /// A score of a search, with an evaluation in which a pawn is worth `unit`.
    pub fn of(value: Score, unit: Score) -> Self {
        match score::plies_to_end(value) {
            // The winner makes the last move: a win in 1 or 2 plies takes one move of the side that moves now.
            Some(plies) => Self::Mate(plies.signum() * (plies.abs() + 1).div_euclid(2)),
            None => Self::Centipawns(centipawns(value, unit)),
        }
    }
}

/// A value in hundredths of a pawn, with an evaluation in which a pawn is worth `unit`.
pub fn centipawns(value: Score, unit: Score) -> i32 {
    let centipawns = i64::from(value) * 100 / i64::from(unit.max(1));
    i32::try_from(centipawns).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}

/// A value in hundredths, as people read it: `+0.35 pawns`.
pub fn in_units<G: Notation>(hundredths: i32) -> String {
    format!("{:+.2} {}", f64::from(hundredths) / 100.0, G::SCORE_UNIT)
}

/// As in UCI: `cp -35`, `mate 3`.
impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(centipawns) => write!(f, "cp {centipawns}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::WIN;

    #[test]
    fn scores_are_centipawns_or_moves_to_mate() {
        for (value, unit, text) in [
            (0, 100, "cp 0"),
            (-37, 100, "cp -37"),
            (5, 10, "cp 50"),
            (-5, 10, "cp -50"),
            (7, 213, "cp 3"),
            (WIN - 1001, 100, "cp 28999"),
            (WIN, 100, "mate 0"),
            (-WIN, 100, "mate 0"),
            (WIN - 1, 100, "mate 1"),
            (WIN - 3, 10, "mate 2"),
            (2 - WIN, 10, "mate -1"),
            (4 - WIN, 10, "mate -2"),
            // Breakthrough may end with the opponent's move in one ply more or less.
            (WIN - 2, 10, "mate 1"),
            (3 - WIN, 10, "mate -2"),
        ] {
            assert_eq!(UciScore::of(value, unit).to_string(), text, "{value} of {unit}");
        }
    }

    #[test]
    fn scores_in_json_are_named_by_their_unit() {
        assert_eq!(serde_json::to_string(&UciScore::Centipawns(-5)).unwrap(), r#"{"centipawns":-5}"#);
        assert_eq!(serde_json::from_str::<UciScore>(r#"{"mate":3}"#).unwrap(), UciScore::Mate(3));
    }
}
