// SPDX-License-Identifier: GPL-3.0-or-later
//! Games of a file in PGN (Edwards 1994), of any program or database, and lists of moves, which are PGN without tags.
//!
//! What a move looks like is left to its game: `Nf3`, `a2-a3`, `b5xc6`, `d3` and `pass` are all read. So are numbers in any
//! place, comments, variations, evaluations as signs, and results. Memory and time are bounded by the file's length, and
//! variations may be nested as deep as they like: only their depth is counted.

use thiserror::Error;

use super::pgn::colours;
use super::pgn_tree::PgnTree;
use super::record::GameRecord;
use halfply_engine::base::encoding::{decoded, without_mark};
use halfply_engine::game::{Notation, Side};
use halfply_engine::games::records::MOST_GAMES;

/// The longest tag, in bytes, and the most tags of a game.
const LONGEST_TAG: usize = 1 << 12;
const MOST_TAGS: usize = 1_000;

/// The longest word, in bytes: the moves of a whole game of Othello may be one.
const LONGEST_WORD: usize = 128;

/// The comment of our own files for a move of the book.
const BOOK: &[u8] = b"book";

/// Words among the moves that are none.
const NO_MOVES: [&str; 4] = ["e.p.", "resign", "resigns", "resigned"];

/// The result that a word says, which ends a game.
pub(crate) fn result_of(word: &str) -> Option<&'static str> {
    match word {
        "1/2" | "½-½" => Some("1/2-1/2"),
        _ => ["1-0", "0-1", "1/2-1/2", "*"].into_iter().find(|&result| result == word),
    }
}

/// A game as the file has it. Whether its moves are legal is not known yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// Its tags with their values, as they stand there.
    pub tags: Vec<(String, String)>,
    /// The moves of the main line, separated by spaces.
    pub moves: String,
    /// The line of each move, from 1.
    pub lines: Vec<u32>,
    /// The line of the tag `FEN`; 0 if it has none.
    pub fen_line: u32,
    /// The result behind the moves, if there is one.
    pub result: Option<&'static str>,
    /// The number of moves up to the last one with the comment `{book}`.
    book: usize,
    /// Its moves with variations, if they are wanted.
    tree: Option<PgnTree>,
}

/// A text that is no PGN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}: game {game}: {reason}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// The number of the game, from 1.
    pub game: usize,
    /// What is wrong, and what was expected.
    pub reason: String,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The values of the tags `White` and `Black`; empty if they are not given.
    pub fn players(&self) -> [String; 2] {
        ["White", "Black"].map(|name| self.tag(name).unwrap_or_default().to_owned())
    }

    /// The tag `Variant`.
    pub fn variant(&self) -> Option<&str> {
        self.tag("Variant")
    }

    /// The game for those who only replay it: nothing is said of its end, nodes and times.
    pub fn record<G: Notation>(&self) -> GameRecord {
        let opening = self.tag("FEN").map_or_else(|| G::format_position(&G::start()), str::to_owned);
        let mut players = self.players();
        if colours::<G>()[0].1 == Side::Black {
            players.reverse();
        }
        GameRecord { book: self.book, ..GameRecord::to_replay(players, opening, self.moves.clone()) }
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.lines.is_empty()
    }
}

/// The games of a file. Variations are left out.
///
/// # Errors
/// If a comment or a tag has no end, a game ends within a variation, or there are too many games. The error names line and
/// game.
pub fn read(text: &[u8]) -> Result<Vec<PgnGame>, PgnError> {
    read_wanted(text, 0)
}

/// The game with this number, from 1, with its variations; none if there is no such game.
///
/// # Errors
/// As [`read`].
pub fn read_tree(text: &[u8], number: usize) -> Result<Option<PgnTree>, PgnError> {
    Ok(read_wanted(text, number)?.into_iter().find_map(|game| game.tree))
}

fn read_wanted(text: &[u8], wanted: usize) -> Result<Vec<PgnGame>, PgnError> {
    let text = &without_mark(text);
    let mut reader = Reader { text, at: 0, line: 1, games: Vec::new(), game: PgnGame::default(), depth: 0, wanted };
    reader.game.tree = reader.new_tree();
    while let Some(&byte) = text.get(reader.at) {
        reader.step(byte)?;
    }
    reader.end_game()?;
    Ok(reader.games)
}

/// Where the reading is.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
    games: Vec<PgnGame>,
    game: PgnGame,
    /// Variations that were begun and have not ended.
    depth: usize,
    /// The number of the game whose variations are wanted.
    wanted: usize,
}

impl<'a> Reader<'a> {
    fn wrong(&self, line: usize, reason: impl Into<String>) -> PgnError {
        PgnError { line, game: self.games.len() + 1, reason: reason.into() }
    }

