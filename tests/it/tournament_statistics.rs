// SPDX-License-Identifier: GPL-3.0-or-later
//! Statistics of games: from counts, and from journals of any age.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{halfply, refusal, stdout};

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
        (vec![], "name the folder of a run or a journal"),
        (vec!["/nowhere"], "/nowhere: cannot be read"),
    ] {
        let reason = refusal(&[&["tournament", "stats"], arguments.as_slice()].concat());
        assert!(reason.contains(expected), "{arguments:?}: {reason}");
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
