// SPDX-License-Identifier: GPL-3.0-or-later
//! Patterns from the rules of a game, by the command line.

use std::fs;

use crate::support::{halfply, refusal, stdout};

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

/// The lines of a file of positions.
fn positions(text: &str) -> Vec<String> {
    text.lines().filter(|line| line.contains('/')).map(str::to_owned).collect()
}

/// The number of a position's game.
fn game(line: &str) -> u64 {
    line.split(' ').next_back().unwrap().parse().unwrap()
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
    assert!(positions(&longer).starts_with(&positions(&first)) && positions(&longer).len() > positions(&first).len());
    assert!(
        positions(&longer).iter().all(|line| !game(line).is_multiple_of(10)),
        "games of the test are not trained on"
    );
    let test = positions(&fs::read_to_string(at("data/60.test")).unwrap());
    assert!(!test.is_empty() && test.iter().all(|line| game(line).is_multiple_of(10)));

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

    // Without rules: shapes of which nothing is left out.
    let (shapes, weighed) = (at("shapes"), at("weighed"));
    let how = ["--from", "shapes", "--least", "10", "--all", "--rare", "0", "--frequent", "1", "--out", &shapes];
    stdout(&[&["evaluation", "patterns", "select", OTHELLO, &training[1]], &how[..]].concat());
    stdout(&["evaluation", "patterns", "fit", &shapes, &training[1], "--out", &weighed]);
    let error = |file: &str| {
        let table = stdout(&["evaluation", "patterns", "measure", file, &test[1]]);
        let row = table.lines().find(|line| line.contains("60 |")).unwrap().to_owned();
        row.split('|').map(str::trim).nth(6).unwrap().parse::<f64>().unwrap()
    };
    assert!(error(&weighed) < error(&shapes), "{} {}", error(&weighed), error(&shapes));

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
    assert!(reason.contains("chess has several kinds of pieces, of which patterns do not speak"), "{reason}");
}

/// The same steps in a game without final scores.
#[test]
fn an_evaluation_of_probabilities_is_made_of_patterns_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let data = at("data");
    let stages = ["25-32", "13-24"];
    let make = |lambda: &str| {
        let how = ["--game", "breakthrough", "--nodes", "20", "--count", "4000", "--keep", "8", "--random", "0"];
        let what = ["--pieces", stages[0], "--pieces", stages[1], "--lambda", lambda, "--out", &data];
        halfply().args(["evaluation", "patterns", "data"]).args(how).args(what).assert().success().get_output().clone()
    };
    make("0.5");
    let read = |name: &str| fs::read_to_string(at(&format!("data/{name}"))).unwrap();
    let mixed = read("13-24.training");
    assert!(mixed.contains("\ngame breakthrough\npieces 13-24\nvalues probability\n"), "{mixed}");
    let value = |line: &String| line.rsplit(' ').nth(1).unwrap().parse::<f64>().unwrap();
    let between = positions(&mixed).iter().filter(|line| (0.01..0.99).contains(&value(line))).count();
    assert!(between > 100, "{between} positions are undecided");
    assert!(
        positions(&mixed).iter().all(|line| !game(line).is_multiple_of(10)),
        "games of the test are not trained on"
    );
    // Without random moves the whole value is the result; the games are known already.
    let again = make("1");
    assert!(String::from_utf8_lossy(&again.stderr).contains("was complete already"));
    let results = positions(&read("13-24.training"));
    assert!(results.iter().all(|line| [0.0, 1.0].contains(&value(line))));
    let fens =
        |lines: &[String]| lines.iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(fens(&results), fens(&positions(&mixed)));
    make("0.5");

    let [training, test] = ["training", "test"].map(|kind| stages.map(|stage| at(&format!("data/{stage}.{kind}"))));
    let (selected, fitted) = (at("selected"), at("fitted"));
    let theory = "theories/breakthrough.theory";
    let how = ["--steps", "0", "--threshold", "0.01", "--rare", "0.001", "--frequent", "1", "--out", &selected];
    let head = ["evaluation", "patterns", "select", theory, &training[1], &training[0]];
    let text = stdout(&[&head[..], &how[..]].concat());
    assert!(text.contains("2 stages"), "{text}");
    stdout(&["evaluation", "patterns", "fit", &selected, &training[0], &training[1], "--out", &fitted]);
    let table = stdout(&["evaluation", "patterns", "measure", &fitted, &test[1]]);
    let row: Vec<&str> =
        table.lines().find(|line| line.contains("13-24 |")).unwrap().split('|').map(str::trim).collect();
    let [found, least, error] = [6, 7, 8].map(|column: usize| row[column].parse::<f64>().unwrap());
    assert!(least < found && found < std::f64::consts::LN_2 && error < 0.5, "{table}");
    let players = ["--evaluation", &fitted, "--evaluation-b", "piece-count", "--profile", "full"];
    let how = ["--game", "breakthrough", "--games", "2", "--nodes", "50", "--out", &at("match")];
    assert!(stdout(&[&["tournament", "run"], &how[..], &players[..]].concat()).contains('%'));

    // What does not fit is refused.
    let scores = at("scores");
    let position = results[0].split(' ').take(4).collect::<Vec<_>>().join(" ");
    fs::write(&scores, format!("game breakthrough\npieces 13-24\n{position} +1 3\n")).unwrap();
    let reason = refusal(&["evaluation", "patterns", "fit", &selected, &training[0], &scores]);
    assert!(reason.contains("scores:2: the values are of the kind score, those of"), "{reason}");
    assert!(reason.contains("name positions of one kind"), "{reason}");
    let refused = |game: &str, option: [&str; 2]| {
        refusal(&["evaluation", "patterns", "data", "--game", game, "--out", &at("none"), option[0], option[1]])
    };
    let reason = refused("breakthrough", ["--exact", "9"]);
    assert!(reason.contains("--exact is for games whose positions get final scores"), "{reason}");
    for option in [["--keep", "2"], ["--lambda", "0.5"], ["--random", "0"]] {
        let reason = refused("othello", option);
        assert!(reason.contains("is for games whose positions get probabilities"), "{reason}");
    }
    let reason = refused("breakthrough", ["--lambda", "1.5"]);
    assert!(reason.contains("a number from 0 to 1"), "{reason}");
}
