// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as pictures.

use std::fmt::Write;

/// The width of a square.
const SQUARE: usize = 32;

/// A square board as SVG, White below, from the first field of a FEN. Letters that are pieces of chess are drawn as such,
/// all others as discs; a field that is none gives an empty board of 8x8 squares.
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
    for (row, text) in placement.split('/').take(size).enumerate() {
        let mut column = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                column += empty as usize;
                continue;
            }
            if column < size {
                let side = if letter.is_uppercase() { "white" } else { "black" };
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
const fn symbol(letter: char) -> Option<char> {
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
        let chess = svg("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!((chess.matches('♚').count(), chess.matches('♜').count()), (2, 1));
        assert!(chess.contains("<text class=\"white\" x=\"240\""), "{chess}");
    }

    #[test]
    fn what_is_no_fen_is_an_empty_board() {
        for text in ["", "x y", "99999999/////////////", "é/ppppppppppppppp"] {
            assert_eq!(svg(text).matches("<rect").count(), 64, "{text}");
        }
    }
}
