// SPDX-License-Identifier: GPL-3.0-or-later
//! A flag that stops work.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that its clones share. Once raised it stays raised, and long work checks it now and then.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    raised: Arc<AtomicBool>,
    /// The flag of the work that this is a part of.
    whole: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// Raises the flag.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for a handler of signals, which can set a flag and do little else.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.raised)
    }

    /// Whether the flag is raised, or that of the whole work.
    pub fn is_raised(&self) -> bool {
        let is_raised = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        is_raised(&self.raised) || self.whole.as_ref().is_some_and(is_raised)
    }

    /// Whether a search goes on: not if the flag is raised or the caller has heard enough.
    pub fn unless(&self, is_enough: bool) -> ControlFlow<()> {
        if is_enough || self.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// A flag for a part of the work. It counts as raised if this one is, but raising it stops only the part.
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
