// SPDX-License-Identifier: GPL-3.0-or-later
//! What the tests of this folder share.

use halfply_engine::patterns::board::Board;
use halfply_engine::patterns::symmetry::Symmetry;
use halfply_engine::patterns::{Frame, Pattern, View};

pub(super) const fn board() -> Board {
    Board { columns: 8, rows: 8, first_row_is_north: true }
}

/// The symmetries of Othello: all of the board, with exchanged players and without.
pub(super) fn frame(view: View) -> Frame {
    let names = (0..8).flat_map(|turn| [turn.to_string(), format!("{turn}x")]);
    let all: Vec<Symmetry> = names.map(|name| Symmetry::named(&name, board()).unwrap()).collect();
    Frame::new(view, &all).unwrap()
}

/// Full boards of random contents, a quarter of the squares blank.
pub(super) fn positions(count: u64) -> Vec<Pattern> {
    let position = |number| {
        let random = [1, 2, 3].map(|salt| halfply_engine::base::mix::derive(number, salt));
        let blank = random[0] & random[1];
        Pattern::of_sets(blank, !blank & random[2], !blank & !random[2]).unwrap()
    };
    (0..count).map(position).collect()
}
