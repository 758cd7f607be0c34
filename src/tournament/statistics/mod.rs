// SPDX-License-Identifier: GPL-3.0-or-later
//! What results are worth.
//!
//! [`Tally`] counts games, [`Pentanomial`] pairs of games; both give a score with its 95 % interval, Elo differences
//! ([`Elo`]) and the likelihood of superiority. [`Sprt`] says when enough has been played, and [`Figures`] is all of it
//! at once.
//!
//! Pairs are to be preferred where they are known: the two games of an opening, colours swapped, depend on each other,
//! and an interval that takes them as independent is mostly too wide. The same counts give the same figures as in
//! fastchess, except where all of them are alike: there its formulas divide by zero, and ours claim no certainty.

mod elo;
mod figures;
mod likeliest;
mod pentanomial;
mod sprt;
mod tally;

use std::f64::consts::FRAC_1_SQRT_2;

pub use elo::{Elo, expected_score};
pub use figures::{Figures, SprtFigures};
pub use pentanomial::Pentanomial;
pub use sprt::{Decision, Model, Sprt, SprtError};
pub use tally::Tally;

/// The two-sided 95 % quantile of the normal distribution. More digits would change published results in their last
/// ones.
pub const Z_95: f64 = 1.959_963_985;

/// The probability that a normally distributed number of mean 0 and variance 1 is below `z`: 0 to 1, exact to about the
/// last digit (`libm`'s complementary error function is FreeBSD's, within one unit in the last place).
#[must_use]
pub fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// The 95 % half width of a score of which `count` independent observations were all alike. Their spread, zero, would
/// claim certainty; this is Wilson's bound. One half if there are none.
fn margin_if_alike(count: u64) -> f64 {
    if count == 0 {
        return 0.5;
    }
    Z_95 * Z_95 / (count as f64 + Z_95 * Z_95)
}

/// The likelihood of superiority: how probable it is, of a score with that 95 % half width, that the true one is above
/// one half (the mean as normal, all strengths equally probable beforehand).
fn superiority(score: f64, margin: f64) -> f64 {
    normal((score - 0.5) * Z_95 / margin)
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
