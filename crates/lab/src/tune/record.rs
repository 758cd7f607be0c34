// SPDX-License-Identifier: GPL-3.0-or-later
//! A position of a game of self-play, in 32 bytes: what stands where, what a search thought of it, and how the game
//! ended.

use thiserror::Error;

use halfply_engine::base::bits::ones;
use halfply_engine::base::score::LONGEST_WIN;
use halfply_engine::base::{Outcome, Score};
use halfply_engine::game::{Pieces, Side};

/// Bytes of a record.
pub const SIZE: usize = 32;

/// Bytes of a record for the board.
const BOARD: usize = 24;

/// Positions are of games of one kind of pieces, or with at most this many pieces on the board.
const MOST_PIECES: usize = 32;

/// The side to move is Black.
const BLACK: u8 = 1;
/// The position is the first one recorded of its game.
const FIRST: u8 = 2;
/// The move that was played here was a random one: what came after it says nothing about the position.
const CUT: u8 = 4;
/// No side is in check, and the best move is no capture: the static evaluation ought to know what it is worth.
const QUIET: u8 = 8;

/// A position as [boards](Pieces::boards) in 24 bytes: two bitboards in a game with one kind of pieces, else the squares
/// with pieces and four bits for each piece in their order.
pub type Board = [u8; BOARD];

/// A position of a game, and what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<B> {
    /// What stands where.
    pub boards: B,
    /// Who is to move.
    pub side: Side,
    /// What the search found, for the side to move; proved wins and losses are ±[`LONGEST_WIN`].
    pub score: Score,
    /// How the game ended for the side to move.
    pub outcome: Outcome,
    /// Whether it is the first one recorded of its game.
    pub first: bool,
    /// Whether the move that was played here was a random one.
    pub cut: bool,
    /// Whether nobody is in check and the best move is no capture.
    pub quiet: bool,
    /// Plies played before it.
    pub ply: u16,
}

/// A file of records that is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// Its length is wrong.
    #[error("{0} bytes, and records have {SIZE} each; was the file cut off?")]
    Size(usize),
    /// A record makes no sense.
    #[error("record {0}: no position of this game")]
    Record(usize),
}

/// Packs a position's boards. None for positions that cannot be packed: of games with several kinds of pieces those with more
/// than 32 pieces or 16 boards.
pub fn pack<G: Pieces>(boards: &G::Boards) -> Option<Board> {
    let boards = boards.as_ref();
    let mut packed = [0; BOARD];
    let (squares, kinds) = packed.split_at_mut(8);
    if let [white, black] = *boards {
        squares.copy_from_slice(&white.to_le_bytes());
        kinds[..8].copy_from_slice(&black.to_le_bytes());
        return Some(packed);
    }
    let occupied = boards.iter().fold(0, |all, board| all | board);
    if occupied.count_ones() as usize > MOST_PIECES || boards.len() > 16 {
        return None;
    }
    squares.copy_from_slice(&occupied.to_le_bytes());
    for (place, square) in ones(occupied).enumerate() {
        let kind = boards.iter().position(|board| board >> square & 1 == 1)? as u8;
        kinds[place / 2] |= kind << (4 * (place % 2));
    }
    Some(packed)
}

/// The boards of a packed position; none if it is none of this game.
pub fn unpack<G: Pieces>(packed: &Board) -> Option<G::Boards> {
    let mut result = G::Boards::default();
    let boards = result.as_mut();
    let (squares, kinds) = packed.split_first_chunk::<8>()?;
    let mut occupied = u64::from_le_bytes(*squares);
    if let [white, black] = boards {
        *white = occupied;
        *black = u64::from_le_bytes(*kinds.first_chunk()?);
        return (*white & *black == 0).then_some(result);
    }
    for place in 0.. {
        if occupied == 0 {
            break;
        }
        let kind = kinds.get(place / 2)? >> (4 * (place % 2)) & 15;
        *boards.get_mut(usize::from(kind))? |= occupied & occupied.wrapping_neg();
        occupied &= occupied - 1;
    }
    Some(result)
}

