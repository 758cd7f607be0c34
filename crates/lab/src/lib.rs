// SPDX-License-Identifier: GPL-3.0-or-later
//! The laboratory of Halfply: whatever runs searches by the thousand. Suites of test positions, tournaments, learners of
//! extension tables and evaluations, and their reports.
//!
//! Everything here is a list of independent [units](run::Unit) of work, run in parallel by a [runner](run::Runner) that keeps
//! each result in a journal.
//!
//! ```
//! use std::path::Path;
//!
//! use halfply_engine::games::{Breakthrough, RegisteredGame};
//! use halfply_lab::players::{Player, SearchSpec};
//! use halfply_engine::search::Limits;
//! use halfply_lab::suite::Suite;
//!
//! let mut suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE)?;
//! suite.problems.truncate(5);
//! let player = Player::Search(SearchSpec::default().searcher(1, Path::to_owned)?);
//! let mut solved = 0;
//! let outcome = halfply_lab::suite::run(&suite, player, Limits::nodes(1000), |problem, result| {
//!     solved += usize::from(result.solved);
//!     assert!(problem.id.starts_with("7ply"));
//! })?;
//! assert_eq!((outcome.summary.positions, outcome.summary.solved), (5, solved));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`report`] | results as tables for terminals and pages, and as CSV and JSON |
//! | [`run`] | lists of independent units of work: in parallel, with a journal, resumable |
//! | [`client`] | a UCI client for other engines |
//! | [`players`] | a search or another program, as files and commands describe it |
//! | [`suite`] | test positions: read, run, generate, filter |
//! | [`tournament`] | games between players, and the figures of their results |
//! | [`tune`] | how evaluations are made |
//! | [`review`] | games gone through: what each move was worth, and what would have been better |
//! | [`learn`] | the learners; they never name a game |
//!
//! Each module imports only those above it, which a test checks.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read files that they have written"))]

pub mod client;
pub mod learn;
pub mod players;
pub mod report;
pub mod review;
pub mod run;
pub mod suite;
pub mod tournament;
pub mod tune;
