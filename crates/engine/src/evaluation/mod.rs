// SPDX-License-Identifier: GPL-3.0-or-later
//! Static evaluations: what a position is worth without looking ahead.

mod boxed;
pub mod network;
pub mod patterns;

use crate::base::Score;
use crate::game::Game;

pub use boxed::Boxed;

/// A static evaluation with its data (weights, a network). A search is compiled for its type. The evaluation is chosen
/// at run time.
pub trait Evaluation<G: Game>: Clone + Send + Sync + 'static {
    /// What a search keeps for the evaluation, so that a position is not evaluated from scratch after a neighbour in
    /// the tree. `()` for evaluations that keep nothing, at no cost.
    ///
    /// It is a cache. Whatever it holds, [`evaluate`](Self::evaluate) gives the same value.
    type State: Send;

    /// What a pawn, or the game's commonest piece, is worth in the evaluation's units: 100, unless it says otherwise.
    fn unit(&self) -> Score {
        100
    }

    /// The state of a search that has evaluated nothing yet.
    fn start(&self) -> Self::State;

    /// The value of an undecided position for the side to move, well inside
    /// [`LEAST_WIN`](crate::base::score::LEAST_WIN) on both sides. It depends on the position alone.
    ///
    /// `ply` is the position's distance from the root of the search, at most [`Game::MAX_PLY`]: the state most likely
    /// holds a neighbour at this ply and at those just above.
    fn evaluate(&self, state: &mut Self::State, ply: usize, position: &G::Position) -> Score;

    /// The value of a single position, from scratch.
    fn judge(&self, position: &G::Position) -> Score {
        self.evaluate(&mut self.start(), 0, position)
    }
}

/// A function of a position, in hundredths, is an evaluation.
impl<G: Game, F: Fn(&G::Position) -> Score + Clone + Send + Sync + 'static> Evaluation<G> for F {
    type State = ();

    fn start(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _ply: usize, position: &G::Position) -> Score {
        self(position)
    }
}
