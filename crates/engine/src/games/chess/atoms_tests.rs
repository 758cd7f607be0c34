// SPDX-License-Identifier: GPL-3.0-or-later
//! Every atom on positions for both sides: each is also tried with the colours exchanged.

use super::*;
use crate::game::{Game, Notation, Symmetry, after};

/// Plays the moves and names the atoms of the last.
fn atoms_of(fen: &str, line: &str) -> String {
    let position = Chess::parse_position(fen).unwrap();
    let exchanged = Chess::images(&position)[1].clone();
    let found = last_move(position, line);
    let upside_down: String = line
        .chars()
        .map(|symbol| match symbol {
            '1'..='8' => char::from(b'1' + b'8' - symbol as u8),
            other => other,
        })
        .collect();
    assert_eq!(found, last_move(exchanged, &upside_down), "the atoms of {line} depend on who plays it");
    VOCABULARY.format(found)
}

fn last_move(mut position: super::super::Position, line: &str) -> AtomSet {
    let mut previous = None;
    let mut found = AtomSet::EMPTY;
    for text in line.split(' ') {
        let mv = Chess::parse_move(&position, text).unwrap();
        let next = after::<Chess>(&position, mv);
        found = atoms(&MoveContext::new(&position, &next, mv, previous), VOCABULARY.all());
        (position, previous) = (next, Some(mv));
    }
    found
}

/// Asserts the whole set, so that a test of one atom is a test of the absence of the others too.
#[track_caller]
fn expect(fen: &str, line: &str, atoms: &str) {
    assert_eq!(atoms_of(fen, line), VOCABULARY.format(VOCABULARY.parse(atoms).unwrap()), "{line}");
}

#[test]
fn the_families_are_where_the_vocabulary_has_the_names() {
    let index = |name: &str| VOCABULARY.index(name).unwrap();
    for (role, letter) in [(Role::King, 'K'), (Role::Queen, 'Q'), (Role::Pawn, 'P')] {
        assert_eq!(index(&format!("Pc{letter}")), PC + place(role));
        assert_eq!(index(&format!("Ac{letter}")), AC + place(role));
    }
    assert_eq!((index("CcQ"), index("CcP"), index("LcQ"), index("LcP")), (CC, CC + 4, LC, LC + 4));
    assert_eq!(VOCABULARY.base().len(), 29);
    assert_eq!(VOCABULARY.atoms.len(), 33);
}

#[test]
fn pieces_and_ranks() {
    let board = "4k3/8/8/8/8/8/P6P/RNBQKBNR w KQ - 0 1";
    expect(board, "a2a4", "PcP-Rdb-RdBt");
    expect(board, "b1c3", "PcN-Rdb-RdBt");
    expect(board, "c1e3", "PcB-Rdb-RdBt");
    expect(board, "d1d6", "PcQ-Rdt-RdTb");
    expect("4k3/8/8/8/8/8/P7/RNBQK2R w KQ - 0 1", "h1h7", "PcR-Rdt-RdTt");
    expect("4k3/8/8/8/8/8/P7/RNBQK2R w KQ - 0 1", "e1g1", "PcK-Rdb-RdBb");
    expect("4k3/8/8/8/8/8/P7/RNBQK2R w KQ - 0 1", "e1e2", "PcK-Rdb-RdBb");
}

#[test]
fn attacks_from_the_destination() {
    // The knight on c5 attacks the queen on d7 and the pawn on a6.
    expect("7k/3q4/p7/8/4N3/8/8/K7 w - - 0 1", "e4c5", "PcN-AcQ-AcP-Rdt-RdTb");
    expect("7k/8/1r1b4/8/8/8/8/K2N4 w - - 0 1", "d1c3", "PcN-Rdb-RdBt");
    expect("7k/8/8/8/1b1n4/8/1r6/K1RQ4 w - - 0 1", "d1d2", "PcQ-AcR-AcB-AcN-Rdb-RdBb");
}

#[test]
fn checks_discovered_ones_included() {
    expect("4k3/8/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", "PcR-AcK-Rdt-RdTt");
    expect("4k3/8/8/8/8/4B3/8/K3R3 w - - 0 1", "e3g1", "PcB-AcK-Rdb-RdBb");
    // Castling that checks with the rook.
    expect("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "PcK-AcK-Rdb-RdBb");
}

#[test]
fn captures_and_recaptures() {
    let board = "4k3/8/3p4/4r3/8/3N4/8/4RK2 b - - 0 1";
    // The piece on e1 was captured by the rook that is captured now.
    expect(board, "e5e1 d3e1", "PcN-Rc-CcR-LcR-Rx-Rdb-RdBb");
    // The captured piece did not move last.
    expect(board, "e8d7 d3e5", "PcN-CcR-AcK-Rdt-RdTb");
    // It moved last and captured nothing.
    expect("4k3/8/8/3r4/8/3N4/8/5K2 b - - 0 1", "d5e5 d3e5", "PcN-Rc-CcR-LcR-Rdt-RdTb");
    // No move before: a capture and nothing more.
    expect("4k3/8/8/4n3/8/3N4/8/5K2 w - - 0 1", "d3e5", "PcN-CcN-Rdt-RdTb");
    // En passant takes the pawn that has just moved.
    expect("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e5d6", "PcP-Rc-CcP-LcP-Rdt-RdTb");
}

#[test]
fn the_opponent_s_last_piece() {
    for (mv, atom) in [("d8d6", "LcQ"), ("a8a7", "LcR"), ("c8d7", "LcB"), ("b8d7", "LcN"), ("h7h6", "LcP")] {
        let line = format!("{mv} h1g1");
        expect("rnbqk3/7p/8/8/8/8/8/7K b - - 0 1", &line, &format!("PcK-{atom}-Rdb-RdBb"));
    }
    expect("rnbqk3/7p/8/8/8/8/8/7K b - - 0 1", "e8f8 h1g1", "PcK-Rdb-RdBb");
}

#[test]
fn a_pawn_to_the_seventh() {
    expect("7k/8/1P6/8/8/8/8/K7 w - - 0 1", "b6b7", "PcP-P7-Rdt-RdTt");
    expect("7k/1P6/8/8/8/8/8/K7 w - - 0 1", "b7b8n", "PcP-Rdt-RdTt");
}

#[test]
fn the_blacklist_is_the_thesis_s() {
    let read = |name: &&str| VOCABULARY.parse(name).map(|feature| VOCABULARY.format(feature));
    let names: Vec<_> = VOCABULARY.blacklist.iter().map(read).collect();
    assert_eq!(names, ["PcP-RdBb", "PcK-RdTt", "PcK-AcK", "PcK-AcQ"].map(|name| Ok(name.to_owned())));
}

#[test]
fn what_only_a_search_knows() {
    let position = Chess::start();
    let mv = Chess::parse_move(&position, "e2e4").unwrap();
    let next = after::<Chess>(&position, mv);
    let context = MoveContext { only_move: true, mate_threat: true, ..MoveContext::new(&position, &next, mv, None) };
    assert_eq!(atoms(&context, OR | MT | P7), OR | MT);
}
