// SPDX-License-Identifier: GPL-3.0-or-later
//! The results of the players so far.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::fault::FaultKind;
use super::record::GameRecord;
use super::statistics::{Figures, Pentanomial, Sprt, Tally};

/// Counts the games of a tournament. The order in which they are added does not matter.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    players: Vec<Performance>,
    /// By the two players, in the order of the definition, from the side of the first.
    meetings: BTreeMap<[usize; 2], Meeting>,
    games: u64,
}

/// The results of one player.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Performance {
    /// Its name.
    pub name: String,
    /// Its games.
    #[serde(skip)]
    pub tally: Tally,
    /// Its complete pairs of games.
    #[serde(skip)]
    pub pairs: Pentanomial,
    /// Nodes that it searched.
    pub nodes: u64,
    /// Moves that matched a row of its extension table.
    pub extended: u64,
    /// Games that it lost by a fault, by the kind of fault.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<FaultKind, u64>,
}

impl Performance {
    /// The share of its searched moves that matched a row of its table: the thesis's frequency, measured in games.
    pub fn frequency(&self) -> f64 {
        self.extended as f64 / self.nodes.max(1) as f64
    }

    /// All figures of its results.
    pub fn figures(&self, sprt: Option<&Sprt>) -> Figures {
        Figures::of(self.tally, (self.pairs.pairs() > 0).then_some(&self.pairs), sprt)
    }
}

/// The games of two players.
#[derive(Clone, Debug, Default)]
struct Meeting {
    tally: Tally,
    pairs: Pentanomial,
    /// By pair that lacks a game: half points of the first player in the other game.
    half_pairs: HashMap<u64, u64>,
}

impl Scoreboard {
    /// An empty scoreboard for these players.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let players = names.into_iter().map(|name| Performance { name, ..Performance::default() }).collect();
        Self { players, ..Self::default() }
    }

    /// Counts a game. Returns false, and does not count it, if one of its players is not in the tournament.
    pub fn add(&mut self, game: &GameRecord) -> bool {
        let place = |name: &String| self.players.iter().position(|player| player.name == *name);
        let (Some(white), Some(black)) = (place(&game.players[0]), place(&game.players[1])) else { return false };
        self.games += 1;
        let points = game.half_points();
        for (player, side) in [(white, 0), (black, 1)] {
            let performance = &mut self.players[player];
            count(&mut performance.tally, points[side]);
            performance.nodes = performance.nodes.saturating_add(game.nodes[side]);
            performance.extended = performance.extended.saturating_add(game.extended[side]);
            if let Some(fault) = game.fault.as_ref().filter(|fault| fault.side.index() == side) {
                *performance.faults.entry(fault.fault.kind).or_default() += 1;
            }
        }
        let first = white.min(black);
        let second = white.max(black);
        let of_first = points[usize::from(first != white)];
        let meeting = self.meetings.entry([first, second]).or_default();
        count(&mut meeting.tally, of_first);
        match meeting.half_pairs.remove(&game.pair) {
            None => {
                meeting.half_pairs.insert(game.pair, of_first);
            }
            Some(other) => {
                let points = other + of_first;
                if let Some(pairs) = meeting.pairs.0.get_mut(points as usize) {
                    *pairs += 1;
                }
                for (player, points) in [(first, points), (second, 4 - points)] {
                    if let Some(pairs) = self.players[player].pairs.0.get_mut(points as usize) {
                        *pairs += 1;
                    }
                }
            }
        }
        true
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The only player of three or more that took part in all games so far: the centre of a gauntlet.
    pub fn hub(&self) -> Option<usize> {
        let has_met_all = |hub: &usize| self.meetings.keys().all(|pair| pair.contains(hub));
        let mut hubs = (0..self.players.len()).filter(has_met_all);
        let (hub, another) = (hubs.next()?, hubs.next());
        (another.is_none() && self.players.len() > 2).then_some(hub)
    }

    /// The players, in the order of the definition.
    pub fn players(&self) -> &[Performance] {
        &self.players
    }

    /// The names of the players, in the order of the definition.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    /// The players by their score, the best first.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.players.len()).collect();
        ranking.sort_by(|&one, &other| {
            let score = |player: usize| self.players[player].tally.score();
            score(other).total_cmp(&score(one)).then(one.cmp(&other))
        });
        ranking
    }

    /// The results of one player against another, in games and in complete pairs; none if they have not met.
    pub fn meeting(&self, one: usize, other: usize) -> Option<(Tally, Pentanomial)> {
        let Meeting { tally, pairs, .. } = self.meetings.get(&[one.min(other), one.max(other)])?;
        let Tally { wins, draws, losses } = *tally;
        let mut mirrored = *pairs;
        mirrored.0.reverse();
        Some(if one < other { (*tally, *pairs) } else { (Tally { wins: losses, draws, losses: wins }, mirrored) })
    }

    /// Games lost by a fault.
    pub fn faults(&self) -> u64 {
        self.players.iter().flat_map(|player| player.faults.values()).sum()
    }
}

