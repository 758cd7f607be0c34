// SPDX-License-Identifier: GPL-3.0-or-later
//! The methods of learning.
//!
//! | file | method |
//! |---|---|
//! | [`gradual_focus`] | grows conjunctions of atoms, and keeps those that solve more |
//! | [`brute_force`] | tries every conjunction of a few atoms |
//! | [`disjunction`] | grows tables of several rows from the conjunctions that were found |

pub mod brute_force;
pub mod disjunction;
pub mod gradual_focus;
