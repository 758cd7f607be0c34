// SPDX-License-Identifier: GPL-3.0-or-later
//! Searches over any game. They never name one, and never print.

pub mod clock;
pub mod control;
mod engine;
mod evaluator;
pub mod explain;
pub mod extend;
mod full;
mod limits;
mod line;
pub mod minimax;
mod pace;
mod parameter_file;
pub mod parameters;
mod plain;
mod realization;
mod report;
mod root;
mod searcher;
pub mod setup;
pub mod shuffle;
mod watch;
mod weaker;

pub use crate::base::{Depth, Score, score};
pub use engine::{Engine, Thinker};
pub use evaluator::{AnyEvaluation, Evaluator};
pub use full::Full;
pub use limits::Limits;
pub use pace::Pace;
pub use parameters::Parameters;
pub use plain::Plain;
pub use realization::Realization;
pub use report::Report;
pub use root::Root;
pub use searcher::{SearchRecord, Searcher};
pub use setup::{DEFAULT_HASH, FullSettings, MOST_HASH, Profile, Setup};
pub use watch::{Failure, Iteration, Watcher};
pub use weaker::Strength;
