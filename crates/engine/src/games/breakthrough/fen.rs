// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as text (FEN), on boards of any size.
//!
//! As in Fairy-Stockfish (`.../PPPPPPPP w - - 0 1`); the two unused fields and the counters may be missing.

use super::super::board_text::{self, counter, refuse};
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
    let pieces = board_text::parse(board, ranks(shape), shape.columns(), || example(shape))?;
    check(shape, pieces, turn)?;
    Ok(Position::new(pieces, turn, clock, number))
}

/// Writes a position on a board of this shape as a full FEN.
pub(super) fn format(shape: impl Shape, position: &Position) -> String {
    let board = board_text::format(position.pieces(), ranks(shape), shape.columns());
    let turn = if position.turn == Side::White { 'w' } else { 'b' };
    format!("{board} {turn} - - {} {}", position.clock, position.number)
}

/// The ranks from the top, counted from 0.
fn ranks(shape: impl Shape) -> impl ExactSizeIterator<Item = u32> {
    (0..shape.rows()).rev()
}

/// What a FEN looks like, for error messages.
fn example(shape: impl Shape) -> String {
    format!("a FEN has 2, 4 or 6 fields, such as {:?}", format(shape, &Position::start(shape, 2)))
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
