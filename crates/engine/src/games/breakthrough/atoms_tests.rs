// SPDX-License-Identifier: GPL-3.0-or-later
//! Every atom on drawn boards, for both sides: each board is also played from the other side, where the same move must
//! have the same atoms.

use super::super::Breakthrough;
use super::*;
use crate::game::{Game, Notation, Symmetry, after};

/// Plays `line` on the board (White's P, Black's p, rows from the top); which of the `wanted` atoms has its last move?
fn atoms_of(board: [&str; 8], turn: char, line: &str, wanted: AtomSet) -> String {
    let rows: Vec<String> = board.iter().map(|row| row.replace('.', "1")).collect();
    let position = Breakthrough::parse_position(&format!("{} {turn}", rows.join("/"))).unwrap();
    let found = last_move(position, line, |square| square, wanted);
    // The colours exchanged: image 2 is the board turned upside down.
    let exchanged = last_move(Breakthrough::images(&position)[2], line, |square| square ^ 56, wanted);
    assert_eq!(found, exchanged, "the atoms of {line} depend on who plays it");
    Breakthrough::VOCABULARY.format(found)
}

fn last_move(mut position: super::super::Position, line: &str, map: fn(u32) -> u32, wanted: AtomSet) -> AtomSet {
    let mut previous = None;
    let mut found = AtomSet::EMPTY;
    for text in line.split(' ') {
        let square = |name: &str| {
            let bytes = name.as_bytes();
            map(u32::from(bytes[1] - b'1') * 8 + u32::from(bytes[0] - b'a'))
        };
        let mv = super::super::Move::new(square(&text[..2]), square(&text[2..]));
        assert!(crate::game::legal_moves::<Breakthrough>(&position).contains(&mv), "{text} is not legal");
        let next = after::<Breakthrough>(&position, mv);
        found = Breakthrough::atoms(&MoveContext::new(&position, &next, mv, previous), wanted);
        (position, previous) = (next, Some(mv));
    }
    found
}

/// Asserts which of the fifteen atoms hold, so that a test of one atom is a test of the absence of the others too.
#[track_caller]
fn expect(board: [&str; 8], turn: char, line: &str, atoms: &str) {
    let expected = Breakthrough::VOCABULARY.parse(atoms).unwrap();
    assert_eq!(
        atoms_of(board, turn, line, Breakthrough::VOCABULARY.base()),
        Breakthrough::VOCABULARY.format(expected),
        "{line}"
    );
}

/// Asserts which readings of PP hold of White's move.
#[track_caller]
fn expect_readings(board: [&str; 8], line: &str, readings: &[&str]) {
    let expected: AtomSet = readings.iter().map(|name| Breakthrough::VOCABULARY.parse(name).unwrap()).collect();
    assert_eq!(atoms_of(board, 'w', line, PP | PPM | PPF | PPF7), Breakthrough::VOCABULARY.format(expected), "{line}");
}

#[test]
fn groupings_and_parents_name_atoms_once() {
    for grouping in Breakthrough::VOCABULARY.groupings {
        let mut seen = AtomSet::EMPTY;
        for name in grouping.groups.iter().flat_map(|group| group.iter()) {
            let atom = AtomSet::single(Breakthrough::VOCABULARY.index(name).unwrap());
            assert!(!seen.meets(atom), "{name} is in two groups of {}", grouping.name);
            seen |= atom;
        }
    }
    for parent in Breakthrough::VOCABULARY.atoms.iter().filter_map(|atom| atom.parent) {
        assert!(Breakthrough::VOCABULARY.index(parent).is_some(), "{parent}");
    }
    assert_eq!(Breakthrough::VOCABULARY.children(Breakthrough::VOCABULARY.index("Rdt").unwrap()), RDTB | RDTT);
    assert_eq!(Breakthrough::VOCABULARY.children(Breakthrough::VOCABULARY.index("Ud").unwrap()), AtomSet::EMPTY);
}

const LONE: [&str; 8] = [
    "........", //
    "........", "........", "........", ".......p", "........", "P.......", "........",
];

#[test]
fn ud_pp_edg_a_lone_piece_is_unattacked_and_passed() {
    expect(LONE, 'w', "a2a3", "Ud-PP-Edg-Rdb-RdBt");
    expect(LONE, 'w', "a2b3", "Ud-PP-Edg-Rdb-RdBt");
}

