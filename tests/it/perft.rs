// SPDX-License-Identifier: GPL-3.0-or-later
//! Known counts of lines. Breakthrough's agree with Fairy-Stockfish 11.1 (`UCI_Variant breakthrough`, `go perft`); those
//! of chess are the standard ones of the Chess Programming Wiki. Othello's are the published ones (Bik), less the games
//! that ended earlier, which count at every later depth there; a Fairy-Stockfish of 2026 (`UCI_Variant flipello`) has the
//! same.

use halfply_engine::game::{Game, Notation, Side, perft};
use halfply_engine::games::{Breakthrough, Chess, Othello};

use crate::support::random_game;

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

/// The rules on a board of characters, square by square, White's pieces moving down the list of rows.
fn slow_perft(board: &[Vec<char>], white_to_move: bool, depth: u32) -> u64 {
    let (rows, columns) = (board.len() as i32, board[0].len() as i32);
    let (own, other, step, goal) =
        if white_to_move { ('P', 'p', 1, board.last().unwrap()) } else { ('p', 'P', -1, &board[0]) };
    let goal_of_other = if white_to_move { &board[0] } else { board.last().unwrap() };
    assert!(!goal.contains(&own), "the game ended earlier");
    if depth == 0 {
        return 1;
    }
    if goal_of_other.contains(&other) || !board.iter().flatten().any(|&square| square == own) {
        return 0;
    }
    let mut count = 0;
    for row in 0..rows {
        for column in 0..columns {
            for aside in [-1, 0, 1] {
                let (to_row, to_column) = (row + step, column + aside);
                if board[row as usize][column as usize] != own
                    || !(0..rows).contains(&to_row)
                    || !(0..columns).contains(&to_column)
                {
                    continue;
                }
                let there = board[to_row as usize][to_column as usize];
                if there == '.' || (there == other && aside != 0) {
                    let mut next = board.to_vec();
                    next[row as usize][column as usize] = '.';
                    next[to_row as usize][to_column as usize] = own;
                    count += slow_perft(&next, !white_to_move, depth - 1);
                }
            }
        }
    }
    count
}

/// Random positions, counted twice.
#[test]
fn breakthrough_agrees_with_a_slow_count() {
    for seed in 0..10 {
        random_game::<Breakthrough>(seed, |history| {
            let position = history.position();
            let drawn = Breakthrough::draw(position);
            // The lowest row of the drawing is White's; the rank's number comes before the squares.
            let rows = drawn.lines().take(8).map(|row| row[2..].replace(' ', "").chars().collect());
            let mut board: Vec<Vec<char>> = rows.collect();
            board.reverse();
            let white_to_move = Breakthrough::to_move(position) == Side::White;
            let expected = slow_perft(&board, white_to_move, 3);
            assert_eq!(perft::<Breakthrough>(position, 3), expected, "{drawn}");
        });
    }
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
    // The published 212,258,800, less the 584 games that end after nine or ten plies.
    assert_eq!(perft::<Othello>(&Othello::start(), 11), 212_258_216);
}
