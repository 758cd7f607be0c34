// SPDX-License-Identifier: GPL-3.0-or-later
//! Who plays whom, from which opening, in which order. It depends on the definition only, not on the order in which games
//! end.

use std::ops::Range;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Each player meets each other.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// A scheduled game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The number of its pair, from 0. The two games of a pair start from one opening with colours swapped. Each pairing
    /// has a pair of each number.
    pub pair: u64,
    /// Whether it is the second game of the pair.
    pub is_second: bool,
    /// The players who have White and Black.
    pub players: [usize; 2],
}

impl Fixture {
    /// The key of the game in journals. Sorted keys are in the order of pairs.
    pub fn key(&self, names: &[String]) -> String {
        let [white, black] = self.players.map(|player| &names[player]);
        format!("{:05}.{} {white} - {black}", self.pair, 1 + u8::from(self.is_second))
    }
}

/// The pairings. The first player of a pairing has White in the first game of each pair.
pub fn pairings(kind: Schedule, players: usize) -> Vec<[usize; 2]> {
    match kind {
        // A gauntlet compares the others by their results against the first player.
        Schedule::Gauntlet => (1..players).map(|other| [other, 0]).collect(),
        Schedule::RoundRobin => {
            (0..players).flat_map(|one| (one + 1..players).map(move |other| [one, other])).collect()
        }
    }
}

/// The games of pairs with these numbers in the order in which they start: the first pair of each pairing, then the second
/// of each, and so on.
pub fn fixtures(kind: Schedule, players: usize, pairs: Range<u64>) -> Vec<Fixture> {
    let pairings = pairings(kind, players);
    let games = |pair: u64, [one, other]: [usize; 2]| {
        [[one, other], [other, one]].into_iter().enumerate().map(move |(game, players)| Fixture {
            pair,
            is_second: game == 1,
            players,
        })
    };
    pairs.flat_map(|pair| pairings.iter().flat_map(move |&pairing| games(pair, pairing))).collect()
}

/// The opening of a pair, as a place in the book. The pairs take the openings in this `order` from `start` on, and begin
/// again after the last, so that no opening is repeated before all have been used.
pub fn opening(order: &[usize], start: u64, pair: u64) -> usize {
    let count = order.len() as u64;
    order[((start % count + pair % count) % count) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_players_meet_with_both_colours() {
        let games = fixtures(Schedule::RoundRobin, 4, 0..3);
        assert_eq!(games.len(), 4 * 3 / 2 * 2 * 3);
        for pair in 0..3 {
            for white in 0..4 {
                for black in 0..4 {
                    let met = games.iter().filter(|game| game.pair == pair && game.players == [white, black]).count();
                    assert_eq!(met, usize::from(white != black));
                }
            }
        }
        // The two games of a pair follow each other.
        for two in games.chunks(2) {
            assert_eq!((two[0].players[0], two[0].pair), (two[1].players[1], two[1].pair));
            assert!(!two[0].is_second && two[1].is_second);
        }
        assert!(games.is_sorted_by_key(|game| game.pair));
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_all() {
        assert_eq!(pairings(Schedule::Gauntlet, 3), [[1, 0], [2, 0]]);
        assert!(fixtures(Schedule::Gauntlet, 5, 0..2).iter().all(|game| game.players.contains(&0)));
    }

    #[test]
    fn names_of_games_differ_and_sort_by_pair() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let keys: Vec<String> = fixtures(Schedule::RoundRobin, 3, 0..120).iter().map(|game| game.key(&names)).collect();
        assert_eq!(keys[..2], ["00000.1 a - b", "00000.2 b - a"]);
        let mut sorted = keys.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), keys.len());
        assert!(keys.iter().zip(&sorted).all(|(key, sorted)| key[..5] == sorted[..5]));
    }

    #[test]
    fn no_opening_is_repeated_before_all_have_been_used() {
        let order = [3, 1, 4, 0, 2];
        for start in [0, 2, 4, 5, 7, u64::MAX] {
            for first in [0, 5, 10] {
                let mut seen: Vec<usize> = (first..first + 5).map(|pair| opening(&order, start, pair)).collect();
                seen.sort_unstable();
                assert_eq!(seen, [0, 1, 2, 3, 4]);
            }
        }
        assert_eq!(opening(&order, 2, 0), 4);
    }
}
