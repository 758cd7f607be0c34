// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine of Halfply: games, extension tables, evaluations, searches, and the protocols UCI and GTP.
//!
//! Every move costs a *fraction* of a ply, read from an [extension table](features::ExtensionTable); the cheaper a
//! move, the deeper the search looks behind it. This crate is what a program of its own needs to search with such a table.
//!
//! ```
//! use halfply_engine::features::file::parse_line;
//! use halfply_engine::game::{Game, Notation};
//! use halfply_engine::games::{Breakthrough, RegisteredGame};
//! use halfply_engine::search::{Limits, Profile, Root, Setup};
//!
//! // A move that puts a piece, unattacked, into the opponent's half costs half a ply.
//! let table = parse_line("Ud-Rdt@0.5", &Breakthrough::VOCABULARY)?;
//! let evaluation = Breakthrough::default_evaluation(Profile::Full);
//! let setup = Setup { table, ..Breakthrough::usual_setup(&evaluation) };
//! let position = Breakthrough::parse_position("8/8/8/4p3/1P6/8/7p/P7 w - - 0 1")?;
//! let mut thinker = evaluation.engine(&setup).thinker();
//! let report = thinker.search(Root::bare(&position), Limits::nodes(20_000), &mut ());
//! let best = report.best.map(|mv| Breakthrough::format_move(&position, mv));
//! println!("{best:?} after {} plies: {}", report.depth, report.score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`base`] | depth, score, seeds, figures, text files |
//! | [`patterns`] | patterns from the rules of a game |
//! | [`features`] | atoms, conjunctions of them, extension tables and their file format |
//! | [`game`] | what a game must offer: rules, notation, symmetry, atoms |
//! | [`book`] | opening books: read, and made from games |
//! | [`evaluation`] | what a static evaluation is, and those with data |
//! | [`search`] | searches over any game; they never name one |
//! | [`solve`] | exact values of positions |
//! | [`games`] | the games themselves, and the registry |
//! | [`history`] | a game so far |
//! | [`bench`](mod@bench) | the benchmark whose node count is the behaviour signature |
//! | [`protocol`] | UCI and GTP |
//!
//! Each module imports only those above it, which a test checks.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read files that they have written"))]

pub mod base;
pub mod bench;
pub mod book;
pub mod evaluation;
pub mod features;
pub mod game;
pub mod games;
pub mod history;
pub mod patterns;
pub mod protocol;
pub mod search;
pub mod solve;
