// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions of self-play with exact values: what the paper takes from games of LOGISTELLO and KITTY (section 7).
//!
//! A game begins with random moves and continues with the plain search. Each [`Stage`] gets one position of it. The value is
//! the final score if both sides play perfectly: from the position itself if it is near enough to the end to be solved,
//! otherwise from the first later position of the game that is.

use std::ops::ControlFlow;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};

use crate::run::{Stop, Unit};
use crate::suite::distinct::first_four_fields;
use halfply_engine::base::mix::derive;
use halfply_engine::evaluation::patterns::stage::{Stage, pieces};
use halfply_engine::features::ExtensionTable;
use halfply_engine::games::RegisteredGame;
use halfply_engine::history::History;
use halfply_engine::search::{Evaluator, Limits, Setup};
use halfply_engine::solve;

/// Games in a unit: some seconds of work.
pub const BATCH: u64 = 50;

/// The most bytes of a solver's table.
const MEMORY: u64 = 32 << 20;

/// How games are played, and what is kept of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DataSettings {
    /// The seed of all games.
    pub seed: u64,
    /// Nodes a move of the plain search.
    pub nodes: u64,
    /// Games begin with up to so many random plies, at least half as many.
    pub opening: u32,
    /// Which positions are wanted.
    pub stages: Vec<Stage>,
    /// Positions with so many blank squares or fewer are solved.
    pub exact: u32,
}

/// A position with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Valued {
    /// The position, the first four fields of a FEN.
    pub fen: String,
    /// The final score under perfect play: the side to move's points minus the opponent's.
    pub score: i32,
}

/// What came of a batch: for each game, for each stage a position, if the game had one.
pub type Games = Vec<Vec<Option<Valued>>>;

/// Some games, one after the other: the unit of this work.
#[derive(Clone, Debug)]
pub struct Batch<'a, G: RegisteredGame> {
    /// How they are played.
    pub settings: &'a DataSettings,
    /// The evaluation of the search that plays.
    pub evaluation: &'a Evaluator<G>,
    /// The solver.
    pub solver: solve::Solver,
    /// Which batch.
    pub index: u64,
}

impl<G: RegisteredGame> Unit for Batch<'_, G> {
    type Output = Games;

    fn key(&self) -> String {
        format!("batch {}", self.index)
    }

    fn run(&self, stop: &Stop) -> Option<Games> {
        let game = |number| (!stop.is_raised()).then(|| self.game(number));
        (0..BATCH).map(|place| game(self.index * BATCH + place)).collect()
    }
}

impl<G: RegisteredGame> Batch<'_, G> {
    /// Plays a game and takes a position for each stage.
    fn game(&self, number: u64) -> Vec<Option<Valued>> {
        let seed = derive(self.settings.seed, number);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let game = self.play(&mut random, seed);
        // By ply: the exact value for the first player, as far as the solver goes.
        let mut solved: Vec<Option<i32>> = vec![None; game.positions().len()];
        let stages = &self.settings.stages;
        stages.iter().map(|&stage| self.valued(&game, stage, &mut solved, &mut random)).collect()
    }

    /// Plays until nothing more is wanted of the game.
    fn play(&self, random: &mut ChaCha8Rng, seed: u64) -> History<G> {
        let settings = self.settings;
        let setup = Setup::plain(ExtensionTable::default(), seed);
        let mut player = self.evaluation.engine(&setup).thinker();
        let mut game = History::<G>::new(G::start());
        let opening = random.random_range(settings.opening / 2..=settings.opening) as usize;
        let last = settings.stages.iter().map(|stage| stage.most).max().unwrap_or(0);
        while game.outcome().is_none() {
            let position = game.position();
            if pieces::<G>(position) >= last && self.is_solved(position) {
                break;
            }
            let mv = if game.moves().len() < opening {
                game.legal_moves().choose(random).copied()
            } else {
                player.search(game.root(), Limits::nodes(settings.nodes), &mut ()).best
            };
            let Some(mv) = mv else { break };
            game.play(mv);
        }
        game
    }

    fn is_solved(&self, position: &G::Position) -> bool {
        G::SIZE * G::SIZE - pieces::<G>(position) <= self.settings.exact
    }

    /// A position of a stage, at random among those of the game.
    fn valued(
        &self,
        game: &History<G>,
        stage: Stage,
        solved: &mut [Option<i32>],
        random: &mut ChaCha8Rng,
    ) -> Option<Valued> {
        let positions = game.positions();
        let is_wanted = |&ply: &usize| {
            stage.has(pieces::<G>(&positions[ply])) && halfply_engine::game::outcome::<G>(&positions[ply]).is_none()
        };
        let wanted: Vec<usize> = (0..positions.len()).filter(is_wanted).collect();
        let &ply = wanted.choose(random)?;
        // A game that ended before it could be solved is worth its result: its last position is.
        let exact = (ply..positions.len()).find(|&ply| self.is_solved(&positions[ply])).unwrap_or(positions.len() - 1);
        let first = match solved[exact] {
            Some(first) => first,
            None => *solved[exact].insert(self.solve(&positions[exact])?),
        };
        let score = for_mover::<G>(&positions[ply], first);
        Some(Valued { fen: first_four_fields(&G::format_position(&positions[ply])), score })
    }

    /// The exact value for the first player; none if the solver cannot tell.
    fn solve(&self, position: &G::Position) -> Option<i32> {
        let problem = (self.solver)(&G::format_position(position)).ok()?;
        let limits = solve::Limits { nodes: None, memory: MEMORY };
        let solution = problem.solve(limits, &mut |_, _| ControlFlow::Continue(())).ok()?;
        Some(for_mover::<G>(position, solution.value?.margin?))
    }
}

/// A value for the first player as one for the side to move, and the other way round.
fn for_mover<G: RegisteredGame>(position: &G::Position, value: i32) -> i32 {
    if G::to_move(position) == halfply_engine::game::Side::White { value } else { -value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::Othello;

    #[test]
    fn positions_have_their_exact_values() {
        let stages = vec![Stage { least: 20, most: 23 }, Stage { least: 56, most: 56 }, Stage { least: 60, most: 60 }];
        let settings = DataSettings { seed: 1, nodes: 30, opening: 10, stages, exact: 8 };
        let evaluation = Othello::hand_made();
        let batch = Batch::<Othello> {
            settings: &settings,
            evaluation: &evaluation,
            solver: Othello::SOLVER.unwrap(),
            index: 3,
        };
        let mut found = 0;
        for number in 0..8 {
            let game = batch.game(number);
            assert_eq!(batch.game(number), game, "the seed decides");
            let first = |valued: &Valued| {
                let position = <Othello as halfply_engine::game::Notation>::parse_position(&valued.fen).unwrap();
                for_mover::<Othello>(&position, valued.score)
            };
            let [Some(early), Some(late), Some(last)] = &game[..] else { continue };
            // No stage between them is solved: both have the value of the position with eight blank squares.
            assert_eq!(first(early), first(late));
            let position = <Othello as halfply_engine::game::Notation>::parse_position(&last.fen).unwrap();
            assert_eq!(halfply_engine::games::othello::Solver::new(8, u64::MAX).discs(&position), Ok(last.score));
            assert_eq!(pieces::<Othello>(&position), 60);
            found += 1;
        }
        assert!(found > 4, "{found} whole games");
    }
}
