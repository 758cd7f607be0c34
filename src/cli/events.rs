// SPDX-License-Identifier: GPL-3.0-or-later
//! The file of events in a run's folder, as commands begin and end it.

use std::path::Path;

use serde::Serialize;

use super::learn::command_line;
use halfply_engine::base::process::ProcessId;
use halfply_lab::run::RunError;
use halfply_lab::run::events::{Begin, Ending, EventFile, FORMAT, RunKind};

/// Begins the events of a run of this process. `plan` is what watchers need besides.
pub fn begin(folder: &Path, kind: RunKind, game: &str, title: String, plan: &impl Serialize) -> EventFile {
    let process = ProcessId::this();
    let plan = serde_json::to_value(plan).unwrap_or_default();
    let begin = Begin { format: FORMAT, kind, game: game.to_owned(), title, command: command_line(), process, plan };
    EventFile::begin(folder, begin)
}

/// Ends the events of a run that has ended early. After another error than these, the process ends without a last line.
pub fn end_early(events: EventFile, error: &RunError) {
    match error {
        RunError::Stopped => events.end(Ending::Interrupted, ""),
        RunError::Waiting(_) => events.end(Ending::Waiting, ""),
        RunError::Journal(_) | RunError::Failed => {}
    }
}
