// SPDX-License-Identifier: GPL-3.0-or-later
//! Exact values of positions on boards of any size.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::board::{Move, MoveList, Position};
use super::shape::Shape;
use super::{fen, notation, races};
use crate::base::{Outcome, Side};
use crate::game::NotationError;
use crate::solve::proof::{self, Identity, Rules};
use crate::solve::{Limits, MemoryError, Problem, Solution, Watch};

/// Columns that a board may have.
const COLUMNS: RangeInclusive<u32> = 2..=8;
/// Rows that a board may have.
const ROWS: RangeInclusive<u32> = 4..=8;

/// A board whose size is known at run time: 2 to 8 columns and 4 to 8 rows. It is written `5x6`, columns first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    columns: u32,
    rows: u32,
}

impl Rectangle {
    fn new(columns: u32, rows: u32) -> Result<Self, NotationError> {
        if COLUMNS.contains(&columns) && ROWS.contains(&rows) {
            return Ok(Self { columns, rows });
        }
        let reason = format!("a board has 2 to 8 columns and 4 to 8 rows, not {columns} columns and {rows} rows");
        Err(NotationError(reason))
    }

    /// The board on which a text may be a position (FEN): it has as many rows as there are between slashes, and as many
    /// columns as the first one is long.
    fn of_fen(text: &str) -> Result<Self, NotationError> {
        let board = text.split_whitespace().next().unwrap_or_default();
        let length = |symbol: char| symbol.to_digit(10).unwrap_or(1);
        let columns = board.split('/').next().unwrap_or_default().chars().map(length).sum();
        Self::new(columns, board.split('/').count() as u32)
    }

    /// The first position of a game (FEN): each side has its first one or two rows full of pieces.
    pub fn start(self, start_rows: u32) -> String {
        fen::format(self, &Position::start(self, start_rows))
    }
}

impl FromStr for Rectangle {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let size = text.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
        let (columns, rows) =
            size.ok_or_else(|| NotationError(format!("a board is columns by rows, such as 5x6, not {text:?}")))?;
        Self::new(columns, rows)
    }
}

impl fmt::Display for Rectangle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl Shape for Rectangle {
    #[inline(always)]
    fn columns(self) -> u32 {
        self.columns
    }

    #[inline(always)]
    fn rows(self) -> u32 {
        self.rows
    }
}

impl Rules for Rectangle {
    type Position = Position;
    type Move = Move;
    type Moves = MoveList;

    fn moves(self, position: &Position) -> MoveList {
        if position.decided(self).is_some() {
            return MoveList::new();
        }
        let forced = races::forced(self, position).filter(|moves| !moves.is_empty());
        forced.unwrap_or_else(|| position.generate(self))
    }

    fn after(self, position: &Position, mv: Move) -> Position {
        let mut next = *position;
        next.play(mv);
        next
    }

    fn known(self, position: &Position) -> Option<bool> {
        let proof = || races::proved(self, position).or_else(|| races::runner(self, position));
        let outcome = position.decided(self).or_else(|| proof().map(|proof| proof.outcome));
        outcome.map(|outcome| outcome == Outcome::Win)
    }

    /// The position as the side to move sees it, or its mirror image.
    fn identity(self, position: &Position) -> Identity {
        let seen = [position.own, position.opposing].map(|pieces| match position.turn {
            Side::White => pieces,
            Side::Black => self.upside_down(pieces),
        });
        seen.min(seen.map(|pieces| self.mirror_image(pieces)))
    }

    fn mobility(self, position: &Position) -> u32 {
        position.mobility(self)
    }

    fn format_move(self, mv: Move) -> String {
        notation::move_name(mv)
    }
}

/// A position with its board.
#[derive(Clone, Copy, Debug)]
struct Placed {
    board: Rectangle,
    position: Position,
}

impl Problem for Placed {
    fn text(&self) -> String {
        fen::format(self.board, &self.position)
    }

    fn to_move(&self) -> Side {
        self.position.turn
    }

