// SPDX-License-Identifier: GPL-3.0-or-later
//! The cost of a move: the only place where a search uses the extension table.

use super::Depth;
use crate::features::{AtomSet, ExtensionTable};
use crate::game::{Game, MoveContext, Side};
use crate::patterns::{MoveAtoms, Pattern, Seen};

/// The cost of the move under the table, and whether a row matched.
#[inline(always)]
pub fn cost<G: Game>(table: &ExtensionTable, context: &MoveContext<'_, G>) -> (Depth, bool) {
    let atoms = atoms(table, context, table.wanted());
    match table.deciding_row(atoms) {
        Some(row) => (row.cost, true),
        None => (Depth::PLY, false),
    }
}

/// Which of the `wanted` atoms the move has, of the game's and of those that the table defines.
#[inline(always)]
pub fn atoms<G: Game>(table: &ExtensionTable, context: &MoveContext<'_, G>, wanted: AtomSet) -> AtomSet {
    match table.own() {
        None => context.atoms(wanted),
        Some(own) => own_atoms(own, context, wanted),
    }
}

/// The same with a table that defines atoms. The game's are not used if there are too many of these.
#[inline(never)]
pub fn own_atoms<G: Game>(own: &MoveAtoms, context: &MoveContext<'_, G>, wanted: AtomSet) -> AtomSet {
    let other = AtomSet(wanted.0 & !own.bits());
    let of_others = if other.is_empty() { other } else { context.atoms(other) };
    of_others | seen(context).map_or(AtomSet::EMPTY, |seen| AtomSet(own.found(&seen, wanted.0)))
}

/// What the atoms of a file depend on; none of a pass, which has none of them.
pub fn seen<G: Game>(context: &MoveContext<'_, G>) -> Option<Seen> {
    let [from, to] = G::squares(context.mv)?;
    let facts = |position| {
        let [first, second] = G::occupied(position);
        Pattern::of_sets(!(first | second), first, second).unwrap_or_default()
    };
    let last = context.previous.and_then(G::squares).map(|[_, to]| to);
    Some(Seen {
        facts: [facts(context.after), facts(context.before)],
        second_moves: G::to_move(context.before) == Side::Black,
        squares: [Some(from), Some(to), last],
    })
}
