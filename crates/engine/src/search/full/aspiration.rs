// SPDX-License-Identifier: GPL-3.0-or-later
//! Aspiration windows: an iteration expects about the value of the last one, and is repeated with a wider window if it
//! was wrong.

use super::super::score::{INFINITE, LEAST_WIN};
use super::super::{Failure, Parameters, Score};

/// The window that an iteration is searched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The lower bound.
    pub alpha: Score,
    /// The upper bound.
    pub beta: Score,
    /// Half its width.
    delta: Score,
}

impl Window {
    /// The full window.
    pub const FULL: Self = Self { alpha: -INFINITE, beta: INFINITE, delta: INFINITE };

    /// The first window of an iteration to `depth` plies whose predecessor found `expected`; `unit` is a pawn.
    pub fn around(expected: Score, depth: u32, unit: Score, parameters: &Parameters) -> Self {
        let aspires = parameters.aspiration && depth as i32 >= parameters.aspiration_depth;
        // Proved wins move by plies, not by pawns.
        if !aspires || expected.abs() > LEAST_WIN {
            return Self::FULL;
        }
        let delta = (parameters.aspiration_window * unit / 100).max(1);
        Self { alpha: expected - delta, beta: expected + delta, delta }
    }

    /// The side on which the score is outside the window, if it is.
    pub fn failure(&self, score: Score) -> Option<Failure> {
        if score <= self.alpha && self.alpha > -INFINITE {
            Some(Failure::Low)
        } else if score >= self.beta && self.beta < INFINITE {
            Some(Failure::High)
        } else {
            None
        }
    }

    /// Widens the window on the side of the score.
    pub fn widened(self, score: Score, failure: Failure) -> Self {
        let delta = self.delta * 2;
        // After a few failures in a row, or a proved win, the side is opened completely.
        let open = |bound: Score| if bound.abs() > LEAST_WIN { bound.signum() * INFINITE } else { bound };
        match failure {
            Failure::Low => Self { alpha: open(score - delta), delta, ..self },
            Failure::High => Self { beta: open(score + delta), delta, ..self },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_fail_and_widen_until_they_hold_every_score() {
        let parameters = Parameters::default();
        for wanted in [-30_000, -5_000, -21, 0, 20, 400, 29_999] {
            let mut window = Window::around(0, 9, 100, &parameters);
            let mut tries = 0;
            while let Some(failure) = window.failure(wanted.clamp(window.alpha, window.beta)) {
                window = window.widened(wanted.clamp(window.alpha, window.beta), failure);
                tries += 1;
                assert!(tries < 12, "{wanted}: {window:?}");
            }
            assert!(window.alpha < wanted && wanted < window.beta);
        }
        assert_eq!(Window::around(0, 2, 100, &parameters), Window::FULL);
        assert_eq!(Window::around(29_990, 9, 100, &parameters), Window::FULL);
    }
}
