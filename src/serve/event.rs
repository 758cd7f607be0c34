// SPDX-License-Identifier: GPL-3.0-or-later
//! What the page hears while something is searched or reviewed.

use std::time::Duration;

use serde::Serialize;

use super::game::ShownMove;
use halfply_engine::base::figures::quantity;
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::game::{Notation, Side};
use halfply_engine::protocol::UciScore;
use halfply_engine::search::{Score, score};
use halfply_lab::review::value::Value;

/// The longest time, for pages that were left open.
pub const LONGEST: Duration = Duration::from_secs(10 * 60);

/// What the page hears from a search.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// An iteration was completed, for one of the best lines.
    Iteration(Finding),
    /// It continues.
    Progress {
        /// Nodes so far.
        nodes: u64,
        /// Time so far.
        milliseconds: u64,
    },
    /// It is over.
    Done {
        /// The move to play.
        best: Option<ShownMove>,
        /// The result of the last completed iteration; none if the move was played by chance.
        finding: Option<Finding>,
        /// Nodes in all.
        nodes: u64,
        /// How many of them matched a row of the table.
        extended: u64,
        /// Time in all.
        milliseconds: u64,
        /// The depth of the last completed iteration.
        depth: u32,
    },
    /// A review continues.
    Reviewing {
        /// Positions so far, those that are solved counted once more.
        done: u64,
        /// How many are known to be left and done.
        of: u64,
    },
    /// A review is over.
    Reviewed(ReviewedGame),
    /// A review was stopped.
    Failed {
        /// Why.
        reason: String,
    },
}

/// What an iteration found.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Plies of the iteration.
    pub depth: u32,
    /// The deepest ply that was reached.
    pub height: u32,
    /// 1 for the best line, 2 for the second best…
    pub rank: usize,
    /// What the position is worth.
    pub worth: Worth,
    /// Nodes of the search so far.
    pub nodes: u64,
    /// Time so far.
    pub milliseconds: u64,
    /// The line, as in game records.
    pub line: Vec<String>,
    /// The first move of the line.
    pub first: Option<ShownMove>,
}

/// The value of a position, seen by the first player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// In pawns, or in the game's commonest piece.
    pub value: f64,
    /// In how many plies the first player wins; negative if the second wins; none if nothing is proved.
    pub end: Option<i32>,
    /// The score that the first player can expect, 0 to 1.
    pub expected: f64,
    /// In words: `+0.35`, `white wins in 5 plies`.
    pub text: String,
}

impl Worth {
    /// The value `score` for `side`, with an evaluation in which a pawn is worth `unit`.
    pub fn of<G: Inputs + Notation>(score: Score, unit: Score, side: Side) -> Self {
        let sign = if side == Side::White { 1 } else { -1 };
        let value = sign * score;
        let end = score::plies_to_end(value);
        let text = match (end, UciScore::of(value, unit)) {
            (Some(plies), _) => {
                let winner = G::SIDE_NAMES[usize::from(plies < 0)];
                format!("{winner} wins in {}", quantity(plies.unsigned_abs().into(), "ply"))
            }
            (None, UciScore::Centipawns(hundredths)) => format!("{:+.2}", f64::from(hundredths) / 100.0),
            (None, other) => other.to_string(),
        };
        let expected = Value::searched(score, unit, side).expected::<G>();
        Self { value: f64::from(value) / f64::from(unit.max(1)), end, expected, text }
    }
}

/// What came of a review.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewedGame {
    /// The accuracy of both sides in a sentence, and what was decisive.
    pub summary: Vec<String>,
    /// What each position is worth to the first player: one more than there are moves.
    pub positions: Vec<ReviewedPosition>,
    /// The moves.
    pub moves: Vec<ReviewedMove>,
}

/// A position, seen by the first player.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewedPosition {
    /// The score that can be expected, 0 to 1.
    pub expected: f64,
    /// Its value in a word.
    pub text: String,
    /// The same as PGN has it; none where the game is over.
    pub eval: Option<String>,
}

/// A move that was judged.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewedMove {
    /// How bad it is: `blunder`; empty for a good move.
    pub class: &'static str,
    /// The same as a sign: `??`.
    pub sign: &'static str,
    /// What its side could expect before it, 0 to 1.
    pub before: f64,
    /// The same after it.
    pub after: f64,
    /// What should have been played: this move, if nothing is better.
    pub best: ShownMove,
    /// The line that begins with it, as in game records; empty if nothing is better.
    pub better: Vec<String>,
}

/// Who hears of a search.
pub trait Audience {
    /// Takes an event.
    fn hear(&mut self, event: Event);
    /// Whether nobody listens any more, so that the search should stop.
    fn is_gone(&self) -> bool;
}

/// A search that is ready to run.
pub type Prepared = Box<dyn FnOnce(&mut dyn Audience) + Send>;

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Chess, Othello};

    #[test]
    fn values_are_seen_by_the_first_player() {
        let text = |score, side| Worth::of::<Chess>(score, 100, side).text;
        assert_eq!(text(35, Side::White), "+0.35");
        assert_eq!(text(35, Side::Black), "-0.35");
        assert_eq!(text(score::WIN - 5, Side::White), "white wins in 5 plies");
        assert_eq!(text(score::WIN - 1, Side::Black), "black wins in 1 ply");
        assert_eq!(Worth::of::<Othello>(4 - score::WIN, 100, Side::Black).end, Some(4));
    }
}
