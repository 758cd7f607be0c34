// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions and moves as text, and the board drawn.
//!
//! Two worlds write Othello differently, and both are read:
//!
//! | | Othello programs | Fairy-Stockfish's `flipello` |
//! |---|---|---|
//! | position | 64 characters `X`, `O`, `-` from a1, and the side to move | a FEN: `P` and `p`, discs in hand in brackets |
//! | first player | black, `X` | white, `w` |
//! | row at the top | 1 | 8 |
//! | move | `d3` | `P@d6` |
//! | pass | `pass` (or `--`, `ps`) | some own disc to its own square: `d5d5` |
//!
//! Positions and the moves of UCI are written as Fairy-Stockfish does, moves of game records and of the text protocol as
//! Othello programs do. The discs in hand do not matter: as many as there are empty squares are written for either side.

use super::super::board_text::{self, counter, refuse, square, square_name};
use super::Othello;
use super::board::{CENTER, Move, Position};
use crate::game::{Notation, NotationError, Side, legal_moves};

/// The forms of a position, for error messages.
const SHAPE: &str = "write 64 of X, O and - from a1 and the side to move, X or O; or a FEN such as \
                     \"8/8/8/3pP3/3Pp3/8/8/8[] w - - 0 1\"";

/// The words for a pass that are read, besides the one that Fairy-Stockfish writes.
const PASSES: &[&str] = &["pass", "ps", "pa", "--", "0000"];

impl Notation for Othello {
    const SIDE_NAMES: [&'static str; 2] = ["black", "white"];

    const SCORE_UNIT: &'static str = "discs";

    fn forced_pass(position: &Position) -> Option<Move> {
        legal_moves::<Self>(position).first().copied().filter(|mv| mv.is_pass())
    }

    fn counts(position: &Position) -> Option<[u32; 2]> {
        Some(position.discs().map(u64::count_ones))
    }

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let position = match fields[..] {
            [board, turn] if !board.contains('/') => parse_squares(board, turn)?,
            [board, turn] => parse_fen(board, turn, None)?,
            [board, turn, "-", "-"] => parse_fen(board, turn, None)?,
            // Fairy-Stockfish's own starting position has no dashes.
            [board, turn, clock, number] | [board, turn, "-", "-", clock, number] => {
                parse_fen(board, turn, Some((clock, number)))?
            }
            [_, _, a, b, _, _] => {
                return Err(refuse(format!("Othello has neither castling nor en passant: \"- -\", not \"{a} {b}\"")));
            }
            _ => return Err(refuse(format!("{} fields found: {SHAPE}", fields.len()))),
        };
        if position.empty() & CENTER != 0 {
            return Err(refuse("the four squares in the centre are never empty".to_owned()));
        }
        Ok(position)
    }

    fn format_position(position: &Position) -> String {
        let hand = position.empty().count_ones() as usize;
        let turn = if position.turn == Side::White { 'w' } else { 'b' };
        let (first, second) = ("P".repeat(hand), "p".repeat(hand));
        format!("{}[{first}{second}] {turn} - - 0 {}", board_text::format(position.discs(), 0..8, 8), position.number)
    }

    fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        let bytes = text.as_bytes();
        let mv = match *bytes {
            _ if PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass)) => Some(Move::PASS),
            [_, _] => square(&text.to_ascii_lowercase().into_bytes()).map(Move::new),
            [b'P' | b'p', b'@', file, rank] => mirrored_square(file, rank).map(Move::new),
            [a, b, c, d] if (a, b) == (c, d) => mirrored_square(a, b).map(|_| Move::PASS),
            _ => None,
        };
        let mv =
            mv.ok_or_else(|| refuse(format!("{text:?} is not a move: write a square, such as d3 or P@d6, or pass")))?;
        let moves = legal_moves::<Self>(position);
        if moves.contains(&mv) {
            return Ok(mv);
        }
        let board = Self::format_position(position);
        Err(refuse(match (mv.square(), moves.first()) {
            (_, None) => format!("{text} is not legal: the game is over in {board}"),
            (None, _) => format!("{text} is not legal: only a player without any other move passes, in {board}"),
            (Some(_), Some(&Move::PASS)) => format!("{text} is not legal: the only move is a pass, in {board}"),
            _ => format!("{text} is not legal in {board}: it turns no disc over, or the square is taken"),
        }))
    }

    fn format_move(position: &Position, mv: Move) -> String {
        match mv.square() {
            Some(square) => format!("P@{}", mirrored_name(square)),
            // The lowest square as Fairy-Stockfish counts them. A side without discs never passes: the game is over.
            None => mirrored_name(position.own.swap_bytes().trailing_zeros().min(63) ^ 56).repeat(2),
        }
    }

    fn has_move_shape(text: &str) -> bool {
        match *text.as_bytes() {
            [b'P', b'@', file, rank] => mirrored_square(file, rank).is_some(),
            [a, b, c, d] if (a, b) == (c, d) => mirrored_square(a, b).is_some() || text == "0000",
            _ => false,
        }
    }

    fn record_move(position: &Position, mv: Move) -> String {
        Self::text_move(position, mv)
    }

    fn text_move(_position: &Position, mv: Move) -> String {
        mv.square().map_or_else(|| "pass".to_owned(), square_name)
    }

    fn ending(position: &Position) -> &'static str {
        if position.empty() == 0 {
            "board full"
        } else if position.discs().contains(&0) {
            "all discs turned over"
        } else {
            "no moves left"
        }
    }

    fn draw(position: &Position) -> String {
        let mut text = "   a b c d e f g h\n".to_owned();
        for row in 0..8 {
            text += &format!("{} ", row + 1);
            for square in 8 * row..8 * row + 8 {
                text.push(' ');
                text.push(symbol(position, square).unwrap_or('.'));
            }
            text.push('\n');
        }
        let [black, white] = position.discs().map(u64::count_ones);
        let turn = Self::SIDE_NAMES[position.turn.index()];
        text + &format!("black (X) {black}, white (O) {white}, {turn} to move")
    }
}

/// What stands on a square, as Othello programs write it.
fn symbol(position: &Position, square: u32) -> Option<char> {
    let [black, white] = position.discs().map(|discs| discs >> square & 1 == 1);
    if black { Some('X') } else { white.then_some('O') }
}

/// Reads the 64 squares from a1, and the side to move.
fn parse_squares(board: &str, turn: &str) -> Result<Position, NotationError> {
    let length = board.chars().count();
    if length != 64 {
        return Err(refuse(format!("the board has 64 squares, not {length}: {SHAPE}")));
    }
    let mut discs = [0; 2];
    for (square, symbol) in board.chars().enumerate() {
        match symbol {
            'X' | 'x' | '*' => discs[0] |= 1 << square,
            'O' | 'o' => discs[1] |= 1 << square,
            '-' | '.' => {}
            other => return Err(refuse(format!("X, O and - make a board, not {other:?}"))),
        }
    }
    let turn = match turn {
        "X" | "x" | "*" => Side::White,
        "O" | "o" => Side::Black,
        other => return Err(refuse(format!("the side to move is X or O, not {other:?}"))),
    };
    Ok(Position::new(discs, turn, 1))
}

/// Reads a FEN: the board, perhaps with the discs in hand, the side to move, and the counters.
fn parse_fen(board: &str, turn: &str, counters: Option<(&str, &str)>) -> Result<Position, NotationError> {
    let board = match board.split_once('[') {
        None => board,
        Some((board, hand)) => {
            let discs = hand.strip_suffix(']').filter(|discs| discs.chars().all(|disc| matches!(disc, 'P' | 'p')));
            // Fairy-Stockfish writes a dash for an empty hand in some versions.
            if discs.is_none() && hand != "-]" {
                return Err(refuse("the discs in hand are P and p between brackets, such as [PPpp]".to_owned()));
            }
            board
        }
    };
    let discs = board_text::parse(board, 0..8, 8, || SHAPE.to_owned())?;
    let turn = match turn {
        "w" => Side::White,
        "b" => Side::Black,
        other => return Err(refuse(format!("the side to move is \"w\" (the first player) or \"b\", not {other:?}"))),
    };
    let mut number = 1;
    if let Some((clock, moves)) = counters {
        counter(clock, "last but one")?;
        number = counter(moves, "last")?.max(1);
    }
    Ok(Position::new(discs, turn, number))
}

/// The square that Fairy-Stockfish calls by this name: its rank 8 is row 1.
fn mirrored_square(file: u8, rank: u8) -> Option<u32> {
    square(&[file, rank]).map(|square| square ^ 56)
}

fn mirrored_name(square: u32) -> String {
    square_name(square ^ 56)
}

#[cfg(test)]
#[path = "notation_tests.rs"]
mod tests;
