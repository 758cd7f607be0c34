// SPDX-License-Identifier: GPL-3.0-or-later
//! One run, read while it grows. All who watch it share what was read.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Text;
use super::list::{JOURNAL, RunState, state, word};
use super::place::{is_own, is_shown, results};
use super::view::{GameShown, GameToReplay, TournamentView, View};
use halfply_engine::base::echo::shortened;
use halfply_engine::base::figures::thousands;
use halfply_lab::report::page::Part;
use halfply_lab::run::events::{Begin, EVENTS, End, RunEvent, RunKind};
use halfply_lab::run::follow::{JournalFollower, JournalNews, Lines};
use halfply_lab::tournament::course::Planned;
use halfply_lab::tournament::record::GameRecord;

/// How many games are sent at a time.
const GAMES_AT_A_TIME: usize = 200;

/// The most bytes of a file of events that is followed.
const LARGEST_EVENTS: u64 = 64 << 20;

/// The most characters of a text of a run that are shown.
const LONGEST_TEXT: usize = 2000;

/// The most result files that are shown.
const MOST_FILES: usize = 200;

/// What the page shows of a run.
#[derive(Debug, Serialize)]
pub struct Shown {
    /// Its path under the folder.
    pub name: String,
    /// What kind of run it is.
    pub kind: String,
    /// The game; none if it is not known.
    pub game: Option<String>,
    /// What it does.
    pub title: String,
    /// How far it is.
    pub(super) state: RunState,
    /// What was found so far, in a sentence.
    pub headline: String,
    /// The command that continues it.
    pub command: Option<String>,
    /// What is wrong with its files, for the reader.
    pub notes: Vec<String>,
    /// Each with its title and HTML.
    pub parts: Vec<PartShown>,
    /// The number of games that can be replayed.
    pub games: usize,
    /// Result files, by name.
    pub files: Vec<String>,
}

/// A part of what is shown.
#[derive(Debug, PartialEq, Serialize)]
pub struct PartShown {
    title: String,
    html: String,
}

/// Some games of a tournament.
#[derive(Debug, Serialize)]
pub struct GamesShown {
    /// The number of the first of them, from 0.
    pub from: usize,
    /// The games.
    pub games: Vec<GameShown>,
}

/// A run that is watched.
#[derive(Debug)]
pub(super) struct Watched {
    name: String,
    /// The run's folder, or its journal.
    path: PathBuf,
    events: Lines,
    journal: JournalFollower,
    begin: Option<Begin>,
    end: Option<End>,
    view: View,
    notes: Vec<String>,
    /// Why its files cannot be read: they are none of a run. They are not read again.
    fault: Option<String>,
    looked: Option<Instant>,
    asked: Instant,
    /// Whether something was read that is not shown yet.
    is_new: bool,
    shown: Option<Arc<Shown>>,
    /// The same as JSON.
    text: Text,
}

