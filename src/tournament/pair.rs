// SPDX-License-Identifier: GPL-3.0-or-later
//! The unit of a match: an opening played twice, with colours swapped.

use serde::{Deserialize, Serialize};

use super::play::{Game, play};
use super::statistics::Tally;
use crate::experiment::Unit;
use crate::features::ExtensionTable;
use crate::game::Side;
use crate::games::Furnished;
use crate::mix::derive;
use crate::search::{Engine, Limits, Setup};

/// What two players A and B share, and what tells them apart.
#[derive(Clone, Debug)]
pub struct Match<'a> {
    /// The tables of A and B.
    pub tables: [&'a ExtensionTable; 2],
    /// The evaluations of A and B.
    pub evaluations: [&'a str; 2],
    /// How both search, but for their tables. The order of moves in pair `n` follows from its seed and `n`, the same for
    /// both players and both games.
    pub setup: &'a Setup,
    /// What each may use for a move.
    pub limits: Limits,
}

/// Two games from one opening.
pub struct Pair<'a, G: Furnished> {
    /// The match that it is of.
    pub of: &'a Match<'a>,
    /// Its number in the match, from 0.
    pub number: u64,
    /// Where both games start.
    pub opening: &'a G::Position,
}

/// What came of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairResult {
    /// Where both games started.
    pub opening: String,
    /// The first game, in which A has White, and the second, in which B has.
    pub games: [Game; 2],
}

impl<G: Furnished> Unit for Pair<'_, G> {
    type Output = PairResult;

    fn key(&self) -> String {
        format!("pair {:05}", self.number)
    }

    /// # Panics
    /// If the game has no evaluation of the match's name.
    fn run(&self) -> PairResult {
        let seed = derive(self.of.setup.seed, self.number);
        let [a, b] = [0, 1].map(|player| -> Box<dyn Engine<G>> {
            let setup = Setup { table: self.of.tables[player].clone(), seed, ..self.of.setup.clone() };
            G::engine(self.of.evaluations[player], &setup).expect("whoever sets up a match checks the evaluations")
        });
        let game = |players| play::<G>(self.opening, players, self.of.limits);
        PairResult {
            opening: G::format_position(self.opening),
            games: [game([a.as_ref(), b.as_ref()]), game([b.as_ref(), a.as_ref()])],
        }
    }
}

impl PairResult {
    /// A's results in the two games.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (game, a_plays) in self.games.iter().zip([Side::White, Side::Black]) {
            match game.winner {
                Some(winner) if winner == a_plays => tally.wins += 1,
                Some(_) => tally.losses += 1,
                None => tally.draws += 1,
            }
        }
        tally
    }

    /// Nodes that A searched in the two games, and how many of them its table extended.
    #[must_use]
    pub fn nodes_of_a(&self) -> (u64, u64) {
        let [first, second] = &self.games;
        (first.nodes[0] + second.nodes[1], first.extended[0] + second.extended[1])
    }
}
