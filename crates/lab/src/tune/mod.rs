// SPDX-License-Identifier: GPL-3.0-or-later
//! How evaluations are made.

pub mod examples;
pub mod generation;
pub mod generations;
mod logistic;
pub mod made;
mod model;
pub mod page;
pub mod patterns;
pub mod recipe;
pub mod record;
pub mod self_play;
pub mod sure;
pub mod train;

pub(crate) use logistic::probability;
