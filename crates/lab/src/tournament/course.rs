// SPDX-License-Identifier: GPL-3.0-or-later
//! How the results of a tournament went from game to game.

use serde::{Deserialize, Serialize};

use super::definition::SprtDefinition;
use super::entrant::EntrantRecord;
use super::fault::Policy;
use super::ledger::Ledger;
use super::record::GameRecord;
use super::scoreboard::Scoreboard;
use super::statistics::{Pentanomial, Sprt, Tally};
use halfply_engine::games::GameName;
use halfply_engine::with_game;

/// The most samples that are kept. Twice as many as a drawing has pixels for would show no more.
const MOST_SAMPLES: usize = 400;

/// The part of a journal's configuration that says who plays what.
#[derive(Clone, Debug, Deserialize)]
pub struct Roster {
    /// The game.
    pub game: GameName,
    /// The players.
    pub players: Vec<EntrantRecord>,
}

impl Roster {
    /// The names of the players.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    /// Each player in a line.
    pub fn descriptions(&self) -> Vec<String> {
        with_game!(self.game, G => self.players.iter().map(EntrantRecord::description::<G>).collect())
    }
}

/// What a tournament is to be, besides what its journal says: the journal is the same for any number of games.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Planned {
    /// The number of games.
    pub games: u64,
    /// The number of pairs of games in each pairing. The journal may have more, which do not count then; 0 if unknown.
    #[serde(default)]
    pub pairs: u64,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtDefinition>,
}

impl Planned {
    /// The sequential test; none if its values are out of range.
    pub fn test(&self) -> Option<Sprt> {
        let SprtDefinition { elo0, elo1, alpha, beta, model } = self.sprt?;
        Sprt::new(elo0, elo1, alpha, beta, model).ok()
    }
}

/// The results of all players after a number of games.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The games that count so far.
    pub games: u64,
    /// Games and complete pairs of each player, in the order of the definition.
    pub players: Vec<(Tally, Pentanomial)>,
}

/// The results of a tournament, and how they went.
#[derive(Debug)]
pub struct Course {
    ledger: Ledger,
    /// The name of the first player.
    first: String,
    samples: Vec<Sample>,
    /// Games between two samples.
    step: u64,
}

impl Course {
    /// A tournament without games, of these players.
    pub fn new(names: Vec<String>, sprt: Option<Sprt>) -> Self {
        let first = names.first().cloned().unwrap_or_default();
        // A test is for two players.
        let sprt = sprt.filter(|_| names.len() == 2);
        Self { ledger: Ledger::new(Scoreboard::new(names), sprt, Policy::Restart), first, samples: Vec::new(), step: 2 }
    }

    /// Counts a game. Games may come in any order.
    pub fn enter(&mut self, game: &GameRecord) {
        // What a test has decided stays decided: the ledger counts no more games then.
        let _ = self.ledger.enter(game.place(&self.first), game, false);
        let board = self.ledger.board();
        if board.games() < self.samples.last().map_or(0, |sample| sample.games) + self.step {
            return;
        }
        let players = board.players().iter().map(|player| (player.tally, player.pairs)).collect();
        self.samples.push(Sample { games: board.games(), players });
        if self.samples.len() >= MOST_SAMPLES {
            let mut place = 0;
            self.samples.retain(|_| {
                place += 1;
                place % 2 == 0
            });
            self.step *= 2;
        }
    }

    /// The results of the games that count.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The results after some of the games, and after all that count.
    pub fn samples(&self) -> Vec<Sample> {
        let board = self.ledger.board();
        let mut samples = self.samples.clone();
        if samples.last().is_none_or(|sample| sample.games < board.games()) {
            let players = board.players().iter().map(|player| (player.tally, player.pairs)).collect();
            samples.push(Sample { games: board.games(), players });
        }
        samples
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use halfply_engine::game::Side;

    /// Game number `number` of two players, of which the first wins four of five.
    pub fn game(number: u64) -> GameRecord {
        let names = ["a", "b"].map(str::to_owned);
        let [a, b] = names;
        let (pair, is_second) = (number / 2, number % 2 == 1);
        let a_wins = !number.is_multiple_of(5);
        let players = if is_second { [b, a] } else { [a, b] };
        let winner = Some(if a_wins == is_second { Side::Black } else { Side::White });
        let played = GameRecord::to_replay(players, String::new(), "a2a3 b7b6".to_owned());
        GameRecord { pair, winner, end: "reached the last row".to_owned(), ..played }
    }

    pub fn course(games: u64, sprt: Option<Sprt>) -> Course {
        let mut course = Course::new(["a", "b"].map(str::to_owned).to_vec(), sprt);
        (0..games).for_each(|number| course.enter(&game(number)));
        course
    }

    #[test]
    fn a_long_tournament_has_no_more_samples_than_can_be_drawn() {
        for games in [0, 1, 2, 7, 5001] {
            let course = course(games, None);
            let samples = course.samples();
            assert!(samples.len() <= MOST_SAMPLES, "{}", samples.len());
            assert!(samples.is_sorted_by(|one, other| one.games < other.games));
            let last = samples.last().unwrap();
            assert_eq!((last.games, last.players[0].0.games()), (games, games));
            assert_eq!(course.ledger().board().games(), games);
        }
        let samples = course(5001, None).samples();
        assert!(samples.len() > MOST_SAMPLES / 3, "{}", samples.len());
        // Each is what had been counted then.
        assert_eq!(samples[3].players[0].0, course(samples[3].games, None).ledger().board().players()[0].tally);
    }

    #[test]
    fn a_test_ends_what_counts() {
        let sprt = SprtDefinition { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: Default::default() };
        let sprt = Planned { games: 1000, pairs: 500, sprt: Some(sprt) }.test();
        let course = course(1000, sprt);
        assert!(course.ledger().decision().is_some());
        let games = course.ledger().board().games();
        assert!(games < 1000 && course.samples().last().unwrap().games == games);
        // With more than two players there is no test.
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert!(Course::new(names, sprt).ledger().sprt().is_none());
    }
}
