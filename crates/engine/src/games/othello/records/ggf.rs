// SPDX-License-Identifier: GPL-3.0-or-later
//! GGF, the Generic Game Format (Buro): `(;GM[Othello]PB[…]PW[…]BO[8 … *]B[D3//4.09]W[C5/-1.20]…;)`.
//!
//! A file is a list of games; text between them is ignored, such as the number before a pair of games that were played at
//! the same time. A game is a list of properties, a name and a value in brackets. A move is a square or `pass`, then
//! perhaps an evaluation and a time after slashes. Games of other kinds, and on other boards, are left out: archives of the
//! server mix them.

use super::{Replay, result, start};
use crate::base::data_file::{DataFileError, line_of};
use crate::base::encoding::decoded;
use crate::game::{Notation, Side};
use crate::games::othello::{Othello, Position};
use crate::games::records::{MOST_GAMES, PlayedGame};

/// The beginning and the end of a game.
const GAME: [&str; 2] = ["(;", ";)"];

/// Reads the games of a file that is called `name`.
///
/// # Errors
/// If there is none, or one is damaged: it has no end, a property without an end, an impossible position, or an illegal
/// move. The error names the line.
pub(in crate::games::othello) fn read(bytes: &[u8], name: &str) -> Result<Vec<PlayedGame>, DataFileError> {
    let text = decoded(bytes);
    let wrong = |offset, reason| DataFileError::Line { name: name.to_owned(), line: line_of(&text, offset), reason };
    let [begin, end] = GAME;
    let (mut games, mut found, mut at) = (Vec::new(), 0, 0);
    while let Some(first) = text[at..].find(begin) {
        let first = at + first + begin.len();
        let Some(length) = text[first..].find(end) else {
            return Err(wrong(first, format!("this game has no end, which is {end:?}; was the file cut off?")));
        };
        found += 1;
        let game = game_of(&text[first..first + length]);
        games.extend(game.map_err(|(offset, reason)| wrong(first + offset, reason))?);
        if games.len() > MOST_GAMES {
            return Err(wrong(first, format!("the file has more than {MOST_GAMES} games: split it")));
        }
        at = first + length + end.len();
    }
    if games.len() < found {
        let left_out = found - games.len();
        log::warn!(
            "{name}: {left_out} of {found} games are left out: they are other games, or on other boards than 8x8"
        );
    }
    if found == 0 {
        return Err(wrong(0, format!("there is no game in this file; one begins with {begin:?}")));
    }
    if games.is_empty() {
        return Err(wrong(0, format!("none of the {found} games is of Othello on 8x8 squares")));
    }
    Ok(games)
}

/// A game of its properties; none if it is of another kind. The error says at which byte.
fn game_of(text: &str) -> Result<Option<PlayedGame>, (usize, String)> {
    let mut players = ["?", "?"].map(str::to_owned);
    let mut game = Replay::new(start());
    let mut tags = Vec::new();
    for property in (Properties { text, at: 0 }) {
        let (offset, key, value) = property?;
        match key {
            "GM" if !value.eq_ignore_ascii_case("othello") => return Ok(None),
            "PB" => players[0] = value.to_owned(),
            "PW" => players[1] = value.to_owned(),
            "BO" => match board(value).map_err(|reason| (offset, reason))? {
                Some(_) if !game.moves.is_empty() => {
                    return Err((offset, "the board comes after the first move".to_owned()));
                }
                Some(position) => game = Replay::new(position),
                None => return Ok(None),
            },
            "B" | "W" => {
                let side = if key == "B" { Side::White } else { Side::Black };
                let mv = value.split('/').next().unwrap_or_default().trim();
                game.play(mv).map_err(|reason| (offset, reason))?;
                if game.position.turn == side {
                    return Err((offset, format!("{mv} is a move of {key}, whose turn it is not")));
                }
            }
            "PC" => tags.push(("Site".to_owned(), value.to_owned())),
            "DT" => tags.extend(date(value).map(|date| ("Date".to_owned(), date.to_owned()))),
            // Black's discs less White's, and perhaps how the game ended: `-14.00:t`.
            "RE" => {
                let difference = value.split(':').next().and_then(|number| number.trim().parse::<f64>().ok());
                tags.extend(difference.and_then(|difference| difference.partial_cmp(&0.0)).map(result));
            }
            // Ratings, clocks, and whatever else there is.
            _ => {}
        }
    }
    Ok(Some(game.finish(players, tags)))
}

/// The day at the beginning of `2003.12.15_13:24:03.MST`; some files have seconds instead.
fn date(value: &str) -> Option<&str> {
    let day = value.get(..10)?;
    let is_day = day
        .bytes()
        .enumerate()
        .all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'.' } else { byte.is_ascii_digit() });
    is_day.then_some(day)
}

/// The first position: the board's size, its squares, and the side to move. None if the board is not 8x8.
fn board(value: &str) -> Result<Option<Position>, String> {
    let mut words = value.split_whitespace();
    if words.next() != Some("8") {
        return Ok(None);
    }
    let squares: String = words.collect();
    if squares.chars().count() != 65 {
        return Err("a board of 8x8 is its 64 squares and the side to move, * or O".to_owned());
    }
    let last = squares.char_indices().next_back().map_or(0, |(at, _)| at);
    let (squares, turn) = squares.split_at(last);
    Othello::parse_position(&format!("{squares} {turn}")).map(Some).map_err(|error| error.to_string())
}

