// SPDX-License-Identifier: GPL-3.0-or-later
//! Elo differences: the logistic ones that everybody means, and the normalized ones.
//!
//! Normalized Elo (Michel Van den Bergh, "Normalized Elo") measures a score's distance from one half not in points but
//! in standard deviations of a game. That is what decides how many games it takes to show a difference, so it depends
//! little on how drawish the openings are or how long the games. It is scaled so that between nearly equal players who
//! never draw both are the same.

use std::f64::consts::LN_10;

use serde::Serialize;

use super::Z_95;

/// Normalized Elo to a standard deviation of a game: 347.4.
pub(super) const NORMALIZED: f64 = 800.0 / LN_10;

/// An Elo difference with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The lower end.
    pub low: f64,
    /// The estimate.
    pub difference: f64,
    /// The upper end.
    pub high: f64,
}

impl Elo {
    /// What a score and the ends of its interval mean in logistic Elo. Infinite where they are 0 or 1 or beyond: no
    /// difference would be enough.
    #[must_use]
    pub fn logistic(score: f64, margin: f64) -> Self {
        Self { low: of_score(score - margin), difference: of_score(score), high: of_score(score + margin) }
    }

    /// The same in normalized Elo. The standard deviation of a game is what makes the margin of that many games (of
    /// pairs, if it comes from pairs), so it is taken as known and the width depends on the number of games alone.
    ///
    /// No games: 0, from minus to plus infinity. Finite otherwise, after a clean sweep too: there, the margin's word is
    /// taken for the deviation that the games do not show.
    #[must_use]
    pub fn normalized(score: f64, margin: f64, games: u64) -> Self {
        let error = NORMALIZED * Z_95 / (games as f64).sqrt();
        let difference = if games == 0 { 0.0 } else { error * (score - 0.5) / margin };
        Self { low: difference - error, difference, high: difference + error }
    }
}

/// The score, 0 to 1, that is expected of a player who is better by that much (logistic model).
#[must_use]
pub fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-difference / 400.0))
}

/// The Elo difference at which that score is expected (logistic model).
fn of_score(score: f64) -> f64 {
    // At the ends of the scale the formula divides by zero, which in floating point says what it should: infinity.
    // Adding zero turns the negative zero of an even score into a plain one.
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_and_its_difference_belong_together() {
        assert!((expected_score(190.85) - 0.75).abs() < 1e-5);
        for difference in [-800.0, -1.0, 0.0, 0.1, 35.0, 400.0] {
            assert!((of_score(expected_score(difference)) - difference).abs() < 1e-9);
        }
    }

    #[test]
    fn beyond_the_scale_is_infinite() {
        assert_eq!(of_score(1.2), f64::INFINITY);
        assert_eq!(of_score(-0.2), f64::NEG_INFINITY);
    }

    #[test]
    fn both_kinds_agree_between_nearly_equal_players_who_never_draw() {
        // 100 games at 50.1 % with the deviation of such games, one half.
        let (score, margin) = (0.501, Z_95 * 0.05);
        let (logistic, normalized) = (Elo::logistic(score, margin), Elo::normalized(score, margin, 100));
        assert!((logistic.difference / normalized.difference - 1.0).abs() < 1e-4);
    }
}
