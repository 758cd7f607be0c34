// SPDX-License-Identifier: GPL-3.0-or-later
//! Run folders: what is not the run's own stays as it is, and what is, is whole.

use std::fs;
use std::path::Path;

use crate::process::{begin, grows, journal_lines};
use crate::support::{halfply, refusal, stdout};

const LEARN: [&str; 5] = ["learn", "--nodes", "100", "--max-evaluations", "3"];
const PLAY: [&str; 8] = ["tournament", "run", "--evaluation-b", "piece-count", "--games", "2", "--nodes", "50"];

/// All files of a folder with their contents.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap_or_default()))
        .collect();
    files.sort();
    files
}

#[test]
fn files_of_the_user_are_never_touched() {
    for (command, names) in [
        (
            &LEARN[..],
            &["extensions.toml", "features.csv", "report.html", "disjunction.toml", "halfply-results.json"][..],
        ),
        (&PLAY, &["games.pgn", "result.json", "journal.jsonl"]),
    ] {
        for fresh in [&[][..], &["--fresh"]] {
            for name in names {
                let folder = tempfile::tempdir().unwrap();
                fs::write(folder.path().join(name), "mine").unwrap();
                fs::write(folder.path().join("notes.txt"), "mine too").unwrap();
                let before = contents(folder.path());
                let output =
                    halfply().current_dir(folder.path()).args(command).args(fresh).args(["--out", "."]).assert();
                let said = String::from_utf8_lossy(&output.code(2).get_output().stderr).into_owned();
                assert!(said.contains(name) && said.contains("move it away, or choose another folder"), "{said}");
                assert_eq!(contents(folder.path()), before, "{name}");
            }
        }
        // What is not in the way stays.
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("notes.txt"), "mine too").unwrap();
        halfply().current_dir(folder.path()).args(command).args(["--out", "."]).assert().success();
        halfply().current_dir(folder.path()).args(command).args(["--out", ".", "--fresh"]).assert().success();
        assert!(contents(folder.path()).contains(&("notes.txt".to_owned(), b"mine too".to_vec())));
    }
}

#[test]
fn results_stay_until_the_new_ones_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let results = || -> Vec<_> {
        contents(&out)
            .into_iter()
            .filter(|(name, _)| !name.ends_with(".jsonl") && name != "halfply-results.json" && name != "live.html")
            .collect()
    };
    halfply().args(LEARN).arg("--out").arg(&out).assert().success();
    let first = results();
    assert_eq!(first.len(), 5);
    // Another method in the same folder, killed in the middle.
    let lines = fs::read_to_string(out.join("journal.jsonl")).unwrap().lines().count();
    let mut other = begin(&["learn", "brute-force", "--nodes", "100", "--max-atoms", "4"], &out);
    assert!(grows(&mut other, lines + 10, || journal_lines(&out)));
    assert_eq!(results(), first);
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!(results(), first);
    halfply()
        .args(["learn", "brute-force", "--nodes", "100", "--max-atoms", "1", "--out"])
        .arg(&out)
        .assert()
        .success();
    let second = results();
    assert_eq!(second.len(), 5);
    assert!(first.iter().zip(&second).all(|(old, new)| old.0 == new.0 && old.1 != new.1));
}

/// Only Unix lets anybody remove a file that is open.
#[cfg(unix)]
#[test]
fn a_folder_that_is_removed_during_the_run_is_noticed_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let play = |games| ["tournament", "run", "--evaluation-b", "piece-count", "--nodes", "20000", "--games", games];
    let mut process = begin(&play("400"), &out);
    assert!(grows(&mut process, 4, || journal_lines(&out)));
    fs::remove_dir_all(&out).unwrap();
    let output = process.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for expected in
        ["journal.jsonl: was removed, moved or changed", "written there again; run the same command again to continue"]
    {
        assert!(said.contains(expected), "{said}");
    }
    let games = fs::read_to_string(out.join("journal.jsonl")).unwrap().lines().count() - 1;
    assert!((3..400).contains(&games));
    let again = halfply().args(play("4")).arg("--out").arg(&out).assert().success().get_output().clone();
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(said.contains("complete already") || said.contains("1 game played"), "{said}");
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    for command in [&LEARN[..], &PLAY] {
        let out = file.join("out").display().to_string();
        let reason = refusal(&[command, &["--out", &out]].concat());
        assert!(reason.contains("--out"), "{reason}");
    }
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

#[test]
fn a_file_is_replaced_only_if_it_is_ours() {
    let folder = tempfile::tempdir().unwrap();
    let [mine, ours, suite, book] =
        ["mine", "ours", "ours.epd", "book"].map(|name| folder.path().join(name).display().to_string());
    fs::write(&mine, "mine").unwrap();
    let journal = "tournament/results/table-4-5-PP-partial.jsonl.gz";
    let realization = ["learn", "realization", journal, "--categories", "C", "--out"];
    let [generate, openings] = ["suite generate", "tournament openings"].map(|command| {
        format!("{command} --count 1 --nodes 500 --out").split(' ').map(str::to_owned).collect::<Vec<_>>()
    });
    let [generate, openings] = [&generate, &openings].map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
    for (command, ours) in [(&realization[..], &ours), (&generate, &suite), (&openings, &book)] {
        let reason = refusal(&[command, &[&mine]].concat());
        assert!(
            reason.contains("mine: cannot be written: it exists already, and is not a file that halfply wrote"),
            "{reason}"
        );
        stdout(&[command, &[ours]].concat());
        stdout(&[command, &[ours]].concat());
    }
    // What is read is not lost either.
    let positions = fs::read_to_string(&suite).unwrap();
    fs::write(&suite, positions.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")).unwrap();
    let reason = refusal(&["suite", "filter", &suite, "--nodes", "100", "--out", &suite]);
    assert!(reason.contains("ours.epd: is read by this command; choose another name for what it writes"), "{reason}");
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    // What only looks as if it were ours stays, too.
    for (text, command) in [
        ("#!/bin/sh\nhalfply suite generate --game chess\n", &generate[..]),
        ("# Notes\n\n- `halfply suite generate --game chess` is slow\n", &generate),
        ("# halfply tournament openings are nice\n", &openings),
        ("# made by halfply learn realization, and then by hand\n", &realization),
    ] {
        fs::write(&mine, text).unwrap();
        assert!(refusal(&[command, &[&mine]].concat()).contains("is not a file that halfply wrote"), "{text}");
        assert_eq!(fs::read_to_string(&mine).unwrap(), text);
    }
    // So does a result of a run.
    let run = folder.path().join("run").display().to_string();
    stdout(&[&PLAY[..], &["--out", &run]].concat());
    let report = format!("{run}/report.html");
    let reason = refusal(&["suite", "run", &suite, "--nodes", "10", "--page", &report]);
    assert!(reason.contains("report.html: is a result of the run in that folder; choose another name"), "{reason}");
    if cfg!(unix) {
        let reason = refusal(&["suite", "generate", "--count", "1", "--out", "/dev/null"]);
        assert!(reason.contains("/dev/null: cannot be written: it is a pipe or a device"), "{reason}");
    }
}

#[test]
fn the_name_of_an_evaluation_is_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("piece-count")).unwrap();
    let with = |evaluation: &str| {
        let mut command = halfply();
        command.current_dir(folder.path()).args(["suite", "run", "--nodes", "1", "--evaluation", evaluation]).assert()
    };
    with("piece-count").success();
    with("./piece-count").code(2);
}
