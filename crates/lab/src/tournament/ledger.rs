// SPDX-License-Identifier: GPL-3.0-or-later
//! Which of the finished games count, and when no more are needed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::fault::Policy;
use super::record::GameRecord;
use super::scoreboard::Scoreboard;
use super::statistics::{Decision, Sprt};

/// Takes the games as they end. With a sequential test, only the longest finished prefix of the schedule counts, up to the
/// pair that decided. Otherwise short games would count before long ones, and the sample of the test would be biased.
#[derive(Debug)]
pub struct Ledger {
    board: Scoreboard,
    sprt: Option<Sprt>,
    policy: Policy,
    /// Games that are finished but not counted yet, by their place in the schedule.
    ahead: BTreeMap<usize, GameRecord>,
    /// The length of the prefix that is counted, with a test.
    counted: usize,
    decision: Option<Decision>,
    stopped_by_fault: bool,
}

impl Ledger {
    /// An empty ledger. A test is of the first of two players against the second.
    pub fn new(board: Scoreboard, sprt: Option<Sprt>, policy: Policy) -> Self {
        Self { board, sprt, policy, ahead: BTreeMap::new(), counted: 0, decision: None, stopped_by_fault: false }
    }

    /// Enters the game at this place of the schedule. Unless it `is_new`, it is from the journal, and a fault in it does not
    /// stop the tournament again. Breaks when no more games are needed.
    pub fn enter(&mut self, place: usize, game: &GameRecord, is_new: bool) -> ControlFlow<()> {
        if self.sprt.is_none() {
            self.board.add(game);
        } else if self.decision.is_none() {
            self.ahead.insert(place, game.clone());
            self.count_on();
        }
        self.stopped_by_fault |= is_new && self.policy == Policy::Stop && game.fault.is_some();
        if self.stopped_by_fault || self.decision.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Counts the finished pairs that follow the counted prefix, until the test decides.
    fn count_on(&mut self) {
        let pair = |counted| [counted, counted + 1];
        while pair(self.counted).iter().all(|place| self.ahead.contains_key(place)) {
            for place in pair(self.counted) {
                if let Some(game) = self.ahead.remove(&place) {
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

    /// The results of the games that count.
    pub fn board(&self) -> &Scoreboard {
        &self.board
    }

    /// The sequential test.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// The decision of the test, once it has been made.
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// Whether a fault has stopped the tournament.
    pub fn stopped_by_fault(&self) -> bool {
        self.stopped_by_fault
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::fault::{FaultKind, GameFault};
    use crate::tournament::record::FaultRecord;
    use crate::tournament::schedule::{self, fixtures};
    use crate::tournament::statistics::Model;
    use halfply_engine::game::Side;

    /// A schedule of two players in which the first wins all games except those of the `lost` pairs.
    fn games(pairs: u64, lost: &[u64]) -> Vec<GameRecord> {
        let names = ["a", "b"];
        let game = |fixture: &schedule::Fixture| {
            let white_wins = (fixture.players[0] == 0) != lost.contains(&fixture.pair);
            let players = fixture.players.map(|player| names[player].to_owned());
            let winner = Some(if white_wins { Side::White } else { Side::Black });
            GameRecord { pair: fixture.pair, winner, ..GameRecord::to_replay(players, String::new(), String::new()) }
        };
        fixtures(schedule::Schedule::RoundRobin, 2, 0..pairs).iter().map(game).collect()
    }

    fn ledger(sprt: Option<Sprt>, policy: Policy) -> Ledger {
        Ledger::new(Scoreboard::new(["a", "b"].map(str::to_owned)), sprt, policy)
    }

    #[test]
    fn a_test_counts_the_schedule_and_not_the_order_of_arrival() {
        let games = games(200, &[3, 5, 8, 13, 21]);
        let sprt = || Some(Sprt::new(0.0, 50.0, 0.05, 0.05, Model::Normalized).unwrap());
        let mut in_order = ledger(sprt(), Policy::Restart);
        let mut last = 0;
        for (place, game) in games.iter().enumerate() {
            last = place;
            if in_order.enter(place, game, true).is_break() {
                break;
            }
        }
        assert_eq!(in_order.decision(), Some(Decision::H1));
        assert!(last < games.len() - 2 && last % 2 == 1, "{last}");
        // The same games from the end: none counts until the first is entered, and then as many as before.
        let mut reversed = ledger(sprt(), Policy::Restart);
        for (place, game) in games.iter().enumerate().rev() {
            assert_eq!(reversed.board().games(), 0);
            assert_eq!(reversed.enter(place, game, true).is_break(), place == 0);
        }
        assert_eq!(reversed.board().games() as usize, last + 1);
        assert_eq!(reversed.board().players()[0].tally, in_order.board().players()[0].tally);
        assert_eq!(reversed.decision(), in_order.decision());
    }

    #[test]
    fn without_a_test_all_games_count() {
        let games = games(3, &[1]);
        let mut ledger = ledger(None, Policy::Restart);
        for place in [5, 0, 3] {
            assert!(ledger.enter(place, &games[place], true).is_continue());
        }
        assert_eq!(ledger.board().games(), 3);
    }

    #[test]
    fn a_fault_stops_the_tournament_if_that_is_the_policy() {
        let mut game = games(1, &[])[0].clone();
        game.fault = Some(FaultRecord { side: Side::Black, fault: GameFault::new(FaultKind::Hang, "") });
        assert!(ledger(None, Policy::Restart).enter(0, &game, true).is_continue());
        let mut strict = ledger(None, Policy::Stop);
        assert!(strict.enter(0, &game, true).is_break() && strict.stopped_by_fault());
        assert_eq!(strict.board().faults(), 1);
        // A fault of an earlier run has stopped that run only.
        let mut resumed = ledger(None, Policy::Stop);
        assert!(resumed.enter(0, &game, false).is_continue() && !resumed.stopped_by_fault());
    }
}
