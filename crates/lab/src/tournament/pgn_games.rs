// SPDX-License-Identifier: GPL-3.0-or-later
//! Games of a file in PGN (Edwards 1994), of any program or database, and lists of moves, which are PGN without tags.
//!
//! What a move looks like is left to its game: `Nf3`, `a2-a3`, `b5xc6`, `d3` and `pass` are all read. So are numbers in any
//! place, comments, variations, evaluations as signs, and results. Memory and time are bounded by the file's length, and
//! variations may be nested as deep as they like: only their depth is counted.

use thiserror::Error;

use super::pgn::{colours, value_of};
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
        value_of(&self.tags, name)
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
#[path = "pgn_games_tests.rs"]
mod tests;
