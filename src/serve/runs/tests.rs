// SPDX-License-Identifier: GPL-3.0-or-later
//! Folders with runs, foreign files and traps, as the page asks about them.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use halfply_engine::base::process::ProcessId;
use halfply_engine::games::Breakthrough;
use halfply_lab::report::page::page;
use halfply_lab::run::events::{Begin, EVENTS, Ending, EventFile, FORMAT, RunEvent, RunKind};
use halfply_lab::run::{Header, Journal, Runner};
use halfply_lab::tournament::definition::Definition;
use halfply_lab::tournament::entrant::Entrant;
use halfply_lab::tournament::record::GameRecord;
use halfply_lab::tournament::run::Ready;

/// The header and the games of a short tournament.
fn tournament() -> (Header, Vec<Arc<GameRecord>>) {
    let definition = Definition::parse(
        "format = 1\ngame = 'breakthrough'\ngames = 4\nconcurrency = 1\ndefaults = { nodes = 5 }\n\
         player = [{ name = 'a' }, { name = 'b', extend = 'C@0.5' }]",
        "test",
    )
    .unwrap();
    let ready = Ready::<Breakthrough>::new(&definition, Entrant::all(&definition).unwrap(), &Default::default());
    let ready = ready.unwrap();
    let header = ready.header.clone();
    let outcome = ready.play(&mut Runner::new(1), |_| std::ops::ControlFlow::Continue(())).unwrap();
    (header, outcome.games.into_iter().flatten().collect())
}

fn begin(kind: RunKind, plan: Value) -> Begin {
    let [game, title, command] = ["breakthrough", "a against b", "halfply x"].map(str::to_owned);
    Begin { format: FORMAT, kind, game, title, command, process: ProcessId::this(), plan }
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    fs::create_dir(&runs).unwrap();
    (folder, runs)
}

