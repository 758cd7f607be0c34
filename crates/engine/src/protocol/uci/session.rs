// SPDX-License-Identifier: GPL-3.0-or-later
//! The loop that executes commands, possibly during a search.
//!
//! UCI forbids most commands during a search. Clients send them anyway, and none of them may hang or lose a game:
//! `setoption` and `position` take effect in the next search. Commands that need the thinker (`go`, `ucinewgame`,
//! another variant, `perft`, `bench`) first end the running search, which outputs its `bestmove`. Counts run to their
//! end, and later commands wait for them; `Purpose` defines what waits for what.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::mem;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::command::{self, Command, Go};
use super::input::{self, InputEvent};
use super::options::{self, CLEAR_HASH, UciSettings};
use super::output::Output;
use super::task::{Job, Purpose, Signals, Task};
use super::variant::{self, Variant};

/// `go perft` counts no deeper: the number of lines would not fit anyway.
const DEEPEST_PERFT: u32 = 20;

/// At the end of the session a search has this long to output its move.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The time between two checks whether work that others wait for is done.
const PATIENCE: Duration = Duration::from_millis(1);

/// Executes the commands on `input` until `quit`, its end, or the end of `output`. `with_parameters` lists the search's
/// parameters among the options; they can always be set.
///
/// # Errors
/// If no thread can be created to read the input.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    with_parameters: bool,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let mut session = Session::new(Output::new(output, sender.clone()), with_parameters);
    input::read_lines(input, sender)?;
    while let Some(event) = session.next_event(&events) {
        match event {
            InputEvent::Line { text, arrival } => {
                if session.line(&text, arrival) == Next::End {
                    break;
                }
            }
            InputEvent::TooLong => session.output.say("a line was too long and has been ignored"),
            InputEvent::End | InputEvent::Closed => break,
        }
    }
    if let Some(task) = session.task {
        task.end_within(QUIT_TIMEOUT);
    }
    Ok(())
}

/// What follows a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Command,
    End,
}

struct Session {
    settings: UciSettings,
    /// Whether the search's parameters are listed among the options.
    with_parameters: bool,
    variant: Box<dyn Variant>,
    /// The job that was started last; it may have ended.
    task: Option<Task>,
    /// Events that wait for that job.
    waiting: VecDeque<InputEvent>,
    output: Output,
}

impl Session {
    fn new(output: Output, with_parameters: bool) -> Self {
        let settings = UciSettings::default();
        Self {
            variant: variant::new(settings.variant, output.clone()),
            settings,
            with_parameters,
            task: None,
            waiting: VecDeque::new(),
            output,
        }
    }

