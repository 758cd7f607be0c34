// SPDX-License-Identifier: GPL-3.0-or-later
//! Which patterns an evaluation has, and what they weigh: sections 6 and 7 of T. Kaneko, K. Yamaguchi and S. Kawai,
//! "Pattern Selection Problem for Automatically Generating Evaluation Functions for General Game Player", 2003.
//!
//! | file | idea |
//! |---|---|
//! | [`games`] | positions of self-play with their exact values |
//! | [`recorded`] | positions of self-play with probabilities of winning |
//! | [`labelled`] | such positions in files |
//! | [`candidates`] | the patterns that are selected from: from rules, from facts, of fixed shapes |
//! | [`sample`] | positions as a frame has them |
//! | [`columns`] | facts as columns of bits over positions; frequencies |
//! | [`mod@select`] | approximated forward selection |
//! | [`weights`] | weights by least mean squares, or by logistic regression |

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