#[test]
fn ud_fails_where_an_opposing_piece_attacks_the_destination() {
    let board = ["........", "........", "........", ".p......", "........", "P.......", "........", "........"];
    expect(board, 'w', "a3a4", "PP-Edg-Rdb-RdBt");
}

#[test]
fn rdb_and_rdt_follow_the_destination_row() {
    let board = ["........", "........", "p.......", "........", "........", "........", "........", "..P....."];
    expect(board, 'w', "c1c2", "Ud-PP-Mr-Rdb-RdBb");
    expect(board, 'w', "c1c2 a6a5 c2c3", "Ud-PP-Mr-Rdb-RdBt");
    let line = "c1c2 a6a5 c2c3 a5a4 c3c4 a4a3 c4c5";
    expect(board, 'w', line, "Ud-PP-Mr-Rdt-RdTb");
    let line = "c1c2 h6h5 c2c3 h5h4 c3c4 h4h3 c4c5 h3h2 c5c6";
    let board = ["........", "........", ".......p", "........", "........", "........", "........", "..P....."];
    expect(board, 'w', line, "Ud-PP-Mr-Rdt-RdTb");
    let board = ["........", "........", "..P.....", "........", ".......p", "........", "........", "........"];
    expect(board, 'w', "c6c7", "Ud-PP-Mr-Rdt-RdTt");
    expect(board, 'w', "c6c7 h4h3 c7c8", "Ud-Mr-Rdt-RdTt");
}

#[test]
fn learning_starts_from_the_papers_fifteen_atoms() {
    assert_eq!(Breakthrough::VOCABULARY.base().len(), 15);
    assert!(!Breakthrough::VOCABULARY.base().meets(PPM | PPF | PPF7));
    // In both papers' groupings two readings are never combined.
    for grouping in &Breakthrough::VOCABULARY.groupings[..2] {
        assert!(Breakthrough::VOCABULARY.groups(grouping).contains(&(PP | PPM | PPF | PPF7)), "{}", grouping.name);
    }
}

#[test]
fn every_reading_of_pp_holds_where_file_and_direction_are_free() {
    let all = ["PP", "PPm", "PPf", "PPf7"];
    expect_readings(LONE, "a2a3", &all);
    // b3, c4, d5, e6, f7, g8: a diagonal that reaches the last row.
    expect_readings(LONE, "a2b3", &all);
}

#[test]
fn no_reading_of_pp_holds_behind_a_piece_of_either_colour() {
    let opposing = ["..p.....", "........", "........", "........", "........", "........", "..P.....", "........"];
    let own = ["........", "........", "..P.....", "........", ".......p", "........", "..P.....", "........"];
    expect_readings(opposing, "c2c3", &[]);
    expect_readings(own, "c2c3", &[]);
}

#[test]
fn readings_by_file_and_by_move_part_at_diagonal_steps() {
    // On d3 the file is blocked at d6; the diagonal e4, f5, g6, h7 is free but leaves the board by its side.
    let file = ["........", "........", "...p....", "........", "........", "........", "..P.....", "........"];
    expect_readings(file, "c2d3", &[]);
    // On d5 the file is blocked at d6; the diagonal e6, f7, g8 is free and reaches the last row.
    let file = ["........", "........", "...p....", "........", "..P.....", "........", "........", "........"];
    expect_readings(file, "c4d5", &["PP", "PPm"]);
    // The same with the diagonal blocked at g8 and the file free.
    let diagonal = ["......p.", "........", "........", "........", "..P.....", "........", "........", "........"];
    expect_readings(diagonal, "c4d5", &["PPf", "PPf7"]);
    // Towards the a-file the direction leaves the board by its side: c4, b5, a6.
    let side = ["........", "........", "........", "........", "........", "...P....", ".......p", "........"];
    expect_readings(side, "d3c4", &["PPf", "PPf7"]);
    // From the edge towards the edge's end: h7 is not the last row, and i8 is no square.
    let corner = ["........", "........", "......P.", "........", "........", "........", ".......p", "........"];
    expect_readings(corner, "g6h7", &["PPf", "PPf7"]);
    expect_readings(corner, "g6f7", &["PP", "PPm", "PPf", "PPf7"]);
}

