// SPDX-License-Identifier: GPL-3.0-or-later
//! The runs under a folder. Only beginnings and ends of files are read, so thousands of runs are listed in a moment.

use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use flate2::read::GzDecoder;
use serde::Serialize;
use serde_json::Value;

use super::place::{Root, is_own, read_own, results};
use halfply_engine::base::echo::shortened;
use halfply_engine::base::figures::{percent, thousands};
use halfply_engine::base::files;
use halfply_lab::run::Header;
use halfply_lab::run::events::{Begin, EVENTS, Ending, RunEvent, RunKind};

/// How deep folders are searched.
const DEEPEST: usize = 4;
/// The most runs of a list.
const MOST_RUNS: usize = 500;
/// The most files and folders that are looked at.
const MOST_ENTRIES: usize = 20_000;

/// The most bytes of the first line of a file.
const FIRST_LINE: u64 = 1 << 20;
/// The most bytes of the first event, which has the command line.
const FIRST_EVENT: u64 = 256 << 10;
/// The most bytes of the last line of a file.
const LAST_LINE: u64 = 64 << 10;
/// The most bytes of a result.
const LARGEST_RESULT: u64 = 4 << 20;

/// The most characters of a text in the list.
const LONGEST_TEXT: usize = 500;

/// The result in the folder of a tournament.
const RESULT: &str = "result.json";

/// The journal in the folder of a run.
pub(super) const JOURNAL: &str = "journal.jsonl";

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RunState {
    /// A process computes it.
    Running,
    /// It waits for the results of other processes.
    Waiting,
    /// It is complete.
    Complete,
    /// It was stopped or killed, and can be resumed.
    Interrupted,
    /// Older versions have not written how far it is.
    Unknown,
}

/// A run in the list.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Listed {
    /// Its path under the folder.
    pub name: String,
    /// What kind of run it is, in a word.
    pub kind: String,
    /// The game; none if it is not known.
    pub game: Option<String>,
    /// What it does.
    pub title: String,
    /// How far it is.
    pub state: RunState,
    /// What was found, in a sentence.
    pub headline: String,
    /// When it was last written, in seconds since 1970.
    pub changed: u64,
}

/// What the file of events says.
pub(super) struct RunEvents {
    /// Its first line.
    pub begin: Begin,
    /// Its last line, if the run has ended.
    end: Option<Ending>,
    /// What was found, or found last.
    headline: String,
}

impl RunEvents {
    fn state(&self) -> RunState {
        match self.end {
            Some(Ending::Complete) => RunState::Complete,
            Some(Ending::Waiting) => RunState::Waiting,
            Some(Ending::Interrupted) => RunState::Interrupted,
            None if self.begin.process.runs() => RunState::Running,
            None => RunState::Interrupted,
        }
    }
}

/// The word for a kind of run.
fn word(kind: RunKind) -> String {
    // A kind is written as a word.
    serde_json::to_value(kind).ok().and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The runs, the newest first, and whether there are more.
pub(super) fn runs(root: &Root) -> (Vec<Listed>, bool) {
    let mut search = Search { root, runs: Vec::new(), entries: 0 };
    search.folder(root.path(), 0);
    let Search { mut runs, entries, .. } = search;
    runs.sort_by(|one, other| other.changed.cmp(&one.changed).then_with(|| one.name.cmp(&other.name)));
    let is_cut = runs.len() > MOST_RUNS || entries >= MOST_ENTRIES;
    runs.truncate(MOST_RUNS);
    (runs, is_cut)
}

struct Search<'a> {
    root: &'a Root,
    runs: Vec<Listed>,
    entries: usize,
}

impl Search<'_> {
    /// What cannot be read is left out.
    fn folder(&mut self, folder: &Path, depth: usize) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut entries: Vec<DirEntry> = entries.flatten().take(MOST_ENTRIES).collect();
        entries.sort_by_key(DirEntry::file_name);
        // A folder with events is one run; its journal is part of it.
        let mut is_run = false;
        if depth > 0 {
            let run = run_in(self.root, folder);
            is_run = run.is_some();
            self.runs.extend(run.map(|(run, _)| run));
        }
        for entry in entries {
            self.entries += 1;
            if self.entries >= MOST_ENTRIES {
                return;
            }
            // Links are not followed: they may lead out of the folder, or in a circle.
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < DEEPEST {
                self.folder(&entry.path(), depth + 1);
            } else if kind.is_file() && !is_run {
                self.runs.extend(journal_at(self.root, &entry.path()));
            }
        }
    }
}

/// The run in a folder, or in a journal that is no part of one, with its first event if it has written one.
pub(super) fn run_at(root: &Root, path: &Path) -> Option<(Listed, Option<Begin>)> {
    if path.is_dir() { run_in(root, path) } else { journal_at(root, path).map(|run| (run, None)) }
}

