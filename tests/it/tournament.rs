// SPDX-License-Identifier: GPL-3.0-or-later
//! Tournaments as a user runs them: definitions, programs that misbehave, records, events and statistics.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use halfply_engine::games::RegisteredGame;
use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use crate::client::marked;
use crate::client::mock;
use crate::support::{halfply, hearing, refusal, stdout};

/// A folder with a definition in it.
fn defined(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.toml");
    fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

/// A player that is the mock engine with some behaviour. Backslashes of other systems' paths are for no shell to eat.
fn mock_player(behaviour: &str) -> String {
    let command = format!("'{}' {behaviour}", mock().display());
    format!("[[player]]\nname = \"{behaviour}\"\ncommand = {}\n", toml::Value::String(command))
}

/// Runs a definition: its events, and its folder.
fn events(text: &str, arguments: &[&str]) -> (Vec<Value>, tempfile::TempDir, PathBuf) {
    let (folder, path) = defined(text);
    let out = folder.path().join("out");
    let output = halfply()
        .args(["tournament", "run", &path, "--json", "--out"])
        .arg(&out)
        .args(arguments)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), folder, out)
}

fn games(events: &[Value]) -> Vec<&Value> {
    events.iter().filter(|event| event["event"] == "game").collect()
}

const OURS: &str = "[[player]]\nname = \"ours\"\nprofile = \"full\"\nhash = 1\n";

