// SPDX-License-Identifier: GPL-3.0-or-later
//! Counts of games won, drawn and lost, and their figures if pairs are not known.

use serde::Serialize;

use super::{Estimate, margin};

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
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points a game, 0 to 1, a draw being half a point. One half without games.
    pub fn score(self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games() as f64
    }

    /// Half the width of the score's 95 % interval. Games are taken as independent and their mean as normally distributed;
    /// it is not zero, even if all games ended alike. The thesis gives the same (1.97 % for 58.17 % of 2,400 games). One half
    /// without games.
    pub fn margin(self) -> f64 {
        let (games, score) = (self.games().max(1) as f64, self.score());
        let squares = (self.wins as f64 + 0.25 * self.draws as f64) / games;
        margin(self.games(), score, (squares - score * score).max(0.0))
    }
}

impl Estimate for Tally {
    fn estimate(self) -> (u64, f64, f64) {
        (self.games(), self.score(), self.margin())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
        // The exact lower bound of 2 out of 2 (Clopper and Pearson) is the square root of 0.025, 0.158.
        assert!((sweep.score() - sweep.margin() - 0.2).abs() < 0.001);
        assert!(sweep.elo().low < 0.0 && sweep.elo().high == f64::INFINITY);
    }

    #[test]
    fn figures_are_those_of_fastchess() {
        // Counts from fastchess's tests (app/tests/elo_test.cpp), figures as it prints them: nElo ± error, LOS in
        // percent, score.
        for (wins, draws, losses, normalized, error, los, score) in [
            (76, 123, 89, -20.76, 40.13, 15.53, 0.477),
            (136, 111, 96, 49.77, 36.77, 99.60, 0.558),
            (34, 0, 356, -508.44, 34.48, 0.00, 0.087),
        ] {
            let tally = Tally { wins, draws, losses };
            let elo = tally.normalized_elo();
            assert!((elo.difference - normalized).abs() < 0.005, "{tally:?}: {elo:?}");
            assert!((elo.high - elo.difference - error).abs() < 0.005, "{tally:?}: {elo:?}");
            assert!((100.0 * tally.los() - los).abs() < 0.005, "{tally:?}: {}", tally.los());
            assert!((tally.score() - score).abs() < 0.0005, "{tally:?}: {}", tally.score());
        }
        let elo = Tally { wins: 136, draws: 111, losses: 96 }.elo();
        assert!((elo.difference - 40.70).abs() < 0.005, "{elo:?}");
        assert!(((elo.high - elo.low) / 2.0 - 30.43).abs() < 0.005, "{elo:?}");
    }

    #[test]
    fn superiority_after_two_wins() {
        // Every strength equally probable beforehand, two wins leave 1 - 1/2^3 for the better ones.
        let los = Tally { wins: 2, draws: 0, losses: 0 }.los();
        assert!((los - 0.875).abs() < 0.06, "{los}");
        assert_eq!(Tally::default().los(), 0.5);
    }

    proptest! {
        #[test]
        fn nothing_is_ever_undefined(wins in count(), draws in count(), losses in count()) {
            let tally = Tally { wins, draws, losses };
            let other = Tally { wins: losses, draws, losses: wins };
            prop_assert!((0.0..=1.0).contains(&tally.los()));
            prop_assert!((tally.los() + other.los() - 1.0).abs() < 1e-9);
            for elo in [tally.elo(), tally.normalized_elo()] {
                prop_assert!(elo.low <= elo.difference && elo.difference <= elo.high, "{:?}", elo);
            }
        }
    }

    fn count() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), 0_u64..=1000]
    }
}
