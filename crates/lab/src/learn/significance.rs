// SPDX-License-Identifier: GPL-3.0-or-later
//! Whether a gain is real: the exact test of McNemar (1947) on the positions that only one of two features solves.
//!
//! Two searches that extend differently solve different positions even if neither is better. If neither is better, a
//! position that only one of them solves is equally likely to be solved by either.

use super::worth::Worth;

/// The positions that only one of two features solves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Solved by the first alone.
    pub gained: usize,
    /// Solved by the second alone.
    pub lost: usize,
}

impl Differences {
    /// Compares the credit of each position: by default 1 if it is solved. A position counts once, however often it was
    /// searched, for the feature with the greater credit (the test is then the sign test).
    pub fn of(first: &[u64], second: &[u64]) -> Self {
        let more = |one: &[u64], other: &[u64]| one.iter().zip(other).filter(|(one, other)| one > other).count();
        Self { gained: more(first, second), lost: more(second, first) }
    }

    /// The two-sided p-value: how likely differences at least as one-sided are if neither feature is better, 0 to 1.
    pub fn p_value(self) -> f64 {
        let differing = self.gained + self.lost;
        let extreme = self.gained.max(self.lost);
        // In logarithms, because factorials of the number of positions can overflow.
        let log_half = (differing as f64) * 0.5_f64.ln();
        let mut log_choose = 0.0;
        let mut tail = 0.0;
        for (taken, more) in (1..=differing).rev().zip(0..).take(differing - extreme + 1) {
            // Here `more` of the differing positions lie on the other side.
            tail += (log_choose + log_half).exp();
            log_choose += (taken as f64 / (more + 1) as f64).ln();
        }
        if differing == 0 { 1.0 } else { (2.0 * tail).min(1.0) }
    }
}

/// Two evaluations on the same positions, both complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Where they differ.
    pub differences: Differences,
    /// The p-value of the difference, 0 to 1.
    pub p: f64,
}

impl Comparison {
    /// Compares the first, which is the best of `tried`, with the second: its p-value is multiplied by that number
    /// (Bonferroni).
    pub fn of_best(first: &Worth, second: &Worth, tried: usize) -> Self {
        let differences = Differences::of(&first.credits, &second.credits);
        Self { differences, p: (differences.p_value() * tried as f64).min(1.0) }
    }

    /// Whether the first is better on more positions than the second.
    pub fn is_gain(&self) -> bool {
        self.differences.gained > self.differences.lost
    }
}

/// Which of several comparisons are significant together: the probability that any of those marked is luck is at most
/// the level (Holm, *A simple sequentially rejective multiple test procedure*, 1979).
pub fn holm(p_values: &[f64], level: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let mut significant = vec![false; p_values.len()];
    for (rank, &place) in order.iter().enumerate() {
        if p_values[place] > level / (p_values.len() - rank) as f64 {
            break;
        }
        significant[place] = true;
    }
    significant
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(gained: usize, lost: usize) -> f64 {
        Differences { gained, lost }.p_value()
    }

    #[test]
    fn positions_are_counted_on_their_side() {
        let differences = Differences::of(&[1, 1, 1, 0, 0, 1], &[0, 1, 0, 1, 0, 0]);
        assert_eq!(differences, Differences { gained: 3, lost: 1 });
        // With repeated searches, the feature that solves a position more often counts.
        assert_eq!(Differences::of(&[3, 1, 2, 0], &[2, 3, 2, 0]), Differences { gained: 1, lost: 1 });
        assert_eq!(Differences::of(&[], &[]), Differences::default());
    }

    #[test]
    fn the_best_of_many_must_be_better_than_one_alone() {
        // The thresholds are 0.0125, 0.0167, 0.025 and 0.05, and end with the first that is missed.
        assert_eq!(holm(&[0.02, 0.001, 0.04, 0.012], 0.05), [true, true, true, true]);
        assert_eq!(holm(&[0.03, 0.001, 0.04, 0.012], 0.05), [false, true, false, true]);
        assert_eq!(holm(&[0.02, 0.02], 0.05), [true, true]);
        assert_eq!(holm(&[0.03, 0.04], 0.05), [false, false]);
        assert!(holm(&[], 0.05).is_empty());
    }

    #[test]
    fn the_test_is_the_sign_test_of_the_differing_positions() {
        // By hand: 2 (1 + 10) / 2^10 and 2 (1 + 12 + 66) / 2^12.
        assert!((p(9, 1) - 22.0 / 1024.0).abs() < 1e-12);
        assert!((p(2, 10) - 158.0 / 4096.0).abs() < 1e-12);
        assert!((p(5, 0) - 2.0 / 32.0).abs() < 1e-12);
        for even in [(0, 0), (1, 1), (1, 0), (7, 7), (5, 6)] {
            assert!((p(even.0, even.1) - 1.0).abs() < 1e-12, "{even:?}");
        }
        // Too many for factorials: about four and a half standard deviations.
        let many = p(5225, 4775);
        assert!((6e-6..8e-6).contains(&many), "{many}");
    }
}
