// SPDX-License-Identifier: GPL-3.0-or-later
//! Players that have withdrawn: programs that cannot be restarted. They do not lose their remaining games. These stay
//! open for another run, and the other players continue.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The players that have withdrawn, by their numbers in the tournament, with the reasons.
#[derive(Debug, Default)]
pub struct Withdrawals {
    reasons: Mutex<BTreeMap<usize, String>>,
}

impl Withdrawals {
    /// Notes that a player has withdrawn. Of several reasons the first is kept.
    pub fn enter(&self, player: usize, reason: String) {
        self.lock().entry(player).or_insert(reason);
    }

    /// Whether the player has withdrawn.
    pub fn has(&self, player: usize) -> bool {
        self.lock().contains_key(&player)
    }

    /// All players that have withdrawn, with the reasons.
    pub fn all(&self) -> Vec<(usize, String)> {
        self.lock().iter().map(|(&player, reason)| (player, reason.clone())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, String>> {
        self.reasons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
