// SPDX-License-Identifier: GPL-3.0-or-later
//! How much of a clock to use for a move, in tournaments, over UCI and over GTP. Pure functions: they read no clock.

use std::time::Duration;

/// The number of further moves to plan for when no `movestogo` is given.
const MOVES_TO_GO: u32 = 30;

/// The most moves that a time control is divided among; later moves get their share later.
const MOST_MOVES_TO_GO: u32 = 40;

/// A reserve besides the overhead, at most half of the time left, is never used. A loaded machine may wake the search
/// too late, and the next move must still be made in time.
const RESERVE: Duration = Duration::from_millis(100);

/// The least time for a move.
pub const LEAST: Duration = Duration::from_millis(1);

/// More than this is the same as no limit, and can still be added to an instant.
pub const MOST: Duration = Duration::from_secs(100 * 24 * 60 * 60);

/// The time that a search may use, from when the clock starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The usual time after which no further iteration begins; [`Pace`](super::Pace) decides in each search.
    pub optimum: Duration,
    /// The search stops at this time.
    pub maximum: Duration,
    /// Whether the time is so short that any immediate move is better than a good one.
    pub hurry: bool,
}

impl Budget {
    /// Whether the search must stop after this time.
    pub fn is_used_up(self, elapsed: Duration) -> bool {
        elapsed >= self.maximum
    }

    /// Whether exactly this time was requested.
    pub fn is_exact(self) -> bool {
        self.optimum == self.maximum
    }
}

/// What a side has on its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time gained by each move.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// Exactly this time.
pub fn exactly(time: Duration) -> Budget {
    let time = time.clamp(LEAST, MOST);
    Budget { optimum: time, maximum: time, hurry: false }
}

/// A move's share of the clock.
pub fn share(clock: Clock, overhead: Duration) -> Budget {
    let left = clock.left.min(MOST).saturating_sub(overhead);
    let usable = left.saturating_sub(RESERVE.min(left / 2));
    let moves = clock.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOST_MOVES_TO_GO);
    // Only the last move before the time control may use all that is left.
    let most = if clock.moves_to_go == Some(1) { usable } else { usable / 3 };
    let optimum = (usable / moves).saturating_add(clock.increment.min(MOST) / 2).min(most / 2);
    let maximum = optimum.saturating_mul(3).min(most);
    Budget { optimum: optimum.max(LEAST), maximum: maximum.max(LEAST), hurry: maximum < 2 * LEAST }
}