fn count(tally: &mut Tally, half_points: u64) {
    match half_points {
        2 => tally.wins += 1,
        1 => tally.draws += 1,
        _ => tally.losses += 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::fault::GameFault;
    use crate::tournament::record::FaultRecord;
    use halfply_engine::game::Side;

    fn game(pair: u64, white: &str, black: &str, winner: Option<Side>) -> GameRecord {
        let played = GameRecord::to_replay([white, black].map(str::to_owned), String::new(), String::new());
        GameRecord { pair, winner, nodes: [100, 10], extended: [7, 1], ..played }
    }

    fn board(games: &[GameRecord]) -> Scoreboard {
        let mut board = Scoreboard::new(["a", "b", "c"].map(str::to_owned));
        assert!(games.iter().all(|game| board.add(game)));
        board
    }

    #[test]
    fn games_are_counted_for_both_and_pairs_when_complete() {
        use Side::{Black, White};
        let games = [
            game(0, "a", "b", Some(White)),
            game(0, "b", "a", Some(Black)),
            game(1, "a", "b", None),
            game(1, "b", "a", Some(White)),
            game(2, "a", "b", Some(White)),
            game(0, "c", "a", Some(Black)),
        ];
        let board = board(&games);
        let [a, b, c] = board.players() else { panic!("three players") };
        let tally = |wins, draws, losses| Tally { wins, draws, losses };
        assert_eq!((a.tally, b.tally, c.tally), (tally(4, 1, 1), tally(1, 1, 3), tally(0, 0, 1)));
        assert_eq!((a.pairs.0, b.pairs.0, c.pairs.0), ([0, 1, 0, 0, 1], [1, 0, 0, 1, 0], [0; 5]));
        let met = |one, other| board.meeting(one, other).map(|(tally, _)| tally);
        assert_eq!((met(0, 1), met(1, 0)), (Some(tally(3, 1, 1)), Some(tally(1, 1, 3))));
        assert_eq!((met(2, 0), met(1, 2)), (Some(tally(0, 0, 1)), None));
        // The pairs from either side; between two players they are all there are.
        let pairs = |one, other| board.meeting(one, other).map(|(_, pairs)| pairs.0);
        assert_eq!(pairs(0, 1), Some(board.players()[0].pairs.0));
        assert_eq!(pairs(1, 0), Some(board.players()[1].pairs.0));
        assert_eq!((board.ranking(), board.games()), (vec![0, 1, 2], 6));
        assert_eq!(board.hub(), Some(0), "b and c have only met a");
        assert_eq!((a.nodes, a.extended), (330, 24));
        // The order in which games end does not matter.
        let mut reversed = games.to_vec();
        reversed.reverse();
        let reversed = super::tests::board(&reversed);
        assert_eq!(reversed.players()[0].pairs.0, a.pairs.0);
        let round_robin = [&games[..], &[game(0, "b", "c", None)]].concat();
        assert_eq!(super::tests::board(&round_robin).hub(), None);
        assert_eq!(super::tests::board(&games[..2]).hub(), None, "with one meeting nobody is the centre");
    }

    #[test]
    fn faults_are_counted_by_player_and_kind() {
        let fault = FaultRecord { side: Side::Black, fault: GameFault::new(FaultKind::Crash, "exit status 3") };
        let crashed = GameRecord { fault: Some(fault), ..game(0, "a", "b", Some(Side::White)) };
        let board = board(&[crashed]);
        assert_eq!(board.players()[1].faults, BTreeMap::from([(FaultKind::Crash, 1)]));
        assert_eq!((board.players()[0].faults.len(), board.faults()), (0, 1));
    }

    #[test]
    fn strangers_are_not_counted() {
        let mut board = board(&[]);
        assert!(!board.add(&game(0, "a", "x", None)));
        assert_eq!(board.games(), 0);
    }
}
