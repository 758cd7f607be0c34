// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions in a terminal that shows colours (256 of them).

use super::board::{rows, symbol};

/// Backgrounds of light and dark squares, and of those of the last move.
const SQUARES: [u8; 2] = [223, 180];
const LAST: [u8; 2] = [229, 185];
/// The same for a board of Othello.
const CLOTH: [u8; 2] = [71, 65];
const LAST_ON_CLOTH: [u8; 2] = [107, 101];
/// White and black pieces.
const PIECES: [u8; 2] = [231, 16];
/// Outlines do not exist in a terminal, so white pieces stand on a darker ground.
const GROUND: [u8; 2] = [179, 137];

/// A board with the names of its rows and files. `ranks` are the names of the rows from the top, `last` the squares of the
/// last move; `flipped` shows it from the other side.
pub fn board(fen: &str, ranks: &[String], last: &[String], flipped: bool) -> String {
    let rows = rows(fen);
    let is_chess = rows.iter().any(|row| row.contains(['k', 'K']));
    // As in pictures: a game with discs in hand is Othello, whose capital letters are black discs.
    let is_othello = fen.contains('[');
    let [squares, last_squares, ground] =
        if is_othello { [CLOTH, LAST_ON_CLOTH, CLOTH] } else { [SQUARES, LAST, GROUND] };
    let (height, width) = (rows.len(), rows.first().map_or(0, |row| row.chars().count()));
    let file = |column: usize| char::from(b'a' + u8::try_from(column).unwrap_or_default().min(25));
    let order =
        |count: usize| -> Vec<usize> { if flipped { (0..count).rev().collect() } else { (0..count).collect() } };
    let mut text = String::new();
    for row in order(height) {
        let rank = ranks.get(row).map_or("", |rank| rank);
        text += &format!("{rank:>2} ");
        let letters: Vec<char> = rows[row].chars().collect();
        for column in order(width) {
            let shade = (row + column) % 2;
            let is_last = last.contains(&format!("{}{}", file(column), height - row));
            let letter = letters.get(column).copied().unwrap_or('.');
            let ground = if is_last {
                last_squares
            } else if letter == '.' {
                squares
            } else {
                ground
            }[shade];
            let colour = PIECES[usize::from(letter.is_lowercase() != is_othello)];
            text += &format!("\u{1b}[48;5;{ground}m{}\u{1b}[0m", piece(letter, colour, is_chess));
        }
        text.push('\n');
    }
    let files: String = order(width).into_iter().map(|column| format!(" {} ", file(column))).collect();
    text + "   " + files.trim_end()
}

/// Three columns: a piece, or nothing.
fn piece(letter: char, colour: u8, is_chess: bool) -> String {
    if letter == '.' {
        return "   ".to_owned();
    }
    let figure = symbol(letter).filter(|_| is_chess).unwrap_or('●');
    format!("\u{1b}[38;5;{colour}m {figure} ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The board without colours.
    fn plain(text: &str) -> Vec<String> {
        let parts = text.split('\u{1b}').enumerate();
        let text: String = parts
            .map(|(place, part)| if place == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) })
            .collect();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_board_is_drawn_from_either_side() {
        let ranks = ["2".to_owned(), "1".to_owned()];
        let drawn = board("p1/1P w", &ranks, &["a2".to_owned()], false);
        assert_eq!(plain(&drawn), [" 2  ●    ", " 1     ● ", "    a  b"]);
        assert!(drawn.contains("\u{1b}[48;5;229m\u{1b}[38;5;16m ● "), "{drawn:?}");
        assert_eq!(plain(&board("p1/1P w", &ranks, &[], true)), [" 1  ●    ", " 2     ● ", "    b  a"]);
        assert!(board("k1/1N w", &ranks, &[], false).contains('♞'));
        // The first player of Othello has the black discs.
        let discs = board("P1/1p[PPpp] w", &ranks, &["a2".to_owned()], false);
        assert!(discs.contains("\u{1b}[48;5;107m\u{1b}[38;5;16m ● ") && discs.contains("[38;5;231m ● "), "{discs:?}");
        assert_eq!(plain(&board("", &[], &[], false)), ["   ", "   "]);
    }
}
