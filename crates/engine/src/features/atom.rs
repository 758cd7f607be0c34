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
}
