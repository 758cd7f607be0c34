// SPDX-License-Identifier: GPL-3.0-or-later
//! The sequential probability ratio test: play until the results clearly favour one of two hypotheses about the strength.
//!
//! Wald's test sums the logarithm of the likelihood ratio of the two hypotheses, and stops when the sum leaves an interval.
//! But the likelihood of results depends on more than the strength, for instance on the share of drawn pairs. For each
//! hypothesis, the *generalized* test therefore takes the distribution over the five kinds of pairs that maximizes the
//! likelihood, among all that fit the hypothesis. See Michel Van den Bergh, "Comments on normalized Elo" and "Comparing
//! the approximations for the generalized log likelihood ratio of a multinomial distribution". Here the maximum is
//! computed exactly (`likeliest`).

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::NORMALIZED;
use super::likeliest::{with_mean, with_ratio};
use super::{Pentanomial, expected_score};

/// The largest Elo difference of a hypothesis: a score of 99.7 %.
const LARGEST: f64 = 1000.0;

/// The value that replaces a count of zero, as in other programs. Otherwise a kind of pair that has not occurred yet could
/// end the test.
const INSTEAD_OF_ZERO: f64 = 1e-3;

/// The meaning of an Elo difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Ordinary Elo: it determines the expected score.
    Logistic,
    /// Elo in standard deviations of a game: it determines how many games a test needs.
    #[default]
    Normalized,
}

impl Model {
    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        }
    }
}

/// The accepted hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Decision {
    /// The null hypothesis: the difference is `elo0`.
    H0,
    /// The alternative hypothesis: the difference is `elo1`.
    H1,
}

