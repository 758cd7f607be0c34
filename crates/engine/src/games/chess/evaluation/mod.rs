// SPDX-License-Identifier: GPL-3.0-or-later
//! Static evaluations of chess, in hundredths of a pawn.
//!
//! [`Material`] counts pieces. [`Classical`] has the terms of a classical chess program, with weights fitted to games of
//! our own (`research/classical.md`).

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
