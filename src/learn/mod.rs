// SPDX-License-Identifier: GPL-3.0-or-later
//! The learners. None of them names a game, and none knows where its searches run.
//!
//! [`gradual_focus`] grows conjunctions of atoms; [`fitness`] says what a feature is worth on a suite, [`report`] writes
//! down what was found. [`lesson`] plays games to learn evaluations from, [`logistic`] learns their weights.

pub mod fitness;
pub mod gradual_focus;
pub mod lesson;
pub mod logistic;
pub mod report;

pub use fitness::{Evaluation, Fitness, SuiteFitness};
pub use gradual_focus::{Event, Judged, Outcome, Settings, Verdict};