    fn solve(&self, limits: Limits, watch: &mut Watch<'_>) -> Result<Solution, MemoryError> {
        proof::solve(self.board, &self.position, limits, watch)
    }
}

/// Reads a position (FEN) on a board of any size.
pub(super) fn problem(text: &str) -> Result<Box<dyn Problem>, NotationError> {
    let board = Rectangle::of_fen(text)?;
    Ok(Box::new(Placed { board, position: fen::parse(board, text)? }))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::ops::ControlFlow;

    use super::*;
    use crate::base::bundled;
    use crate::base::mix::derive;
    use crate::game::Notation;
    use crate::games::Breakthrough;
    use crate::games::bundled_positions;
    use crate::solve::Value;

    const LIMITS: Limits = Limits { nodes: None, memory: 64 << 20 };

    fn solved(fen: &str, limits: Limits) -> Solution {
        problem(fen).unwrap().solve(limits, &mut |_, _| ControlFlow::Continue(())).unwrap()
    }

    /// Whether the first player wins from the start.
    fn first_player_wins(columns: u32, rows: u32, start_rows: u32) -> bool {
        let start = Rectangle::new(columns, rows).unwrap().start(start_rows);
        let Solution { value, line, .. } = solved(&start, LIMITS);
        assert!(!line.is_empty());
        value.unwrap().outcome == Outcome::Win
    }

    #[test]
    fn boards_with_two_start_rows_have_their_known_winners() {
        for columns in 2..=8 {
            assert!(!first_player_wins(columns, 4, 2), "{columns}x4");
        }
        for columns in 2..=4 {
            assert!(!first_player_wins(columns, 5, 2), "{columns}x5");
        }
        for columns in 2..=3 {
            assert!(first_player_wins(columns, 6, 2), "{columns}x6");
        }
        assert!(!first_player_wins(2, 7, 2));
        assert!(first_player_wins(2, 8, 2));
    }

    #[test]
    fn boards_with_one_start_row_have_their_known_winners() {
        assert!(!first_player_wins(2, 4, 1));
        for columns in 3..=6 {
            assert!(first_player_wins(columns, 4, 1), "{columns}x4");
        }
        for columns in 2..=6 {
            assert!(first_player_wins(columns, 5, 1), "{columns}x5");
        }
        assert!(!first_player_wins(2, 6, 1));
    }

    /// `cargo test --release --lib -- --ignored larger_boards`: about 8 million nodes.
    #[test]
    #[ignore = "takes a quarter of a minute"]
    fn larger_boards_have_their_known_winners() {
        assert!(!first_player_wins(5, 5, 2));
        assert!(!first_player_wins(3, 7, 2));
    }

    /// Whether the side to move wins, by the definition.
    fn wins(board: Rectangle, position: Position, known: &mut HashMap<(u64, u64, Side), bool>) -> bool {
        if position.decided(board).is_some() {
            return false;
        }
        let key = (position.own, position.opposing, position.turn);
        if let Some(&wins) = known.get(&key) {
            return wins;
        }
        let wins = position.generate(board).into_iter().any(|mv| !self::wins(board, board.after(&position, mv), known));
        known.insert(key, wins);
        wins
    }

    /// Positions of random games on a board, finished ones too.
    fn random_positions(board: Rectangle, start_rows: u32, games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for game in 0..games {
            let mut position = Position::start(board, start_rows);
            loop {
                positions.push(position);
                if position.decided(board).is_some() {
                    break;
                }
                let moves = position.generate(board);
                let choice = derive(game, positions.len() as u64) % moves.len() as u64;
                position.play(moves[choice as usize]);
            }
        }
        positions
    }

    #[test]
    fn values_and_lines_agree_with_the_definition() {
        for (board, start_rows) in [("3x4", 2), ("4x4", 1), ("4x4", 2), ("3x5", 2), ("2x6", 2)] {
            let board: Rectangle = board.parse().unwrap();
            let mut known = HashMap::new();
            for position in random_positions(board, start_rows, 6) {
                let text = fen::format(board, &position);
                let Solution { value, line, .. } = solved(&text, LIMITS);
                let expected = wins(board, position, &mut known);
                let outcome = if expected { Outcome::Win } else { Outcome::Loss };
                assert_eq!(value, Some(Value { outcome, margin: None }), "{board} {text}");
                // With memory for all positions the line goes to the end, and the winner makes no mistake.
                let mut last = position;
                for mv in &line {
                    let moves = last.generate(board);
                    let mv = moves.into_iter().find(|&found| notation::move_name(found) == *mv).expect("a legal move");
                    let won = wins(board, last, &mut known);
                    last = board.after(&last, mv);
                    assert!(!won || !wins(board, last, &mut known), "{board} {text}: {line:?}");
                }
                assert!(last.decided(board).is_some(), "{board} {text}: {line:?}");
            }
        }
    }

    /// Every bucket is overwritten again and again.
    #[test]
    fn little_memory_makes_no_answer_wrong() {
        for (board, wins) in [("3x5", false), ("4x4", false), ("2x6", true)] {
            let start = board.parse::<Rectangle>().unwrap().start(2);
            let little = solved(&start, Limits { memory: 4096, ..LIMITS });
            assert_eq!(little.value.unwrap().outcome == Outcome::Win, wins, "{board}");
            assert!(little.nodes >= solved(&start, LIMITS).nodes);
        }
    }

    #[test]
    fn wins_of_the_suite_are_wins() {
        for position in bundled_positions::<Breakthrough>(&bundled::BREAKTHROUGH_7PLY).iter().step_by(30) {
            let text = Breakthrough::format_position(position);
            let Solution { value, line, .. } = solved(&text, LIMITS);
            assert_eq!(value.unwrap().outcome, Outcome::Win, "{text}");
            assert!(Breakthrough::parse_move(position, &line[0]).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_limit_or_a_stop_leaves_the_value_unknown() {
        let start = Rectangle::new(8, 8).unwrap().start(2);
        let limited = solved(&start, Limits { nodes: Some(1000), ..LIMITS });
        assert_eq!(limited, Solution { value: None, line: vec![], nodes: 1000 });
        let mut calls = 0;
        let stopped = problem(&start).unwrap().solve(LIMITS, &mut |nodes, state| {
            calls += 1;
            assert!(nodes > 0 && state.to_string().starts_with("proof numbers "), "{state}");
            if calls < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!((stopped.unwrap().value, calls), (None, 3));
    }

    #[test]
    fn lines_of_three_columns_are_counted_as_known() {
        fn perft(board: Rectangle, position: Position, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            let moves = if position.decided(board).is_some() { MoveList::new() } else { position.generate(board) };
            moves.into_iter().map(|mv| perft(board, board.after(&position, mv), depth - 1)).sum()
        }
        let board = Rectangle::new(3, 5).unwrap();
        let counts: Vec<u64> = (1..=7).map(|depth| perft(board, Position::start(board, 2), depth)).collect();
        assert_eq!(counts, [7, 42, 276, 1_776, 11_860, 75_966, 471_314]);
    }

    #[test]
    fn what_is_no_board_is_refused_with_a_reason() {
        for (text, reason) in [
            ("", "0 columns"),
            ("8 w", "8 columns and 1 rows"),
            ("9/9/9/9/9 w", "9 columns"),
            ("p/p/p/P w", "1 columns"),
            ("ppp/ppp/PPP/PP w", "row 1 (PP) is 2 squares long, not 3"),
            ("ppp/ppp/ppp/PPP w", "9 pieces; a side has at most 6"),
            ("ppp/3/3/PPP x", "\"w\" or \"b\""),
        ] {
            let error = problem(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        for text in ["", "5", "5x", "x5", "5x5x5", "1x5", "9x5", "5x3", "5x9", "-5x5", "5 x 5"] {
            assert!(text.parse::<Rectangle>().is_err(), "{text}");
        }
    }
}
