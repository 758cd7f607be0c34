// SPDX-License-Identifier: GPL-3.0-or-later
//! What is shown of each kind of run.

use serde::Serialize;

use halfply_lab::learn::growing::{Growing, LearnLine};
use halfply_lab::report::band::{Band, Point};
use halfply_lab::report::html::table;
use halfply_lab::report::page::Part;
use halfply_lab::report::{Cell, Column, Listing};
use halfply_lab::run::Header;
use halfply_lab::run::events::{Begin, RunKind, Step};
use halfply_lab::tournament::course::{Course, Planned, Roster};
use halfply_lab::tournament::page::Page;
use halfply_lab::tournament::record::{GameRecord, Times};

/// The most steps in the table; the last ones are.
const MOST_STEPS: usize = 30;

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
    Steps(Vec<Step>),
}

impl View {
    /// The view of a run that begins. A tournament has one once its journal is read.
    pub(super) fn of(begin: &Begin) -> Self {
        match begin.kind {
            RunKind::Tournament => Self::Nothing,
            RunKind::Learn | RunKind::Experiment => Self::Learn(Growing::default()),
            RunKind::Tuning | RunKind::Network => Self::Steps(Vec::new()),
        }
    }

    /// Takes a step.
    pub(super) fn enter_step(&mut self, step: Step) {
        if let Self::Steps(steps) = self {
            steps.push(step);
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
            Self::Steps(steps) => match steps.len() {
                0 => "No step is done yet.".to_owned(),
                1 => "1 step is done.".to_owned(),
                count => format!("{count} steps are done."),
            },
        }
    }

    /// The parts of the page, while the run goes on or when it `is_over`.
    pub(super) fn parts(&self, is_over: bool) -> Vec<Part> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Tournament(view) => view.page().parts(),
            Self::Learn(growing) => growing.parts(is_over),
            Self::Steps(steps) => steps_parts(steps),
        }
    }

    /// The games that can be replayed.
    pub(super) fn games(&self) -> &[GameRecord] {
        match self {
            Self::Tournament(view) => &view.games,
            _ => &[],
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
    games: Vec<GameRecord>,
}

impl TournamentView {
    /// A tournament with the header of its journal, before its games.
    ///
    /// # Errors
    /// If the header does not say who plays what.
    pub(super) fn of(header: &Header, planned: Planned) -> Result<Self, String> {
        let roster: Roster = serde_json::from_value(header.config.clone())
            .map_err(|error| format!("the configuration in the journal cannot be read: {error}"))?;
        if roster.players.is_empty() {
            return Err("the configuration in the journal names no players".to_owned());
        }
        let course = Course::new(roster.names(), planned.test());
        Ok(Self { descriptions: roster.descriptions(), roster, course, planned, games: Vec::new() })
    }

    /// Counts a game. Those of a longer run before, beyond what is planned now, do not count.
    pub(super) fn enter(&mut self, game: GameRecord) {
        if self.planned.pairs > 0 && game.pair >= self.planned.pairs {
            return;
        }
        self.course.enter(&game);
        // What each move was worth is in the journal for programs, and takes most of the room.
        self.games.push(GameRecord { comments: Vec::new(), times: Times::default(), ..game });
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
        let (players, pair) = (game.players.clone(), game.pair);
        Self { players, pair, result: game.result(), plies: game.plies(), end: game.ending() }
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

/// A plot of each figure over the steps, and a table of the last ones.
fn steps_parts(steps: &[Step]) -> Vec<Part> {
    let Some(last) = steps.last() else { return Vec::new() };
    let plot = |(place, (name, _)): (usize, &(String, f64))| {
        let figure = |step: &Step| step.figures.get(place).map(|(_, figure)| *figure);
        let point = |(number, step): (usize, &Step)| Some(Point::exact(number as f64 + 1.0, figure(step)?));
        let points: Vec<Point> = steps.iter().enumerate().filter_map(point).collect();
        Band { title: name, unit: "steps", levels: &[] }.figure(&points)
    };
    let plots: String = last.figures.iter().enumerate().map(plot).collect();
    let columns = last.figures.iter().map(|(name, _)| Column::figures(name.clone()));
    let mut listing = Listing::new([Column::figures("step")].into_iter().chain(columns));
    for (number, step) in steps.iter().enumerate().rev().take(MOST_STEPS) {
        let figures = step.figures.iter().map(|(_, figure)| Cell::decimal(*figure, 4));
        listing.push([Cell::count(number as u64 + 1)].into_iter().chain(figures));
    }
    let steps = format!("<div class=\"scroll\">{}</div>", table(&listing));
    vec![
        Part::new("Over the steps", format!("<div class=\"plots\">\n{plots}</div>")),
        Part::new("The last steps", steps),
    ]
}
