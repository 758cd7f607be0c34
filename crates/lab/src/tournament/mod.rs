// SPDX-License-Identifier: GPL-3.0-or-later
//! Tournaments. The strength of a table shows only in games, and it takes hundreds or thousands of them.

pub mod adjudication;
pub mod allowance;
pub mod contestant;
pub mod course;
pub mod definition;
pub mod description;
pub mod entrant;
pub mod error;
pub mod external;
pub mod fault;
pub mod game;
pub mod internal;
pub mod ledger;
pub mod listing;
mod names;
pub mod openings;
pub mod page;
pub mod pgn;
pub mod pgn_games;
pub mod pgn_tree;
pub mod play;
pub mod player_definition;
pub mod record;
pub mod run;
pub mod schedule;
pub mod scoreboard;
pub mod statistics;
pub mod withdrawal;

pub use run::run;
