// SPDX-License-Identifier: GPL-3.0-or-later
//! The terms on drawn boards, and what must hold on any.

use shakmaty::{EnPassantMode, Position as _};

use super::blend::{FULL_PHASE, FULL_SCALE};
use super::layout::*;
use super::trace::Trace;
use super::weights::WEIGHTS;
use super::*;
use crate::base::score::LONGEST_WIN;
use crate::evaluation::Evaluation;
use crate::game::{Game, Notation, Symmetry};
use crate::games::{Chess, RegisteredGame, bundled_positions, random_game};

type Position = <Chess as Game>::Position;

fn read(fen: &str) -> Position {
    Chess::parse_position(fen).unwrap()
}

/// How often the weights of a term count for the side to move, less the other's.
fn counts(term: Term, fen: &str) -> Vec<i32> {
    Trace::new(&read(fen)).counts[term.first..term.first + term.count].to_vec()
}

/// How often a term of one weight counts.
fn count(term: Term, fen: &str) -> i32 {
    let counts = counts(term, fen);
    assert_eq!(counts.len(), 1);
    counts[0]
}

/// Bundled positions and those of random games.
fn many() -> Vec<Position> {
    let mut positions = bundled_positions::<Chess>(Chess::OPENINGS);
    positions.extend(bundled_positions::<Chess>(Chess::SUITE));
    positions.extend(Chess::BENCH.iter().map(|fen| read(fen)));
    for seed in 0..30 {
        positions.extend_from_slice(random_game::<Chess>(seed).positions());
    }
    positions
}

#[test]
fn no_side_and_no_wing_is_favoured() {
    for position in many() {
        let value = Classical.judge(&position);
        for image in Chess::images(&position) {
            assert_eq!(Classical.judge(&image), value, "{}", Chess::format_position(&position));
            assert_eq!(Material.judge(&image), Material.judge(&position));
        }
        let mut setup = position.to_setup(EnPassantMode::Legal);
        setup.board.flip_horizontal();
        setup.castling_rights = Default::default();
        setup.ep_square = None;
        let Ok(image) = setup.position::<Position>(position.castles().mode()) else { continue };
        assert_eq!(Classical.judge(&image), value, "{}", Chess::format_position(&position));
    }
}

#[test]
fn the_trace_says_what_the_evaluation_says() {
    for position in many() {
        let trace = Trace::new(&position);
        let value = Classical.judge(&position);
        assert_eq!(trace.score(&WEIGHTS), value, "{}", Chess::format_position(&position));
    }
}

#[test]
fn nothing_that_can_be_set_up_reaches_a_proved_win() {
    let position = read("8/8/8/QQQQQQQQ/Q7/8/6pp/K5nk w - - 0 1");
    assert!((6_000..LONGEST_WIN).contains(&Classical.judge(&position)));
    let refused = "QQQQQQQK/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/BR5Q/kBQQQQQQ w - - 0 1";
    assert!(Chess::parse_position(refused).is_err(), "more moves than a list holds");
}

#[test]
fn material_and_bishops() {
    let fen = "7k/8/8/8/8/8/PPP5/1NBBRQK1 w - - 0 1";
    assert_eq!(counts(MATERIAL, fen), [3, 1, 2, 1, 1]);
    assert_eq!(count(BISHOP_PAIR, fen), 1);
    assert_eq!(count(BISHOP_PAIR, "2b1kb2/8/8/8/8/8/8/2B1K3 w - - 0 1"), -1);
    // The bishop on c1 is dark; a3, c3 and e3 are, b3 is not.
    assert_eq!(count(BISHOP_PAWNS, "4k3/8/8/8/8/PPP1P3/8/2B1K3 w - - 0 1"), 3);
    assert_eq!(count(TEMPO, fen), 1);
}

#[test]
fn squares_are_of_half_a_board() {
    for fen in ["4k3/8/8/2N5/8/8/8/4K3 w - - 0 1", "4k3/8/8/5N2/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/5n2/8/8/4K3 b - - 0 1"]
    {
        let squares = counts(KNIGHT_SQUARES, fen);
        assert_eq!((squares[4 * 4 + 2], squares.iter().sum::<i32>()), (1, 1), "{fen}");
    }
}

#[test]
fn mobility_leaves_out_what_pawns_attack() {
    // From c3 a knight reaches eight squares: b1, d1, a2, e2, a4, e4, b5, d5; an own pawn is on e2, f5 takes on e4.
    let mobility = counts(KNIGHT_MOBILITY, "4k3/8/8/5p2/8/2N5/4P3/4K3 w - - 0 1");
    assert_eq!((mobility[6], mobility.iter().sum::<i32>()), (1, 1));
}

