// SPDX-License-Identifier: GPL-3.0-or-later
//! Protocol transcripts: what a client writes, and what it reads back.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::halfply;

/// Everything the engine answers to the input.
fn talk(input: impl Into<Vec<u8>>) -> String {
    talk_with(&["--nodes", "2000"], input)
}

fn talk_with(options: &[&str], input: impl Into<Vec<u8>>) -> String {
    let output = halfply().arg("gtp").args(options).write_stdin(input).assert().success().get_output().clone();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).unwrap()
}

/// The input and the answers, for a snapshot.
fn transcript(input: &str) -> String {
    format!("{input}\n---- answers\n{}", talk(input).replace(env!("CARGO_PKG_VERSION"), "VERSION"))
}

#[test]
fn moves_of_chess_are_read_as_the_errors_say() {
    let text = talk_with(&["--game", "chess"], "play white Nf3\nplay black E7E5\nplay white g1f3\nplay white d2d4\n");
    let answers: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(answers[..2], ["=", "="], "{text}");
    assert!(answers[2].starts_with('?') && answers[3] == "=", "{text}");
}

#[test]
fn the_administrative_commands() {
    insta::assert_snapshot!(transcript(
        "1 protocol_version\n2 name\n3 version\n4 known_command genmove\n5 known_command fly\nlist_commands\n\
         6 boardsize 8\n7 boardsize 9\n8 komi 6.5\n9 komi much\n10 fly\n11 quit\n12 name\n"
    ));
}

#[test]
fn a_game_is_played_undone_and_shown() {
    insta::assert_snapshot!(transcript(
        "play white e2e3\nplay b D7-D6\nundo\nplay black d7d6\nhalfply-fen\nshowboard\nplay white d6d5\n\
         play white e3e4 # a comment\nplay white e4e5\nplay green e4e5\nplay white\nclear_board\nundo\n\
         halfply-legal-moves\n"
    ));
}

#[test]
fn positions_are_set_and_finished_games_said_to_be_over() {
    insta::assert_snapshot!(transcript(
        "halfply-set-fen 8/2P5/8/8/8/8/5p2/8 w\ngenmove white\nhalfply-fen\ngenmove black\nplay black f2f1\n\
         halfply-set-fen 8/2P5/8/8/8/8/5p2/8 b\ngenmove white\ngenmove b\nhalfply-set-fen nonsense\n\
         halfply-set-fen P7/8/8/8/8/8/5p2/8 w\n"
    ));
}

#[test]
fn time_and_nodes_are_accepted_in_every_form() {
    insta::assert_snapshot!(transcript(
        "time_settings 60 10 5\ntime_left white -3 0\ntime_left white 1e30 0\ntime_left b 0.5 2\ntime_settings 0 0 0\n\
         time_settings 0 1 0\ntime_settings x 1 0\ntime_settings 1\ntime_left white nan 0\ntime_left white 1 -1\n\
         halfply-nodes 100\nhalfply-nodes 0\nhalfply-nodes -1\nhalfply-movetime 5\nhalfply-movetime\n"
    ));
    // A fallen flag still gets a legal move, and at once.
    let answers = talk("halfply-nodes 0\ntime_settings 5 0 0\ntime_left white -1 0\ngenmove white\nquit\n");
    let mv = answers.split("\n\n").nth(3).unwrap().trim_start_matches("= ").to_owned();
    assert!(talk(format!("play white {mv}\n")).starts_with("=\n\n"), "{mv} is not a legal move");
    // Time without end, in every way a client may say it, means the default nodes, and not a search without end.
    for endless in ["time_settings 1e30 0 0", "time_settings inf 0 0", "halfply-movetime 18446744073709551615"] {
        let answers = talk(format!("halfply-nodes 0\n{endless}\ngenmove white\n"));
        let [nodes, time, mv, _] = answers.split("\n\n").collect::<Vec<_>>()[..] else { panic!("{answers}") };
        assert_eq!((nodes, time, mv.len()), ("=", "=", "= e2e3".len()), "{endless}");
    }
}

#[test]
fn extension_files_are_loaded_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("with a blank.toml");
    let file =
        |feature| format!("format = 1\ngame = \"breakthrough\"\n[[extension]]\nfeature = \"{feature}\"\nply = 0.5\n");
    fs::write(&path, file("Ud-RdTt")).unwrap();
    let command = format!("halfply-extensions {}\n", path.display());
    let text = talk(format!("halfply-extensions\n{command}genmove white\nhalfply-extensions none\n"));
    let answers: Vec<_> = text.split("\n\n").collect();
    assert_eq!((answers[0], answers[1], answers[3]), ("= none", "= Ud-RdTt@0.5", "= none"));
    fs::write(&path, file("Ud-Xyz")).unwrap();
    let answer = talk(command);
    assert!(answer.starts_with("? ") && answer.contains("blank.toml:4: there is no atom \"Xyz\""), "{answer}");
    assert!(talk("halfply-extensions /nowhere\n").contains("cannot be read"));
}

