// SPDX-License-Identifier: GPL-3.0-or-later
//! What a move costs: the extension table.

use std::sync::Arc;

use super::{AtomSet, Vocabulary, state};
use crate::base::Depth;
use crate::patterns::MoveAtoms;

/// One feature and what a move that has it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The feature.
    pub feature: AtomSet,
    /// The cost; under one ply extends, over one ply reduces.
    pub cost: Depth,
}

/// Features and their costs. A move costs the **lowest** of the rows it matches ("optimistic", as in the papers) and
/// one ply if it matches none; rows of the same cost are thus an OR.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtensionTable {
    /// Ascending by cost, so that the first match decides.
    rows: Vec<Row>,
    /// The union of the rows' features: no other atom is ever computed.
    wanted: AtomSet,
    /// The definitions of the atoms that are not the game's.
    own: Option<Arc<MoveAtoms>>,
}

impl ExtensionTable {
    /// A table of these rows. Rows of equal cost keep their order.
    pub fn new(mut rows: Vec<Row>) -> Self {
        rows.sort_by_key(|row| row.cost);
        let wanted = rows.iter().map(|row| row.feature).collect();
        Self { rows, wanted, own: None }
    }

    /// The same table with the definitions of the atoms that are not the game's.
    pub fn with_own(self, own: Option<Arc<MoveAtoms>>) -> Self {
        Self { own, ..self }
    }

    /// The definitions of the atoms that are not the game's.
    pub fn own(&self) -> Option<&Arc<MoveAtoms>> {
        self.own.as_ref()
    }

    /// The game's vocabulary with the atoms that the table defines.
    pub fn vocabulary(&self, game: &Vocabulary) -> Vocabulary {
        self.own.as_ref().map_or_else(|| game.clone(), |own| game.with_own(own))
    }

    /// The table that extends on one feature; on the empty feature it extends nothing.
    pub fn single(feature: AtomSet, cost: Depth) -> Self {
        if feature.is_empty() { Self::default() } else { Self::new(vec![Row { feature, cost }]) }
    }

    /// The same table with a row more.
    pub fn with(&self, row: Row) -> Self {
        Self::new([&self.rows[..], &[row]].concat()).with_own(self.own.clone())
    }

    /// The same table without that row.
    pub fn without(&self, row: Row) -> Self {
        Self::new(self.rows.iter().copied().filter(|&other| other != row).collect()).with_own(self.own.clone())
    }

    /// The same table without rows that change no cost: those of one ply, if no row costs more. Beside a row that costs more,
    /// such a row does change what its moves cost, because the lowest cost decides.
    pub fn trimmed(&self) -> Self {
        match self.rows.last() {
            Some(last) if last.cost > Depth::PLY => self.clone(),
            _ => {
                let rows = self.rows.iter().copied().filter(|row| row.cost != Depth::PLY).collect();
                Self::new(rows).with_own(self.own.clone())
            }
        }
    }

    /// Whether no move is ever extended.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows, cheapest first.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The atoms that some row asks for.
    pub fn wanted(&self) -> AtomSet {
        self.wanted
    }

    /// The atoms of the search's [`state`] that some row asks for.
    pub fn wanted_state(&self) -> AtomSet {
        let own = self.own.as_ref().map_or(0, |own| own.bits());
        AtomSet(self.wanted.0 & state::SET.0 & !own)
    }

    /// The row that decides the cost of a move with these atoms; none if no row matches and it costs one ply.
    pub fn deciding_row(&self, atoms: AtomSet) -> Option<&Row> {
        self.deciding_row_by(|feature| atoms.contains(feature))
    }

    /// The same for a move of which `has` says whether it has a feature.
    pub fn deciding_row_by(&self, mut has: impl FnMut(AtomSet) -> bool) -> Option<&Row> {
        self.rows.iter().find(|row| has(row.feature))
    }

    /// The table in one line, the same for every file that means the same table: `Ud-RdTt@0.5 Ud@0.75`, or `none`.
    pub fn summary(&self, vocabulary: &Vocabulary) -> String {
        if self.is_empty() {
            return "none".to_owned();
        }
        let vocabulary = &self.vocabulary(vocabulary);
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| a.cost.cmp(&b.cost).then_with(|| a.feature.cmp_as_sequence(b.feature)));
        let rows: Vec<_> = rows.iter().map(|row| format!("{}@{}", vocabulary.format(row.feature), row.cost)).collect();
        rows.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_matching_row_decides() {
        let (a, b) = (AtomSet::single(0), AtomSet::single(1));
        let row = |feature, hundredths| Row { feature, cost: Depth::hundredths(hundredths) };
        let table = ExtensionTable::new(vec![row(a, 75), row(a | b, 25), row(b, 150)]);
        let cost = |atoms| table.deciding_row(atoms).map(|row| row.cost.as_hundredths());
        assert_eq!(cost(AtomSet::EMPTY), None);
        assert_eq!(cost(a), Some(75));
        assert_eq!(cost(b), Some(150));
        assert_eq!(cost(a | b), Some(25));
        assert_eq!(table.wanted(), a | b);
    }

    #[test]
    fn a_row_of_one_ply_counts_beside_a_dearer_one() {
        let (capture, safe) = (AtomSet::single(0), AtomSet::single(0) | AtomSet::single(1));
        let row = |feature, hundredths| Row { feature, cost: Depth::hundredths(hundredths) };
        let reduced = ExtensionTable::new(vec![row(capture, 200), row(safe, 100)]);
        assert_eq!(reduced.trimmed(), reduced);
        let extended = ExtensionTable::new(vec![row(capture, 50), row(safe, 100)]);
        assert_eq!(extended.trimmed(), ExtensionTable::single(capture, Depth::hundredths(50)));
        assert_eq!(ExtensionTable::single(safe, Depth::PLY).trimmed(), ExtensionTable::default());
    }
}
