// SPDX-License-Identifier: GPL-3.0-or-later
//! The pace of work, and the time that the rest will take.

use std::collections::VecDeque;
use std::time::Duration;

/// The window of the pace in seconds…
const WINDOW: Duration = Duration::from_secs(30);
/// … or in steps, if they take longer.
const WINDOW_STEPS: u64 = 32;
/// No estimate is given before this time and this many steps: the first steps to end are the shortest of those under
/// way.
const LEAST_TIME: Duration = Duration::from_secs(2);
const LEAST_STEPS: u64 = 3;
/// The least distance between two samples, which limits their number.
const GRAIN: Duration = Duration::from_millis(250);

/// The pace of steps that take time. Steps whose results were known already are not counted, because they would make
/// the others seem fast.
#[derive(Debug)]
pub struct Pace {
    /// Samples of time and steps done; the window begins at the first.
    samples: VecDeque<(Duration, u64)>,
    done: u64,
}

impl Pace {
    /// The pace of work that begins at time 0.
    pub fn new() -> Self {
        Self { samples: VecDeque::from([(Duration::ZERO, 0)]), done: 0 }
    }

    /// A step is done at that time.
    pub fn step(&mut self, now: Duration) {
        self.done += 1;
        if self.samples.back().is_none_or(|(time, _)| now.saturating_sub(*time) >= GRAIN) {
            self.samples.push_back((now, self.done));
        }
        while let Some(&(time, done)) = self.samples.get(1)
            && now.saturating_sub(time) >= WINDOW
            && self.done - done >= WINDOW_STEPS
        {
            self.samples.pop_front();
        }
    }

    /// How long so many steps will take, seen from that time; none as long as too little is known.
    pub fn time_for(&self, steps: u64, now: Duration) -> Option<Duration> {
        let &(begin, before) = self.samples.front()?;
        let (time, done) = (now.saturating_sub(begin), self.done - before);
        let is_enough = time >= LEAST_TIME && done >= LEAST_STEPS;
        is_enough.then(|| Duration::from_secs_f64(time.as_secs_f64() / done as f64 * steps as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work that continues from `seconds`, with so many steps a second, for so long.
    fn work(pace: &mut Pace, seconds: &mut f64, per_second: f64, duration: f64) {
        for step in 1..=(duration * per_second).round() as u64 {
            pace.step(Duration::from_secs_f64(*seconds + step as f64 / per_second));
        }
        *seconds += duration;
    }

    #[track_caller]
    fn check(pace: &Pace, steps: u64, seconds: f64, expected: f64) {
        let found = pace.time_for(steps, Duration::from_secs_f64(seconds)).expect("an estimate").as_secs_f64();
        assert!((found - expected).abs() <= 0.1 * expected, "{found} s, expected {expected} s");
    }

    #[test]
    fn a_steady_pace_is_known_after_two_seconds() {
        let (mut pace, mut now) = (Pace::new(), 0.0);
        work(&mut pace, &mut now, 500.0, 1.5);
        assert_eq!(pace.time_for(1000, Duration::from_secs_f64(now)), None);
        work(&mut pace, &mut now, 500.0, 1.0);
        check(&pace, 1000, now, 2.0);
        work(&mut pace, &mut now, 500.0, 600.0);
        check(&pace, 60_000, now, 120.0);
        assert!(pace.samples.len() < 150, "a window, and not all steps");
    }

    #[test]
    fn a_change_of_pace_is_followed_and_a_halt_is_seen() {
        let (mut pace, mut now) = (Pace::new(), 0.0);
        work(&mut pace, &mut now, 100.0, 300.0);
        work(&mut pace, &mut now, 25.0, 31.0);
        check(&pace, 100, now, 4.0);
        work(&mut pace, &mut now, 200.0, 31.0);
        check(&pace, 100, now, 0.5);
        // Thirty seconds without a step: half the pace.
        check(&pace, 100, now + 30.0, 1.0);
    }

    #[test]
    fn slow_steps_are_averaged_over_more_time() {
        let (mut pace, mut now) = (Pace::new(), 0.0);
        work(&mut pace, &mut now, 1.0 / 60.0, 120.0);
        assert_eq!(pace.time_for(1, Duration::from_secs_f64(now)), None, "two steps are too few");
        work(&mut pace, &mut now, 1.0 / 60.0, 60.0);
        check(&pace, 10, now, 600.0);
        // Of two games at a time one ends early, the other late.
        for game in 0..100 {
            now += if game % 2 == 0 { 20.0 } else { 100.0 };
            pace.step(Duration::from_secs_f64(now));
        }
        check(&pace, 10, now, 600.0);
    }
}
