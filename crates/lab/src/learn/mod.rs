// SPDX-License-Identifier: GPL-3.0-or-later
//! The learners. None of them names a game, and none knows where its searches run.
//!
//! Two kinds of methods learn. Those in [`methods`] discover features: a [`Recipe`] chooses one; what it finds is an
//! [`LearnOutcome`], with all that follows it [`Findings`], and [`LearnEvent`]s are its progress. Those in [`tuning`] tune settings
//! of the search. [`fitness`] measures what a [`Candidate`] is worth on a suite, by [`searches`] that can be remade from
//! their keys; all methods share them. [`run`](mod@run) is the whole as a library call, and [`files`] are its results. An
//! [`experiment`] compares several runs.

mod candidate;
pub mod control;
pub mod derived;
mod event;
pub mod experiment;
pub mod files;
mod findings;
pub mod fitness;
mod growth;
mod held_out;
mod judged;
pub mod knowledge;
pub mod listing;
mod match_file;
pub mod methods;
mod outcome;
mod page;
pub mod realization;
mod recipe;
pub mod report;
pub mod rounds;
pub mod run;
pub mod searches;
pub mod settings;
mod significance;
mod similarity;
pub mod spsa;
pub mod tuning;
mod worth;

pub use candidate::{Attempt, Candidate};
pub use event::LearnEvent;
pub use findings::Findings;
pub use growth::{Change, Growth, Step};
pub use held_out::HeldOut;
pub use judged::{Judged, Parents, Verdict};
pub use match_file::of_control as match_of_control;
pub use methods::Method;
pub use outcome::LearnOutcome;
pub use recipe::Recipe;
pub use run::run;
pub use settings::SettingError;
pub use significance::{Comparison, Differences};
pub use worth::Worth;
