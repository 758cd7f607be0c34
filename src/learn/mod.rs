// SPDX-License-Identifier: GPL-3.0-or-later
//! The learners. None of them names a game, and none knows where its searches run.
//!
//! A [`recipe`] chooses one of the [`methods`]; what it finds is an [`outcome`], with all that follows it
//! [`findings`], and [`event`]s are its progress. [`fitness`] measures what a feature is worth on a suite, by
//! [`searches`] that can be remade from their keys; [`held_out`] what it is worth elsewhere. [`significance`] separates
//! gains from luck, and [`similarity`] finds features that solve the same positions. [`report`] writes the results,
//! [`listing`] makes their tables, [`page`] the HTML page, and [`knowledge`] the form for other programs.
//! An [`experiment`] compares several runs.

pub mod event;
pub mod experiment;
pub mod files;
pub mod findings;
pub mod fitness;
pub mod growth;
pub mod held_out;
pub mod judged;
pub mod knowledge;
pub mod listing;
pub mod methods;
pub mod outcome;
pub mod page;
pub mod recipe;
pub mod report;
pub mod run;
pub mod searches;
pub mod settings;
pub mod significance;
pub mod similarity;
pub mod worth;

pub use event::Event;
pub use findings::Findings;
pub use fitness::{Fitness, SuiteFitness};
pub use judged::{Judged, Verdict};
pub use methods::{Acceptance, Method};
pub use outcome::Outcome;
pub use recipe::Recipe;
pub use run::run;
pub use settings::SettingError;
pub use worth::Worth;
