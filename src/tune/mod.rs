// SPDX-License-Identifier: GPL-3.0-or-later
//! How evaluations are made.
//!
//! | file | idea |
//! |---|---|
//! | [`lesson`] | quiet positions from games that a program plays with itself, and how the games ended |
//! | [`logistic`] | logistic regression of weights |
//! | [`self_play`] | games to learn a network from |
//! | [`record`] | a position of such a game in 32 bytes |
//! | [`examples`] | what a network ought to say of those positions |
//! | [`train`] | gradient descent |
//! | [`recipe`] | how a network is learned, as a file says it |
//! | [`generations`] | games, training and a match, again and again |

pub mod examples;
pub mod generations;
pub mod lesson;
pub mod logistic;
pub mod recipe;
pub mod record;
pub mod self_play;
pub mod train;
