// SPDX-License-Identifier: GPL-3.0-or-later
//! Which of the finished games count, and when enough have been played.

use std::ops::ControlFlow;

use super::fault::Policy;
use super::record::GameRecord;
use super::scoreboard::Scoreboard;
use super::statistics::{Decision, Sprt};

/// Takes games in as they end. With a sequential test only the longest prefix of the schedule that is finished counts, and
/// nothing beyond the pair that decided: otherwise short games would come before long ones, and the test would see
/// another sample than was drawn.
#[derive(Debug)]
pub struct Ledger {
    board: Scoreboard,
    sprt: Option<Sprt>,
    policy: Policy,
    /// Games that are finished but not yet counted, by their place in the schedule.
    ahead: Vec<Option<GameRecord>>,
    /// How many games of the schedule are counted, if they are counted in order.
    counted: usize,
    decision: Option<Decision>,
    stopped_by_fault: bool,
}

impl Ledger {
    /// Nothing yet, of a schedule of so many games. A test is of the first of two players against the second.
    #[must_use]
    pub fn new(board: Scoreboard, games: usize, sprt: Option<Sprt>, policy: Policy) -> Self {
        let ahead = if sprt.is_some() { vec![None; games] } else { Vec::new() };
        Self { board, sprt, policy, ahead, counted: 0, decision: None, stopped_by_fault: false }
    }

    /// The game at that place of the schedule has ended. Breaks when no more games are wanted.
    pub fn enter(&mut self, place: usize, game: &GameRecord) -> ControlFlow<()> {
        if self.sprt.is_none() {
            self.board.add(game);
        } else if self.decision.is_none() {
            // A place beyond the schedule can be in no prefix of it.
            if let Some(waiting) = self.ahead.get_mut(place) {
                *waiting = Some(game.clone());
                self.count_on();
            }
        }
        self.stopped_by_fault |= self.policy == Policy::Stop && game.fault.is_some();
        if self.stopped_by_fault || self.decision.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Counts what follows on what is counted, pair by pair, until the test has an answer.
    fn count_on(&mut self) {
        while let (Some(first), Some(second)) = (self.waiting(0), self.waiting(1)) {
            for place in [first, second] {
                if let Some(game) = self.ahead[place].take() {
                    self.board.add(&game);
                }
            }
            self.counted += 2;
            let pairs = &self.board.players()[0].pairs;
            self.decision = self.sprt.as_ref().and_then(|sprt| sprt.decision(pairs));
            if self.decision.is_some() {
                return;
            }
        }
    }

    /// The place of the game `further` beyond those counted, if it is there.
    fn waiting(&self, further: usize) -> Option<usize> {
        let place = self.counted + further;
        self.ahead.get(place).is_some_and(Option::is_some).then_some(place)
    }

    /// What the games that count have come to.
    #[must_use]
    pub fn board(&self) -> &Scoreboard {
        &self.board
    }

    /// The test.
    #[must_use]
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// What the test has decided.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// Whether a fault has ended the tournament.
    #[must_use]
    pub fn stopped_by_fault(&self) -> bool {
        self.stopped_by_fault
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::tournament::fault::{Fault, Kind};
    use crate::tournament::record::{FaultRecord, Times};
    use crate::tournament::schedule::{self, fixtures};
    use crate::tournament::statistics::Model;

    /// A schedule of two players in which the first wins every game but those of the pairs named.
    fn games(pairs: u64, lost: &[u64]) -> Vec<GameRecord> {
        let names = ["a", "b"];
        let game = |fixture: &schedule::Fixture| {
            let white_wins = (fixture.players[0] == 0) != lost.contains(&fixture.pair);
            GameRecord {
                players: fixture.players.map(|player| names[player].to_owned()),
                pair: fixture.pair,
                opening: String::new(),
                winner: Some(if white_wins { Side::White } else { Side::Black }),
                end: String::new(),
                fault: None,
                book: 0,
                moves: String::new(),
                nodes: [0; 2],
                extended: [0; 2],
                comments: Vec::new(),
                times: Times::default(),
            }
        };
        fixtures(schedule::Kind::RoundRobin, 2, pairs).iter().map(game).collect()
    }

    fn ledger(games: usize, sprt: Option<Sprt>, policy: Policy) -> Ledger {
        Ledger::new(Scoreboard::new(["a", "b"].map(str::to_owned)), games, sprt, policy)
    }

    #[test]
    fn a_test_counts_the_schedule_and_not_the_order_of_arrival() {
        let games = games(200, &[3, 5, 8, 13, 21]);
        let sprt = || Some(Sprt::new(0.0, 50.0, 0.05, 0.05, Model::Normalized).unwrap());
        let mut in_order = ledger(games.len(), sprt(), Policy::Restart);
        let mut last = 0;
        for (place, game) in games.iter().enumerate() {
            last = place;
            if in_order.enter(place, game).is_break() {
                break;
            }
        }
        assert_eq!(in_order.decision(), Some(Decision::H1));
        assert!(last < games.len() - 2 && last % 2 == 1, "{last}");
        // The same games from the end: nothing counts until the first is there, and then as much as before.
        let mut reversed = ledger(games.len(), sprt(), Policy::Restart);
        for (place, game) in games.iter().enumerate().rev() {
            assert_eq!(reversed.board().games(), 0);
            assert_eq!(reversed.enter(place, game).is_break(), place == 0);
        }
        assert_eq!(reversed.board().games() as usize, last + 1);
        assert_eq!(reversed.board().players()[0].tally, in_order.board().players()[0].tally);
        assert_eq!(reversed.decision(), in_order.decision());
    }

    #[test]
    fn without_a_test_all_games_count() {
        let games = games(3, &[1]);
        let mut ledger = ledger(games.len(), None, Policy::Restart);
        for place in [5, 0, 3] {
            assert!(ledger.enter(place, &games[place]).is_continue());
        }
        assert_eq!(ledger.board().games(), 3);
    }

    #[test]
    fn a_fault_stops_the_tournament_if_that_is_the_policy() {
        let mut game = games(1, &[])[0].clone();
        game.fault = Some(FaultRecord { side: Side::Black, fault: Fault::new(Kind::Hang, "") });
        assert!(ledger(2, None, Policy::Restart).enter(0, &game).is_continue());
        let mut strict = ledger(2, None, Policy::Stop);
        assert!(strict.enter(0, &game).is_break() && strict.stopped_by_fault());
        assert_eq!(strict.board().faults(), 1);
    }
}
