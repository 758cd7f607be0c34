// SPDX-License-Identifier: GPL-3.0-or-later
//! The cost of a move: the only place where a search uses the extension table.

use super::Depth;
use crate::features::ExtensionTable;
use crate::game::{Game, MoveContext};

/// The cost of the move under the table, and whether a row matched.
#[inline(always)]
pub fn cost<G: Game>(table: &ExtensionTable, context: &MoveContext<'_, G>) -> (Depth, bool) {
    match table.deciding_row(G::atoms(context, table.wanted())) {
        Some(row) => (row.cost, true),
        None => (Depth::PLY, false),
    }
}
