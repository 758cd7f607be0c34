// SPDX-License-Identifier: GPL-3.0-or-later
//! The cost of a move: the only place where a search uses the extension table.

use super::Depth;
use crate::features::{AtomSet, ExtensionTable, Row};
use crate::game::{Game, MoveContext, Side};
use crate::patterns::{MoveAtoms, Pattern, Seen};

/// The cost of the move under the table, and whether a row matched.
#[inline(always)]
pub fn cost<G: Game>(table: &ExtensionTable, context: &MoveContext<'_, G>) -> (Depth, bool) {
    let row = match table.own() {
        None => table.deciding_row(context.atoms(table.wanted())),
        Some(own) => own_row(table, own, context),
    };
    match row {
        Some(row) => (row.cost, true),
        None => (Depth::PLY, false),
    }
}

/// The row that decides, where a table defines atoms: these are asked for only as far as the decision needs them.
#[inline(never)]
fn own_row<'a, G: Game>(table: &'a ExtensionTable, own: &MoveAtoms, context: &MoveContext<'_, G>) -> Option<&'a Row> {
    let seen = seen(context);
    let mut of_move = seen.as_ref().map(|seen| own.of(seen));
    let of_game = atoms_of_game(own, context, table.wanted());
    let bits = own.bits();
    table.deciding_row_by(|feature| {
        let of_file = feature.0 & bits;
        of_game.contains(AtomSet(feature.0 & !bits))
            && (of_file == 0 || of_move.as_mut().is_some_and(|of_move| of_move.has_all(of_file)))
    })
}

/// The atoms of the game that a file with atoms leaves to it: none if there are too many of those.
fn atoms_of_game<G: Game>(own: &MoveAtoms, context: &MoveContext<'_, G>, wanted: AtomSet) -> AtomSet {
    let of_game = AtomSet(wanted.0 & !own.bits());
    if of_game.is_empty() { of_game } else { context.atoms(of_game) }
}

/// Which of the `wanted` atoms the move has, of the game's and of those that the table defines.
#[inline(always)]
pub fn atoms<G: Game>(table: &ExtensionTable, context: &MoveContext<'_, G>, wanted: AtomSet) -> AtomSet {
    match table.own() {
        None => context.atoms(wanted),
        Some(own) => own_atoms(own, context, wanted),
    }
}

/// The same with the atoms of a file.
#[inline(never)]
pub fn own_atoms<G: Game>(own: &MoveAtoms, context: &MoveContext<'_, G>, wanted: AtomSet) -> AtomSet {
    let own_ones = seen(context).map_or(0, |seen| own.of(&seen).found(wanted.0));
    atoms_of_game(own, context, wanted) | AtomSet(own_ones)
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
