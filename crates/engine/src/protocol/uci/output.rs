// SPDX-License-Identifier: GPL-3.0-or-later
//! Output: whole lines, from any thread.

use std::fmt::Display;
use std::io::Write;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use super::input::InputEvent;

/// The output. Clones write to the same place, and lines never mix.
#[derive(Clone)]
pub(super) struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    /// The channel that reports a closed output.
    events: Sender<InputEvent>,
}

impl Output {
    pub fn new(writer: impl Write + Send + 'static, events: Sender<InputEvent>) -> Self {
        Self { writer: Arc::new(Mutex::new(writer)), events }
    }

    /// Writes a line, or several that belong together, and flushes.
    pub fn line(&self, text: impl Display) {
        // One write, so that a reader receives all of it at once.
        let text = format!("{text}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            // A client that closes the pipe has read enough. After the end of the session nobody receives this.
            let _ = self.events.send(InputEvent::Closed);
        }
    }

    /// Writes an `info string`, one for each line of the text.
    pub fn say(&self, text: impl Display) {
        let text = text.to_string();
        let lines: Vec<String> = text.lines().map(|line| format!("info string {line}")).collect();
        self.line(lines.join("\n"));
    }
}