#[test]
fn each_fault_is_told_apart_and_costs_its_game_only() {
    for (behaviour, kind, end) in [
        ("crash-on-go 2", "crash", "crash"),
        ("illegal", "illegal-move", "illegal move"),
        ("garbage", "garbage", "no move but nonsense"),
        ("no-move", "garbage", "no move but nonsense"),
        ("closes-pipe", "closed-pipe", "closed its output"),
        ("hang", "hang", "no answer"),
    ] {
        if behaviour == "closes-pipe" && !cfg!(unix) {
            continue;
        }
        let text = format!(
            "format = 1\ngame = \"breakthrough\"\ngames = 4\npatience = 1\n[defaults]\nnodes = 50\n{OURS}{}",
            mock_player(behaviour)
        );
        let (events, _folder, out) = events(&text, &["--concurrency", "2"]);
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

#[test]
fn every_opening_is_played_with_both_colours_and_games_begin_with_ucinewgame() {
    let (folder, path) = defined("");
    let log = folder.path().join("log");
    let text = format!(
        "format = 1\ngame = \"breakthrough\"\ngames = 6\nconcurrency = 1\n[defaults]\nnodes = 20\n{OURS}{}options = {{ Log = {} }}\n",
        mock_player("well"),
        toml::Value::String(log.display().to_string())
    );
    fs::write(&path, text).unwrap();
    let out = folder.path().join("out");
    halfply().args(["tournament", "run", &path, "--start", "1199", "--out"]).arg(&out).assert().success();
    let journal = journal(&out);
    for pair in journal.chunks(2) {
        assert_eq!(pair[0]["result"]["opening"], pair[1]["result"]["opening"]);
        assert_eq!(pair[0]["result"]["players"][0], pair[1]["result"]["players"][1]);
    }
    let openings: Vec<&str> = journal.chunks(2).map(|pair| pair[0]["result"]["opening"].as_str().unwrap()).collect();
    assert!(openings[0] != openings[1] && openings[1] != openings[2] && openings[0] != openings[2]);
    // The one program that ran was told of each game before it, and of nothing in between.
    let told = fs::read_to_string(&log).unwrap();
    let blocks: Vec<&str> = told.split("ucinewgame").skip(1).collect();
    assert_eq!(blocks.len(), 6, "{told}");
    for (block, opening) in blocks.iter().zip(openings.iter().flat_map(|opening| [opening, opening])) {
        let positions: Vec<&str> = block.lines().filter(|line| line.starts_with("position")).collect();
        assert!(!positions.is_empty());
        assert!(positions.iter().all(|line| line.starts_with(&format!("position fen {opening}"))), "{block}");
        assert_eq!(block.matches("isready").count(), 1);
    }
}

/// The games of a journal in the order of their keys.
fn journal(out: &Path) -> Vec<Value> {
    let text = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let mut games: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["key"].as_str().unwrap().to_owned());
    games
}

#[test]
fn opening_moves_are_played_and_marked() {
    let (folder, path) = defined("");
    let book = folder.path().join("book.txt");
    fs::write(&book, "# two lines\ne2e4 e7e5 g1f3\nd2d4\n").unwrap();
    let text = "format = 1\ngame = \"chess\"\ngames = 4\nopenings.file = \"book.txt\"\n[adjudication]\nmax_plies = 2\n\
                [defaults]\nnodes = 20\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\nnodes = 10\n";
    fs::write(&path, text).unwrap();
    let out = folder.path().join("out");
    halfply().args(["tournament", "run", &path, "--out"]).arg(&out).assert().success();
    let pgn = fs::read_to_string(out.join("games.pgn")).unwrap().replace('\n', " ");
    assert_eq!(pgn.matches("1. e4 {book} e5 {book} 2. Nf3 {book}").count(), 2, "{pgn}");
    assert_eq!(pgn.matches("1. d4 {book}").count(), 2);
    assert!(!pgn.contains("SetUp"));
}

#[test]
fn it_is_told_when_a_book_is_too_small() {
    let said = |plays: &str, pairs: &str| {
        let text = format!(
            "format = 1\ngame = \"chess\"\nopenings.file = \"book.txt\"\n[defaults]\nprofile = \"{plays}\"\ndepth = 1\n\
             [adjudication]\nmax_plies = 4\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\ndepth = 2\n"
        );
        let (folder, path) = defined(&text);
        fs::write(folder.path().join("book.txt"), "e2e4 e7e6\nd2d4 d7d5\ne2e4 e7e6\n").unwrap();
        let out = folder.path().join("out");
        let output =
            halfply().args(["tournament", "run", &path, "--pairs", pairs, "--out"]).arg(&out).assert().success();
        String::from_utf8(output.get_output().stderr.clone()).unwrap()
    };
    let (small, enough, plain) = (said("full", "3"), said("full", "2"), said("plain", "3"));
    assert!(small.contains("2 openings") && small.contains("1 opening left out"), "{small}");
    assert!(small.contains("warning: after 2 pairs the openings are used again"), "{small}");
    // The plain search does not play twice alike.
    assert!(
        !enough.contains("openings are used again") && !plain.contains("openings are used again"),
        "{enough}{plain}"
    );
}

#[test]
fn chess960_is_played_and_written_as_such() {
    let (folder, path) = defined("");
    let log = folder.path().join("log");
    // Castling is the only good idea: the rook that is taken is the king's own.
    fs::write(folder.path().join("book.epd"), "1r3k2/8/8/8/8/8/PPP5/1RK5 w B -\n").unwrap();
    let text = format!(
        "format = 1\ngame = \"chess\"\ngames = 2\nopenings.file = \"book.epd\"\nadjudication.max_plies = 30\n\
         [defaults]\nnodes = 2000\n{OURS}{}options = {{ Log = {} }}\n",
        mock_player("well"),
        toml::Value::String(log.display().to_string())
    );
    fs::write(&path, text).unwrap();
    let out = folder.path().join("out");
    halfply().args(["tournament", "run", &path, "--out"]).arg(&out).assert().success();
    let pgn = fs::read_to_string(out.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Variant \"chess960\"]").count(), 2, "{pgn}");
    let told = fs::read_to_string(&log).unwrap();
    assert!(told.contains("setoption name UCI_Chess960 value true"), "{told}");
    for game in journal(&out) {
        assert!(game["result"]["fault"].is_null(), "{game}");
    }
}

