// SPDX-License-Identifier: GPL-3.0-or-later
//! Atoms, the features made of them, and what a move with a feature costs.
//!
//! An *atom* is one basic property of a move ("it captures"). A *feature* is a conjunction of atoms, written
//! `Ud-RdTt`; it is nothing but its [`AtomSet`]. An [`ExtensionTable`] gives features a cost in fractions of a ply.

mod atom;
pub mod file;
pub mod state;
mod table;
mod vocabulary;

use std::ops::{BitOr, BitOrAssign};

use crate::base::bits::ones;

pub use atom::Atom;
pub(crate) use atom::atoms;
pub use table::{ExtensionTable, Row};
pub use vocabulary::{FeatureError, Grouping, Vocabulary};

/// A set of up to 64 atoms, by their index in the game's vocabulary: the atoms a move has, or a feature. The last bits are of
/// the search's [`state`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AtomSet(pub u64);

impl AtomSet {
    /// No atom. As a feature it is *Neutral*: nothing is extended for it.
    pub const EMPTY: Self = Self(0);

    /// The set of one atom.
    pub const fn single(index: usize) -> Self {
        Self(1 << index)
    }

    /// Whether every atom of `feature` is in this set. For a move's atoms: the move has the feature; for a feature:
    /// it is composed of the other (and perhaps more).
    pub const fn contains(self, feature: Self) -> bool {
        self.0 & feature.0 == feature.0
    }

    /// Whether the two sets share an atom.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is no atom in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many atoms there are.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The indices of the atoms, ascending.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        ones(self.0).map(|index| index as usize)
    }

    /// The order the papers' tables leave open: compares as sequences of atom indices, so that `Ud-PP` comes before
    /// `Ud-RdTt`, and a feature before its own descendants.
    pub fn cmp_as_sequence(self, other: Self) -> std::cmp::Ordering {
        self.indices().cmp(other.indices())
    }
}

impl BitOr for AtomSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for AtomSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl FromIterator<Self> for AtomSet {
    fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self {
        sets.into_iter().fold(Self::EMPTY, BitOr::bitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_order_a_feature_before_its_descendants() {
        let (a, b) = (AtomSet::single(0), AtomSet::single(3));
        assert!(a.cmp_as_sequence(a | b).is_lt());
        assert!((a | b).cmp_as_sequence(b).is_lt());
        assert!(b.cmp_as_sequence(b).is_eq());
    }

    #[test]
    fn containment_is_of_every_atom() {
        let (a, b) = (AtomSet::single(5), AtomSet::single(63));
        assert!((a | b).contains(a) && (a | b).contains(AtomSet::EMPTY) && !a.contains(a | b));
    }
}
