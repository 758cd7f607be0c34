// SPDX-License-Identifier: GPL-3.0-or-later
//! Keeps the player between searches: it remembers what it has learned as long as its settings stay the same.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::output::Output;
use crate::game::Game;
use crate::search::{Player, Searcher};

/// A player and the search that it was made of.
pub(super) struct Fitted<G: Game> {
    searcher: Searcher<G>,
    pub player: Box<dyn Player<G>>,
}

impl<G: Game> Fitted<G> {
    fn new(searcher: &Searcher<G>) -> Self {
        Self { searcher: searcher.clone(), player: searcher.engine().player() }
    }
}

/// A slot for one player, shared by the session and its search. It is empty during a search, and after one that failed.
pub(super) struct Place<G: Game> {
    fitted: Arc<Mutex<Option<Fitted<G>>>>,
    /// The output, for reporting that less memory is available than requested.
    output: Output,
}

// Derived, this would require games to be `Clone`.
impl<G: Game> Clone for Place<G> {
    fn clone(&self) -> Self {
        Self { fitted: Arc::clone(&self.fitted), output: self.output.clone() }
    }
}

impl<G: Game> Place<G> {
    /// An empty slot.
    pub fn new(output: Output) -> Self {
        Self { fitted: Arc::default(), output }
    }

    /// Takes the player away; if it has other settings, or there is none, a new one.
    pub fn take(&self, searcher: &Searcher<G>) -> Fitted<G> {
        // The old one goes before the new one comes: two transposition tables may be more than there is memory for.
        let kept = self.lock().take().filter(|fitted| fitted.searcher == *searcher);
        kept.unwrap_or_else(|| {
            let fitted = Fitted::new(searcher);
            self.tell_shortage(&fitted);
            fitted
        })
    }

    /// Puts a player there.
    pub fn put(&self, fitted: Fitted<G>) {
        *self.lock() = Some(fitted);
    }

    /// Another game begins.
    pub fn forget(&self) {
        if let Some(fitted) = &mut *self.lock() {
            fitted.player.forget();
            self.tell_shortage(fitted);
        }
    }

    fn tell_shortage(&self, fitted: &Fitted<G>) {
        let wanted = fitted.searcher.setup.hash;
        if let Some(had) = fitted.player.hash().filter(|&had| had < wanted) {
            self.output.say(format_args!("Hash: {had} MiB are used, for there is no memory for {wanted}"));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Fitted<G>>> {
        self.fitted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
