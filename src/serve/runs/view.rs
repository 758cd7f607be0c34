// SPDX-License-Identifier: GPL-3.0-or-later
//! What is shown of each kind of run.

use serde::Serialize;

use crate::serve::http::LARGEST_BODY;
use halfply_engine::base::echo::shortened;
use halfply_engine::base::figures::thousands;
use halfply_lab::learn::growing::{Growing, LearnLine};
use halfply_lab::report::band::{Band, Point};
use halfply_lab::report::html::table;
use halfply_lab::report::page::Part;
use halfply_lab::report::{Cell, Column, Listing};
use halfply_lab::run::Header;
use halfply_lab::run::events::{Begin, RunKind, Step};
use halfply_lab::tournament::course::{Course, Planned, Roster};
use halfply_lab::tournament::page::Page;
use halfply_lab::tournament::record::{GameRecord, Outline};

/// The most steps in the table; the last ones are.
const MOST_STEPS: usize = 30;

/// The most steps that are kept. When there are more, the first half is left out.
const MOST_KEPT: usize = 20_000;

/// The most figures of a step that are shown.
const MOST_FIGURES: usize = 40;

/// The most players of a tournament that is shown: its crosstable has a cell for any two.
const MOST_PLAYERS: usize = 200;

/// The most bytes of games that are kept to be replayed. What others count for is kept.
const MOST_REPLAYED: usize = 64 << 20;

/// The most characters of a name, or of why a game ended, that are shown.
const LONGEST_NAME: usize = 300;

/// What was read of a run, by its kind.
#[derive(Debug)]
pub(super) enum View {
    /// Nothing yet, or nothing that can be shown.
    Nothing,
    /// Games.
    Tournament(Box<TournamentView>),
    /// Features that grow.
    Learn(Growing),
    /// Figures after each step.
    Steps(Steps),
}

impl View {
    /// The view of a run that begins. A tournament has one once its journal is read.
    pub(super) fn of(begin: &Begin) -> Self {
        match begin.kind {
            RunKind::Tournament => Self::Nothing,
            RunKind::Learn | RunKind::Experiment => Self::Learn(Growing::default()),
            RunKind::Tuning | RunKind::Network => Self::Steps(Steps::default()),
        }
    }

    /// Takes a step.
    pub(super) fn enter_step(&mut self, step: Step) {
        if let Self::Steps(steps) = self {
            steps.enter(step);
        }
    }

    /// Takes a line that is of this kind of run. Lines of later versions are left out.
    pub(super) fn enter_line(&mut self, line: &[u8]) {
        if let Self::Learn(growing) = self
            && let Ok(line) = serde_json::from_slice::<LearnLine>(line)
        {
            growing.enter(line);
        }
    }

    /// What was found so far, in a sentence.
    pub(super) fn headline(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Tournament(view) => view.page().headline(),
            Self::Learn(growing) => growing.headline(),
            Self::Steps(steps) => match steps.before + steps.last.len() {
                0 => "No step is done yet.".to_owned(),
                1 => "1 step is done.".to_owned(),
                count => format!("{} steps are done.", thousands(count as u64)),
            },
        }
    }

    /// The parts of the page, while the run continues or when it `is_over`.
    pub(super) fn parts(&self, is_over: bool) -> Vec<Part> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Tournament(view) => view.page().parts(),
            Self::Learn(growing) => growing.parts(is_over),
            Self::Steps(steps) => steps.parts(),
        }
    }

    /// The games that can be replayed.
    pub(super) fn games(&self) -> &[GameRecord] {
        match self {
            Self::Tournament(view) => &view.games,
            _ => &[],
        }
    }

    /// How many games count although they cannot be replayed.
    pub(super) fn not_replayed(&self) -> usize {
        match self {
            Self::Tournament(view) => view.not_replayed,
            _ => 0,
        }
    }

    /// The game that is played, as far as the games say it.
    pub(super) fn game(&self) -> Option<String> {
        match self {
            Self::Tournament(view) => Some(view.roster.game.name().to_owned()),
            _ => None,
        }
    }
}

/// A tournament.
#[derive(Debug)]
pub(super) struct TournamentView {
    roster: Roster,
    descriptions: Vec<String>,
    course: Course,
    planned: Planned,
    /// Those that can be replayed.
    games: Vec<GameRecord>,
    /// About how many bytes they take.
    bytes: usize,
    not_replayed: usize,
}

