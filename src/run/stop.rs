// SPDX-License-Identifier: GPL-3.0-or-later
//! The wish to stop, told to whoever works.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that all its clones share: once raised it stays up, and long work looks at it now and then.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    raised: Arc<AtomicBool>,
    /// The flag of the whole that this is a part of.
    whole: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// Asks everybody to stop.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked, here or for the whole.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        let is_raised = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        is_raised(&self.raised) || self.whole.as_ref().is_some_and(is_raised)
    }

    /// A flag for a part of the work: raised with this one, but raising it stops the part alone.
    #[must_use]
    pub fn of_a_part(&self) -> Self {
        Self { raised: Arc::default(), whole: Some(Arc::clone(&self.raised)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_with_the_whole_and_not_the_other_way_round() {
        let whole = Stop::default();
        let (one, other) = (whole.of_a_part(), whole.of_a_part());
        one.raise();
        assert!(one.is_raised() && !whole.is_raised() && !other.is_raised());
        whole.clone().raise();
        assert!(other.is_raised());
    }
}