#[test]
fn a_whole_game_against_itself_ends_with_a_winner() {
    let mut input = String::new();
    for _ in 0..100 {
        input += "genmove white\ngenmove black\n";
    }
    let answers = talk(input);
    assert!(answers.contains("= ") && answers.contains("? the game is over: "), "{answers}");
    assert!(answers.ends_with(" has won\n\n"));
}

#[test]
fn nonsense_is_answered_and_never_stops_the_engine() {
    let long = "play white ".to_owned() + &"x".repeat(100_000);
    let mut input = Vec::new();
    for line in [
        b"".as_slice(),
        b"   \t  ",
        b"# only a comment",
        b"\xff\xfe\x00\x07",
        b"99999999999999999999999 name",
        b"3x name",
        b"play",
        b"play white \xf0\x9f\x98\x80",
        b"genmove purple",
        long.as_bytes(),
        b"known_command",
        b"7",
        b"name",
    ] {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    let answers = talk(input);
    insta::assert_snapshot!(answers);
}

/// A move of an hour is given up when the client has gone or wants to, and a line that is a number alone is answered.
#[test]
fn the_end_is_heard_during_a_search() {
    for end in ["quit\n", ""] {
        let start = Instant::now();
        let mut process = Command::new(env!("CARGO_BIN_EXE_halfply"))
            .arg("gtp")
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = process.stdin.take().unwrap();
        write!(input, "1\n2 halfply-movetime 3600000\n3 genmove white\n{end}").unwrap();
        if end.is_empty() {
            drop(input);
        }
        let mut answers = String::new();
        process.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
        assert!(process.wait().unwrap().success());
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
        let answers: Vec<_> = answers.split_terminator("\n\n").collect();
        assert!(answers[0].starts_with("?1 ") && answers[1] == "=2", "{answers:?}");
        assert_eq!(
            (answers[2].len(), answers.len()),
            ("=3 e2e3".len(), 3 + usize::from(!end.is_empty())),
            "{answers:?}"
        );
    }
}

/// What is written into a pipe at once is thought about as if somebody waited for each answer.
#[test]
fn the_end_in_a_pipe_changes_no_move() {
    let commands = "halfply-nodes 200000\ngenmove white\ngenmove black\n";
    let mut process = Command::new(env!("CARGO_BIN_EXE_halfply"))
        .args(["gtp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
    input.write_all(commands.as_bytes()).unwrap();
    // The input stays open until all is answered.
    let mut answers = Vec::new();
    while answers.windows(2).filter(|pair| pair == b"\n\n").count() < 3 {
        let mut byte = [0];
        output.read_exact(&mut byte).unwrap();
        answers.extend(byte);
    }
    drop(input);
    assert!(process.wait().unwrap().success());
    assert_eq!(talk(commands), String::from_utf8(answers).unwrap());
}

/// It remembers from move to move, and nothing of the game before.
#[test]
fn the_full_search_plays_and_forgets_between_games() {
    let game = "genmove w\ngenmove b\ngenmove w\n";
    let options = ["--profile", "full", "--nodes", "3000", "--hash", "1"];
    let answers = talk_with(&options, format!("{game}clear_board\n{game}"));
    let answers: Vec<&str> = answers.split("\n\n").collect();
    assert_eq!(answers[..3], answers[4..7], "{answers:?}");
    assert!(answers[..3].iter().all(|answer| answer.len() == "= e2e3".len()), "{answers:?}");
    let plain = talk_with(&["--nodes", "3000"], game);
    assert_ne!(answers[..3].join("\n\n"), plain.trim_end(), "it is another search");
}

#[test]
fn a_clock_gives_a_share_of_what_is_left() {
    for profile in ["plain", "full"] {
        let begun = Instant::now();
        // A thirtieth of six seconds a move; the last of the stones may take what is there.
        let input = "time_settings 6 0 0\ngenmove w\ngenmove b\ntime_left w 1 1\ngenmove w\n";
        let answers = talk_with(&["--profile", profile], input);
        assert_eq!(answers.matches("= ").count(), 3, "{answers}");
        let took = begun.elapsed();
        assert!(took > Duration::from_millis(500) && took < Duration::from_secs(20), "{profile}: {took:?}");
    }
}