#[test]
fn rooks_want_open_files_and_the_seventh() {
    assert_eq!(counts(ROOK_FILE, "4k3/p6p/8/8/8/8/7P/R2RK2R w - - 0 1"), [1, 1]);
    assert_eq!(count(ROOK_SEVENTH, "4k3/R7/8/8/8/8/8/4K3 w - - 0 1"), 1);
    assert_eq!(count(ROOK_SEVENTH, "8/R7/4k3/8/8/8/8/4K3 w - - 0 1"), 0);
}

#[test]
fn outposts_are_safe_from_pawns_for_good() {
    assert_eq!(counts(OUTPOST, "4k3/2p5/8/3N4/2P5/8/8/4K3 w - - 0 1"), [0, 0], "c7-c6 drives it away");
    assert_eq!(counts(OUTPOST, "4k3/3p4/8/3N4/2P5/8/8/4K3 w - - 0 1"), [1, 0]);
    assert_eq!(counts(OUTPOST, "4k3/8/8/3N4/8/8/8/4K3 w - - 0 1"), [0, 0], "no pawn supports it");
    assert_eq!(counts(OUTPOST, "4k3/8/8/2pb4/8/8/8/4K3 b - - 0 1"), [0, 0]);
    assert_eq!(counts(OUTPOST, "4k3/8/2p5/3b4/8/8/8/4K3 b - - 0 1"), [0, 1]);
}

#[test]
fn weak_pawns_are_seen() {
    assert_eq!(count(DOUBLED, "4k3/8/8/8/P7/P7/P7/4K3 w - - 0 1"), 2);
    assert_eq!(counts(ISOLATED, "4k3/p7/8/8/8/P7/2P1P3/4K3 w - - 0 1"), [0, 2], "a3 against a7");
    // d3 cannot go to d4, which e5 attacks, and c4 and e4 have gone past it.
    assert_eq!(counts(BACKWARD, "4k3/8/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1"), [0, 1]);
    assert_eq!(counts(BACKWARD, "4k3/3p4/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1"), [1, 0]);
    assert_eq!(counts(BACKWARD, "4k3/8/8/4p3/4P3/3P4/2P5/4K3 w - - 0 1"), [0, 0], "c2-c3 supports it");
}

#[test]
fn pawns_side_by_side_and_supported() {
    let fen = "4k3/8/8/8/4P3/2PP4/8/4K3 w - - 0 1";
    assert_eq!(counts(PHALANX, fen), [0, 0, 2, 0, 0, 0, 0, 0]);
    assert_eq!(counts(SUPPORTED, fen), [0, 0, 0, 1, 0, 0, 0, 0]);
    // Files a and h are no neighbours.
    assert_eq!(counts(PHALANX, "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1"), [0; 8]);
}

#[test]
fn passed_pawns_are_seen() {
    let passed = |fen| counts(PASSED, fen).iter().position(|&count| count != 0);
    assert_eq!(passed("4k3/8/8/8/P7/8/8/4K3 w - - 0 1"), Some(3));
    assert_eq!(passed("4k3/p7/8/8/P7/8/8/4K3 w - - 0 1"), None);
    assert_eq!(passed("4k3/1p6/8/8/P7/8/8/4K3 w - - 0 1"), None);
    assert_eq!(passed("4k3/8/8/P6p/7P/1p6/8/4K3 w - - 0 1"), Some(4), "b3 has gone past");
    assert_eq!(counts(PASSED, "4k3/8/P7/P7/8/8/8/4K3 w - - 0 1"), [0, 0, 0, 0, 0, 1, 0, 0], "the one ahead");

    assert_eq!(counts(PASSED_BLOCKED, "4k3/8/n7/P7/8/8/8/4K3 w - - 0 1")[4], 1);
    assert_eq!(counts(PASSED_BLOCKED, "4k3/8/N7/P7/8/8/8/4K3 w - - 0 1")[4], 0);
    assert_eq!(counts(PASSED_FREE, "4k3/8/8/P7/8/8/8/4K3 w - - 0 1")[4], 1);
    assert_eq!(counts(PASSED_FREE, "1k6/8/8/P7/8/8/8/4K3 w - - 0 1")[4], 0, "a7 and a8 are attacked");
    assert_eq!(count(PASSED_SUPPORTED, "4k3/8/8/P7/1P6/8/8/4K3 w - - 0 1"), 1);
    // The square ahead is a6: six steps from g2, one from b7.
    let fen = "8/1k6/8/P7/8/8/6K1/8 w - - 0 1";
    assert_eq!(counts(PASSED_OWN_KING, fen)[6], 1);
    assert_eq!(counts(PASSED_THEIR_KING, fen)[1], 1);
}