#[test]
fn a_gauntlet_has_standings_and_can_be_cut_to_some_players() {
    let text = "format = 1\ngame = \"breakthrough\"\nkind = \"gauntlet\"\ngames = 4\n[defaults]\nnodes = 300\n\
                [[player]]\nname = \"none\"\n[[player]]\nname = \"RdTt\"\nextend = \"RdTt@0.5\"\n\
                [[player]]\nname = \"Ud\"\nextend = \"Ud@0.5\"\n[[player]]\nname = \"C\"\nextend = \"C@0.5\"\n";
    let (folder, path) = defined(text);
    let out = folder.path().join("all").display().to_string();
    insta::assert_snapshot!(stdout(&["tournament", "run", &path, "--out", &out]));
    // What is printed can be had again from the journal.
    let again = stdout(&["tournament", "stats", &out]);
    assert!(again.contains("| RdTt") && again.contains("12"), "{again}");
    let out = folder.path().join("some").display().to_string();
    let some = stdout(&["tournament", "run", &path, "--players", "RdTt,none", "--pairs", "1", "--out", &out]);
    assert!(some.contains("none against RdTt"), "{some}");
    assert_eq!(journal(Path::new(&out)).len(), 2);
    let reason = refusal(&["tournament", "run", &path, "--players", "X"]);
    assert!(reason.contains("it has \"none\", \"RdTt\", \"Ud\", \"C\""), "{reason}");
    // The command line goes before the file.
    let out = folder.path().join("flags");
    let flags = "--kind round-robin --pairs 1 --depth 1 --resign 300,2 --draw 0,4,9 --max-plies 6 --patience 7";
    let arguments: Vec<&str> = ["tournament", "run", &path]
        .into_iter()
        .chain(flags.split(' '))
        .chain(["--out", out.to_str().unwrap()])
        .collect();
    stdout(&arguments);
    let text = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let config = &serde_json::from_str::<Value>(text.lines().next().unwrap()).unwrap()["config"];
    let adjudication = json!({
        "resign": {"score": 300, "moves": 2, "two_sided": true}, "draw": {"score": 0, "moves": 4, "after": 9}, "max_plies": 6
    });
    assert_eq!((&config["adjudication"], &config["patience"]), (&adjudication, &json!(7)));
    assert_eq!((config["kind"].as_str(), text.lines().count()), (Some("round-robin"), 1 + 12));
    assert!(
        config["players"].as_array().unwrap().iter().all(|player| player["limits"] == "1 plies a move"),
        "{config}"
    );
}

#[test]
fn a_sequential_test_ends_a_match_early_and_on_any_number_of_threads_alike() {
    let strong = "[[player]]\nname = \"strong\"\nnodes = 3000\n[[player]]\nname = \"weak\"\nnodes = 5\n";
    let text = format!(
        "format = 1\ngame = \"breakthrough\"\ngames = 400\ncomments = false\n[sprt]\nelo0 = 0\nelo1 = 100\n{strong}"
    );
    let run = |threads: &str| {
        let (events, ..) = events(&text, &["--concurrency", threads]);
        events.into_iter().next_back().unwrap()
    };
    let result = run("1");
    let played = result["games"].as_u64().unwrap();
    assert!(played < 100 && result["players"][0]["sprt"]["decision"] == "H1", "{result}");
    assert_eq!(run("3"), result);
}

#[test]
fn statistics_of_counts() {
    insta::assert_snapshot!(stdout(&["tournament", "stats", "--pentanomial", "12,80,150,110,30", "--sprt", "0,5"]));
    let json: Value = serde_json::from_str(&stdout(&["tournament", "stats", "--wdl", "165,99,136", "--json"])).unwrap();
    assert_eq!(json["games"], 400);
    assert!((json["score"].as_f64().unwrap() - 0.53625).abs() < 1e-9);
    for (arguments, expected) in [
        (vec!["--wdl", "1,2"], "--wdl takes three counts"),
        (vec!["--pentanomial", "1,2,3,4"], "five"),
        (vec!["--wdl", "1,2,3", "--sprt", "0,5"], "--sprt needs pairs"),
        (vec!["--pentanomial", "1,2,3,4,5", "--sprt", "5,0"], "two Elo differences"),
        (vec![], "required"),
        (vec!["/nowhere"], "/nowhere: cannot be read"),
    ] {
        let reason = refusal(&[&["tournament", "stats"], arguments.as_slice()].concat());
        assert!(reason.contains(expected), "{arguments:?}: {reason}");
    }
}

