// SPDX-License-Identifier: GPL-3.0-or-later
//! The process and its pipes.
//!
//! One thread reads and one writes, so an engine that does not read cannot block its caller. Both send timestamped
//! events to one queue. The queue and the size of an event are bounded, and lines without meaning in UCI are dropped by
//! the reader. So an engine can neither fill the memory nor hide the end of its time behind a flood of lines: if it
//! writes faster than the caller reads, it waits.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use super::command::EngineCommand;
use super::fault::EngineFault;
use super::group;
use super::reply::{self, Reply};
use halfply_engine::base::line;

/// Events that the queue holds: more than an engine writes while its caller is busy for a moment.
const WAITING: usize = 1024;

/// Bytes of a line that are read; the rest of a longer one is skipped.
const LONGEST_LINE: usize = 1 << 20;

/// The time for the process to end after a pipe is closed, which distinguishes a crash from a pipe closed on purpose.
/// Also the time for the last lines to arrive after the process has ended while a process that it started keeps the
/// pipe open.
const LAST_BREATH: Duration = Duration::from_millis(300);

/// How often to check whether the process has ended without the end of its output.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// How long to wait here for a killed process; after that, another thread waits.
const REAP_TIMEOUT: Duration = Duration::from_millis(500);

/// An event at the pipes.
#[derive(Debug)]
pub(super) enum ProcessEvent {
    /// A line with a meaning arrived.
    Reply {
        /// What it says.
        reply: Reply,
        /// When all of it had been read.
        arrival: Instant,
    },
    /// What was sent is in the pipe.
    Written {
        /// What [`Process::send`] returned.
        ticket: u64,
        /// Since when.
        at: Instant,
    },
    /// Writing is no longer possible.
    Refused,
    /// The output has ended.
    End,
}

/// A running process. Dropping it kills it and what it has started.
pub(super) struct Process {
    /// None once it has been killed. As long as it is here, it has not been reaped.
    child: Option<Child>,
    id: u32,
    commands: Sender<(u64, String)>,
    events: Receiver<ProcessEvent>,
    /// Its output has ended and the event was read: there will be no more events.
    ended: bool,
    /// When it was last checked whether the process has ended.
    checked: Instant,
    /// Since when the process is known to have ended, though its output continues.
    deserted: Option<Instant>,
    /// Events of that output that are still read when its time is over: as many as may be waiting.
    left: usize,
    /// How many times something was sent.
    sent: u64,
    /// Set when the output is no longer needed: later output of other processes is not read.
    over: Arc<AtomicBool>,
}

