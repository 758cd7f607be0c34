// SPDX-License-Identifier: GPL-3.0-or-later
//! What a move costs: the one place where the extension table meets the search.

use super::Depth;
use crate::features::ExtensionTable;
use crate::game::{Game, MoveContext};

/// What the move costs by the table, and whether a row of it matched.
#[inline(always)]
pub fn cost<G: Game>(table: &ExtensionTable, context: &MoveContext<'_, G>) -> (Depth, bool) {
    match table.deciding_row(G::atoms(context, table.wanted())) {
        Some(row) => (row.cost, true),
        None => (Depth::PLY, false),
    }
}
