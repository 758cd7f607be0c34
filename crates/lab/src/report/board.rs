// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as pictures.

use maud::{Markup, html};

/// The width of a square.
const SQUARE: usize = 32;

/// The rows of the board of a FEN, from the top.
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
pub fn ranks(drawing: &str, rows: usize) -> Vec<String> {
    let first_word = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let drawn: Vec<String> = drawing.lines().map(first_word).filter(|word| word.parse::<usize>().is_ok()).collect();
    if drawn.len() == rows { drawn } else { (1..=rows).rev().map(|rank| rank.to_string()).collect() }
}

/// The squares of a move (`e2`). A move that puts a piece on the board has only a destination, a pass has neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Squares {
    /// Where the piece was.
    pub from: Option<String>,
    /// Where it goes.
    pub to: Option<String>,
}

impl Squares {
    /// The squares of a move as UCI writes it: `e2e4`, `e7e8q`, `P@d3`, `d3`; a move from a square to itself is a pass.
    pub fn of_move(text: &str) -> Self {
        let square = |range: std::ops::Range<usize>| text.get(range).map(str::to_owned);
        match (square(0..2), square(2..4)) {
            (from, to) if from == to => Self::default(),
            (Some(from), to) if from.ends_with('@') => Self { from: None, to },
            (to, None) => Self { from: None, to },
            (from, to) => Self { from, to },
        }
    }
}

/// A move to be drawn: an arrow between its squares, or a ring on the only one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrow {
    /// The squares; if there are none, nothing is drawn.
    pub squares: Squares,
    /// A further class in the style sheet, `good` or `bad`; empty for the move in question.
    pub class: &'static str,
}

/// A square board as SVG, White below, from the first field of a FEN. Letters that are pieces of chess are drawn as such,
/// all others as discs; a field that is none gives an empty board of 8x8 squares. A game with discs in hand (`[PPpp]`) is
/// Othello: its board is green with lines, and the capital letters are black discs.
pub fn svg(fen: &str) -> Markup {
    with_moves(fen, &Squares::default(), &[])
}

/// The same board. The squares of the `last` move have another colour, and arrows show others.
pub fn with_moves(fen: &str, last: &Squares, arrows: &[Arrow]) -> Markup {
    let placement = fen.split_whitespace().next().unwrap_or_default();
    let size = Some(placement.split('/').count()).filter(|size| (4..=8).contains(size)).unwrap_or(8);
    let width = size * SQUARE;
    let (placement, is_othello) = placement.split_once('[').map_or((placement, false), |(board, _)| (board, true));
    let is_chess = placement.contains(['k', 'K']);
    html! {
        svg.board.cloth[is_othello] viewBox=(format_args!("0 0 {width} {width}")) width=(width) role="img" aria-label=(placement) {
            @if is_othello { (lines(size)) } @else { (chequers(size)) }
            @for (x, y) in [&last.from, &last.to].into_iter().flatten().filter_map(|name| corner(name, size)) {
                rect.last x=(x) y=(y) width=(SQUARE) height=(SQUARE) {}
            }
            @for (letter, column, row) in pieces(placement, size) {
                @let side = if letter.is_uppercase() != is_othello { "white" } else { "black" };
                @let (x, y) = (column * SQUARE + SQUARE / 2, row * SQUARE + SQUARE / 2);
                @if let Some(symbol) = symbol(letter).filter(|_| is_chess) {
                    text class=(side) x=(x) y=(y + 10) { (symbol) }
                } @else {
                    circle class=(side) cx=(x) cy=(y) r=(SQUARE * 3 / 8) {}
                }
            }
            @for arrow in arrows { (drawing(arrow, size)) }
        }
    }
}

/// The letters of a placement on a board of that size, each with its column and its row from the top.
fn pieces(placement: &str, size: usize) -> Vec<(char, usize, usize)> {
    let mut pieces = Vec::new();
    for (row, squares) in rows(placement).iter().enumerate().take(size) {
        let letters = squares.chars().enumerate().take(size).filter(|&(_, letter)| letter != '.');
        pieces.extend(letters.map(|(column, letter)| (letter, column, row)));
    }
    pieces
}

/// A background of light and dark squares.
fn chequers(size: usize) -> Markup {
    let width = size * SQUARE;
    let dark = (0..size * size).filter(|square| (square % size + square / size) % 2 == 1).map(|square| {
        let (x, y) = (square % size * SQUARE, square / size * SQUARE);
        format!("M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z")
    });
    let dark: String = dark.collect();
    html! {
        rect.light width=(width) height=(width) {}
        path.dark d=(dark) {}
    }
}

/// A background of one colour with lines between the squares.
fn lines(size: usize) -> Markup {
    let width = size * SQUARE;
    let lines: String =
        (1..size).map(|place| place * SQUARE).map(|at| format!("M{at} 0v{width}M0 {at}h{width}")).collect();
    html! {
        rect.green width=(width) height=(width) {}
        path.lines d=(lines) {}
    }
}

/// The left upper corner of a square; none if there is no such square on a board of that size.
fn corner(name: &str, size: usize) -> Option<(usize, usize)> {
    let [file, rank] = <[u8; 2]>::try_from(name.as_bytes()).ok()?;
    let column = usize::from(file.checked_sub(b'a')?);
    let rank = usize::from(rank.checked_sub(b'1')?);
    (column < size && rank < size).then(|| (column * SQUARE, (size - 1 - rank) * SQUARE))
}