fn listed(runs: &Path) -> Vec<(String, String, String)> {
    let list: Value = serde_json::from_slice(&Runs::under(runs).unwrap().list()).unwrap();
    let text = |run: &Value, key: &str| run[key].as_str().unwrap().to_owned();
    let mut found: Vec<_> = list["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (text(run, "name"), text(run, "kind"), text(run, "state")))
        .collect();
    found.sort();
    found
}

/// What is shown now.
fn look(runs: &Runs, name: &str) -> Value {
    serde_json::from_slice(&runs.text(name).unwrap()).unwrap()
}

#[test]
fn a_tournament_is_watched_from_its_first_game_to_its_last() {
    let (header, games) = tournament();
    let (_folder, root) = folder();
    let run = root.join("t");
    let runs = Runs::under(&root).unwrap();
    assert_eq!(runs.text("t").unwrap_err(), Refusal::Unknown);
    fs::create_dir(&run).unwrap();
    let mut journal = Journal::<GameRecord>::open(&run.join("journal.jsonl"), &header, false).unwrap();
    let mut events = EventFile::begin(&run, begin(RunKind::Tournament, json!({ "games": 4 })));
    let mut next = runs.games("t", 0).unwrap().next;
    for (number, game) in games.iter().enumerate() {
        journal.append(&format!("{number}"), game.clone(), Duration::ZERO).unwrap();
        let length = look(&runs, "t")["journal"].as_u64().unwrap();
        let new = runs.games("t", next).unwrap();
        assert_eq!((new.games.len(), new.games[0].at, new.next), (1, next, length));
        let replayed = serde_json::to_value(runs.game("t", next).unwrap()).unwrap();
        assert_eq!(replayed["moves"].as_array().unwrap().len(), game.plies());
        assert_eq!((&replayed["start"], &replayed["game"]), (&json!(game.opening), &json!("breakthrough")));
        assert_eq!(runs.game("t", next + 1).unwrap_err(), Refusal::Unknown, "no line begins there");
        next = new.next;
    }
    assert!(runs.report("t").unwrap().contains("after 4 games"), "it has written none, so that is made of its games");
    assert_eq!(look(&runs, "t")["report"], Value::Null);
    // It shows what was found so far, and says it in the list.
    fs::write(run.join(LIVE), page("the report", "", &[])).unwrap();
    events.tell(&RunEvent::Found { headline: "a leads".to_owned() });
    let shown = look(&runs, "t");
    assert_eq!(
        (&shown["state"], &shown["headline"], &shown["report"]),
        (&json!("running"), &json!("a leads"), &json!(LIVE))
    );
    assert!(shown["version"].is_u64() && runs.file("t/live.html").is_ok());
    events.end(Ending::Interrupted, "");
    let shown = look(&runs, "t");
    assert_eq!((&shown["state"], &shown["headline"]), (&json!("interrupted"), &json!("a leads")));
    EventFile::begin(&run, begin(RunKind::Tournament, Value::Null)).end(Ending::Complete, "the end");
    assert_eq!(look(&runs, "t")["headline"], "the end");
    assert_eq!(listed(&root), [("t".into(), "tournament".into(), "complete".into())]);
    // Such a file is shown only if it is a report.
    fs::write(run.join(LIVE), "mine").unwrap();
    assert_eq!((&look(&runs, "t")["report"], runs.file("t/live.html").unwrap_err()), (&Value::Null, Refusal::Unknown));

    // One pair is planned now, and the journal has another one from before.
    drop(journal);
    let again = Begin {
        process: ProcessId { id: 1, started: 1 },
        ..begin(RunKind::Tournament, json!({ "games": 2, "pairs": 1 }))
    };
    drop(EventFile::begin(&run, again));
    assert_eq!(runs.games("t", 0).unwrap().games.len(), 2);
    assert_eq!(look(&runs, "t")["state"], "interrupted", "no such process");
    // A game that is there twice counts once, and a damaged line is said.
    let path = run.join("journal.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let second = text.lines().nth(2).unwrap();
    fs::write(&path, format!("{text}{second}\n{{\n")).unwrap();
    let report = runs.report("t").unwrap();
    assert!(report.contains("after 2 games") && report.contains("1 damaged lines"), "{report}");
    fs::remove_dir_all(&run).unwrap();
    assert_eq!(runs.text("t").unwrap_err(), Refusal::Unknown);
}

#[test]
fn whatever_is_in_the_folder_the_list_goes_on() {
    let (_folder, root) = folder();
    let (header, _) = tournament();
    let write = |name: &str, contents: &[u8]| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    };
    write("notes.txt", b"mine");
    write("foreign/journal.jsonl", b"no journal\n");
    write("empty/events.jsonl", b"");
    write("binary/events.jsonl", &[0xff; 5000]);
    write("torn/events.jsonl", b"{\"event\":\"begin\",\"form");
    write("searches/journal.jsonl", format!("{}\n", json!(Header::new("learn", &json!({}), 1))).as_bytes());
    write(
        "wrong/journal.jsonl",
        format!("{}\n", json!(Header::new("tournament", &json!({ "players": 3 }), 1))).as_bytes(),
    );
    write("old.jsonl", format!("{}\n", json!(header)).as_bytes());
    // Sparse: a huge file is not read.
    write("huge/events.jsonl", b"");
    OpenOptions::new().write(true).open(root.join("huge/events.jsonl")).unwrap().set_len(1 << 40).unwrap();
    write(
        "learned/halfply-results.json",
        br#"{"format": 1, "about": "", "files": {"features.csv": {}, "secret.txt": {}}}"#,
    );
    write("learned/features.csv", b"a,b\n");
    write("learned/report.html", b"<p>not in the list</p>");
    write("learned/secret.txt", b"");
    assert_eq!(
        listed(&root),
        [
            ("learned".into(), "learn".into(), "complete".into()),
            ("old.jsonl".into(), "tournament".into(), "unknown".into()),
            ("wrong".into(), "tournament".into(), "unknown".to_owned()),
        ]
    );
    let runs = Runs::under(&root).unwrap();
    for name in ["foreign", "empty", "binary", "torn", "searches", "huge", "notes.txt", "learned", ""] {
        assert!(runs.games(name, u64::MAX).is_err() && runs.report(name).is_err(), "{name}");
    }
    let reason = "the configuration in the journal cannot be read";
    assert!(runs.report("wrong").unwrap_err().to_string().contains(reason));
    assert_eq!(look(&runs, "learned")["files"], json!(["features.csv"]));
    assert_eq!(runs.file("learned/features.csv").unwrap().length, 4);
    for path in
        ["learned/report.html", "learned/secret.txt", "learned/halfply-results.json", "old.jsonl", "learned", ""]
    {
        assert_eq!(runs.file(path).unwrap_err(), Refusal::Unknown, "{path}");
    }
}

#[test]
fn whatever_a_run_has_written_what_is_shown_is_small() {
    let (_folder, root) = folder();
    let (header, games) = tournament();
    let runs = Runs::under(&root).unwrap();
    let long = "x".repeat(1 << 20);
    let named =
        Begin { title: long.clone(), game: long.clone(), command: long.clone(), ..begin(RunKind::Learn, Value::Null) };
    fs::create_dir(root.join("names")).unwrap();
    EventFile::begin(&root.join("names"), named).end(Ending::Complete, &long[..50_000]);
    // Its first line is too long to be read.
    assert_eq!(runs.text("names").unwrap_err(), Refusal::Unknown);
    let named = Begin { title: long[..90_000].to_owned(), ..begin(RunKind::Learn, Value::Null) };
    let mut events = EventFile::begin(&root.join("names"), named);
    (0..5000).for_each(|_| events.tell(&json!({ "event": "weather", "rain": true })));
    events.end(Ending::Complete, &long[..50_000]);
    // A game that is too long to be sent back is not listed, and more players than fit on a page are not shown.
    let game = GameRecord { moves: long, ..(*games[0]).clone() };
    fs::create_dir(root.join("games")).unwrap();
    let mut journal = Journal::<GameRecord>::open(&root.join("games/journal.jsonl"), &header, false).unwrap();
    journal.append("long", game, Duration::ZERO).unwrap();
    (0..9).for_each(|number| journal.append(&format!("{number}"), games[0].clone(), Duration::ZERO).unwrap());
    let mut config = header.config.clone();
    config["players"] = (0..5000).map(|_| config["players"][0].clone()).collect();
    let players = format!("{}\n", json!(Header::new("tournament", &config, 1)));
    fs::write(root.join("players.jsonl"), players).unwrap();
    // A packed journal of line feeds, which would take long to read.
    let packed = fs::File::create(root.join("packed.jsonl.gz")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    packed.write_all(format!("{}\n", json!(header)).as_bytes()).unwrap();
    (0..4).for_each(|_| packed.write_all(&vec![b'\n'; 1 << 20]).unwrap());
    packed.finish().unwrap();
    for name in ["names", "games", "players.jsonl", "packed.jsonl.gz"] {
        let shown = runs.text(name).unwrap();
        assert!(shown.len() < 10_000, "{name}: {} bytes", shown.len());
    }
    let first = runs.games("games", 0).unwrap();
    assert!(
        first.games.is_empty() && first.next == runs.games("games", first.next).unwrap().next,
        "a line is too long"
    );
    assert!(runs.report("players.jsonl").unwrap_err().to_string().contains("5,000 players"));
    assert!(runs.report("packed.jsonl.gz").unwrap_err().to_string().contains("it has more than"));
    let list = runs.list();
    assert!(list.len() < 100_000, "{} bytes", list.len());
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let (folder, root) = folder();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    drop(EventFile::begin(&outside, begin(RunKind::Learn, Value::Null)));
    fs::write(outside.join("halfply-results.json"), r#"{"files": {"report.html": {}}}"#).unwrap();
    fs::write(outside.join("report.html"), "secret").unwrap();
    fs::create_dir(root.join("run")).unwrap();
    fs::write(
        root.join("run/halfply-results.json"),
        r#"{"files": {"report.html": {}, "../../outside/report.html": {}}}"#,
    )
    .unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(&outside, root.join("link")).unwrap();
        symlink("..", root.join("circle")).unwrap();
        symlink(outside.join("report.html"), root.join("run/report.html")).unwrap();
        symlink(outside.join(EVENTS), root.join("run/events.jsonl")).unwrap();
        fs::write(outside.join(LIVE), page("secret", "", &[])).unwrap();
        symlink(outside.join(LIVE), root.join("run/live.html")).unwrap();
        // Files that the list reads.
        let secret = r#"{"games": 1, "players": [{"name": "secret", "score": 1.0}]}"#;
        fs::write(outside.join("result.json"), secret).unwrap();
        symlink(outside.join("result.json"), root.join("run/result.json")).unwrap();
        fs::create_dir(root.join("listed")).unwrap();
        symlink(outside.join("halfply-results.json"), root.join("listed/halfply-results.json")).unwrap();
        fs::write(root.join("listed/report.html"), "").unwrap();
    }
    let runs = Runs::under(&root).unwrap();
    assert_eq!(look(&runs, "run")["title"], "run", "not that of the link");
    let absolute = outside.to_str().unwrap();
    for name in
        ["../outside", "run/../../outside", "link", "circle/outside", absolute, "./run", "run\0", "..", "/", "none"]
    {
        assert_eq!(runs.text(name).unwrap_err(), Refusal::Unknown, "{name}");
        let file = format!("{name}/report.html");
        assert_eq!(runs.file(&file).unwrap_err(), Refusal::Unknown, "{file}");
    }
    for file in ["run/report.html", "run/live.html", "run/../../outside/report.html"] {
        assert_eq!(runs.file(file).unwrap_err(), Refusal::Unknown, "{file}");
    }
    assert_eq!(runs.file("listed/report.html").unwrap_err(), Refusal::Unknown, "its list is a link");
    assert_eq!(look(&runs, "run")["files"], json!([]));
    assert!(!String::from_utf8_lossy(&runs.list()).contains("secret"));
    assert!(listed(&root).iter().all(|(name, ..)| name == "run"), "{:?}", listed(&root));
    assert!(Runs::under(&outside.join("report.html")).is_err());
    assert!(Runs::under(&root.join("none")).is_err());
}