#[test]
fn definitions_are_refused_with_what_is_wrong() {
    let head = "format = 1\ngame = \"breakthrough\"\n";
    let two = "[[player]]\nname = \"a\"\nextend = \"C@0.5\"\n[[player]]\nname = \"b\"\n";
    for (text, expected) in [
        ("format = 1\n".to_owned(), "missing field `game`"),
        (
            format!("{head}[defaults]\nnodes = 5\n[[player]]\nname = \"a\"\n"),
            "t.toml: a tournament has at least two players",
        ),
        (format!("{head}{two}"), "t.toml:3: player \"a\": nothing limits its searches"),
        (
            format!("{head}[defaults]\nnodes = 5\n{two}extend = \"Xx@0.5\"\n"),
            "t.toml:10: player \"b\": extend: Xx@0.5: there is no atom",
        ),
        (format!("{head}[defaults]\nnodes = 5\n{two}name2 = 1\n"), "t.toml:10: unknown field"),
        (
            format!("{head}[defaults]\nnodes = 5\n{two}hash = 5\n"),
            "t.toml:10: player \"b\": hash is a setting of the full search: add profile = \"full\"",
        ),
        (
            format!("{head}[defaults]\nclock = \"x\"\n{two}"),
            "t.toml:4: player \"a\": clock: \"x\" is not a time control",
        ),
        (
            format!("{head}[defaults]\nnodes = 5\n{two}command = \"x\"\nhash = 1\n"),
            "t.toml:11: player \"b\": hash is for searches of this program",
        ),
        (format!("{head}games = 3\n[defaults]\nnodes = 5\n{two}"), "t.toml:3: games is 3"),
        (format!("{head}[sprt]\nelo0 = 5\nelo1 = 0\n[defaults]\nnodes = 5\n{two}"), "t.toml:3: elo0 is 5 and elo1 0"),
        (
            format!(
                "{head}[sprt]\nelo0 = 0\nelo1 = 5\n[defaults]\nnodes = 5\n{two}[[player]]\nname = \"c\"\nnodes = 6\n"
            ),
            "t.toml:3: a sequential test is for two players",
        ),
        (
            format!("{head}[defaults]\nnodes = 5\n[[player]]\nname = \"a\"\n[[player]]\nname = \"a\"\n"),
            "t.toml:8: player \"a\": two players have this name",
        ),
        (
            format!("{head}[defaults]\nnodes = 5\n[[player]]\nname = \"- a\"\n[[player]]\nname = \"b\"\n"),
            "t.toml:6: player \"- a\": a name must not be empty",
        ),
        (format!("{head}[defaults]\nnodes = 0\n{two}"), "t.toml:4: player \"a\": nodes must be at least 1"),
        (format!("{head}[defaults]\nname = \"x\"\n{two}"), "t.toml:4: [defaults] is for all players: move name"),
        (
            format!("{head}[defaults]\nnodes = 5\nprofile = \"full\"\n{two}parameters = {{ futility = 3 }}\n"),
            "t.toml:11: player \"b\": parameters: futility is a switch",
        ),
        (format!("{head}[defaults]\nnodes = 5\n{two}extend = \"C@0.5\"\n"), "t.toml:8: players \"a\" and \"b\" are"),
        (
            format!("{head}[defaults]\nnodes = 5\n{two}command = \"/nowhere/x\"\n"),
            "t.toml:10: player \"b\": /nowhere/x cannot be started",
        ),
        (format!("{head}openings.file = \"nowhere.epd\"\n[defaults]\nnodes = 5\n{two}"), "nowhere.epd: cannot be read"),
    ] {
        let (_folder, path) = defined(&text);
        let reason = refusal(&["tournament", "run", &path]);
        assert!(reason.contains(expected), "{text}\n{reason}");
    }
    // A value of the command line has no line in the file.
    let (_folder, path) = defined(&format!("{head}games = 4\n[defaults]\nnodes = 5\n{two}"));
    for (arguments, expected) in [
        (["--games", "3"], "error: --games: games is 3"),
        (["--sprt", "0,2000"], "error: --sprt: elo1 is 2000"),
        (["--clock", "x"], "error: --clock x: \"x\" is not a time control"),
    ] {
        let reason = refusal(&[&["tournament", "run", &path], &arguments[..]].concat());
        assert!(reason.contains(expected), "{reason}");
    }
}

