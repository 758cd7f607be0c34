// SPDX-License-Identifier: GPL-3.0-or-later
//! Patterns made from the rules of a game: T. Kaneko, K. Yamaguchi and S. Kawai, "Pattern Selection Problem for
//! Automatically Generating Evaluation Functions for General Game Player", 2003.
//!
//! The rules are a text, the *domain theory*. Features are conjunctions of its predicates, derived from each other by
//! *transformations*. *Unfolding* turns a feature into *patterns*: conjunctions of facts about squares.

pub mod board;
mod build;
pub mod clauses;
mod conditions;
pub mod conjunction;
mod cubes;
mod derive;
pub mod diagram;
pub mod frame;
pub mod generate;
mod moves;
pub mod pattern;
mod proofs;
mod sorts;
pub mod symmetry;
mod syntax;
pub mod theory;
pub mod transform;
pub mod unfold;

#[cfg(test)]
mod tests;

pub use conditions::Seen;
pub use conjunction::Conjunction;
pub use derive::{Derived, derive};
pub use frame::{Frame, View};
pub use moves::{AtomsOfMove, MoveAtom, MoveAtoms};
pub use pattern::{Content, Pattern};
pub use proofs::Proofs;
pub use theory::Theory;
