// SPDX-License-Identifier: GPL-3.0-or-later
//! A game that was played, ready to be reviewed.

use thiserror::Error;

use crate::tournament::pgn::{colours, first_number, result, value_of};
use crate::tournament::pgn_games::result_of;
use crate::tournament::record::{GameRecord, ReplayError, half_points};
use halfply_engine::game::{Notation, Side};
use halfply_engine::history::History;

/// The most moves of a game. The longest tournament game of chess had 538.
pub const MOST_PLIES: usize = 2_000;

/// A game with all its positions.
#[derive(Clone, Debug)]
pub struct Played<G: Notation> {
    /// The first and the second player; empty if they are not known.
    pub players: [String; 2],
    /// The tags that its file has, for its PGN.
    pub tags: Vec<(String, String)>,
    /// The result as in PGN.
    pub result: String,
    /// The number of the first move.
    pub first_number: u32,
    /// The game.
    pub history: History<G>,
}

/// A game that cannot be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayedError {
    /// It cannot be replayed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// It has too many moves.
    #[error("it has {0} moves; at most {MOST_PLIES} are reviewed")]
    Long(usize),
}

impl<G: Notation> Played<G> {
    /// A game of a file that has these tags.
    ///
    /// # Errors
    /// If it has a move that is not legal, or too many of them.
    pub fn new(record: &GameRecord, tags: Vec<(String, String)>) -> Result<Self, PlayedError> {
        // Before it is replayed: a file may be as large as it likes.
        let plies = record.plies();
        if plies > MOST_PLIES {
            return Err(PlayedError::Long(plies));
        }
        let history = record.replay::<G>()?;
        let said = value_of(&tags, "Result").and_then(result_of);
        let is_over = !record.end.is_empty();
        let known = || (is_over || history.outcome().is_some()).then(|| record.winner.or_else(|| history.winner()));
        let result = said.unwrap_or_else(|| known().map_or("*", result::<G>)).to_owned();
        let first_number = first_number(&record.opening);
        Ok(Self { players: record.players.clone(), tags, result, first_number, history })
    }

    /// How many moves it has.
    pub fn plies(&self) -> usize {
        self.history.moves().len()
    }

    /// The half points of the first and the second player; none if the game has no result.
    pub fn half_points(&self) -> Option<[u64; 2]> {
        let winners = [Some(Side::White), Some(Side::Black), None];
        winners.into_iter().find(|&winner| self.result == result::<G>(winner)).map(half_points)
    }

    /// What a player is called: by its name, or else by its side.
    pub fn name(&self, side: Side) -> &str {
        let name = self.players[side.index()].as_str();
        if matches!(name, "" | "?") { G::SIDE_NAMES[side.index()] } else { name }
    }

    /// Its players in the order of PGN: Ann – Bob.
    pub fn title(&self) -> String {
        if self.players.iter().all(|name| matches!(name.as_str(), "" | "?")) {
            return format!("A game of {}", G::NAME);
        }
        let [(_, first), (_, second)] = colours::<G>();
        format!("{} – {}", self.name(first), self.name(second))
    }
}