/// A line that is in the journal twice is one game, and one that was altered is none.
#[test]
fn statistics_count_games_and_not_lines() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let arguments = ["tournament", "run", "--evaluation-b", "piece-count", "--games", "4", "--nodes", "50"];
    let played = stdout(&[&arguments[..], &["--out", &out]].concat());
    let path = folder.path().join("out/journal.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let doubled = format!("{text}{}\n", text.lines().nth(1).unwrap());
    fs::write(&path, &doubled).unwrap();
    assert_eq!(stdout(&["tournament", "stats", &out]), played);
    let [white, black] = ["\"winner\":\"white\"", "\"winner\":\"black\""];
    let altered = if text.contains(white) { text.replacen(white, black, 1) } else { text.replacen(black, white, 1) };
    fs::write(&path, &altered).unwrap();
    let look = refusal(&["tournament", "stats", &out]);
    assert!(look.contains("journal.jsonl:") && look.contains("checksum") && !look.contains("--"), "{look}");
    let run = refusal(&[&arguments[..], &["--out", &out]].concat());
    assert!(run.contains("checksum") && run.contains("--fresh"), "{run}");
    // A journal of another kind.
    let other = folder.path().join("learn").display().to_string();
    halfply().args(["learn", "--nodes", "50", "--max-evaluations", "1", "--out", &other]).assert().success();
    let look = refusal(&["tournament", "stats", &other]);
    assert!(look.contains("a journal of \"learn\"") && !look.contains("--"), "{look}");
}

/// The journals in the repository are from before lines had checksums.
#[test]
fn journals_without_checksums_are_read() {
    let stem = "tournament/results/learned-100k-nodes";
    let counted: Value =
        serde_json::from_str(&stdout(&["tournament", "stats", &format!("{stem}.jsonl.gz"), "--json"])).unwrap();
    let kept: Value = serde_json::from_str(&fs::read_to_string(format!("{stem}.json")).unwrap()).unwrap();
    for key in ["games", "crosstable"] {
        assert_eq!(counted[key], kept[key], "{key}");
    }
}

/// Nobody reads a megabyte of what was wrong; the place and the remedy around it stay.
#[test]
fn long_values_are_shortened_in_errors() {
    let long = "x".repeat(1 << 20);
    let head = "format = 1\ngame = \"chess\"\n[defaults]\nnodes = 5\n[[player]]\nname = \"a\"\n";
    for (text, begin, end) in [
        (format!("{head}extend = \"{long}\"\n"), "t.toml:7: player \"a\": extend: xxx", "write rows such as C@0.5"),
        (
            format!("{head}evaluation = \"{long}\"\n"),
            "t.toml:7: player \"a\": evaluation: chess has no evaluation \"xxx",
            "it has ",
        ),
        (format!("{head}{long} = 1\n"), "t.toml:7: unknown field `xxx", "`clock`"),
        (
            format!("{head}nodes = \"{long}\"\n"),
            "t.toml:7: invalid value: string \"xxx",
            "expected a count, such as 500",
        ),
    ] {
        let (_folder, path) = defined(&text);
        let said = refusal(&["tournament", "run", &path]);
        assert!(said.contains(begin) && said.contains(end) && said.len() < 3000, "{}: {said}", said.len());
    }
    let said = refusal(&["tournament", "run", "--clock", &long[..100_000]]);
    assert!(said.contains("error: --clock xxx") && said.len() < 3000, "{}", said.len());
}

