// SPDX-License-Identifier: GPL-3.0-or-later
//! Search control that is learned from the search's own trees, as users see it.

use std::fs;
use std::path::Path;

use crate::process::kill_at;
use crate::support::{halfply, refusal, stdout};

/// Three batches of short games, and the options that follow.
const GAMES: [&str; 8] = ["learn", "control", "--games", "25", "--nodes", "300", "--every", "4"];

/// As much as it takes to find features that help.
const WITH_FEATURES: [&str; 10] =
    ["learn", "control", "--games", "25", "--nodes", "700", "--every", "8", "--features", "2"];

fn learn(command: &[&str], out: &Path, more: &[&str]) -> String {
    let out = out.display().to_string();
    stdout(&[command, &["--out", &out], more].concat())
}

/// The model without the command in its comment, and the table of its weights.
fn made(folder: &Path) -> [String; 2] {
    let model = fs::read_to_string(folder.join("control.toml")).unwrap();
    let (comment, model) = model.split_once('\n').unwrap();
    assert!(comment.starts_with("# halfply learn control"), "{comment}");
    [model.to_owned(), fs::read_to_string(folder.join("weights.csv")).unwrap()]
}

#[test]
fn the_same_model_comes_out_killed_or_not_on_threads_and_from_workers() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, killed, spooled] = ["one", "two", "killed", "spooled"].map(|name| folder.path().join(name));
    let told = learn(&WITH_FEATURES, &one, &["--threads", "1"]);
    for expected in ["the same and expected cut nodes", "all, with features of the move", "raise alpha", "match.toml"] {
        assert!(told.contains(expected), "{told}");
    }
    let expected = made(&one);
    assert!(expected[0].contains("[reduce]") && expected[0].contains("[features]"), "{}", expected[0]);
    learn(&WITH_FEATURES, &two, &["--threads", "3"]);
    assert_eq!(made(&two), expected);

    // It may end before.
    kill_at(&[&WITH_FEATURES[..], &["--threads", "1"]].concat(), &killed, 2);
    learn(&WITH_FEATURES, &killed, &[]);
    assert_eq!(made(&killed), expected);

    let spool = folder.path().join("spool").display().to_string();
    let run = [&WITH_FEATURES[..], &["--spool", &spool, "--out"]].concat();
    halfply().args(&run).arg(&spooled).assert().code(3);
    let manifest = folder.path().join("spool/manifest.json").display().to_string();
    for shard in ["1/2", "2/2"] {
        stdout(&["work", "--manifest", &manifest, "--shard", shard]);
    }
    halfply().args(&run).arg(&spooled).assert().success();
    assert_eq!(made(&spooled), expected);
}

#[test]
fn a_model_plays_and_its_match_file_is_a_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    learn(&GAMES, &out, &[]);
    let match_file = out.join("match.toml").display().to_string();
    let games = folder.path().join("games").display().to_string();
    let played = stdout(&["tournament", "run", &match_file, "--games", "2", "--nodes", "300", "--out", &games]);
    assert!(played.contains("learned against by hand"), "{played}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("What has to be known of a move") && page.contains("expected to fail high"));
}

/// Workers and the match read the files of the search wherever they are started.
#[test]
fn the_files_of_the_search_are_found_from_other_folders() {
    let folder = tempfile::tempdir().unwrap();
    let [out, spool, games] = ["out", "spool", "games"].map(|name| folder.path().join(name).display().to_string());
    fs::write(folder.path().join("mine.toml"), "killers = false\n").unwrap();
    let learn = || {
        let mut command = halfply();
        command.current_dir(&folder).args(GAMES).args(["--game", "chess", "--parameters", "mine.toml"]);
        command.args(["--realization", "rps", "--out", &out, "--spool", &spool]);
        command.arg("--syzygy").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syzygy"));
        command.assert().get_output().status.code()
    };
    assert_eq!(learn(), Some(3));
    stdout(&["work", "--manifest", &format!("{spool}/manifest.json"), "--threads", "2"]);
    assert_eq!(learn(), Some(0));
    stdout(&["tournament", "run", &format!("{out}/match.toml"), "--games", "2", "--nodes", "20", "--out", &games]);
    let journal = fs::read_to_string(format!("{games}/journal.jsonl")).unwrap();
    let header: serde_json::Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    for search in header["config"]["players"].as_array().unwrap() {
        assert_eq!(
            (&search["realization"], &search["full"]["parameters"]["killers"]),
            (&"rps".into(), &"false".into())
        );
        assert!(search["full"]["endings"].as_str().unwrap().contains("10 files"), "{search}");
    }
}

#[test]
fn what_is_damaged_or_too_little_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let shown = out.display().to_string();
    let few = refusal(&["learn", "control", "--games", "2", "--nodes", "2", "--out", &shown]);
    assert!(few.contains("too few samples of moves that can be reduced"), "{few}");
    let plain = refusal(&["learn", "control", "--profile", "plain", "--out", &shown]);
    assert!(plain.contains("control is of the full search"), "{plain}");
    let out = folder.path().join("other");
    let shown = out.display().to_string();
    learn(&GAMES, &out, &[]);
    let samples = fs::read_dir(out.join("samples")).unwrap().next().unwrap().unwrap().path();
    let bytes = fs::read(&samples).unwrap();
    for damaged in [&bytes[1..], &[&bytes[..], &[0]].concat()] {
        fs::write(&samples, damaged).unwrap();
        let told = refusal(&[&GAMES[..], &["--out", &shown]].concat());
        assert!(told.contains("it was changed: its name is not the SHA-256 of its contents; remove the file, and --fresh plays its games again"), "{told}");
    }
    fs::remove_file(&samples).unwrap();
    learn(&GAMES, &out, &["--fresh"]);
}
