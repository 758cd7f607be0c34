// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite run --engine`: programs that ignore limits of nodes, answer nothing, or are guarded by a baseline.

use std::fs;
use std::path::PathBuf;
use std::thread;

use halfply_engine::game::{Game, Notation, legal_moves};
use halfply_engine::games::Chess;
use serde_json::Value;

use crate::client::mock;
use crate::support::{halfply, refusal, stdout};

const FEN: &str = "r1b1k2r/pp1n1ppp/2p1p3/q5B1/1b1P4/P1n1PN2/1P1Q1PPP/2R1KB1R b Kkq -";

/// The command that starts the mock engine. Backslashes of other systems' paths are for no shell to eat.
fn engine(behaviour: &str) -> String {
    format!("'{}' {behaviour}", mock().display())
}

/// A suite of that position, with those operations a line.
fn suite(operations: &[String]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.epd");
    let lines: Vec<String> = operations.iter().map(|operations| format!("{FEN} {operations}\n")).collect();
    fs::write(&file, lines.concat()).unwrap();
    let name = file.display().to_string();
    (folder, name)
}

/// The move that the mock engine reports at 1000 nodes, or so many doublings later.
fn choice(steps: u64) -> String {
    let position = Chess::parse_position(FEN).unwrap();
    let moves = legal_moves::<Chess>(&position);
    let place = Chess::key(&position).wrapping_add(steps) % moves.len() as u64;
    Chess::format_move(&position, moves[place as usize])
}

#[test]
fn a_program_that_ignores_nodes_is_stopped_at_them() {
    let at = |steps| format!("bm {}; id \"{steps}\";", choice(steps));
    // Chosen at 2000 and at 4000 nodes; at 8000; and at the end of its search.
    let (_folder, file) = suite(&[1, 2, 3, 13].map(at));
    let engine = engine("ignores-nodes");
    let run = ["suite", "run", &file, "--nodes", "5000", "--engine", &engine];
    for (options, why) in [(&[][..], "it ignores `go nodes`: it searched"), (&["--watch-nodes"], "\nit searched")] {
        let text = stdout(&[&run[..], options].concat());
        assert!(text.contains(why) && text.contains("| solved                     |"), "{text}");
        let json: Value = serde_json::from_str(&stdout(&[&run[..], options, &["--json"]].concat())).unwrap();
        assert_eq!((&json["watch_nodes"], &json["solved"]), (&true.into(), &1.into()), "{json}");
        let results = json["results"].as_array().unwrap();
        for result in results {
            assert_eq!(
                (&result["move"], &result["nodes"], &result["depth"]),
                (&choice(2).into(), &4000.into(), &3.into())
            );
            assert_eq!(result["fault"], Value::Null);
        }
        let counts = |place: usize| [&results[place]["nodes_first_found"], &results[place]["nodes_found_and_kept"]];
        assert_eq!(counts(0), [&Value::from(2000), &Value::Null]);
        assert_eq!(counts(1), [&Value::from(4000), &Value::from(4000)]);
        assert_eq!([counts(2), counts(3)], [[&Value::Null; 2]; 2]);
        assert_eq!(json["nodes_first_found"], 2000 + 4000 + 5000 + 5000);
    }
    // At less than its first report it has no answer, rather than one of a longer search.
    let reason = refusal(&["suite", "run", &file, "--nodes", "500", "--threads", "1", "--engine", &engine]);
    assert!(reason.contains("1: it reported no move within the nodes that it had"), "{reason}");
    let reason = refusal(&["suite", "run", &file, "--movetime", "50", "--watch-nodes", "--engine", &engine]);
    assert!(reason.contains("--watch-nodes: say how many with --nodes"), "{reason}");
    let reason = refusal(&["suite", "run", &file, "--realization", "rps", "--engine", &engine]);
    assert!(reason.contains("--profile, --realization, --hash, --syzygy, --set, "), "{reason}");
}

#[test]
fn a_program_that_answers_nothing_ends_the_run() {
    let suite = "suites/ecm.epd";
    for (behaviour, expected) in [
        ("crash-on-go", "ECM.001: it crashed or ended by itself (exit status 3)"),
        ("illegal", "ECM.001: bestmove a1a1"),
        ("no-move", "has no move"),
    ] {
        let engine = engine(behaviour);
        let reason = refusal(&["suite", "run", suite, "--nodes", "50", "--threads", "1", "--engine", &engine]);
        for expected in ["it answered none of the first 3 positions", expected, "ECM.003", "try the program by hand"] {
            assert!(reason.contains(expected), "{behaviour}: {reason}");
        }
        assert!(!reason.contains("ECM.004"), "{reason}");
    }
    // One that answers at first continues.
    let engine = engine("crash-on-go 3");
    let text = stdout(&["suite", "run", "suites/ecm102.epd", "--nodes", "50", "--threads", "1", "--engine", &engine]);
    assert!(text.contains("without an answer, counted as unsolved"), "{text}");
}

