// SPDX-License-Identifier: GPL-3.0-or-later
//! Tournaments as a user runs them: definitions, players, openings and records.

use std::fs;
use std::path::{Path, PathBuf};

use halfply_engine::games::RegisteredGame;
use serde_json::{Value, json};

use crate::client::mock;
use crate::support::{halfply, refusal, stdout};

/// A folder with a definition in it.
pub fn defined(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.toml");
    fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

/// A player that is the mock engine with some behaviour. Backslashes of other systems' paths are for no shell to eat.
pub fn mock_player(behaviour: &str) -> String {
    let command = format!("'{}' {behaviour}", mock().display());
    format!("[[player]]\nname = \"{behaviour}\"\ncommand = {}\n", toml::Value::String(command))
}

/// Runs a definition: its events, and its folder.
pub fn events(text: &str, arguments: &[&str]) -> (Vec<Value>, tempfile::TempDir, PathBuf) {
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

pub fn games(events: &[Value]) -> Vec<&Value> {
    events.iter().filter(|event| event["event"] == "game").collect()
}

pub const OURS: &str = "[[player]]\nname = \"ours\"\nprofile = \"full\"\nhash = 1\n";

/// The games of a journal in the order of their keys.
pub fn journal(out: &Path) -> Vec<Value> {
    let text = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let mut games: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["key"].as_str().unwrap().to_owned());
    games
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
        let (events, _folder, out) = events(&text, &["--concurrency", threads]);
        (events.into_iter().next_back().unwrap(), std::fs::read_to_string(out.join("games.pgn")).unwrap())
    };
    let (result, pgn) = run("1");
    let played = result["games"].as_u64().unwrap();
    assert!(played < 100 && result["players"][0]["sprt"]["decision"] == "H1", "{result}");
    assert_eq!(pgn.matches("[Event ").count() as u64, played);
    // Games that other threads ended beyond the decision are in no file.
    assert_eq!(run("3"), (result, pgn));
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
        (
            format!("{head}openings.file = \"nowhere.epd\"\n[defaults]\nnodes = 5\n{two}"),
            "name a file of openings, EPD or lines of moves",
        ),
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

/// Names of UCI options are the same in upper and lower case.
#[test]
fn options_that_are_set_twice_are_refused() {
    for again in ["Hash=1", "hash=1"] {
        let options = ["--engine-a", "stockfish", "--option-a", "Hash=2", "--option-a", again];
        let reason = refusal(&[&["tournament", "run", "--game", "chess"], &options[..]].concat());
        assert!(reason.contains("--option-a: the option") && reason.contains("is set twice"), "{reason}");
    }
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
