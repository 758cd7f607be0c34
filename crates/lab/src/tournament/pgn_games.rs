// SPDX-License-Identifier: GPL-3.0-or-later
//! Games of a file in PGN (Edwards 1994), of any program or database.

use std::io;
use std::ops::ControlFlow;

use pgn_reader::reader::ReaderBuilder;
use pgn_reader::{RawComment, RawTag, SanPlus, Skip, Visitor};

use super::pgn::colours;
use super::record::GameRecord;
use halfply_engine::game::{Notation, Side};

/// The longest line of a tag, in bytes.
const LONGEST_TAG: usize = 1 << 12;

/// The comment of our own files for a move of the book.
const BOOK: &[u8] = b"book";

/// A game as the file has it. Whether its moves are legal is not known yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// The values of the tags `White` and `Black`; empty if they are not given.
    pub players: [String; 2],
    /// The tag `Variant`.
    pub variant: Option<String>,
    /// The first position (tag `FEN`); none for the start of the game.
    pub opening: Option<String>,
    /// The moves of the main line, separated by spaces.
    moves: String,
    /// How many there are.
    plies: usize,
    /// The number of moves up to the last one with the comment `{book}`.
    book: usize,
    /// Variations that were begun and have not ended.
    depth: usize,
}

impl PgnGame {
    /// The game for those who only replay it: nothing is said of its end, nodes and times.
    #[must_use]
    pub fn record<G: Notation>(self) -> GameRecord {
        let opening = self.opening.unwrap_or_else(|| G::format_position(&G::start()));
        let mut players = self.players;
        if colours::<G>()[0].1 == Side::Black {
            players.reverse();
        }
        GameRecord { book: self.book, ..GameRecord::to_replay(players, opening, self.moves) }
    }
}

/// The games of a file. Variations are left out.
///
/// # Errors
/// If the text ends within a comment, a game ends within a variation, or has a tag that cannot be read. The error names the
/// game by its number.
pub fn read(text: &[u8]) -> io::Result<Vec<PgnGame>> {
    let mut reader = ReaderBuilder::new(text).set_supported_tag_line_length(LONGEST_TAG).finish();
    let mut games = Vec::new();
    loop {
        let wrong = |error: io::Error| io::Error::new(error.kind(), format!("game {}: {error}", games.len() + 1));
        let Some(game) = reader.read_game(&mut Games).map_err(wrong)? else { break };
        if game.depth > 0 {
            let reason = "it ends within a variation; was the file cut off?";
            return Err(wrong(io::Error::new(io::ErrorKind::InvalidData, reason)));
        }
        // What stands before the first tag, or between games, is a game without anything.
        if game != PgnGame::default() {
            games.push(game);
        }
    }
    Ok(games)
}

/// Collects what a game has.
struct Games;

impl Visitor for Games {
    type Tags = PgnGame;
    type Movetext = PgnGame;
    type Output = PgnGame;

    fn begin_tags(&mut self) -> ControlFlow<PgnGame, PgnGame> {
        ControlFlow::Continue(PgnGame::default())
    }

    fn tag(&mut self, game: &mut PgnGame, name: &[u8], value: RawTag<'_>) -> ControlFlow<PgnGame> {
        let text = || value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => game.players[0] = text(),
            b"Black" => game.players[1] = text(),
            b"Variant" => game.variant = Some(text()),
            b"FEN" => game.opening = Some(text()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: PgnGame) -> ControlFlow<PgnGame, PgnGame> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut PgnGame, mv: SanPlus) -> ControlFlow<PgnGame> {
        if game.depth > 0 {
            return ControlFlow::Continue(());
        }
        if game.plies > 0 {
            game.moves.push(' ');
        }
        game.moves += &mv.to_string();
        game.plies += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut PgnGame, comment: RawComment<'_>) -> ControlFlow<PgnGame> {
        if game.depth == 0 && comment.as_bytes().trim_ascii() == BOOK {
            game.book = game.plies;
        }
        ControlFlow::Continue(())
    }

    /// Variations are read and left out: the reader does not notice that one it skips has no end.
    fn begin_variation(&mut self, game: &mut PgnGame) -> ControlFlow<PgnGame, Skip> {
        game.depth += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, game: &mut PgnGame) -> ControlFlow<PgnGame> {
        game.depth = game.depth.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: PgnGame) -> PgnGame {
        game
    }
}

#[cfg(test)]
mod tests {
    use super::super::pgn::{PgnTags, game};
    use super::*;
    use halfply_engine::games::{Breakthrough, Chess};

    #[test]
    fn games_of_others_are_read() {
        let text = "% a line that is no game\n[Event \"one\"]\n[White \"A \\\"B\\\" C\"]\n[Black \"D\"]\n\n\
                    1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3! $3 Nc6 3. Bb5 a6 ; a comment\n4. O-O *\n\n\
                    [White \"E\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q+ 1-0\n";
        let games = read(text.as_bytes()).unwrap();
        assert_eq!(games.len(), 2);
        let first = games[0].clone().record::<Chess>();
        assert_eq!(first.players, ["A \"B\" C", "D"]);
        assert_eq!(first.moves, "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
        assert!(first.opening.starts_with("rnbqkbnr/pppppppp/"), "{}", first.opening);
        let second = games[1].clone().record::<Chess>();
        assert_eq!((second.moves.as_str(), second.opening.as_str()), ("a8=Q+", "7k/P7/8/8/8/8/8/K7 w - - 0 1"));
        assert_eq!(read(b"").unwrap(), []);
        assert!(read(b"1. e4 {no end").is_err());
        let nested = read(b"1. e4 (1. d4 (1. c4 {book}) d5) e5 *").unwrap();
        assert_eq!((nested[0].moves.as_str(), nested[0].book), ("e4 e5", 0));
        for text in ["1. e4 *\n\n1. d4 (1. c4 c5", "1. e4 *\n\n1. d4 (1. c4 (1. b4) c5\n\n[White \"C\"]\n\n1. e4 *\n"] {
            let error = read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("game 2: it ends within a variation"), "{error}");
        }
    }

    #[test]
    fn our_own_games_come_back() {
        let (players, opening) = (["one".into(), "two".into()], "8/6pp/8/8/8/8/PP6/8 w - - 0 1".into());
        let moves = "a2a3 h7h6 a3b4 h6g5 b4c5".into();
        let record =
            GameRecord { winner: Some(Side::White), book: 2, ..GameRecord::to_replay(players, opening, moves) };
        let tags = PgnTags { name: "an event".into(), variant: Some("breakthrough"), limits: Vec::new() };
        let text = game::<Breakthrough>(&tags, "1", &record).unwrap();
        let games = read(text.as_bytes()).unwrap();
        assert_eq!(games[0].variant.as_deref(), Some("breakthrough"));
        let [read] = games.try_into().unwrap_or_else(|games| panic!("{games:?}"));
        assert_eq!(read.record::<Breakthrough>(), GameRecord { winner: None, ..record });
    }
}
