// SPDX-License-Identifier: GPL-3.0-or-later
//! A tournament from its definition to its last game. It prints nothing: it reports events to an observer.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::adjudication::Adjudication;
use super::definition::Definition;
use super::entrant::{self, Entrant, EntrantRecord, start_patience};
use super::error::TournamentError;
use super::fault::Policy;
use super::game::Tournament;
use super::ledger::Ledger;
use super::names;
use super::openings::Book;
use super::pgn::{self, PgnTags};
use super::record::GameRecord;
use super::schedule::Schedule;
use super::scoreboard::Scoreboard;
use super::statistics::Sprt;
use crate::players::search_spec::endings;
use crate::run::{Header, Runner, Stop, Unit, default_threads};
use halfply_engine::base::endings::Endings;
use halfply_engine::games::RegisteredGame;

/// A tournament that is ready to be played.
pub struct Ready<'a, G: RegisteredGame> {
    /// Its definition.
    pub definition: &'a Definition,
    /// Games at a time.
    pub concurrency: usize,
    /// The header of its journal.
    pub header: Header,
    tournament: Tournament<G>,
    sprt: Option<Sprt>,
}

/// An event of a tournament.
pub enum TournamentEvent<'a, G: RegisteredGame> {
    /// The first game is about to start.
    Start {
        /// What the games share: players and openings.
        tournament: &'a Tournament<G>,
        /// The number of scheduled games.
        games: usize,
    },
    /// A game has ended and is in the ledger.
    Game {
        /// The results so far.
        ledger: &'a Ledger,
        /// The players that have withdrawn so far, with the reasons.
        withdrawn: &'a [(&'a str, String)],
        /// The game.
        game: &'a GameRecord,
        /// The time that it took; none if it is from the journal.
        time: Option<Duration>,
    },
}

/// The outcome of a tournament.
pub struct TournamentOutcome<G: RegisteredGame> {
    /// What the games share.
    pub tournament: Tournament<G>,
    /// The results.
    pub ledger: Ledger,
    /// The scheduled games; none for each that was not played.
    pub games: Vec<Option<Arc<GameRecord>>>,
}

