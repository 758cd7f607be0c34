// SPDX-License-Identifier: GPL-3.0-or-later
//! The board of a theory: squares by name, and compass directions.

/// The most columns and rows.
pub const LARGEST: u8 = 8;

/// The compass directions: steps to the east and to the south.
const COMPASS: [(&str, i8, i8); 8] =
    [("n", 0, -1), ("ne", 1, -1), ("e", 1, 0), ("se", 1, 1), ("s", 0, 1), ("sw", -1, 1), ("w", -1, 0), ("nw", -1, -1)];

/// A rectangle of squares, `a1` in one of its western corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Columns, 1 to [`LARGEST`].
    pub columns: u8,
    /// Rows, 1 to [`LARGEST`].
    pub rows: u8,
    /// Whether row 1 is the northern one, as in Othello; otherwise it is the southern one, as in chess.
    pub first_row_is_north: bool,
}

impl Board {
    /// All squares as numbers: 8 times the row plus the column, both from 0.
    pub fn squares(self) -> impl Iterator<Item = u8> {
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| row * 8 + column))
    }

    /// The square a step away in a compass direction, if it is on the board and the direction exists.
    pub fn neighbor(self, square: u8, direction: &str) -> Option<u8> {
        let (_, east, south) = COMPASS.into_iter().find(|(name, ..)| *name == direction)?;
        let down = if self.first_row_is_north { south } else { -south };
        let (column, row) = ((square % 8).checked_add_signed(east)?, (square / 8).checked_add_signed(down)?);
        (column < self.columns && row < self.rows).then_some(row * 8 + column)
    }

    /// The names of the compass directions.
    pub fn directions() -> impl Iterator<Item = &'static str> {
        COMPASS.into_iter().map(|(name, ..)| name)
    }

    /// The maps of the board onto itself: eight of a square board, four of an oblong one.
    pub fn turns(self) -> Vec<Turn> {
        let is_possible = |number: &u8| number & 4 == 0 || self.columns == self.rows;
        (0..8).filter(is_possible).map(|number| Turn { board: self, number }).collect()
    }
}

/// A rotation or reflection of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    board: Board,
    /// Bits: 1 mirrors the columns, 2 mirrors the rows, 4 then exchanges columns and rows.
    number: u8,
}

impl Turn {
    /// Its number, 0 to 7: 1 mirrors the columns, 2 mirrors the rows, 4 then exchanges columns and rows.
    pub(super) const fn number(self) -> u8 {
        self.number
    }

    /// Where a square goes.
    pub const fn square(self, square: u8) -> u8 {
        let (mut column, mut row) = (square % 8, square / 8);
        if self.number & 1 != 0 {
            column = self.board.columns - 1 - column;
        }
        if self.number & 2 != 0 {
            row = self.board.rows - 1 - row;
        }
        if self.number & 4 != 0 { column * 8 + row } else { row * 8 + column }
    }

    /// What a compass direction becomes; a name that is none stays as it is.
    pub fn direction(self, name: &str) -> &str {
        let Some((_, mut east, mut south)) = COMPASS.into_iter().find(|(known, ..)| *known == name) else {
            return name;
        };
        if self.number & 1 != 0 {
            east = -east;
        }
        if self.number & 2 != 0 {
            south = -south;
        }
        if self.number & 4 != 0 {
            let sign = if self.board.first_row_is_north { 1 } else { -1 };
            (east, south) = (sign * south, sign * east);
        }
        COMPASS.into_iter().find(|&(_, x, y)| (x, y) == (east, south)).map_or(name, |(found, ..)| found)
    }
}

/// The name of a square: `a1` is 0, `h8` is 63.
pub fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

/// The square of that name, `a1` to `h8`.
pub fn square_named(name: &str) -> Option<u8> {
    match *name.as_bytes() {
        [column @ b'a'..=b'h', row @ b'1'..=b'8'] => Some((row - b'1') * 8 + (column - b'a')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_turn_with_the_squares() {
        for first_row_is_north in [true, false] {
            for (columns, rows, turns) in [(8, 8, 8), (5, 5, 8), (3, 4, 4)] {
                let board = Board { columns, rows, first_row_is_north };
                assert_eq!(board.turns().len(), turns);
                for turn in board.turns() {
                    for square in board.squares() {
                        for direction in Board::directions() {
                            let expected = board.neighbor(square, direction).map(|next| turn.square(next));
                            let found = board.neighbor(turn.square(square), turn.direction(direction));
                            assert_eq!(found, expected, "{turn:?} {} {direction}", square_name(square));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_as_in_the_papers_figure() {
        let board = Board { columns: 4, rows: 4, first_row_is_north: true };
        let neighbor = |square, direction| board.neighbor(square_named(square)?, direction).map(square_name);
        assert_eq!(neighbor("a1", "s").as_deref(), Some("a2"));
        assert_eq!(neighbor("c4", "ne").as_deref(), Some("d3"));
        assert_eq!(neighbor("d3", "e"), None);
        assert!((0..64).all(|square| square_named(&square_name(square)) == Some(square)));
        assert_eq!(["a0", "i1", "a", "a11", "A1", "é"].map(square_named), [None; 6]);
    }
}
