// SPDX-License-Identifier: GPL-3.0-or-later
//! Wherever a file is read: what may never end, or is far too large, is refused at once.
#![cfg(unix)]

use std::fs::File;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::support::halfply;

/// Nothing that is refused takes so long, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Paths that look like files: a pipe that nobody writes into, a device that never ends, a sparse file of 3 GB, and one
/// of a byte more than the largest journal.
fn traps() -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let [sparse, journal] = [("sparse", 3_000_000_000), ("journal", (4 << 30) + 1)].map(|(name, size)| {
        let path = folder.path().join(name);
        File::create(&path).unwrap().set_len(size).unwrap();
        path
    });
    (folder, vec![pipe, PathBuf::from("/dev/zero"), sparse, journal])
}

#[test]
fn no_command_waits_for_a_pipe_or_reads_a_device() {
    let (folder, traps) = traps();
    for trap in &traps {
        let trap = trap.to_str().unwrap();
        let is_large = trap.ends_with("sparse") || trap.ends_with("journal");
        for arguments in [
            "explain --extensions TRAP",
            "describe TRAP",
            "gtp --extensions TRAP",
            "learn --suite TRAP",
            "learn --profile full --parameters TRAP",
            "suite run TRAP",
            "suite run --extensions TRAP",
            "suite run --baseline TRAP",
            "suite filter TRAP",
            "experiment TRAP",
            "tournament run TRAP",
            "tournament run --a TRAP",
            "tournament run --evaluation-b advancement --openings TRAP",
            "tournament stats TRAP",
        ] {
            // Journals may be large: only what is larger still is refused unread.
            if arguments.contains("stats") && trap.ends_with("sparse") {
                continue;
            }
            let command = arguments.replace("TRAP", trap);
            let assert = halfply().args(command.split(' ')).current_dir(&folder).timeout(PATIENCE).assert().code(2);
            let told = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            let reason = if is_large { "it has more than" } else { "it is a pipe or a device" };
            assert!(told.contains(trap) && told.contains(reason), "{command}: {told}");
        }
    }
}

#[test]
fn the_journal_of_a_run_is_no_pipe() {
    let (folder, traps) = traps();
    std::fs::create_dir(folder.path().join("run")).unwrap();
    std::fs::rename(&traps[0], folder.path().join("run/journal.jsonl")).unwrap();
    let assert = halfply().args(["learn", "--out", "run"]).current_dir(&folder).timeout(PATIENCE).assert().code(2);
    let told = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(told.contains("journal.jsonl: it is a pipe or a device, not a file; move it away"), "{told}");
}

#[test]
fn a_session_goes_on_after_a_trap() {
    let (_folder, traps) = traps();
    for trap in &traps {
        let input = format!("1 halfply-extensions {}\n2 name\n", trap.display());
        let assert = halfply().arg("gtp").write_stdin(input).timeout(PATIENCE).assert().success();
        let answers = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        assert!(answers.starts_with("?1 ") && answers.ends_with("=2 Halfply\n\n"), "{answers}");
        let options = ["Extensions", "Book"].map(|name| format!("setoption name {name} value {}", trap.display()));
        let input = format!("setoption name OwnBook value true\n{}\nisready\n", options.join("\n"));
        let assert = halfply().write_stdin(input).timeout(PATIENCE).assert().success();
        let told = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        assert_eq!(told.matches("cannot be read").count(), 2, "{told}");
        assert!(told.ends_with("readyok\n"), "{told}");
    }
}