/// Games of a player against itself would only look like a result.
#[test]
fn equal_players_are_refused() {
    for arguments in [vec![], vec!["--evaluation", "piece-count", "--evaluation-b", "piece-count"]] {
        let reason = refusal(&[&["tournament", "run"], arguments.as_slice()].concat());
        for expected in ["players A and B are the same (plain search", "--a FILE", "--engine-b COMMAND"] {
            assert!(reason.contains(expected), "{reason}");
        }
    }
    let engine = format!("'{}' well", mock().display());
    let arguments = ["tournament", "run", "--game", "chess", "--engine-a", &engine, "--engine-b", &engine];
    assert!(refusal(&arguments).contains("are the same"));
    let settings = refusal(&[&arguments[..], &["--option-b", "Hash=2", "--profile", "full"]].concat());
    assert!(settings.contains("both players are other programs: set their options with --option-a"), "{settings}");
    let text = "format = 1\ngame = \"chess\"\n[defaults]\nnodes = 9\n[[player]]\nname = \"a\"\n\
                [[player]]\nname = \"b\"\nextend = \"AcK@0\"\n[[player]]\nname = \"c\"\nevaluation = \"classical\"\n";
    let usual = halfply_engine::games::Chess::EVALUATIONS[0].name;
    let (_folder, path) = defined(&text.replace("classical", usual));
    let reason = refusal(&["tournament", "run", &path]);
    assert!(reason.contains("players \"a\" and \"c\" are the same") && reason.contains("leave one out"), "{reason}");
}

/// Either side may be a program, and statistics say what it was set to.
#[test]
fn two_programs_play_and_their_options_are_shown() {
    let engine = format!("'{}' well", mock().display());
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let arguments = ["tournament", "run", "--game", "chess", "--games", "2", "--nodes", "9", "--max-plies", "6"];
    let players = ["--engine-a", &engine, "--option-a", "Hash=7", "--option-a", "Score=5", "--engine-b", &engine];
    let played = stdout(&[&arguments[..], &players, &["--out", &out]].concat());
    let counted = stdout(&["tournament", "stats", &out]);
    assert_eq!(played, counted);
    // They report the same name, so their options tell them apart.
    let a = "Mock engine, Hash=7, Score=5";
    let expected =
        format!("{a}: {a}, 9 nodes a move\nMock engine: Mock engine, 9 nodes a move\n\n| {a} against Mock engine");
    assert!(counted.starts_with(&expected), "{counted}");
}

/// A player is called what its program reports, unless it is given a name.
#[test]
fn players_without_a_name_are_called_by_what_they_are() {
    let engine = format!("'{}' well", mock().display());
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let arguments = ["tournament", "run", "--game", "chess", "--games", "2", "--nodes", "9", "--max-plies", "6"];
    for (names, expected) in [
        (&[][..], ["Mock engine", "Halfply"]),
        (&["--name-a", "mine"], ["mine", "Halfply"]),
        (&["--name-a", "mine", "--name-b", "yours"], ["mine", "yours"]),
    ] {
        let run = [&arguments[..], &["--engine-a", &engine, "--out", &out, "--fresh"], names].concat();
        let printed = stdout(&run);
        let [a, b] = expected;
        assert!(printed.contains(&format!("| {a} against {b} ")), "{printed}");
        let pgn = fs::read_to_string(Path::new(&out).join("games.pgn")).unwrap();
        assert!(pgn.contains(&format!("[White \"{a}\"]\n[Black \"{b}\"]")), "{pgn}");
        assert!(!pgn.contains("????") && pgn.contains("[Date \"20"), "{pgn}");
        let events = fs::read_to_string(Path::new(&out).join("events.jsonl")).unwrap();
        assert!(events.contains(&format!("\"title\":\"{a} against {b}, 9 nodes a move\"")), "{events}");
    }
    let reason = refusal(&[&arguments[..], &["--engine-a", &engine, "--name-a", "x", "--name-b", "x"]].concat());
    assert!(reason.contains("two players have this name"), "{reason}");
    let reason = refusal(&[&arguments[..], &["--engine-a", "/nowhere/engine"]].concat());
    assert!(reason.contains("player A: ") && reason.contains("/nowhere/engine"), "{reason}");
}