fn run_in(root: &Root, folder: &Path) -> Option<(Listed, Option<Begin>)> {
    let name = name(root, folder)?;
    let changed = [EVENTS, JOURNAL].into_iter().filter_map(|file| changed(&folder.join(file))).max();
    if let Some(events) = events(&folder.join(EVENTS)) {
        let text = |text: &str| shortened(text, LONGEST_TEXT).into_owned();
        let run = Listed {
            name,
            kind: word(events.begin.kind),
            state: events.state(),
            headline: text(&events.headline),
            changed: changed.unwrap_or_default(),
            game: Some(text(&events.begin.game)),
            title: text(&events.begin.title),
        };
        return Some((run, Some(events.begin)));
    }
    // Of an older version: results, or the journal of a tournament.
    let results = results(folder);
    let header = header(&folder.join(JOURNAL)).filter(|header| header.experiment == "tournament");
    let results_changed =
        || changed.or_else(|| results.iter().filter_map(|name| self::changed(&folder.join(name))).max());
    let kind = match &header {
        Some(header) => header.experiment.clone(),
        None if results.is_empty() => return None,
        None if results.iter().any(|name| name == "features.csv") => "learn".to_owned(),
        None if results.iter().any(|name| name == "run-1.html") => "experiment".to_owned(),
        None if results.iter().any(|name| name == "evaluation.network") => "network".to_owned(),
        None => "run".to_owned(),
    };
    let state = match (results.is_empty(), &header) {
        (true, _) => RunState::Unknown,
        (false, Some(_)) if result(&folder.join(RESULT)).is_none() => RunState::Unknown,
        (false, _) => RunState::Complete,
    };
    let title = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let headline = result(&folder.join(RESULT)).unwrap_or_default();
    let changed = results_changed().unwrap_or_default();
    Some((Listed { name, kind, game: header.as_ref().and_then(game), title, state, headline, changed }, None))
}

/// A journal of a tournament that is no part of a run's folder.
fn journal_at(root: &Root, path: &Path) -> Option<Listed> {
    let file = path.file_name()?.to_str()?;
    let title = file.strip_suffix(".jsonl").or_else(|| file.strip_suffix(".jsonl.gz"))?;
    if file == EVENTS {
        return None;
    }
    let header = header(path).filter(|header| header.experiment == "tournament")?;
    Some(Listed {
        name: name(root, path)?,
        kind: "tournament".to_owned(),
        game: game(&header),
        title: title.to_owned(),
        state: RunState::Unknown,
        // `tournament stats --json` beside the journal.
        headline: result(&path.with_file_name(format!("{title}.json"))).unwrap_or_default(),
        changed: changed(path).unwrap_or_default(),
    })
}

/// The path under the folder, as the page names it; none if it is no text.
fn name(root: &Root, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root.path()).ok()?;
    let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

/// The game of a journal.
fn game(header: &Header) -> Option<String> {
    header.config.get("game").and_then(Value::as_str).map(|game| shortened(game, LONGEST_TEXT).into_owned())
}

/// When a file was last written, in seconds since 1970.
fn changed(path: &Path) -> Option<u64> {
    let modified = fs::metadata(path).ok()?.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    Some(modified.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
}

/// What a file of events says at its beginning and at its end. Lines of later versions are passed over.
pub(super) fn events(path: &Path) -> Option<RunEvents> {
    let beginning = files::read_beginning(path, FIRST_EVENT).ok().filter(|_| is_own(path))?;
    let first = beginning.split_inclusive(|&byte| byte == b'\n').next().filter(|line| line.ends_with(b"\n"))?;
    let Ok(RunEvent::Begin(begin)) = serde_json::from_slice(first) else { return None };
    let length = files::length(path).ok()?;
    let end = files::read_from(path, length.saturating_sub(LAST_LINE), LAST_LINE).ok()?;
    let mut events = RunEvents { begin, end: None, headline: String::new() };
    // What follows the last line feed is a line without its end.
    for (place, line) in end.rsplit(|&byte| byte == b'\n').skip(1).enumerate() {
        match serde_json::from_slice(line) {
            Ok(RunEvent::End { ending, headline }) if place == 0 => {
                events.end = Some(ending);
                events.headline = headline;
            }
            Ok(RunEvent::Found { headline }) if events.headline.is_empty() => events.headline = headline,
            _ => {}
        }
        if !events.headline.is_empty() {
            break;
        }
    }
    Some(events)
}

/// The header of a journal; none if the file is none.
pub(super) fn header(path: &Path) -> Option<Header> {
    let bytes = files::read_beginning(path, FIRST_LINE).ok().filter(|_| is_own(path))?;
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let bytes = if is_packed { unpacked(&bytes) } else { bytes };
    let first = bytes.split(|&byte| byte == b'\n').next()?;
    serde_json::from_slice(first).ok()
}

/// The beginning of what was packed. The packed beginning ends anywhere, which is no fault.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut unpacked = Vec::new();
    let _ = io::copy(&mut io::Read::take(GzDecoder::new(bytes), FIRST_LINE), &mut unpacked);
    unpacked
}

/// What the result of a tournament says, in a sentence.
fn result(path: &Path) -> Option<String> {
    let result: Value = serde_json::from_slice(&read_own(path, LARGEST_RESULT).ok()?).ok()?;
    let games = result.get("games")?.as_u64()?;
    let players = result.get("players")?.as_array()?;
    let score = |player: &&Value| player.get("score").and_then(Value::as_f64).unwrap_or_default();
    let best = match &players[..] {
        [first, _] => first,
        players => players.iter().max_by(|one, other| score(one).total_cmp(&score(other)))?,
    };
    let name = best.get("name")?.as_str()?;
    let name = shortened(name, LONGEST_TEXT);
    Some(format!("{name} has {} of the points after {} games.", percent(score(&best)), thousands(games)))
}