/// What is wrong with the values of a test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are in the wrong order, or equal.
    #[error("elo0 is {elo0} and elo1 {elo1}, but elo0 must be less than elo1; 0 and 5, for instance")]
    Order {
        /// The value of `elo0`.
        elo0: f64,
        /// The value of `elo1`.
        elo1: f64,
    },
    /// A hypothesis is out of range.
    #[error("{name} is {value}, but Elo differences must be between -{LARGEST} and {LARGEST}")]
    Range {
        /// `elo0` or `elo1`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// An error probability is not a probability, or no better than tossing a coin.
    #[error("{name} is {value}, but an error probability must be more than 0 and less than 0.5; the default is 0.05")]
    Probability {
        /// `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// A sequential probability ratio test of the player's strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) model: Model,
}

impl Sprt {
    /// A test between the Elo differences `elo0` and `elo1`. It accepts `elo1` with probability `alpha` if `elo0` is true,
    /// and `elo0` with probability `beta` if `elo1` is true.
    ///
    /// # Errors
    /// If `elo0` is not less than `elo1`, one of them is beyond ±1,000, or `alpha` or `beta` is not between 0 and 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            // This refuses NaN, too.
            if !(-LARGEST..=LARGEST).contains(&value) {
                return Err(SprtError::Range { name, value });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Probability { name, value });
            }
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The logarithm of the generalized likelihood ratio of `elo1` to `elo0`: positive if the results favour `elo1`. Zero
    /// without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { INSTEAD_OF_ZERO } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let [null, alternative] = [self.elo0, self.elo1].map(|elo| self.likeliest(&shares, elo));
        counts.iter().zip(null).zip(alternative).map(|((count, p0), p1)| count * (p1.ln() - p0.ln())).sum()
    }

    /// The bounds at which the test ends. At the lower bound or below, `elo0` is accepted; at the upper bound or above,
    /// `elo1` is. The lower bound is negative and the upper one positive: ±2.94 if both error probabilities are 0.05.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The hypothesis that is accepted after these pairs; none if more pairs are needed.
    pub fn decision(&self, pairs: &Pentanomial) -> Option<Decision> {
        let (llr, (lower, upper)) = (self.llr(pairs), self.bounds());
        match llr {
            _ if llr >= upper => Some(Decision::H1),
            _ if llr <= lower => Some(Decision::H0),
            _ => None,
        }
    }

    /// Of all distributions with this Elo difference, the one that maximizes the likelihood of these shares.
    fn likeliest(&self, shares: &[f64; 5], elo: f64) -> [f64; 5] {
        match self.model {
            Model::Logistic => with_mean(shares, expected_score(elo)),
            // The deviation of a pair's score is that of a game divided by √2.
            Model::Normalized => with_ratio(shares, 2.0_f64.sqrt() * elo / NORMALIZED),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn the_ratio_is_that_of_fastchess() {
        use Model::{Logistic, Normalized};
        // Counts and hypotheses from fastchess's tests (app/tests/sprt_test.cpp, where pairs of one point are split
        // into won-and-lost and drawn), ratios as it prints them.
        for (counts, elo0, elo1, model, llr) in [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalized, 2.25),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalized, 3.01),
            // There it is 111.82 with one percent to spare; its program says 111.80.
            ([0, 0, 0, 0, 5550], 0.0, 5.0, Normalized, 111.80),
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        ] {
            let ours = test(elo0, elo1, model).llr(&Pentanomial(counts));
            assert!((ours - llr).abs() < 0.005, "{counts:?}: {ours}, not {llr}");
        }
    }

    #[test]
    fn it_ends_at_its_bounds() {
        let sprt = test(0.0, 2.0, Model::Normalized);
        let (lower, upper) = sprt.bounds();
        assert!((lower + 2.94).abs() < 0.005 && (upper - 2.94).abs() < 0.005, "{lower} {upper}");
        assert_eq!(sprt.decision(&Pentanomial::default()), None);
        assert_eq!(sprt.decision(&Pentanomial([365, 16618, 36229, 16974, 390])), None);
        assert_eq!(sprt.decision(&Pentanomial([0, 0, 0, 0, 5550])), Some(Decision::H1));
        assert_eq!(sprt.decision(&Pentanomial([5550, 0, 0, 0, 0])), Some(Decision::H0));
        let uneven = Sprt::new(0.0, 2.0, 0.05, 0.1, Model::Logistic).unwrap();
        assert!(uneven.bounds().0 > lower && uneven.bounds().1 < upper);
    }

    #[test]
    fn hypotheses_that_cannot_be_tested_are_refused() {
        let refused = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, Model::Logistic).unwrap_err();
        let text = refused(5.0, 0.0, 0.05, 0.05).to_string();
        assert_eq!(text, "elo0 is 5 and elo1 0, but elo0 must be less than elo1; 0 and 5, for instance");
        assert!(matches!(refused(5.0, 5.0, 0.05, 0.05), SprtError::Order { .. }));
        assert!(matches!(refused(f64::NAN, 5.0, 0.05, 0.05), SprtError::Range { name: "elo0", .. }));
        assert!(matches!(refused(0.0, f64::INFINITY, 0.05, 0.05), SprtError::Range { name: "elo1", .. }));
        assert!(matches!(refused(0.0, 5.0, 0.0, 0.05), SprtError::Probability { name: "alpha", .. }));
        assert!(matches!(refused(0.0, 5.0, 0.05, 0.5), SprtError::Probability { name: "beta", .. }));
        assert!(matches!(refused(0.0, 5.0, 0.05, f64::NAN), SprtError::Probability { name: "beta", .. }));
        let text = refused(0.0, 5.0, 5.0, 0.05).to_string();
        assert_eq!(
            text,
            "alpha is 5, but an error probability must be more than 0 and less than 0.5; the default is 0.05"
        );
        let text = refused(0.0, 5000.0, 0.05, 0.05).to_string();
        assert_eq!(text, "elo1 is 5000, but Elo differences must be between -1000 and 1000");
    }

    #[test]
    fn models_have_one_name() {
        for &model in Model::value_variants() {
            assert_eq!(serde_json::to_value(model).unwrap(), model.name());
            assert_eq!(model.to_possible_value().unwrap().get_name(), model.name());
        }
    }

    fn counts() -> impl Strategy<Value = Pentanomial> {
        prop::array::uniform5(prop_oneof![Just(0), 0_u64..=1000]).prop_map(Pentanomial)
    }

    fn model() -> impl Strategy<Value = Model> {
        prop_oneof![Just(Model::Logistic), Just(Model::Normalized)]
    }

    proptest! {
        #[test]
        fn nothing_is_ever_undefined(
            pairs in counts(), model in model(), elo0 in -1000.0_f64..999.0, more in 0.001_f64..1.0,
        ) {
            let sprt = test(elo0, elo0 + more * (LARGEST - elo0), model);
            prop_assert!(sprt.llr(&pairs).is_finite(), "{:?} {:?}", sprt, pairs);
        }

        #[test]
        fn symmetric_hypotheses_are_fair(pairs in counts(), model in model(), elo in 0.01_f64..300.0) {
            let sprt = test(-elo, elo, model);
            let mut other = pairs;
            other.0.reverse();
            let (ours, theirs) = (sprt.llr(&pairs), sprt.llr(&other));
            prop_assert!((ours + theirs).abs() <= 1e-8 * (1.0 + ours.abs()), "{} {}", ours, theirs);
        }

        #[test]
        fn results_speak_for_the_hypothesis_they_fit(
            counts in prop::array::uniform5(1_u64..=1000), model in model(), elo0 in -100.0_f64..100.0,
        ) {
            let pairs = Pentanomial(counts);
            let shares = counts.map(|count| count as f64 / pairs.pairs() as f64);
            let sprt = test(elo0, elo0 + 20.0, model);
            for (elo, sign) in [(sprt.elo0, -1.0), (sprt.elo1, 1.0)] {
                let fitting = sprt.likeliest(&shares, elo).map(|p| (1e6 * p).round() as u64);
                prop_assert!(sign * sprt.llr(&Pentanomial(fitting)) > 0.0);
            }
        }

        #[test]
        fn bounds_are_on_either_side(alpha in 0.0001_f64..0.4999, beta in 0.0001_f64..0.4999) {
            let (lower, upper) = Sprt::new(0.0, 5.0, alpha, beta, Model::Logistic).unwrap().bounds();
            prop_assert!(lower < 0.0 && 0.0 < upper);
        }
    }
}
