// SPDX-License-Identifier: GPL-3.0-or-later
//! What results are worth: score and Elo with their 95 % intervals.

use std::iter::Sum;
use std::ops::Add;

use serde::Serialize;

/// The two-sided 95 % quantile of the normal distribution.
const Z_95: f64 = 1.959_963_985;

/// Games of one player against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Games in all.
    #[must_use]
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points a game, a draw half a point: 0 to 1; one half of no games.
    #[must_use]
    pub fn score(self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games() as f64
    }

    /// Half the width of the score's 95 % interval, taking games as independent and their mean as normal: what the
    /// thesis gives beside its percentages (2,400 games at 58.17 %: 1.97 %). Where all games ended alike that would
    /// claim certainty; there it is Wilson's bound. One half if there are no games.
    #[must_use]
    pub fn margin(self) -> f64 {
        let games = self.games() as f64;
        if games == 0.0 {
            return 0.5;
        }
        let score = self.score();
        if [self.wins, self.draws, self.losses].iter().filter(|&&count| count > 0).count() == 1 {
            return Z_95 * Z_95 / (games + Z_95 * Z_95);
        }
        let squares = (self.wins as f64 + 0.25 * self.draws as f64) / games;
        Z_95 * ((squares - score * score).max(0.0) / games).sqrt()
    }

    /// The Elo difference that the score means, and those that the ends of its interval mean. Infinite where a score
    /// of 0 or 1 says that no difference would be enough.
    #[must_use]
    pub fn elo(self) -> Elo {
        let (score, margin) = (self.score(), self.margin());
        Elo { low: elo(score - margin), difference: elo(score), high: elo(score + margin) }
    }

    /// Pairs of games by what they gave: 0, half, 1, one and a half, 2 points (pentanomial counts).
    #[must_use]
    pub fn pentanomial(pairs: impl IntoIterator<Item = Self>) -> [u64; 5] {
        let mut counts = [0; 5];
        for pair in pairs {
            let half_points = 2 * pair.wins + pair.draws;
            if let Some(count) = counts.get_mut(half_points as usize) {
                *count += 1;
            }
        }
        counts
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), Add::add)
    }
}

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

/// The Elo difference at which that score is expected (logistic model).
fn elo(score: f64) -> f64 {
    // At the ends of the scale the formula divides by zero, which in floating point says what it should: infinity.
    // Adding zero turns the negative zero of an even score into a plain one.
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_the_thesis_one() {
        // Skowronski 2009, Table 4.5: 2,400 games each; Breakthrough has no draws.
        for (percent, margin) in [(58.17, 1.97), (57.04, 1.98), (53.92, 1.99), (49.29, 2.00), (46.46, 2.00)] {
            let wins = (percent * 24.0_f64).round() as u64;
            let tally = Tally { wins, draws: 0, losses: 2400 - wins };
            assert!((100.0 * tally.score() - percent).abs() < 0.01);
            // Its 58.17 %, 57.04 % and 53.92 % are within 0.005 of ours.
            assert!((100.0 * tally.margin() - margin).abs() < 0.0051, "{percent}: {}", tally.margin());
        }
    }

    #[test]
    fn elo_of_known_scores() {
        let elo = |wins, losses| Tally { wins, draws: 0, losses }.elo();
        assert!((elo(75, 25).difference - 190.85).abs() < 0.01);
        assert!(elo(50, 50).difference.abs() < 1e-9);
        assert!((elo(50, 50).low + elo(50, 50).high).abs() < 1e-9);
        assert_eq!(elo(3, 0).difference, f64::INFINITY);
        assert_eq!(elo(0, 3).difference, f64::NEG_INFINITY);
        assert_eq!(Tally::default().elo().difference, 0.0);
    }

    #[test]
    fn a_clean_sweep_is_no_certainty() {
        let sweep = Tally { wins: 2, draws: 0, losses: 0 };
        // Wilson's lower bound of 2 out of 2.
        assert!((sweep.score() - sweep.margin() - 0.342).abs() < 0.001);
        assert!(sweep.elo().low < 0.0 && sweep.elo().high == f64::INFINITY);
    }

    #[test]
    fn draws_narrow_the_interval() {
        let decided = Tally { wins: 50, draws: 0, losses: 50 };
        let drawn = Tally { wins: 10, draws: 80, losses: 10 };
        assert!(drawn.margin() < decided.margin());
        assert_eq!(drawn.score(), 0.5);
    }

    #[test]
    fn pairs_are_counted_by_points() {
        let pair = |wins, draws, losses| Tally { wins, draws, losses };
        let pairs = [pair(2, 0, 0), pair(1, 0, 1), pair(0, 2, 0), pair(0, 1, 1), pair(1, 1, 0), pair(0, 0, 2)];
        assert_eq!(Tally::pentanomial(pairs), [1, 1, 2, 1, 1]);
    }
}
