// SPDX-License-Identifier: GPL-3.0-or-later
//! The full search: what games are played with.

use super::{Engine, Plain, Player, Setup};
use crate::game::{Evaluation, Tactics};

/// The full search with its settings.
#[derive(Clone, Debug)]
pub struct Full<E> {
    /// Everything that can be chosen.
    pub setup: Setup,
    /// The static evaluation.
    pub evaluation: E,
}

impl<G: Tactics, E: Evaluation<G>> Engine<G> for Full<E> {
    fn player(&self) -> Box<dyn Player<G>> {
        Box::new(Plain { table: self.setup.table.clone(), seed: self.setup.seed, evaluation: self.evaluation })
    }
}
