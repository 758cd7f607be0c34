// SPDX-License-Identifier: GPL-3.0-or-later
//! Static evaluations of chess, in hundredths of a pawn.
//!
//! [`Material`] counts pieces. [`Classical`] has the terms of a classical chess program, with weights fitted to games of
//! our own (`research/classical.md`):
//!
//! | file | idea |
//! |---|---|
//! | `layout` | which weights there are, and where each is kept |
//! | `weights` | their values |
//! | `view` | the board as one side sees it |
//! | `pieces` | squares, mobility and files of knights, bishops, rooks and queens |
//! | `pawns` | pawn structure and passed pawns |
//! | `king` | shelter, and what threatens the king |
//! | `threats` | what attacks what |
//! | `blend` | middlegame and endgame made one number |
//! | `trace` | the same terms as coefficients, for tests |

mod blend;
mod classical;
mod king;
mod layout;
mod material;
mod pawns;
mod pieces;
mod sink;
mod threats;
#[cfg(test)]
mod trace;
mod view;
mod weights;

pub use classical::Classical;
pub use material::Material;

#[cfg(test)]
mod tests;