impl TournamentView {
    /// A tournament with the header of its journal, before its games.
    ///
    /// # Errors
    /// If the header does not say who plays what, or there are too many players to show.
    pub(super) fn of(header: &Header, planned: Planned) -> Result<Self, String> {
        let roster: Roster = serde_json::from_value(header.config.clone())
            .map_err(|error| format!("the configuration in the journal cannot be read: {error}"))?;
        match roster.players.len() {
            0 => return Err("the configuration in the journal names no players".to_owned()),
            1..=MOST_PLAYERS => {}
            players => {
                return Err(format!(
                    "the tournament has {} players, and the page shows at most {MOST_PLAYERS}: use halfply tournament stats",
                    thousands(players as u64)
                ));
            }
        }
        if let Some(name) = roster.players.iter().map(|player| &player.name).find(|name| name.len() > LONGEST_NAME) {
            return Err(format!("a player's name has {} bytes, and at most {LONGEST_NAME} are shown", name.len()));
        }
        let describe = |text: &String| shortened(text, 10 * LONGEST_NAME).into_owned();
        let descriptions = roster.descriptions().iter().map(describe).collect();
        let course = Course::new(roster.names(), planned.test());
        Ok(Self { descriptions, roster, course, planned, games: Vec::new(), bytes: 0, not_replayed: 0 })
    }

    /// Counts a game. Those of a longer run before, beyond what is planned now, do not count.
    pub(super) fn enter(&mut self, game: GameRecord) {
        if self.planned.pairs > 0 && game.pair >= self.planned.pairs {
            return;
        }
        let Outline(mut game) = game.into();
        game.end = shortened(&game.end, LONGEST_NAME).into_owned();
        let size = size_of::<GameRecord>() + game.opening.len() + game.moves.len() + game.end.len();
        // The page sends a game back, to be told what the position is.
        let is_kept = size <= LARGEST_BODY && self.bytes + size <= MOST_REPLAYED;
        if !is_kept {
            (game.opening, game.moves) = (String::new(), String::new());
        }
        self.course.enter(&game);
        if is_kept {
            self.bytes += size;
            self.games.push(game);
        } else {
            self.not_replayed += 1;
        }
    }

    fn page(&self) -> Page<'_> {
        let game = self.roster.game.name();
        Page { game, descriptions: &self.descriptions, course: &self.course, of: self.planned.games }
    }
}

/// A game in the list of games.
#[derive(Debug, Serialize)]
pub struct GameShown {
    players: [String; 2],
    pair: u64,
    result: &'static str,
    plies: usize,
    end: String,
}

impl GameShown {
    pub(super) fn of(game: &GameRecord) -> Self {
        let players = game.players.clone().map(|name| shortened(&name, LONGEST_NAME).into_owned());
        let end = shortened(&game.ending(), LONGEST_NAME).into_owned();
        Self { players, pair: game.pair, result: game.result(), plies: game.plies(), end }
    }
}

/// A game with its moves.
#[derive(Debug, Serialize)]
pub struct GameToReplay {
    game: String,
    start: String,
    moves: Vec<String>,
    /// How many of the moves are from the book.
    book: usize,
    #[serde(flatten)]
    shown: GameShown,
}

impl GameToReplay {
    pub(super) fn of(record: &GameRecord, game: String) -> Self {
        let moves = record.moves.split_whitespace().map(str::to_owned).collect();
        Self { game, start: record.opening.clone(), moves, book: record.book, shown: GameShown::of(record) }
    }
}

/// Figures after each step of a run: the last ones, if there are very many.
#[derive(Debug, Default)]
pub(super) struct Steps {
    last: Vec<Step>,
    /// How many steps were before them.
    before: usize,
}

impl Steps {
    fn enter(&mut self, mut step: Step) {
        if self.last.len() >= MOST_KEPT {
            self.last.drain(..MOST_KEPT / 2);
            self.before += MOST_KEPT / 2;
        }
        step.figures.truncate(MOST_FIGURES);
        step.figures.shrink_to_fit();
        for (name, _) in &mut step.figures {
            *name = shortened(name, LONGEST_NAME).into_owned();
        }
        self.last.push(step);
    }

    /// A plot of each figure over the steps, and a table of the last ones.
    fn parts(&self) -> Vec<Part> {
        let Some(last) = self.last.last() else { return Vec::new() };
        let plot = |(place, (name, _)): (usize, &(String, f64))| {
            let figure = |step: &Step| step.figures.get(place).map(|(_, figure)| *figure);
            let number = |index: usize| (self.before + index + 1) as f64;
            let point = |(index, step): (usize, &Step)| Some(Point::exact(number(index), figure(step)?));
            let points: Vec<Point> = self.last.iter().enumerate().filter_map(point).collect();
            Band { title: name, unit: "steps", levels: &[] }.figure(&points)
        };
        let plots: String = last.figures.iter().enumerate().map(plot).collect();
        let columns = last.figures.iter().map(|(name, _)| Column::figures(name.clone()));
        let mut listing = Listing::new([Column::figures("step")].into_iter().chain(columns));
        for (index, step) in self.last.iter().enumerate().rev().take(MOST_STEPS) {
            let figures = step.figures.iter().map(|(_, figure)| Cell::decimal(*figure, 4));
            listing.push([Cell::count((self.before + index + 1) as u64)].into_iter().chain(figures));
        }
        let steps = format!("<div class=\"scroll\">{}</div>", table(&listing));
        vec![
            Part::new("Over the steps", format!("<div class=\"plots\">\n{plots}</div>")),
            Part::new("The last steps", steps),
        ]
    }
}
