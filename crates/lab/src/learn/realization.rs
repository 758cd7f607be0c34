// SPDX-License-Identifier: GPL-3.0-or-later
//! Costs from games: how often a move of each category was played where there was one (Tsuruoka, Yokoyama and Chikayama
//! 2002, "Game-tree search algorithm based on realization probability"; Skowronski 2009, section 2.2.4).
//!
//! A category is a feature. Its *transition probability* P is the number of positions in which a move of it was played,
//! divided by the number in which one was possible. The cost of its moves is log P / log C plies (formula 2.2). A move of
//! several categories has the lowest cost of them, as in every extension table.

use crate::report::{Cell, Column, Listing};
use crate::tournament::record::{GameRecord, ReplayError};
use halfply_engine::base::Depth;
use halfply_engine::base::figures::thousands;
use halfply_engine::features::{AtomSet, ExtensionTable, Row, Vocabulary};
use halfply_engine::game::{MoveContext, Notation, after};
use halfply_engine::history::History;

/// How often the moves of a category were possible, and played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Category {
    /// The feature of its moves.
    pub feature: AtomSet,
    /// Positions with a move of it.
    pub possible: u64,
    /// Positions in which one was played.
    pub played: u64,
}

impl Category {
    /// The transition probability; none if no move of it was possible.
    pub fn probability(&self) -> Option<f64> {
        (self.possible > 0).then(|| self.played as f64 / self.possible as f64)
    }
}

/// What is counted.
#[derive(Clone, Debug)]
pub struct Counts {
    /// The categories, in the order in which they were given.
    pub categories: Vec<Category>,
    /// Positions in which a player had a choice.
    pub positions: u64,
    /// Games with such a position.
    pub games: u64,
    /// Games without one.
    pub unused_games: u64,
    /// Moves that do not count: those of the book, those of other players, and those without a choice.
    pub unused_moves: [u64; 3],
    /// For each set of categories of a played move, by their places, how often it was played.
    played: std::collections::BTreeMap<Vec<usize>, u64>,
}

impl Counts {
    /// Counts of nothing yet.
    pub fn new(categories: &[AtomSet]) -> Self {
        let category = |&feature: &AtomSet| Category { feature, possible: 0, played: 0 };
        let categories = categories.iter().map(category).collect();
        Self { categories, positions: 0, games: 0, unused_games: 0, unused_moves: [0; 3], played: Default::default() }
    }

    /// Counts the moves that these players chose in a game; without names, all players. Moves of the book and forced moves
    /// do not count.
    ///
    /// # Errors
    /// If the game cannot be replayed; nothing of it is counted then.
    pub fn add<G: Notation>(&mut self, record: &GameRecord, players: &[String]) -> Result<(), ReplayError> {
        let game = record.replay::<G>()?;
        let mut history = History::<G>::new(game.positions()[0].clone());
        let before = self.positions;
        for (index, &mv) in game.moves().iter().enumerate() {
            let player = &record.players[G::to_move(history.position()).index()];
            let unused = if index < record.book {
                Some(0)
            } else if !players.is_empty() && !players.contains(player) {
                Some(1)
            } else {
                (!self.count(&history, mv)).then_some(2)
            };
            if let Some(reason) = unused {
                self.unused_moves[reason] += 1;
            }
            history.play(mv);
        }
        let is_used = self.positions > before;
        self.games += u64::from(is_used);
        self.unused_games += u64::from(!is_used);
        Ok(())
    }

    /// Counts a move among those that were possible; false if there was no other.
    fn count<G: Notation>(&mut self, history: &History<G>, played: G::Move) -> bool {
        let moves = history.legal_moves();
        if moves.len() < 2 {
            return false;
        }
        self.positions += 1;
        let wanted: AtomSet = self.categories.iter().map(|category| category.feature).collect();
        let (position, previous) = (history.position(), history.moves().last().copied());
        let atoms = |mv: G::Move| {
            let next = after::<G>(position, mv);
            G::atoms(&MoveContext::new(position, &next, mv, previous), wanted)
        };
        let possible: Vec<AtomSet> = moves.iter().map(|&mv| atoms(mv)).collect();
        let chosen = atoms(played);
        for category in &mut self.categories {
            category.possible += u64::from(possible.iter().any(|atoms| atoms.contains(category.feature)));
            category.played += u64::from(chosen.contains(category.feature));
        }
        let of = self.categories.iter().enumerate().filter(|(_, category)| chosen.contains(category.feature));
        let places: Vec<usize> = of.map(|(place, _)| place).collect();
        *self.played.entry(places).or_default() += 1;
        true
    }

