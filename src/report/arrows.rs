// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves on the picture of a board, as arrows.

use std::fmt::Write;

use super::board::{SQUARE, svg};

/// A move to be drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrow<'a> {
    /// The move as UCI writes it: `e2e4`, or `d3` for a piece that is put on the board.
    pub(crate) mv: &'a str,
    /// Its class in the style sheet: `good` or `bad`.
    pub(crate) class: &'a str,
}

/// A board with moves. Texts that are no moves are left out.
pub(crate) fn board(fen: &str, arrows: &[Arrow<'_>]) -> String {
    let board = svg(fen);
    let placement = fen.split([' ', '[']).next().unwrap_or_default();
    let rows = Some(placement.split('/').count()).filter(|rows| (4..=8).contains(rows)).unwrap_or(8);
    let mut drawn = String::new();
    for Arrow { mv, class } in arrows {
        let squares: Vec<(f64, f64)> =
            [mv.get(0..2), mv.get(2..4)].into_iter().flatten().filter_map(|name| center(name, rows)).collect();
        // Writing to a string does not fail.
        let _ = match squares[..] {
            [(x, y)] => writeln!(drawn, "<circle class=\"ring {class}\" cx=\"{x}\" cy=\"{y}\" r=\"13\"/>"),
            [from, to] if from != to => write_arrow(&mut drawn, class, from, to),
            _ => Ok(()),
        };
    }
    match board.strip_suffix("</svg>") {
        Some(open) => format!("{open}{drawn}</svg>"),
        None => board,
    }
}

fn write_arrow(drawn: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) -> std::fmt::Result {
    let (along_x, along_y) = (to.0 - from.0, to.1 - from.1);
    let length = along_x.hypot(along_y);
    let (along_x, along_y) = (along_x / length, along_y / length);
    let neck = (to.0 - 12.0 * along_x, to.1 - 12.0 * along_y);
    let corner = |side: f64| format!("{:.1},{:.1}", neck.0 - side * along_y, neck.1 + side * along_x);
    writeln!(
        drawn,
        "<line class=\"arrow {class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>\
         <polygon class=\"head {class}\" points=\"{:.1},{:.1} {} {}\"/>",
        from.0,
        from.1,
        neck.0,
        neck.1,
        to.0,
        to.1,
        corner(6.5),
        corner(-6.5)
    )
}

/// The middle of a square, by its name; none if there is no such square.
fn center(name: &str, rows: usize) -> Option<(f64, f64)> {
    let mut symbols = name.chars();
    let (file, rank) = (symbols.next()?, symbols.next()?.to_digit(10)? as usize);
    let column = ('a'..='h').position(|letter| letter == file).filter(|&column| column < rows)?;
    let row = rows.checked_sub(rank).filter(|&row| row < rows)?;
    let middle = |place: usize| (place * SQUARE + SQUARE / 2) as f64;
    Some((middle(column), middle(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_go_from_square_to_square() {
        let fen = "8/8/8/8/8/8/P7/8 w";
        let good = |mv| [Arrow { mv, class: "good" }];
        assert!(
            board(fen, &good("a2a3"))
                .contains("<line class=\"arrow good\" x1=\"16.0\" y1=\"208.0\" x2=\"16.0\" y2=\"188.0\"/>")
        );
        assert!(board(fen, &good("h8")).contains("<circle class=\"ring good\" cx=\"240\" cy=\"16\""));
        assert!(board("5/5/5/5/5 w", &good("e1")).contains("cx=\"144\" cy=\"144\""));
        for text in ["", "x", "a9a1", "z1", "a2a2", "é3", "O-O", "pass"] {
            let board = board(fen, &good(text));
            assert!(!board.contains("NaN") && board.ends_with("</svg>"), "{board}");
        }
        assert_eq!(board(fen, &good("a0i1")), svg(fen));
    }
}
