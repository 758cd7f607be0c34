// SPDX-License-Identifier: GPL-3.0-or-later
//! How positions and moves are written.

use thiserror::Error;

use super::{Game, after, legal_moves};

/// A text that is no position or no legal move, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotationError(pub String);

/// The moves that a word of a game record stands for: one, however it is written, and before it a pass that the record leaves
/// out.
///
/// # Errors
/// As [`Notation::parse_move`].
pub fn recorded_moves<G: Notation>(position: &G::Position, word: &str) -> Result<Vec<G::Move>, NotationError> {
    let error = match G::parse_move(position, word) {
        Ok(mv) => return Ok(vec![mv]),
        Err(error) => error,
    };
    match G::forced_pass(position) {
        Some(pass) => Ok(vec![pass, G::parse_move(&after::<G>(position, pass), word)?]),
        None => Ok(vec![G::parse_loosely(position, word).ok_or(error)?]),
    }
}

/// The moves of a line that begins at a position, each as this writes it.
pub fn line_texts<G: Game>(
    before: &G::Position,
    line: &[G::Move],
    write: impl Fn(&G::Position, G::Move) -> String,
) -> Vec<String> {
    let mut position = before.clone();
    let text = |&mv| {
        let text = write(&position, mv);
        G::play(&mut position, mv);
        text
    };
    line.iter().map(text).collect()
}

/// How positions and moves are written.
pub trait Notation: Game {
    /// Reads a position (FEN). Refuses everything except positions that can be played on and finished ones.
    ///
    /// # Errors
    /// Says which field is wrong and what was expected there.
    fn parse_position(text: &str) -> Result<Self::Position, NotationError>;

    /// The same position for a client with `UCI_Chess960`, where castling is written as the king taking its rook. No
    /// effect in other games.
    fn as_chess960(position: Self::Position) -> Self::Position {
        position
    }

    /// Whether castling is written that way in this position. False in other games.
    fn is_chess960(_position: &Self::Position) -> bool {
        false
    }

    /// What people call the first and the second player.
    const SIDE_NAMES: [&'static str; 2] = ["white", "black"];

    /// What a score of a hundred hundredths is worth, in the plural.
    const SCORE_UNIT: &'static str = "points";

    /// What the first and the second player have of that which decides the game when it is counted at its end; none in
    /// other games.
    fn counts(_position: &Self::Position) -> Option<[u32; 2]> {
        None
    }

    /// The move that a word of an older record means, in none of the game's notations.
    fn parse_loosely(_position: &Self::Position, _word: &str) -> Option<Self::Move> {
        None
    }

    /// The pass that is the only move of a position, if it is one: some records leave it out.
    fn forced_pass(_position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// Writes a position as a full FEN.
    fn format_position(position: &Self::Position) -> String;

    /// Reads a legal move in any of the game's notations; by default in that of [`format_move`](Notation::format_move).
    ///
    /// # Errors
    /// Says whether the text is no move at all or a move that is not legal here.
    fn parse_move(position: &Self::Position, text: &str) -> Result<Self::Move, NotationError> {
        let found = legal_moves::<Self>(position).iter().copied().find(|&mv| Self::format_move(position, mv) == text);
        found.ok_or_else(|| NotationError(format!("{text} is not a legal move in {}", Self::format_position(position))))
    }

    /// Writes a move as in UCI (`e2d3`).
    fn format_move(position: &Self::Position, mv: Self::Move) -> String;

    /// Writes a move as in the text protocol (GTP); by default as in UCI.
    fn text_move(position: &Self::Position, mv: Self::Move) -> String {
        Self::format_move(position, mv)
    }

    /// Whether a text has the form of a move in UCI, legal or not: by default two squares, and optionally the
    /// piece that a pawn promotes to. [`parse_move`](Notation::parse_move) takes other notations too; UCI has one.
    fn has_move_shape(text: &str) -> bool {
        let is_square = |file: u8, rank: u8| file.is_ascii_lowercase() && rank.is_ascii_digit();
        match *text.as_bytes() {
            [a, b, c, d] => is_square(a, b) && is_square(c, d),
            [a, b, c, d, piece] => is_square(a, b) && is_square(c, d) && piece.is_ascii_lowercase(),
            _ => false,
        }
    }

    /// Writes a move as in game records (PGN); by default as in UCI.
    fn record_move(position: &Self::Position, mv: Self::Move) -> String {
        Self::format_move(position, mv)
    }

    /// Why the game ended in this position, in a few words: `checkmate`, `repetition`.
    fn ending(_position: &Self::Position) -> &'static str {
        "end of the game"
    }

    /// A drawing of the board for people, several lines, White below; by default the FEN.
    fn draw(position: &Self::Position) -> String {
        Self::format_position(position)
    }
}
