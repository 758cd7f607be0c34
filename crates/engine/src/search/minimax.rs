// SPDX-License-Identifier: GPL-3.0-or-later
//! Negamax without any pruning: what every search must agree with.

use super::score::{self, INFINITE};
use super::{Depth, Root, Score, extend};
use crate::evaluation::Evaluation;
use crate::features::ExtensionTable;
use crate::game::{Game, MoveContext, after, legal_moves};

/// The value of the root searched to `depth`, with the cost of moves from `table`. Lines end at [`Game::MAX_PLY`].
/// Written for clarity: it is the reference in tests.
pub fn negamax<G: Game, E: Evaluation<G>>(
    root: Root<'_, G>,
    depth: Depth,
    table: &ExtensionTable,
    evaluation: &E,
) -> Score {
    let mut keys = root.earlier.to_vec();
    let at_root = root.earlier.len();
    Negamax { at_root, table, evaluation }.value(root.position, root.previous, depth, &mut keys)
}

/// What stays the same in the whole tree.
struct Negamax<'a, E> {
    /// How many keys are of positions from before the search.
    at_root: usize,
    table: &'a ExtensionTable,
    evaluation: &'a E,
}

impl<E> Negamax<'_, E> {
    /// `keys` are those of all positions before this one.
    fn value<G: Game>(
        &self,
        position: &G::Position,
        previous: Option<G::Move>,
        depth: Depth,
        keys: &mut Vec<u64>,
    ) -> Score
    where
        E: Evaluation<G>,
    {
        let ply = keys.len() - self.at_root;
        if let Some(outcome) = G::decided(position) {
            return score::of_outcome(outcome, ply);
        }
        if ply > 0 && G::rule_draw(position, G::key(position), keys, self.at_root) {
            return 0;
        }
        if ply == G::MAX_PLY {
            return self.evaluation.judge(position);
        }
        if depth <= Depth::ZERO {
            return if G::QUIESCENCE { self.quiet(position, ply) } else { self.evaluation.judge(position) };
        }
        let moves = legal_moves::<G>(position);
        if moves.is_empty() {
            return score::of_outcome(G::stuck(position), ply);
        }
        keys.push(G::key(position));
        let mut best = -INFINITE;
        for &mv in moves.iter() {
            let next = after::<G>(position, mv);
            let only_move = moves.len() == 1;
            let context = MoveContext { only_move, ..MoveContext::new(position, &next, mv, previous) };
            let (cost, _) = extend::cost::<G>(self.table, &context);
            best = best.max(-self.value(&next, Some(mv), depth - cost, keys));
        }
        keys.pop();
        best
    }

    /// Quiescence without a window: the best of standing pat and the noisy moves; in check, of all moves.
    fn quiet<G: Game>(&self, position: &G::Position, ply: usize) -> Score
    where
        E: Evaluation<G>,
    {
        if ply == G::MAX_PLY {
            return self.evaluation.judge(position);
        }
        let in_check = G::in_check(position);
        let (mut best, moves) = if in_check {
            (-INFINITE, G::generate(position))
        } else {
            (self.evaluation.judge(position), G::noisy(position))
        };
        if in_check && moves.is_empty() {
            return score::of_outcome(G::stuck(position), ply);
        }
        for &mv in moves.iter() {
            best = best.max(-self.quiet(&after::<G>(position, mv), ply + 1));
        }
        best
    }
}
