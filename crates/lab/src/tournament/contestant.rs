// SPDX-License-Identifier: GPL-3.0-or-later
//! An entrant in one game: a search in this process, or another program behind a pipe.

use std::time::Duration;

use super::allowance::GameClock;
use super::fault::MoveFailure;
use crate::run::Stop;
use halfply_engine::game::Notation;
use halfply_engine::history::History;
use halfply_engine::protocol::UciScore;

/// What a contestant has to know at its turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The clocks of White and Black.
    pub clocks: &'a [GameClock; 2],
    /// How late a move may be without losing the game.
    pub margin: Duration,
    /// Raised when the game is abandoned.
    pub stop: &'a Stop,
}

/// A move, and what the search reported about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought<M> {
    /// The move; it is legal.
    pub mv: M,
    /// The contestant's score of its position; none if it reported no exact one.
    pub value: Option<UciScore>,
    /// Plies of its last iteration.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Moves that matched a row of an extension table.
    pub extended: u64,
    /// The time that it took.
    pub elapsed: Duration,
}

/// An entrant in one game.
pub trait Contestant<G: Notation> {
    /// Prepares for the game. Called once.
    ///
    /// # Errors
    /// If the contestant cannot play.
    fn begin(&mut self) -> Result<(), MoveFailure>;

    /// Finds a move in a game that is not over.
    ///
    /// # Errors
    /// If the contestant fails to make a move, or the game is abandoned.
    fn think(&mut self, game: &History<G>, turn: &Turn<'_>) -> Result<Thought<G::Move>, MoveFailure>;
}
