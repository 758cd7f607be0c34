// SPDX-License-Identifier: GPL-3.0-or-later
//! Games gone through: planted blunders are found, records of every kind are read, and what is none is refused with its line.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::resume::survives_kills;
use crate::support::{halfply, refusal};

/// A game with everything that PGN may have beside its moves.
const CHESS: &str = "[Event \"A \\\"test\\\"\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n[WhiteElo \"1500\"]\n\n\
                     % a line for other programs\n1. e4 {[%clk 0:01] good} e5 2. Bc4 (2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5) 2... Nc6 \
                     $1 ; the rest\n3. Qh5!? Nf6?? {ouch} 4. Qxf7# 1-0\n";

/// White is first in a race, and takes a piece instead.
const BREAKTHROUGH: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Variant \"breakthrough\"]\n\
                            [FEN \"8/8/8/P7/3p3p/2P5/8/8 w - - 0 1\"]\n\n\
                            1. c3xd4 (1. a5-a6 d4-d3) h4-h3 2. a5-a6 h3-h2\n3. a6-a7 h2-h1 0-1\n";

/// Only g8 wins, by 18 discs.
const OTHELLO: &str = "(;GM[Othello]PC[here]PB[Ann]PW[Bob]TY[8]BO[8 --*****--OOO**-O-OOO**O*-O*O*O**O***O***--*O*O**-***\
                       OOO--OOOOO-- *]B[b1//1.5]W[a1/2/0.1];)\n";

/// A folder with a file of games in it, and the arguments that review it.
fn with_file(name: &str, contents: impl AsRef<[u8]>, options: &str) -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at(name), contents).unwrap();
    let mut arguments = vec!["review".to_owned(), at(name)];
    arguments.extend(options.split_whitespace().map(str::to_owned));
    (folder, arguments)
}

/// The review of a file as JSON, and its PGN.
fn reviewed(name: &str, contents: impl AsRef<[u8]>, options: &str) -> (Value, String) {
    let (folder, arguments) = with_file(name, contents, options);
    let out = folder.path().join("out");
    let output = halfply().args(arguments).arg("--json").arg("--out").arg(&out).assert().success().get_output().clone();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&read("review.json")).unwrap(), value);
    (value, read("review.pgn"))
}

/// The reason why a file is refused.
fn refused(name: &str, contents: impl AsRef<[u8]>, options: &str) -> String {
    let (folder, arguments) = with_file(name, contents, options);
    let out = folder.path().join("out").display().to_string();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    arguments.extend(["--out", &out]);
    let reason = refusal(&arguments);
    assert!(!Path::new(&out).exists(), "something was written");
    reason.replace(&folder.path().display().to_string(), "")
}

/// The moves of the first game.
fn moves(value: &Value) -> Vec<&Value> {
    value["games"][0]["moves"].as_array().unwrap().iter().collect()
}

fn blunders(value: &Value) -> Vec<(&str, &str)> {
    let blunders = moves(value).into_iter().filter(|mv| mv["is a"] == "blunder");
    blunders.map(|mv| (mv["number"].as_str().unwrap(), mv["move"].as_str().unwrap())).collect()
}

#[test]
fn a_planted_blunder_is_found_in_every_game() {
    let (value, pgn) = reviewed("a.pgn", CHESS, "--nodes 5000");
    assert_eq!(blunders(&value), [("3...", "Nf6")]);
    assert_eq!(value["games"][0]["turning_point"], "3... Nf6??");
    assert_eq!((&moves(&value)[5]["value"], &moves(&value)[6]["value"]), (&"#1".into(), &"white".into()));
    assert!(value["games"][0]["sides"][0]["accuracy"].as_f64().unwrap() > 80.0);
    // Tags stay, and the marks and evaluations are those that others read.
    for part in ["[Event \"A \\\"test\\\"\"]", "[WhiteElo \"1500\"]", "[Result \"1-0\"]", "[Annotator \"halfply"] {
        assert!(pgn.contains(part), "{part}\n{pgn}");
    }
    let text = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("3... Nf6 $4 {[%eval #1] Blunder: "), "{text}");
    assert!(text.ends_with("4. Qxf7# 1-0") && pgn.lines().all(|line| line.len() < 80), "{pgn}");

    let (value, pgn) = reviewed("b.pgn", BREAKTHROUGH, "--nodes 2000");
    assert_eq!(blunders(&value), [("1.", "c3d4")]);
    assert!(moves(&value)[0]["better"].as_str().unwrap().starts_with("a5a6"), "{value}");
    assert_eq!((&moves(&value)[0]["before"], &moves(&value)[0]["after"]), (&1.0.into(), &0.0.into()));
    assert!(pgn.contains("[Variant \"breakthrough\"]") && pgn.contains("[FEN \"8/8/8/P7/"), "{pgn}");

    let (value, pgn) = reviewed("c.ggf", OTHELLO, "--nodes 1000");
    assert_eq!(blunders(&value), [("1.", "b1")]);
    let first = moves(&value)[0];
    assert!(first["better"].as_str().unwrap().starts_with("g8"), "{first}");
    // Both values are exact: the best move wins by 18.
    let value: i64 = first["value"].as_str().unwrap().parse().unwrap();
    assert_eq!(first["discs lost"].as_i64().unwrap(), 18 - value);
    assert!(pgn.contains("[Black \"Ann\"]") && pgn.contains("[White \"Bob\"]"), "{pgn}");
}