    /// The next event to handle; none after the last one.
    fn next_event(&mut self, events: &Receiver<InputEvent>) -> Option<InputEvent> {
        loop {
            let Some(purpose) = self.work_to_wait_for() else {
                return self.waiting.pop_front().or_else(|| events.recv().ok());
            };
            // What had to wait for other work than this may pass now.
            if self.waiting.front().is_some_and(|event| self.passes(event, purpose)) {
                return self.waiting.pop_front();
            }
            match events.recv_timeout(PATIENCE) {
                Ok(event) if self.passes(&event, purpose) => return Some(event),
                Ok(event) => self.waiting.push_back(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// The purpose of the running job, if events have to wait for it.
    fn work_to_wait_for(&self) -> Option<Purpose> {
        let task = self.task.as_ref().filter(|task| !task.is_finished())?;
        Some(task.purpose()).filter(|&purpose| purpose != Purpose::Move)
    }

    /// Whether an event need not wait for a job with this purpose.
    fn passes(&self, event: &InputEvent, purpose: Purpose) -> bool {
        let command = match event {
            InputEvent::Line { text, .. } => command::parse(text).command,
            InputEvent::Closed => return true,
            // Events before the end are handled first.
            InputEvent::End => return purpose == Purpose::Preparation && self.waiting.is_empty(),
            InputEvent::TooLong => return false,
        };
        match (purpose, command) {
            (Purpose::Preparation, Some(Command::Quit)) => self.waiting.is_empty(),
            (Purpose::Count, Some(Command::IsReady)) => true,
            (Purpose::Count, Some(Command::Stop)) => {
                if let Some(task) = &self.task {
                    task.signals().stop();
                }
                // It may be for a job that waits.
                false
            }
            _ => false,
        }
    }

    fn line(&mut self, text: &str, arrival: Instant) -> Next {
        let parsed = command::parse(text);
        for warning in parsed.warnings {
            self.output.say(warning);
        }
        match parsed.command {
            Some(Command::Quit) => return Next::End,
            Some(command) => self.obey(command, arrival),
            None => {}
        }
        Next::Command
    }

    fn obey(&mut self, command: Command, arrival: Instant) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.get_ready(),
            Command::NewGame => {
                self.settle();
                self.variant.new_game();
                self.prepare(self.variant.forget());
            }
            Command::Stop => {
                if let Some(task) = &self.task {
                    task.signals().stop();
                }
            }
            Command::PonderHit => {
                if let Some(task) = &self.task {
                    task.signals().ponder_hit(arrival);
                }
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position { start, moves } => {
                self.variant.set_position(&start, &moves, self.settings.chess960);
            }
            Command::Go(go) => self.go(&go, arrival),
            Command::Display => self.output.line(self.variant.draw()),
            Command::Eval => self.output.line(self.variant.evaluate(&self.settings)),
            Command::Perft(depth) if depth > DEEPEST_PERFT => {
                self.output.say(format_args!("go perft: {depth} plies are too many, {DEEPEST_PERFT} are the most"));
            }
            Command::Perft(depth) => {
                self.settle();
                self.start(Purpose::Count, Signals::new(arrival, false, false), self.variant.perft(depth));
            }
            Command::Bench => {
                self.settle();
                self.start(Purpose::Count, Signals::new(arrival, false, false), self.variant.bench());
            }
            Command::Unknown(line) => self.output.say(format_args!("unknown command: {line}")),
            // There is no registration, and debug mode has no further output.
            Command::Register | Command::Debug(_) => {}
            // Handled by the caller.
            Command::Quit => {}
        }
    }

    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        let options = options::list(self.with_parameters);
        self.output.line(format_args!("id name Halfply {version}\nid author the Halfply developers\n{options}\nuciok"));
    }

    /// Does not disturb a running search: files are read before it, or after it.
    fn get_ready(&mut self) {
        if self.task.as_ref().is_some_and(|task| !task.is_finished()) {
            self.output.line("readyok");
            return;
        }
        self.variant.read_files(&self.settings);
        let output = self.output.clone();
        self.settle();
        let prepare = self.variant.prepare(&self.settings);
        let is_started = self.prepare(Box::new(move |signals| {
            prepare(signals);
            output.line("readyok");
        }));
        if !is_started {
            // The client waits for it, and the search may find a thread.
            self.output.line("readyok");
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let before = self.settings.variant;
        match options::set(&mut self.settings, name, value) {
            Ok(CLEAR_HASH) => {
                self.settle();
                self.prepare(self.variant.forget());
            }
            Ok(_) => {}
            Err(reason) => self.output.say(format_args!("setoption: {reason}")),
        }
        if self.settings.variant != before {
            self.settle();
            let old = mem::replace(&mut self.variant, variant::new(self.settings.variant, self.output.clone()));
            // Releasing much memory takes time.
            self.prepare(Box::new(move |_| drop(old)));
        }
    }

    fn go(&mut self, go: &Go, arrival: Instant) {
        self.settle();
        let signals = Signals::new(arrival, go.ponder, variant::is_endless(go));
        let job = self.variant.search(go, &self.settings, arrival);
        if !self.start(Purpose::Move, signals, job) {
            // Any move is better than none.
            self.output.line(format_args!("info depth 0 score cp 0\nbestmove {}", self.variant.any_move()));
        }
    }

    /// Ends the running search, if any, so that the thinker is free.
    fn settle(&mut self) {
        if let Some(task) = self.task.take() {
            task.end();
        }
    }

    /// Starts a job that allocates or releases the thinker's memory. Returns whether a thread could be created.
    fn prepare(&mut self, job: Job) -> bool {
        self.start(Purpose::Preparation, Signals::new(Instant::now(), false, false), job)
    }

    /// Starts a job. Returns whether a thread could be created.
    fn start(&mut self, purpose: Purpose, signals: Signals, job: Job) -> bool {
        match Task::start(purpose, signals, job) {
            Ok(task) => self.task = Some(task),
            Err(error) => self.output.say(format_args!("no thread can be created: {error}")),
        }
        self.task.is_some()
    }
}
