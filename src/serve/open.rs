// SPDX-License-Identifier: GPL-3.0-or-later
//! A game of a file or of a text that was pasted, for the page to show. `halfply review` reads them by the same reader.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use halfply_engine::game::Notation;
use halfply_engine::games::GameName;
use halfply_engine::with_game;
use halfply_lab::review::played::Played;
use halfply_lab::review::recorded::{Recorded, RecordedError, RecordedGame};

/// The most bytes of a file.
pub const LARGEST_FILE: usize = 1 << 20;

/// The most games of a file that are listed.
const MOST_LISTED: usize = 500;

/// The longest name of a player that is listed, in characters.
const LONGEST_NAME: usize = 60;

/// Which game of what.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// What to call the file; its ending tells the format.
    pub name: String,
    /// What is played if the file does not say it, and its moves may be of several games.
    pub game: GameName,
    /// The number of the wanted game in the file, from 1.
    pub number: usize,
}

/// A game of a file.
#[derive(Debug, Serialize)]
pub struct Opened {
    /// Which game.
    pub game: GameName,
    /// Its first position.
    pub start: String,
    /// Its moves, as in protocols.
    pub moves: Vec<String>,
    /// The first and the second player; empty if they are not known.
    pub players: [String; 2],
    /// The result as in PGN.
    pub result: String,
    /// The players of each game of the file, up to the 500th.
    pub titles: Vec<String>,
    /// How many games it has.
    pub count: usize,
}

/// Reads a game.
///
/// # Errors
/// Says what is wrong, with the line.
pub fn open(bytes: &[u8], request: &OpenRequest) -> Result<Opened, Refusal> {
    let OpenRequest { name, game, number } = request;
    let recorded = match Recorded::read(bytes, name, None) {
        Err(RecordedError::Unclear(..)) => Recorded::read(bytes, name, Some(*game)),
        read => read,
    };
    let recorded = recorded.map_err(Refusal::invalid)?;
    let count = recorded.games.len();
    let wanted = number.checked_sub(1).and_then(|place| recorded.games.get(place));
    let wanted = wanted.ok_or_else(|| Refusal::Invalid(format!("{name}: game {number}: there are {count}")))?;
    with_game!(recorded.game, G => {
        let Played { players, result, history, .. } = wanted.played::<G>().map_err(Refusal::invalid)?;
        let titles = recorded.games.iter().take(MOST_LISTED).map(title).collect();
        let start = <G as Notation>::format_position(&history.positions()[0]);
        let players = players.map(|name| if name == "?" { String::new() } else { short(&name) });
        Ok(Opened { game: recorded.game, start, moves: history.move_texts(), players, result, titles, count })
    })
}

fn title(game: &RecordedGame) -> String {
    game.record.players.each_ref().map(|name| if name.is_empty() { "?".to_owned() } else { short(name) }).join(" – ")
}

fn short(name: &str) -> String {
    name.chars().filter(|symbol| !symbol.is_control()).take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(name: &str, number: usize, text: &[u8]) -> Result<Opened, String> {
        let request = OpenRequest { name: name.to_owned(), game: GameName::Breakthrough, number };
        open(text, &request).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn every_format_is_opened_and_says_which_game_it_is() {
        let pgn = b"[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 *\n\n[White \"Cy\"]\n[Result \"1-0\"]\n\n1. d4 {x} d5 (1... f5) 1-0\n";
        let second = opened("a.pgn", 2, pgn).unwrap();
        assert_eq!((second.game, second.count, &second.result[..]), (GameName::Chess, 2, "1-0"));
        assert_eq!(
            (second.moves, second.titles),
            (vec!["d2d4".into(), "d7d5".into()], vec!["Ann – Bob".into(), "Cy – ?".into()])
        );
        assert_eq!(opened("pasted", 1, b"1. a2-a3 h7-h6").unwrap().game, GameName::Breakthrough);
        assert_eq!(opened("pasted", 1, b"f5 d6 c3").unwrap().game, GameName::Othello);
        let ggf = b"(;GM[Othello]PB[a]PW[b]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
        let othello = opened("x.GGF", 1, ggf).unwrap();
        assert_eq!(
            (othello.game, othello.players, othello.moves.len()),
            (GameName::Othello, ["a".into(), "b".into()], 2)
        );
        // A move that two games have: what is on the page decides.
        assert_eq!(opened("pasted", 1, b"a2a3").unwrap().game, GameName::Breakthrough);
    }

    #[test]
    fn what_cannot_be_opened_is_named_with_its_line() {
        for (number, text, reason) in [
            (1, &b"1. e4 e5\n2. Ke3"[..], "pasted:2: move 3, Ke3"),
            (1, b"1. e4 N\xff\xfe e5", "pasted:1: move 2"),
            (1, b"", "pasted: it has no game"),
            (1, b"hello", "pasted:1: \"hello\" begins no game"),
            (1, b"1. e4 {", "pasted:1: game 1: the comment that begins here has no end"),
            (0, b"1. e4", "pasted: game 0: there are 1"),
            (9, b"1. e4", "pasted: game 9: there are 1"),
            (1, b"[Variant \"Shogi\"]\n1. e4", "pasted: its variant \"Shogi\""),
            (1, b"[FEN \"8/8\"]\n1. e4", "pasted:1: the first position, 8/8: "),
        ] {
            let error = opened("pasted", number, text).unwrap_err();
            assert!(error.starts_with(reason), "{error}");
        }
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(600);
        assert!(opened("pasted", 1, long.as_bytes()).unwrap_err().contains("it has 2400 moves"));
    }
}
