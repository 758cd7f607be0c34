// SPDX-License-Identifier: GPL-3.0-or-later
//! Known counts of lines. Breakthrough's agree with Fairy-Stockfish 11.1 (`UCI_Variant breakthrough`, `go perft`); those
//! of chess are the standard ones of the Chess Programming Wiki. Othello's are the published ones (Bik), less the games
//! that ended earlier, which count at every later depth there; a Fairy-Stockfish of 2026 (`UCI_Variant flipello`) has the
//! same.

use halfply::game::{Game, Notation, perft};
use halfply::games::{Breakthrough, Chess, Othello};

#[track_caller]
fn assert_perft<G: Notation>(fen: &str, expected: &[u64]) {
    let position = G::parse_position(fen).expect("a position");
    let counts: Vec<u64> = (1..=expected.len() as u32).map(|depth| perft::<G>(&position, depth)).collect();
    assert_eq!(counts, expected, "{fen}");
}

#[test]
fn breakthrough_from_the_start() {
    let start = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";
    assert_perft::<Breakthrough>(start, &[22, 484, 11_132, 256_036, 6_182_818, 149_264_638]);
}

#[test]
fn breakthrough_in_the_middle() {
    let middle = "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w - - 0 1";
    assert_perft::<Breakthrough>(middle, &[21, 358, 6_898, 121_264, 2_418_822]);
}

#[test]
fn chess_on_the_standard_positions() {
    for (fen, expected) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400, 8_902, 197_281, 4_865_609].as_slice()),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2_039, 97_862, 4_085_603]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[46, 2_079, 89_890, 3_894_594]),
    ] {
        assert_perft::<Chess>(fen, expected);
    }
}

#[test]
fn chess960_on_known_positions() {
    for (fen, expected) in [
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [21, 528, 12_189, 326_672].as_slice()),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[21, 807, 18_002, 667_366]),
        ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", &[20, 479, 10_471, 273_318]),
    ] {
        assert_perft::<Chess>(fen, expected);
    }
}

const OTHELLO: &str = "8/8/8/3pP3/3Pp3/8/8/8[] w - - 0 1";

#[test]
fn othello_from_the_start() {
    // The first passes are ninth plies, and the first games end after nine.
    assert_perft::<Othello>(OTHELLO, &[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_056]);
}

/// `cargo test --release --test it -- --ignored othello`
#[test]
#[ignore = "seconds of computing, optimised"]
fn othello_from_the_start_deeper() {
    for (depth, expected) in [(11, 212_258_572), (12, 1_939_886_052)] {
        assert_eq!(perft::<Othello>(&Othello::start(), depth), expected, "depth {depth}");
    }
}
