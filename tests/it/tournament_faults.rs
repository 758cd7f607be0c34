// SPDX-License-Identifier: GPL-3.0-or-later
//! Programs that misbehave in tournaments, and runs that are stopped.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::client::marked;
use crate::client::mock;
use crate::process::{grows, journal_lines, send};
use crate::support::{halfply, hearing, refusal, stdout};
use crate::tournament::{OURS, defined, events, games, journal, mock_player};

#[test]
fn each_fault_is_told_apart_and_costs_its_game_only() {
    thread::scope(|scope| {
        // It waits all the time.
        scope.spawn(|| costs_its_game_only("hang", "hang", "no answer"));
        for (behaviour, kind, end) in [
            ("crash-on-go 2", "crash", "crash"),
            ("illegal", "illegal-move", "illegal move"),
            ("garbage", "garbage", "no move but nonsense"),
            ("no-move", "garbage", "no move but nonsense"),
            ("closes-pipe", "closed-pipe", "closed its output"),
        ] {
            if cfg!(unix) || behaviour != "closes-pipe" {
                costs_its_game_only(behaviour, kind, end);
            }
        }
    });
}

fn costs_its_game_only(behaviour: &str, kind: &str, end: &str) {
    let text = format!(
        "format = 1\ngame = \"breakthrough\"\ngames = 4\npatience = 1\n[defaults]\nnodes = 50\n{OURS}{}",
        mock_player(behaviour)
    );
    let (events, _folder, out) = events(&text, &["--concurrency", "4"]);
    let games = games(&events);
    assert_eq!(games.len(), 4, "{behaviour}");
    for game in &games {
        assert_eq!((game["fault"]["kind"].as_str(), game["end"].as_str()), (Some(kind), Some(end)), "{game}");
        let side = game["fault"]["side"].as_str().unwrap();
        assert_eq!(game[side], *behaviour, "{game}");
        assert_eq!(game["result"], if side == "white" { "0-1" } else { "1-0" });
    }
    let result = &events[events.len() - 1];
    assert_eq!(result["players"][1]["faults"][kind], 4, "{result}");
    assert_eq!(result["players"][0]["wins"], 4);
    let pgn = fs::read_to_string(out.join("games.pgn")).unwrap();
    let said = [format!("{{White: {end}"), format!("{{Black: {end}")];
    assert_eq!(said.iter().map(|said| pgn.matches(said).count()).sum::<usize>(), 4, "{behaviour}");
}

#[test]
fn a_slow_program_loses_on_time_and_not_by_hanging() {
    let text = format!(
        "format = 1\ngame = \"chess\"\ngames = 2\n[defaults]\nmovetime = 30\n[[player]]\nname = \"ours\"\nnodes = 10\n{}",
        mock_player("slow 400")
    );
    let (events, ..) = events(&text, &["--margin", "20"]);
    for game in games(&events) {
        assert_eq!(game["fault"]["kind"], "time", "{game}");
        assert!(game["fault"]["detail"].as_str().unwrap().contains("of 30 ms, 20 ms being forgiven"));
    }
}

#[test]
fn bounds_are_no_scores_and_floods_no_faults() {
    // After an exact score of a tenth of a pawn it claims thirty as a bound: nobody resigns.
    let rules = "[adjudication]\nresign = { score = 1000, moves = 1, two_sided = false }\nmax_plies = 20\n";
    let text = format!(
        "format = 1\ngame = \"chess\"\ngames = 2\n{rules}[defaults]\nnodes = 10\n{}{}",
        mock_player("bounds"),
        mock_player("flood")
    );
    let (events, _folder, out) = events(&text, &[]);
    for game in games(&events) {
        assert_eq!((game["end"].as_str(), game["plies"].as_u64()), (Some("adjudication: too many plies"), Some(20)));
    }
    let pgn = fs::read_to_string(out.join("games.pgn")).unwrap();
    // Its exact score, with the nodes that it told last; none of the bounds that came after.
    assert!(pgn.contains("{+0.10/1 40n") && !pgn.contains('M') && !pgn.contains("30."), "{pgn}");
}

