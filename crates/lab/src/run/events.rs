// SPDX-License-Identifier: GPL-3.0-or-later
//! The events of a run, in a file of its folder, for watchers: JSON Lines.
//!
//! The first line says what is run, the last one how it ended, and the lines between what was found so far. The file is written
//! anew each time the run resumes, and nothing depends on it: if it cannot be written, the run continues without it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use halfply_engine::base::process::ProcessId;
use halfply_engine::base::replace::Replacement;

/// The file's name in the folder of a run.
pub const EVENTS: &str = "events.jsonl";

/// The newest format of the file.
pub const FORMAT: u32 = 1;

/// How every file begins.
const BEGINNING: &[u8] = b"{\"event\":\"begin\"";

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    /// A tournament; its journal is beside the events.
    Tournament,
    /// Features are learned.
    Learn,
    /// Several ways to learn are compared.
    Experiment,
    /// Settings of the search are tuned on a suite or by games.
    Tuning,
    /// A network is learned.
    Network,
}

/// The first line: what is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Begin {
    /// [`FORMAT`].
    pub format: u32,
    /// What kind of run it is.
    pub kind: RunKind,
    /// The game.
    pub game: String,
    /// What it does, in a line.
    pub title: String,
    /// The command that continues it.
    pub command: String,
    /// The process that writes the events.
    pub process: ProcessId,
    /// What a watcher needs besides, by the kind of run.
    #[serde(default)]
    pub plan: Value,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// It is complete.
    Complete,
    /// It was stopped, and can be resumed.
    Interrupted,
    /// It waits for the results of other processes.
    Waiting,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum RunEvent {
    /// It begins.
    Begin(Begin),
    /// A step of a run whose steps are alike is done: an iteration, a generation.
    Step {
        /// Each figure with its name.
        figures: Vec<(String, f64)>,
    },
    /// Something was found: the report beside the events shows it.
    Found {
        /// In a sentence.
        headline: String,
    },
    /// The last line: it has ended.
    End {
        /// How it ended.
        ending: Ending,
        /// What came of it, in a sentence.
        headline: String,
    },
}

/// Writes the events of a run; by default none.
#[derive(Debug, Default)]
pub struct EventFile {
    path: PathBuf,
    /// None if it could not be written.
    file: Option<File>,
}

impl EventFile {
    /// Begins the file in the folder of a run. A file there that is not one of events is left alone.
    pub fn begin(folder: &Path, begin: Begin) -> Self {
        let path = folder.join(EVENTS);
        let file = create(&path).map_err(|error| warn(&path, &error)).ok();
        let mut events = Self { path, file };
        events.tell(&RunEvent::Begin(begin));
        events
    }

    /// Writes a line.
    pub fn tell(&mut self, event: &impl Serialize) {
        let Some(file) = &mut self.file else { return };
        // One write for each line, so that a kill leaves a prefix of it.
        let written = serde_json::to_string(event).map_err(io::Error::from);
        let written = written.and_then(|line| file.write_all((line + "\n").as_bytes()));
        if let Err(error) = written {
            warn(&self.path, &error);
            self.file = None;
        }
    }

    /// Writes the last line.
    pub fn end(mut self, ending: Ending, headline: impl Into<String>) {
        self.tell(&RunEvent::End { ending, headline: headline.into() });
    }
}

fn create(path: &Path) -> io::Result<File> {
    Replacement::new(path, "", &is_own)?.appear(&is_own)
}

/// Whether the file is one of events, of any version, or the part of one that a kill has left.
fn is_own(contents: &[u8]) -> bool {
    let (first, is_whole) = match contents.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&contents[..end], true),
        None => (contents, false),
    };
    match serde_json::from_slice::<Value>(first) {
        Ok(begin) => begin["event"] == "begin" && ["format", "kind", "process"].iter().all(|key| !begin[key].is_null()),
        Err(_) => !is_whole && (first.starts_with(BEGINNING) || BEGINNING.starts_with(first)),
    }
}

fn warn(path: &Path, error: &io::Error) {
    log::warn!("{}: {error}; the run continues, but cannot be watched", path.display());
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn begin() -> Begin {
        let (kind, process) = (RunKind::Learn, ProcessId::this());
        let [game, title, command] = ["breakthrough", "t", "c"].map(str::to_owned);
        Begin { format: FORMAT, kind, game, title, command, process, plan: Value::Null }
    }

    fn lines(folder: &Path) -> Vec<RunEvent> {
        let text = fs::read_to_string(folder.join(EVENTS)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn each_run_writes_its_events_anew() {
        let folder = tempfile::tempdir().unwrap();
        let step = |figure: f64| RunEvent::Step { figures: vec![("loss".to_owned(), figure)] };
        let mut events = EventFile::begin(folder.path(), begin());
        events.tell(&step(0.5));
        drop(events);
        assert_eq!(lines(folder.path()), [RunEvent::Begin(begin()), step(0.5)]);
        EventFile::begin(folder.path(), begin()).end(Ending::Complete, "done");
        let end = RunEvent::End { ending: Ending::Complete, headline: "done".to_owned() };
        assert_eq!(lines(folder.path()), [RunEvent::Begin(begin()), end]);
        // What a kill has left of the first line.
        for beginning in ["", "{\"event"] {
            fs::write(folder.path().join(EVENTS), beginning).unwrap();
            drop(EventFile::begin(folder.path(), begin()));
            assert_eq!(lines(folder.path()).len(), 1);
        }
    }

    #[test]
    fn a_file_of_others_is_left_alone_and_the_run_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(EVENTS);
        for mine in
            ["{\"event\":\"begin\",\"format\":1}\n{\"event\":\"login\"}\n", "{\"event\":\"begin\"\nmine", "mine"]
        {
            fs::write(&path, mine).unwrap();
            let mut events = EventFile::begin(folder.path(), begin());
            events.tell(&1);
            events.end(Ending::Complete, "");
            assert_eq!(fs::read_to_string(&path).unwrap(), mine);
        }
        EventFile::begin(&folder.path().join("none"), begin()).end(Ending::Complete, "");
        #[cfg(unix)]
        {
            fs::rename(&path, folder.path().join("target")).unwrap();
            std::os::unix::fs::symlink("target", &path).unwrap();
            EventFile::begin(folder.path(), begin()).end(Ending::Complete, "");
            assert_eq!(fs::read_to_string(folder.path().join("target")).unwrap(), "mine");
        }
    }
}