#[test]
fn readings_of_pp_part_on_the_last_row() {
    let board = ["...p....", "..P.....", "........", "........", "........", "........", ".......p", "........"];
    for line in ["c7c8", "c7b8", "c7d8"] {
        expect_readings(board, line, &["PPm", "PPf"]);
    }
}

#[test]
fn c_captures_and_rc_captures_the_piece_that_moved_last() {
    let board = ["........", "........", ".p......", "p.......", "...p....", "..P.....", "........", "........"];
    // No move before: a capture, and no recapture.
    expect(board, 'w', "c3d4", "Ud-PP-C-Mr-Rdb-RdBt");
    // The captured piece did not move last.
    expect(board, 'b', "b6b5 c3d4", "Ud-PP-C-Mr-Rdb-RdBt");
    // It did.
    let board = ["........", "........", "........", "p..p....", "........", "..P.....", "........", "........"];
    expect(board, 'b', "d5d4 c3d4", "Ud-PP-Rc-C-Mr-Rdb-RdBt");
    expect(board, 'b', "a5a4 c3c4", "PP-Mr-Rdb-RdBt");
}

#[test]
fn ms_needs_more_than_half_of_the_squares_there_are() {
    // b2: of eight neighbours four are own, then five.
    let four = [".......p", "........", "........", "........", "........", "P.......", "P.P.....", "P.P....."];
    expect(four, 'w', "a1b2", "Ud-Edg-Rdb-RdBb");
    let four = [".......p", "........", "........", "........", "........", "PP......", "P.P.....", "P......."];
    expect(four, 'w', "a1b2", "Ud-Edg-Rdb-RdBb");
    let five = [".......p", "........", "........", "........", "........", "P.P.....", "P.P.....", "PP......"];
    expect(five, 'w', "a1b2", "Ud-Ms-Edg-Rdb-RdBb");
    // A goal corner has three neighbours, of which the origin is one that is empty now: one of three is not enough.
    let corner = [".......p", "PP......", "P.......", "........", "........", "........", "........", "........"];
    expect(corner, 'w', "b7a8", "Ud-Edg-Rdt-RdTt");
    // The edge has five: the origin does not count, for it is empty now.
    let edge = [".......p", "........", "PP......", ".P......", "P.......", "........", "........", "........"];
    expect(edge, 'w', "a4a5", "Ud-Ms-Edg-Rdt-RdTb");
}

#[test]
fn udp_stands_unattacked_before_an_opposing_piece() {
    let board = ["........", "...p....", "........", "...P....", "........", "........", "........", "........"];
    expect(board, 'w', "d5d6", "Ud-Udp-Mr-Rdt-RdTb");
    // Attacked from e7 as well: neither Ud nor Udp.
    let board = ["........", "...pp...", "........", "...P....", "........", "........", "........", "........"];
    expect(board, 'w', "d5d6", "Mr-Rdt-RdTb");
}

#[test]
fn bv2_is_a_wall_of_two_before_an_opposing_piece() {
    let board = ["........", "........", "........", "...p....", "........", "....P...", "...P....", "........"];
    let wall = ["........", "........", "........", "...p....", "........", "...PP...", "........", "........"];
    expect(board, 'w', "e3d4", "Ud-Udp-Mr-Rdb-RdBt");
    expect(wall, 'w', "e3d4", "Ud-Udp-Bv2-Mr-Rdb-RdBt");
    // Attacked or not makes no difference to Bv2.
    let attacked = ["........", "........", "........", "...pp...", "........", "...PP...", "........", "........"];
    expect(attacked, 'w', "e3d4", "Bv2-Mr-Rdb-RdBt");
}

#[test]
fn only_wanted_atoms_are_reported() {
    let position = Breakthrough::start();
    let mv = Breakthrough::parse_move(&position, "b1b2").unwrap_err();
    assert!(mv.0.contains("not legal"));
    let mv = Breakthrough::parse_move(&position, "b2b3").unwrap();
    let next = after::<Breakthrough>(&position, mv);
    let context = MoveContext::new(&position, &next, mv, None);
    assert_eq!(Breakthrough::atoms(&context, UD | MR), UD);
    assert_eq!(atoms(&context, AtomSet::EMPTY), AtomSet::EMPTY);
}
