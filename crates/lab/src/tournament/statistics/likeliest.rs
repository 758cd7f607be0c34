// SPDX-License-Identifier: GPL-3.0-or-later
//! Of all distributions over the kinds of pairs that fit a hypothesis, the one that maximizes the likelihood of the
//! results.
//!
//! Let p̂ be the observed shares of the kinds of pairs. The likelihood of a distribution p is maximal where Σ p̂ ln p is
//! maximal. Let the hypothesis be linear: Σ p x = 0, with a value x for each kind of pair. By Lagrange multipliers,
//! p = p̂ / (1 + θ x), whose sum is 1 automatically, and θ is the solution of Σ p̂ x / (1 + θ x) = 0. While all p are
//! positive, this function falls from plus to minus infinity, so bisection finds θ.
//!
//! *Hypothesis: the mean of the scores a is s.* This is linear: x = a - s.
//!
//! *Hypothesis: mean and standard deviation of b = a - 1/2 have the ratio t.* Let m be the mean of b, and q² the mean of
//! b². Then m = t √(q² - m²), or m = c q with c = t / √(1 + t²). This is not linear. But at the maximum, only value and
//! gradient of m - c q matter, and the linear expression m - c (q² / w + w) / 2 has the same value and gradient there, if
//! w is a constant that equals q at the maximum. So x = b - c (b² / w + w) / 2, and we search for a w whose maximum has
//! q = w. Negative t are treated as positive ones of the other player, so 0 <= c < 1. Then w = 1/2 always has a solution
//! and is too large, because q is smaller if any pair has points for both players. If w is too small, then either q
//! exceeds it, or there is no θ. So bisection finds w as well.
//!
//! If the results are better than the hypothesis, there is exactly one such w, because the distributions with m <= c q
//! are a convex set. Otherwise there may be several local maxima. Compared with trying all w, bisection found the global
//! maximum for hypotheses up to 100 Elo, except when all pairs were drawn: it missed 0.003 then. For hypotheses some
//! hundreds of Elo away from the results it may miss more.

use super::Pentanomial;

/// Steps of each bisection: enough for the precision of an `f64`.
const HALVINGS: u32 = 60;

/// The likeliest distribution with this mean score.
pub(super) fn with_mean(shares: &[f64; 5], score: f64) -> [f64; 5] {
    with_zero_mean(shares, &Pentanomial::SCORES.map(|of_pair| of_pair - score))
}

/// The likeliest distribution whose mean score is this many standard deviations (of a pair) above one half.
pub(super) fn with_ratio(shares: &[f64; 5], ratio: f64) -> [f64; 5] {
    if ratio < 0.0 {
        return reversed(with_ratio(&reversed(*shares), -ratio));
    }
    let slope = ratio / (1.0 + ratio * ratio).sqrt();
    let above = Pentanomial::SCORES.map(|of_pair| of_pair - 0.5);
    let values = |w: f64| above.map(|b| b - slope * (b * b / w + w) / 2.0);
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..HALVINGS {
        let w = (low + high) / 2.0;
        let values = values(w);
        let possible = values.iter().any(|&x| x > 0.0);
        let too_large = possible && {
            let p = with_zero_mean(shares, &values);
            p.iter().zip(above).map(|(p, b)| p * b * b).sum::<f64>() < w * w
        };
        if too_large { high = w } else { low = w }
    }
    // The upper end always has a solution.
    with_zero_mean(shares, &values(high))
}

/// The likeliest distribution under which these values have the mean zero. Some must be positive and some negative.
fn with_zero_mean(shares: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let part = |theta: f64| {
        let mut parts = *shares;
        for (part, x) in parts.iter_mut().zip(values) {
            *part /= 1.0 + theta * x;
        }
        parts
    };
    // No probability exceeds 1. This bounds θ on both sides.
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (share, x) in shares.iter().zip(values) {
        let bound = (share - 1.0) / x;
        if *x > 0.0 {
            low = low.max(bound)
        } else if *x < 0.0 {
            high = high.min(bound)
        }
    }
    for _ in 0..HALVINGS {
        let theta = (low + high) / 2.0;
        let mean: f64 = part(theta).iter().zip(values).map(|(p, x)| p * x).sum();
        if mean > 0.0 { low = theta } else { high = theta }
    }
    part((low + high) / 2.0)
}

fn reversed([a, b, c, d, e]: [f64; 5]) -> [f64; 5] {
    [e, d, c, b, a]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tournament::statistics::expected_score;

    fn shares() -> impl Strategy<Value = [f64; 5]> {
        prop::array::uniform5(0.001_f64..1.0).prop_map(|parts| parts.map(|part| part / parts.iter().sum::<f64>()))
    }

    /// Mean and standard deviation of the score; the sum of the probabilities has to be 1.
    fn moments(p: &[f64; 5]) -> (f64, f64) {
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{p:?}");
        let mean: f64 = p.iter().zip(Pentanomial::SCORES).map(|(p, score)| p * score).sum();
        let variance: f64 = p.iter().zip(Pentanomial::SCORES).map(|(p, score)| p * (score - mean).powi(2)).sum();
        (mean, variance.sqrt())
    }

    fn likelihood(shares: &[f64; 5], p: &[f64; 5]) -> f64 {
        shares.iter().zip(p).map(|(share, p)| share * p.ln()).sum()
    }

    proptest! {
        #[test]
        fn the_likeliest_distribution_fits_the_hypothesis(shares in shares(), elo in -300.0_f64..300.0) {
            let (mean, _) = moments(&with_mean(&shares, expected_score(elo)));
            prop_assert!((mean - expected_score(elo)).abs() < 1e-9, "{}", mean);
            let ratio = elo / 347.4;
            let (mean, deviation) = moments(&with_ratio(&shares, ratio));
            prop_assert!(((mean - 0.5) / deviation - ratio).abs() < 1e-9, "{} {}", mean, deviation);
        }

        #[test]
        fn no_other_that_fits_is_likelier(shares in shares(), other in shares(), elo in -100.0_f64..100.0) {
            // Whatever results there are: what is likeliest for others fits the same hypothesis.
            for likeliest in [
                |shares: &[f64; 5], elo| with_mean(shares, expected_score(elo)),
                |shares: &[f64; 5], elo| with_ratio(shares, elo / 347.4),
            ] {
                let best = likelihood(&shares, &likeliest(&shares, elo));
                prop_assert!(best >= likelihood(&shares, &likeliest(&other, elo)) - 1e-12);
            }
        }
    }
}
