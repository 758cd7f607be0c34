// SPDX-License-Identifier: GPL-3.0-or-later
//! Halfply: a game engine that learns where to look deeper.
//!
//! Every move costs a *fraction* of a ply, read from an [extension table](features::ExtensionTable); the cheaper a
//! move, the deeper the search looks behind it. The tables are learned from test positions by
//! [Gradual Focus](learn::gradual_focus) and proved in [matches](tournament).
//!
//! The layers, each of which knows only those above it:
//!
//! | module | what it holds |
//! |---|---|
//! | [`game`] | what a game must offer: rules, notation, symmetry, atoms |
//! | [`bundled`] | the data files that are part of the binary |
//! | [`files`] | the one bounded way to read a file |
//! | [`data_file`] | text files that people write, and what is wrong with them |
//! | [`source`] | in which line of a TOML file a value stands |
//! | [`features`] | atoms, conjunctions of them, extension tables and their file format |
//! | [`search`] | searches over any game; they never name one |
//! | [`evaluation`] | what a static evaluation is |
//! | [`games`] | the games themselves |
//! | [`history`] | a game so far |
//! | [`experiment`] | lists of independent units: run in parallel, journalled, resumed |
//! | [`suite`] | test positions: read, run, generate, prove, filter |
//! | [`learn`] | the learners |
//! | [`tournament`] | matches between players, and what their results are worth |
//! | [`protocol`] | how other programs talk to the engine |
//! | [`suggestion`] | what somebody may have meant by a name |
//! | [`figures`] | numbers as people read them |
//! | [`report`] | results as tables for terminals and pages, as CSV and JSON |
//! | [`echo`] | texts from outside, shortened |
//! | [`cli`] | the command line |

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read files that they have written"))]

pub mod bench;
pub mod bundled;
pub mod cli;
pub mod data_file;
pub mod echo;
pub mod evaluation;
pub mod experiment;
pub mod features;
pub mod figures;
pub mod files;
pub mod game;
pub mod games;
pub mod history;
pub mod learn;
pub mod mix;
pub mod protocol;
pub mod report;
pub mod search;
pub mod source;
pub mod suggestion;
pub mod suite;
pub mod tournament;
