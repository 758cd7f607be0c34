// SPDX-License-Identifier: GPL-3.0-or-later
//! Opening books in the format of Polyglot (Fabien Letouzey).
//!
//! A file is a list of entries of 16 bytes, big endian and sorted by key: the position's key, a move, its weight, and
//! four bytes for learning, which are ignored. Chess positions have Polyglot's keys; books of other games use those
//! games' keys.

use std::path::Path;

use crate::base::files;
use crate::game::Notation;

const ENTRY: usize = 16;

/// The most bytes of a book, which is read completely.
const LARGEST: u64 = 1 << 30;

/// The promotion pieces in the order of their numbers, of which 0 is none.
const PROMOTIONS: [&str; 5] = ["", "n", "b", "r", "q"];

/// A book in memory.
#[derive(Debug)]
pub(super) struct PolyglotBook {
    bytes: Vec<u8>,
}

impl PolyglotBook {
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

    fn new(bytes: Vec<u8>) -> Result<Self, String> {
        if !bytes.len().is_multiple_of(ENTRY) {
            return Err(format!("{} bytes are not a Polyglot book: an entry has {ENTRY}", bytes.len()));
        }
        Ok(Self { bytes })
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / ENTRY
    }

    /// One of the book's moves in a position, chosen in proportion to its weight by `chance`, any number. None if the
    /// book has no legal move with a weight.
    pub fn choose<G: Notation>(&self, position: &G::Position, chance: u64) -> Option<G::Move> {
        let key = G::key(position);
        let (entries, _) = self.bytes.as_chunks::<ENTRY>();
        let first = entries.partition_point(|entry| field(entry, 0, 8) < key);
        let moves: Vec<(G::Move, u64)> = entries[first..]
            .iter()
            .take_while(|entry| field(entry, 0, 8) == key)
            .filter_map(|entry| {
                let mv = G::parse_move(position, &move_text(field(entry, 8, 10))).ok()?;
                Some((mv, field(entry, 10, 12)))
            })
            .collect();
        let total: u64 = moves.iter().map(|&(_, weight)| weight).sum();
        let mut left = chance.checked_rem(total)?;
        moves.into_iter().find_map(|(mv, weight)| match left.checked_sub(weight) {
            Some(rest) => {
                left = rest;
                None
            }
            None => Some(mv),
        })
    }
}

/// A big-endian number.
fn field(entry: &[u8; ENTRY], from: usize, to: usize) -> u64 {
    entry[from..to].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// A move in coordinates; castling is the king taking its rook.
fn move_text(packed: u64) -> String {
    let square = |bits: u64| {
        let letter = |from: u8, index: u64| char::from(from + (index & 7) as u8);
        format!("{}{}", letter(b'a', bits), letter(b'1', bits >> 3))
    };
    let promotion = PROMOTIONS.get((packed >> 12) as usize).copied().unwrap_or("?");
    format!("{}{}{promotion}", square(packed >> 6), square(packed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::{Breakthrough, Chess};

    /// A book of positions, moves in coordinates and weights.
    fn book<G: Notation>(entries: &[(&str, &str, u16)]) -> PolyglotBook {
        let square = |text: &str| {
            let bytes = text.as_bytes();
            u16::from(bytes[0] - b'a') | u16::from(bytes[1] - b'1') << 3
        };
        let mut bytes: Vec<_> = entries
            .iter()
            .map(|&(fen, mv, weight)| {
                let key = G::key(&G::parse_position(fen).unwrap());
                let promotion = PROMOTIONS.iter().position(|&piece| piece == &mv[4..]).unwrap() as u16;
                let packed = promotion << 12 | square(&mv[..2]) << 6 | square(&mv[2..4]);
                let mut entry = key.to_be_bytes().to_vec();
                entry.extend(packed.to_be_bytes());
                entry.extend(weight.to_be_bytes());
                entry.extend([0; 4]);
                entry
            })
            .collect();
        bytes.sort();
        PolyglotBook::new(bytes.concat()).unwrap()
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
        assert_eq!(move_text(4 << 12 | 0o64 << 6 | 0o74), "e7e8q");
        assert_eq!(move_text(0xffff), "h8h8?");
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let book = book::<Breakthrough>(&[("8/7p/8/8/8/8/P7/8 w", "a2a3", 1)]);
        assert_eq!(book.choose::<Breakthrough>(&Breakthrough::start(), 0), None);
        let position = Breakthrough::parse_position("8/7p/8/8/8/8/P7/8 w").unwrap();
        assert!(book.choose::<Breakthrough>(&position, 0).is_some());
        assert_eq!(PolyglotBook::new(Vec::new()).unwrap().choose::<Chess>(&Chess::start(), 0), None);
        assert!(PolyglotBook::new(vec![0; 17]).unwrap_err().contains("not a Polyglot book"));
        assert!(PolyglotBook::load(Path::new("/nowhere.bin")).unwrap_err().contains("cannot be read"));
        assert!(PolyglotBook::load(Path::new("/")).unwrap_err().contains("it is a folder"));
    }
}
