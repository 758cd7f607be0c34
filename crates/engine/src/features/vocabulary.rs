// SPDX-License-Identifier: GPL-3.0-or-later
//! The atoms of a game by name, and the groups in which they exclude each other.

use std::borrow::Cow;
use std::sync::Arc;

use thiserror::Error;

use super::atom::Atom;
use super::{AtomSet, state};
use crate::patterns::MoveAtoms;

/// A way to divide the atoms into groups; two atoms of one group are never combined.
#[derive(Clone, Copy, Debug)]
pub struct Grouping {
    /// Its name in commands.
    pub name: &'static str,
    /// Where it comes from.
    pub description: &'static str,
    /// The groups with more than one member, by atom name; every other atom is a group of its own.
    pub groups: &'static [&'static [&'static str]],
}

impl Grouping {
    /// Every two atoms may be combined.
    pub const NONE: Self = Self { name: "none", description: "every atom on its own", groups: &[] };
}

/// The atoms of a game and the groupings that its papers use, the default one first.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// The game's name in commands and files.
    pub game: &'static str,
    /// The atoms of the game and of a file; an atom's place is its bit in an [`AtomSet`]. Those of the search's [`state`] have
    /// the last bits, unless a file has so many atoms that it needs them.
    pub atoms: Cow<'static, [Atom]>,
    /// The groupings to choose from; the first is the default and decides which atoms clash in a file.
    pub groupings: &'static [Grouping],
    /// Combinations, by name, that no move can have or that say nothing new: the default blacklist of learning.
    pub blacklist: &'static [&'static str],
    /// The definitions of those atoms that are not the game's; they stand behind the game's.
    pub own: Option<Arc<MoveAtoms>>,
}

/// A feature's text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FeatureError {
    /// No atom has that name.
    #[error("there is no atom \"{name}\"; the atoms are {known}")]
    UnknownAtom {
        /// What was written.
        name: String,
        /// What could have been.
        known: String,
    },
    /// The same atom twice.
    #[error("the atom {0} is named twice; name it once")]
    Repeated(String),
    /// Two atoms of the same group.
    #[error("{first} and {second} are of one group ({group}) and are never combined; keep one of them")]
    Clash {
        /// The atom named first.
        first: String,
        /// The atom that clashes with it.
        second: String,
        /// All members of their group.
        group: String,
    },
    /// Nothing between the hyphens.
    #[error("a feature is written as atom names joined by hyphens, such as {example}; found {found:?}")]
    Malformed {
        /// What was written.
        found: String,
        /// A feature of this game.
        example: String,
    },
}

impl Vocabulary {
    /// Atoms without groups.
    pub const fn new(game: &'static str, atoms: &'static [Atom]) -> Self {
        Self { game, atoms: Cow::Borrowed(atoms), groupings: &[Grouping::NONE], blacklist: &[], own: None }
    }

    /// The vocabulary with the atoms of a file, which learning then starts from instead of the game's.
    pub fn with_own(&self, own: &Arc<MoveAtoms>) -> Self {
        let game = self.atoms.iter().take(own.first()).map(|atom| Atom { only_if_named: true, ..atom.clone() });
        let added = own.atoms().iter().map(|atom| Atom {
            name: atom.name.clone().into(),
            description: atom.meaning.clone().into(),
            parent: None,
            prunable: true,
            only_if_named: false,
        });
        Self { atoms: game.chain(added).collect(), own: Some(Arc::clone(own)), ..self.clone() }
    }

    /// The index of the atom with that name.
    pub fn index(&self, name: &str) -> Option<usize> {
        let of_state = || Some(state::FIRST + self.state().iter().position(|atom| atom.name == name)?);
        self.atoms.iter().position(|atom| atom.name == name).or_else(of_state)
    }

    /// The atom with that index.
    pub fn atom(&self, index: usize) -> Option<&Atom> {
        let of_state = || self.state().get(index.checked_sub(state::FIRST)?);
        self.atoms.get(index).or_else(of_state)
    }

