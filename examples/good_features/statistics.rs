// SPDX-License-Identifier: GPL-3.0-or-later
//! Rank correlation with its interval, and least squares with an honest error.

/// Half the width of a 95 % interval in standard errors.
const Z_95: f64 = 1.959_963_984_540_054;

/// Spearman's rank correlation with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankCorrelation {
    /// The correlation, -1 to 1.
    pub rho: f64,
    /// The ends of the interval; none where the two orders are the same or opposite, which the approximation does not cover.
    pub interval: Option<[f64; 2]>,
}

impl RankCorrelation {
    /// Of two columns of more than three values. The interval is that of Fisher's transformation with the variance of
    /// D. G. Bonett and T. A. Wright, "Sample size requirements for estimating Pearson, Kendall and Spearman correlations"
    /// (*Psychometrika*, 2000): (1 + rho²/2) / (n − 3).
    pub fn of(one: &[f64], other: &[f64]) -> Self {
        let rho = correlation(&ranks(one), &ranks(other));
        let error = ((1.0 + rho * rho / 2.0) / (one.len() as f64 - 3.0)).sqrt();
        let end = |sign: f64| (rho.atanh() + sign * Z_95 * error).tanh();
        Self { rho, interval: (rho.abs() < 1.0 - 1e-9).then(|| [end(-1.0), end(1.0)]) }
    }
}

/// The place of each value among all, from 1; equal values share the mean of their places.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        below as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

/// Pearson's correlation.
fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let (mean_one, mean_other) = (mean(one), mean(other));
    let sum = |pairs: &mut dyn Iterator<Item = (f64, f64)>| pairs.map(|(a, b)| a * b).sum::<f64>();
    let from_mean = |values: &[f64], mean: f64| values.iter().map(|value| value - mean).collect::<Vec<_>>();
    let (one, other) = (from_mean(one, mean_one), from_mean(other, mean_other));
    let product = |a: &[f64], b: &[f64]| sum(&mut a.iter().copied().zip(b.iter().copied()));
    product(&one, &other) / (product(&one, &one) * product(&other, &other)).sqrt()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A linear function of some inputs, the first of them 1, with the least squared error.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit<const N: usize> {
    /// What each input counts.
    pub weights: [f64; N],
    /// The share of the variance that it explains (R²).
    pub explained: f64,
    /// The mean absolute error on each output, predicted from the others (leave one out).
    pub error: f64,
}

impl<const N: usize> Fit<N> {
    /// The fit; none if the inputs do not determine it, with any one of them left out.
    pub fn of(inputs: &[[f64; N]], outputs: &[f64]) -> Option<Self> {
        let weights = solve(inputs, outputs, None)?;
        let mut error = 0.0;
        for (left_out, (input, output)) in inputs.iter().zip(outputs).enumerate() {
            error += (output - predict(&solve(inputs, outputs, Some(left_out))?, input)).abs();
        }
        let mean = mean(outputs);
        let variance: f64 = outputs.iter().map(|output| (output - mean).powi(2)).sum();
        let residual: f64 =
            inputs.iter().zip(outputs).map(|(input, output)| (output - predict(&weights, input)).powi(2)).sum();
        Some(Self { weights, explained: 1.0 - residual / variance, error: error / outputs.len() as f64 })
    }
}

fn predict<const N: usize>(weights: &[f64; N], input: &[f64; N]) -> f64 {
    weights.iter().zip(input).map(|(weight, value)| weight * value).sum()
}

/// Solves the normal equations by Gaussian elimination, with one input left out if asked for. They are small, and positive
/// definite if they have a solution, so that no pivot need be chosen.
fn solve<const N: usize>(inputs: &[[f64; N]], outputs: &[f64], left_out: Option<usize>) -> Option<[f64; N]> {
    let mut matrix = [[0.0; N]; N];
    let mut right = [0.0; N];
    for (place, (input, output)) in inputs.iter().zip(outputs).enumerate() {
        if Some(place) == left_out {
            continue;
        }
        for row in 0..N {
            right[row] += input[row] * output;
            for column in 0..N {
                matrix[row][column] += input[row] * input[column];
            }
        }
    }
    for pivot in 0..N {
        if matrix[pivot][pivot].abs() < 1e-12 {
            return None;
        }
        let pivot_row = matrix[pivot];
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / pivot_row[pivot];
            for (value, of_pivot) in matrix[row].iter_mut().zip(pivot_row) {
                *value -= factor * of_pivot;
            }
            right[row] -= factor * right[pivot];
        }
    }
    let mut weights = [0.0; N];
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|column| matrix[row][column] * weights[column]).sum();
        weights[row] = (right[row] - known) / matrix[row][row];
    }
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
    }

    /// Checked by hand: the differences of the ranks are 1, 1, 0, 1 and 1, so rho = 1 - 6 * 4 / (5 * 24).
    #[test]
    fn the_order_counts_and_not_the_size() {
        let RankCorrelation { rho, interval } =
            RankCorrelation::of(&[1.0, 2.0, 3.0, 40.0, 500.0], &[2.0, 1.0, 3.0, 5.0, 4.0]);
        assert!((rho - 0.8).abs() < 1e-12);
        let [low, high] = interval.unwrap();
        // tanh(1.0986 ± 1.96 * sqrt(1.32 / 2)).
        assert!((low - -0.4578).abs() < 1e-3 && (high - 0.9908).abs() < 1e-3, "{low} {high}");
        let reversed = RankCorrelation::of(&[1.0, 2.0, 3.0, 4.0], &[4.0, 3.0, 2.0, 1.0]);
        assert!((reversed.rho + 1.0).abs() < 1e-12 && reversed.interval.is_none());
    }

    #[test]
    fn a_line_is_found_again() {
        let inputs = [[1.0, 0.0, 2.0], [1.0, 1.0, 0.0], [1.0, 2.0, 5.0], [1.0, 3.0, 1.0], [1.0, 5.0, 4.0]];
        let outputs = inputs.map(|[_, x, y]| 0.5 + 2.0 * x - 3.0 * y);
        let fit = Fit::of(&inputs, &outputs).unwrap();
        for (weight, expected) in fit.weights.iter().zip([0.5, 2.0, -3.0]) {
            assert!((weight - expected).abs() < 1e-9);
        }
        assert!((fit.explained - 1.0).abs() < 1e-9 && fit.error < 1e-9);
    }

    #[test]
    fn the_error_is_that_of_predictions() {
        // The mean of the others is 3, 2 and 1: each is off by its distance from that.
        let fit = Fit::of(&[[1.0]; 3], &[0.0, 2.0, 4.0]).unwrap();
        assert_eq!(fit.weights, [2.0]);
        assert!((fit.error - 2.0).abs() < 1e-12);
    }

    #[test]
    fn inputs_that_determine_nothing_have_no_fit() {
        assert_eq!(Fit::of(&[[1.0, 2.0]; 4], &[1.0, 2.0, 3.0, 4.0]), None);
    }
}
