// SPDX-License-Identifier: GPL-3.0-or-later
//! Negamax without any pruning: what every search must agree with.

use super::score::{self, INFINITE};
use super::{Depth, Score, extend};
use crate::features::ExtensionTable;
use crate::game::{Evaluation, Game, MoveContext, after, legal_moves};

/// The value of a position searched to `depth`, every move charged as `table` says; `previous` is the move that led
/// here. Lines end at [`Game::MAX_PLY`]. Written for clarity: it is the reference in tests.
#[must_use]
pub fn negamax<G: Game, E: Evaluation<G>>(
    position: &G::Position,
    previous: Option<G::Move>,
    depth: Depth,
    table: &ExtensionTable,
) -> Score {
    value::<G, E>(position, previous, depth, 0, table)
}

fn value<G: Game, E: Evaluation<G>>(
    position: &G::Position,
    previous: Option<G::Move>,
    depth: Depth,
    ply: usize,
    table: &ExtensionTable,
) -> Score {
    if let Some(outcome) = G::decided(position) {
        return score::of_outcome(outcome, ply);
    }
    if depth <= Depth::ZERO || ply == G::MAX_PLY {
        return E::default().evaluate(position);
    }
    let moves = legal_moves::<G>(position);
    if moves.is_empty() {
        return score::of_outcome(G::stuck(position), ply);
    }
    let mut best = -INFINITE;
    for &mv in moves.iter() {
        let next = after::<G>(position, mv);
        let (cost, _) = extend::cost::<G>(table, &MoveContext { before: position, after: &next, mv, previous });
        best = best.max(-value::<G, E>(&next, Some(mv), depth - cost, ply + 1, table));
    }
    best
}
