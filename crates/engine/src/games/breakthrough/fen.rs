// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as text (FEN), on boards of any size.
//!
//! As in Fairy-Stockfish (`.../PPPPPPPP w - - 0 1`); the two unused fields and the counters may be missing.

use super::board::Position;
use super::shape::Shape;
use crate::game::{NotationError, Side};

/// Reads a position on a board of this shape.
pub(super) fn parse(shape: impl Shape, text: &str) -> Result<Position, NotationError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (board, turn, unused, counters) = match fields[..] {
        [board, turn] => (board, turn, None, None),
        [board, turn, a, b] => (board, turn, Some([a, b]), None),
        [board, turn, a, b, clock, number] => (board, turn, Some([a, b]), Some((clock, number))),
        _ => return Err(refuse(format!("{} fields found: {}", fields.len(), example(shape)))),
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
    let pieces = parse_board(shape, board)?;
    check(shape, pieces, turn)?;
    Ok(Position::new(pieces, turn, clock, number))
}

/// Writes a position on a board of this shape as a full FEN.
pub(super) fn format(shape: impl Shape, position: &Position) -> String {
    let rows: Vec<String> = rows(shape, position).map(|row| format_row(&row)).collect();
    let turn = if position.turn == Side::White { 'w' } else { 'b' };
    format!("{} {turn} - - {} {}", rows.join("/"), position.clock, position.number)
}

/// The rows from the top, each from the a-file.
pub(super) fn rows(shape: impl Shape, position: &Position) -> impl Iterator<Item = Vec<Option<char>>> {
    let [white, black] = position.pieces();
    (0..shape.rows()).rev().map(move |rank| {
        let piece = |file: u32| {
            let bit = 1_u64 << (rank * 8 + file);
            if white & bit != 0 {
                Some('P')
            } else if black & bit != 0 {
                Some('p')
            } else {
                None
            }
        };
        (0..shape.columns()).map(piece).collect()
    })
}

fn format_row(row: &[Option<char>]) -> String {
    let mut text = String::new();
    for squares in row.chunk_by(|a, b| a.is_none() && b.is_none()) {
        match squares[0] {
            Some(piece) => text.push(piece),
            None => text += &squares.len().to_string(),
        }
    }
    text
}

fn refuse(reason: String) -> NotationError {
    NotationError(reason)
}

/// What a FEN looks like, for error messages.
fn example(shape: impl Shape) -> String {
    format!("a FEN has 2, 4 or 6 fields, such as {:?}", format(shape, &Position::start(shape, 2)))
}

fn counter(text: &str, which: &str) -> Result<u16, NotationError> {
    let refused = || refuse(format!("the {which} field counts moves and is a number up to {}, not {text:?}", u16::MAX));
    text.parse().map_err(|_| refused())
}

fn parse_board(shape: impl Shape, text: &str) -> Result<[u64; 2], NotationError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != shape.rows() as usize {
        let count = rows.len();
        return Err(refuse(format!(
            "the board has {} rows between slashes, not {count}: {}",
            shape.rows(),
            example(shape)
        )));
    }
    let mut pieces = [0_u64; 2];
    for (row, rank) in rows.iter().zip((0..shape.rows()).rev()) {
        let mut file = 0;
        for symbol in row.chars() {
            match symbol {
                '1'..='8' => file += symbol as u32 - '0' as u32,
                'P' | 'p' if file < shape.columns() => {
                    pieces[usize::from(symbol == 'p')] |= 1 << (rank * 8 + file);
                    file += 1;
                }
                'P' | 'p' => file += 1,
                other => {
                    return Err(refuse(format!("row {}: P, p and 1 to 8 make a board, not {other:?}", rank + 1)));
                }
            }
        }
        if file != shape.columns() {
            return Err(refuse(format!("row {} ({row}) is {file} squares long, not {}", rank + 1, shape.columns())));
        }
    }
    Ok(pieces)
}

/// Refuses positions that no game can reach.
fn check(shape: impl Shape, pieces: [u64; 2], turn: Side) -> Result<(), NotationError> {
    for side in Side::BOTH {
        let (count, most) = (pieces[side.index()].count_ones(), shape.most_pieces());
        if count > most {
            return Err(refuse(format!("{side} has {count} pieces; a side has at most {most}")));
        }
    }
    if pieces[turn.index()] & shape.goal(turn) != 0 {
        return Err(refuse(format!("{turn} is to move but stands on its goal row, so the game ended earlier")));
    }
    if pieces[turn.other().index()] == 0 {
        return Err(refuse(format!("{} has no pieces and cannot have moved last", turn.other())));
    }
    Ok(())
}