#[test]
fn a_program_is_guarded_by_a_baseline() {
    let (folder, file) =
        suite(&[format!("bm {}; id \"right\";", choice(0)), format!("am {}; id \"wrong\";", choice(0))]);
    let path: PathBuf = folder.path().join("base.json");
    let baseline = path.display().to_string();
    let engine = engine("well");
    let run = ["suite", "run", &file, "--nodes", "50", "--engine", &engine];
    stdout(&[&run[..], &["--option", "Hash=1", "--write-baseline", &baseline]].concat());
    let text = fs::read_to_string(&path).unwrap();
    let written: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&written["ids"], &written["engine"]), (&serde_json::json!(["right"]), &"Mock engine".into()));
    let expected = serde_json::json!({ "options": ["Hash=1"], "watch_nodes": false });
    assert_eq!(written["terms"]["program"], expected);
    // Another version of the program is what is to be compared.
    fs::write(&path, text.replace("Mock engine", "Mock engine 0.9")).unwrap();
    let against = [&run[..], &["--baseline", &baseline]].concat();
    let told = stdout(&[&against[..], &["--option", "Hash=1"]].concat());
    assert!(told.contains("0 gained, 0 lost; ") && told.contains(" solves 1\n"), "{told}");
    // Another program, other options, and our own search are not.
    let reason = refusal(&against);
    assert!(reason.contains("program.options was Hash=1 and is empty"), "{reason}");
    let reason = refusal(&["suite", "run", &file, "--nodes", "50", "--baseline", &baseline]);
    assert!(reason.contains("it is of another program"), "{reason}");
    // Fewer solved than before.
    fs::write(&path, text.replace("\"right\"", "\"right\", \"wrong\"").replace("\"solved\": 1", "\"solved\": 2"))
        .unwrap();
    let output = halfply().args(against).args(["--option", "Hash=1"]).assert().code(1).get_output().clone();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("1 solved, 1 fewer than the baseline"), "{told}");
}

#[test]
fn a_suite_can_be_given_to_another_program() {
    let well = engine("well");
    let suite = tempfile::tempdir().unwrap();
    let file = suite.path().join("s.epd");
    let mate = "7k/8/6K1/8/8/8/8/1Q6 w - - bm Qb8#; id \"one\";\n7k/8/6K1/8/8/8/8/1Q6 w - - am Qb8#; id \"two\";\n";
    fs::write(&file, mate).unwrap();
    let file = file.display().to_string();
    let json: Value =
        serde_json::from_str(&stdout(&["suite", "run", &file, "--nodes", "50", "--engine", &well, "--json"])).unwrap();
    // Whatever it plays solves exactly one of the two.
    assert_eq!((json["solved"].as_u64(), json["positions"].as_u64()), (Some(1), Some(2)), "{json}");
    assert!(json["engine"].as_str().unwrap().to_lowercase().contains("mock"));
    let crash = engine("crash-on-go");
    let told = stdout(&["suite", "run", &file, "--nodes", "50", "--engine", &crash]);
    assert!(told.contains("2 positions without an answer") && told.contains("one: it crashed"), "{told}");
    // They wait most of the time.
    thread::scope(|scope| {
        for (behaviour, limit, expected) in [
            ("illegal", "--nodes", "one: bestmove a1a1"),
            ("garbage", "--nodes", "one: bestmove banana"),
            ("slow 1000", "--movetime", "ms used of 50 ms"),
            ("overrun", "--nodes", "one: it hung"),
        ] {
            let file = &file;
            scope.spawn(move || {
                let told = stdout(&["suite", "run", file, limit, "50", "--engine", &engine(behaviour)]);
                let all = told.contains("2 positions without an answer");
                assert!(all && told.contains(expected), "{behaviour}: {told}");
            });
        }
    });
    // A program that ends after its answer has answered.
    let answer = engine("one-answer");
    let told = stdout(&["suite", "run", "suites/ecm102.epd", "--nodes", "50", "--engine", &answer]);
    assert!(!told.contains("without an answer"), "{told}");
    // Our own program over UCI solves what it solves in process.
    let ours = format!("'{}'", env!("CARGO_BIN_EXE_halfply"));
    let limits = ["suites/ecm102.epd", "--nodes", "2000", "--json"];
    let there: Value = serde_json::from_str(&stdout(
        &[&["suite", "run"], &limits[..], &["--engine", &ours, "--option", "Hash=1"]].concat(),
    ))
    .unwrap();
    let here: Value = serde_json::from_str(&stdout(
        &[&["suite", "run"], &limits[..], &["--profile", "full", "--hash", "1"]].concat(),
    ))
    .unwrap();
    assert_eq!(there["solved"], here["solved"]);
}
