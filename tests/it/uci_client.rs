// SPDX-License-Identifier: GPL-3.0-or-later
//! A UCI client that talks to the program over pipes, as a GUI does.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing that is waited for may take longer, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine. What it says is checked for panics, and lines are remembered until somebody reads them.
pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    pub fn start() -> Self {
        Self::run(&mut Command::new(env!("CARGO_BIN_EXE_halfply")))
    }

    /// An engine that lists every option.
    pub fn for_tuners() -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_halfply")).arg("--tuning"))
    }

    /// An engine that can have so many KiB of addresses and no more.
    #[cfg(unix)]
    pub fn with_memory(kibibytes: u32) -> Self {
        let script = format!("ulimit -v {kibibytes} && exec \"$0\"");
        Self::run(Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_halfply")]))
    }

    fn run(command: &mut Command) -> Self {
        let mut process = command
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { input: process.stdin.take(), process, lines }
    }

    /// An engine whose answers depend on nothing that may be tuned one day.
    pub fn plain(variant: &str, evaluation: &str) -> Self {
        let mut client = Self::start();
        client.send(&format!("setoption name UCI_Variant value {variant}"));
        client.send("setoption name Profile value plain");
        client.send(&format!("setoption name Evaluation value {evaluation}"));
        client
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// All lines up to one that begins with that text, it included.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let start = Instant::now();
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("{error}: no {beginning:?}, only\n{}", lines.join("\n")),
            }
            if lines.last().is_some_and(|line| line.starts_with(beginning)) {
                return lines;
            }
        }
    }

    /// What the engine says before `readyok`.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// What the engine says to a command until it has said its move. Every move follows a score.
    pub fn search(&mut self, command: &str) -> Vec<String> {
        self.send(command);
        let lines = self.until("bestmove ");
        assert!(
            lines.iter().any(|line| line.starts_with("info depth ") && line.contains(" score ")),
            "{command}: no score in\n{}",
            lines.join("\n")
        );
        lines
    }

    /// The move that the engine answers the command with.
    pub fn best(&mut self, command: &str) -> String {
        best_of(&self.search(command))
    }

    /// The move that is said after a signal to the search under way.
    pub fn best_after(&mut self, signal: &str) -> String {
        self.send(signal);
        best_of(&self.until("bestmove "))
    }

    /// Makes sure that no move is said for a while: it is not wanted yet.
    pub fn says_no_move(&mut self) {
        let end = Instant::now() + Duration::from_millis(150);
        while let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            assert!(!line.starts_with("bestmove"), "{line} is not wanted yet");
        }
    }

    /// Ends the input and waits for the engine to end.
    pub fn end_input(mut self) -> (Vec<String>, ExitStatus) {
        drop(self.input.take());
        self.wait()
    }

    /// Says `quit` and waits for the engine to end.
    pub fn quit(mut self) -> (Vec<String>, ExitStatus) {
        self.send("quit");
        self.wait()
    }

    fn wait(mut self) -> (Vec<String>, ExitStatus) {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait().unwrap() {
                return (self.lines.iter().collect(), status);
            }
            thread::sleep(Duration::from_millis(2));
        }
        panic!("the engine does not end");
    }

    /// Stops reading what the engine says, in the middle of a line if need be, and waits for it to end.
    pub fn close_output(mut self) -> ExitStatus {
        self.lines = channel().1;
        self.wait().1
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // After `quit` it has ended; a test that fails leaves nothing running.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The move in the last line.
pub fn best_of(lines: &[String]) -> String {
    let word = lines.last().and_then(|line| line.strip_prefix("bestmove ")).and_then(|rest| rest.split(' ').next());
    word.unwrap_or_else(|| panic!("no move in\n{}", lines.join("\n"))).to_owned()
}

/// The word behind the last occurrence of a keyword in `info` lines.
pub fn last_value(lines: &[String], keyword: &str) -> Option<String> {
    let infos = lines.iter().rev().filter(|line| line.starts_with("info ") && !line.starts_with("info string"));
    let mut values = infos.filter_map(|line| line.split(' ').skip_while(|&word| word != keyword).nth(1));
    values.next().map(str::to_owned)
}

/// The lines without what differs from run to run.
pub fn steady(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let mut words = line.split(' ').peekable();
        let mut kept = Vec::new();
        while let Some(word) = words.next() {
            if line.starts_with("info depth") && matches!(word, "nps" | "time") {
                words.next();
            } else {
                kept.push(word);
            }
        }
        text += &kept.join(" ");
        text.push('\n');
    }
    text
}
