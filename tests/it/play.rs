// SPDX-License-Identifier: GPL-3.0-or-later
//! Games in the terminal, as transcripts.

use halfply_engine::games::GameName;

use crate::support::{halfply, refusal};

/// What `halfply play` prints for these lines.
fn transcript(arguments: &[&str], lines: &[u8]) -> String {
    let output = halfply().arg("play").args(arguments).write_stdin(lines).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_game_is_played_explained_and_taken_back() {
    let arguments = ["--fen", "8/2p5/3P4/8/8/5p2/8/8 w", "--nodes", "500", "--hash", "1"];
    let lines = b"help\nmoves\nwhy\nhint\nd6d5\nd6e7\nundo\nd6c7\nmoves\nnew\nquit\nnever read\n";
    insta::assert_snapshot!(transcript(&arguments, lines));
}

#[test]
fn every_game_is_played_to_its_end_by_the_program_alone() {
    for &game in GameName::all() {
        let arguments = ["--game", game.name(), "--side", "none", "--nodes", "20", "--hash", "1"];
        let told = transcript(&arguments, b"undo\nfen\n");
        let end = told.lines().filter(|line| line.contains(" wins") || line.starts_with("a draw")).count();
        assert!(end >= 1, "{told}");
    }
}

#[test]
fn the_beginning_says_who_plays_what_and_how_to_move() {
    for (arguments, expected) in [
        (&[][..], "You play white, the program plays black; white is to move.\nEnter a move, such as a2a3, or help"),
        (&["--side", "second"], "You play black, the program plays white; white is to move.\n"),
        (&["--side", "both", "--game", "chess"], "You play both sides; white is to move.\nEnter a move, such as "),
        (&["--side", "none"], "The program plays both sides; white is to move.\n\n"),
        (
            &["--game", "othello"],
            "You play black, the program plays white; black is to move.\nEnter a move, such as d3, or help",
        ),
    ] {
        let told = transcript(&[arguments, &["--nodes", "20", "--hash", "1"]].concat(), b"quit\n");
        assert!(told.starts_with(expected), "{told}");
    }
}

#[test]
fn discs_are_counted_at_the_end_of_othello() {
    let arguments = ["--game", "othello", "--nodes", "20", "--hash", "1", "--side"];
    let told = transcript(&[&arguments[..], &["none"]].concat(), b"quit\n");
    let end = told.lines().rfind(|line| line.contains(" wins ") || line.starts_with("a draw ")).unwrap();
    let (more, less) = end.split(": ").next().unwrap().rsplit(' ').next().unwrap().split_once('–').unwrap();
    let [more, less] = [more, less].map(|discs| discs.parse::<u32>().unwrap());
    let count = |word: &str| told.rsplit_once(word).unwrap().1.split(',').next().unwrap().parse::<u32>().unwrap();
    let [black, white] = ["black (X) ", "white (O) "].map(count);
    assert_eq!((more, less), (black.max(white), black.min(white)), "{end}");
    assert!(told.contains(" discs, depth "), "{told}");
    let chess = transcript(&["--game", "chess", "--side", "second", "--nodes", "20", "--hash", "1"], b"quit\n");
    assert!(chess.contains(" pawns, depth "), "{chess}");
}

#[test]
fn a_position_of_another_game_says_so() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for command in ["play", "explain"] {
        let reason = refusal(&[command, "--fen", fen]);
        assert!(reason.contains("a position of chess, not of breakthrough: add --game chess"), "{reason}");
    }
    let reason = refusal(&["learn", "--suite", "suites/ecm.epd"]);
    assert!(reason.contains("ecm.epd:") && reason.contains("add --game chess"), "{reason}");
    let reason = refusal(&["suite", "run", "suites/ecmm.epd"]);
    assert!(reason.contains("did you mean suites/ecm.epd, which is built in?"), "{reason}");
}

#[test]
fn the_program_can_take_over_a_side_and_play_weakly() {
    let told = transcript(&["--side", "second", "--nodes", "100", "--elo", "500", "--hash", "1"], b"go\nquit\n");
    assert!(told.contains("The program plays at about 500 Elo: beginner.\n"), "{told}");
    let played = told
        .lines()
        .filter(|line| line.contains(" plays ") && !line.to_lowercase().contains("the program"))
        .collect::<Vec<_>>();
    assert_eq!(played.len(), 2, "{told}");
    assert!(played[0].starts_with("white plays ") && played[1].starts_with("> black plays "), "{told}");
}

#[test]
fn a_board_that_begins_with_a_hyphen_is_a_position() {
    let board = "---------------------------OX------XO--------------------------- X";
    let told = transcript(&["--game", "othello", "--fen", board, "--side", "first", "--hash", "1"], b"fen\nquit\n");
    assert!(told.contains(" w "), "the first player moves: {told}");
}

#[test]
fn nonsense_is_answered_and_the_end_of_the_input_ends_the_game() {
    // What is beyond the longest line is no line of its own.
    let long = "x".repeat(1000) + "undo";
    let lines = [&b"\xff\xfe\n\n   \nundo\n"[..], long.as_bytes(), b"\na2a9"].concat();
    let told = transcript(&["--hash", "1"], &lines);
    assert_eq!(told.matches("no move has been played").count(), 1, "{told}");
    assert!(told.contains("a2a9"), "{told}");
    assert!(refusal(&["play", "--fen", "8/8 w"]).contains("8 rows"));
    assert!(refusal(&["play", "--nodes", "0"]).contains("--nodes"));
}
