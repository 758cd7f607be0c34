// SPDX-License-Identifier: GPL-3.0-or-later
//! Patterns from the rules of a game, by the command line.

use std::fs;

use crate::support::{refusal, stdout};

const OTHELLO: &str = "theories/othello.theory";

#[test]
fn a_feature_is_unfolded_counted_and_drawn() {
    let text = stdout(&["evaluation", "patterns", "unfold", OTHELLO, "legal_move(a1, x)", "--draw", "1"]);
    assert!(text.contains("| patterns: equal ones merged |    18 |"), "{text}");
    // By symmetry a move along the edge is one way, along the diagonal another one; each has six lengths.
    assert!(text.contains("| symmetric images merged     |    12 |"), "{text}");
    assert!(text.contains("\n1 - ") && text.ends_with("  a b c d e f g h\n"), "{text}");
}

#[test]
fn a_theory_is_listed_and_its_features_are_generated() {
    let text = stdout(&["evaluation", "patterns", "theory", OTHELLO]);
    assert!(text.contains("| legal_move/2 |") && text.contains("8x8; 16 symmetries"), "{text}");
    let text = stdout(&["evaluation", "patterns", "generate", OTHELLO, "--steps", "0", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let patterns: Vec<_> = value["features"].as_array().unwrap().iter().map(|feature| &feature["patterns"]).collect();
    assert_eq!(patterns, [128, 64, 2072]);
}

#[test]
fn a_theory_with_a_mistake_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.theory");
    fs::write(&path, ":- board(8, 8, s).\nplayer(x). player(o).\nf(P) :- owns(d5, x), player(P).\n").unwrap();
    let name = path.to_str().unwrap();
    let reason = refusal(&["evaluation", "patterns", "theory", name]);
    assert!(reason.contains("mine.theory:3: argument 1 of owns must be a player"), "{reason}");
    let reason = refusal(&["evaluation", "patterns", "unfold", OTHELLO, "legal_move(S)"]);
    assert!(reason.contains("legal_move has 1 arguments here and 2 elsewhere"), "{reason}");
    let reason = refusal(&["evaluation", "patterns", "unfold", OTHELLO, "legal_move(S, P)", "--most", "100"]);
    assert!(reason.contains("more than 100 patterns"), "{reason}");
}
