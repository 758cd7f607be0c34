// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves and nodes that are not searched at all.
//!
//! There is no pruning on the principal variation, in check, and near proved scores, where the static evaluation is
//! least reliable. Nor do null move, futility and late-move pruning work in positions that are not
//! [calm](Tactics::is_calm).

use super::super::score::LONGEST_WIN;
use super::super::{Depth, Score};
use super::{Place, Worker};
use crate::evaluation::Evaluation;
use crate::game::Tactics;

/// The result of a null move.
pub(super) enum Passed {
    /// The node fails high with this score.
    FailsHigh(Score),
    /// The opponent would win by force: the atom `Mt`.
    MateThreat,
    /// Nothing useful.
    Nothing,
}

/// A node's static evaluation, and what follows from it for its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// The best guess of the node's value: the static evaluation, or the transposition table's bound where that says
    /// more.
    pub guess: Score,
    /// Whether the evaluation has not risen since two plies ago.
    pub worsening: bool,
    /// Whether margins around it can be used here.
    pub calm: bool,
}

impl<G: Tactics, E: Evaluation<G>> Worker<'_, G, E> {
    /// Reverse futility: a node far above the window with little depth left will fail high.
    pub(super) fn reverse_futility(&self, standing: Standing, place: Place, beta: Score) -> bool {
        let parameters = self.parameters;
        let depth = place.depth.as_hundredths();
        parameters.reverse_futility
            && standing.calm
            && depth <= parameters.reverse_futility_depth
            && beta.abs() < LONGEST_WIN
            && standing.guess < LONGEST_WIN
            && standing.guess - Self::margin(parameters.reverse_futility_margin * depth / 100) >= beta
    }

    /// Null move (Beal 1989; Donninger 1993): if even passing fails high, some move will.
    pub(super) fn null_move(
        &mut self,
        position: &G::Position,
        standing: Standing,
        place: Place,
        beta: Score,
    ) -> Passed {
        let parameters = self.parameters;
        if !parameters.null_move
            || place.passed
            || place.depth.as_hundredths() < parameters.null_move_depth
            || standing.guess < beta
            || beta <= -LONGEST_WIN
        {
            return Passed::Nothing;
        }
        let Some(next) = G::pass(position) else { return Passed::Nothing };
        let ply = place.ply + 1;
        if !self.count_node(ply) {
            return Passed::Nothing;
        }
        let slope = parameters.null_move_slope * place.depth.as_hundredths() / 100;
        let depth = place.depth - Depth::hundredths(parameters.null_move_reduction + slope);
        let first_key = self.keys.len();
        let below = Place { key: G::key(&next), depth, ply, in_check: false, passed: true, first_key };
        let score = -self.node::<false>(&next, None, below, -beta, 1 - beta);
        if self.stopped {
            Passed::Nothing
        } else if score >= beta {
            // A win found after a null move is not proved.
            Passed::FailsHigh(if score > LONGEST_WIN { beta } else { score })
        } else if score < -LONGEST_WIN {
            Passed::MateThreat
        } else {
            Passed::Nothing
        }
    }

    /// Whether a quiet move may be skipped for being late, or because nothing it can do would lift the static
    /// evaluation into the window.
    pub(super) fn is_hopeless(&self, standing: Standing, place: Place, index: usize, alpha: Score) -> bool {
        let parameters = self.parameters;
        let depth = place.depth.as_hundredths();
        if !standing.calm {
            return false;
        }
        let late = parameters.late_move_pruning && depth <= parameters.late_move_depth && {
            let moves = parameters.late_move_base + depth * depth / 10_000;
            index as i32 >= if standing.worsening { moves / 2 } else { moves }
        };
        let futile = parameters.futility && depth <= parameters.futility_depth && alpha > -LONGEST_WIN && {
            let margin = parameters.futility_base + parameters.futility_margin * depth.max(0) / 100;
            standing.guess + Self::margin(margin) <= alpha
        };
        late || futile
    }

    /// Whether a move may be skipped because it loses too much by static exchange.
    pub(super) fn loses_too_much(&self, position: &G::Position, mv: G::Move, noisy: bool, depth: Depth) -> bool {
        let parameters = self.parameters;
        if !parameters.exchange_pruning || depth.as_hundredths() > parameters.exchange_depth {
            return false;
        }
        let a_ply = if noisy { parameters.exchange_noisy } else { parameters.exchange_quiet };
        !G::exchange(position, mv, -a_ply * depth.as_hundredths().max(100) / 100)
    }
}
