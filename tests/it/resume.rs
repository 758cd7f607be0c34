// SPDX-License-Identifier: GPL-3.0-or-later
//! Killed runs resume, and come to the same bytes as one that was left alone; so do runs on other numbers of threads.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::process::kill_at;
use crate::support::{halfply, hearing, refusal};

/// The files of a run without what it took: journal lines sorted by key and without their seconds, the rest as it is.
pub fn contents(folder: &Path) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // The games of a network or of patterns are in a folder, and named by their contents.
        .filter(|path| path.is_file())
        // It holds checksums of files with times in them.
        .filter(|path| !path.ends_with("halfply-results.json"))
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = match path.extension().and_then(|extension| extension.to_str()) {
                Some("jsonl") => without_times(&text),
                // The page holds the command, which names folder and threads.
                Some("html") => {
                    text.split("<pre>").map(|part| part.split_once("</pre>").map_or(part, |(_, rest)| rest)).collect()
                }
                Some("pgn") => {
                    text.split_whitespace().filter(|word| !word.ends_with("s}")).collect::<Vec<_>>().join(" ")
                }
                _ => text,
            };
            (name, text)
        })
        .collect();
    files.sort();
    files
}

fn without_times(journal: &str) -> String {
    let mut lines: Vec<String> = journal
        .lines()
        // What was found is told to watchers from time to time.
        .filter(|line| !line.starts_with("{\"event\":\"found\""))
        .map(|line| {
            let mut value: Value = serde_json::from_str(line).unwrap();
            // Of the file of events, command and process.
            for what_it_took in ["seconds", "command", "process"] {
                value.as_object_mut().unwrap().remove(what_it_took);
            }
            if let Some(result) = value.get_mut("result").and_then(Value::as_object_mut) {
                result.remove("times");
            }
            value.to_string()
        })
        .collect();
    lines[1..].sort();
    lines.join("\n")
}

/// Runs the command to its end: stdout.
pub fn finish(arguments: &[&str], folder: &Path, threads: &str) -> String {
    let output = halfply()
        .args(arguments)
        .args(["--threads", threads, "--out"])
        .arg(folder)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    String::from_utf8(output).unwrap().replace(&folder.display().to_string(), "FOLDER")
}

/// Kills at these numbers of lines, or so many as `HALFPLY_KILLS` says, as evenly as the journal's lines allow.
fn kills(first: usize, second: usize, journal: &Path) -> Vec<usize> {
    let wanted = std::env::var("HALFPLY_KILLS").ok().and_then(|text| text.parse().ok());
    let Some(wanted) = wanted else { return vec![first, second] };
    let lines = fs::read_to_string(journal).unwrap().lines().count();
    // Near the end it would be done before the kill.
    (1..=wanted).map(|kill| 1 + lines * kill / (wanted + 10)).collect()
}

/// One run left alone, one on three threads, one killed twice: all the same.
pub fn survives_kills(arguments: &[&str], first_kill: usize, second_kill: usize) {
    let folder = tempfile::tempdir().unwrap();
    let [alone, threaded, killed] = ["alone", "threaded", "killed"].map(|name| folder.path().join(name));
    let output = finish(arguments, &alone, "1");
    let expected = contents(&alone);
    assert_eq!(finish(arguments, &threaded, "3"), output);
    assert_eq!(contents(&threaded), expected);
    for lines in kills(first_kill, second_kill, &alone.join("journal.jsonl")) {
        assert!(kill_at(arguments, &killed, lines), "it ended before it could be killed");
    }
    // A kill in the middle of a write leaves half a line.
    let journal = killed.join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, &text[..text.len() - 10]).unwrap();
    assert_eq!(finish(arguments, &killed, "2"), output);
    assert_eq!(contents(&killed), expected);
    // Complete: nothing is run again, and it says so; --fresh runs everything.
    let again = halfply().args(arguments).arg("--out").arg(&killed).assert().success().get_output().clone();
    assert!(String::from_utf8_lossy(&again.stderr).contains("was complete already"));
    let fresh =
        halfply().args(arguments).arg("--fresh").arg("--out").arg(&killed).assert().success().get_output().clone();
    assert!(!String::from_utf8_lossy(&fresh.stderr).contains("was complete already"));
    assert_eq!(contents(&killed), expected);
}

