// SPDX-License-Identifier: GPL-3.0-or-later
//! Pairs of games: an opening played twice, colours swapped.

use serde::Serialize;

use super::{Estimate, margin};

/// Pairs with 0, ½, 1, 1½ and 2 points for the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// The score of a pair of each kind, in points a game.
    pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Pairs in all.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// Games in all.
    pub fn games(self) -> u64 {
        2 * self.pairs()
    }

    /// Points a game, 0 to 1; one half without pairs.
    pub fn score(self) -> f64 {
        if self.pairs() == 0 {
            return 0.5;
        }
        self.mean(|score| score)
    }

    /// Half the width of the score's 95 % interval. Pairs are taken as independent and their mean as normally distributed;
    /// it is not zero, even if all pairs ended alike. One half without pairs.
    pub fn margin(self) -> f64 {
        let score = self.score();
        let variance = if self.pairs() == 0 { 0.0 } else { self.mean(|of_pair| (of_pair - score).powi(2)) };
        margin(self.pairs(), score, variance)
    }

    /// The ratio of pairs won to pairs lost, 0 to infinity, called pairs ratio by fastchess. 1 if all were drawn.
    pub fn ratio(self) -> f64 {
        let [lost, half, _, more, won] = self.0;
        if lost + half + more + won == 0 {
            return 1.0;
        }
        (more + won) as f64 / (lost + half) as f64
    }

    /// The mean of a function of the score over all pairs. There must be at least one.
    fn mean(self, of: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 = self.0.iter().zip(Self::SCORES).map(|(&count, score)| count as f64 * of(score)).sum();
        sum / self.pairs() as f64
    }
}

