// SPDX-License-Identifier: GPL-3.0-or-later
//! Keeps the thinker between searches: it remembers what it has learned as long as its settings stay the same.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::output::Output;
use crate::game::Game;
use crate::search::{Searcher, Thinker};

/// A thinker, and the search that created it.
pub(super) struct Fitted<G: Game> {
    searcher: Searcher<G>,
    pub thinker: Box<dyn Thinker<G>>,
}

impl<G: Game> Fitted<G> {
    fn new(searcher: &Searcher<G>) -> Self {
        Self { searcher: searcher.clone(), thinker: searcher.engine().thinker() }
    }
}

/// A slot for one thinker, shared by the session and its search. It is empty during a search, and after one that failed.
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

    /// Takes the thinker, or a new one if there is none with these settings.
    pub fn take(&self, searcher: &Searcher<G>) -> Fitted<G> {
        // The old thinker is dropped first: there may not be enough memory for two transposition tables.
        let kept = self.lock().take().filter(|fitted| fitted.searcher == *searcher);
        kept.unwrap_or_else(|| {
            let fitted = Fitted::new(searcher);
            self.tell_shortage(&fitted);
            fitted
        })
    }

    /// Puts the thinker back.
    pub fn put(&self, fitted: Fitted<G>) {
        *self.lock() = Some(fitted);
    }

    /// Makes the thinker forget the last game.
    pub fn forget(&self) {
        if let Some(fitted) = &mut *self.lock() {
            fitted.thinker.forget();
            self.tell_shortage(fitted);
        }
    }

    fn tell_shortage(&self, fitted: &Fitted<G>) {
        let wanted = fitted.searcher.setup.hash;
        if let Some(had) = fitted.thinker.hash().filter(|&had| had < wanted) {
            self.output.say(format_args!("Hash: {had} MiB are used, because there is not enough memory for {wanted}"));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Fitted<G>>> {
        self.fitted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
