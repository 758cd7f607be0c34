// SPDX-License-Identifier: GPL-3.0-or-later

use std::ops::ControlFlow;

use super::super::part::part;
use super::super::{Runner, Stop, Unit};
use super::*;
use serde_json::json;

fn header(nodes: u32) -> Header {
    Header::new("test", &json!({"nodes": nodes, "seed": 1}), 99)
}

fn open(path: &Path, header: &Header) -> Result<Journal<u32>, String> {
    Journal::open(path, header, false).map_err(|error| error.to_string())
}

#[test]
fn results_outlive_a_kill_and_the_torn_line_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run/journal.jsonl");
    let mut journal = open(&path, &header(5)).unwrap();
    for (key, result) in [("a", 1), ("b", 2)] {
        journal.append(key, result, Duration::ZERO).unwrap();
    }
    drop(journal);
    let whole = fs::read(&path).unwrap();
    // Torn at every byte of the last line, and before its first.
    let last = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    for end in last..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        let mut journal = open(&path, &header(5)).unwrap();
        assert_eq!((journal.get("a").map(|result| **result), journal.get("b")), (Some(1), None));
        journal.append("b", 2, Duration::ZERO).unwrap();
        drop(journal);
        assert_eq!(fs::read(&path).unwrap(), whole, "torn at {end}");
    }
    // Torn in the header: nothing is lost, for nothing was there.
    fs::write(&path, &whole[..20]).unwrap();
    assert!(open(&path, &header(5)).unwrap().is_empty());
}

#[test]
fn other_runs_are_refused_with_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    drop(open(&path, &header(5)).unwrap());
    assert!(open(&path, &header(6)).unwrap_err().contains("nodes was 5 and is 6"));
    let mut changed = header(5);
    changed.signature = 100;
    assert!(open(&path, &changed).unwrap_err().contains("the search has changed since"));
    let held = open(&path, &header(5)).unwrap();
    assert!(open(&path, &header(5)).unwrap_err().contains("another halfply"));
    drop(held);
    assert!(Journal::<u32>::open(&path, &header(6), true).is_ok());
}

#[test]
fn a_damaged_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    drop(open(&path, &header(5)).unwrap());
    let mut text = fs::read_to_string(&path).unwrap();
    text += "{\"key\":\n{\"key\":\"b\",\"result\":2,\"seconds\":0}\n";
    fs::write(&path, text).unwrap();
    assert!(open(&path, &header(5)).unwrap_err().contains("journal.jsonl:2: this line is damaged"));
}

fn begun(folder: &Path) -> (PathBuf, Journal<u32>) {
    let path = folder.join("run/journal.jsonl");
    let mut journal = open(&path, &header(5)).unwrap();
    journal.append("a", 1, Duration::from_secs(1)).unwrap();
    (path, journal)
}

#[test]
fn a_unit_counts_once_whoever_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mut journal) = begun(folder.path());
    for (key, result) in [("b", 2), ("a", 3), ("b", 2)] {
        journal.append(key, result, Duration::ZERO).unwrap();
    }
    drop(journal);
    let (_, loaded) = load::<u32>(&path, "test").unwrap();
    assert_eq!(loaded, [("a".to_owned(), 1), ("b".to_owned(), 2)]);
    // A part has all lines: whoever reads it keeps the first of a unit.
    let lines = part::<u32>(&path, "test", 0, 1 << 20).unwrap().results;
    assert_eq!(lines.iter().map(|placed| placed.key.as_str()).collect::<Vec<_>>(), ["a", "b", "a", "b"]);
    let journal = open(&path, &header(5)).unwrap();
    assert_eq!((journal.len(), journal.get("a").map(|result| **result)), (2, Some(1)));
}

#[test]
fn a_number_that_was_altered_is_found_and_the_advice_can_be_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, journal) = begun(folder.path());
    drop(journal);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"result\":1", "\"result\":7")).unwrap();
    let run = open(&path, &header(5)).unwrap_err();
    assert!(run.contains("journal.jsonl:2: this line is damaged (it was changed") && run.contains("--fresh"), "{run}");
    // Whoever only looks has no --fresh and no --out.
    for (experiment, text) in
        [("test", text.replace("\"result\":1", "\"result\":7")), ("other", text), ("test", String::new())]
    {
        fs::write(&path, text).unwrap();
        let look = load::<u32>(&path, experiment).unwrap_err().to_string();
        assert!(!look.contains("--"), "{look}");
    }
    assert!(!load::<u32>(folder.path(), "test").unwrap_err().to_string().contains("--"));
}

