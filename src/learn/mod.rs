// SPDX-License-Identifier: GPL-3.0-or-later
//! The learners. None of them names a game, and none knows where its searches run.
//!
//! A [`Recipe`] chooses one of the [`methods`]; what that finds is an [`Outcome`], with all that follows it
//! [`Findings`], and [`Event`]s are its progress. [`fitness`] measures what a table is worth on a suite, by [`searches`]
//! that can be remade from their keys. [`run`](mod@run) is the whole as a library call, and [`files`] are its results. An
//! [`experiment`] compares several runs.
//!
//! | file | idea |
//! |---|---|
//! | `recipe`, [`settings`] | how to learn; settings that are declared once |
//! | `judged`, `growth`, `worth` | a table, how one of several rows grew, what one is worth |
//! | `held_out` | what tables are worth on positions that were not learned from |
//! | `significance` | gains and luck told apart |
//! | `similarity` | features that solve the same positions |
//! | `listing`, `report`, `page` | findings as tables, as files and as a page |
//! | `knowledge` | findings for other engines |

mod event;
pub mod experiment;
pub mod files;
mod findings;
pub mod fitness;
mod growth;
mod held_out;
mod judged;
pub(crate) mod knowledge;
pub(crate) mod listing;
pub mod methods;
mod outcome;
mod page;
mod recipe;
pub(crate) mod report;
pub mod run;
pub mod searches;
pub mod settings;
mod significance;
mod similarity;
mod worth;

pub use event::Event;
pub use findings::Findings;
pub use growth::{Change, Growth, Step};
pub use held_out::HeldOut;
pub use judged::{Judged, Parents, Verdict};
pub use methods::Method;
pub use outcome::Outcome;
pub use recipe::Recipe;
pub use run::run;
pub use settings::SettingError;
pub use significance::{Comparison, Differences};
pub use worth::Worth;
