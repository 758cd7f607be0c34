// SPDX-License-Identifier: GPL-3.0-or-later
//! FEN, moves as text, and the board drawn.
//!
//! FEN as in Fairy-Stockfish (`.../PPPPPPPP w - - 0 1`); its two unused fields and the counters may be missing. Moves
//! are written in coordinates (`e2d3`); the papers' `a2-a3` and `a2xb3` are accepted too.

use super::Breakthrough;
use super::board::{GOAL, MAX_PIECES, Move, Position};
use crate::game::{Notation, NotationError, Side, legal_moves};

/// The fields of a FEN, for error messages.
const SHAPE: &str = "a FEN has 2, 4 or 6 fields, such as \"pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1\"";

impl Notation for Breakthrough {
    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (board, turn, unused, counters) = match fields[..] {
            [board, turn] => (board, turn, None, None),
            [board, turn, a, b] => (board, turn, Some([a, b]), None),
            [board, turn, a, b, clock, number] => (board, turn, Some([a, b]), Some((clock, number))),
            _ => return Err(refuse(format!("{} fields found: {SHAPE}", fields.len()))),
        };
        let turn = match turn {
            "w" => Side::White,
            "b" => Side::Black,
            other => return Err(refuse(format!("the side to move is \"w\" or \"b\", not {other:?}"))),
        };
        if let Some(extra) = unused.and_then(|pair| pair.into_iter().find(|&field| field != "-")) {
            return Err(refuse(format!("Breakthrough has neither castling nor en passant: \"-\", not {extra:?}")));
        }
        let (clock, number) = match counters {
            Some((clock, number)) => (counter(clock, "fifth")?, counter(number, "sixth")?.max(1)),
            None => (0, 1),
        };
        let pieces = parse_board(board)?;
        check(pieces, turn)?;
        Ok(Position::new(pieces, turn, clock, number))
    }

    fn format_position(position: &Position) -> String {
        let rows: Vec<String> = rows(position)
            .map(|row| {
                let mut text = String::new();
                let mut empty = 0;
                for piece in row {
                    if let Some(piece) = piece {
                        if empty > 0 {
                            text += &empty.to_string();
                            empty = 0;
                        }
                        text.push(piece);
                    } else {
                        empty += 1;
                    }
                }
                if empty > 0 {
                    text += &empty.to_string();
                }
                text
            })
            .collect();
        let turn = if position.turn == Side::White { 'w' } else { 'b' };
        format!("{} {turn} - - {} {}", rows.join("/"), position.clock, position.number)
    }

    fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        let illegible = || refuse(format!("{text:?} is no move: write the two squares, such as e2d3, e2-e3 or e2xd3"));
        let bytes = text.as_bytes();
        let (from, separator, to) = match bytes.len() {
            4 => (&bytes[..2], None, &bytes[2..]),
            5 => (&bytes[..2], Some(bytes[2]), &bytes[3..]),
            _ => return Err(illegible()),
        };
        let (Some(from), Some(to)) = (square(from), square(to)) else { return Err(illegible()) };
        let mv = Move::new(from, to);
        if !legal_moves::<Self>(position).contains(&mv) {
            return Err(refuse(format!("{text} is not legal in {}", Self::format_position(position))));
        }
        let captures = position.opposing >> to & 1 == 1;
        match separator {
            None => Ok(mv),
            Some(b'-') if !captures => Ok(mv),
            Some(b'x') if captures => Ok(mv),
            Some(b'-') => Err(refuse(format!("{text} would capture: write x instead of -"))),
            Some(b'x') => Err(refuse(format!("{text} captures nothing: write - instead of x"))),
            Some(_) => Err(illegible()),
        }
    }

    fn format_move(_position: &Position, mv: Move) -> String {
        square_name(mv.from()) + &square_name(mv.to())
    }

    fn ending(position: &Position) -> &'static str {
        if position.pieces().contains(&0) { "all captured" } else { "goal reached" }
    }

    fn draw(position: &Position) -> String {
        let mut text = String::new();
        for (row, rank) in rows(position).zip((1..=8).rev()) {
            text += &format!("{rank} ");
            for piece in row {
                text.push(' ');
                text.push(piece.unwrap_or('.'));
            }
            text.push('\n');
        }
        text += "   a b c d e f g h\n";
        text += &format!("{} to move", position.turn);
        text
    }
}

fn refuse(reason: String) -> NotationError {
    NotationError(reason)
}

fn counter(text: &str, which: &str) -> Result<u16, NotationError> {
    let refused = || refuse(format!("the {which} field counts moves and is a number up to {}, not {text:?}", u16::MAX));
    text.parse().map_err(|_| refused())
}

/// The eight rows from the top, each from the a-file.
fn rows(position: &Position) -> impl Iterator<Item = [Option<char>; 8]> {
    let [white, black] = position.pieces();
    (0..8).rev().map(move |rank| {
        std::array::from_fn(|file| {
            let bit = 1_u64 << (rank * 8 + file);
            if white & bit != 0 {
                Some('P')
            } else if black & bit != 0 {
                Some('p')
            } else {
                None
            }
        })
    })
}

fn parse_board(text: &str) -> Result<[u64; 2], NotationError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(refuse(format!("the board has 8 rows between slashes, not {}: {SHAPE}", rows.len())));
    }
    let mut pieces = [0_u64; 2];
    for (row, rank) in rows.iter().zip((0..8_u32).rev()) {
        let mut file = 0;
        for symbol in row.chars() {
            match symbol {
                '1'..='8' => file += symbol as u32 - '0' as u32,
                'P' | 'p' if file < 8 => {
                    pieces[usize::from(symbol == 'p')] |= 1 << (rank * 8 + file);
                    file += 1;
                }
                'P' | 'p' => file += 1,
                other => {
                    return Err(refuse(format!("row {}: P, p and 1 to 8 make a board, not {other:?}", rank + 1)));
                }
            }
        }
        if file != 8 {
            return Err(refuse(format!("row {} ({row}) is {file} squares long, not 8", rank + 1)));
        }
    }
    Ok(pieces)
}

/// Refuses positions that no game can reach.
fn check(pieces: [u64; 2], turn: Side) -> Result<(), NotationError> {
    for side in [Side::White, Side::Black] {
        let count = pieces[side.index()].count_ones();
        if count > MAX_PIECES {
            return Err(refuse(format!("{side} has {count} pieces; a side has at most {MAX_PIECES}")));
        }
    }
    let us = turn.index();
    if pieces[us] & GOAL[us] != 0 {
        return Err(refuse(format!("{turn} is to move but stands on its goal row, so the game ended earlier")));
    }
    if pieces[turn.other().index()] == 0 {
        return Err(refuse(format!("{} has no pieces and cannot have moved last", turn.other())));
    }
    Ok(())
}

fn square(name: &[u8]) -> Option<u32> {
    match *name {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(u32::from(rank - b'1') * 8 + u32::from(file - b'a')),
        _ => None,
    }
}

fn square_name(square: u32) -> String {
    let file = char::from(b'a' + (square % 8) as u8);
    format!("{file}{}", square / 8 + 1)
}

#[cfg(test)]
mod tests {
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
            assert!(read(text).unwrap_err().contains("is no move"), "{text}");
        }
    }
}
