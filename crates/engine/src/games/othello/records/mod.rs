// SPDX-License-Identifier: GPL-3.0-or-later
//! Game records of Othello: GGF, the text format of the Generic Game Server, and WTHOR, the binary format of the Fédération
//! Française d'Othello.

pub(super) mod ggf;
pub(super) mod wthor;

use super::Othello;
use super::board::{Move, Position};
use crate::game::{Game, Notation, after, legal_moves};
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

    /// Plays a move, after a pass if there is no other move: some records leave passes out.
    fn play(&mut self, text: &str) -> Result<(), String> {
        let must_pass = legal_moves::<Othello>(&self.position).first() == Some(&Move::PASS);
        if must_pass && !Othello::parse_move(&self.position, text).is_ok_and(Move::is_pass) {
            self.add(Move::PASS);
        }
        let mv = Othello::parse_move(&self.position, text).map_err(|error| error.to_string())?;
        self.add(mv);
        Ok(())
    }

    fn add(&mut self, mv: Move) {
        self.moves.push(Othello::format_move(&self.position, mv));
        self.position = after::<Othello>(&self.position, mv);
    }

    /// The game between these players.
    fn finish(self, players: [String; 2]) -> PlayedGame {
        PlayedGame { players, start: Othello::format_position(&self.start), moves: self.moves }
    }
}

/// The start of the game.
fn start() -> Position {
    Othello::start()
}
