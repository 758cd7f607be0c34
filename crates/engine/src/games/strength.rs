// SPDX-License-Identifier: GPL-3.0-or-later
//! Play below full strength: fewer nodes a move, and random moves at the lowest levels. `research/strength.md` says how
//! the levels were measured.

use crate::base::mix::derive;

/// The limits of a player whose strength is limited. It plays the same move in the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Nodes a move.
    pub nodes: u64,
    /// How many of a thousand moves are random.
    pub random: u64,
}

/// The Elo of a strength, as measured with the full search on one thread.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// On the game's own scale.
    pub elo: u32,
    /// The strength at this level.
    pub strength: Strength,
}

impl Level {
    /// A level.
    #[must_use]
    pub const fn new(elo: u32, nodes: u64, random: u64) -> Self {
        Self { elo, strength: Strength { nodes, random } }
    }
}

/// The strength for an Elo. Between two levels nodes are interpolated exponentially; outside the levels they are
/// constant. Levels are sorted from the weakest to the strongest; none if there are none.
#[must_use]
pub fn of(levels: &[Level], elo: u32) -> Option<Strength> {
    let last = levels.len().checked_sub(1)?;
    let above = levels.partition_point(|level| level.elo < elo).min(last);
    let (low, high) = (&levels[above.saturating_sub(1)], &levels[above]);
    let span = f64::from(high.elo - low.elo).max(1.0);
    let share = (f64::from(elo) - f64::from(low.elo)).clamp(0.0, span) / span;
    let between = |low: f64, high: f64| low + share * (high - low);
    let (low, high) = (low.strength, high.strength);
    Some(Strength {
        nodes: libm::exp2(between(libm::log2(low.nodes as f64), libm::log2(high.nodes as f64))).round() as u64,
        random: between(low.random as f64, high.random as f64).round() as u64,
    })
}

impl Strength {
    /// Of the moves of the position with that key, the index of the one to be played by chance; none if a move is to be
    /// searched.
    #[must_use]
    pub fn chance(self, key: u64, moves: usize) -> Option<usize> {
        let by_chance = moves > 0 && derive(key, 0) % 1000 < self.random;
        by_chance.then(|| (derive(key, 1) % moves as u64) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameName, RegisteredGame};
    use crate::with_game;

    #[test]
    fn more_elo_is_more_strength() {
        for &game in GameName::all() {
            let levels = with_game!(game, G => <G as RegisteredGame>::STRENGTHS);
            let all: Vec<Strength> = (0..=4000).filter_map(|elo| of(levels, elo)).collect();
            assert!(all.is_sorted_by(|low, high| low.nodes <= high.nodes && low.random >= high.random), "{game:?}");
            // What was measured is what is played, and nothing is beyond it.
            assert!(levels.iter().all(|level| of(levels, level.elo) == Some(level.strength)), "{game:?}");
            assert_eq!(all.first().copied(), levels.first().map(|level| level.strength), "{game:?}");
            assert_eq!(all.last().copied(), levels.last().map(|level| level.strength), "{game:?}");
        }
        let levels = [Level::new(1000, 10, 500), Level::new(1200, 1000, 0)];
        assert_eq!(of(&levels, 1100), Some(Strength { nodes: 100, random: 250 }));
        assert_eq!(of(&[], 1100), None);
    }

    #[test]
    fn chance_plays_its_share_and_every_move() {
        let strength = Strength { nodes: 30, random: 250 };
        let played: Vec<usize> = (0..10_000).filter_map(|key| strength.chance(key, 5)).collect();
        assert!((2300..2700).contains(&played.len()), "{}", played.len());
        for index in 0..5 {
            assert!(played.iter().filter(|&&other| other == index).count() > 400, "{index}");
        }
        assert_eq!(strength.chance(1, 0), None);
        assert!((0..1000).all(|key| Strength { nodes: 30, random: 0 }.chance(key, 5).is_none()));
    }
}
