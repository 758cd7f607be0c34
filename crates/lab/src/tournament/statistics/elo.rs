// SPDX-License-Identifier: GPL-3.0-or-later
//! Elo differences: logistic, which is ordinary Elo, and normalized.
//!
//! Normalized Elo (Michel Van den Bergh, "Normalized Elo") measures the distance of a score from one half in standard
//! deviations of a game. It determines how many games are needed to show a difference, and depends little on the share of
//! draws or the length of the games. It is scaled to equal logistic Elo between nearly equal players that never draw.

use std::f64::consts::LN_10;

use serde::Serialize;

use super::{Z_95, normal};

/// Normalized Elo per standard deviation of a game: 347.4.
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
    /// A score and the ends of its interval as logistic Elo. Scores of 0 or less and of 1 or more give an infinite
    /// difference.
    pub fn logistic(score: f64, margin: f64) -> Self {
        Self { low: of_score(score - margin), difference: of_score(score), high: of_score(score + margin) }
    }

    /// The same as normalized Elo. The standard deviation of a game follows from the margin and the number of games, and is
    /// taken as exact, so the width of the interval depends on the number of games only.
    ///
    /// Without games it is 0, from minus to plus infinity. Otherwise it is finite, even if one player won all games: the
    /// margin then replaces the deviation, which is zero.
    pub fn normalized(score: f64, margin: f64, games: u64) -> Self {
        let error = NORMALIZED * Z_95 / (games as f64).sqrt();
        let difference = if games == 0 { 0.0 } else { error * (score - 0.5) / margin };
        Self { low: difference - error, difference, high: difference + error }
    }
}

/// Observed results, whose score estimates the player's strength.
pub trait Estimate: Sized {
    /// Games, their score, and half the width of its 95 % interval.
    fn estimate(self) -> (u64, f64, f64);

    /// The logistic Elo difference of the score and of the ends of its interval ([`Elo::logistic`]).
    fn elo(self) -> Elo {
        let (_, score, margin) = self.estimate();
        Elo::logistic(score, margin)
    }

    /// The same as normalized Elo ([`Elo::normalized`]).
    fn normalized_elo(self) -> Elo {
        let (games, score, margin) = self.estimate();
        Elo::normalized(score, margin, games)
    }

    /// The likelihood of superiority, 0 to 1: the probability that the player is the better one. One half without results,
    /// and less than 1 even if all were won. The mean is taken as normally distributed, with a uniform prior.
    fn los(self) -> f64 {
        let (_, score, margin) = self.estimate();
        normal((score - 0.5) * Z_95 / margin)
    }
}

/// The expected score, 0 to 1, of a player that is better by this Elo difference (logistic model).
pub fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-difference / 400.0))
}

/// The Elo difference at which this score is expected (logistic model).
fn of_score(score: f64) -> f64 {
    // At 0 and 1 the formula divides by zero, which correctly gives infinity. Adding zero turns the negative zero of an
    // even score into a positive one.
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
