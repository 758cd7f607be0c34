// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluations made of patterns: section 7 of T. Kaneko, K. Yamaguchi and S. Kawai, "Pattern Selection Problem for
//! Automatically Generating Evaluation Functions for General Game Player", 2003.
//!
//! | file | idea |
//! |---|---|
//! | [`games`] | positions of self-play with their exact values |
//! | [`labelled`] | such positions in files |

pub mod games;
pub mod labelled;
