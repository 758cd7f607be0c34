// SPDX-License-Identifier: GPL-3.0-or-later
//! The learners. None of them names a game, and none knows where its searches run.
//!
//! [`gradual_focus`] grows conjunctions of atoms, [`brute_force`] tries them all, and [`disjunction`] makes tables of several;
//! [`recipe`] says which, in the words of commands and files, and [`findings`] are what comes of it, told as it goes by
//! [`event`]s. [`fitness`] says what a feature is worth on a suite, [`held_out`] what it is worth elsewhere;
//! [`significance`] tells gains from luck, [`similarity`] features that do the same from others. [`report`] writes down what was
//! found, [`listing`] makes its tables, [`page`] shows it, [`knowledge`] tells it to other programs, and [`comparison`] sets one run beside another; [`plan`] is an
//! experiment of several.

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
