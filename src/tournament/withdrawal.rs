// SPDX-License-Identifier: GPL-3.0-or-later
//! Players who have withdrawn: programs that cannot be started any more. Their games are not lost, for nobody has played
//! them; they are left for another run, and everybody else goes on.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Who has withdrawn, by their numbers in the tournament, and why.
#[derive(Debug, Default)]
pub struct Withdrawals {
    reasons: Mutex<BTreeMap<usize, String>>,
}

impl Withdrawals {
    /// That player plays no more. The first reason is the one that is kept.
    pub fn enter(&self, player: usize, reason: String) {
        self.lock().entry(player).or_insert(reason);
    }

    /// Whether that player has withdrawn.
    #[must_use]
    pub fn has(&self, player: usize) -> bool {
        self.lock().contains_key(&player)
    }

    /// All who have, with their reasons.
    #[must_use]
    pub fn all(&self) -> Vec<(usize, String)> {
        self.lock().iter().map(|(&player, reason)| (player, reason.clone())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, String>> {
        self.reasons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
