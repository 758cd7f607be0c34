// SPDX-License-Identifier: GPL-3.0-or-later
//! The learners. None of them names a game, and none knows where its searches run.
//!
//! [`gradual_focus`] grows conjunctions of atoms, [`brute_force`] tries them all; [`recipe`] says which, in the words of
//! commands and files. [`fitness`] says what a feature is worth on a suite, [`report`] writes down what was found, [`page`] shows it, and
//! [`comparison`] sets one run beside another; [`plan`] is an experiment of several. [`significance`] tells gains from luck, [`kinds`] features that
//! do the same from others. [`lesson`] plays games to learn evaluations from, [`logistic`] learns their weights.

pub mod brute_force;
pub mod comparison;
pub mod fitness;
pub mod gradual_focus;
pub mod kinds;
pub mod lesson;
pub mod logistic;
pub mod page;
pub mod plan;
pub mod recipe;
pub mod report;
pub mod significance;

pub use fitness::{Evaluation, Fitness, SuiteFitness};
pub use gradual_focus::{Event, Judged, Outcome, Settings, Verdict};
pub use recipe::{Method, Recipe, RecipeError};
