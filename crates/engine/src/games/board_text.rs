// SPDX-License-Identifier: GPL-3.0-or-later
//! What the texts of games with two kinds of pieces have in common: a FEN's rows of `P` and `p`, its counters, and the names
//! of squares. Square 8 r + f lies on rank r + 1 and file f, counted from a.

use crate::game::NotationError;

/// What stands on the squares of a rank, which is counted from 0: a piece of the first side, `P`, or of the second, `p`.
pub(super) fn rank(pieces: [u64; 2], rank: u32, columns: u32) -> impl Iterator<Item = Option<char>> {
    (8 * rank..8 * rank + columns).map(move |square| match pieces.map(|pieces| pieces >> square & 1 == 1) {
        [true, _] => Some('P'),
        [_, true] => Some('p'),
        _ => None,
    })
}

/// The board of a FEN with these ranks from the top.
pub(super) fn format(pieces: [u64; 2], ranks: impl Iterator<Item = u32>, columns: u32) -> String {
    let row = |number| {
        let squares: Vec<Option<char>> = rank(pieces, number, columns).collect();
        let groups = squares.chunk_by(|a, b| a.is_none() && b.is_none());
        groups.map(|group| group[0].map_or_else(|| group.len().to_string(), String::from)).collect()
    };
    ranks.map(row).collect::<Vec<String>>().join("/")
}

/// Reads the board of a FEN with these ranks from the top. `example` says what a position looks like.
///
/// # Errors
/// If there are more or fewer rows or squares, or other symbols.
pub(super) fn parse(
    text: &str,
    ranks: impl ExactSizeIterator<Item = u32>,
    columns: u32,
    example: impl FnOnce() -> String,
) -> Result<[u64; 2], NotationError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ranks.len() {
        let (wanted, count) = (ranks.len(), rows.len());
        return Err(refuse(format!("the board has {wanted} rows between slashes, not {count}: {}", example())));
    }
    let mut pieces = [0; 2];
    for (row, rank) in rows.into_iter().zip(ranks) {
        let mut file = 0;
        for symbol in row.chars() {
            match symbol {
                '1'..='8' => file += symbol as u32 - '0' as u32,
                'P' | 'p' => {
                    if file < columns {
                        pieces[usize::from(symbol == 'p')] |= 1 << (rank * 8 + file);
                    }
                    file += 1;
                }
                other => return Err(refuse(format!("row {}: P, p and 1 to 8 make a board, not {other:?}", rank + 1))),
            }
        }
        if file != columns {
            return Err(refuse(format!("row {} ({row}) is {file} squares long, not {columns}", rank + 1)));
        }
    }
    Ok(pieces)
}

/// Reads a counter of a FEN.
///
/// # Errors
/// If it is not a number of 16 bits.
pub(super) fn counter(text: &str, which: &str) -> Result<u16, NotationError> {
    let refused = || refuse(format!("the {which} field counts moves and is a number up to {}, not {text:?}", u16::MAX));
    text.parse().map_err(|_| refused())
}

/// The square of that file and rank, such as `b"a1"`.
pub(super) fn square(name: &[u8]) -> Option<u32> {
    match *name {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(u32::from(rank - b'1') * 8 + u32::from(file - b'a')),
        _ => None,
    }
}

/// Its name.
pub(super) fn square_name(square: u32) -> String {
    let file = char::from(b'a' + (square % 8) as u8);
    format!("{file}{}", square / 8 + 1)
}

pub(super) fn refuse(reason: String) -> NotationError {
    NotationError(reason)
}