/// What no checksum protects must not be believed: a header, a line whose checksum was taken away.
#[test]
fn nothing_in_a_journal_can_be_altered_unseen() {
    let folder = tempfile::tempdir().unwrap();
    let (path, journal) = begun(folder.path());
    drop(journal);
    let text = fs::read_to_string(&path).unwrap();
    let start = text.find(",\"check\":").unwrap();
    let without = format!("{}{}", &text[..start], &text[text.rfind(",\"seconds\"").unwrap()..]);
    for (altered, expected) in [
        (text.replace("\"seed\":1", "\"seed\":2"), "journal.jsonl:1: this is not a journal of halfply (it was changed"),
        (text.replace("\"signature\":99", "\"signature\":98"), "journal.jsonl:1: "),
        (text.replacen("\"format\":2", "\"format\":3", 1), "its format is 3, this program reads 1 to 2"),
        (without.clone(), "journal.jsonl:2: this line is damaged (it was changed: it has no checksum)"),
        (text.replace("\"check\":\"", "\"check\":\"0"), "journal.jsonl:2: "),
    ] {
        fs::write(&path, &altered).unwrap();
        for error in [open(&path, &header(5)).unwrap_err(), load::<u32>(&path, "test").unwrap_err().to_string()] {
            assert!(error.contains(expected), "{altered}: {error}");
        }
    }
    // Journals of format 1, whose lines may have no checksum, are read and continued.
    fs::write(&path, without.replacen("\"format\":2", "\"format\":1", 1)).unwrap();
    let mut journal = open(&path, &header(5)).unwrap();
    journal.append("b", 2, Duration::ZERO).unwrap();
    drop(journal);
    assert_eq!(load::<u32>(&path, "test").unwrap().1.len(), 2);
    let torn = "{\"format\":1,\"ver";
    fs::write(&path, torn).unwrap();
    assert!(open(&path, &header(5)).unwrap().is_empty());
}

#[test]
fn what_is_no_journal_survives_even_a_fresh_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    // Without a line feed it might be torn, but is no beginning of ours.
    for text in ["notes", "notes\n", "{\"format\":1,\"version\":\"x\"}", "{\"my\": 1}\n{\"own\": 2}\n"] {
        fs::write(&path, text).unwrap();
        let error = Journal::<u32>::open(&path, &header(5), true).unwrap_err().to_string();
        assert!(error.contains("journal.jsonl:1: this is not a journal") && !error.contains("--fresh"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(open(&path, &header(5)).unwrap_err().contains("it is a folder; "));
}

/// Renaming and removing open files works on Unix alone.
#[cfg(unix)]
#[test]
fn a_journal_that_is_taken_away_is_noticed_and_written_again() {
    type Disturbance = fn(&Path);
    let disturbances: [(Disturbance, &str); 5] = [
        (|path| fs::remove_file(path).unwrap(), "journal.jsonl"),
        (|path| fs::remove_dir_all(path.parent().unwrap()).unwrap(), "journal.jsonl"),
        (
            |path| fs::rename(path.parent().unwrap(), path.parent().unwrap().with_file_name("moved")).unwrap(),
            "journal.jsonl",
        ),
        (
            |path| fs::rename(path, path.with_extension("old")).and_then(|()| fs::write(path, "mine")).unwrap(),
            "journal.rescued-1.jsonl",
        ),
        (|path| fs::write(path, "mine").unwrap(), "journal.rescued-1.jsonl"),
    ];
    for (number, (disturb, name)) in disturbances.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mut journal) = begun(folder.path());
        assert!(journal.check_place().is_ok());
        disturb(&path);
        let error = journal.append("b", 2, Duration::ZERO).unwrap_err();
        assert!(matches!(error, JournalError::Taken { results: 2, .. }), "{number}: {error}");
        assert!(error.to_string().contains("run the same command"), "{error}");
        drop(journal);
        let (found, results) = load::<u32>(&path.with_file_name(name), "test").unwrap();
        assert_eq!((found, results.len()), (header(5), 2), "{number}");
        if name != "journal.jsonl" {
            assert!(fs::read_to_string(&path).unwrap().starts_with("mine"), "{number}");
        }
    }
}

/// As on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_to_be_one() {
    let cause = File::options().write(true).open("/dev/full").unwrap().write_all(b"x").unwrap_err();
    let path = PathBuf::from("journal.jsonl");
    let error = JournalError::File { path, action: "cannot be written", cause }.to_string();
    assert!(error.contains("make room"), "{error}");
}

/// Its own number.
struct Number(u32);

impl Unit for Number {
    type Output = u32;

    fn key(&self) -> String {
        self.0.to_string()
    }

    fn run(&self, _: &Stop) -> Option<u32> {
        Some(self.0)
    }
}

#[test]
fn a_run_shares_its_results_with_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder.path().join("journal.jsonl"), &header(5)).unwrap();
    let mut runner = Runner::with_journal(1, journal);
    let mut run = || {
        let results = runner.run_while(&[Number(7)], |_, _, _| ControlFlow::Continue(())).unwrap();
        results[0].clone().unwrap()
    };
    let (first, second) = (run(), run());
    assert!(*first == 7 && Arc::ptr_eq(&first, &second), "games of a long tournament would be in memory twice");
}
