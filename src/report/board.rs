// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as pictures.

use std::fmt::Write;

/// The width of a square.
const SQUARE: usize = 32;

/// The rows of the board of a FEN, from the top.
#[must_use]
pub fn rows(fen: &str) -> Vec<String> {
    let placement = fen.split([' ', '[']).next().unwrap_or_default();
    let squares = |row: &str| {
        row.chars().fold(String::new(), |squares, symbol| match symbol.to_digit(10) {
            Some(empty) => squares + &".".repeat(empty as usize),
            None => squares + &symbol.to_string(),
        })
    };
    placement.split('/').map(squares).collect()
}

/// The names of the rows from the top. They are those of the drawing for people: players of some games count from the top.
#[must_use]
pub fn ranks(drawing: &str, rows: usize) -> Vec<String> {
    let first_word = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let drawn: Vec<String> = drawing.lines().map(first_word).filter(|word| word.parse::<usize>().is_ok()).collect();
    if drawn.len() == rows { drawn } else { (1..=rows).rev().map(|rank| rank.to_string()).collect() }
}

/// A square board as SVG, White below, from the first field of a FEN. Letters that are pieces of chess are drawn as such,
/// all others as discs; a field that is none gives an empty board of 8x8 squares. In a game with discs in hand
/// (`[PPpp]`), which is Othello, the capital letters are black discs.
#[must_use]
pub fn svg(fen: &str) -> String {
    let placement = fen.split_whitespace().next().unwrap_or_default();
    let size = Some(placement.split('/').count()).filter(|size| (4..=8).contains(size)).unwrap_or(8);
    let width = size * SQUARE;
    let mut svg = format!("<svg class=\"board\" viewBox=\"0 0 {width} {width}\" width=\"{width}\" role=\"img\">\n");
    for square in 0..size * size {
        let (column, row) = (square % size, square / size);
        let shade = if (column + row) % 2 == 0 { "light" } else { "dark" };
        let (x, y) = (column * SQUARE, row * SQUARE);
        let _ = writeln!(svg, "<rect class=\"{shade}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>");
    }
    let is_chess = placement.contains(['k', 'K']);
    let (placement, is_othello) = placement.split_once('[').map_or((placement, false), |(board, _)| (board, true));
    for (row, text) in placement.split('/').take(size).enumerate() {
        let mut column = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                column += empty as usize;
                continue;
            }
            if column < size {
                let side = if letter.is_uppercase() != is_othello { "white" } else { "black" };
                let (x, y) = (column * SQUARE + SQUARE / 2, row * SQUARE + SQUARE / 2);
                let figure = symbol(letter).filter(|_| is_chess);
                let _ = match figure {
                    Some(symbol) => writeln!(svg, "<text class=\"{side}\" x=\"{x}\" y=\"{}\">{symbol}</text>", y + 10),
                    None => writeln!(svg, "<circle class=\"{side}\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", SQUARE * 3 / 8),
                };
            }
            column += 1;
        }
    }
    svg + "</svg>"
}

/// The figure of a piece of chess; both sides have the filled ones, in different colours.
pub(super) const fn symbol(letter: char) -> Option<char> {
    Some(match letter.to_ascii_lowercase() {
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        'p' => '♟',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_where_the_fen_says() {
        let board = svg("7p/8/8/8/8/8/8/P7 w - - 0 1");
        assert!(board.contains("<circle class=\"black\" cx=\"240\" cy=\"16\""), "{board}");
        assert!(board.contains("<circle class=\"white\" cx=\"16\" cy=\"240\""), "{board}");
        assert_eq!(board.matches("<rect").count(), 64);
        let small = svg("ppppp/5/5/5/4P w");
        assert_eq!(small.matches("<rect").count(), 25);
        assert!(small.contains("<circle class=\"white\" cx=\"144\" cy=\"144\""), "{small}");
        let othello = svg("7p/8/8/8/8/8/8/P7[PPpp] w - - 0 1");
        assert!(othello.contains("<circle class=\"white\" cx=\"240\" cy=\"16\""), "{othello}");
        assert!(othello.contains("<circle class=\"black\" cx=\"16\" cy=\"240\""), "{othello}");
        assert_eq!(othello.matches("<circle").count(), 2);
        let chess = svg("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!((chess.matches('♚').count(), chess.matches('♜').count()), (2, 1));
        assert!(chess.contains("<text class=\"white\" x=\"240\""), "{chess}");
    }

    #[test]
    fn rows_have_a_letter_or_a_dot_a_square_and_are_called_as_people_do() {
        assert_eq!(rows("2p5/8[Pp] w"), ["..p.....", "........"]);
        assert_eq!(ranks("  a b\n1 . .\n2 . .\nwhite to move", 2), ["1", "2"]);
        assert_eq!(ranks("nothing", 2), ["2", "1"]);
    }

    #[test]
    fn what_is_no_fen_is_an_empty_board() {
        for text in ["", "x y", "99999999/////////////", "é/ppppppppppppppp"] {
            assert_eq!(svg(text).matches("<rect").count(), 64, "{text}");
        }
    }
}