    fn line(&self) -> u32 {
        u32::try_from(self.line).unwrap_or(u32::MAX)
    }

    /// What is said in the game that is read becomes part of its tree, if that is wanted.
    fn tell(&mut self, tell: impl FnOnce(&mut PgnTree)) {
        if let Some(tree) = &mut self.game.tree {
            tell(tree);
        }
    }

    /// A comment. Between two games it is of the first.
    fn add_comment(&mut self, comment: &[u8]) {
        let before = self.games.last_mut().filter(|_| self.game.is_empty());
        if let Some(tree) = &mut before.unwrap_or(&mut self.game).tree {
            tree.add_comment(comment);
        }
    }

    fn new_tree(&self) -> Option<PgnTree> {
        (self.games.len() + 1 == self.wanted).then(PgnTree::default)
    }

    /// Reads what begins with this byte.
    fn step(&mut self, byte: u8) -> Result<(), PgnError> {
        let is_line_start = self.at == 0 || self.text[self.at - 1] == b'\n';
        match byte {
            b'%' if is_line_start => {
                self.skip_line();
            }
            b';' => {
                let comment = self.skip_line();
                self.add_comment(&comment[1..]);
            }
            b'{' => self.comment()?,
            b'[' => self.tag()?,
            b'$' => {
                self.at += 1;
                let number = decoded(self.take(|byte| byte.is_ascii_digit())).parse();
                self.tell(|tree| tree.add_nag(number.ok()));
            }
            _ if is_part_of_word(byte) => self.word()?,
            _ => {
                match byte {
                    b'(' => {
                        self.depth += 1;
                        self.tell(PgnTree::open);
                    }
                    b')' => {
                        self.depth = self.depth.saturating_sub(1);
                        self.tell(PgnTree::close);
                    }
                    _ => {}
                }
                self.line += usize::from(byte == b'\n');
                self.at += 1;
            }
        }
        Ok(())
    }

    /// The bytes from here that all pass; none of them ends a line.
    fn take(&mut self, passes: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let taken = &rest[..rest.iter().position(|&byte| !passes(byte)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn skip_line(&mut self) -> &'a [u8] {
        self.take(|byte| byte != b'\n')
    }

    fn comment(&mut self) -> Result<(), PgnError> {
        let (line, rest) = (self.line, &self.text[self.at + 1..]);
        let Some(end) = rest.iter().position(|&byte| byte == b'}') else {
            return Err(self.wrong(line, "the comment that begins here has no end"));
        };
        let comment = &rest[..end];
        self.line += comment.iter().filter(|&&byte| byte == b'\n').count();
        self.at += end + 2;
        if self.depth == 0 && comment.trim_ascii() == BOOK {
            self.game.book = self.game.lines.len();
        }
        self.add_comment(comment);
        Ok(())
    }

    /// A tag begins another game if there are moves already, or a game without moves has it.
    fn tag(&mut self) -> Result<(), PgnError> {
        if self.depth > 0 || !self.game.lines.is_empty() {
            self.end_game()?;
        }
        let rest = &self.text[self.at + 1..];
        let line = &rest[..rest.iter().take(LONGEST_TAG).position(|&byte| byte == b'\n').unwrap_or(rest.len())];
        let Some((name, value, length)) = tag_of(&line[..line.len().min(LONGEST_TAG)]) else {
            let reason = format!("this is not a tag, such as [White \"name\"], of at most {LONGEST_TAG} bytes");
            return Err(self.wrong(self.line, reason));
        };
        if name == "Event" && self.game.tag(&name).is_some() {
            self.end_game()?;
        }
        // A comment before the first tag of a file is of no game.
        if self.game.is_empty() {
            self.tell(|tree| *tree = PgnTree::default());
        }
        if self.game.tags.len() == MOST_TAGS {
            return Err(self.wrong(self.line, format!("it has more than {MOST_TAGS} tags")));
        }
        if name == "FEN" {
            self.game.fen_line = self.line();
        }
        self.game.tags.push((name, value));
        self.at += 1 + length;
        Ok(())
    }

    /// A move, a number, a result or a sign.
    fn word(&mut self) -> Result<(), PgnError> {
        let word = self.take(is_part_of_word);
        if word.len() > LONGEST_WORD {
            let start = decoded(&word[..LONGEST_WORD]);
            return Err(self.wrong(self.line, format!("{start:?}… is not a move: more than {LONGEST_WORD} bytes")));
        }
        let word = decoded(word);
        if let Some(result) = result_of(&word) {
            if self.depth > 0 {
                return Ok(());
            }
            self.game.result = Some(result);
            return self.end_game();
        }
        let word = without_number(&word);
        if let Some(squares) = squares_of(word) {
            squares.for_each(|square| self.add_move(square));
            return Ok(());
        }
        let mv = word.trim_end_matches(['!', '?']);
        if mv == "--" || (!NO_MOVES.contains(&mv) && mv.chars().any(char::is_alphanumeric)) {
            self.add_move(mv);
        }
        self.tell(|tree| tree.add_mark(&word[mv.len()..]));
        Ok(())
    }

    fn add_move(&mut self, mv: &str) {
        if self.depth == 0 {
            if !self.game.lines.is_empty() {
                self.game.moves.push(' ');
            }
            self.game.moves += mv;
            self.game.lines.push(self.line());
        }
        self.tell(|tree| tree.add_move(mv));
    }

    fn end_game(&mut self) -> Result<(), PgnError> {
        if self.depth > 0 {
            return Err(self.wrong(self.line, "it ends within a variation; was the file cut off?"));
        }
        let game = std::mem::take(&mut self.game);
        // What stands before the first tag, or between games, may be a game without anything.
        if !game.is_empty() {
            if self.games.len() == MOST_GAMES {
                return Err(self.wrong(self.line, format!("the file has more than {MOST_GAMES} games: split it")));
            }
            self.games.push(game);
        }
        self.game.tree = self.new_tree();
        Ok(())
    }
}

fn is_part_of_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !b"(){}[];$<>".contains(&byte)
}

/// A move without its number: `12.e4`, `12...`, `12`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    let unnumbered = rest.trim_start_matches(['.', '…']);
    // Castling may be written with zeros.
    if rest.is_empty() || unnumbered.len() < rest.len() { unnumbered } else { word }
}

