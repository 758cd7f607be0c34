// SPDX-License-Identifier: GPL-3.0-or-later
//! Logistic regression by Newton's method, with a small ridge so that terms that never vary get no weight.

/// The ridge: a weight of one costs as much as this much log-likelihood, twice.
const RIDGE: f64 = 1.0;

/// Newton's method ends when no weight changes by more than this, or after so many steps; usually eight are enough.
const PRECISION: f64 = 1e-4;
const MOST_STEPS: usize = 30;

/// Examples for a regression: in each row the values of all terms, and whether the event happened.
pub trait Examples {
    /// How many terms there are.
    fn terms(&self) -> usize;

    /// Calls `each` with the terms of every example, in the same order every time, and its outcome.
    fn each(&self, each: &mut dyn FnMut(&[f64], bool));
}

/// The probability at a logit, the same on every machine.
pub fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

/// Negative log-likelihood of an outcome, without overflow.
pub fn loss(logit: f64, happened: bool) -> f64 {
    let against = if happened { -logit } else { logit };
    against.max(0.0) + libm::log1p(libm::exp(-against.abs()))
}

/// The logit of these terms.
pub fn logit(weights: &[f64], terms: &[f64]) -> f64 {
    weights.iter().zip(terms).map(|(weight, term)| weight * term).sum()
}

/// The weights with the greatest likelihood, one for each term, from `start`.
pub fn fit(examples: &impl Examples, start: &[f64]) -> Vec<f64> {
    let terms = examples.terms();
    let mut weights = start.to_vec();
    weights.resize(terms, 0.0);
    for _ in 0..MOST_STEPS {
        let mut gradient: Vec<f64> = weights.iter().map(|weight| RIDGE * weight).collect();
        let mut curvature = vec![vec![0.0; terms]; terms];
        for (index, row) in curvature.iter_mut().enumerate() {
            row[index] = RIDGE;
        }
        let mut nonzero = Vec::with_capacity(terms);
        examples.each(&mut |values, happened| {
            let expected = probability(logit(&weights, values));
            let (error, variance) = (expected - f64::from(u8::from(happened)), expected * (1.0 - expected));
            nonzero.clear();
            nonzero.extend(values.iter().copied().enumerate().filter(|&(_, value)| value != 0.0));
            for (place, &(row, value)) in nonzero.iter().enumerate() {
                gradient[row] += error * value;
                let scaled = variance * value;
                for &(column, other) in &nonzero[..=place] {
                    curvature[row][column] += scaled * other;
                }
            }
        });
        let step = solve(&mut curvature, &gradient);
        for (weight, change) in weights.iter_mut().zip(&step) {
            *weight -= change;
        }
        if step.iter().all(|change| change.abs() < PRECISION) {
            break;
        }
    }
    weights
}

/// Solves a symmetric, positive definite system by Cholesky's decomposition; the matrix, of which only the lower half is
/// read, is overwritten.
fn solve(matrix: &mut [Vec<f64>], right: &[f64]) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let before: f64 = (0..column).map(|inner| matrix[row][inner] * matrix[column][inner]).sum();
            let rest = matrix[row][column] - before;
            // The ridge keeps the matrix positive definite, but for rounding.
            matrix[row][column] = if row == column { rest.max(1e-12).sqrt() } else { rest / matrix[column][column] };
        }
    }
    let mut solution = right.to_vec();
    for row in 0..size {
        let before: f64 = (0..row).map(|inner| matrix[row][inner] * solution[inner]).sum();
        solution[row] = (solution[row] - before) / matrix[row][row];
    }
    for row in (0..size).rev() {
        let after: f64 = (row + 1..size).map(|inner| matrix[inner][row] * solution[inner]).sum();
        solution[row] = (solution[row] - after) / matrix[row][row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of outcomes for each value of the terms.
    struct Counted(Vec<(Vec<f64>, [u32; 2])>);

    impl Examples for Counted {
        fn terms(&self) -> usize {
            self.0[0].0.len()
        }

        fn each(&self, each: &mut dyn FnMut(&[f64], bool)) {
            for (terms, counts) in &self.0 {
                for happened in [false, true] {
                    (0..counts[usize::from(happened)]).for_each(|_| each(terms, happened));
                }
            }
        }
    }

    #[test]
    fn probabilities_that_a_model_can_have_are_found() {
        // One in ten without the term, one in two with it; the third term is never set.
        let examples = Counted(vec![(vec![1.0, 0.0, 0.0], [90_000, 10_000]), (vec![1.0, 1.0, 0.0], [50_000, 50_000])]);
        let weights = fit(&examples, &[]);
        assert!((probability(weights[0]) - 0.1).abs() < 1e-3, "{weights:?}");
        assert!((probability(weights[0] + weights[1]) - 0.5).abs() < 1e-3, "{weights:?}");
        assert_eq!(weights[2], 0.0);
        assert_eq!(fit(&examples, &weights).len(), 3);
    }

    #[test]
    fn a_system_is_solved() {
        let mut matrix = vec![vec![4.0, 0.0, 0.0], vec![2.0, 5.0, 0.0], vec![1.0, 3.0, 6.0]];
        let solution = solve(&mut matrix, &[11.0, 21.0, 25.0]);
        for (found, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-9, "{solution:?}");
        }
    }

    #[test]
    fn losses_overflow_nowhere() {
        assert!((loss(0.0, true) - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!((loss(1e6, true), loss(-1e6, false), loss(1e6, false)), (0.0, 0.0, 1e6));
    }
}
