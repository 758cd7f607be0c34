// SPDX-License-Identifier: GPL-3.0-or-later
//! The games of a tournament: what they share, and each game as a unit of work.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::contestant::Contestant;
use super::definition::Definition;
use super::entrant::{Entrant, start_patience};
use super::external::External;
use super::internal::Internal;
use super::openings::Book;
use super::play::{Rules, play};
use super::record::GameRecord;
use super::schedule::{self, Fixture};
use super::withdrawal::Withdrawals;
use crate::client::EnginePool;
use crate::players::Player;
use crate::run::{Stop, Unit};
use halfply_engine::base::endings::Endings;
use halfply_engine::base::mix::derive;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{Profile, Searcher, Setup};

/// What all games of a tournament share.
pub struct Tournament<G: RegisteredGame> {
    entrants: Vec<Entrant<G>>,
    names: Vec<String>,
    book: Book<G>,
    order: Vec<usize>,
    start: u64,
    seed: u64,
    rules: Rules,
    patience: Duration,
    pool: EnginePool,
    withdrawals: Withdrawals,
}

/// One game of the tournament.
pub struct ScheduledGame<'a, G: RegisteredGame> {
    tournament: &'a Tournament<G>,
    fixture: Fixture,
}

impl<G: RegisteredGame> Tournament<G> {
    /// A tournament of these players with openings from this book, `concurrency` games at a time. Tables of endings end games
    /// early.
    pub fn new(
        definition: &Definition,
        entrants: Vec<Entrant<G>>,
        book: Book<G>,
        endings: Option<Arc<Endings>>,
        concurrency: usize,
    ) -> Self {
        let programs = entrants.iter().filter(|entrant| matches!(entrant.player, Player::Program(_))).count();
        // Room for each program to wait for its next game, in any order of games.
        let places = programs.max(2) * concurrency;
        Self {
            names: entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            entrants,
            order: book.order(definition.seed),
            book,
            start: definition.openings.start,
            seed: definition.seed,
            rules: Rules {
                adjudication: definition.adjudication.clone(),
                endings,
                margin: Duration::from_millis(definition.margin.into()),
                comments: definition.comments,
            },
            patience: Duration::from_secs(definition.patience.into()),
            pool: EnginePool::new(places, start_patience(definition)),
            withdrawals: Withdrawals::default(),
        }
    }

    /// The same tournament with other players, who have not been tried out.
    pub fn with_entrants(&self, definition: &Definition, mut entrants: Vec<Entrant<G>>, concurrency: usize) -> Self {
        if self.book.is_chess960() {
            entrants.iter_mut().for_each(Entrant::play_chess960);
        }
        Self::new(definition, entrants, self.book.clone(), self.rules.endings.clone(), concurrency)
    }

    /// The players.
    pub fn entrants(&self) -> &[Entrant<G>] {
        &self.entrants
    }

    /// The book.
    pub fn book(&self) -> &Book<G> {
        &self.book
    }

    /// Whether two of the players would repeat a game if they got the same opening again. Without a clock, only the plain
    /// search varies its moves from pair to pair.
    pub fn repeats_itself(&self) -> bool {
        let is_alike =
            |entrant: &&Entrant<G>| !entrant.allowance.is_timed() && entrant.player.profile() != Some(Profile::Plain);
        self.entrants.iter().filter(is_alike).count() >= 2
    }

    /// All games of the definition, in the order in which they start.
    pub fn scheduled(&self, definition: &Definition) -> Vec<ScheduledGame<'_, G>> {
        self.of_pairs(definition, 0..definition.pairs())
    }

    /// The games of pairs with these numbers, in the order in which they start.
    pub fn of_pairs(&self, definition: &Definition, pairs: Range<u64>) -> Vec<ScheduledGame<'_, G>> {
        let fixtures = schedule::fixtures(definition.kind, self.entrants.len(), pairs);
        fixtures.into_iter().map(|fixture| ScheduledGame { tournament: self, fixture }).collect()
    }

    /// The players who have withdrawn so far, with the reasons.
    pub fn withdrawn(&self) -> Vec<(&str, String)> {
        let named = |(player, reason): (usize, String)| (self.names[player].as_str(), reason);
        self.withdrawals.all().into_iter().map(named).collect()
    }

    /// Ends the programs that wait for a game.
    pub fn close(&self) {
        self.pool.close();
    }

    /// The player with this number, for one game of a pair.
    fn contestant<'a>(&'a self, player: usize, pair: u64, stop: &'a Stop) -> Box<dyn Contestant<G> + 'a> {
        let entrant = &self.entrants[player];
        let allowance = entrant.allowance;
        match &entrant.player {
            Player::Search(Searcher { evaluation, setup }) => {
                // Both players have the same seed in both games.
                let setup = Setup { seed: derive(self.seed, pair), ..setup.clone() };
                Box::new(Internal { allowance, thinker: evaluation.engine(&setup).thinker(), unit: evaluation.unit() })
            }
            Player::Program(program) => Box::new(External {
                allowance,
                program,
                name: &entrant.name,
                player,
                pool: &self.pool,
                withdrawals: &self.withdrawals,
                patience: self.patience,
                stop,
                client: None,
            }),
        }
    }
}

impl<G: RegisteredGame> ScheduledGame<'_, G> {
    /// Pair and game for the reader, both from 1: `12.2`.
    pub fn round(&self) -> String {
        format!("{}.{}", self.fixture.pair + 1, 1 + u8::from(self.fixture.is_second))
    }
}

impl<G: RegisteredGame> Unit for ScheduledGame<'_, G> {
    type Output = GameRecord;

    fn key(&self) -> String {
        self.fixture.key(&self.tournament.names)
    }

    fn run(&self, stop: &Stop) -> Option<GameRecord> {
        let (tournament, pair) = (self.tournament, self.fixture.pair);
        if self.fixture.players.into_iter().any(|player| tournament.withdrawals.has(player)) {
            return None;
        }
        let opening = &tournament.book.openings[schedule::opening(&tournament.order, tournament.start, pair)];
        let players = self.fixture.players.map(|player| &tournament.entrants[player]);
        let players = players.map(|entrant| (&entrant.name[..], entrant.allowance));
        let [mut white, mut black] = self.fixture.players.map(|player| tournament.contestant(player, pair, stop));
        play(pair, opening, players, [white.as_mut(), black.as_mut()], &tournament.rules, stop)
    }
}
