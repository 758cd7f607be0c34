// SPDX-License-Identifier: GPL-3.0-or-later
//! Static evaluations: what a position is worth without looking ahead.
//!
//! | file | idea |
//! |---|---|
//! | [`piece_squares`] | each piece is worth what its square says: weights from a file |
//! | [`mod@file`] | evaluations in files |

pub mod file;
pub mod piece_squares;

use crate::base::Score;
use crate::game::Game;

/// A static evaluation with its data (weights, a network). Its type is known to the search when it is compiled; which one
/// is used is chosen at run time.
pub trait Evaluation<G: Game>: Clone + Send + Sync + 'static {
    /// What a search keeps for the evaluation, so that a position is not judged from scratch where a neighbour of it in
    /// the tree has just been judged. `()` for evaluations that keep nothing: then it costs nothing.
    ///
    /// It is a cache. Whatever it holds, [`evaluate`](Self::evaluate) gives the same value.
    type State: Send;

    /// What a pawn, or the game's commonest piece, is worth in the evaluation's units.
    const UNIT: Score;

    /// The state of a search that has judged nothing yet.
    fn start(&self) -> Self::State;

    /// The worth of an undecided position for the side to move, well inside
    /// [`LONGEST_WIN`](crate::base::score::LONGEST_WIN) on both sides. It depends on the position alone.
    ///
    /// `ply` is the position's distance from the root of the search, at most [`Game::MAX_PLY`]: the state most likely
    /// holds a neighbour at this ply and at those just above.
    fn evaluate(&self, state: &mut Self::State, ply: usize, position: &G::Position) -> Score;

    /// The worth of a single position, judged from scratch.
    fn judge(&self, position: &G::Position) -> Score {
        self.evaluate(&mut self.start(), 0, position)
    }
}