    /// What of the games is not used, in a line, and the categories that are possible in too few `positions` for a row;
    /// empty if everything is used.
    pub fn unused(&self, positions: u64, vocabulary: &Vocabulary) -> String {
        let [book, others, forced] = self.unused_moves;
        let counts = [
            (self.unused_games, "games without a position that counts"),
            (book, "moves of the book"),
            (others, "moves of other players"),
            (forced, "moves without a choice"),
        ];
        let counts = counts.into_iter().filter(|&(count, _)| count > 0);
        let mut parts: Vec<String> = counts.map(|(count, what)| format!("{} {what}", thousands(count))).collect();
        let rare = self.categories.iter().filter(|category| category.possible < positions);
        let rare: Vec<String> = rare.map(|category| vocabulary.format(category.feature)).collect();
        if !rare.is_empty() {
            parts.push(format!("{}, possible in fewer than {positions} positions", rare.join(" ")));
        }
        if parts.is_empty() { String::new() } else { format!("not used: {}", parts.join("; ")) }
    }

    /// The constant with which a move that was played costs one ply on average: the choice is ours, the papers tune it by
    /// games. Categories that were possible in fewer than so many positions have no row, and do not count; nor do moves of
    /// no category. None if there is no such constant. Costs that are cut afterwards shift the mean.
    pub fn constant(&self, positions: u64) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0.0);
        for (places, &times) in &self.played {
            let known = places.iter().map(|&place| &self.categories[place]).filter(|of| of.possible >= positions);
            let likeliest = known.filter_map(Category::probability).max_by(f64::total_cmp);
            if let Some(probability) = likeliest {
                sum += times as f64 * libm::log(probability);
                count += times as f64;
            }
        }
        let constant = libm::exp(sum / count);
        (constant > 0.0 && constant < 1.0).then_some(constant)
    }
}

/// How costs follow from counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// The constant C, between 0 and 1.
    pub constant: f64,
    /// The least cost.
    pub least: Depth,
    /// The greatest cost.
    pub most: Depth,
    /// The fewest positions with which a category has a row.
    pub positions: u64,
}

impl Costs {
    /// What a move of a category costs; none if too little is known of it.
    pub fn of(&self, category: &Category) -> Option<Depth> {
        let probability = category.probability().filter(|_| category.possible >= self.positions)?;
        if probability <= 0.0 {
            return Some(self.most);
        }
        let plies = libm::log(probability) / libm::log(self.constant);
        let hundredths = (plies * f64::from(Depth::PLY.as_hundredths())).round() as i32;
        Some(Depth::hundredths(hundredths).clamp(self.least, self.most))
    }

    /// The table of all categories of which enough is known.
    pub fn table(&self, counts: &Counts) -> ExtensionTable {
        let row = |category: &Category| self.of(category).map(|cost| Row { feature: category.feature, cost });
        ExtensionTable::new(counts.categories.iter().filter_map(row).collect())
    }