impl Estimate for Pentanomial {
    fn estimate(self) -> (u64, f64, f64) {
        (self.games(), self.score(), self.margin())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tournament::statistics::Elo;

    fn counts() -> impl Strategy<Value = Pentanomial> {
        // Few kinds of pairs are as likely as many.
        prop::array::uniform5(prop_oneof![Just(0), 0_u64..=1000]).prop_map(Pentanomial)
    }

    /// Equal, or both infinite.
    fn close(a: f64, b: f64) -> bool {
        a == b || (a - b).abs() <= 1e-9 * (1.0 + a.abs())
    }

    fn half_width(elo: Elo) -> f64 {
        (elo.high - elo.low) / 2.0
    }

    #[test]
    fn figures_are_those_of_fastchess() {
        // Counts from fastchess's tests (app/tests/elo_test.cpp, where pairs of one point are split into won-and-lost
        // and drawn), figures as it prints them: Elo ± error, nElo ± error, LOS in percent.
        for (counts, elo, error, normalized, normalized_error, los, score) in [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28, 100.00, 0.579),
            ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96, 5.05, 0.488),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 2.65, 0.00, 0.470),
        ] {
            let pairs = Pentanomial(counts);
            assert!((pairs.elo().difference - elo).abs() < 0.005, "{counts:?}: {:?}", pairs.elo());
            assert!((half_width(pairs.elo()) - error).abs() < 0.005, "{counts:?}: {:?}", pairs.elo());
            let of_pairs = pairs.normalized_elo();
            assert!((of_pairs.difference - normalized).abs() < 0.005, "{counts:?}: {of_pairs:?}");
            assert!((half_width(of_pairs) - normalized_error).abs() < 0.005, "{counts:?}: {of_pairs:?}");
            assert!((100.0 * pairs.los() - los).abs() < 0.005, "{counts:?}: {}", pairs.los());
            assert!((pairs.score() - score).abs() < 0.0005, "{counts:?}: {}", pairs.score());
        }
    }

    #[test]
    fn no_pairs_say_nothing() {
        let none = Pentanomial::default();
        assert_eq!((none.pairs(), none.score(), none.margin(), none.los(), none.ratio()), (0, 0.5, 0.5, 0.5, 1.0));
        let (low, difference, high) = (f64::NEG_INFINITY, 0.0, f64::INFINITY);
        assert_eq!(none.elo(), Elo { low, difference, high });
        assert_eq!(none.normalized_elo(), Elo { low, difference, high });
    }

    #[test]
    fn a_clean_sweep_is_no_certainty() {
        let sweep = Pentanomial([0, 0, 0, 0, 2]);
        assert_eq!((sweep.games(), sweep.score(), sweep.ratio()), (4, 1.0, f64::INFINITY));
        // The exact lower bound of 2 out of 2 (Clopper and Pearson) is the square root of 0.025, 0.158.
        assert!((sweep.score() - sweep.margin() - 0.2).abs() < 0.001, "{}", sweep.margin());
        assert!(sweep.elo().low < 0.0 && sweep.elo().high == f64::INFINITY);
        // With every strength equally probable beforehand it would be 0.875.
        assert!(sweep.los() > 0.85 && sweep.los() < 0.9, "{}", sweep.los());
        assert!(sweep.normalized_elo().difference.is_finite());
        assert_eq!(Pentanomial([0, 0, 7, 0, 0]).los(), 0.5);
    }

    #[test]
    fn better_results_are_worth_more_up_to_a_clean_sweep() {
        for pairs in [2_u64, 20, 200, 2000] {
            for worse in 0..4 {
                let of = |count: u64| {
                    let mut counts = [0, 0, 0, 0, pairs - count];
                    counts[worse] = count;
                    Pentanomial(counts)
                };
                for (better, next) in (0..pairs / 4).map(|count| (of(count), of(count + 1))) {
                    let low = |of: Pentanomial| of.score() - of.margin();
                    assert!(low(better) > low(next), "{better:?} {next:?}");
                    assert!(better.elo().low >= next.elo().low, "{better:?} {next:?}");
                    assert!(
                        better.normalized_elo().difference > next.normalized_elo().difference,
                        "{better:?} {next:?}"
                    );
                    assert!(better.los() >= next.los() && next.los() <= 1.0, "{better:?} {next:?}");
                }
            }
        }
        // 399 of 400, and two pairs that say little.
        let nearly = Pentanomial([0, 0, 1, 0, 199]);
        assert!((100.0 * nearly.margin() - 0.98).abs() < 0.005, "{}", nearly.margin());
        assert!(Pentanomial([0, 0, 0, 1, 1]).los() < 0.95);
    }

    #[test]
    fn pairs_ratio() {
        assert_eq!(Pentanomial([1, 2, 9, 4, 2]).ratio(), 2.0);
        assert_eq!(Pentanomial([0, 0, 9, 0, 0]).ratio(), 1.0);
        assert_eq!(Pentanomial([3, 0, 9, 0, 0]).ratio(), 0.0);
    }

    proptest! {
        #[test]
        fn the_other_player_sees_the_opposite(pairs in counts()) {
            let mut other = pairs;
            other.0.reverse();
            prop_assert!(close(pairs.score(), 1.0 - other.score()));
            prop_assert!(close(pairs.margin(), other.margin()));
            prop_assert!(close(pairs.los(), 1.0 - other.los()));
            for (ours, theirs) in [(pairs.elo(), other.elo()), (pairs.normalized_elo(), other.normalized_elo())] {
                prop_assert!(close(ours.difference, -theirs.difference), "{:?} {:?}", ours, theirs);
                prop_assert!(close(ours.low, -theirs.high), "{:?} {:?}", ours, theirs);
                prop_assert!(close(ours.high, -theirs.low), "{:?} {:?}", ours, theirs);
            }
        }

        #[test]
        fn more_pairs_narrow_the_interval(pairs in counts(), factor in 2_u64..10) {
            let more = Pentanomial(pairs.0.map(|count| factor * count));
            prop_assert!(close(pairs.score(), more.score()));
            if pairs.pairs() > 0 {
                prop_assert!(more.margin() < pairs.margin());
                prop_assert!(half_width(more.normalized_elo()) < half_width(pairs.normalized_elo()));
            }
        }

        #[test]
        fn nothing_is_ever_undefined(pairs in counts()) {
            prop_assert!((0.0..=1.0).contains(&pairs.score()));
            prop_assert!(pairs.margin() > 0.0 && pairs.margin() <= 1.0);
            prop_assert!((0.0..=1.0).contains(&pairs.los()));
            prop_assert!(pairs.ratio() >= 0.0);
            for elo in [pairs.elo(), pairs.normalized_elo()] {
                prop_assert!(elo.low <= elo.difference && elo.difference <= elo.high, "{:?}", elo);
            }
        }
    }
}