#[test]
fn a_review_is_a_game_that_is_read_again() {
    for (name, text) in [("a.pgn", CHESS), ("b.pgn", BREAKTHROUGH), ("c.ggf", OTHELLO)] {
        let (value, pgn) = reviewed(name, text, "--nodes 300 --exact 0");
        let (again, same) = reviewed("again.pgn", &pgn, "--nodes 300 --exact 0");
        assert_eq!(value, again);
        assert_eq!(pgn, same);
    }
}

#[test]
fn lists_of_moves_are_read_from_files_and_stdin() {
    // Of which game they are, their moves say, as far as they do.
    for (text, options, game, plies) in [
        ("1. e4 e5 2. Nf3", "", "chess", 3),
        ("e2e4 e7e5", "", "chess", 2),
        ("1.b2-b3 g7-g6\n2.b3-b4 g6-g5\n3. b4-b5 g5-g4 4. b5-b6 a7xb6", "", "breakthrough", 8),
        ("a2a3 h7h6", "--game breakthrough", "breakthrough", 2),
        ("f5 d6 c3", "", "othello", 3),
    ] {
        let (value, _) = reviewed("moves", text, &format!("--nodes 50 {options}"));
        assert_eq!((value["game"].as_str(), moves(&value).len()), (Some(game), plies), "{text}");
        let folder = tempfile::tempdir().unwrap();
        let mut command = halfply();
        command.args(["review", "-", "--nodes", "50"]).args(options.split_whitespace());
        command.current_dir(folder.path()).write_stdin(text).assert().success();
    }
}

#[test]
fn records_of_othello_and_journals_are_read() {
    let mut wthor = vec![20, 26, 11, 22, 1, 0, 0, 0, 0, 0, 0xEA, 7, 8, 0, 0, 0, 1, 0, 2, 0, 3, 0, 32, 32, 34, 53, 66];
    wthor.resize(16 + 68, 0);
    let (value, _) = reviewed("WTH_2026.WTB", wthor, "--nodes 50");
    let names: Vec<_> = moves(&value).iter().map(|mv| mv["move"].as_str().unwrap()).collect();
    assert_eq!((&value["games"][0]["sides"][0]["player"], &names[..]), (&"player 2".into(), &["d3", "c5", "f6"][..]));

    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run").display().to_string();
    let games = ["tournament", "run", "--evaluation-b", "piece-count", "--games", "2", "--nodes", "20", "--out"];
    halfply().args(games).arg(&run).assert().success();
    let out = folder.path().join("out");
    let review = ["review", &run, "--number", "2", "--nodes", "20", "--exact", "0", "--out"];
    let output = halfply().args(review).arg(&out).assert().success().get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("accuracy") && output.lines().all(|line| line.chars().count() <= 80 || line.contains('/')));
    let pgn = fs::read_to_string(out.join("review.pgn")).unwrap();
    assert!(pgn.contains("[Result \"1-0\"]") || pgn.contains("[Result \"0-1\"]"), "a journal knows the winner: {pgn}");
}

#[test]
fn games_of_players_with_long_names_fit_eighty_columns() {
    let (folder, arguments) = with_file("a.pgn", CHESS.replace("Bob", &"Bob ".repeat(30)), "--nodes 300");
    let out = folder.path().join("out");
    let output = halfply().args(arguments).arg("--out").arg(&out).assert().success().get_output().stdout.clone();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("\nturning point: 3... Nf6??, "), "{output}");
    let wide = output.lines().find(|line| line.chars().count() > 80 && !line.contains('/'));
    assert_eq!(wide, None);
}