/// The properties of a game: where each begins, its name and its value.
struct Properties<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Properties<'a> {
    type Item = Result<(usize, &'a str, &'a str), (usize, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start().len();
        let (offset, rest) = (self.at + blank, &rest[blank..]);
        if rest.is_empty() {
            return None;
        }
        let parts = rest.split_once('[').and_then(|(key, value)| Some((key, value.split_once(']')?.0)));
        let Some((key, value)) = parts.filter(|(key, _)| key.chars().all(|c| c.is_ascii_uppercase())) else {
            // Nothing can be read behind it.
            self.at = self.text.len();
            let start: String = rest.chars().take(20).collect();
            return Some(Err((offset, format!("{start:?} is not a property, such as PB[name]"))));
        };
        self.at = offset + key.len() + value.len() + 2;
        Some(Ok((offset, key, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

    fn game(moves: &str) -> String {
        format!("(;GM[Othello]PC[GGS/os]PB[one]PW[two]RE[+2.000]TI[15:00//02:00]TY[8]BO[{START}]{moves};)")
    }

    fn parse(text: &str) -> Result<Vec<PlayedGame>, DataFileError> {
        read(text.as_bytes(), "x.ggf")
    }

    #[test]
    fn games_are_read() {
        let pair = format!("2 {}{}\n", game("B[E6//4.09]W[f4/-1.50/0.01]B[E3]"), game("B[d3]W[c5]"));
        let games = parse(&format!("{pair}1 {}\r\n", game(""))).unwrap();
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].players, ["one", "two"]);
        assert_eq!(games[0].moves, ["P@e3", "P@f5", "P@e6"]);
        assert_eq!(games[1].moves, ["P@d6", "P@c4"]);
        assert_eq!(games[0].start, Othello::format_position(&start()));
        let tag = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        assert_eq!(games[0].tags, [("Site", "GGS/os"), ("Result", "0-1")].map(tag));
        let lost = game("").replace("RE[+2.000]", "RE[-64.000:t]DT[2003.12.15_13:24:03.MST]DT[1071519843]");
        assert_eq!(parse(&lost).unwrap()[0].tags[1..], [("Result", "1-0"), ("Date", "2003.12.15")].map(tag));
        // Not ASCII, and no valid UTF-8 either.
        let bytes = game("B[d3]").replace("one", "J\u{e9}").into_bytes();
        assert_eq!(read(&bytes, "x").unwrap()[0].players[0], "Jé");
        let bytes: Vec<u8> = bytes.into_iter().filter(|&byte| byte != 0xC3).collect();
        assert_eq!(read(&bytes, "x").unwrap()[0].players[0], "J©");
    }

    #[test]
    fn games_may_begin_anywhere_and_passes_may_be_written_or_not() {
        // White to move has no square, and Black takes the last two.
        let board = "8 XXXXXXX- XXXXXXXX XXXXXXXX XXXOXXXX XXXXXXXX XXXXXXXX XXXXXXXX OXXXXXX- O";
        let board = board.replace('X', "*");
        let text = |moves: &str| game(moves).replace(START, &board);
        let played = |moves: &str| parse(&text(moves)).unwrap()[0].moves.len();
        assert_eq!(played("W[h8]"), 1);
        assert_eq!(played("W[H8]B[PASS]"), 2, "Black cannot take h1");
        assert_eq!(played("W[h8]B[pa]W[h1]"), 3);
        assert_eq!(played("W[h8]W[h1]"), 3);
    }

    #[test]
    fn other_games_and_boards_are_left_out() {
        let amazons = "(;GM[Amazons]PB[a]BO[10 ---*--*---]B[J4-I4-J5//11.88];)";
        let large = "(;GM[Othello]BO[10 ---------- *]B[K5];)";
        let games = parse(&format!("{amazons}{large}{}", game("B[d3]"))).unwrap();
        assert_eq!(games.len(), 1);
    }

    #[test]
    fn damaged_games_are_refused_with_the_line() {
        for (text, reason) in [
            (String::new(), "x.ggf:1: there is no game"),
            ("pgn".to_owned(), "there is no game"),
            (format!("\n\n{}", &game("B[d3]")[..40]), "x.ggf:3: this game has no end"),
            (format!("{}\n{}", game("B[d3]"), game("B[d3]W[d3]")), "x.ggf:2: d3 is not legal"),
            (game("B[d3]\nW[z9]"), "x.ggf:2: \"z9\" is not a move"),
            (game("B[]"), "\"\" is not a move"),
            (game("W[d3]"), "d3 is a move of W, whose turn it is not"),
            (game("B[d3]W[pass]"), "pass is not legal"),
            (game("B[d3"), "\"B[d3\" is not a property"),
            (game("hello B[d3]"), "is not a property"),
            (game("B[d3]BO[8 -]"), "a board of 8x8 is its 64 squares and the side"),
            (game(&format!("B[d3]BO[{START}]")), "the board comes after the first move"),
            (game("").replace("---O*---", "--------"), "the four squares in the centre"),
            (game("").replace(START, "8"), "a board of 8x8 is its 64 squares"),
            (game("").replace("*O---", "*é---"), "X, O and - make a board"),
        ] {
            let error = parse(&text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}, not {reason}");
        }
    }
}
