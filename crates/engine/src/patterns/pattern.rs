// SPDX-License-Identifier: GPL-3.0-or-later
//! A pattern: a conjunction of facts about the squares of a position.

use std::fmt::Write;

use super::board::Board;

/// What a fact says of its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// Nobody is there.
    Blank,
    /// The first player of the theory owns it.
    First,
    /// The second player owns it.
    Second,
}

impl Content {
    /// All, in order.
    pub const ALL: [Self; 3] = [Self::Blank, Self::First, Self::Second];
}

/// A conjunction of facts, `blank(square)` and `owns(player, square)`: bit `8 * row + column` of a set is the square.
/// Each square is in at most one of the three sets, because no position has two contents of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    sets: [u64; 3],
}

impl Pattern {
    /// The pattern that says of each square of these sets what is there; none if a square is in two of them.
    pub const fn of_sets(blank: u64, first: u64, second: u64) -> Option<Self> {
        if (blank & first) | (blank & second) | (first & second) == 0 {
            Some(Self { sets: [blank, first, second] })
        } else {
            None
        }
    }

    /// The facts of this pattern that are about these squares.
    pub const fn on(self, squares: u64) -> Self {
        let [blank, first, second] = self.sets;
        Self { sets: [blank & squares, first & squares, second & squares] }
    }

    /// The pattern with one more fact; none if it says something else of that square (0 to 63).
    pub const fn with(self, content: Content, square: u8) -> Option<Self> {
        let bit = 1 << (square & 63);
        let mut sets = self.sets;
        sets[content as usize] |= bit;
        let pattern = Self { sets };
        if pattern.squares().count_ones() == sets[0].count_ones() + sets[1].count_ones() + sets[2].count_ones() {
            Some(pattern)
        } else {
            None
        }
    }

    /// The pattern that says what both say; none if they contradict each other.
    pub const fn and(self, other: Self) -> Option<Self> {
        let ([blank, first, second], [other_blank, other_first, other_second]) = (self.sets, other.sets);
        Self::of_sets(blank | other_blank, first | other_first, second | other_second)
    }

    /// The squares that must have this content.
    pub const fn set(self, content: Content) -> u64 {
        self.sets[content as usize]
    }

    /// All squares that the pattern speaks of.
    pub const fn squares(self) -> u64 {
        self.sets[0] | self.sets[1] | self.sets[2]
    }

    /// The number of facts.
    pub const fn length(self) -> u32 {
        self.squares().count_ones()
    }

    /// Whether all facts of this pattern are among those of another one, for example those of a position.
    pub const fn is_part_of(self, other: Self) -> bool {
        self.sets[0] & !other.sets[0] == 0 && self.sets[1] & !other.sets[1] == 0 && self.sets[2] & !other.sets[2] == 0
    }

    /// The facts, by content and then by square.
    pub fn facts(self) -> impl Iterator<Item = (Content, u8)> {
        Content::ALL.into_iter().flat_map(move |content| {
            let set = self.set(content);
            (0..64).filter(move |square| set >> square & 1 != 0).map(move |square| (content, square))
        })
    }

    /// A drawing with the north at the top: the letters of the players, `-` for a blank square, `.` where the pattern says
    /// nothing.
    pub fn draw(self, board: Board, players: [char; 2]) -> String {
        let mut text = String::new();
        for line in 0..board.rows {
            let row = if board.first_row_is_north { line } else { board.rows - 1 - line };
            let _ = write!(text, "{}", row + 1);
            for column in 0..board.columns {
                let square = row * 8 + column;
                let content = Content::ALL.into_iter().find(|&content| self.set(content) >> square & 1 != 0);
                let letter = match content {
                    None => '.',
                    Some(Content::Blank) => '-',
                    Some(Content::First) => players[0],
                    Some(Content::Second) => players[1],
                };
                let _ = write!(text, " {letter}");
            }
            text.push('\n');
        }
        text.push(' ');
        for column in 0..board.columns {
            let _ = write!(text, " {}", char::from(b'a' + column));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_one_content() {
        let pattern = Pattern::default().with(Content::Blank, 0).unwrap().with(Content::First, 63).unwrap();
        assert_eq!(pattern.with(Content::Blank, 0), Some(pattern));
        assert_eq!(pattern.with(Content::First, 0), None);
        assert_eq!(pattern.with(Content::Second, 63), None);
        assert_eq!((pattern.length(), pattern.squares()), (2, 1 | 1 << 63));
        assert_eq!(pattern.facts().collect::<Vec<_>>(), [(Content::Blank, 0), (Content::First, 63)]);
        let longer = pattern.with(Content::Second, 7).unwrap();
        assert!(pattern.is_part_of(longer) && pattern.is_part_of(pattern) && !longer.is_part_of(pattern));
    }

    #[test]
    fn drawings_have_the_north_at_the_top() {
        let pattern = Pattern::default().with(Content::Blank, 0).unwrap().with(Content::First, 8).unwrap();
        let pattern = pattern.with(Content::Second, 17).unwrap();
        let board = Board { columns: 3, rows: 3, first_row_is_north: true };
        assert_eq!(pattern.draw(board, ['x', 'o']), "1 - . .\n2 x . .\n3 . o .\n  a b c");
        let board = Board { first_row_is_north: false, ..board };
        assert_eq!(pattern.draw(board, ['x', 'o']), "3 . o .\n2 x . .\n1 - . .\n  a b c");
    }
}
