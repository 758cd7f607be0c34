// SPDX-License-Identifier: GPL-3.0-or-later
//! Opening books in the format of Polyglot (Fabien Letouzey).
//!
//! A file is a list of entries of 16 bytes, big endian and sorted by key: the position's key, a move, its weight, and
//! four bytes for learning. Chess positions have Polyglot's keys; books of other games use those games' keys, and stand for
//! all images of their positions. The weight is what Polyglot makes of games: the half points that the move scored. In books
//! made here the last four bytes are its games and those half points, and in other books mostly 0. Entries with the key 0 are a
//! text about the book, as in the header of Michel Van den Bergh's programs.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::base::files;
use crate::game::{Notation, Symmetry, after, legal_moves};

const ENTRY: usize = 16;

/// The most bytes of a book, which is read completely.
const LARGEST: u64 = 1 << 30;

/// The promotion pieces in the order of their numbers, of which 0 is none.
const PROMOTIONS: &[u8] = b"-nbrq";

/// How the text about a book begins.
const HEADER: &str = "@PG@1.0";

/// A book in memory.
#[derive(Debug)]
pub struct OpeningBook {
    bytes: Cow<'static, [u8]>,
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove<M> {
    /// The move.
    pub mv: M,
    /// How often it is to be chosen, in proportion to other moves of the position.
    pub weight: u64,
    /// How often it was played; 0 if the book does not say so.
    pub games: u64,
    /// The half points that its side scored in these games.
    pub half_points: u64,
}

impl<M> BookMove<M> {
    /// The share of the points that its side scored; none if the book does not say so.
    pub fn score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.half_points as f64 / (2 * self.games) as f64)
    }
}

impl OpeningBook {
    /// Reads a book.
    ///
    /// # Errors
    /// If the file cannot be read, or does not have an integral number of entries.
    pub fn load(path: &Path) -> Result<Self, String> {
        let bytes = files::read(path, LARGEST).map_err(|error| {
            format!("{}: cannot be read ({error}); name an opening book in Polyglot's format", path.display())
        })?;
        Self::new(bytes).map_err(|reason| format!("{}: {reason}", path.display()))
    }

