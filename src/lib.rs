// SPDX-License-Identifier: GPL-3.0-or-later
//! Halfply: a game engine that learns where to look deeper.
//!
//! Every move costs a *fraction* of a ply, read from an [extension table](features::ExtensionTable); the cheaper a
//! move, the deeper the search looks behind it. The tables are learned from test positions by
//! [Gradual Focus](learn::methods::GradualFocus) and proved in [matches](tournament).
//!
//! The layers. Each imports only those above it, which a test checks:
//!
//! | module | what it holds |
//! |---|---|
//! | [`base`] | depth, score, seeds, figures, text files |
//! | [`report`] | results as tables for terminals and pages, and as CSV and JSON |
//! | [`features`] | atoms, conjunctions of them, extension tables and their file format |
//! | [`patterns`] | patterns from the rules of a game |
//! | [`game`] | what a game must offer: rules, notation, symmetry, atoms |
//! | [`evaluation`] | what a static evaluation is, and those with data |
//! | [`search`] | searches over any game; they never name one |
//! | [`solve`] | exact values of positions |
//! | [`games`] | the games themselves, and the registry |
//! | [`history`] | a game so far |
//! | `bench` | the benchmark whose node count is the behaviour signature |
//! | [`run`] | lists of independent units of work: in parallel, with a journal, resumable |
//! | [`protocol`] | UCI and GTP, and a UCI client for other engines |
//! | [`players`] | a search or another program, as files and commands describe it |
//! | [`suite`] | test positions: read, run, generate, prove, filter |
//! | [`tournament`] | games between players, and the figures of their results |
//! | [`tune`] | how evaluations are made |
//! | [`learn`] | the learners; they never name a game |
//! | [`serve`] | the page in the browser |
//! | [`cli`] | the command line |

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read files that they have written"))]

pub mod base;
pub(crate) mod bench;
pub mod cli;
pub mod evaluation;
pub mod features;
pub mod game;
pub mod games;
pub mod history;
pub mod learn;
pub mod patterns;
pub mod players;
pub mod protocol;
pub mod report;
pub mod run;
pub mod search;
pub mod serve;
pub mod solve;
pub mod suite;
pub mod tournament;
pub mod tune;
