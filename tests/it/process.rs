// SPDX-License-Identifier: GPL-3.0-or-later
//! The program under way: until its journal has grown, a signal, a kill.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The program on its way, with its results in that folder.
pub fn begin(arguments: &[&str], folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halfply"));
    command.args(arguments).arg("--out").arg(folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// How many lines a file has; 0 if there is none.
pub fn lines(file: &Path) -> usize {
    fs::read_to_string(file).map_or(0, |text| text.lines().count())
}

/// How many lines the journal of a run has.
pub fn journal_lines(folder: &Path) -> usize {
    lines(&folder.join("journal.jsonl"))
}

/// Waits until something has grown so far. False if the process ends before.
pub fn grows(process: &mut Child, to: usize, size: impl Fn() -> usize) -> bool {
    let start = Instant::now();
    while size() < to {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not grow");
        if process.try_wait().unwrap().is_some() {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
}

/// Kills a process, which may have ended.
pub fn kill(mut process: Child) {
    let _ = process.kill();
    process.wait().unwrap();
}

/// Kills the command when its journal has grown to that many lines. False if it ends before.
pub fn kill_at(arguments: &[&str], folder: &Path, wanted: usize) -> bool {
    let mut process = begin(arguments, folder);
    let is_killed = grows(&mut process, wanted, || journal_lines(folder));
    kill(process);
    is_killed
}

/// Sends a signal such as `INT`.
pub fn send(process: &Child, signal: &str) {
    let arguments = [format!("-{signal}"), process.id().to_string()];
    assert!(Command::new("kill").args(arguments).status().unwrap().success());
}
