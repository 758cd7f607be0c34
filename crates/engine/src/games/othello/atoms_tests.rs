// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;
use crate::game::{Notation, after};

/// The atoms of a move, by name; the opponent's last move if it is given.
fn atoms_of(rows: &str, turn: &str, mv: &str, previous: Option<&str>) -> Vec<&'static str> {
    let board: String = rows.split_whitespace().collect();
    let before = Othello::parse_position(&format!("{board} {turn}")).unwrap();
    let mv = Othello::parse_move(&before, mv).unwrap();
    let next = after::<Othello>(&before, mv);
    let previous = previous.map(|text| {
        let bytes = text.as_bytes();
        super::super::Move::new(u32::from(bytes[1] - b'1') * 8 + u32::from(bytes[0] - b'a'))
    });
    let context = MoveContext::new(&before, &next, mv, previous);
    VOCABULARY.names(atoms(&context, VOCABULARY.all()))
}

/// What a move has and does not have.
fn check(rows: &str, turn: &str, mv: &str, previous: Option<&str>, has: &[&str], lacks: &[&str]) {
    let found = atoms_of(rows, turn, mv, previous);
    for name in has {
        assert!(found.contains(name), "{mv} is not {name}: {found:?}");
    }
    for name in lacks {
        assert!(VOCABULARY.index(name).is_some() && !found.contains(name), "{mv} is {name}: {found:?}");
    }
}

/// Black may play a1, b1, c1, g1 and h1; b2 and others.
const EDGE: &str = "
    --------
    -O-O--O-
    -XXXXXX-
    --XXXX--
    --XXXX--
    --------
    --------
    --------";

const START: &str = "
    --------
    --------
    --------
    ---OX---
    ---XO---
    --------
    --------
    --------";

#[test]
fn the_blacklist_names_atoms() {
    for text in VOCABULARY.blacklist {
        VOCABULARY.parse(text).unwrap();
    }
}

#[test]
fn places() {
    check(EDGE, "X", "d1", None, &["Edg"], &["Cor", "Csq", "Cse", "Xsq", "Xse", "Mid", "Stb"]);
    check(EDGE, "X", "b1", None, &["Edg", "Csq", "Cse"], &["Cor", "Xsq"]);
    check(EDGE, "X", "a1", None, &["Edg", "Cor", "Stb"], &["Csq", "Xsq"]);
    let taken = EDGE.replacen("--------", "X-------", 1);
    check(&taken, "X", "b1", None, &["Csq", "Stb"], &["Cse"]);
    let x_square = "
        --------
        --O-----
        ---X----
        ---OX---
        ---XO---
        --------
        --------
        --------";
    check(x_square, "X", "b1", None, &["Csq"], &["Xsq"]);
    let x_square = "
        --------
        --------
        --O-----
        ---XX---
        ---XX---
        --------
        --------
        --------";
    check(x_square, "X", "b2", None, &["Xsq", "Xse"], &["Edg", "Mid", "Csq"]);
    let taken = x_square.replacen("--------", "X-------", 1);
    check(&taken, "X", "b2", None, &["Xsq"], &["Xse"]);
    check(START, "X", "d3", None, &["Mid"], &["Edg", "Xsq", "Csq", "Pss"]);
}

#[test]
fn discs_turned_over() {
    let board = "
        --------
        --------
        -OX-----
        -OOOOOO-
        -XOXXXX-
        --X-----
        --------
        --------";
    check(board, "X", "a3", None, &["Ff", "F1"], &["Fm"]);
    check(board, "X", "b2", None, &["Ff"], &["F1", "Fm"]);
    let row = "
        XXXXXXXX
        OOOOOOOO
        OOOOOOOO
        XOOOOOO-
        OOOXXOOO
        XXXXXXXX
        --------
        --------";
    // Six on the row, and more on the diagonals.
    check(row, "X", "h4", None, &["Fm", "Edg"], &["Ff", "F1"]);
}

#[test]
fn what_either_side_is_left_with() {
    // White is left with no disc at all.
    let board = "
        --------
        --------
        --------
        ---XX---
        ---XX---
        ----O---
        --------
        --------";
    check(board, "X", "e7", None, &["Of", "Op", "Mf"], &["Oc"]);
    check(EDGE, "X", "d1", None, &[], &["Of", "Op", "Mf", "Oc"]);
}

/// White could have played on a1 too, and takes h1 next. b1, the only disc turned over, is beside no empty square then.
const CORNERS_LEFT: &str = "
    -OXXXXX-
    XXXXXXXX
    XXXXXXXX
    XXXXXXXX
    XXXXXXXX
    XXXXXXXX
    XXXXXXOO
    XXXXXXO-";

#[test]
fn regions_and_parity() {
    check(CORNERS_LEFT, "X", "a1", None, &["Par", "Lst"], &[]);
    let two = CORNERS_LEFT.replacen("XXXXXXXX", "-XXXXXXX", 1);
    check(&two, "X", "a1", None, &[], &["Par", "Lst"]);
    let three = two.replacen("XXXXXXXX", "-XXXXXXX", 1);
    check(&three, "X", "a1", None, &["Par"], &["Lst"]);
}

#[test]
fn quiet_moves_and_what_the_opponent_could_and_can_do() {
    check(CORNERS_LEFT, "X", "a1", None, &["Qt", "Cnt", "Oc"], &[]);
    check(START, "X", "d3", None, &[], &["Qt", "Cnt", "Oc"]);
}

#[test]
fn wedges() {
    let wedge = "
        --O-O---
        --XOXX--
        --XXXX--
        ---XX---
        ---XX---
        --------
        --------
        --------";
    check(wedge, "X", "d1", None, &["Wdg", "Edg"], &["Csq"]);
    check(EDGE, "X", "d1", None, &[], &["Wdg"]);
    let side = "
        --------
        --------
        OX------
        -OXXX---
        OXXXX---
        --------
        --------
        --------";
    check(side, "X", "a4", None, &["Wdg"], &[]);
}

#[test]
fn the_opponent_s_last_move() {
    check(START, "X", "d3", None, &[], &["Adj", "Rt"]);
    let second = "
        --------
        --------
        ---X----
        ---XX---
        ---XO---
        --------
        --------
        --------";
    check(second, "O", "c3", Some("d3"), &["Adj"], &["Rt"]);
    check(second, "O", "c5", Some("d3"), &[], &["Adj", "Rt"]);
    let third = "
        --------
        --------
        --OX----
        ---OX---
        ---XO---
        --------
        --------
        --------";
    check(third, "X", "b3", Some("c3"), &["Adj", "Rt", "F1"], &["Par"]);
    check(third, "X", "c4", Some("c3"), &["Adj"], &["Rt"]);
}

#[test]
fn a_pass_is_nothing_else() {
    let board = "
        --------
        --------
        --------
        ---XX---
        ---XX---
        --------
        --------
        -OXXXXXX";
    assert_eq!(atoms_of(board, "O", "pass", Some("d4")), ["Pss"]);
}