#[test]
fn a_fault_may_stop_the_tournament() {
    let text =
        format!("format = 1\ngame = \"chess\"\ngames = 100\n[defaults]\nnodes = 10\n{OURS}{}", mock_player("illegal"));
    let (folder, path) = defined(&text);
    let out = folder.path().join("out").display().to_string();
    let reason = refusal(&["tournament", "run", &path, "--on-fault", "stop", "--concurrency", "1", "--out", &out]);
    assert!(reason.contains("illegal move") && reason.contains("with --on-fault restart to the end"), "{reason}");
    // The policy is no part of what the games depend on.
    let told = stdout(&["tournament", "run", &path, "--games", "4", "--out", &out]);
    assert!(told.contains("illegal: 4 games lost by illegal move"), "{told}");
    // Nor do faults of earlier runs stop this one: it plays on to the next.
    let games = |out: &str| journal(Path::new(out)).len();
    refusal(&["tournament", "run", &path, "--on-fault", "stop", "--concurrency", "1", "--out", &out]);
    // The next may have been under way when the fault was told.
    assert!((5..=6).contains(&games(&out)), "{}", games(&out));
}

#[test]
fn a_program_that_cannot_play_is_refused_before_the_first_game() {
    for (behaviour, expected) in [
        ("crash-at-start", "player \"crash-at-start\": it crashed"),
        ("/nowhere/engine", "player \"/nowhere/engine\": "),
        ("overrun", "player \"overrun\": its limit was 10 nodes"),
    ] {
        let player = if behaviour.starts_with('/') {
            format!("[[player]]\nname = \"{behaviour}\"\ncommand = \"{behaviour}\"\n")
        } else {
            mock_player(behaviour)
        };
        let text = format!("format = 1\ngame = \"chess\"\n[defaults]\nnodes = 10\n{OURS}{player}");
        let (_folder, path) = defined(&text);
        let reason = refusal(&["tournament", "run", &path, "--out", &format!("{path}.out")]);
        assert!(reason.contains(expected), "{reason}");
    }
    let text = format!(
        "format = 1\ngame = \"chess\"\n[defaults]\nnodes = 10\n{OURS}{}options = {{ Colour = 1 }}\n",
        mock_player("well")
    );
    let (_folder, path) = defined(&text);
    assert!(refusal(&["tournament", "run", &path]).contains("Colour"), "an option that is not offered");
}

#[test]
fn a_program_that_cannot_be_started_any_more_loses_no_games() {
    let shared = tempfile::tempdir().unwrap();
    let log = shared.path().join("log");
    let text = format!(
        "format = 1\ngame = \"chess\"\npairs = 2\nconcurrency = 2\n[adjudication]\nmax_plies = 20\n[defaults]\nnodes = 10\n\
         {OURS}{}options = {{ Log = {} }}\n{}",
        mock_player("crash-for-good"),
        toml::Value::String(log.display().to_string()),
        mock_player("well"),
    );
    let (folder, path) = defined(&text);
    let out = folder.path().join("out");
    let out_text = out.display().to_string();
    let reason = refusal(&["tournament", "run", &path, "--concurrency", "1", "--out", &out_text]);
    // It has lost the game in which it crashed. The others' games are played, and none of its.
    for expected in [
        "crash-for-good cannot be restarted: it crashed",
        "7 of 12 games are left",
        "run the same command again to play them",
    ] {
        assert!(reason.contains(expected), "{reason}");
    }
    let games = journal(&out);
    let crashed: Vec<&Value> = games.iter().filter(|game| game["key"].as_str().unwrap().contains("crash")).collect();
    assert_eq!((games.len(), crashed.len()), (5, 1));
    assert_eq!(crashed[0]["result"]["fault"]["kind"], "crash");
    // It can be started again: the rest is played.
    fs::remove_file(&log).unwrap();
    refusal(&["tournament", "run", &path, "--concurrency", "1", "--out", &out_text]);
    assert_eq!(journal(&out).len(), 6);
}

