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

/// The steps from games to an evaluation that plays, with few positions.
#[test]
fn an_evaluation_is_made_of_patterns_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let data = at("data");
    let make = |count: &str| {
        let arguments = ["--game", "othello", "--nodes", "20", "--exact", "6", "--pieces", "60", "--pieces", "57-59"];
        let head = ["evaluation", "patterns", "data", "--count", count, "--out", &data, "--threads", "2"];
        stdout(&[&head[..], &arguments[..]].concat())
    };
    let text = make("300");
    assert!(text.contains("  57-59 |") && text.contains("     60 |"), "{text}");
    let first = fs::read_to_string(at("data/60.training")).unwrap();
    // More positions: the games of before are in the journal and stay the first ones.
    make("400");
    let longer = fs::read_to_string(at("data/60.training")).unwrap();
    let positions = |text: &str| text.lines().skip(3).map(str::to_owned).collect::<Vec<_>>();
    assert!(positions(&longer).starts_with(&positions(&first)) && positions(&longer).len() > positions(&first).len());
    let game = |line: &String| line.split(' ').next_back().unwrap().parse::<u64>().unwrap();
    assert!(positions(&longer).iter().all(|line| game(line) % 10 != 0), "games of the test are not trained on");
    let test = positions(&fs::read_to_string(at("data/60.test")).unwrap());
    assert!(!test.is_empty() && test.iter().all(|line| game(line) % 10 == 0));

    let (training, test) = (["57-59.training", "60.training"], ["57-59.test", "60.test"]);
    let [training, test] = [training, test].map(|names| names.map(|name| at(&format!("data/{name}"))));
    let (selected, fitted) = (at("selected"), at("fitted"));
    let how = ["--steps", "0", "--threshold", "0.05", "--rare", "0.001", "--out", &selected];
    let head = ["evaluation", "patterns", "select", OTHELLO, &training[0], &training[1]];
    let text = stdout(&[&head[..], &how[..]].concat());
    assert!(text.contains("2 stages"), "{text}");
    stdout(&["evaluation", "patterns", "fit", &selected, &training[1], &training[0], "--out", &fitted]);
    let table = |file: &str| stdout(&["evaluation", "patterns", "measure", file, &test[0], &test[1]]);
    assert!(table(&fitted).contains("57-59 |"), "{}", table(&fitted));
    let text = stdout(&[
        "tournament",
        "run",
        "--game",
        "othello",
        "--games",
        "2",
        "--nodes",
        "50",
        "--evaluation",
        &fitted,
        "--evaluation-b",
        "classical",
        "--out",
        &at("match"),
    ]);
    assert!(text.contains('%'), "{text}");

    // What does not fit together is refused.
    let reason = refusal(&["evaluation", "patterns", "fit", &fitted, &training[0]]);
    assert!(reason.contains("has patterns of 60 pieces; name positions of that too"), "{reason}");
    let one = at("one");
    stdout(&["evaluation", "patterns", "select", OTHELLO, &training[1], "--steps", "0", "--out", &one]);
    let reason = refusal(&["evaluation", "patterns", "measure", &one, &test[0]]);
    assert!(reason.contains("these positions have 57-59 pieces") && reason.contains("is of 60"), "{reason}");
    let reason = refusal(&[
        "evaluation",
        "patterns",
        "select",
        "theories/breakthrough.theory",
        &training[0],
        "--view",
        "mover",
        "--rare",
        "2",
    ]);
    assert!(reason.contains("a number from 0 to 1"), "{reason}");
    let reason = refusal(&[
        "tournament",
        "run",
        "--game",
        "breakthrough",
        "--games",
        "2",
        "--nodes",
        "50",
        "--evaluation",
        &fitted,
    ]);
    assert!(reason.contains("fitted:3: these patterns are for \"othello\", not for \"breakthrough\""), "{reason}");
    let reason = refusal(&["evaluation", "patterns", "data", "--game", "chess"]);
    assert!(reason.contains("chess has no solver of final scores"), "{reason}");

    // All ways, and the page.
    let compared = at("compared");
    let text = stdout(&[
        "evaluation",
        "patterns",
        "compare",
        OTHELLO,
        &data,
        "--pieces",
        "60",
        "--view",
        "players",
        "--steps",
        "0",
        "--threshold",
        "0.01",
        "--threshold",
        "0.1",
        "--least",
        "5",
        "--size",
        "100",
        "--out",
        &compared,
    ]);
    for way in ["selected", "all in the window", "basic", "facts (GLEM)", "shapes (Buro)"] {
        assert!(text.contains(way), "{text}");
    }
    let page = fs::read_to_string(at("compared/report.html")).unwrap();
    assert!(page.contains("Figure 14") && page.contains("Figures 16 and 17"));
    let file = at("compared/60-players-basic.patterns");
    assert!(stdout(&["evaluation", "patterns", "measure", &file, &test[1]]).contains("60 |"));
}