impl Watched {
    /// The run at this path, which has not been read yet.
    pub(super) fn at(name: &str, path: &Path) -> Self {
        let journal = if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() };
        Self {
            name: name.to_owned(),
            path: path.to_owned(),
            events: Lines::of(&path.join(EVENTS), LARGEST_EVENTS),
            journal: JournalFollower::of(&journal, "tournament"),
            begin: None,
            end: None,
            view: View::Nothing,
            notes: Vec::new(),
            fault: None,
            looked: None,
            asked: Instant::now(),
            is_new: true,
            shown: None,
            text: Text::new(),
        }
    }

    /// How long ago somebody has asked about it.
    pub(super) fn asked(&self) -> Duration {
        self.asked.elapsed()
    }

    /// What is shown now, read again unless that is `fresh`.
    pub(super) fn look(&mut self, fresh: Duration) -> Arc<Shown> {
        self.asked = Instant::now();
        if let Some(shown) = &self.shown
            && self.looked.is_some_and(|looked| looked.elapsed() < fresh)
        {
            return Arc::clone(shown);
        }
        self.notes.clear();
        if let Err(error) = self.read() {
            match error.kind() {
                io::ErrorKind::NotFound => self.notes.push("Its files have been removed or moved.".to_owned()),
                io::ErrorKind::InvalidData | io::ErrorKind::FileTooLarge => self.fault = Some(error.to_string()),
                _ => self.notes.push(error.to_string()),
            }
        }
        self.notes.extend(self.fault.clone());
        if self.journal.damaged() > 0 {
            self.notes.push(format!("{} damaged lines of the journal are left out.", self.journal.damaged()));
        }
        if self.journal.left_out() > 0 {
            let count = thousands(self.journal.left_out() as u64);
            self.notes.push(format!("The journal has {count} more games, which are left out."));
        }
        if self.view.not_replayed() > 0 {
            let count = thousands(self.view.not_replayed() as u64);
            self.notes.push(format!(
                "{count} games count, but cannot be replayed here: there are too many, or they are too long."
            ));
        }
        self.looked = Some(Instant::now());
        let (state, files) = (self.state(), self.files());
        let is_as_before = |shown: &&Arc<Shown>| {
            !self.is_new && shown.state == state && shown.files == files && shown.notes == self.notes
        };
        if let Some(shown) = self.shown.as_ref().filter(is_as_before) {
            return Arc::clone(shown);
        }
        let shown = Arc::new(self.show(state, files));
        self.text = serde_json::to_vec(&*shown).unwrap_or_default().into();
        self.is_new = false;
        self.shown = Some(Arc::clone(&shown));
        shown
    }

    /// What was shown at the last look, as JSON.
    pub(super) fn text(&self) -> Text {
        self.text.clone()
    }

    fn state(&self) -> RunState {
        match &self.begin {
            Some(begin) => state(begin, self.end.as_ref()),
            None if results(&self.path).is_empty() => RunState::Unknown,
            None => RunState::Complete,
        }
    }

    /// The result files that a page can show.
    fn files(&self) -> Vec<String> {
        let exists = |name: &String| is_shown(name) && is_own(&self.path.join(name));
        results(&self.path).into_iter().filter(exists).take(MOST_FILES).collect()
    }

    /// Reads what is new.
    fn read(&mut self) -> io::Result<()> {
        self.check_place()?;
        if self.fault.is_some() && self.has_begun_anew() {
            self.forget();
        }
        if self.fault.is_some() {
            return Ok(());
        }
        self.read_events()?;
        self.read_journal()
    }

    /// Checks that the run is still where it was, and consists of files and not of links, which may lead anywhere.
    fn check_place(&self) -> io::Result<()> {
        if self.path.canonicalize()? != self.path {
            return Err(io::ErrorKind::NotFound.into());
        }
        for file in [EVENTS, JOURNAL].map(|file| self.path.join(file)) {
            if file.is_symlink() {
                return Err(io::Error::other(format!("{} is a link, which is not followed", file.display())));
            }
        }
        Ok(())
    }

    /// Reads what is new in the file of events, if there is one.
    fn read_events(&mut self) -> io::Result<()> {
        if self.path.is_file() {
            return Ok(());
        }
        let is_anew = match self.events.is_anew() {
            // An older version, or the run has not begun.
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.begin.is_none() => return Ok(()),
            is_anew => is_anew?,
        };
        if is_anew || self.has_begun_anew() {
            self.forget();
        }
        let Self { events, journal, begin, end, view, is_new, .. } = self;
        events.look(|line| {
            *is_new = true;
            match serde_json::from_slice(line) {
                Ok(RunEvent::Begin(begun)) => {
                    *view = View::of(&begun);
                    *begin = Some(begun);
                    // What was read of it before was not of this run.
                    journal.rewind();
                }
                Ok(RunEvent::End(ended)) => *end = Some(ended),
                Ok(RunEvent::Step(step)) => view.enter_step(step),
                Err(_) => view.enter_line(line),
            }
            Ok(())
        })
    }

    /// Whether the run has been started again since its first line was read: another process writes that line.
    fn has_begun_anew(&self) -> bool {
        let Some(begin) = &self.begin else { return false };
        let now = super::list::events(&self.path.join(EVENTS));
        now.is_some_and(|(now, _)| now != *begin)
    }

    fn forget(&mut self) {
        self.events.rewind();
        self.journal.rewind();
        (self.begin, self.end, self.view, self.fault) = (None, None, View::Nothing, None);
    }

    /// Reads what is new in the journal, if that is one of games.
    fn read_journal(&mut self) -> io::Result<()> {
        let is_tournament = self.begin.as_ref().is_none_or(|begin| begin.kind == RunKind::Tournament);
        if !is_tournament {
            return Ok(());
        }
        let planned = self.begin.as_ref().and_then(|begin| serde_json::from_value(begin.plan.clone()).ok());
        let planned: Planned = planned.unwrap_or_default();
        let Self { journal, view, is_new, .. } = self;
        let read = journal.look(|news: JournalNews<GameRecord>| {
            *is_new = true;
            match (news, &mut *view) {
                (JournalNews::Begun(header), view) => {
                    let tournament = TournamentView::of(&header, planned);
                    let tournament = tournament.map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))?;
                    *view = View::Tournament(Box::new(tournament));
                }
                (JournalNews::Result(game), View::Tournament(tournament)) => tournament.enter(game),
                (JournalNews::Result(_), _) => {}
            }
            Ok(())
        });
        match read {
            // Results without a journal beside them.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !results(&self.path).is_empty() => Ok(()),
            read => read,
        }
    }

    fn show(&self, state: RunState, files: Vec<String>) -> Shown {
        // What is in a file may be as long as a line of it.
        let text = |text: &str| shortened(text, LONGEST_TEXT).into_owned();
        let game = self.begin.as_ref().map(|begin| text(&begin.game)).or_else(|| self.view.game());
        let title = match &self.begin {
            Some(begin) => text(&begin.title),
            None => self.name.rsplit('/').next().unwrap_or_default().to_owned(),
        };
        let headline = match &self.end {
            Some(end) if !end.headline.is_empty() => text(&end.headline),
            _ => self.view.headline(),
        };
        let kind = match (&self.begin, &self.view) {
            (Some(begin), _) => word(begin.kind),
            (None, View::Tournament(_)) => word(RunKind::Tournament),
            (None, _) => "run".to_owned(),
        };
        let part = |Part { title, body }| PartShown { title, html: body };
        Shown {
            name: self.name.clone(),
            kind,
            game,
            title,
            state,
            headline,
            command: self.begin.as_ref().map(|begin| shortened(&begin.command, 10 * LONGEST_TEXT).into_owned()),
            notes: self.notes.iter().map(|note| text(note)).collect(),
            parts: self.view.parts(self.end.is_some()).into_iter().map(part).collect(),
            games: self.view.games().len(),
            files,
        }
    }

    /// Some of the games, from this number on.
    pub(super) fn games(&self, from: usize) -> GamesShown {
        let games = self.view.games().iter().skip(from).take(GAMES_AT_A_TIME).map(GameShown::of).collect();
        GamesShown { from, games }
    }

    /// One game, by its number.
    pub(super) fn game(&self, number: usize) -> Option<GameToReplay> {
        self.view.games().get(number).map(|game| GameToReplay::of(game, self.view.game().unwrap_or_default()))
    }
}