    /// The atoms of the search's state; none if their bits are taken.
    pub fn state(&self) -> &'static [Atom] {
        if self.atoms.len() <= state::FIRST { &state::ATOMS } else { &[] }
    }

    /// The atoms of the search's state as a set; empty if their bits are taken.
    pub fn state_set(&self) -> AtomSet {
        if self.state().is_empty() { AtomSet::EMPTY } else { state::SET }
    }

    /// All atoms but those of the search's state.
    pub fn all(&self) -> AtomSet {
        (0..self.atoms.len()).map(AtomSet::single).collect()
    }

    /// The default atoms of learning.
    pub fn base(&self) -> AtomSet {
        self.all().indices().filter(|&index| !self.atoms[index].only_if_named).map(AtomSet::single).collect()
    }

    /// Writes a feature as its atoms' names in vocabulary order, joined by hyphens; the empty one is `Neutral`.
    pub fn format(&self, feature: AtomSet) -> String {
        if feature.is_empty() {
            return "Neutral".to_owned();
        }
        self.names(feature).join("-")
    }

    /// The names of the atoms in a set, in vocabulary order.
    pub fn names(&self, set: AtomSet) -> Vec<&str> {
        set.indices().filter_map(|index| Some(&*self.atom(index)?.name)).collect()
    }

    /// Reads a feature: atom names in any order, joined by hyphens. Atoms may be of one group;
    /// [`check_clash`](Self::check_clash) checks that.
    ///
    /// # Errors
    /// An unknown or repeated atom, or no atom between hyphens.
    pub fn parse(&self, text: &str) -> Result<AtomSet, FeatureError> {
        let mut feature = AtomSet::EMPTY;
        for name in text.split('-').map(str::trim) {
            if name.is_empty() {
                let example = self.format(self.all().indices().take(2).map(AtomSet::single).collect());
                return Err(FeatureError::Malformed { found: text.to_owned(), example });
            }
            let index = self.index(name).ok_or_else(|| FeatureError::UnknownAtom {
                name: name.to_owned(),
                known: self.names(self.all() | self.state_set()).join(" "),
            })?;
            if feature.meets(AtomSet::single(index)) {
                return Err(FeatureError::Repeated(name.to_owned()));
            }
            feature |= AtomSet::single(index);
        }
        Ok(feature)
    }

    /// Whether two atoms of the feature are of one group in the default grouping.
    ///
    /// # Errors
    /// Names the first pair that clashes.
    pub fn check_clash(&self, feature: AtomSet) -> Result<(), FeatureError> {
        let groups = self.groupings.first().map(|grouping| self.groups(grouping)).unwrap_or_default();
        for group in groups {
            let mut members = feature.indices().filter(|&index| group.meets(AtomSet::single(index)));
            if let (Some(first), Some(second)) = (members.next(), members.next()) {
                return Err(FeatureError::Clash {
                    first: self.format(AtomSet::single(first)),
                    second: self.format(AtomSet::single(second)),
                    group: self.names(group).join(" "),
                });
            }
        }
        Ok(())
    }

    /// The groups of a grouping as sets; atoms that it does not name are groups of their own. Of atoms of a file, those are
    /// groups that the file never combines, unless the grouping is without groups.
    pub fn groups(&self, grouping: &Grouping) -> Vec<AtomSet> {
        let mut groups: Vec<AtomSet> = grouping
            .groups
            .iter()
            .map(|names| names.iter().filter_map(|name| self.index(name)).map(AtomSet::single).collect())
            .collect();
        if let Some(own) = self.own.as_ref().filter(|_| !groups.is_empty()) {
            groups.extend(own.never().iter().map(|&set| AtomSet(set)));
        }
        if !self.state().is_empty() && !groups.is_empty() {
            groups.extend(state::GROUPS);
        }
        let named: AtomSet = groups.iter().copied().collect();
        let all = self.all() | self.state_set();
        groups.extend(all.indices().map(AtomSet::single).filter(|&atom| !named.meets(atom)));
        groups
    }

    /// The direct special cases of an atom.
    pub fn children(&self, index: usize) -> AtomSet {
        let Some(name) = self.atom(index).map(|atom| &*atom.name) else { return AtomSet::EMPTY };
        let name = Some(name);
        (0..self.atoms.len()).filter(|&child| self.atoms[child].parent == name).map(AtomSet::single).collect()
    }
}