impl<B> Record<B> {
    /// The record's bytes; none if the board cannot be [packed](pack).
    pub fn to_bytes<G: Pieces<Boards = B>>(&self) -> Option<[u8; SIZE]> {
        let mut bytes = [0; SIZE];
        bytes[..BOARD].copy_from_slice(&pack::<G>(&self.boards)?);
        bytes[24..26].copy_from_slice(&(self.score.clamp(-LONGEST_WIN, LONGEST_WIN) as i16).to_le_bytes());
        bytes[26] = match self.outcome {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        };
        let flags = [(self.side == Side::Black, BLACK), (self.first, FIRST), (self.cut, CUT), (self.quiet, QUIET)];
        bytes[27] = flags.iter().filter(|(on, _)| *on).map(|(_, flag)| flag).sum();
        bytes[28..30].copy_from_slice(&self.ply.to_le_bytes());
        Some(bytes)
    }

    /// The record of these bytes; none if they are none of this game.
    pub fn of_bytes<G: Pieces<Boards = B>>(bytes: &[u8; SIZE]) -> Option<Self> {
        let (board, rest) = bytes.split_first_chunk::<BOARD>()?;
        let flags = rest[3];
        Some(Self {
            boards: unpack::<G>(board)?,
            side: if flags & BLACK == 0 { Side::White } else { Side::Black },
            score: i16::from_le_bytes([rest[0], rest[1]]).into(),
            outcome: match rest[2] {
                0 => Outcome::Loss,
                1 => Outcome::Draw,
                2 => Outcome::Win,
                _ => return None,
            },
            first: flags & FIRST != 0,
            cut: flags & CUT != 0,
            quiet: flags & QUIET != 0,
            ply: u16::from_le_bytes([rest[4], rest[5]]),
        })
    }
}

/// The records of a file.
///
/// # Errors
/// If the file is cut off, or a record is none of this game.
pub fn read<G: Pieces>(bytes: &[u8]) -> Result<Vec<Record<G::Boards>>, RecordError> {
    let (records, []) = bytes.as_chunks::<SIZE>() else { return Err(RecordError::Size(bytes.len())) };
    let record = |(index, bytes)| Record::of_bytes::<G>(bytes).ok_or(RecordError::Record(index));
    records.iter().enumerate().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::game::Notation;
    use halfply_engine::games::{Breakthrough, Chess, RegisteredGame};

    fn records<G: RegisteredGame>() -> Vec<Record<G::Boards>> {
        let positions = G::BENCH.iter().map(|fen| G::parse_position(fen).unwrap());
        positions
            .enumerate()
            .map(|(index, position)| Record {
                boards: G::boards(&position),
                side: G::to_move(&position),
                score: 123 - 100 * index as Score,
                outcome: [Outcome::Win, Outcome::Draw, Outcome::Loss][index % 3],
                first: index == 0,
                cut: index % 2 == 1,
                quiet: index % 3 == 1,
                ply: 300 * index as u16,
            })
            .collect()
    }

    fn round_trip<G: RegisteredGame>() {
        let records = records::<G>();
        let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes::<G>().unwrap()).collect();
        assert_eq!(bytes.len(), 32 * records.len());
        assert_eq!(read::<G>(&bytes).unwrap(), records);
        assert_eq!(read::<G>(&bytes[1..]), Err(RecordError::Size(bytes.len() - 1)));
        let mut wrong = bytes;
        wrong[32 + 26] = 3;
        assert_eq!(read::<G>(&wrong), Err(RecordError::Record(1)));
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        round_trip::<Breakthrough>();
        round_trip::<Chess>();
    }

    #[test]
    fn what_is_no_board_is_refused() {
        assert_eq!(unpack::<Breakthrough>(&[255; 24]), None, "two pieces on one square");
        assert_eq!(unpack::<Chess>(&[255; 24]), None, "64 pieces");
        let mut board = pack::<Chess>(&Chess::boards(&Chess::parse_position(Chess::BENCH[0]).unwrap())).unwrap();
        board[8] = 13;
        assert_eq!(unpack::<Chess>(&board), None, "a thirteenth kind of piece");
    }
}
