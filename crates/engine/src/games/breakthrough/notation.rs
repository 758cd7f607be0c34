// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves as text, and the board drawn.
//!
//! Moves are written in coordinates (`e2d3`); the papers' `a2-a3` and `a2xb3` are accepted too.

use super::super::board_text::{self, square, square_name};
use super::board::{Move, Position};
use super::{Breakthrough, SIZE, fen};
use crate::game::{Notation, NotationError, legal_moves};

impl Notation for Breakthrough {
    const SCORE_UNIT: &'static str = "pieces";

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        fen::parse(Self, text)
    }

    fn format_position(position: &Position) -> String {
        fen::format(Self, position)
    }

    fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        let illegible =
            || NotationError(format!("{text:?} is not a move: write the two squares, such as e2d3, e2-e3 or e2xd3"));
        let bytes = text.as_bytes();
        let (from, separator, to) = match bytes.len() {
            4 => (&bytes[..2], None, &bytes[2..]),
            5 => (&bytes[..2], Some(bytes[2]), &bytes[3..]),
            _ => return Err(illegible()),
        };
        let (Some(from), Some(to)) = (square(from), square(to)) else { return Err(illegible()) };
        let mv = Move::new(from, to);
        if !legal_moves::<Self>(position).contains(&mv) {
            return Err(NotationError(format!("{text} is not legal in {}", Self::format_position(position))));
        }
        let captures = position.opposing >> to & 1 == 1;
        match separator {
            None => Ok(mv),
            Some(b'-') if !captures => Ok(mv),
            Some(b'x') if captures => Ok(mv),
            Some(b'-') => Err(NotationError(format!("{text} would capture: write x instead of -"))),
            Some(b'x') => Err(NotationError(format!("{text} captures nothing: write - instead of x"))),
            Some(_) => Err(illegible()),
        }
    }

    fn format_move(_position: &Position, mv: Move) -> String {
        move_name(mv)
    }

    fn ending(position: &Position) -> &'static str {
        if position.pieces().contains(&0) { "all captured" } else { "goal reached" }
    }

    fn draw(position: &Position) -> String {
        let mut text = String::new();
        for rank in (0..SIZE).rev() {
            text += &format!("{} ", rank + 1);
            for piece in board_text::rank(position.pieces(), rank, SIZE) {
                text.push(' ');
                text.push(piece.unwrap_or('.'));
            }
            text.push('\n');
        }
        let files: Vec<String> = ('a'..).take(SIZE as usize).map(String::from).collect();
        text += &format!("   {}\n", files.join(" "));
        text += &format!("{} to move", position.turn);
        text
    }
}

/// A move as in protocols.
pub(super) fn move_name(mv: Move) -> String {
    square_name(mv.from()) + &square_name(mv.to())
}

#[cfg(test)]
mod tests {
    use super::super::Breakthrough;
    use super::*;
    use crate::game::Game;

    const START: &str = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";

    #[test]
    fn fens_of_two_four_and_six_fields_are_read_and_six_are_written() {
        for fields in [2, 4, 6] {
            let text = START.split(' ').take(fields).collect::<Vec<_>>().join(" ");
            let position = Breakthrough::parse_position(&text).unwrap();
            assert_eq!(position, Breakthrough::start());
            assert_eq!(Breakthrough::format_position(&position), START);
        }
    }

    #[test]
    fn counters_go_on_as_in_fairy_stockfish() {
        let mut position = Breakthrough::start();
        for (mv, fen) in [
            ("a2a3", "pppppppp/pppppppp/8/8/8/P7/1PPPPPPP/PPPPPPPP b - - 1 1"),
            ("b7b6", "pppppppp/p1pppppp/1p6/8/8/P7/1PPPPPPP/PPPPPPPP w - - 2 2"),
        ] {
            let mv = Breakthrough::parse_move(&position, mv).unwrap();
            Breakthrough::play(&mut position, mv);
            assert_eq!(Breakthrough::format_position(&position), fen);
        }
    }

    #[test]
    fn what_is_no_position_is_refused_with_a_reason() {
        for (fen, reason) in [
            ("", "0 fields"),
            ("8/8 w", "8 rows"),
            ("9/8/8/8/8/8/8/8 w", "not '9'"),
            ("ppppppppp/8/8/8/8/8/8/8 w", "9 squares long"),
            ("8/7p/8/8/8/8/P7/8 x", "\"w\" or \"b\""),
            ("8/7p/8/8/8/8/P7/8 w KQkq -", "castling"),
            ("8/7p/8/8/8/8/P7/8 w - - -1 1", "fifth"),
            ("P7/7p/8/8/8/8/8/8 w", "goal row"),
            ("8/8/8/8/8/8/P7/8 w", "no pieces"),
            ("pppppppp/pppppppp/p7/8/8/8/PPPPPPPP/PPPPPPPP w", "17 pieces"),
        ] {
            let error = Breakthrough::parse_position(fen).unwrap_err().to_string();
            assert!(error.contains(reason), "{fen}: {error}");
        }
    }

    #[test]
    fn moves_are_read_in_all_notations() {
        let position = Breakthrough::parse_position("8/8/8/8/8/1p6/P7/8 w").unwrap();
        let read = |text| Breakthrough::parse_move(&position, text).map_err(|error| error.0);
        assert_eq!(read("a2a3"), read("a2-a3"));
        assert_eq!(read("a2b3"), read("a2xb3"));
        assert!(read("a2xa3").unwrap_err().contains("captures nothing"));
        assert!(read("a2-b3").unwrap_err().contains("would capture"));
        assert!(read("a2a4").unwrap_err().contains("not legal"));
        for text in ["", "a2", "a2a3q", "i2i3", "ä2a3", "a2:a3"] {
            assert!(read(text).unwrap_err().contains("is not a move"), "{text}");
        }
    }
}
