// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply solve`.

use std::fs;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::support::{halfply, refusal, stdout};

/// The result as JSON without the seconds.
fn solved(arguments: &[&str]) -> Value {
    let mut found: Value = serde_json::from_str(&stdout(&[&["solve", "--json"], arguments].concat())).unwrap();
    for position in found["positions"].as_array_mut().unwrap() {
        assert!(position.as_object_mut().unwrap().remove("seconds").unwrap().is_f64());
    }
    found
}

#[test]
fn a_board_is_solved() {
    let found = solved(&["--board", "2x5"]);
    let expected = json!({
        "game": "breakthrough",
        "positions": [{
            "position": "pp/pp/2/PP/PP w - - 0 1",
            "winner": "black",
            "line": found["positions"][0]["line"],
            "nodes": found["positions"][0]["nodes"],
        }],
    });
    assert_eq!(found, expected);
    assert!(found["positions"][0]["nodes"].as_u64().unwrap() > 1);
    assert_eq!(solved(&["--board", "3x4", "--start-rows", "1"])["positions"][0]["winner"], "white");
    let table = stdout(&["solve", "--board", "2x5"]);
    assert!(table.starts_with("pp/pp/2/PP/PP w - - 0 1\n\n| winner ") && table.contains("| black  |"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
}

#[test]
fn positions_of_a_file_are_solved_in_their_order() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("positions.epd");
    // A win in one, a finished game, and a race that Black loses; boards of three sizes.
    let lines = "# comment\n8/2P5/8/8/8/8/5p2/8 w - - id \"one\";\n\nP2/3/3/2p/3 b - -\n1p2/4/4/2P1/4/4 b - - 0 7\n";
    fs::write(&file, lines).unwrap();
    let found = solved(&[file.to_str().unwrap()]);
    let positions = found["positions"].as_array().unwrap();
    let column = |name: &str| positions.iter().map(|position| position[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("id"), [json!("one"), json!(null), json!(null)]);
    assert_eq!(column("winner"), ["white", "white", "white"]);
    assert_eq!(column("line")[1], "");
    assert_eq!(column("nodes")[..2], [0, 0]);
}

#[test]
fn a_limit_gives_unknown_and_status_1() {
    let mut command = halfply();
    let output = command.args(["solve", "--game", "breakthrough", "--nodes", "100"]).assert().code(1);
    let output = output.get_output();
    assert!(String::from_utf8_lossy(&output.stdout).contains("| unknown |"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown: 1 of 1 position;"));
    let json = halfply().args(["solve", "--board", "8x8", "--nodes", "100", "--json"]).assert().code(1);
    let found: Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!(found["positions"][0]["winner"], Value::Null);
    assert_eq!(found["positions"][0]["nodes"], 100);
}

#[test]
fn what_cannot_be_solved_is_refused_with_a_reason() {
    let folder = tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty = file("empty.epd", "\n# nothing\n");
    let wrong = file("wrong.epd", "pp/pp/2/PP/PP w - -\npp/pp/2/PP/P w - -\n");
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (arguments, reason) in [
        (&[][..], "nothing to solve"),
        (&["--board", "1x4"], "2 to 8 columns"),
        (&["--board", "5x5", "--start-rows", "3"], "--start-rows"),
        (&["--start-rows", "1"], "--board"),
        (&["--board", "5x5", "--fen", "x"], "cannot be used with"),
        (&["--fen", "pp/pp/2/P w"], "row 1"),
        (&["--fen", chess], "chess cannot be solved"),
        (&["--game", "chess"], "chess cannot be solved"),
        (&["--board", "2x4", "--memory", "16777216"], "not enough memory"),
        (&["--board", "2x4", "--memory", "99999999999"], "--memory"),
        (&[&empty], "no position in this file"),
        (&[&wrong], "wrong.epd:2: row 1 (P) is 1 squares long, not 2"),
        (&["/nowhere/positions.epd"], "/nowhere/positions.epd"),
    ] {
        let told = refusal(&[&["solve"], arguments].concat());
        assert!(told.contains(reason), "{arguments:?}: {told}");
    }
}