#[test]
fn several_games_have_one_page() {
    let (folder, arguments) = with_file("a.pgn", CHESS.repeat(3), "--nodes 100 --number 1 --number 3");
    let out = folder.path().join("out");
    let output = halfply().args(arguments).arg("--out").arg(&out).assert().success().get_output().stdout.clone();
    assert!(String::from_utf8_lossy(&output).contains("\n2. Ann – Bob\n"));
    let page = fs::read_to_string(out.join("review.html")).unwrap();
    assert!(page.contains("id=\"game-2\"") && !page.contains("id=\"game-3\"") && !page.contains("<script"));
    // Each point of a graph leads to its board.
    for id in page.split("<a href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
    let csv = fs::read_to_string(out.join("moves.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * 7);
}

/// The page of a file's games.
fn page(contents: &str) -> String {
    let (folder, arguments) = with_file("a.pgn", contents, "--nodes 300");
    let out = folder.path().join("out");
    halfply().args(arguments).arg("--out").arg(&out).assert().success();
    fs::read_to_string(out.join("review.html")).unwrap()
}

#[test]
fn of_several_games_each_has_a_few_boards_only() {
    // Nobody takes a queen.
    let game =
        "1. e4 e5 2. Qg4 Qg5 3. a3 a6 4. b3 b6 5. c3 c6 6. h3 h6 7. Ra2 Ra7 8. Rh2 Rh7 9. a4 a5 10. Na3 Na6 *\n\n";
    let boards = |page: &str, number: usize| page.matches(&format!("id=\"game-{number}-ply-")).count();
    let alone = page(game);
    assert!(boards(&alone, 1) > 8, "{}", boards(&alone, 1));
    let both = page(&game.repeat(2));
    assert_eq!([1, 2].map(|number| boards(&both, number)), [8, 8]);
    assert_eq!(both.matches("smaller ones are in the table").count(), 2);
}

#[test]
fn a_graph_begins_half_a_move_later_if_black_does() {
    let page = page("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 10\"]\n\n10... Kd7 11. Kf2 Kd6 12. Kf3 Kd5 *\n");
    assert!(page.contains(">11</text>") && !page.contains(">10</text>"));
}

#[test]
fn what_cannot_be_reviewed_is_refused_with_its_line() {
    for (name, text, options, reason) in [
        ("a.pgn", "[White \"A\"]\n\n1. e4 e5\n2. Nf3 Nf9 *", "", "a.pgn:4: move 4, Nf9: "),
        ("a.pgn", "1. e4 e5\n2. \u{41a}f3 *", "", "a.pgn:2: move 3"),
        ("a.pgn", "1. e4 e5\n\n2. Nf3 (2. d4 {", "", "a.pgn:3: game 1: the comment that begins here has no end"),
        ("a.pgn", "1. e4 (1. d4", "", "a.pgn:1: game 1: it ends within a variation"),
        ("a.pgn", "[White \"A\"]\n[Variant \"Antichess\"]\n\n1. e4 *", "", "its variant \"Antichess\" is not a game"),
        (
            "a.pgn",
            "[Variant \"Breakthrough\"]\n1. a2a3 *\n\n[White \"A\"]\n\n1. e4 *\n",
            "",
            "game 2 is not of breakthrough, as others of the file",
        ),
        ("moves", "a2-a3 h7-h6\nh2xg3", "", "moves:2: move 3, h2xg3: h2xg3 captures nothing"),
        ("moves", "a2a3 h7h6", "", "these may be moves of breakthrough, chess: name one with --game"),
        ("moves", "\n\nhello world", "", "moves:3: \"hello\" begins no game"),
        ("moves", "", "", "moves: it has no game"),
        ("a.pgn", "[White \"A\"]\n[Black \"B\"]\n*", "", "no game has a move"),
        ("a.pgn", "1. e4 *\n", "--number 2", "--number 2: the file has 1 game"),
        ("a.pgn", "[Variant \"Chess\"]\n1. e4 *\n", "--game othello", "these are games of chess, not of othello"),
        ("a.ggf", "(;GM[Othello]B[d3]\nW[d3];)", "", "a.ggf:2: d3 is not legal"),
        ("a.jsonl", "{}", "", "a.jsonl:1: "),
    ] {
        let error = refused(name, text, options);
        assert!(error.contains(reason), "{text}: {error}");
    }
    let error = refused("a.pgn", "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(100_000), "");
    assert!(error.contains("a.pgn:1: it has 400000 moves; at most 2000"), "{error}");
    let error = refused("a.pgn", "1. e4 *\n".repeat(101), "");
    assert!(error.contains("101 games, and at most 100") && error.contains("--number"), "{error}");
    let deep = format!("1. e4 {}{} e5 *", "(1. d4 ".repeat(10_000), ")".repeat(10_000));
    assert_eq!(moves(&reviewed("a.pgn", deep, "--nodes 10").0).len(), 2);
}

#[test]
fn a_review_survives_kills() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.ggf");
    let moves = "f5d6c3d3c4f4f6f3e6e7d7c5b6g5e3";
    let moves: String = moves
        .as_bytes()
        .chunks(2)
        .enumerate()
        .map(|(ply, mv)| format!("{}[{}]", ["B", "W"][ply % 2], str::from_utf8(mv).unwrap()))
        .collect();
    fs::write(&file, format!("(;GM[Othello]PB[Ann]PW[Bob]{moves};)\n{OTHELLO}")).unwrap();
    let file = file.display().to_string();
    survives_kills(&["review", &file, "--nodes", "30k", "--exact", "200k"], 4, 9);
}

/// Every reader of games says where a file is wrong: in a move, and in the first position.
#[test]
fn what_is_wrong_in_a_game_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn").display().to_string();
    let first = "[White \"a\"]\n\n1. e4 e5 *\n\n";
    for (second, line) in
        [("[White \"b\"]\n[FEN \"xx\"]\n\n1. e4 *\n", 6), ("[White \"b\"]\n\n1. e4 e5\n2. Nf3 Nc6\n3. Bb5 Qxf7 *\n", 9)]
    {
        fs::write(&path, format!("{first}{second}")).unwrap();
        for command in [&["review", "--nodes", "10", &path][..], &["learn", "realization", &path]] {
            let reason = refusal(command);
            assert!(reason.contains(&format!("games.pgn:{line}: ")), "{reason}");
        }
    }
}
