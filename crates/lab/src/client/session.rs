// SPDX-License-Identifier: GPL-3.0-or-later
//! A conversation with an engine, from `uci` to `quit`.

use std::time::{Duration, Instant};

use super::command::EngineCommand;
use super::fault::EngineFault;
use super::options::{self, Offered};
use super::process::{Process, ProcessEvent};
use super::reply::Reply;

/// How often the caller is asked whether to keep waiting.
pub(super) const POLL: Duration = Duration::from_millis(20);

/// How long an engine has to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// The most options of an engine; further ones are ignored.
const MOST_OPTIONS: usize = 4096;

/// A running engine that is ready.
///
/// After any [`EngineFault`] its process is dead, and every further call returns [`EngineFault::Crashed`]. Dropping a
/// client kills its process at once, [`Client::quit`] lets it end by itself.
pub struct Client {
    pub(super) process: Process,
    name: String,
    offered: Vec<Offered>,
    /// How long it has to say `readyok`.
    patience: Duration,
}

impl Client {
    /// Starts an engine and sets its options: first those of the command, then the `required` ones, which the caller
    /// cannot do without (such as `UCI_Variant`). If the engine does not offer these, it is asked again after the first.
    /// It has `patience` for its introduction and as much again to be ready, then and before each game. `interrupted` is
    /// called often; once it returns true, the wait ends.
    ///
    /// # Errors
    /// Any [`EngineFault`] but [`EngineFault::Unreadable`]; none leaves a process behind.
    pub fn start(
        command: &EngineCommand,
        required: &[(String, String)],
        patience: Duration,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Self, EngineFault> {
        let process = Process::start(command)
            .map_err(|cause| EngineFault::NotStarted { program: command.program.clone(), cause })?;
        let mut client = Self { process, name: command.file_name(), offered: Vec::new(), patience };
        client.introduce(interrupted)?;
        let mut lines = options::set(&client.offered, command.options.iter())?;
        let mut required_lines = options::set(&client.offered, required.iter());
        if required_lines.is_err() && !lines.is_empty() {
            // What an engine offers may depend on other options, as Fairy-Stockfish's variants on its VariantPath.
            client.set(std::mem::take(&mut lines), interrupted)?;
            client.introduce(interrupted)?;
            required_lines = options::set(&client.offered, required.iter());
        }
        lines.extend(required_lines?);
        client.set(lines, interrupted)?;
        Ok(client)
    }

    /// Sends lines that set options, and waits until the engine is ready.
    fn set(&mut self, lines: Vec<String>, interrupted: &dyn Fn() -> bool) -> Result<(), EngineFault> {
        let lines: Vec<&str> = lines.iter().map(String::as_str).chain(["isready"]).collect();
        self.get_ready(&lines, interrupted)
    }

    /// The engine's own name, or its program's file name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The system's number of the engine's process.
    pub const fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Begins a new game, and waits until the engine is ready.
    ///
    /// # Errors
    /// [`EngineFault::Hung`] if that takes longer than the patience given at the start; [`EngineFault::Crashed`],
    /// [`EngineFault::ClosedPipe`], [`EngineFault::Interrupted`].
    pub fn new_game(&mut self, interrupted: &dyn Fn() -> bool) -> Result<(), EngineFault> {
        self.get_ready(&["ucinewgame", "isready"], interrupted)
    }

    /// Whether the engine still runs, as far as known. Discards its earlier output.
    pub fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// Lets the engine end by itself, for which it has half a second.
    pub fn quit(mut self) {
        self.process.send(&["quit"]);
        self.process.ends_within(QUIT_TIMEOUT);
    }

    /// Collects what the engine says about itself.
    fn introduce(&mut self, interrupted: &dyn Fn() -> bool) -> Result<(), EngineFault> {
        self.process.send(&["uci"]);
        let (mut name, mut offered) = (None, Vec::new());
        let over = self.listen(interrupted, |reply| {
            match reply {
                Reply::Name(text) if !text.is_empty() => name = Some(text),
                Reply::Option(option) if offered.len() < MOST_OPTIONS => offered.push(option),
                Reply::UciOk => return true,
                _ => {}
            }
            false
        })?;
        self.offered = offered;
        if let Some(name) = name {
            self.name = name;
        }
        if over { Ok(()) } else { self.fail(EngineFault::NoUci { after: self.patience }, interrupted) }
    }

    /// Sends lines, the last of which is `isready`, and waits for the answer to it.
    fn get_ready(&mut self, lines: &[&str], interrupted: &dyn Fn() -> bool) -> Result<(), EngineFault> {
        if !self.process.forget_replies() {
            return self.die(interrupted);
        }
        self.process.send(lines);
        let ready = self.listen(interrupted, |reply| reply == Reply::ReadyOk)?;
        if ready { Ok(()) } else { self.fail(EngineFault::Hung { after: self.patience }, interrupted) }
    }

    /// Hears the engine until `is_last`; false if that has not come when the patience is at its end.
    fn listen(
        &mut self,
        interrupted: &dyn Fn() -> bool,
        mut is_last: impl FnMut(Reply) -> bool,
    ) -> Result<bool, EngineFault> {
        let start = Instant::now();
        loop {
            if interrupted() {
                return self.fail(EngineFault::Interrupted, interrupted);
            }
            let now = match self.process.next(POLL) {
                Some(ProcessEvent::Reply { reply, arrival }) => {
                    if is_last(reply) {
                        return Ok(true);
                    }
                    arrival
                }
                Some(ProcessEvent::Written { at, .. }) => at,
                Some(ProcessEvent::Refused | ProcessEvent::End) => return self.die(interrupted),
                None => Instant::now(),
            };
            if now.saturating_duration_since(start) >= self.patience {
                return Ok(false);
            }
        }
    }

    /// Finds out why a pipe was closed.
    pub(super) fn die<T>(&mut self, interrupted: &dyn Fn() -> bool) -> Result<T, EngineFault> {
        let fault = self.process.post_mortem();
        self.fail(fault, interrupted)
    }

    /// Ends the process and says why.
    pub(super) fn fail<T>(&mut self, fault: EngineFault, interrupted: &dyn Fn() -> bool) -> Result<T, EngineFault> {
        self.process.kill();
        Err(if fault.may_be_interruption() && interrupted() { EngineFault::Interrupted } else { fault })
    }
}