#[test]
fn learning_survives_kills() {
    survives_kills(&["learn", "--nodes", "3000", "--max-evaluations", "30"], 500, 3000);
}

/// All that goes beyond the papers at once, so that combinations are kept, and pruned for each reason.
pub const BEYOND: &str = "learn --nodes 300 --max-evaluations 40 --ply 0.25,0.5 --repeats 2 --fitness nodes \
                      --frequency-penalty 0.2 --epsilon 0 --significance 0.9 --no-threshold-pruning --held-out 0.5 \
                      --rows 3 --starts 2";

/// Fewer of them, but a disjunction that is better than every feature alone.
const ROWS: &str = "learn --nodes 5000 --held-out 0.333 --rows 4 --starts 5 --max-evaluations 30";

pub fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().collect()
}

#[test]
fn learning_beyond_the_papers_survives_kills() {
    survives_kills(&words(BEYOND), 500, 3000);
}

#[test]
fn early_rejection_finds_the_same() {
    rejects_early(&["learn", "--nodes", "1500", "--max-evaluations", "40"]);
    // Shorter searches may all be done before the first is judged.
    let longer = BEYOND.replace("--nodes 300", "--nodes 1000");
    let folder = rejects_early(&words(&longer));
    let features = fs::read_to_string(folder.path().join("one/features.csv")).unwrap();
    for verdict in [",kept,", ",pruned,", ",true,"] {
        assert!(features.contains(verdict), "{verdict}\n{features}");
    }
    let folder = rejects_early(&words(ROWS));
    let read = |run: &str, file: &str| fs::read_to_string(folder.path().join(run).join(file)).unwrap();
    assert!(read("one", "disjunction.toml").matches("[[extension]]").count() > 1);
    for file in ["disjunction.toml", "match.toml", "knowledge.json"] {
        assert_eq!(read("one", file), read("three", file));
        assert_eq!(read("one", file), read("whole", file));
    }
}

/// The same features with and without, on one thread and on several; only less is searched.
fn rejects_early(learn: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let early = [learn, &["--early-rejection"]].concat();
    let [whole, one, three] = ["whole", "one", "three"].map(|name| folder.path().join(name));
    let expected = finish(learn, &whole, "2");
    let output = finish(&early, &one, "1");
    let (table, saved) = output.split_once("early rejection left ").unwrap();
    let rest = saved.split_once('\n').unwrap().1;
    assert_eq!(format!("{table}{rest}"), expected);
    assert_eq!(finish(&early, &three, "3"), output);
    let read = |folder: &Path, file: &str| fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!(read(&one, "extensions.toml"), read(&whole, "extensions.toml"));
    assert_eq!(read(&one, "features.csv"), read(&three, "features.csv"));
    assert!(read(&one, "journal.jsonl").lines().count() < read(&whole, "journal.jsonl").lines().count());
    folder
}

/// What one way of learning has searched costs the next one nothing.
#[test]
fn runs_of_the_same_searches_share_them() {
    let folder = tempfile::tempdir().unwrap();
    let learn = |options: &[&str]| {
        let mut command = halfply();
        command.current_dir(folder.path()).args(["learn", "--nodes", "500", "--max-evaluations", "10"]).args(options);
        String::from_utf8_lossy(&command.assert().success().get_output().stderr).into_owned()
    };
    assert!(!learn(&[]).contains("complete already"));
    assert!(learn(&["--epsilon", "7"]).contains("complete already"));
    assert!(!learn(&["--ply", "0.25"]).contains("complete already"), "another ply is another search");
    let names = |prefix: &str| {
        let entries = fs::read_dir(folder.path().join("runs")).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(prefix)).count()
    };
    assert_eq!((names("searches-breakthrough-"), names("learn-breakthrough-")), (1, 3));
}

