// SPDX-License-Identifier: GPL-3.0-or-later
//! Othello as clients and commands see it: its names, its passes, its two notations.

use std::fs;

use halfply_engine::base::bundled::{self, Bundled};
use halfply_engine::games::othello::Solver;
use halfply_engine::games::{Othello, RegisteredGame};
use halfply_lab::suite::{Distinct, Suite};
use halfply_lab::tournament::openings::Book;

use crate::support::{halfply, refusal, stdout};
use crate::uci_client::Client;

/// White (the second player) has no move, Black takes the corner next and wins everything.
const PASS: &str = "8/8/8/3PP3/3PP3/8/8/1pPPPPPP[PPpp] b - - 0 20";

fn gtp(input: &str) -> Vec<String> {
    let arguments = ["gtp", "--game", "othello", "--nodes", "500"];
    let output = halfply().args(arguments).write_stdin(input).assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap().split_terminator("\n\n").map(str::to_owned).collect()
}

#[test]
fn the_text_protocol_calls_the_first_player_black() {
    let answers =
        gtp("genmove white\nplay black d3\nplay black c3\nhalfply-legal-moves\nplay w c5\nplay b pass\nshowboard\n");
    assert_eq!(answers[..5], ["? it is black's move", "=", "? it is white's move", "= c3 e3 c5", "="]);
    assert!(answers[5].starts_with("? pass is not legal: only a player without any other move passes"), "{answers:?}");
    assert!(answers[6].contains("\n3  . . . X . . . .\n4  . . . X X . . .\n5  . . O O O . . .\n"), "{answers:?}");
    assert!(answers[6].ends_with("black to move"), "{answers:?}");
}

#[test]
fn passes_are_played_and_named() {
    let answers =
        gtp(&format!("halfply-set-fen {PASS}\nhalfply-legal-moves\ngenmove white\ngenmove b\ngenmove white\n"));
    assert_eq!(answers[..4], ["=", "= pass", "= pass", "= a8"]);
    assert_eq!(answers[4], "? the game is over: black has won");
}

#[test]
fn a_whole_game_ends_whatever_is_played() {
    let answers = gtp(&"genmove black\ngenmove white\n".repeat(61));
    let over: Vec<_> = answers.iter().filter(|answer| answer.starts_with("? the game is over: ")).collect();
    let moves = answers.iter().filter(|answer| answer.starts_with("= ")).count();
    // Somebody may have to pass, after which the same side moves again.
    let wrong: Vec<_> = answers.iter().filter(|answer| answer.contains("'s move")).collect();
    assert!((30..=62).contains(&moves) && over.len() > 30 && wrong.is_empty(), "{answers:?}");
}

#[test]
fn uci_speaks_as_fairy_stockfish_does() {
    let mut client = Client::plain("flipello", "classical");
    client.send("position startpos moves P@d6 P@c6");
    client.send("d");
    let shown = client.until("Fen: ");
    assert!(shown.last().unwrap().starts_with("Fen: 8/8/2pP4/3pP3/3Pp3/8/8/8[PPPP"), "{shown:?}");
    client.send("go depth 3");
    let best = client.until("bestmove").pop().unwrap();
    assert!(best.starts_with("bestmove P@"), "{best}");
    client.send(&format!("position fen {PASS}"));
    client.send("go depth 3");
    let best = client.until("bestmove").pop().unwrap();
    assert!(best.starts_with("bestmove b1b1"), "{best}");
    client.send(&format!("position fen {PASS} moves b1b1 P@a1"));
    client.send("go depth 3");
    assert_eq!(client.until("bestmove").pop().unwrap(), "bestmove (none)");
    client.send("position startpos moves d5d5");
    let told = client.until("info string");
    assert!(told.last().unwrap().contains("only a player without any other move passes"), "{told:?}");
}

#[test]
fn boards_are_read_in_both_forms() {
    let board = "---------------------------OX------XO--------------------------- X";
    let moves = "P@d6: 1\nP@c5: 1\nP@f4: 1\nP@e3: 1\n4\n";
    for fen in [board, "8/8/8/3pP3/3Pp3/8/8/8[] w - - 0 1", "8/8/8/3pP3/3Pp3/8/8/8 w"] {
        assert_eq!(stdout(&["perft", "1", "--game", "othello", "--divide", "--fen", fen]), moves, "{fen}");
    }
    assert_eq!(stdout(&["perft", "2", "--game", "othello", "--divide", "--fen", PASS]), "b1b1: 1\n1\n");
    assert!(refusal(&["perft", "1", "--game", "othello", "--fen", "8/8/8/8/8/8/8/8[] w"]).contains("in the centre"));
}