/// The squares of a word that is nothing else, as programs of Othello write a game: `f5d6c3`. Four letters may be a move from one
/// square to another.
fn squares_of(word: &str) -> Option<impl Iterator<Item = &str>> {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8']);
    let are_squares = word.len() > 5 && word.as_bytes().chunks(2).all(is_square);
    are_squares.then(|| (0..word.len()).step_by(2).filter_map(move |at| word.get(at..at + 2)))
}

/// Name and value of the tag behind a bracket, and its length with the bracket that ends it. Quotation marks within the
/// value need no backslash, as long as no bracket follows them.
fn tag_of(line: &[u8]) -> Option<(String, String, usize)> {
    let open = line.iter().position(|&byte| byte == b'"')?;
    let name = decoded(&line[..open]).trim().to_owned();
    let is_name = !name.is_empty() && name.chars().all(|symbol| symbol.is_alphanumeric() || symbol == '_');
    let (mut value, mut at) = (Vec::new(), open + 1);
    while let Some(&byte) = line.get(at).filter(|_| is_name) {
        let rest = &line[at + 1..];
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match byte {
            b'\\' if matches!(rest.first(), Some(b'"' | b'\\')) => {
                value.push(rest[0]);
                at += 1;
            }
            b'"' if rest.get(blank) == Some(&b']') => {
                return Some((name, decoded(&value).into_owned(), at + 2 + blank));
            }
            byte => value.push(byte),
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::pgn::{PgnTags, game};
    use super::*;
    use halfply_engine::games::{Breakthrough, Chess};

    fn moves(text: &str) -> String {
        let games = read(text.as_bytes()).unwrap();
        games.iter().map(|game| game.moves.as_str()).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn games_of_others_are_read() {
        let text = "% a line that is no game\n[Event \"one\"]\n[White \"A \\\"B\\\" C\"]\n[Black \"D\"]\n\n\
                    1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3! $3 Nc6 3. Bb5 a6 ; a comment\n4. O-O *\n\n\
                    [White \"E\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q+ 1-0\n";
        let games = read(text.as_bytes()).unwrap();
        assert_eq!(games.len(), 2);
        let first = games[0].record::<Chess>();
        assert_eq!(first.players, ["A \"B\" C", "D"]);
        assert_eq!(first.moves, "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
        assert_eq!((&games[0].lines[..], &games[1].lines[..]), (&[6, 6, 6, 6, 6, 6, 7][..], &[12][..]));
        assert!(first.opening.starts_with("rnbqkbnr/pppppppp/"), "{}", first.opening);
        let second = games[1].record::<Chess>();
        assert_eq!((second.moves.as_str(), second.opening.as_str()), ("a8=Q+", "7k/P7/8/8/8/8/8/K7 w - - 0 1"));
        assert_eq!(read(b"").unwrap(), []);
        let nested = read(b"1. e4 (1. d4 (1. c4 {book}) d5) e5 *").unwrap();
        assert_eq!((nested[0].moves.as_str(), nested[0].book), ("e4 e5", 0));
    }

    #[test]
    fn lists_of_moves_are_read_however_they_are_numbered() {
        for text in [
            "a2a3 h7h6 a3xb4",
            "1. a2a3 h7h6 2. a3xb4",
            "1.a2a3 h7h6 2.a3xb4 *",
            "1 a2a3 h7h6\n2 a3xb4!?",
            "\u{feff}1. a2a3 {x\n(} 1... h7h6 ± 2… a3xb4?? $14 e.p. 1-0",
        ] {
            assert_eq!(moves(text), "a2a3 h7h6 a3xb4", "{text}");
        }
        assert_eq!(moves("1. f5 -- 2. 0-0 (0-1) * pass"), "f5 -- 0-0 | pass");
        assert_eq!(moves("[A \"b\"] [C \"d \"e\" f\"]\r\n1. e4 [A \"\"] 1. d4"), "e4 | d4");
        assert_eq!(moves("1. f5d6C3 2. a2a3 resign 1/2 1. Nf3 1-0"), "f5 d6 C3 a2a3 | Nf3");
        assert_eq!(moves("1. \u{2658}f3 N\u{ff}"), "\u{2658}f3 N\u{ff}", "the game refuses them");
    }

    #[test]
    fn nothing_is_lost_between_games() {
        let text = b"1. e4 {R\xE9ti} 1-0 {resigned}\n\n[Event \"a\"]\n[Event \"b\"]\n\n1. d4 1/2 {drawn}\n";
        let games = read(text).unwrap();
        let said: Vec<_> = games.iter().map(|game| (game.tag("Event"), &game.moves[..], game.result)).collect();
        assert_eq!(said, [(None, "e4", Some("1-0")), (Some("a"), "", None), (Some("b"), "d4", Some("1/2-1/2"))]);
        let comment = |number| read_tree(text, number).unwrap().unwrap().nodes.last().unwrap().comment.clone();
        assert_eq!([1, 2, 3].map(comment), ["R\u{e9}ti resigned", "", "drawn"]);
        let wide: Vec<u8> = "\u{feff}1. e4 e5 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide).unwrap()[0].moves, "e4 e5");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let long = format!("[White \"{}\"]", "x".repeat(LONGEST_TAG));
        let endless = "e".repeat(1 << 20);
        for (text, line, game, reason) in [
            ("1. e4\n{no end", 2, 1, "comment that begins here has no end"),
            ("1. e4 *\n\n1. d4 (1. c4 c5", 3, 2, "it ends within a variation"),
            ("1. e4 *\n\n1. d4 (1. c4 (1. b4) c5\n\n[White \"C\"]\n\n1. e4 *\n", 5, 2, "it ends within a variation"),
            ("[White \"A\n1. e4", 1, 1, "not a tag"),
            ("1. e4 *\n[White]", 2, 2, "not a tag"),
            (&long, 1, 1, "at most 4096 bytes"),
            (&endless, 1, 1, "more than 128 bytes"),
            (&"[A \"b\"]\n*\n".repeat(MOST_GAMES + 1), 2 * MOST_GAMES + 2, MOST_GAMES + 1, "more than 200000 games"),
            (&"[A \"b\"] ".repeat(MOST_TAGS + 1), 1, 1, "more than 1000 tags"),
        ] {
            let error = read(text.as_bytes()).unwrap_err();
            assert_eq!((error.line, error.game), (line, game), "{error}");
            assert!(error.reason.contains(reason), "{error}");
        }
    }

    #[test]
    fn a_file_may_be_nested_deep_and_be_large() {
        let deep = format!("1. e4 {}{} e5", "(1. d4 ".repeat(10_000), ")".repeat(10_000));
        assert_eq!(moves(&deep), "e4 e5");
        let start = std::time::Instant::now();
        let large = "1. e4 {[%eval 0.2] a comment} (1. d4 d5) e5 2. Nf3 Nc6 *\n".repeat(200_000);
        assert_eq!(read(large.as_bytes()).unwrap().len(), 200_000);
        for open in ["(", "{", "[", "[a \"", "1-0 ", "\\"] {
            let _ = read(open.repeat(1 << 20).as_bytes());
        }
        assert!(start.elapsed().as_secs() < 30, "it takes more than linear time: {:?}", start.elapsed());
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
        assert_eq!(games[0].variant(), Some("breakthrough"));
        let [read] = games.try_into().unwrap_or_else(|games| panic!("{games:?}"));
        assert_eq!(read.record::<Breakthrough>(), GameRecord { winner: None, ..record });
    }
}
