// SPDX-License-Identifier: GPL-3.0-or-later
//! A static evaluation chosen at run time.

use std::fmt;
use std::sync::Arc;

use super::{Engine, Score, Setup};
use crate::evaluation::Evaluation;
use crate::game::{Game, Tactics};

/// An evaluation whose type is not known at compile time. Searches are compiled for the type, so there is no
/// indirection inside them.
pub trait AnyEvaluation<G: Game>: Send + Sync {
    /// [`Evaluation::unit`].
    fn unit(&self) -> Score;

    /// [`Evaluation::judge`].
    fn judge(&self, position: &G::Position) -> Score;

    /// A search with this evaluation.
    fn engine(&self, setup: &Setup) -> Box<dyn Engine<G>>;
}

impl<G: Tactics, E: Evaluation<G>> AnyEvaluation<G> for E {
    fn unit(&self) -> Score {
        Evaluation::unit(self)
    }

    fn judge(&self, position: &G::Position) -> Score {
        Evaluation::judge(self, position)
    }

    fn engine(&self, setup: &Setup) -> Box<dyn Engine<G>> {
        setup.engine(self.clone())
    }
}

/// A static evaluation chosen at run time, with its name. Clones share the data.
pub struct Evaluator<G: Game> {
    name: Arc<str>,
    identity: Arc<str>,
    evaluation: Arc<dyn AnyEvaluation<G>>,
}

impl<G: Game> Evaluator<G> {
    /// An evaluation that is part of the program.
    pub fn built_in(name: &str, evaluation: impl AnyEvaluation<G> + 'static) -> Self {
        Self { name: name.into(), identity: name.into(), evaluation: Arc::new(evaluation) }
    }

    /// An evaluation with data: what reports call it, which is its path if it was read from a file, and its identity,
    /// which depends on the data.
    pub fn with_data(name: &str, identity: &str, evaluation: impl AnyEvaluation<G> + 'static) -> Self {
        Self { name: name.into(), identity: identity.into(), evaluation: Arc::new(evaluation) }
    }

    /// What reports call it: the name of a built-in evaluation, the path of a file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What results depend on, for journals and baselines: the name of a built-in evaluation, or the kind and the
    /// beginning of the SHA-256 of a file, wherever it is stored.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Whether it has data beside its code: a network, or weights from a file.
    pub fn has_data(&self) -> bool {
        self.name != self.identity
    }

    /// What a pawn, or the game's commonest piece, is worth in its units.
    pub fn unit(&self) -> Score {
        self.evaluation.unit()
    }

    /// The value of an undecided position for the side to move.
    pub fn judge(&self, position: &G::Position) -> Score {
        self.evaluation.judge(position)
    }

    /// A search with this evaluation.
    pub fn engine(&self, setup: &Setup) -> Box<dyn Engine<G>> {
        self.evaluation.engine(setup)
    }
}

// Derived, these would require the same traits of games.
impl<G: Game> Clone for Evaluator<G> {
    fn clone(&self) -> Self {
        Self {
            name: Arc::clone(&self.name),
            identity: Arc::clone(&self.identity),
            evaluation: Arc::clone(&self.evaluation),
        }
    }
}

impl<G: Game> fmt::Debug for Evaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Evaluator").field(&self.name).finish()
    }
}
