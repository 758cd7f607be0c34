// SPDX-License-Identifier: GPL-3.0-or-later
//! What a position is worth, in the evaluation's own units, for the side to move.

use super::Outcome;

/// A position's worth for the side to move. Units are the evaluation's; values beyond [`LEAST_WIN`] are proved
/// wins, and those beyond [`LONGEST_WIN`] have a known length.
pub type Score = i32;

/// A win at once. A win `n` plies from the root is worth `WIN - n`, so that faster ones are better.
pub const WIN: Score = 30_000;

/// No win of known length is worth less than this: lines are at most 1,000 plies long.
pub const LONGEST_WIN: Score = WIN - 1_000;

/// A win by tables of endings that is `n` plies from the root is worth `LONGEST_WIN - n`. No proved win is worth less than
/// this, and no evaluation reaches it.
pub const LEAST_WIN: Score = LONGEST_WIN - 1_000;

/// More than any score.
pub const INFINITE: Score = WIN + 1;

/// The score, for the side to move, of a game that ended `ply` plies from the root.
pub const fn of_outcome(outcome: Outcome, ply: usize) -> Score {
    match outcome {
        Outcome::Win => WIN - ply as Score,
        Outcome::Draw => 0,
        Outcome::Loss => ply as Score - WIN,
    }
}

/// The score, for the side to move, of a position `ply` plies from the root whose outcome is known, but not when it comes.
pub const fn of_ending(outcome: Outcome, ply: usize) -> Score {
    match outcome {
        Outcome::Win => LONGEST_WIN - ply as Score,
        Outcome::Draw => 0,
        Outcome::Loss => ply as Score - LONGEST_WIN,
    }
}

/// Plies until the game is decided, positive if the side to move wins, negative if it loses; none if nothing is proved.
pub const fn plies_to_end(score: Score) -> Option<i32> {
    if score > LONGEST_WIN {
        Some(WIN - score)
    } else if score < -LONGEST_WIN {
        Some(-WIN - score)
    } else {
        None
    }
}
