// SPDX-License-Identifier: GPL-3.0-or-later
//! The limits of a player's moves, and its clock.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use halfply_engine::search::clock::Clock;

/// The longest time on a clock. More is probably a typing error.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Time for a whole game, or for each period of so many moves: `40/60+0.6` is a minute for every 40 moves, and 0.6 seconds
/// more for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The moves of a period; none if the time is for the whole game.
    pub moves: Option<u32>,
    /// The time of a period.
    pub base: Duration,
    /// The time that each move adds.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shape = || {
            format!(
                "{text:?} is not a time control; write seconds and increment, 10+0.1, or moves before them, 40/60+0.6"
            )
        };
        let seconds = |text: &str| {
            let seconds: f64 = text.trim().parse().map_err(|_| shape())?;
            let time = Duration::try_from_secs_f64(seconds).map_err(|_| shape())?;
            if time > LONGEST { Err(format!("{text} seconds are more than a week")) } else { Ok(time) }
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = moves.trim().parse().ok().filter(|&moves| moves > 0).ok_or_else(shape)?;
                (Some(moves), rest)
            }
            None => (None, text),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (seconds(base)?, seconds(increment)?),
            None => (seconds(rest)?, Duration::ZERO),
        };
        if base.is_zero() {
            return Err(format!("{text:?}: the time must be more than 0"));
        }
        Ok(Self { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// The limits of a player's moves. The first one reached ends a search. At least one is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Iterations a move.
    pub depth: Option<u32>,
    /// The time of each move.
    pub move_time: Option<Duration>,
    /// A clock.
    pub control: Option<TimeControl>,
}

impl Allowance {
    /// Whether results depend on the speed of the machine.
    pub fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.control.is_some()
    }

    /// Whether no limit is set.
    pub fn is_endless(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.control.map(|control| format!("{control} s")),
            self.move_time.map(|time| format!("{} ms a move", time.as_millis())),
            self.nodes.map(|nodes| format!("{nodes} nodes a move")),
            self.depth.map(|depth| format!("{depth} plies a move")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// A player's clock in one game.
#[derive(Clone, Debug)]
pub struct GameClock {
    allowance: Allowance,
    left: Duration,
    moves_made: u32,
}

impl GameClock {
    /// The clock at the beginning of the game.
    pub fn new(allowance: Allowance) -> Self {
        let left = allowance.control.map_or(Duration::ZERO, |control| control.base);
        Self { allowance, left, moves_made: 0 }
    }

    /// The state of the clock; none if the player has none.
    pub fn shown(&self) -> Option<Clock> {
        let control = self.allowance.control?;
        let moves_to_go = control.moves.map(|moves| moves - self.moves_made % moves);
        Some(Clock { left: self.left, increment: control.increment, moves_to_go })
    }

    /// The time after which the next move is late, without the margin; none without a time limit.
    pub fn until_flag(&self) -> Option<Duration> {
        let clock = self.allowance.control.map(|_| self.left);
        [clock, self.allowance.move_time].into_iter().flatten().min()
    }

    /// Takes the time used for a move, and returns whether the move was in time. `margin` allows for delays that are not the
    /// player's, such as those of a pipe.
    pub fn punch(&mut self, used: Duration, margin: Duration) -> bool {
        if self.until_flag().is_some_and(|limit| used > limit + margin) {
            return false;
        }
        if let Some(control) = self.allowance.control {
            self.left = self.left.saturating_sub(used) + control.increment;
            self.moves_made += 1;
            if control.moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
                self.left += control.base;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, control, written) in [
            ("10+0.1", TimeControl { moves: None, base: ms(10_000), increment: ms(100) }, "10+0.1"),
            ("0.5", TimeControl { moves: None, base: ms(500), increment: ms(0) }, "0.5+0"),
            ("40/60+0.6", TimeControl { moves: Some(40), base: ms(60_000), increment: ms(600) }, "40/60+0.6"),
        ] {
            assert_eq!(text.parse(), Ok(control));
            assert_eq!(control.to_string(), written);
        }
        for text in ["", "x", "1+", "-1+0", "0/5", "0+1", "nan", "inf", "1e99", "1+1e30", "a/5", "700000"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_move_may_be_late_by_the_margin_only() {
        let control = "2/1+0.1".parse().unwrap();
        let mut clock = GameClock::new(Allowance { control: Some(control), ..Allowance::default() });
        assert_eq!(clock.shown().unwrap().moves_to_go, Some(2));
        assert!(clock.punch(ms(300), ms(10)));
        let shown = clock.shown().unwrap();
        assert_eq!((shown.left, shown.moves_to_go), (ms(800), Some(1)));
        // Late within the margin: no time is left, and the second move begins another period of a second.
        assert!(clock.punch(ms(805), ms(10)));
        let shown = clock.shown().unwrap();
        assert_eq!((shown.left, shown.moves_to_go), (ms(1100), Some(2)));
        assert!(!clock.punch(ms(1111), ms(10)));
    }

    #[test]
    fn a_fixed_time_is_a_limit_for_each_move() {
        let mut clock = GameClock::new(Allowance { move_time: Some(ms(100)), ..Allowance::default() });
        assert!(clock.punch(ms(100), ms(0)) && clock.punch(ms(109), ms(10)) && !clock.punch(ms(111), ms(10)));
        let mut free = GameClock::new(Allowance { nodes: Some(5), ..Allowance::default() });
        assert!(free.punch(ms(1_000_000), ms(0)) && free.shown().is_none());
    }
}