impl Process {
    /// Starts the program.
    pub(super) fn start(command: &EngineCommand) -> io::Result<Self> {
        let mut child = command.prepare()?.spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (commands, orders) = mpsc::channel();
        let (reports, events) = mpsc::sync_channel(WAITING);
        let over = Arc::new(AtomicBool::new(false));
        let id = child.id();
        // From here on the child is killed if anything fails.
        let process = Self {
            child: Some(child),
            id,
            commands,
            events,
            ended: false,
            checked: Instant::now(),
            deserted: None,
            left: WAITING,
            sent: 0,
            over: Arc::clone(&over),
        };
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::Error::other("it has no pipes"));
        };
        let reports_of_writer = reports.clone();
        let named = |name: &str| thread::Builder::new().name(name.to_owned());
        named("engine input").spawn(move || write(input, &orders, &reports_of_writer))?;
        named("engine output").spawn(move || read(output, &reports, &over))?;
        Ok(process)
    }

    /// The system's number of the process.
    pub(super) const fn id(&self) -> u32 {
        self.id
    }

    /// Sends lines, which are written together; returns the ticket with which they will be reported as written. Never
    /// blocks.
    pub(super) fn send(&mut self, lines: &[&str]) -> u64 {
        self.sent += 1;
        // One line for each text, even if a text contains line feeds.
        let lines: Vec<String> = lines.iter().map(|line| line.replace(['\n', '\r'], " ") + "\n").collect();
        // If the thread has ended, the engine could not be written to, which it has reported.
        let _ = self.commands.send((self.sent, lines.concat()));
        self.sent
    }

    /// The next event, if there is one within this time. What was waiting when the process ended comes before the end.
    pub(super) fn next(&mut self, at_most: Duration) -> Option<ProcessEvent> {
        let is_deserted = self.is_deserted();
        let at_most = if is_deserted { Duration::ZERO } else { at_most };
        match self.events.recv_timeout(at_most) {
            Ok(event) if !is_deserted => Some(event),
            Ok(event) if self.left > 0 => {
                self.left -= 1;
                Some(event)
            }
            Err(RecvTimeoutError::Timeout) if !is_deserted => None,
            _ => Some(ProcessEvent::End),
        }
    }

    /// Whether the process ended some time ago. Its output ends with it, unless a process that it started holds the pipe.
    fn is_deserted(&mut self) -> bool {
        if self.deserted.is_none() && self.checked.elapsed() >= CHECK_INTERVAL {
            self.checked = Instant::now();
            let has_ended = self.child.as_mut().is_none_or(group::has_ended);
            self.deserted = has_ended.then(Instant::now);
        }
        self.deserted.is_some_and(|since| since.elapsed() >= LAST_BREATH)
    }

    /// Its output has ended: from now on it counts as dead, even if the system has not released it yet.
    pub(super) const fn end(&mut self) {
        self.ended = true;
    }

    /// Discards earlier events; false if there can be no more. With an engine that writes endlessly, it stops after the
    /// events that were waiting.
    pub(super) fn forget_replies(&self) -> bool {
        if self.ended {
            return false;
        }
        for _ in 0..=WAITING {
            match self.events.try_recv() {
                Ok(ProcessEvent::Reply { .. } | ProcessEvent::Written { .. }) => {}
                Ok(ProcessEvent::Refused | ProcessEvent::End) | Err(TryRecvError::Disconnected) => return false,
                Err(TryRecvError::Empty) => break,
            }
        }
        true
    }

    /// Whether the process runs and its pipes are open. Discards earlier events.
    pub(super) fn is_alive(&mut self) -> bool {
        let runs = self.child.as_mut().is_some_and(|child| !group::has_ended(child));
        runs && self.forget_replies()
    }

    /// Why a pipe was closed. If the process has ended, it is reaped, and what it has started is killed.
    pub(super) fn post_mortem(&mut self) -> EngineFault {
        let Some(child) = &mut self.child else {
            return EngineFault::Crashed { status: "killed after an earlier fault".to_owned() };
        };
        let ended = ends(LAST_BREATH, || group::has_ended(child).then_some(())).is_some();
        let status = if ended { self.kill() } else { None };
        status.map_or(EngineFault::ClosedPipe, EngineFault::crashed)
    }

    /// Whether the process ends by itself within the time. Its output is discarded, so that a full pipe does not block it.
    pub(super) fn ends_within(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        while let Some(child) = &mut self.child
            && !group::has_ended(child)
        {
            if start.elapsed() >= time {
                return false;
            }
            if !self.forget_replies() {
                // It has closed its output and will soon be gone.
                thread::sleep(Duration::from_millis(1));
            } else if let Some(ProcessEvent::End) = self.next(Duration::from_millis(5)) {
                thread::sleep(Duration::from_millis(1));
            }
        }
        true
    }

    /// Kills the process, if it still runs, and what it has started; reaps it and returns how it ended, unless that takes
    /// the system too long.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        self.over.store(true, Ordering::Relaxed);
        let mut child = self.child.take()?;
        group::kill(&mut child);
        let status = ends(REAP_TIMEOUT, || child.try_wait().ok().flatten());
        if status.is_none() {
            // The system has not released it yet. Another thread reaps it later.
            let _ = thread::Builder::new().name("engine burial".to_owned()).spawn(move || child.wait());
        }
        status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The result of `ended` once the process has ended, if it does within the time.
