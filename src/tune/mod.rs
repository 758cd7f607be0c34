// SPDX-License-Identifier: GPL-3.0-or-later
//! How evaluations are made.
//!
//! | file | idea |
//! |---|---|
//! | [`lesson`] | quiet positions from games that a program plays with itself, and how the games ended |
//! | [`logistic`] | logistic regression of weights |

pub mod lesson;
pub mod logistic;