    /// The categories with their counts, the likeliest first.
    pub fn listing(&self, counts: &Counts, vocabulary: &Vocabulary) -> Listing {
        let columns = [Column::words("category"), Column::figures("possible"), Column::figures("played")];
        let mut listing = Listing::new(columns.into_iter().chain([Column::figures("P"), Column::figures("ply")]));
        let mut categories: Vec<&Category> = counts.categories.iter().collect();
        let probability = |category: &Category| category.probability().unwrap_or(0.0);
        categories.sort_by(|a, b| probability(b).total_cmp(&probability(a)));
        for category in categories {
            listing.push([
                Cell::text(vocabulary.format(category.feature)),
                Cell::count(category.possible),
                Cell::count(category.played),
                category.probability().map(|probability| Cell::decimal(probability, 4)).into(),
                self.of(category).map(|cost| cost.to_string()).into(),
            ]);
        }
        listing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::game::Game;
    use halfply_engine::games::Breakthrough;

    const VOCABULARY: Vocabulary = Breakthrough::VOCABULARY;

    fn record(moves: &str, book: usize) -> GameRecord {
        serde_json::from_value(serde_json::json!({
            "players": ["one", "two"], "pair": 0, "opening": "8/7p/8/8/8/8/P7/8 w - - 0 1", "winner": null, "end": "",
            "book": book, "moves": moves, "nodes": [0, 0], "extended": [0, 0], "times": { "thinking": 0.0 },
        }))
        .unwrap()
    }

    fn counts(names: &[&str]) -> Counts {
        Counts::new(&names.map_features())
    }

    trait MapFeatures {
        fn map_features(&self) -> Vec<AtomSet>;
    }

    impl MapFeatures for [&str] {
        fn map_features(&self) -> Vec<AtomSet> {
            self.iter().map(|name| VOCABULARY.parse(name).unwrap()).collect()
        }
    }

    #[test]
    fn what_was_possible_and_what_was_played_is_counted() {
        let mut counts = counts(&["Edg", "Mr", "C"]);
        // White: a2a3 (b3 possible), then a3b4 (a4 possible); Black: h7h6, h6g5. Both are edge files, c to f are not
        // reached, and nothing is captured.
        counts.add::<Breakthrough>(&record("a2a3 h7h6 a3b4 h6g5 b4c5", 0), &[]).unwrap();
        let of = |counts: &Counts| -> Vec<(u64, u64)> {
            counts.categories.iter().map(|category| (category.possible, category.played)).collect()
        };
        // From b4 White can go to a5, b5 and c5, the only move to a middle file.
        assert_eq!(of(&counts), [(5, 4), (1, 1), (0, 0)]);
        assert_eq!((counts.positions, counts.games), (5, 1));

        // One player alone, and without the book.
        let mut one = super::tests::counts(&["Edg", "Mr", "C"]);
        one.add::<Breakthrough>(&record("a2a3 h7h6 a3b4 h6g5 b4c5", 2), &["one".to_owned()]).unwrap();
        assert_eq!((of(&one), one.positions), (vec![(2, 1), (1, 1), (0, 0)], 2));
    }

    #[test]
    fn a_game_that_cannot_be_replayed_counts_nothing() {
        let mut counts = counts(&["Edg"]);
        let error = counts.add::<Breakthrough>(&record("a2a3 a3a4", 0), &[]).unwrap_err();
        assert_eq!((error.number, error.mv.as_str()), (2, "a3a4"));
        assert_eq!((counts.positions, counts.games), (0, 0));
    }

    #[test]
    fn a_cost_is_the_logarithm_to_the_base_c() {
        let costs =
            Costs { constant: 0.25, least: Depth::hundredths(10), most: Depth::hundredths(300), positions: 100 };
        let cost = |played, possible| costs.of(&Category { feature: AtomSet::EMPTY, possible, played });
        for (played, hundredths) in [(250, 100), (500, 50), (125, 150), (1000, 10), (1, 300), (0, 300)] {
            assert_eq!(cost(played, 1000), Some(Depth::hundredths(hundredths)), "{played}");
        }
        assert_eq!(cost(50, 99), None, "too few positions");
    }

    /// With the constant that is chosen by default, the moves that were played cost one ply on average.
    #[test]
    fn what_was_played_costs_a_ply_in_the_mean() {
        let mut counts = counts(&["Edg", "Mr"]);
        for moves in ["a2a3 h7h6 a3b4 h6g5 b4c5", "a2b3 h7g6 b3c4 g6f5 c4b5", "a2b3 h7h6 b3b4"] {
            counts.add::<Breakthrough>(&record(moves, 0), &[]).unwrap();
        }
        let constant = counts.constant(1).unwrap();
        let sum: f64 = counts
            .played
            .iter()
            .map(|(places, &times)| {
                let costs = places
                    .iter()
                    .map(|&place| libm::log(counts.categories[place].probability().unwrap()) / libm::log(constant));
                times as f64 * costs.fold(f64::MAX, f64::min)
            })
            .sum();
        assert!((sum / counts.positions as f64 - 1.0).abs() < 1e-9, "{sum}");
        assert_eq!(Counts::new(&[]).constant(1), None);
    }
}