    /// A book with these contents.
    ///
    /// # Errors
    /// If they are not an integral number of entries.
    pub fn new(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, String> {
        let bytes = bytes.into();
        if !bytes.len().is_multiple_of(ENTRY) {
            return Err(format!("{} bytes are not a Polyglot book: an entry has {ENTRY}", bytes.len()));
        }
        Ok(Self { bytes })
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / ENTRY
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The legal moves that the book has for a position, or for an image of it.
    pub fn moves<G: Notation + Symmetry>(&self, position: &G::Position) -> Vec<BookMove<G::Move>> {
        let known = images::<G>(position);
        let found = known.iter().map(|image| self.entries(G::key(image))).position(|entries| !entries.is_empty());
        let Some((number, image)) = found.and_then(|number| Some((number, known.get(number)?))) else {
            return Vec::new();
        };
        let code = |&mv: &G::Move| Some((code_in::<G>(position, mv, number, image)?, mv));
        let legal: Vec<(u16, G::Move)> = legal_moves::<G>(position).iter().filter_map(code).collect();
        let found = |entry: &[u8; ENTRY]| {
            let &(_, mv) = legal.iter().find(|(code, _)| u64::from(*code) == field(entry, 8, 10))?;
            let [weight, games, half_points] = [field(entry, 10, 12), field(entry, 12, 14), field(entry, 14, 16)];
            Some(BookMove { mv, weight, games, half_points })
        };
        self.entries(G::key(image)).iter().filter_map(found).collect()
    }

    /// One of the book's moves in a position, chosen in proportion to its weight by `chance`, any number. None if the
    /// book has no legal move with a weight.
    pub fn choose<G: Notation + Symmetry>(&self, position: &G::Position, chance: u64) -> Option<G::Move> {
        let moves = self.moves::<G>(position);
        let total: u64 = moves.iter().map(|entry| entry.weight).sum();
        let mut left = chance.checked_rem(total)?;
        moves.into_iter().find_map(|BookMove { mv, weight, .. }| match left.checked_sub(weight) {
            Some(rest) => {
                left = rest;
                None
            }
            None => Some(mv),
        })
    }

    /// The entries with a key.
    fn entries(&self, key: u64) -> &[[u8; ENTRY]] {
        let (entries, _) = self.bytes.as_chunks::<ENTRY>();
        let first = entries.partition_point(|entry| field(entry, 0, 8) < key);
        let behind = &entries[first..];
        &behind[..behind.partition_point(|entry| field(entry, 0, 8) == key)]
    }
}

/// What moves scored in games: a book that is being made.
#[derive(Debug, Default)]
pub struct BookDraft {
    positions: HashSet<u64>,
    /// Games and half points of each key and move.
    moves: BTreeMap<(u64, u16), [u64; 2]>,
}

impl BookDraft {
    /// Adds a move of a game in which its side scored these half points. Moves that are images of each other are one.
    pub fn add<G: Notation + Symmetry>(&mut self, position: &G::Position, mv: G::Move, half_points: u64) {
        let known = images::<G>(position);
        let found = known.iter().map(G::key).find(|key| self.positions.contains(key));
        let key = found.unwrap_or_else(|| G::key(position));
        let same = known.iter().enumerate().filter(|(_, image)| G::key(image) == key);
        // There is one: the position itself, or the image that was found.
        let codes = same.filter_map(|(number, image)| code_in::<G>(position, mv, number, image));
        let Some(code) = codes.min() else { return };
        self.positions.insert(key);
        let [games, scored] = self.moves.entry((key, code)).or_default();
        *games += 1;
        *scored += half_points;
    }

    /// The book of all moves that were played `least` times, with a text about it, and how many positions it has.
    pub fn finish(self, least: u64, about: &str) -> (Vec<u8>, usize) {
        let mut text = format!("{HEADER}\n{about}\n").into_bytes();
        text.resize(text.len().next_multiple_of(8), 0);
        let header = text.chunks(8).flat_map(|part| [&[0; 8], part].concat());
        let kept: Vec<_> = self.moves.into_iter().filter(|(_, [games, _])| *games >= least).collect();
        let positions: HashSet<u64> = kept.iter().map(|((key, _), _)| *key).collect();
        let entry = |((key, code), [played, half_points]): ((u64, u16), [u64; 2])| {
            // Both fit 16 bits, in proportion.
            let unit = (2 * played).div_ceil(u64::from(u16::MAX)).max(1);
            let [games, scored] = [played, half_points].map(|count| ((count / unit) as u16).to_be_bytes());
            // What scored less than half is known, but not played.
            let weight = if half_points < played { [0; 2] } else { scored };
            [&key.to_be_bytes()[..], &code.to_be_bytes(), &weight, &games, &scored].concat()
        };
        (header.chain(kept.into_iter().flat_map(entry)).collect(), positions.len())
    }
}

/// The text about a book; empty if it has none.
pub fn about(bytes: &[u8]) -> String {
    let (entries, _) = bytes.as_chunks::<ENTRY>();
    let text = entries.iter().take_while(|entry| field(entry, 0, 8) == 0).flat_map(|entry| &entry[8..]).copied();
    String::from_utf8_lossy(&text.collect::<Vec<_>>()).trim_end_matches('\0').to_owned()
}

/// The images of a position with the same side to move, itself first. Those of what moves lead to have the same order.
fn images<G: Symmetry>(position: &G::Position) -> Vec<G::Position> {
    G::images(position).into_iter().filter(|image| G::to_move(image) == G::to_move(position)).collect()
}

/// The code of what a move is in an image of its position, the one of that number.
fn code_in<G: Notation + Symmetry>(
    position: &G::Position,
    mv: G::Move,
    number: usize,
    image: &G::Position,
) -> Option<u16> {
    if number == 0 {
        return Some(code_of::<G>(position, mv));
    }
    // The move's image leads to the image of where the move leads.
    let next = images::<G>(&after::<G>(position, mv)).get(number).map(G::key)?;
    let leads_there = |&mv: &G::Move| G::key(&after::<G>(image, mv)) == next;
    let mv = legal_moves::<G>(image).iter().copied().find(leads_there)?;
    Some(code_of::<G>(image, mv))
}

/// A big-endian number.
fn field(entry: &[u8; ENTRY], from: usize, to: usize) -> u64 {
    entry[from..to].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// A move in 16 bits: where to, where from, and the piece that a pawn promotes to. Castling is the king taking its rook, and
/// what is put on the board comes from its own square.
fn code_of<G: Notation>(position: &G::Position, mv: G::Move) -> u16 {
    let text = G::format_move(&G::as_chess960(position.clone()), mv);
    let square = |pair: &[u8]| match *pair {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(u16::from(file - b'a') | u16::from(rank - b'1') << 3),
        _ => None,
    };
    let mut squares = text.as_bytes().windows(2).filter_map(square);
    let from = squares.next().unwrap_or_default();
    let to = squares.next().unwrap_or(from);
    let piece = PROMOTIONS.iter().position(|piece| text.as_bytes().last() == Some(piece)).unwrap_or_default();
    (piece as u16) << 12 | from << 6 | to
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::{Breakthrough, Chess, Othello};
    use crate::history::History;

    /// A book of positions, moves in coordinates and weights.
    fn book<G: Notation>(entries: &[(&str, &str, u16)]) -> OpeningBook {
        let square = |text: &str| {
            let bytes = text.as_bytes();
            u16::from(bytes[0] - b'a') | u16::from(bytes[1] - b'1') << 3
        };
        let mut bytes: Vec<_> = entries
            .iter()
            .map(|&(fen, mv, weight)| {
                let key = G::key(&G::parse_position(fen).unwrap());
                let promotion =
                    PROMOTIONS.iter().position(|&piece| mv[4..].bytes().next() == Some(piece)).unwrap_or(0) as u16;
                let packed = promotion << 12 | square(&mv[..2]) << 6 | square(&mv[2..4]);
                let mut entry = key.to_be_bytes().to_vec();
                entry.extend(packed.to_be_bytes());
                entry.extend(weight.to_be_bytes());
                entry.extend([0; 4]);
                entry
            })
            .collect();
        bytes.sort();
        OpeningBook::new(bytes.concat()).unwrap()
    }

    const CASTLES: &str = "r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1";

    #[test]
    fn moves_are_chosen_by_their_weight() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        // The last two can never be played: one is not legal, the other has no weight.
        let book = book::<Chess>(&[
            (start, "e2e4", 3),
            (start, "d2d4", 1),
            (start, "e2e5", 100),
            (start, "a2a3", 0),
            (CASTLES, "e1h1", 1),
        ]);
        assert_eq!(book.len(), 5);
        let chosen: Vec<_> = (0..400).map(|chance| book.choose::<Chess>(&Chess::start(), chance).unwrap()).collect();
        let times = |text| {
            let mv = Chess::parse_move(&Chess::start(), text).unwrap();
            chosen.iter().filter(|&&chosen| chosen == mv).count()
        };
        assert_eq!((times("e2e4"), times("d2d4"), times("a2a3")), (300, 100, 0));
    }

    #[test]
    fn castling_and_promotions_are_decoded() {
        for (text, played) in [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("a7a8n", "")] {
            let book = book::<Chess>(&[(CASTLES, text, 1)]);
            let position = Chess::parse_position(CASTLES).unwrap();
            let mv = book.choose::<Chess>(&position, 7).map(|mv| Chess::format_move(&position, mv));
            // The promotion is blocked and so not legal.
            assert_eq!(mv.unwrap_or_default(), played, "{text}");
        }
        let position = Chess::parse_position("7k/4P3/8/8/8/8/8/K7 w - - 0 1").unwrap();
        let queen = Chess::parse_move(&position, "e7e8q").unwrap();
        assert_eq!(code_of::<Chess>(&position, queen), 4 << 12 | 0o64 << 6 | 0o74);
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let book = book::<Breakthrough>(&[("8/7p/8/8/8/8/P7/8 w", "a2a3", 1)]);
        assert_eq!(book.choose::<Breakthrough>(&Breakthrough::start(), 0), None);
        let position = Breakthrough::parse_position("8/7p/8/8/8/8/P7/8 w").unwrap();
        assert!(book.choose::<Breakthrough>(&position, 0).is_some());
        assert_eq!(OpeningBook::new(&[][..]).unwrap().choose::<Chess>(&Chess::start(), 0), None);
        assert!(OpeningBook::new(&[0; 17][..]).unwrap_err().contains("not a Polyglot book"));
        assert!(OpeningBook::load(Path::new("/nowhere.bin")).unwrap_err().contains("cannot be read"));
        assert!(OpeningBook::load(Path::new("/")).unwrap_err().contains("it is a folder"));
    }

    /// A game from the start.
    fn game<G: Notation>(moves: &str) -> History<G> {
        let mut history = History::new(G::start());
        for text in moves.split_whitespace() {
            history.play(G::parse_move(history.position(), text).unwrap());
        }
        history
    }

    /// Adds the first plies of a game.
    fn add<G: Notation + Symmetry>(draft: &mut BookDraft, moves: &str, half_points: [u64; 2], plies: usize) {
        let game = game::<G>(moves);
        for (position, &mv) in game.positions().iter().zip(game.moves()).take(plies) {
            draft.add::<G>(position, mv, half_points[G::to_move(position).index()]);
        }
    }

    /// What a book says of the position after some moves.
    fn said<G: Notation + Symmetry>(book: &OpeningBook, moves: &str) -> Vec<(String, u64, u64)> {
        let history = game::<G>(moves);
        let moves = book.moves::<G>(history.position());
        moves.iter().map(|m| (G::format_move(history.position(), m.mv), m.games, m.half_points)).collect()
    }

    #[test]
    fn games_become_a_book_in_which_images_are_one_position() {
        let mut draft = BookDraft::default();
        for (moves, half_points) in [("a2a3 a7a6 b2b3", [2, 0]), ("h2h3 h7h6 g2g3", [0, 2]), ("a2a3 h7h6 b2b3", [2, 0])]
        {
            add::<Breakthrough>(&mut draft, moves, half_points, 2);
        }
        let (bytes, positions) = draft.finish(1, "1\nbreakthrough\nhalfply tournament book games");
        assert_eq!(about(&bytes), "@PG@1.0\n1\nbreakthrough\nhalfply tournament book games\n");
        assert_eq!(positions, 2);
        let book = OpeningBook::new(bytes).unwrap();
        assert_eq!(said::<Breakthrough>(&book, ""), [("a2a3".to_owned(), 3, 4)]);
        assert_eq!(said::<Breakthrough>(&book, "a2a3"), [("a7a6".to_owned(), 2, 2), ("h7h6".to_owned(), 1, 0)]);
        assert_eq!(said::<Breakthrough>(&book, "h2h3"), [("h7h6".to_owned(), 2, 2), ("a7a6".to_owned(), 1, 0)]);
        assert!(said::<Breakthrough>(&book, "a2a3 a7a6").is_empty(), "only the first two plies were asked for");
        let position = game::<Breakthrough>("h2h3");
        for chance in 0..9 {
            let mv = book.choose::<Breakthrough>(position.position(), chance);
            let known = Breakthrough::parse_move(position.position(), "h7h6");
            assert_eq!(mv, known.ok(), "the other lost");
        }
    }

    #[test]
    fn discs_are_put_on_the_image_of_their_square() {
        let mut draft = BookDraft::default();
        add::<Othello>(&mut draft, "d3 c5 f6", [2, 0], 9);
        add::<Othello>(&mut draft, "c4 e3 f6", [1, 1], 9);
        let book = OpeningBook::new(draft.finish(1, "").0).unwrap();
        // The second game is the first one, mirrored at the diagonal.
        assert_eq!(said::<Othello>(&book, "d3 c5"), [("P@f3".to_owned(), 2, 3)]);
        assert_eq!(said::<Othello>(&book, "c4 e3"), [("P@f3".to_owned(), 2, 3)]);
    }

    #[test]
    fn rare_moves_are_left_out_and_many_games_fit() {
        let start = Chess::start();
        let mut draft = BookDraft::default();
        let code = |text| code_of::<Chess>(&start, Chess::parse_move(&start, text).unwrap());
        draft.moves.insert((Chess::key(&start), code("e2e4")), [1_000_000, 1_100_000]);
        draft.moves.insert((Chess::key(&start), code("d2d4")), [2, 4]);
        let book = OpeningBook::new(draft.finish(3, "").0).unwrap();
        let [only] = book.moves::<Chess>(&start)[..] else { panic!("{book:?}") };
        let share = only.half_points as f64 / only.games as f64;
        assert!((share - 1.1).abs() < 0.001 && only.games > 30_000, "{only:?}");
    }
}
