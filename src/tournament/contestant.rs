// SPDX-License-Identifier: GPL-3.0-or-later
//! Whoever sits at the board: a search of ours in this process, or another program behind a pipe.

use std::time::Duration;

use super::allowance::{Allowance, GameClock};
use super::fault::MoveFailure;
use crate::game::Notation;
use crate::history::History;
use crate::protocol::UciScore;
use crate::run::Stop;

/// What a contestant is to know when it is its turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// What it may use.
    pub allowance: &'a Allowance,
    /// The clocks of White and Black.
    pub clocks: &'a [GameClock; 2],
    /// How much later than its clock allows a move may come.
    pub margin: Duration,
    /// Raised when the game is given up.
    pub stop: &'a Stop,
}

/// A move, and what was thought on the way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought<M> {
    /// The move; it is legal.
    pub mv: M,
    /// What the contestant thinks of its position; none if it said nothing exact.
    pub value: Option<UciScore>,
    /// Plies of its last iteration.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// How many of them matched a row of an extension table.
    pub extended: u64,
    /// What it took.
    pub elapsed: Duration,
}

/// A player in one game.
pub trait Contestant<G: Notation> {
    /// A game begins.
    ///
    /// # Errors
    /// If the contestant cannot play it.
    fn begin(&mut self) -> Result<(), MoveFailure>;

    /// Finds a move in a game that is not over.
    ///
    /// # Errors
    /// If there is none by the contestant's fault, or the game is given up.
    fn think(&mut self, game: &History<G>, turn: &Turn<'_>) -> Result<Thought<G::Move>, MoveFailure>;
}