/// Plays a tournament without a journal. `observe` is called for each event. If it breaks, no more games start.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use halfply_engine::games::Breakthrough;
/// use halfply_lab::tournament::definition::Definition;
/// use halfply_lab::tournament::run::TournamentEvent;
///
/// let definition = Definition::parse(
///     "format = 1
///      game = 'breakthrough'
///      games = 2
///      defaults = { nodes = 5 }
///      player = [{ name = 'a' }, { name = 'b', extend = 'C@0.5' }]",
///     "example",
/// )?;
/// let mut ended = 0;
/// let outcome = halfply_lab::tournament::run::<Breakthrough>(&definition, |event| {
///     if let TournamentEvent::Game { game, .. } = event {
///         ended += 1;
///         assert!(game.fault.is_none());
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((ended, outcome.ledger.board().games()), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Ready::new`] and [`Ready::play`].
pub fn run<G: RegisteredGame>(
    definition: &Definition,
    observe: impl FnMut(TournamentEvent<'_, G>) -> ControlFlow<()>,
) -> Result<TournamentOutcome<G>, TournamentError> {
    let ready = Ready::new(definition, Entrant::all(definition)?, &Stop::default())?;
    let mut runner = Runner::new(ready.concurrency);
    ready.play(&mut runner, observe)
}

impl<'a, G: RegisteredGame> Ready<'a, G> {
    /// Reads the book, and starts each program once to check that it can play. If `stop` is raised meanwhile, the error is
    /// that of an interrupted program.
    ///
    /// # Errors
    /// If the sequential test is out of range or there are not two players for it, if the book cannot be read, or if a
    /// program cannot play.
    pub fn new(
        definition: &'a Definition,
        mut entrants: Vec<Entrant<G>>,
        stop: &Stop,
    ) -> Result<Self, TournamentError> {
        let sprt = definition.test().map_err(|refusal| definition.wrong(refusal.path, refusal.reason))?;
        if sprt.is_some() && entrants.len() != 2 {
            let reason = "a sequential test is for two players, and there are";
            let remedy = "choose two with --players, or remove the test";
            return Err(definition.wrong(&["sprt"], format!("{reason} {}; {remedy}", entrants.len())));
        }
        let book = match &definition.openings.file {
            Some(path) => Book::<G>::load(&definition.path(path))?,
            None => Book::bundled(G::OPENINGS)?,
        };
        let is_chess960 = book.is_chess960();
        let book = if is_chess960 { book.as_chess960() } else { book };
        for (entrant, player) in entrants.iter_mut().zip(&definition.players) {
            if is_chess960 {
                entrant.play_chess960();
            }
            let tried = entrant.try_out(start_patience(definition), stop);
            tried.map_err(|fault| definition.wrong_player(player, &["command"], fault))?;
        }
        names::give(&mut entrants);
        let wrong = |reason: String| definition.wrong(&["adjudication", "syzygy"], format!("syzygy: {reason}"));
        let endings = match &definition.adjudication.syzygy {
            Some(_) if !G::ENDINGS => return Err(wrong("there are tables of endings for chess only".to_owned())),
            Some(folders) => {
                let endings = endings(folders, |path| definition.path(path));
                Some(Arc::new(endings.map_err(|error| wrong(error.to_string()))?))
            }
            None => None,
        };
        let concurrency = definition.concurrency.map_or_else(default_threads, usize::from);
        let header = header(definition, &entrants, &book, endings.as_deref());
        let tournament = Tournament::new(definition, entrants, book, endings, concurrency);
        Ok(Self { definition, concurrency, header, tournament, sprt })
    }

    /// What the games share: players and openings.
    pub fn tournament(&self) -> &Tournament<G> {
        &self.tournament
    }

    /// The same, for games that are scheduled otherwise.
    pub fn into_tournament(self) -> Tournament<G> {
        self.tournament
    }

    /// Plays the games that are not in the runner's journal. It ends before the last game if the sequential test decides,
    /// if a fault stops the tournament, if `observe` breaks, or if the runner is stopped.
    ///
    /// # Errors
    /// If the journal cannot be written, or the games are played elsewhere.
    pub fn play(
        self,
        runner: &mut Runner<GameRecord>,
        mut observe: impl FnMut(TournamentEvent<'_, G>) -> ControlFlow<()>,
    ) -> Result<TournamentOutcome<G>, TournamentError> {
        let Self { definition, tournament, sprt, .. } = self;
        let scheduled = tournament.scheduled(definition);
        let board = Scoreboard::new(tournament.entrants().iter().map(|entrant| entrant.name.clone()));
        let mut ledger = Ledger::new(board, sprt, definition.on_fault);
        let games = match observe(TournamentEvent::Start { tournament: &tournament, games: scheduled.len() }) {
            ControlFlow::Break(()) => Ok(vec![None; scheduled.len()]),
            ControlFlow::Continue(()) => runner.run_while(&scheduled, |place, game, time| {
                let flow = ledger.enter(place, game, time.is_some());
                let withdrawn = tournament.withdrawn();
                let observed = observe(TournamentEvent::Game { ledger: &ledger, withdrawn: &withdrawn, game, time });
                let is_fault = !withdrawn.is_empty() && definition.on_fault == Policy::Stop;
                if observed.is_break() || is_fault { ControlFlow::Break(()) } else { flow }
            }),
        };
        tournament.close();
        drop(scheduled);
        Ok(TournamentOutcome { games: games?, tournament, ledger })
    }
}

impl<G: RegisteredGame> TournamentOutcome<G> {
    /// The games that count: after the decision of a test, other threads may have ended games beyond it.
    pub fn counted(&self) -> impl Iterator<Item = &GameRecord> {
        self.games.iter().flatten().map(Arc::as_ref).take(self.ledger.board().games() as usize)
    }

    /// The games that [count](Self::counted), each as PGN. An error is of a game of the journal that cannot be replayed.
    pub fn pgn(&self, definition: &Definition) -> impl Iterator<Item = Result<String, TournamentError>> {
        let entrants = self.tournament.entrants();
        let event = PgnTags {
            name: format!("halfply tournament, seed {}", definition.seed),
            variant: G::record_variant(self.tournament.book().is_chess960()),
            limits: entrants.iter().map(|player| (player.name.clone(), player.allowance.to_string())).collect(),
        };
        let games = self.tournament.scheduled(definition).into_iter().zip(&self.games);
        let played = games.filter_map(|(game, record)| Some((game, record.as_ref()?)));
        played.take(self.counted().count()).map(move |(game, record)| {
            let text = pgn::game::<G>(&event, &game.round(), record);
            text.map_err(|reason| TournamentError::Game { key: game.key(), reason })
        })
    }
}

/// Everything that a game depends on. The number of games is not part of it, so a finished tournament can be extended.
/// Sequential test and fault policy are not part of it either: they only end a tournament early.
#[derive(Serialize)]
struct Config<'a> {
    game: &'a str,
    kind: Schedule,
    players: Vec<EntrantRecord>,
    openings: &'a str,
    start: u64,
    seed: u64,
    adjudication: Adjudication,
    margin: u32,
    patience: u32,
    comments: bool,
}

fn header<G: RegisteredGame>(
    definition: &Definition,
    entrants: &[Entrant<G>],
    book: &Book<G>,
    endings: Option<&Endings>,
) -> Header {
    let signature = entrant::signature(entrants);
    let config = Config {
        game: G::NAME,
        kind: definition.kind,
        players: entrants.iter().map(Entrant::record).collect(),
        openings: &book.digest,
        start: definition.openings.start,
        seed: definition.seed,
        // The same tables may be in other folders elsewhere.
        adjudication: Adjudication {
            syzygy: endings.map(|endings| endings.identity().into()),
            ..definition.adjudication.clone()
        },
        margin: definition.margin,
        patience: definition.patience,
        comments: definition.comments,
    };
    Header::new("tournament", &config, signature)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn no_more_games_start_when_the_observer_breaks() {
        let definition = Definition::parse(
            "format = 1\ngame = 'breakthrough'\ngames = 2000\nconcurrency = 1\ndefaults = { nodes = 5 }\n\
             player = [{ name = 'a' }, { name = 'b', extend = 'C@0.5' }]",
            "test",
        )
        .unwrap();
        let played = |outcome: TournamentOutcome<Breakthrough>| outcome.games.iter().flatten().count();
        let outcome = run(&definition, |event| match event {
            TournamentEvent::Start { .. } => ControlFlow::Continue(()),
            TournamentEvent::Game { .. } => ControlFlow::Break(()),
        });
        assert!((1..2000).contains(&played(outcome.unwrap())));
        let outcome = run(&definition, |_| ControlFlow::Break(()));
        assert_eq!(played(outcome.unwrap()), 0);
    }
}
