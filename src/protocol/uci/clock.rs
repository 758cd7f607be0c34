// SPDX-License-Identifier: GPL-3.0-or-later
//! How long to think about a move. Pure functions: nobody looks at a clock here.

use std::time::Duration;

use super::command::Go;
use crate::game::Side;

/// Where nobody says how long the game is, this many more moves are reckoned with.
const MOVES_TO_GO: u32 = 30;

/// The most moves that a time control is divided among: the later ones get their share when they are nearer.
const MOST_MOVES_TO_GO: u32 = 40;

/// On top of the overhead this is never used up, nor half of what is left: a machine with other work to do may wake
/// the search too late once in a while, and the move after that must still be made in time.
const RESERVE: Duration = Duration::from_millis(100);

/// The least a move is given, for there is nothing less than nothing.
const LEAST: Duration = Duration::from_millis(1);

/// For a side whose clock was not sent though there are clocks.
pub(super) const DEFAULT_MOVE: Duration = Duration::from_secs(1);

/// More than this is as good as no limit, and can still be added to an instant.
const MOST: Duration = Duration::from_secs(100 * 24 * 60 * 60);

/// What a search may use of a clock, from when the clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
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
pub(super) struct Clock {
    pub left: Duration,
    pub increment: Duration,
    pub moves_to_go: Option<u32>,
}

/// What the limits of a search allow of time; none if they set none. `overhead` is what is lost on the way to the
/// client and back.
pub(super) fn budget(go: &Go, side: Side, overhead: Duration) -> Option<Budget> {
    let (left, increment) = match side {
        Side::White => (go.white_time, go.white_increment),
        Side::Black => (go.black_time, go.black_increment),
    };
    let clock = left.map(|left| {
        share(Clock { left, increment: increment.unwrap_or_default(), moves_to_go: go.moves_to_go }, overhead)
    });
    match (go.move_time, clock) {
        (None, clock) => clock.or_else(|| clock_is_missing(go, side).then(|| exactly(DEFAULT_MOVE))),
        (Some(time), None) => Some(exactly(time.saturating_sub(overhead))),
        // What was asked for, as long as it loses no game.
        (Some(time), Some(clock)) => {
            let left = left.unwrap_or_default().min(time).saturating_sub(overhead);
            Some(Budget { hurry: clock.hurry, ..exactly(left) })
        }
    }
}

/// Whether there are clocks, but none for the side to move.
pub(super) fn clock_is_missing(go: &Go, side: Side) -> bool {
    let own = match side {
        Side::White => go.white_time,
        Side::Black => go.black_time,
    };
    let any = [go.white_time, go.black_time, go.white_increment, go.black_increment].iter().any(Option::is_some);
    own.is_none() && any && go.move_time.is_none()
}

/// The whole of a time, neither more nor less.
fn exactly(time: Duration) -> Budget {
    let time = time.clamp(LEAST, MOST);
    Budget { optimum: time, maximum: time, hurry: false }
}

