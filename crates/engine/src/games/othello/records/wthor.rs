// SPDX-License-Identifier: GPL-3.0-or-later
//! WTHOR: all tournament games of a year in one file (`WTH_2001.wtb`).
//!
//! Behind a header of 16 bytes stand 68 bytes for each game: the tournament, Black and White as numbers of 16 bits, Black's
//! discs at the end and with perfect play, and sixty moves. A move is a byte, ten times the row plus the file, both from 1;
//! 0 stands behind the last one. Passes are left out. Names are in two other files, so players are called by their numbers.

use super::{Replay, result, start};
use crate::base::data_file::DataFileError;
use crate::games::records::{MOST_GAMES, PlayedGame};

/// Bytes of the header.
const HEADER: usize = 16;

/// Bytes of a game.
const GAME: usize = 68;

/// Where a game has Black's discs at the end, squares that are left empty counted for the winner; and how many make a draw.
const BLACK: usize = 6;
const HALF: u8 = 32;

/// Bytes of a game before its moves.
const BEFORE_MOVES: usize = 8;

/// Reads the games of a file that is called `name`.
///
/// # Errors
/// If it is no file of games on the 8x8 board, is cut off, or a game has an illegal move. The error names the byte.
pub(in crate::games::othello) fn read(bytes: &[u8], name: &str) -> Result<Vec<PlayedGame>, DataFileError> {
    let wrong = |offset: usize, reason: String| DataFileError::Whole {
        name: name.to_owned(),
        reason: format!("byte {offset}: {reason}"),
    };
    let Some((header, games)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(wrong(bytes.len(), format!("the file ends in its header of {HEADER} bytes")));
    };
    let [_, _, _, _, a, b, c, d, e, f, g, h, size, kind, ..] = *header;
    let count = u32::from_le_bytes([a, b, c, d]);
    if u16::from_le_bytes([e, f]) != 0 {
        let list = "this is a list of players or tournaments; games are in the files WTH_YEAR.wtb";
        return Err(wrong(8, list.to_owned()));
    }
    // Old files have 0 for 8x8.
    if size != 0 && size != 8 {
        return Err(wrong(12, format!("the games are on a board of {size}x{size} squares, not 8x8")));
    }
    if kind == 1 {
        return Err(wrong(13, "this is a file of solitaires, not of games".to_owned()));
    }
    let (games, rest) = games.as_chunks::<GAME>();
    if !rest.is_empty() || games.len() as u64 != u64::from(count) {
        let found = games.len();
        let reason = format!("the header says {count} games, and {found} games and {} bytes follow", rest.len());
        return Err(wrong(4, format!("{reason}; was the file cut off?")));
    }
    if games.len() > MOST_GAMES {
        return Err(wrong(4, format!("the file has {count} games, more than {MOST_GAMES}: split it")));
    }
    let date = format!("{:04}.??.??", u16::from_le_bytes([g, h]));
    let place = |index: usize| HEADER + index * GAME;
    let read = |(index, game)| {
        game_of(game, &date)
            .map_err(|(offset, reason)| wrong(place(index) + offset, format!("game {}: {reason}", index + 1)))
    };
    games.iter().enumerate().map(read).collect()
}

/// A game of its bytes; the error says at which of them.
fn game_of(bytes: &[u8; GAME], date: &str) -> Result<PlayedGame, (usize, String)> {
    let mut game = Replay::new(start());
    let mut moves = bytes.iter().enumerate().skip(BEFORE_MOVES);
    for (offset, &code) in moves.by_ref().take_while(|&(_, &code)| code != 0) {
        let (row, file) = (code / 10, code % 10);
        if !(1..=8).contains(&row) || !(1..=8).contains(&file) {
            return Err((offset, format!("{code} is not a move: 11 is a1, 18 is h1, 88 is h8")));
        }
        let square = [b'a' + file - 1, b'0' + row].map(char::from);
        game.play(&String::from_iter(square)).map_err(|reason| (offset, reason))?;
    }
    if let Some((offset, code)) = moves.find(|&(_, &code)| code != 0) {
        return Err((offset, format!("{code} comes after the end of the game")));
    }
    let player = |at: usize| format!("player {}", u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let tags = vec![("Date".to_owned(), date.to_owned()), result(bytes[BLACK].cmp(&HALF))];
    Ok(game.finish([player(2), player(4)], tags))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with these games, each as moves such as `d3c5`.
    fn file(games: &[&str]) -> Vec<u8> {
        let mut bytes = vec![20, 26, 11, 22];
        bytes.extend((games.len() as u32).to_le_bytes());
        bytes.extend([0, 0, 0xEA, 7, 8, 0, 0, 0]);
        for moves in games {
            bytes.extend([1, 0, 2, 1, 3, 0, 32, 33]);
            let codes =
                moves.as_bytes().as_chunks::<2>().0.iter().map(|[file, row]| (row - b'0') * 10 + file - b'a' + 1);
            let mut codes: Vec<u8> = codes.collect();
            codes.resize(60, 0);
            bytes.extend(codes);
        }
        bytes
    }

    fn error(bytes: &[u8]) -> String {
        read(bytes, "x.wtb").unwrap_err().to_string()
    }

    #[test]
    fn games_are_read() {
        let games = read(&file(&["d3c5f6", "", "f5d6c3d3c4"]), "x.wtb").unwrap();
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].players, ["player 258", "player 3"]);
        assert_eq!(games[0].moves, ["P@d6", "P@c4", "P@f3"], "Fairy-Stockfish counts rows from the other end");
        assert!(games[1].moves.is_empty());
        let tag = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        assert_eq!(games[1].tags, [("Date", "2026.??.??"), ("Result", "1/2-1/2")].map(tag));
        assert_eq!(games[2].moves.len(), 5);
        assert!(read(&file(&[]), "x.wtb").unwrap().is_empty());
    }

    #[test]
    fn passes_that_are_left_out_are_played() {
        // After c1 White has no square to play on.
        let games = read(&file(&["d3c3e6d2d1e1b2c1a3"]), "x.wtb").unwrap();
        let squares: Vec<&str> = games[0].moves.iter().map(|mv| mv.trim_start_matches("P@")).collect();
        assert_eq!(squares.len(), 10);
        assert_eq!((squares[7], squares[9]), ("c8", "a6"));
        assert_eq!(squares[8][..2], squares[8][2..], "a pass");
    }

    #[test]
    fn damaged_files_are_refused_with_the_byte() {
        let good = file(&["d3c5f6", "f5d6c3d3c4"]);
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            bytes
        };
        for (bytes, reason) in [
            (good[..10].to_vec(), "x.wtb: byte 10: the file ends in its header"),
            (Vec::new(), "byte 0: the file ends"),
            (good[..good.len() - 1].to_vec(), "byte 4: the header says 2 games, and 1 games and 67 bytes follow"),
            ([&good[..], &[0; 68]].concat(), "says 2 games, and 3 games"),
            (with(7, 255), "byte 4: the header says 4278190082 games"),
            (with(8, 1), "byte 8: this is a list of players"),
            (with(12, 10), "byte 12: the games are on a board of 10x10"),
            (with(13, 1), "byte 13: this is a file of solitaires"),
            (with(25, 99), "byte 25: game 1: 99 is not a move"),
            (with(25, 34), "byte 25: game 1: d3 is not legal"),
            (with(92, 11), "byte 92: game 2: a1 is not legal"),
            (with(30, 56), "byte 30: game 1: 56 comes after the end"),
        ] {
            let found = error(&bytes);
            assert!(found.contains(reason), "{found}, not {reason}");
        }
    }
}