/// The tables of the thesis, at so few nodes that they say nothing, but are made all the same.
#[test]
fn an_experiment_sets_its_runs_beside_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    let text = "format = 1\ntitle = \"A test\"\ngame = \"breakthrough\"\nnodes = 2000\npublished_by = \"paper\"\n\
                [[run]]\nname = \"groups\"\npublished_evaluations = 112\n\
                recipe = { linear_tree_pruning = false, threshold_pruning = false }\n\
                [[run]]\nname = \"pruning\"\n\
                [[run]]\nname = \"all pairs\"\nis_reference = true\nrecipe = { method = \"brute-force\", max_atoms = 2 }\n\
                [run.published_features]\n\"Ud-RdTt\" = 235\n";
    fs::write(&plan, text).unwrap();
    let out = folder.path().join("out");
    let run = |options: &[&str]| {
        let output = halfply().arg("experiment").arg(&plan).arg("--out").arg(&out).args(options).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let report = run(&[]);
    insta::assert_snapshot!(report);
    assert_eq!(run(&[]), report);
    // The file has every column.
    assert_eq!(fs::read_to_string(out.join("report.md")).unwrap().trim_end(), run(&["--wide"]).trim_end());
    // A page for each run.
    let page = |number: u32| fs::read_to_string(out.join(format!("run-{number}.html"))).unwrap();
    assert!(page(1).contains("<title>A test: groups</title>") && page(2).contains("How the features grew"));
    // They link to each other.
    assert!(page(1).contains("<a href=\"run-2.html\">pruning</a>") && page(2).contains("<a href=\"report.html\">"));
}

#[test]
fn a_match_survives_kills() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.toml");
    let text = "format = 1\ngame = \"breakthrough\"\n[[extension]]\nfeature = \"RdTt\"\nply = 0.5\n";
    fs::write(&table, text).unwrap();
    let table = table.display().to_string();
    survives_kills(&["tournament", "run", "--a", &table, "--games", "40", "--nodes", "3000"], 4, 12);
}

#[test]
fn games_for_patterns_survive_kills() {
    let command = "evaluation patterns data --game breakthrough --nodes 10 --count 600 --pieces 17-28";
    survives_kills(&words(command), 3, 6);
}

#[test]
fn a_folder_of_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let learn = |nodes| ["learn", "--max-evaluations", "1", "--nodes", nodes, "--out"];
    halfply().args(learn("100")).arg(&out).assert().success();
    let reason = refusal(&[learn("200").as_slice(), &[&out]].concat());
    assert!(reason.contains("nodes was 100 and is 200") && reason.contains("--fresh"), "{reason}");
}

/// As soon as the program hears signals, and it hears them before it begins to work.
#[cfg(target_os = "linux")]
#[test]
fn signals_at_the_very_beginning_end_with_the_status_that_is_promised() {
    let folder = tempfile::tempdir().unwrap();
    for (number, signal) in [(2, "-INT"), (15, "-TERM")] {
        let out = folder.path().join(number.to_string());
        let mut process = hearing(&[])
            .args(["learn", "--out"])
            .arg(&out)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The mask of the signals that are caught.
        let status = format!("/proc/{}/status", process.id());
        let hears = || {
            let text = fs::read_to_string(&status).unwrap();
            let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            u64::from_str_radix(mask.trim(), 16).unwrap() & 1 << (number - 1) != 0
        };
        let start = Instant::now();
        while !hears() {
            assert!(start.elapsed() < Duration::from_secs(60), "it hears no signals");
            thread::sleep(Duration::from_micros(100));
        }
        assert!(!out.exists(), "it has begun to work without hearing signals");
        assert!(Command::new("kill").args([signal, &process.id().to_string()]).status().unwrap().success());
        assert_eq!(process.wait().unwrap().code(), Some(130), "{signal}");
    }
}
