// SPDX-License-Identifier: GPL-3.0-or-later
//! Searches over any game. They never name one, and never print.
//!
//! | file | idea |
//! |---|---|
//! | [`extend`] | what a move costs, from its atoms and the extension table |
//! | [`mod@explain`] | what each move of a position costs, and why |
//! | [`shuffle`] | the order of moves that have no better one |
//! | `line` | the principal variation |
//! | `root` | where a search starts |
//! | [`parameters`], `parameter_file` | the parameters of the full search |
//! | `report` | the result |
//! | `limits` | when to stop |
//! | `realization` | what is done with moves that cost more than one ply |
//! | [`control`] | learned search control: how likely a move raises alpha |
//! | `clock` | how much of a clock to use for a move |
//! | `watch` | how callers follow a search |
//! | `plain` | the thesis's program: iterative-deepening alpha-beta |
//! | [`minimax`] | negamax without any pruning, the reference for the others |
//! | `engine` | a search of any kind behind one call |
//! | `evaluator` | an evaluation chosen at run time, and the searches with it |
//! | `weaker` | play below full strength |
//! | `setup` | a search's settings |
//! | `searcher` | a search with evaluation and settings, and its record in journals |

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
