// SPDX-License-Identifier: GPL-3.0-or-later
//! How much of a clock to use for a move. Pure functions: nobody looks at a clock here.

use std::time::Duration;

/// Where nobody says how long the game is, this many more moves are reckoned with.
const MOVES_TO_GO: u32 = 30;

/// The most moves that a time control is divided among: the later ones get their share when they are nearer.
const MOST_MOVES_TO_GO: u32 = 40;

/// On top of the overhead this is never used up, nor half of what is left: a machine with other work to do may wake
/// the search too late once in a while, and the move after that must still be made in time.
const RESERVE: Duration = Duration::from_millis(100);

/// The least a move is given, for there is nothing less than nothing.
pub(crate) const LEAST: Duration = Duration::from_millis(1);

/// More than this is as good as no limit, and can still be added to an instant.
pub(crate) const MOST: Duration = Duration::from_secs(100 * 24 * 60 * 60);

/// What a search may use of a clock, from when the clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// No iteration is begun after it.
    pub optimum: Duration,
    /// The search is stopped then.
    pub maximum: Duration,
    /// Whether the flag is about to fall, so that any move at once is better than a good one.
    pub hurry: bool,
}

impl Budget {
    /// Whether exactly this time was asked for.
    pub fn is_exact(self) -> bool {
        self.optimum == self.maximum
    }
}

/// What a side has on its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock {
    pub left: Duration,
    pub increment: Duration,
    pub moves_to_go: Option<u32>,
}

/// The whole of a time, neither more nor less.
pub(crate) fn exactly(time: Duration) -> Budget {
    let time = time.clamp(LEAST, MOST);
    Budget { optimum: time, maximum: time, hurry: false }
}

/// A move's share of the clock.
pub(crate) fn share(clock: Clock, overhead: Duration) -> Budget {
    let left = clock.left.min(MOST).saturating_sub(overhead);
    let usable = left.saturating_sub(RESERVE.min(left / 2));
    let moves = clock.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOST_MOVES_TO_GO);
    // The last move before the control may take what is there; before that nothing is bet on one move.
    let most = if clock.moves_to_go == Some(1) { usable } else { usable / 3 };
    let optimum = (usable / moves).saturating_add(clock.increment.min(MOST) / 2).min(most / 2);
    let maximum = optimum.saturating_mul(3).min(most);
    Budget { optimum: optimum.max(LEAST), maximum: maximum.max(LEAST), hurry: maximum < 2 * LEAST }
}
