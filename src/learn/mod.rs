// SPDX-License-Identifier: GPL-3.0-or-later
//! The learners. None of them names a game, and none knows where its searches run.
//!
//! [`gradual_focus`] grows conjunctions of atoms, [`brute_force`] tries them all, and [`disjunction`] makes tables of
//! several. A [`recipe`] chooses between them; [`findings`] are its results, and [`event`]s its progress. [`fitness`]
//! measures what a feature is worth on a suite, by [`searches`] that are made again from their keys; [`held_out`] what it is worth elsewhere. [`significance`] separates
//! gains from luck, and [`similarity`] finds features that solve the same positions. [`report`] writes the results,
//! [`listing`] makes their tables, [`page`] the HTML page, and [`knowledge`] the form for other programs.
//! [`comparison`] compares runs, and a [`plan`] is an experiment with several.

pub mod brute_force;
pub mod comparison;
pub mod disjunction;
pub mod event;
pub mod findings;
pub mod fitness;
pub mod gradual_focus;
pub mod held_out;
pub mod judged;
pub mod knowledge;
pub mod listing;
pub mod page;
pub mod plan;
pub mod recipe;
pub mod report;
pub mod searches;
pub mod significance;
pub mod similarity;
pub mod step;
pub mod worth;

pub use event::Event;
pub use findings::{Findings, Inputs};
pub use fitness::{Fitness, SuiteFitness};
pub use gradual_focus::{Outcome, Settings};
pub use judged::{Judged, Verdict};
pub use recipe::{Method, Recipe, RecipeError};
pub use worth::Worth;
