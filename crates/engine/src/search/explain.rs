// SPDX-License-Identifier: GPL-3.0-or-later
//! What each move of a position costs, and why.

use super::Depth;
use super::extend;
use crate::features::{AtomSet, ExtensionTable, Row};
use crate::game::{Game, MoveContext, after, legal_moves};

/// A legal move with the reason of its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained<M> {
    /// The move.
    pub mv: M,
    /// All its atoms, the game's and those that the table defines, whether a row asks for them or not.
    pub atoms: AtomSet,
    /// The row of the table that decides its cost; none if no row matches.
    pub row: Option<Row>,
}

impl<M> Explained<M> {
    /// The rows that match if the state of the search is as they say, the cheapest first.
    pub fn in_search<'t>(&self, table: &'t ExtensionTable) -> impl Iterator<Item = &'t Row> {
        let state = table.wanted_state();
        let atoms = self.atoms | state;
        table.rows().iter().filter(move |row| row.feature.meets(state) && atoms.contains(row.feature))
    }

    /// What the move costs, whatever the state of the search.
    pub fn cost(&self) -> Depth {
        self.row.map_or(Depth::PLY, |row| row.cost)
    }
}

/// The legal moves of a position in the order of generation; `previous` is the opponent's last move, if known. What only a
/// search finds out about a move (a threat of mate) is missing here.
pub fn explain<G: Game>(
    position: &G::Position,
    previous: Option<G::Move>,
    table: &ExtensionTable,
) -> Vec<Explained<G::Move>> {
    let moves = legal_moves::<G>(position);
    let only_move = moves.len() == 1;
    let explained = |&mv: &G::Move| {
        let next = after::<G>(position, mv);
        let context = MoveContext { only_move, ..MoveContext::<G>::new(position, &next, mv, previous) };
        let atoms = extend::atoms(table, &context, table.vocabulary(&G::VOCABULARY).all());
        Explained { mv, atoms, row: table.deciding_row(atoms).copied() }
    };
    moves.iter().map(explained).collect()
}
