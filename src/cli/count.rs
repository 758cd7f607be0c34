// SPDX-License-Identifier: GPL-3.0-or-later
//! Counts on the command line.

use std::ops::{Bound, RangeBounds};

use crate::base::figures;

/// A value parser for counts in a range, as people type them: `10k`, `1_000`, `1e5`, `1M`.
pub fn count<T: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = figures::count(text).filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| refusal(&range))
    }
}

fn refusal(range: &impl RangeBounds<u64>) -> String {
    let least = match range.start_bound() {
        Bound::Included(&least) | Bound::Excluded(&least) => least,
        Bound::Unbounded => 0,
    };
    let bounds = match range.end_bound() {
        Bound::Included(most) => format!(" from {least} to {most}"),
        _ if least > 0 => format!(" of at least {least}"),
        _ => String::new(),
    };
    format!("a whole number{bounds} is wanted; 10k, 1_000, 1e5 and 1M are read, too")
}
