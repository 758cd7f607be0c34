// SPDX-License-Identifier: GPL-3.0-or-later
//! Known counts of lines; they agree with Fairy-Stockfish 11.1 (`UCI_Variant breakthrough`, `go perft`).

use halfply::game::{Game, perft};
use halfply::games::Breakthrough;

use crate::support::position;

#[track_caller]
fn assert_perft(position: &<Breakthrough as Game>::Position, expected: &[u64]) {
    let counts: Vec<u64> = (1..=expected.len() as u32).map(|depth| perft::<Breakthrough>(position, depth)).collect();
    assert_eq!(counts, expected);
}

#[test]
fn breakthrough_from_the_start() {
    assert_perft(&Breakthrough::start(), &[22, 484, 11_132, 256_036, 6_182_818, 149_264_638]);
}

#[test]
fn breakthrough_in_the_middle() {
    let position = position("1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w - - 0 1");
    assert_perft(&position, &[21, 358, 6_898, 121_264, 2_418_822]);
}
