// SPDX-License-Identifier: GPL-3.0-or-later
//! Static evaluations of chess, in hundredths of a pawn.
//!
//! [`Material`] counts pieces. [`Classical`] has the terms of a classical chess program, with weights tuned on games of
//! our own (`docs/evaluation.md`):
//!
//! | file | idea |
//! |---|---|
//! | `layout` | which weights there are, and where each is kept |
//! | `weights` | their values: a generated file |
//! | `start` | the values that tuning starts from |
//! | `view` | the board as one side sees it |
//! | `pieces` | squares, mobility and files of knights, bishops, rooks and queens |
//! | `pawns` | pawn structure and passed pawns |
//! | `king` | shelter, and what threatens the king |
//! | `threats` | what attacks what |
//! | `blend` | middlegame and endgame made one number |
//! | `trace` | the same terms as coefficients, for tuning |

mod blend;
mod classical;
mod king;
mod layout;
mod material;
mod pawns;
mod pieces;
mod sink;
mod start;
mod threats;
mod trace;
mod view;
mod weights;

pub use classical::Classical;
pub use layout::{TERMS, Term, WEIGHTS_COUNT, Weight};
pub use material::Material;

pub use start::START;
pub use trace::{Trace, written};

#[cfg(test)]
mod tests;
