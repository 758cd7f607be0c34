// SPDX-License-Identifier: GPL-3.0-or-later
//! Folders with runs, foreign files and traps, as the page asks about them.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::*;
use halfply_engine::base::process::ProcessId;
use halfply_engine::games::Breakthrough;
use halfply_lab::run::events::{Begin, EVENTS, Ending, EventFile, FORMAT, RunEvent, RunKind};
use halfply_lab::run::{Header, Journal, Runner};
use halfply_lab::tournament::definition::Definition;
use halfply_lab::tournament::entrant::Entrant;
use halfply_lab::tournament::record::GameRecord;
use halfply_lab::tournament::run::Ready;

/// The header and the games of a short tournament.
fn tournament() -> (Header, Vec<GameRecord>) {
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

/// What is shown now, without waiting until it is no longer fresh.
fn look(runs: &Runs, name: &str) -> Arc<Shown> {
    lock(&runs.watched(name).unwrap()).look(Duration::ZERO)
}

#[test]
fn a_tournament_is_watched_from_its_first_game_to_its_last() {
    let (header, games) = tournament();
    let (_folder, root) = folder();
    let run = root.join("t");
    let runs = Runs::under(&root).unwrap();
    assert_eq!(runs.shown("t").unwrap_err(), Refusal::Unknown);
    fs::create_dir(&run).unwrap();
    let mut journal = Journal::open(&run.join("journal.jsonl"), &header, false).unwrap();
    let events = EventFile::begin(&run, begin(RunKind::Tournament, json!({ "games": 4 })));
    let shown = look(&runs, "t");
    assert_eq!((&shown.headline[..], shown.games), ("No game has ended yet.", 0));
    let key = |number: usize| format!("{number}");
    for (number, game) in games.iter().enumerate() {
        journal.append(&key(number), game, Duration::ZERO).unwrap();
        let shown = look(&runs, "t");
        assert_eq!(shown.games, number + 1);
        assert_eq!(serde_json::to_value(&*shown).unwrap()["state"], "running");
    }
    assert!(look(&runs, "t").headline.contains("after 4 games"), "{}", look(&runs, "t").headline);
    let text = runs.text("t").unwrap();
    assert_eq!(text.as_ptr(), runs.text("t").unwrap().as_ptr(), "nothing is new");
    assert_eq!(runs.games("t", 1).unwrap().games.len(), 3);
    assert!(runs.games("t", 100).unwrap().games.is_empty());
    let replayed = serde_json::to_value(runs.game("t", 2).unwrap()).unwrap();
    assert_eq!(replayed["moves"].as_array().unwrap().len(), games[2].plies());
    assert_eq!((&replayed["start"], &replayed["game"]), (&json!(games[2].opening), &json!("breakthrough")));
    assert_eq!(runs.game("t", 4).unwrap_err(), Refusal::Unknown);
    // One pair was planned, and the journal has another one from before.
    let short = root.join("short");
    fs::create_dir(&short).unwrap();
    drop(EventFile::begin(&short, begin(RunKind::Tournament, json!({ "games": 2, "pairs": 1 }))));
    fs::copy(run.join("journal.jsonl"), short.join("journal.jsonl")).unwrap();
    assert_eq!(look(&runs, "short").games, 2);
    fs::remove_dir_all(&short).unwrap();
    events.end(Ending::Complete, "the end");
    assert_eq!(look(&runs, "t").headline, "the end");
    assert_eq!(listed(&root), [("t".into(), "tournament".into(), "complete".into())]);
    // Half of a line is left for the next look, and a damaged one is said.
    let mut file = OpenOptions::new().append(true).open(run.join("journal.jsonl")).unwrap();
    file.write_all(b"{\"key\":\"9\",\"resu").unwrap();
    assert!(look(&runs, "t").notes.is_empty());
    file.write_all(b"\n").unwrap();
    assert_eq!(look(&runs, "t").notes, ["1 damaged lines of the journal are left out."]);
    // It is started again with --fresh, and soon has more lines than were read.
    drop(journal);
    drop(Journal::<GameRecord>::open(&run.join("journal.jsonl"), &header, true).unwrap());
    let again = Begin { process: ProcessId { id: 1, started: 1 }, ..begin(RunKind::Tournament, json!({ "games": 9 })) };
    drop(EventFile::begin(&run, again));
    let shown = look(&runs, "t");
    assert_eq!((shown.games, &shown.headline[..]), (0, "No game has ended yet."));
    assert_eq!(serde_json::to_value(&*shown).unwrap()["state"], "interrupted", "no such process");
    // It vanishes while it is watched.
    fs::remove_dir_all(&run).unwrap();
    assert_eq!(look(&runs, "t").notes, ["Its files have been removed or moved."]);
    assert_eq!(Runs::under(&root).unwrap().shown("t").unwrap_err(), Refusal::Unknown);
}

#[test]
fn a_run_that_learns_grows_on_the_page() {
    let (_folder, root) = folder();
    let run = root.join("deep/er/learn");
    fs::create_dir_all(&run).unwrap();
    let mut events = EventFile::begin(&run, begin(RunKind::Learn, Value::Null));
    let told = |feature: &str, verdict: &str, value: i64| json!({ "event": "judged", "feature": feature, "verdict": verdict, "value": value });
    events.tell(&json!({ "event": "run", "name": "gradual-focus", "positions": 10 }));
    events.tell(&told("Neutral", "neutral", 2));
    // A line that only a later version knows.
    events.tell(&json!({ "event": "weather", "rain": true }));
    let runs = Runs::under(&root).unwrap();
    let name = "deep/er/learn";
    assert_eq!(look(&runs, name).headline, "Without extensions 2 of 10 positions.");
    events.tell(&told("<b>", "base", 7));
    let shown = serde_json::to_value(&*look(&runs, name)).unwrap();
    assert!(shown["headline"].as_str().unwrap().contains("<b>, worth 7 of 10"), "{shown}");
    let html: String = shown["parts"].as_array().unwrap().iter().map(|part| part["html"].as_str().unwrap()).collect();
    assert!(html.contains("&lt;b&gt;") && !html.contains("<b>,"), "{html}");
    let list: Value = serde_json::from_slice(&runs.list()).unwrap();
    assert_eq!(list["runs"][0]["headline"], shown["headline"]);
}

#[test]
fn tuning_is_shown_step_by_step() {
    let (_folder, root) = folder();
    let run = root.join("spsa");
    fs::create_dir(&run).unwrap();
    let mut events = EventFile::begin(&run, begin(RunKind::Tuning, Value::Null));
    let runs = Runs::under(&root).unwrap();
    assert_eq!(look(&runs, "spsa").headline, "No step is done yet.");
    for loss in [0.5, 0.25] {
        events.tell(&json!({ "event": "step", "figures": [["loss", loss]] }));
    }
    let shown = serde_json::to_value(&*look(&runs, "spsa")).unwrap();
    assert_eq!(shown["headline"], "2 steps are done.");
    assert!(shown["parts"][1]["html"].as_str().unwrap().contains("0.2500"), "{shown}");
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
    for name in ["foreign", "empty", "binary", "torn", "searches", "wrong", "huge", "notes.txt", "learned", ""] {
        // What is no run shows nothing, and says why if something is wrong with it.
        let shown = look(&runs, name);
        assert_eq!(shown.games, 0, "{name}");
        let _ = runs.games(name, usize::MAX);
    }
    // It is said as long as it is so.
    assert!(look(&runs, "wrong").notes[0].contains("the configuration in the journal cannot be read"));
    assert!(look(&runs, "foreign").notes[0].contains("not a header of a journal"));
    assert!(look(&runs, "huge").notes[0].contains("more than 64 MiB"));
    assert_eq!(look(&runs, "learned").files, ["features.csv"]);
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
    let write = |name: &str, begin: Option<Begin>, lines: &mut dyn Iterator<Item = Value>| {
        fs::create_dir_all(root.join(name)).unwrap();
        let begin = begin.map(|begin| serde_json::to_string(&RunEvent::Begin(begin)).unwrap());
        let file = if begin.is_some() { EVENTS } else { "journal.jsonl" };
        let text: Vec<String> = begin.into_iter().chain(lines.map(|line| line.to_string())).collect();
        fs::write(root.join(name).join(file), text.join("\n") + "\n").unwrap();
    };
    let figures: Vec<Value> = (0..10_000).map(|_| json!([long[..100], 1e300])).collect();
    let step = json!({ "event": "step", "figures": figures });
    write("figures", Some(begin(RunKind::Tuning, Value::Null)), &mut std::iter::repeat_n(step, 20));
    let step = json!({ "event": "step", "figures": [["loss", 0.5]] });
    write("steps", Some(begin(RunKind::Tuning, Value::Null)), &mut std::iter::repeat_n(step, 50_000));
    let named =
        Begin { title: long.clone(), game: long.clone(), command: long.clone(), ..begin(RunKind::Learn, Value::Null) };
    let end = json!({ "event": "end", "ending": "complete", "headline": long });
    write("names", Some(named), &mut std::iter::once(end));
    let run = |number: usize| json!({ "event": "run", "name": format!("{number}{}", &long[..9000]), "positions": 1 });
    write("runs", Some(begin(RunKind::Experiment, Value::Null)), &mut (0..2000).map(run));
    // Games that are too long to be sent back, and more players than fit on a page.
    let game = GameRecord { moves: long.clone(), end: long.clone(), nodes: [u64::MAX; 2], ..games[0].clone() };
    fs::create_dir(root.join("games")).unwrap();
    let mut journal = Journal::open(&root.join("games/journal.jsonl"), &header, false).unwrap();
    (0..9).for_each(|number| journal.append(&format!("{number}{long}"), &game, Duration::ZERO).unwrap());
    let mut config = header.config.clone();
    config["players"] = (0..5000).map(|_| config["players"][0].clone()).collect();
    write("players", None, &mut std::iter::once(json!(Header::new("tournament", &config, 1))));
    // A packed journal of line feeds, which would take long to read.
    let packed = fs::File::create(root.join("packed.jsonl.gz")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    packed.write_all(format!("{}\n", json!(header)).as_bytes()).unwrap();
    (0..4).for_each(|_| packed.write_all(&vec![b'\n'; 1 << 20]).unwrap());
    packed.finish().unwrap();
    for name in ["figures", "steps", "names", "runs", "games", "players", "packed.jsonl.gz"] {
        let shown = serde_json::to_string(&*look(&runs, name)).unwrap();
        assert!(shown.len() < 1 << 20, "{name}: {} bytes", shown.len());
    }
    assert_eq!(look(&runs, "steps").headline, "50,000 steps are done.");
    assert_eq!((look(&runs, "games").games, &look(&runs, "games").notes[0][..23]), (0, "9 games count, but cann"));
    assert!(look(&runs, "games").headline.contains("after 9 games"), "{}", look(&runs, "games").headline);
    assert!(look(&runs, "players").notes[0].contains("5,000 players"), "{:?}", look(&runs, "players").notes);
    assert!(look(&runs, "packed.jsonl.gz").notes[0].starts_with("the file has more than"));
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
        // Files that the list reads.
        let secret = r#"{"games": 1, "players": [{"name": "secret", "score": 1.0}]}"#;
        fs::write(outside.join("result.json"), secret).unwrap();
        symlink(outside.join("result.json"), root.join("run/result.json")).unwrap();
        fs::create_dir(root.join("listed")).unwrap();
        symlink(outside.join("halfply-results.json"), root.join("listed/halfply-results.json")).unwrap();
        fs::write(root.join("listed/report.html"), "").unwrap();
    }
    let runs = Runs::under(&root).unwrap();
    assert_eq!(look(&runs, "run").title, "run", "not that of the link");
    let absolute = outside.to_str().unwrap();
    for name in
        ["../outside", "run/../../outside", "link", "circle/outside", absolute, "./run", "run\0", "..", "/", "none"]
    {
        assert_eq!(runs.shown(name).unwrap_err(), Refusal::Unknown, "{name}");
        let file = format!("{name}/report.html");
        assert_eq!(runs.file(&file).unwrap_err(), Refusal::Unknown, "{file}");
    }
    for file in ["run/report.html", "run/../../outside/report.html"] {
        assert_eq!(runs.file(file).unwrap_err(), Refusal::Unknown, "{file}");
    }
    assert_eq!(runs.file("listed/report.html").unwrap_err(), Refusal::Unknown, "its list is a link");
    assert_eq!(look(&runs, "run").files, Vec::<String>::new());
    assert!(!String::from_utf8_lossy(&runs.list()).contains("secret"));
    assert!(listed(&root).iter().all(|(name, ..)| name == "run"), "{:?}", listed(&root));
    assert!(Runs::under(&outside.join("report.html")).is_err());
    assert!(Runs::under(&root.join("none")).is_err());
}
