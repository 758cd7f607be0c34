// SPDX-License-Identifier: GPL-3.0-or-later
//! The time for a move, from the limits of `go`.

use std::time::Duration;

use super::command::Go;
use crate::game::Side;
use crate::search::clock::{Budget, Clock, exactly, share};

/// For a side whose clock was not sent although the other's was.
pub(super) const DEFAULT_MOVE: Duration = Duration::from_secs(1);

/// The time that the limits of a search allow; none without a time limit. `overhead` is lost in the communication with
/// the client.
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
        // The requested time, unless it would lose the game on time.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::clock::{self, LEAST, MOST};

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
            let before = share(left, increment);
            prop_assert!(share(left.saturating_add(more), increment) >= before);
            prop_assert!(share(left, increment.saturating_add(more)) >= before);
            let sooner = clock::share(Clock { left, increment, moves_to_go: moves_to_go.map(|moves| moves + 1) }, ms(10));
            // But for the rounding of a nanosecond.
            prop_assert!(sooner.optimum <= before + Duration::from_nanos(1));
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
