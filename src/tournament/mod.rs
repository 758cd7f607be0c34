// SPDX-License-Identifier: GPL-3.0-or-later
//! Matches: what a table is worth shows only in games, hundreds or thousands of them.
//!
//! [`openings`] says where games start, [`play`] plays them, [`pair`] plays every opening twice with colours swapped,
//! and [`statistics`] says what the results are worth.

pub mod openings;
pub mod pair;
pub mod play;
pub mod statistics;
