// SPDX-License-Identifier: GPL-3.0-or-later
//! The logistic model: a logit as a probability of winning, and the loss of that probability against a result.

/// The place of the least value of a function with one valley between two places.
pub(super) fn golden_section(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..60 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if value(left) < value(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}

/// The probability of winning at a logit.
pub(crate) fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Negative log-likelihood, without overflow.
pub(super) fn loss(logit: f64, result: f64) -> f64 {
    logit.max(0.0) - logit * result + (-logit.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_overflow_nowhere() {
        assert!((loss(0.0, 0.5) - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(loss(1e6, 1.0), 0.0);
        assert_eq!(loss(-1e6, 1.0), 1e6);
    }
}