fn ends<T>(time: Duration, mut ended: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        if let Some(how) = ended() {
            return Some(how);
        }
        if start.elapsed() >= time {
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Writes texts until writing fails or the sender is gone.
fn write(mut input: impl Write, orders: &Receiver<(u64, String)>, reports: &SyncSender<ProcessEvent>) {
    for (ticket, text) in orders {
        let event = match input.write_all(text.as_bytes()).and_then(|()| input.flush()) {
            Ok(()) => ProcessEvent::Written { ticket, at: Instant::now() },
            Err(_) => ProcessEvent::Refused,
        };
        let refused = matches!(event, ProcessEvent::Refused);
        if reports.send(event).is_err() || refused {
            return;
        }
    }
}

/// Reads lines until there are no more or they are no longer needed.
fn read(output: impl Read, reports: &SyncSender<ProcessEvent>, over: &AtomicBool) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    // An output that cannot be read has ended, whatever the reason.
    while let Ok(Some(line)) = next_line(&mut output) {
        let arrival = Instant::now();
        if over.load(Ordering::Relaxed) {
            return;
        }
        if let Some(reply) = reply::parse(&String::from_utf8_lossy(&line))
            && reports.send(ProcessEvent::Reply { reply, arrival }).is_err()
        {
            return;
        }
    }
    let _ = reports.send(ProcessEvent::End);
}

/// The next line, up to the limit; none at the end. Text at the end without a line feed is not a line: the engine died while
/// it wrote it.
fn next_line(output: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    // Of a longer line one byte more is kept.
    let most = LONGEST_LINE - 1;
    let line = line::next_line(output, most)?;
    Ok(line.filter(|bytes| bytes.ends_with(b"\n") || line::is_cut(bytes, most)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_or_cut() {
        let long = LONGEST_LINE;
        let mut bytes = b"uciok\r\n\n".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', long + 7));
        bytes.extend(b"\nreadyok\nbestmo");
        let (mut input, mut seen) = (bytes.as_slice(), Vec::new());
        while let Some(line) = next_line(&mut input).unwrap() {
            seen.push(line.len());
        }
        assert_eq!(seen, [7, 1, long, 8]);
    }

    /// The process has ended, and what it has started writes without end.
    #[test]
    #[cfg(unix)]
    fn what_was_said_is_heard_before_the_end() {
        let arguments = ["-c", "echo bestmove a2a3; yes info depth 1 & exit 3"].map(str::to_owned).to_vec();
        let command = EngineCommand { program: "sh".into(), arguments, ..EngineCommand::default() };
        let mut process = Process::start(&command).unwrap();
        while !group::has_ended(process.child.as_mut().unwrap()) {
            thread::sleep(CHECK_INTERVAL);
        }
        process.deserted = Some(Instant::now());
        thread::sleep(LAST_BREATH);
        let is_reply = |event: &ProcessEvent| matches!(event, ProcessEvent::Reply { .. });
        let events = std::iter::from_fn(|| process.next(Duration::ZERO)).take(2 * WAITING).take_while(is_reply);
        let events: Vec<ProcessEvent> = events.collect();
        assert!(matches!(events.first(), Some(ProcessEvent::Reply { reply: Reply::Best(_), .. })), "{events:?}");
        assert!(events.len() <= WAITING);
    }

    #[test]
    fn a_flood_waits_in_the_pipe_and_nonsense_is_dropped() {
        let (reports, events) = mpsc::sync_channel(2);
        let over = Arc::new(AtomicBool::new(false));
        let text = "info depth 1 nodes 5\nnonsense\ninfo string x\n".repeat(1000) + "bestmove a2a3\n";
        let reader = thread::spawn(move || read(io::Cursor::new(text), &reports, &over));
        let replies = events.iter().filter(|event| matches!(event, ProcessEvent::Reply { .. })).count();
        assert_eq!(replies, 1001);
        reader.join().unwrap();
    }
}
