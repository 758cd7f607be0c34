// SPDX-License-Identifier: GPL-3.0-or-later
//! What an atom is.

use std::borrow::Cow;

/// One basic property of a move.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The papers' name for it: letters and digits, no hyphen.
    pub name: Cow<'static, str>,
    /// What it says of the move, in words.
    pub description: Cow<'static, str>,
    /// The atom of which this one is a special case (linear tree pruning follows these).
    pub parent: Option<&'static str>,
    /// Whether threshold pruning may drop it even when domain knowledge is used (thesis, Table 4.2, last column).
    pub prunable: bool,
    /// Whether learning leaves it out by default: atoms that the papers' experiments do not have.
    pub only_if_named: bool,
}

impl Atom {
    /// An atom that is no special case of another one, and that threshold pruning may drop.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            description: Cow::Borrowed(description),
            parent: None,
            prunable: true,
            only_if_named: false,
        }
    }

    /// The same atom as a special case of another.
    pub const fn within(mut self, parent: &'static str) -> Self {
        self.parent = Some(parent);
        self
    }

    /// The same atom, which domain knowledge keeps from threshold pruning.
    pub const fn kept(mut self) -> Self {
        self.prunable = false;
        self
    }

    /// The same atom, which learning leaves out by default.
    pub const fn only_if_named(mut self) -> Self {
        self.only_if_named = true;
        self
    }
}

/// Declares a game's atoms in the order of their bits: the list `ATOMS`, and the set of each atom under a name of its own.
macro_rules! atoms {
    ($(#[$meta:meta])* $($bit:ident = $atom:expr;)+) => {
        #[allow(dead_code, clippy::upper_case_acronyms)]
        enum Bit { $($bit),+ }
        $(#[allow(dead_code)] const $bit: AtomSet = AtomSet::single(Bit::$bit as usize);)+
        $(#[$meta])*
        const ATOMS: &[Atom] = &[$($atom),+];

        #[test]
        fn bits_have_the_names_of_their_atoms() {
            let names: Vec<String> = ATOMS.iter().map(|atom| atom.name.to_uppercase()).collect();
            assert_eq!(names, [$(stringify!($bit)),+]);
        }
    };
}
pub(crate) use atoms;
