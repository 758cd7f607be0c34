// SPDX-License-Identifier: GPL-3.0-or-later
//! When enough is known to reject a feature.

use std::ops::ControlFlow;

use super::measure::WHOLE;

/// Follows the longest finished prefix of a list of searches, until it shows that a bar cannot be reached.
pub(super) struct Prefix {
    credits: Vec<Option<u64>>,
    length: usize,
    /// The credit lost so far: the difference from the greatest possible credit of the prefix.
    lost: u64,
    /// The greatest tolerable loss; none if there is no bar.
    tolerable: Option<u64>,
}

impl Prefix {
    /// Of a list of `searches`, `repeats` for each position, with a least value in positions, which [`value`] rounds.
    pub fn new(searches: usize, repeats: usize, bar: Option<i64>) -> Self {
        let position = repeats as u64 * WHOLE;
        let possible = searches as u64 * WHOLE + position / 2;
        // A bar that is out of reach from the beginning tolerates no loss, and decides at the first failure.
        let tolerable =
            bar.map(|bar| possible.saturating_sub(u64::try_from(bar).unwrap_or(0).saturating_mul(position)));
        Self { credits: vec![None; searches], length: 0, lost: 0, tolerable }
    }

    pub fn enter(&mut self, index: usize, credit: u64) -> ControlFlow<()> {
        self.credits[index] = Some(credit);
        while !self.is_decided()
            && let Some(&Some(credit)) = self.credits.get(self.length)
        {
            self.length += 1;
            self.lost += WHOLE - credit;
        }
        if self.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_decided(&self) -> bool {
        self.tolerable.is_some_and(|tolerable| self.lost > tolerable)
    }

    /// How many searches count: all, unless fewer were enough to decide.
    pub fn decided_at(&self) -> usize {
        if self.is_decided() { self.length } else { self.credits.len() }
    }
}

/// A sum of credits as a value in positions, minus a penalty.
pub(super) fn value(credit: u64, repeats: usize, penalty: f64) -> i64 {
    (credit as f64 / (repeats as u64 * WHOLE) as f64 - penalty).round() as i64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The place at which a list of results, entered in order, decides.
    fn decided(results: &[bool], bar: Option<i64>, arrival: &[usize]) -> usize {
        let credits: Vec<u64> = results.iter().map(|&solved| WHOLE * u64::from(solved)).collect();
        enter(&credits, 1, bar, arrival)
    }

    fn enter(credits: &[u64], repeats: usize, bar: Option<i64>, arrival: &[usize]) -> usize {
        let mut prefix = Prefix::new(credits.len(), repeats, bar);
        for &index in arrival {
            if prefix.enter(index, credits[index]).is_break() {
                break;
            }
        }
        prefix.decided_at()
    }

    #[test]
    fn the_prefix_decides_and_not_the_order_of_arrival() {
        let results = [true, false, false, true, false, true];
        let in_order = [0, 1, 2, 3, 4, 5];
        // Five of six are wanted: the second failure decides, which is the third position.
        assert_eq!(decided(&results, Some(5), &in_order), 3);
        assert_eq!(decided(&results, Some(5), &[5, 4, 3, 2, 1, 0]), 3);
        // Three can be had, four cannot: the last failure decides.
        assert_eq!(decided(&results, Some(4), &in_order), 5);
        for bar in [None, Some(3), Some(0), Some(-5)] {
            assert_eq!(decided(&results, bar, &in_order), 6);
        }
        assert_eq!(decided(&results, Some(7), &in_order), 2);
    }

    proptest! {
        #[test]
        fn only_what_cannot_reach_the_bar_is_decided(
            credits in prop::collection::vec(0..=WHOLE, 1..40),
            repeats in 1_usize..4,
            bar in -2_i64..50,
        ) {
            let in_order: Vec<usize> = (0..credits.len()).collect();
            let counted = enter(&credits, repeats, Some(bar), &in_order);
            let all = value(credits.iter().sum(), repeats, 0.0);
            // What is searched to the end reaches the bar, or falls with the last search.
            prop_assert!(counted == credits.len() || all < bar);
            let known: u64 = credits[..counted].iter().sum();
            let bound = value(known + (credits.len() - counted) as u64 * WHOLE, repeats, 0.0);
            prop_assert!(bound >= all);
            prop_assert!(counted == credits.len() || bound < bar);
        }
    }
}
