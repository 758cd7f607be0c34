// SPDX-License-Identifier: GPL-3.0-or-later
//! Scores, intervals, Elo differences and sequential tests.
//!
//! [`Tally`] counts games, [`Pentanomial`] counts pairs of games. Both give a score with its 95 % interval, Elo
//! differences ([`Elo`]) and the likelihood of superiority. [`Sprt`] decides when enough games have been played.
//! [`Figures`] has all of these together.
//!
//! Figures are computed from pairs if pairs are known. The two games of an opening depend on each other, and an interval
//! that treats them as independent is usually too wide. The figures equal those of fastchess, except where nearly all
//! results are alike: there the interval of fastchess is too narrow, or empty, and this one is not.

mod elo;
mod figures;
mod likeliest;
mod pentanomial;
mod sprt;
mod tally;

use std::f64::consts::FRAC_1_SQRT_2;

pub use elo::{Elo, Estimate, expected_score};
pub use figures::{Figures, SprtFigures};
pub use pentanomial::Pentanomial;
pub use sprt::{Decision, Model, Sprt, SprtError};
pub use tally::Tally;

/// The two-sided 95 % quantile of the normal distribution. More digits would change the last digits of published results.
pub const Z_95: f64 = 1.959_963_985;

/// The probability that a normally distributed number with mean 0 and variance 1 is below `z`, exact to about the last
/// digit. (The complementary error function of `libm` is FreeBSD's, with an error of at most one unit in the last place.)
pub fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// Half the width of the 95 % interval of a score, the mean of `count` independent observations from 0 to 1 with this
/// variance. The mean is taken as normally distributed. One half without observations.
///
/// If nearly all observations are alike, their variance says too little: with none that differs it is zero. So the interval
/// is at least as wide as if one more observation had ended as far from the mean as it can. For 200 alike this gives
/// 0.98 %, where the likelihood interval (all probabilities above exp(-z²/2) of the greatest) has 0.96 %.
fn margin(count: u64, mean: f64, variance: f64) -> f64 {
    if count == 0 {
        return 0.5;
    }
    let count = count as f64;
    let farthest = mean.max(1.0 - mean);
    let least = Z_95 * farthest / (count * (count + 1.0)).sqrt();
    (Z_95 * (variance / count).sqrt()).max(least.min(farthest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_at_known_places() {
        // Abramowitz and Stegun, table 26.1.
        for (z, below) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
        ] {
            assert!((normal(z) - below).abs() < 1e-15, "{z}: {}", normal(z));
        }
        assert!((normal(Z_95) - 0.975).abs() < 1e-10);
        assert_eq!((normal(f64::NEG_INFINITY), normal(f64::INFINITY)), (0.0, 1.0));
    }
}
