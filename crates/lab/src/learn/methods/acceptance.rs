// SPDX-License-Identifier: GPL-3.0-or-later
//! When a table is enough better than the one that it was made from to be kept.

use clap::Args;
use serde::Serialize;

use super::super::fitness::Bar;
use super::super::settings::{SettingError, defaults};
use super::super::significance::Comparison;
use super::super::worth::Worth;
use halfply_engine::base::figures::count_in;

/// The conditions for combinations and for rows of a disjunction.
#[derive(Clone, Copy, Debug, PartialEq, Args, Serialize)]
pub struct Acceptance {
    /// How many more positions than its first parent a combination must solve to be kept
    // It cannot be negative: the order in which parents are paired relies on it.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = count_in::<u32>(0..))]
    pub epsilon: u32,
    /// Also prune combinations that solve exactly epsilon more than their parent
    // Ours: with epsilon 0 the papers keep all the combinations that change nothing.
    #[arg(long)]
    pub strictly_better: bool,
    /// Stop searching for a combination once it can no longer be kept: the output is the same, with less work, but the
    /// values of pruned combinations are only bounds
    // Ours.
    #[arg(long)]
    pub early_rejection: bool,
    /// Also prune combinations whose gain has a higher p-value than this (exact McNemar test)
    // Ours.
    #[arg(long, value_name = "P")]
    pub significance: Option<f64>,
}

impl Default for Acceptance {
    fn default() -> Self {
        defaults()
    }
}

impl Acceptance {
    /// Whether all are the defaults, for brute force without rows: nothing uses them there.
    ///
    /// # Errors
    /// Names one that is not.
    pub fn check_unused(&self) -> Result<(), SettingError> {
        let Self { epsilon, strictly_better, early_rejection, significance } = *self;
        let changed = [
            ("epsilon", (epsilon != Self::default().epsilon).then(|| epsilon.to_string())),
            ("strictly-better", strictly_better.then(String::new)),
            ("early-rejection", early_rejection.then(String::new)),
            ("significance", significance.map(|level| level.to_string())),
        ];
        let found = changed.into_iter().find_map(|(option, given)| Some((option, given?)));
        found.map_or(Ok(()), |(option, given)| {
            let reason = "brute force keeps every feature; this decides only about rows of a disjunction: add --rows";
            Err(SettingError::new(option, given, reason))
        })
    }

    /// The least value that is kept, given the value of the parent.
    pub fn least(&self, parent: i64) -> i64 {
        parent + i64::from(self.epsilon) + i64::from(self.strictly_better)
    }

    /// Whether a gain is significant; any is if no level is set.
    pub fn is_significant(&self, comparison: Comparison) -> bool {
        self.significance.is_none_or(|level| comparison.is_gain() && comparison.p <= level)
    }

    /// The bar below which a table need not be searched further; none without early rejection.
    pub fn bar<'a>(&self, value: i64, parent: &'a Worth) -> Option<Bar<'a>> {
        self.early_rejection.then_some(Bar { value, solved_by_parent: &parent.solved })
    }
}
