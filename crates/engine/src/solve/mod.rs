// SPDX-License-Identifier: GPL-3.0-or-later
//! Exact values: who wins a position if both sides play perfectly.
//!
//! A game that can be solved has a [`Solver`], which makes a [`Problem`] of a position. How it is solved is the game's own
//! affair.

pub mod proof;
pub mod prove;
mod table;

use std::fmt;
use std::ops::ControlFlow;

use thiserror::Error;

use crate::base::{Outcome, Side};
use crate::game::NotationError;

/// How a game makes a problem of a position (FEN).
pub type Solver = fn(&str) -> Result<Box<dyn Problem>, NotationError>;

/// A position to be solved.
pub trait Problem: fmt::Debug + Send + Sync {
    /// The position, as the game writes it.
    fn text(&self) -> String;

    /// The side to move.
    fn to_move(&self) -> Side;

    /// Solves the position, if the limits allow it. `watch` is called every few milliseconds and may stop the work.
    ///
    /// # Errors
    /// If the memory cannot be had.
    fn solve(&self, limits: Limits, watch: &mut Watch<'_>) -> Result<Solution, MemoryError>;
}

/// Follows the work: it gets the nodes so far and how far the work is, in a few words. A break ends the work.
pub type Watch<'a> = dyn FnMut(u64, fmt::Arguments<'_>) -> ControlFlow<()> + 'a;

/// How much work a position is worth.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most nodes; none for no limit.
    pub nodes: Option<u64>,
    /// The most bytes for tables.
    pub memory: u64,
}

/// What is known of a position after the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The exact value; none if the work ended too early.
    pub value: Option<Value>,
    /// Moves of both sides that lead to this value, as the game writes them, as far as they are known.
    pub line: Vec<String>,
    /// Positions that were expanded.
    pub nodes: u64,
}

/// An exact value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Who wins.
    pub outcome: Outcome,
    /// By how much, in games that have a score: the side to move's points minus the opponent's.
    pub margin: Option<i32>,
}

/// There is not enough memory for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is not enough memory for a table of {0} MiB; ask for less")]
pub struct MemoryError(pub u64);
