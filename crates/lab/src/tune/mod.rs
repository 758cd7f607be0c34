// SPDX-License-Identifier: GPL-3.0-or-later
//! How evaluations are made.
//!
//! | file | idea |
//! |---|---|
//! | `logistic` | a logit as a probability, and its loss |
//! | [`self_play`] | games to learn a network from |
//! | [`sure`] | when such a game is won before its end |
//! | [`record`] | a position of such a game in 32 bytes |
//! | [`examples`] | what a network ought to say of those positions |
//! | [`made`] | what comes out of games and generations |
//! | `model` | a network in floating-point numbers, and the gradient of its loss |
//! | [`train`] | gradient descent |
//! | [`recipe`] | how a network is learned, as a file says it |
//! | [`generation`] | training on recorded games, and a match |
//! | [`generations`] | games and generations, one after the other |
//! | [`mod@page`] | how a network was learned, as a page |
//! | [`patterns`] | which patterns an evaluation has, and what they weigh |

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
