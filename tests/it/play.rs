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
        let end = told.lines().filter(|line| line.contains(" wins: ") || line.starts_with("a draw: ")).count();
        assert!(end >= 1, "{told}");
    }
}

#[test]
fn the_program_can_take_over_a_side_and_play_weakly() {
    let told = transcript(&["--side", "second", "--nodes", "100", "--elo", "500", "--hash", "1"], b"go\nquit\n");
    let played = told.lines().filter(|line| line.contains(" plays ")).collect::<Vec<_>>();
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
    let long = "x".repeat(5000);
    let lines = [&b"\xff\xfe\n\n   \nundo\n"[..], long.as_bytes(), b"\na2a9"].concat();
    let told = transcript(&["--hash", "1"], &lines);
    assert!(told.contains("no move has been played"), "{told}");
    assert!(told.contains("a2a9"), "{told}");
    assert!(refusal(&["play", "--fen", "8/8 w"]).contains("8 rows"));
    assert!(refusal(&["play", "--nodes", "0"]).contains("--nodes"));
}
