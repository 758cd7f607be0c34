// SPDX-License-Identifier: GPL-3.0-or-later
//! The one way out: whole lines, from any thread.

use std::fmt::Display;
use std::io::Write;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use super::input::Event;

/// Where answers go. Clones write to the same place; a line is never torn by another.
#[derive(Clone)]
pub(super) struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    /// Who is told when nobody reads any more.
    events: Sender<Event>,
}

impl Output {
    pub fn new(writer: impl Write + Send + 'static, events: Sender<Event>) -> Self {
        Self { writer: Arc::new(Mutex::new(writer)), events }
    }

    /// Writes a line, or several that belong together, and flushes.
    pub fn line(&self, text: impl Display) {
        // One piece, so that a reader who is woken by its beginning finds its end.
        let text = format!("{text}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            // Whoever closes the pipe has read enough. If the session is over it need not be told.
            let _ = self.events.send(Event::Closed);
        }
    }

    /// Tells the user something; of a text of several lines each is marked.
    pub fn say(&self, text: impl Display) {
        let text = text.to_string();
        let lines: Vec<String> = text.lines().map(|line| format!("info string {line}")).collect();
        self.line(lines.join("\n"));
    }
}