#[test]
fn kings_like_pawns_before_them() {
    let shelter = counts(SHELTER, "k7/8/8/8/8/6P1/5P2/6K1 w - - 0 1");
    // f2 is one rank ahead, g3 two, on h there is none; the king on a8 has none on its three files.
    assert_eq!(shelter, [0, 1, 1, 0, 0, 0, 0, 1 - 3]);
    assert_eq!(counts(STORM, "k7/8/8/8/6p1/8/8/6K1 w - - 0 1"), [0, 0, 0, 1, 0, 0, 0, 2 - 3]);
    assert_eq!(counts(KING_FILE, "k7/6p1/8/8/8/8/8/6K1 w - - 0 1"), [-1, 1]);
}

#[test]
fn attacks_on_the_king_are_counted() {
    // The queen attacks f7, h7 and h8: 4 units for her, 3 for squares that the king alone defends, 3 for safe checks
    // (from e8, among others).
    let fen = "6k1/8/8/7Q/8/8/8/K7 w - - 0 1";
    assert_eq!(counts(RING_ATTACKS, fen), [0, 0, 0, 3]);
    let danger = counts(DANGER, fen);
    assert_eq!((danger[10], danger[0]), (1, -1));
    assert_eq!(counts(SAFE_CHECK, fen), [0, 0, 0, 1]);
    assert_eq!(counts(SAFE_CHECK, "k7/pp6/8/8/8/8/8/2R3K1 w - - 0 1"), [0, 0, 1, 0]);
    assert_eq!(counts(SAFE_CHECK, "k7/pp6/8/8/8/8/5b2/2R4K b - - 0 1"), [0, 0, -1, 0]);
    assert_eq!(counts(SAFE_CHECK, "k7/pp6/5b2/8/8/8/8/3R2K1 w - - 0 1")[2], 0, "d8 is covered");
}

#[test]
fn threats_are_seen() {
    assert_eq!(counts(PAWN_THREAT, "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1"), [1, 0, 0, 0]);
    // The knight on d5 attacks the pawn on c7 and the rook on f6, which a pawn supports.
    let fen = "4k3/2p3p1/5r2/3N4/8/8/8/4K3 w - - 0 1";
    assert_eq!(counts(MINOR_THREAT, fen), [1, 0, 0, 0, 0]);
    assert_eq!(counts(ROOK_THREAT, "4k3/8/8/8/8/q7/8/R3K3 w - - 0 1"), [0, 0, 0, 0, 1]);
    assert_eq!(count(KING_THREAT, "4k3/8/8/8/8/8/5n2/4K3 w - - 0 1"), 1);
    assert_eq!(counts(HANGING, "4k3/8/8/8/p7/n7/8/R3K3 w - - 0 1"), [0, 1]);
    assert_eq!(counts(HANGING, "4k3/8/8/8/p7/8/8/R3K3 w - - 0 1"), [1, 0]);
    // e2-e4 attacks d5.
    assert_eq!(count(PUSH_THREAT, "4k3/8/8/3n4/8/8/4P3/4K3 w - - 0 1"), 1);
    assert_eq!(count(PUSH_THREAT, "4k3/8/8/3n4/8/4p3/4P3/4K3 w - - 0 1"), 0);
}

#[test]
fn endgames_that_cannot_be_won_are_worth_little() {
    let small = |fen: &str| assert!(Classical.judge(&read(fen)).abs() < 100, "{fen}");
    small("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1");
    small("4k3/8/4n3/8/8/8/8/R3K3 w - - 0 1");
    small("4k3/4p3/8/8/8/8/8/2B1K3 w - - 0 1");
    let blend = |fen: &str| Trace::new(&read(fen)).blend;
    assert_eq!((blend("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1").phase, blend(Chess::BENCH[0]).phase), (0, FULL_PHASE));
    // Bishops on f8 (dark) and f1 (light): of opposite colours; on c8 (light) of the same.
    assert_eq!(blend("4kb2/8/8/8/8/8/PP6/4KB2 w - - 0 1").scales[0], FULL_SCALE / 2);
    assert_eq!(blend("2b1k3/8/8/8/8/8/PP6/4KB2 w - - 0 1").scales[0], FULL_SCALE);
    // Who is to move makes no difference, and the side with the pawns may still win.
    for (board, least) in
        [("4k3/8/8/8/8/1p1p1p2/8/4K1N1", 100), ("4k3/2b5/8/8/8/1pp5/8/4K2R", 100), ("4k3/8/8/8/8/pp6/8/4K1N1", 30)]
    {
        let [white, black] = ["w", "b"].map(|side| Classical.judge(&read(&format!("{board} {side} - - 0 1"))));
        assert!((white + black).abs() < 60, "{board}: {white} for White, {black} for Black");
        assert!(black > least, "{board}: {black}");
    }
    let even = |fen: &str| assert!(Classical.judge(&read(fen)) > 200, "{fen}");
    even("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    even("4k3/8/8/8/8/8/8/Q3K2r w - - 0 1");
}
