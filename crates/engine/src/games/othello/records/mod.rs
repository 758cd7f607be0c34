// SPDX-License-Identifier: GPL-3.0-or-later
//! Game records of Othello: GGF, the text format of the Generic Game Server, and WTHOR, the binary format of the Fédération
//! Française d'Othello.

pub(super) mod ggf;
pub(super) mod wthor;

use std::cmp::Ordering;

use super::Othello;
use super::board::Position;
use crate::game::{Game, Notation, after, recorded_moves};
use crate::games::records::PlayedGame;

/// A game as it is replayed.
struct Replay {
    start: Position,
    position: Position,
    moves: Vec<String>,
}

impl Replay {
    const fn new(start: Position) -> Self {
        Self { start, position: start, moves: Vec::new() }
    }

    fn play(&mut self, word: &str) -> Result<(), String> {
        for mv in recorded_moves::<Othello>(&self.position, word).map_err(|error| error.to_string())? {
            self.moves.push(Othello::format_move(&self.position, mv));
            self.position = after::<Othello>(&self.position, mv);
        }
        Ok(())
    }

    /// The game between these players.
    fn finish(self, players: [String; 2], tags: Vec<(String, String)>) -> PlayedGame {
        PlayedGame { players, start: Othello::format_position(&self.start), moves: self.moves, tags }
    }
}

/// The start of the game.
fn start() -> Position {
    Othello::start()
}

/// The tag of a result, of Black's discs less White's. In PGN the first number is that of the player with the white pieces.
fn result(difference: Ordering) -> (String, String) {
    let result = match difference {
        Ordering::Less => "1-0",
        Ordering::Equal => "1/2-1/2",
        Ordering::Greater => "0-1",
    };
    ("Result".to_owned(), result.to_owned())
}
