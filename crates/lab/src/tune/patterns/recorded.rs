// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions of self-play with probabilities of winning, for games that have no score at their end.
//!
//! The games are those that networks learn from ([`self_play`](crate::tune::self_play)). So are the probabilities
//! ([`Targets`]): the value that the search found, mixed with what came after it and the result.

use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::ChaCha8Rng};

use crate::suite::distinct::first_four_fields;
use crate::tune::examples::{Targets, best_scale, said};
use crate::tune::record::Record;
use halfply_engine::base::mix::derive;
use halfply_engine::evaluation::patterns::stage::{Stage, pieces};
use halfply_engine::game::{Notation, Pieces};

/// Which positions are taken of a game.
#[derive(Clone, Copy, Debug)]
pub struct Taking<'a> {
    /// Decides which ones.
    pub seed: u64,
    /// The stages that positions are wanted of.
    pub stages: &'a [Stage],
    /// The most positions that a game gives to a stage.
    pub keep: usize,
}

/// A position that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The number of its game.
    pub game: u64,
    /// The place of its stage among the stages.
    pub stage: usize,
    /// The position, the first four fields of a FEN.
    pub fen: String,
    /// The place of its record.
    pub record: usize,
}

impl Taking<'_> {
    /// The positions that are taken of games. These are numbered from `first`.
    pub fn of<G: Notation + Pieces>(&self, records: &[Record<G::Boards>], first: u64) -> Vec<Taken> {
        let positions: Vec<Option<G::Position>> =
            records.iter().map(|record| G::position(&record.boards, record.side)).collect();
        let mut taken = Vec::new();
        let mut start = 0;
        for (game, records) in (first..).zip(records.chunk_by(|_, next| !next.first)) {
            let mut random = ChaCha8Rng::seed_from_u64(derive(self.seed, game));
            for (stage, wanted) in self.stages.iter().enumerate() {
                let of_game =
                    (start..start + records.len()).filter_map(|place| Some((place, positions[place].as_ref()?)));
                let mut of_stage: Vec<(usize, &G::Position)> =
                    of_game.filter(|(_, position)| wanted.has(pieces::<G>(position))).collect();
                let (chosen, _) = of_stage.partial_shuffle(&mut random, self.keep);
                chosen.sort_unstable_by_key(|(place, _)| *place);
                taken.extend(chosen.iter().map(|&(record, position)| {
                    let fen = first_four_fields(&G::format_position(position));
                    Taken { game, stage, fen, record }
                }));
            }
            start += records.len();
        }
        taken
    }
}

/// The probability of winning for the side to move, by record. The scale of scores is the one that predicts the results of
/// these games best.
pub fn probabilities<B>(records: &[Record<B>], lambda: f64) -> Vec<f64> {
    let said: Vec<_> = said(records).collect();
    Targets { lambda, scale: best_scale(&said), quiet: false }.of(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::base::Outcome;
    use halfply_engine::game::{Side, legal_moves};
    use halfply_engine::games::Breakthrough;

    type Game = Breakthrough;

    /// Two games of so many plies. Of moves, always the last one is played.
    fn games(plies: usize) -> Vec<Record<[u64; 2]>> {
        let mut records = Vec::new();
        for _ in 0..2 {
            let mut position = <Game as halfply_engine::game::Game>::start();
            for ply in 0..plies {
                let side = position_side(&position);
                let (boards, first) = (Game::boards(&position), ply == 0);
                let outcome = if side == Side::White { Outcome::Win } else { Outcome::Loss };
                let record =
                    Record { boards, side, score: 10, outcome, first, cut: false, quiet: true, ply: ply as u16 };
                records.push(record);
                let mv = *legal_moves::<Game>(&position).last().unwrap();
                position = halfply_engine::game::after::<Game>(&position, mv);
            }
        }
        records
    }

    fn position_side(position: &<Game as halfply_engine::game::Game>::Position) -> Side {
        <Game as halfply_engine::game::Game>::to_move(position)
    }

    #[test]
    fn positions_are_taken_of_their_stage_and_game() {
        let records = games(40);
        let fewest = pieces::<Game>(&Game::position(&records[39].boards, records[39].side).unwrap());
        assert!(fewest < 31, "{fewest} pieces");
        let stages = [Stage { least: 31, most: 32 }, Stage { least: 1, most: 30 }];
        let taking = Taking { seed: 7, stages: &stages, keep: 3 };
        let taken = taking.of::<Game>(&records, 100);
        assert_eq!(taken.len(), 2 * 2 * 3);
        assert_eq!(taken, taking.of::<Game>(&records, 100), "the seed decides");
        for (place, one) in taken.iter().enumerate() {
            assert_eq!((one.game, one.stage), (100 + place as u64 / 6, place / 3 % 2));
            assert_eq!(one.game - 100, one.record as u64 / 40, "the record is of that game");
            let position = Game::parse_position(&one.fen).unwrap();
            assert_eq!((Game::boards(&position), position_side(&position)), {
                let record = &records[one.record];
                (record.boards, record.side)
            });
            assert!(stages[one.stage].has(pieces::<Game>(&position)));
        }
        let all = Taking { keep: 1000, ..taking }.of::<Game>(&records, 0);
        assert_eq!(all.len(), records.len(), "each position once");
    }

    #[test]
    fn probabilities_are_those_of_the_results_and_the_search() {
        let records = games(6);
        let results = probabilities(&records, 1.0);
        assert_eq!(results[..2], [1.0, 0.0]);
        let searched = probabilities(&records, 0.0);
        // Both sides have a score of 10 in all positions, and win half of them: scores say nothing.
        assert!(searched.iter().all(|found| (found - 0.5).abs() < 0.05), "{searched:?}");
    }
}
