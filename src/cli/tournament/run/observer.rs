// SPDX-License-Identifier: GPL-3.0-or-later
//! Reports the progress of a tournament.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::cli::output::{json_line, print};
use crate::cli::study::Watch;
use crate::cli::tournament::json::{EventLine, FORMAT, GameLine, StartLine};
use crate::cli::tournament::show;
use halfply_engine::base::figures::{percent, quantity};
use halfply_engine::games::RegisteredGame;
use halfply_lab::tournament::course::Course;
use halfply_lab::tournament::definition::Definition;
use halfply_lab::tournament::entrant::Entrant;
use halfply_lab::tournament::game::Tournament;
use halfply_lab::tournament::ledger::Ledger;
use halfply_lab::tournament::page::Page;
use halfply_lab::tournament::record::GameRecord;
use halfply_lab::tournament::schedule::pairings;

/// Reports the progress of a tournament: a status line, notes, and events on request.
pub struct Observer {
    json: bool,
    start: Instant,
    /// Games played in this run, without those of the journal.
    played: u64,
    /// Withdrawals reported so far.
    withdrawn: usize,
    /// The report so far; none before the first game.
    report: Option<ReportSoFar>,
}

/// A tournament and its results so far.
struct ReportSoFar {
    game: &'static str,
    descriptions: Vec<String>,
    course: Course,
    /// Games in all.
    of: u64,
}

impl Observer {
    /// Reports a tournament that began at `start`; with `json` also as events on stdout.
    pub fn new(json: bool, start: Instant) -> Self {
        Self { json, start, played: 0, withdrawn: 0, report: None }
    }

    /// Reports the players, the games and the folder.
    ///
    /// # Errors
    /// If the event cannot be written.
    pub fn begin<G: RegisteredGame>(
        &mut self,
        tournament: &Tournament<G>,
        definition: &Definition,
        games: usize,
        concurrency: usize,
        watch: &Watch,
    ) -> Result<()> {
        let progress = &watch.progress;
        progress.all(games as u64);
        let entrants = tournament.entrants();
        let names = entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let sprt = definition.test().ok().flatten();
        self.report = Some(ReportSoFar {
            game: definition.game.name(),
            descriptions: entrants.iter().map(Entrant::description).collect(),
            course: Course::new(names, sprt),
            of: games as u64,
        });
        let pairings = pairings(definition.kind, tournament.entrants().len()).len();
        let book = tournament.book();
        let note = format!(
            "{} of {}, {} for each of {}, {concurrency} at a time; seed {}, {} of {}",
            quantity(games as u64, "game"),
            definition.game.name(),
            2 * definition.pairs(),
            quantity(pairings as u64, "pairing"),
            definition.seed,
            quantity(book.openings.len() as u64, "opening"),
            book.name
        );
        watch.begin(note);
        if book.repeated > 0 {
            progress.note(&format!("{} left out: same position as another", quantity(book.repeated as u64, "opening")));
        }
        if definition.pairs() > book.openings.len() as u64 && tournament.repeats_itself() {
            progress.note(&format!(
                "warning: after {} the openings are used again, and players without randomness (the full search and \
                 many programs, without a clock) then repeat their games, which show nothing new",
                quantity(book.openings.len() as u64, "pair")
            ));
        }
        if !self.json {
            let descriptions = tournament.entrants().iter().map(|entrant| (&entrant.name[..], entrant.description()));
            return progress.beside(|| show::print_players(descriptions));
        }
        print(json_line(&EventLine::Start(StartLine {
            format: FORMAT,
            game: definition.game,
            kind: definition.kind,
            games,
            seed: definition.seed,
            openings: &book.name,
            concurrency,
            folder: watch.folder.display().to_string(),
            players: tournament.entrants().iter().map(Entrant::record).collect(),
        }))?)
    }

    /// Reports a game that has ended and is in the ledger, and the players who have withdrawn since the last one.
    ///
    /// # Errors
    /// If the event cannot be written.
    pub fn ended(
        &mut self,
        ledger: &Ledger,
        withdrawn: &[(&str, String)],
        game: &GameRecord,
        time: Option<Duration>,
        watch: &mut Watch,
    ) -> Result<()> {
        if let Some(ReportSoFar { game: name, descriptions, course, of }) = &mut self.report {
            course.enter(game);
            let page = Page { game: name, descriptions, course, of: *of };
            watch.show(|| page.so_far(""), || page.headline());
        }
        let progress = &watch.progress;
        if withdrawn.len() > self.withdrawn {
            self.withdrawn = withdrawn.len();
            let names: Vec<&str> = withdrawn.iter().map(|&(name, _)| name).collect();
            progress.note(&format!("withdrawn, because it cannot be restarted: {}", names.join(", ")));
        }
        self.played += u64::from(time.is_some());
        progress.unit(time.is_some());
        if let Some(fault) = &game.fault {
            let [white, black] = &game.players;
            let who = &game.players[fault.side.index()];
            progress.note(&format!("pair {}, {white} - {black}: {who}: {}", game.pair + 1, fault.fault));
        }
        progress.message(self.standing(ledger));
        if !self.json {
            return Ok(());
        }
        let [white, black] = &game.players;
        print(json_line(&EventLine::Game(GameLine {
            format: FORMAT,
            pair: game.pair,
            white,
            black,
            result: game.result(),
            end: &game.end,
            fault: game.fault.as_ref(),
            plies: game.plies(),
            nodes: game.nodes,
            seconds: time.map(|time| time.as_secs_f64()),
            resumed: time.is_none(),
            played: ledger.board().games(),
        }))?)
    }

    /// The score so far: the status line.
    fn standing(&self, ledger: &Ledger) -> String {
        let board = ledger.board();
        let leader = if board.players().len() == 2 { 0 } else { board.ranking()[0] };
        let player = &board.players()[leader];
        let figures = player.figures(ledger.sprt());
        let minutes = self.start.elapsed().as_secs_f64() / 60.0;
        let mut text = format!(
            "{} +{} ={} −{}, {} ± {}",
            player.name,
            player.tally.wins,
            player.tally.draws,
            player.tally.losses,
            percent(figures.score),
            percent(figures.margin)
        );
        if let Some(sprt) = &figures.sprt {
            text += &format!(", LLR {:.2} [{:.2}, {:.2}]", sprt.llr, sprt.lower, sprt.upper);
        }
        text += &format!(", {:.0} games a minute", self.played as f64 / minutes.max(1e-9));
        match board.faults() {
            0 => text,
            faults => format!("{text}, {faults} faults"),
        }
    }
}