#[test]
fn a_suite_can_be_given_to_another_program() {
    let engine = format!("'{}' well", mock().display());
    let suite = tempfile::tempdir().unwrap();
    let file = suite.path().join("s.epd");
    let mate = "7k/8/6K1/8/8/8/8/1Q6 w - - bm Qb8#; id \"one\";\n7k/8/6K1/8/8/8/8/1Q6 w - - am Qb8#; id \"two\";\n";
    fs::write(&file, mate).unwrap();
    let file = file.display().to_string();
    let json: Value =
        serde_json::from_str(&stdout(&["suite", "run", &file, "--nodes", "50", "--engine", &engine, "--json"]))
            .unwrap();
    // Whatever it plays solves exactly one of the two.
    assert_eq!((json["solved"].as_u64(), json["positions"].as_u64()), (Some(1), Some(2)), "{json}");
    assert!(json["engine"].as_str().unwrap().to_lowercase().contains("mock"));
    let crash = format!("'{}' crash-on-go", mock().display());
    let told = stdout(&["suite", "run", &file, "--nodes", "50", "--engine", &crash]);
    assert!(told.contains("2 positions without an answer") && told.contains("one: it crashed"), "{told}");
    for (behaviour, limit, expected) in [
        ("illegal", "--nodes", "one: bestmove a1a1"),
        ("garbage", "--nodes", "one: bestmove banana"),
        ("slow 1000", "--movetime", "ms used of 50 ms"),
        ("overrun", "--nodes", "one: it hung"),
    ] {
        let engine = format!("'{}' {behaviour}", mock().display());
        let told = stdout(&["suite", "run", &file, limit, "50", "--engine", &engine]);
        assert!(told.contains("2 positions without an answer") && told.contains(expected), "{behaviour}: {told}");
    }
    // A program that ends after its answer has answered.
    let engine = format!("'{}' one-answer", mock().display());
    let told = stdout(&["suite", "run", "suites/ecm102.epd", "--nodes", "50", "--engine", &engine]);
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

/// As a person does at the terminal.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_and_the_same_command_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    // A minute's work, of which it does a little.
    let arguments =
        ["tournament", "run", "--evaluation-b", "piece-count", "--games", "200", "--nodes", "200000", "--out"];
    let process = hearing(&[]).args(arguments).arg(&out).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while fs::read_to_string(out.join("journal.jsonl")).map_or(0, |text| text.lines().count()) < 5 {
        assert!(start.elapsed() < Duration::from_secs(60), "no games are played");
        sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap().success());
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
        let process = hearing(ignored)
            .args(["tournament", "run", &path, "--out"])
            .arg(&out)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let start = Instant::now();
        let lines = || fs::read_to_string(out.join("journal.jsonl")).map_or(0, |text| text.lines().count());
        let grow = |to| {
            while lines() < to {
                assert!(start.elapsed() < Duration::from_secs(60), "no games are played");
                sleep(Duration::from_millis(5));
            }
        };
        let send = |signal: &str| {
            let signal = format!("-{signal}");
            assert!(Command::new("kill").args([&signal, &process.id().to_string()]).status().unwrap().success());
        };
        grow(3);
        ignored.iter().copied().for_each(send);
        grow(lines() + 5);
        send("TERM");
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

/// Every table of results that is in the repository fits a terminal, and `--wide` has the rest.
#[test]
fn tables_fit_80_columns() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournament/results");
    let mut wider = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path().display().to_string();
        if !path.ends_with(".jsonl.gz") {
            continue;
        }
        let rows = |arguments: &[&str]| -> Vec<usize> {
            let told = stdout(&[&["tournament", "stats", &path], arguments].concat());
            told.lines().filter(|line| line.starts_with('|')).map(|line| line.chars().count()).collect()
        };
        assert!(rows(&[]).into_iter().all(|width| width <= 80), "{path}");
        wider += usize::from(rows(&["--wide"]).into_iter().any(|width| width > 80));
    }
    assert!(wider > 3, "only {wider} results have a table that would not fit");
}