/// What programs, files and people call things reaches terminals and pages, and commands none of them.
#[cfg(unix)]
#[test]
fn names_do_not_command_the_terminal() {
    let shared = tempfile::tempdir().unwrap();
    let log = toml::Value::String(shared.path().join("\u{1b}[2J\u{9b}31m\u{7}").display().to_string());
    let player = mock_player("well");
    let text = format!(
        "format = 1\ngame = \"chess\"\ngames = 2\n[defaults]\nnodes = 10\n{OURS}{player}options = {{ Log = {log} }}\n"
    );
    let (folder, path) = defined(&text);
    let out = folder.path().join("out").display().to_string();
    let output = halfply().args(["tournament", "run", &path, "--out", &out]).output().unwrap();
    let stats = halfply().args(["tournament", "stats", &out]).output().unwrap();
    assert!(String::from_utf8_lossy(&stats.stdout).contains("Log="), "{stats:?}");
    let page = fs::read(folder.path().join("out/report.html")).unwrap();
    for shown in [output.stdout, output.stderr, stats.stdout, stats.stderr, page] {
        let shown = String::from_utf8(shown).unwrap();
        assert!(!shown.contains(|symbol: char| symbol.is_control() && !symbol.is_whitespace()), "{shown:?}");
    }
}

/// As a person does at the terminal.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_and_the_same_command_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    // A minute's work, of which it does a little.
    let arguments =
        ["tournament", "run", "--evaluation-b", "piece-count", "--games", "200", "--nodes", "200000", "--out"];
    let mut process =
        hearing(&[]).args(arguments).arg(&out).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(grows(&mut process, 5, || journal_lines(&out)));
    send(&process, "INT");
    let output = process.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("of 200 games") && told.contains("run the same command again to continue"), "{told}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("of 200"), "the standing is printed");
    // Nothing is damaged, and nothing counted twice.
    let games = journal(&out).len();
    let after = halfply().args(["tournament", "stats"]).arg(&out).assert().success().get_output().stdout.clone();
    let row = String::from_utf8_lossy(&after).lines().find(|line| line.starts_with("| games")).map(str::to_owned);
    assert!(row.as_ref().is_some_and(|row| row.contains(&format!(" {games} |"))), "{row:?}");
    // The same command, of which fewer games are asked for, resumes.
    let more = (games as u64 + 8).next_multiple_of(2).to_string();
    let arguments = arguments.map(|word| if word == "200" { more.as_str() } else { word });
    halfply().args(arguments).arg(&out).assert().success();
    assert_eq!(journal(&out).len().to_string(), more);
}

/// Under `nohup`, or in a script with `&`, some signals are ignored. The others end the run as Ctrl-C does: with a report,
/// and without leaving an engine's processes behind.
#[cfg(target_os = "linux")]
#[test]
fn signals_are_heard_one_by_one() {
    for ignored in [&["HUP"][..], &["INT"], &["HUP", "INT"]] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        // What the engine has started ends with it.
        let marker = format!("left-{}-{}", ignored.join("-"), std::process::id());
        let script = folder.path().join("engine.sh");
        fs::write(&script, format!("(while :; do sleep 1; done) & exec '{}' well", mock().display())).unwrap();
        let (_definition, path) = defined(&format!(
            "format = 1\ngame = \"breakthrough\"\ngames = 100000\n[defaults]\nnodes = 2000\n{OURS}\
             [[player]]\nname = \"mock\"\ncommand = \"sh '{}' {marker}\"\n",
            script.display()
        ));
        let mut process = hearing(ignored)
            .args(["tournament", "run", &path, "--out"])
            .arg(&out)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let games = || journal_lines(&out);
        assert!(grows(&mut process, 3, games));
        ignored.iter().for_each(|signal| send(&process, signal));
        let before = games();
        assert!(grows(&mut process, before + 5, games));
        send(&process, "TERM");
        let output = process.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("of 100"), "the standing is printed");
        let end = Instant::now();
        while marked(&marker) > 0 {
            assert!(end.elapsed() < Duration::from_secs(30), "an engine is left behind");
            sleep(Duration::from_millis(5));
        }
    }
}
