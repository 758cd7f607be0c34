// SPDX-License-Identifier: GPL-3.0-or-later
//! Negamax without any pruning: what every search must agree with.

use super::score::{self, INFINITE};
use super::{Depth, Root, Score, extend};
use crate::features::ExtensionTable;
use crate::game::{Evaluation, Game, MoveContext, after, legal_moves};

/// The value of the root searched to `depth`, every move charged as `table` says. Lines end at [`Game::MAX_PLY`]. Written for clarity: it is the reference in tests.
#[must_use]
pub fn negamax<G: Game, E: Evaluation<G>>(root: Root<'_, G>, depth: Depth, table: &ExtensionTable) -> Score {
    let mut keys = root.earlier.to_vec();
    value::<G, E>(root.position, root.previous, depth, &mut keys, root.earlier.len(), table)
}

/// `keys` are those of all positions before this one, the first `at_root` of them from before the search.
fn value<G: Game, E: Evaluation<G>>(
    position: &G::Position,
    previous: Option<G::Move>,
    depth: Depth,
    keys: &mut Vec<u64>,
    at_root: usize,
    table: &ExtensionTable,
) -> Score {
    let ply = keys.len() - at_root;
    if let Some(outcome) = G::decided(position) {
        return score::of_outcome(outcome, ply);
    }
    if ply > 0 && G::rule_draw(position, G::key(position), keys, at_root) {
        return 0;
    }
    if ply == G::MAX_PLY {
        return E::default().evaluate(position);
    }
    if depth <= Depth::ZERO {
        return if G::QUIESCENCE { quiet::<G, E>(position, ply) } else { E::default().evaluate(position) };
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
        let (cost, _) = extend::cost::<G>(table, &context);
        best = best.max(-value::<G, E>(&next, Some(mv), depth - cost, keys, at_root, table));
    }
    keys.pop();
    best
}

/// Quiescence without a window: the best of standing still and the noisy moves; in check, of all moves.
fn quiet<G: Game, E: Evaluation<G>>(position: &G::Position, ply: usize) -> Score {
    if ply == G::MAX_PLY {
        return E::default().evaluate(position);
    }
    let in_check = G::in_check(position);
    let (mut best, moves) = if in_check {
        (-INFINITE, G::generate(position))
    } else {
        (E::default().evaluate(position), G::noisy(position))
    };
    if in_check && moves.is_empty() {
        return score::of_outcome(G::stuck(position), ply);
    }
    for &mv in moves.iter() {
        best = best.max(-quiet::<G, E>(&after::<G>(position, mv), ply + 1));
    }
    best
}