/// Records of the field, as commands read them: a text file and a binary one.
#[test]
fn costs_are_taken_from_game_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("games.ggf", b"(;GM[Othello]PB[Ann]PW[Bob]B[d3//1.5]W[c5/0.2]B[f6];)\n(;GM[Othello]PB[Bob]PW[Cid]B[f5];)\n");
    let mut wthor = vec![20, 26, 11, 22, 1, 0, 0, 0, 0, 0, 0xEA, 7, 8, 0, 0, 0, 1, 0, 2, 0, 3, 0, 32, 32, 34, 53, 66];
    wthor.resize(16 + 68, 0);
    write("WTH_2026.WTB", &wthor);
    let learn = |files: &[String], options: &[&str]| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let arguments = ["learn", "realization", "--categories", "Mid,Ff", "--positions", "1"];
        stdout(&[&arguments, &files[..], options].concat())
    };
    let both = [path("games.ggf"), path("WTH_2026.WTB")];
    assert!(learn(&both, &["--constant", "0.5"]).contains("7 positions of 3 games"));
    // Cid has not moved, and Bob has moved twice.
    assert!(learn(&both[..1], &["--constant", "0.5", "--player", "Bob"]).contains("2 positions of 2 games"));

    write("bad.ggf", b"(;GM[Othello]B[d3]\nW[d3];)");
    write("cut.wtb", &wthor[..80]);
    let refused = |files: &[&str], options: &[&str]| {
        let files: Vec<String> = files.iter().map(|name| path(name)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        refusal(&[&["learn", "realization"], &files[..], options].concat())
    };
    for (file, reason) in [
        ("bad.ggf", "bad.ggf:2: d3 is not legal"),
        ("cut.wtb", "cut.wtb: byte 4: the header says 1 games, and 0 games and 64 bytes follow"),
        ("none.ggf", "none.ggf: cannot be read"),
    ] {
        let error = refused(&[file], &[]);
        assert!(error.contains(reason), "{error}");
    }
    let error = refused(&["games.ggf"], &["--player", "Dan"]);
    assert!(error.contains("no file has this player; there are \"Ann\", \"Bob\", \"Cid\""), "{error}");
}

#[test]
fn the_bundled_openings_are_distinct_and_eight_plies_in() {
    let book = Book::<Othello>::bundled(Othello::OPENINGS).unwrap();
    assert_eq!((book.openings.len(), book.repeated), (1_200, 0));
    assert!(book.positions().iter().all(|position| position.empty().count_ones() == 52));
    assert!(Suite::<Othello>::bundled(Othello::SUITE).unwrap().tolerated.is_empty());
}

#[test]
fn endgames_are_solved_with_their_margin_and_line() {
    let fen = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let solve =
        |arguments: &[&str]| stdout(&[&["solve", "--game", "othello", "--json", "--fen", fen], arguments].concat());
    let found: serde_json::Value = serde_json::from_str(&solve(&[])).unwrap();
    let position = &found["positions"][0];
    assert_eq!((&position["winner"], &position["margin"]), (&"black".into(), &18.into()));
    let line: Vec<_> = position["line"].as_str().unwrap().split(' ').collect();
    assert!(line[0] == "g8" && line.len() >= 14, "{line:?}");
    // A table of a mebibyte is searched more, and finds the same.
    let small: serde_json::Value = serde_json::from_str(&solve(&["--memory", "1"])).unwrap();
    assert_eq!(small["positions"][0]["margin"], 18);
    let refused = halfply().args(["solve", "--game", "othello", "--nodes", "10", "--fen", fen]).assert().code(1);
    assert!(String::from_utf8_lossy(&refused.get_output().stdout).contains("unknown"));
    let over = stdout(&["solve", "--game", "othello", "--fen", "8/8/8/3PP3/3PP3/8/8/8[] b"]);
    assert!(over.contains("| black  |") && over.contains("-64"), "{over}");
}

/// Proves a suite once more: in each position exactly one move wins.
fn proved(suite: &Bundled, expected: usize) {
    let suite = Suite::<Othello>::bundled(suite).unwrap();
    assert_eq!(suite.problems.len(), expected);
    let mut distinct = Distinct::<Othello>::default();
    let mut solver = Solver::new(16, u64::MAX);
    for problem in &suite.problems {
        assert!(distinct.insert(&problem.position), "{} is a duplicate", problem.id);
        let empty = problem.position.empty().count_ones();
        assert!((14..=17).contains(&empty) && problem.id.starts_with(&format!("{empty}ply.")), "{}", problem.id);
        assert_eq!(solver.only_win(&problem.position).unwrap().as_slice(), problem.best, "{}", problem.id);
        assert!(problem.avoid.is_empty(), "{}", problem.id);
    }
}

#[test]
fn the_bundled_suites_hold_distinct_proved_wins() {
    proved(Othello::SUITE, 302);
    proved(&bundled::OTHELLO_MIXED, 290);
}