/// A move's share of the clock.
fn share(clock: Clock, overhead: Duration) -> Budget {
    let left = clock.left.min(MOST).saturating_sub(overhead);
    let usable = left.saturating_sub(RESERVE.min(left / 2));
    let moves = clock.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOST_MOVES_TO_GO);
    // The last move before the control may take what is there; before that nothing is bet on one move.
    let most = if clock.moves_to_go == Some(1) { usable } else { usable / 3 };
    let optimum = (usable / moves).saturating_add(clock.increment.min(MOST) / 2).min(most / 2);
    let maximum = optimum.saturating_mul(3).min(most);
    Budget { optimum: optimum.max(LEAST), maximum: maximum.max(LEAST), hurry: maximum < 2 * LEAST }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn white(left: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let go = Go { white_time: Some(ms(left)), white_increment: Some(ms(increment)), moves_to_go, ..Go::default() };
        budget(&go, Side::White, ms(10)).unwrap()
    }

    /// Times of every order of magnitude.
    fn time() -> impl Strategy<Value = Duration> {
        (any::<u64>(), 0_u32..64).prop_map(|(bits, shift)| ms(bits >> shift))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        #[test]
        fn no_move_takes_more_than_there_is(
            left in time(), increment in time(), overhead in time(),
            moves_to_go in prop::option::of(0_u32..200), move_time in prop::option::of(time()),
        ) {
            let go = Go {
                black_time: Some(left), black_increment: Some(increment), moves_to_go, move_time, ..Go::default()
            };
            let budget = budget(&go, Side::Black, overhead).unwrap();
            prop_assert!(budget.maximum <= left.saturating_sub(overhead).max(LEAST), "{budget:?}");
            prop_assert!(budget.maximum <= move_time.unwrap_or(MOST).max(LEAST), "{budget:?}");
            prop_assert!(LEAST <= budget.optimum && budget.optimum <= budget.maximum, "{budget:?}");
        }

        #[test]
        fn more_is_never_less(left in time(), increment in time(), more in time(), moves_to_go in prop::option::of(1_u32..60)) {
            let share = |left, increment| share(Clock { left, increment, moves_to_go }, ms(10)).optimum;
            let usual = share(left, increment);
            prop_assert!(share(left.saturating_add(more), increment) >= usual);
            prop_assert!(share(left, increment.saturating_add(more)) >= usual);
            let sooner = super::share(Clock { left, increment, moves_to_go: moves_to_go.map(|moves| moves + 1) }, ms(10));
            // But for the rounding of a nanosecond.
            prop_assert!(sooner.optimum <= usual + Duration::from_nanos(1));
        }

        /// A whole game on such shares, each of them used to the last, never runs out of time.
        #[test]
        fn whole_games_are_played_in_time(start in 100_u64..10_000, increment in 0_u64..100, lag in 0_u64..8) {
            let mut left = ms(start);
            for mv in 0..400 {
                let share = share(Clock { left, increment: ms(increment), moves_to_go: None }, ms(10));
                // Without an increment every game ends on time one day.
                if share.hurry && ms(lag) + LEAST > ms(increment) {
                    break;
                }
                let used = share.maximum + ms(lag);
                prop_assert!(used < left, "move {mv}: {used:?} of {left:?}");
                left = left - used + ms(increment);
            }
        }
    }

    #[test]
    fn shares_are_what_they_should_be() {
        // A minute for the game: about two seconds a move; with an increment half of it besides.
        assert_eq!(white(60_000, 0, None).optimum, (ms(60_000) - ms(110)) / 30);
        assert_eq!(white(60_000, 1000, None).optimum, (ms(60_000) - ms(110)) / 30 + ms(500));
        // The time control's last move may take nearly everything, the others do not bet on it.
        assert!(white(10_000, 0, Some(1)).maximum > ms(9_000));
        assert!(white(10_000, 0, Some(2)).maximum < ms(4_000));
        assert!(white(10_000, 0, None).maximum < ms(1_200));
        // Nothing is left: at once.
        for left in [0, 1, 5, 10, 12] {
            let budget = white(left, 10, None);
            assert!(budget.hurry && budget.maximum == LEAST, "{left}: {budget:?}");
        }
        assert!(!white(100, 10, None).hurry);
    }

    #[test]
    fn fixed_times_and_missing_clocks() {
        let of = |go: Go| budget(&go, Side::White, ms(10));
        assert_eq!(of(Go::default()), None);
        assert_eq!(of(Go { depth: Some(3), infinite: true, ..Go::default() }), None);
        let fixed = |milliseconds| Some(Budget { optimum: ms(milliseconds), maximum: ms(milliseconds), hurry: false });
        assert_eq!(of(Go { move_time: Some(ms(100)), ..Go::default() }), fixed(90));
        assert_eq!(of(Go { move_time: Some(ms(0)), ..Go::default() }), fixed(1));
        assert_eq!(of(Go { move_time: Some(ms(5000)), white_time: Some(ms(1000)), ..Go::default() }), fixed(990));
        let only_black = Go { black_time: Some(ms(100)), ..Go::default() };
        assert_eq!(of(only_black.clone()), Some(exactly(DEFAULT_MOVE)));
        assert!(clock_is_missing(&only_black, Side::White) && !clock_is_missing(&only_black, Side::Black));
    }
}