/// An arrow as SVG; empty if its squares are not on the board.
fn drawing(Arrow { squares, class }: &Arrow, size: usize) -> Markup {
    let class = format!("move {class}");
    let class = class.trim_end();
    let half = SQUARE as f64 / 2.0;
    let middle = |name: &String| corner(name, size).map(|(x, y)| (x as f64 + half, y as f64 + half));
    match (squares.from.as_ref().map(middle), squares.to.as_ref().and_then(middle)) {
        (Some(Some((x, y))), Some((to_x, to_y))) if (x, y) != (to_x, to_y) => {
            let length = (to_x - x).hypot(to_y - y);
            // The direction, and the two ends of the head.
            let (dx, dy) = ((to_x - x) / length, (to_y - y) / length);
            let (back_x, back_y, side) = (to_x - dx * half * 0.7, to_y - dy * half * 0.7, half * 0.5);
            let (left_x, left_y) = (back_x - dy * side, back_y + dx * side);
            let (right_x, right_y) = (back_x + dy * side, back_y - dx * side);
            let path =
                format!("M{x} {y}L{to_x} {to_y}M{left_x:.1} {left_y:.1}L{to_x} {to_y}L{right_x:.1} {right_y:.1}");
            html! { path class=(class) d=(path) {} }
        }
        (None, Some((x, y))) => html! { circle class=(class) cx=(x) cy=(y) r=(half * 0.75) {} },
        _ => html! {},
    }
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

    /// The number of squares of a board, from its width and its dark squares.
    fn squares(svg: &str) -> usize {
        let width = svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap();
        let size = width.parse::<usize>().unwrap() / SQUARE;
        assert_eq!(svg.matches(&format!("h{SQUARE}v{SQUARE}")).count(), size * size / 2);
        size * size
    }

    fn arrow(mv: &str) -> Arrow {
        Arrow { squares: Squares::of_move(mv), class: "" }
    }

    #[test]
    fn pieces_stand_where_the_fen_says() {
        let board = svg("7p/8/8/8/8/8/8/P7 w - - 0 1").into_string();
        assert!(board.contains("<circle class=\"black\" cx=\"240\" cy=\"16\""), "{board}");
        assert!(board.contains("<circle class=\"white\" cx=\"16\" cy=\"240\""), "{board}");
        assert_eq!(squares(&board), 64);
        let small = svg("ppppp/5/5/5/4P w").into_string();
        assert_eq!(squares(&small), 25);
        assert!(small.contains("<circle class=\"white\" cx=\"144\" cy=\"144\""), "{small}");
        let othello = svg("7p/8/8/8/8/8/8/P7[PPpp] w - - 0 1").into_string();
        assert!(othello.contains("<circle class=\"white\" cx=\"240\" cy=\"16\""), "{othello}");
        assert!(othello.contains("<circle class=\"black\" cx=\"16\" cy=\"240\""), "{othello}");
        assert_eq!(othello.matches("<circle").count(), 2);
        assert!(othello.contains("<svg class=\"board cloth\"") && othello.contains("M224 0v256M0 224h256\">"));
        assert!(!othello.contains("class=\"dark\"") && !board.contains("cloth"), "{othello}");
        let chess = svg("4k3/8/8/8/8/8/8/4K2R w K - 0 1").into_string();
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
            assert_eq!(squares(&svg(text).into_string()), 64, "{text}");
        }
    }

    #[test]
    fn moves_of_all_shapes_have_their_squares() {
        let squares = |from: &str, to: &str| {
            let [from, to] = [from, to].map(|name| Some(name.to_owned()).filter(|name| !name.is_empty()));
            Squares { from, to }
        };
        assert_eq!(Squares::of_move("e2d3"), squares("e2", "d3"));
        assert_eq!(Squares::of_move("e7e8q"), squares("e7", "e8"));
        assert_eq!(Squares::of_move("P@d6"), squares("", "d6"));
        assert_eq!(Squares::of_move("d5d5"), squares("", ""));
        assert_eq!(Squares::of_move("d6"), squares("", "d6"));
        for strange in ["", "é", "e2é4", "e", "(none)"] {
            let _ = with_moves("8/8 w", &Squares::of_move(strange), &[arrow(strange)]).into_string();
        }
    }

    #[test]
    fn a_move_is_drawn_between_its_squares() {
        let board = with_moves("8/8/8/8/8/8/8/P7 w", &Squares::of_move("h8g7"), &[arrow("a1b2")]).into_string();
        assert!(board.contains("<path class=\"move\" d=\"M16 240L48 208M"), "{board}");
        assert!(board.contains("<rect class=\"last\" x=\"224\" y=\"0\""), "{board}");
        let small = with_moves("4/4/4/4[PPpp] w", &Squares::default(), &[arrow("d4")]).into_string();
        assert!(small.contains("<circle class=\"move\" cx=\"112\" cy=\"16\""), "{small}");
        let two = [Arrow { class: "good", ..arrow("a1b2") }, Arrow { class: "bad", ..arrow("d4") }];
        let both = with_moves("4/4/4/4[PPpp] w", &Squares::default(), &two).into_string();
        assert!(both.contains("<path class=\"move good\"") && both.contains("<circle class=\"move bad\""), "{both}");
        for text in ["", "x", "a9a1", "z1", "a2a2", "é3", "O-O", "pass", "h8"] {
            let board = with_moves("4/4/4/4 w", &Squares::default(), &[arrow(text)]).into_string();
            assert!(!board.contains("\"move") && !board.contains("NaN") && board.ends_with("</svg>"), "{board}");
        }
    }
}
