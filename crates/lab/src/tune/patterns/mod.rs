// SPDX-License-Identifier: GPL-3.0-or-later
//! Which patterns an evaluation has, and what they weigh: sections 6 and 7 of T. Kaneko, K. Yamaguchi and S. Kawai,
//! "Pattern Selection Problem for Automatically Generating Evaluation Functions for General Game Player", 2003.

pub mod candidates;
pub mod columns;
pub mod games;
pub mod labelled;
pub mod recorded;
pub mod sample;
pub mod select;
pub mod weights;

#[cfg(test)]
mod tests;
