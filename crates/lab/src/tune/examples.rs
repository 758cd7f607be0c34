// SPDX-License-Identifier: GPL-3.0-or-later
//! What a network is trained on: positions, each with the probability of winning that it ought to predict.
//!
//! The target is that of TD(λ) (Sutton, 1988): the value that a search found, mixed with what came after it in the game,
//! the more of it the greater λ is; at the end stands the result. A random move cuts that chain, because what comes
//! after it says nothing about the position before it.

use super::logistic::{golden_section, loss, probability};
use super::record::{Board, Record, pack};
use halfply_engine::base::Outcome;
use halfply_engine::base::Score;
use halfply_engine::base::score::LONGEST_WIN;
use halfply_engine::game::{Pieces, Side};

/// A position and its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// The [packed](pack) board.
    pub board: Board,
    /// Who is to move.
    pub side: Side,
    /// The probability that the side to move wins.
    pub target: f32,
}

impl Example {
    /// The position, comparable: equal for examples of the same position.
    pub(super) fn position(&self) -> (Board, usize) {
        (self.board, self.side.index())
    }
}

/// How targets are made of records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Targets {
    /// How much of what comes after is in the target, from 0 (the search's value alone) to 1 (the game's result alone).
    pub lambda: f64,
    /// The score, in hundredths of a pawn, at which the odds of winning are e to 1.
    pub scale: f64,
    /// Whether only quiet positions are kept.
    pub quiet: bool,
}

/// The value of an outcome.
const fn value(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Loss => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Win => 1.0,
    }
}

/// Whether the score is a proved one.
const fn is_proved(score: Score) -> bool {
    score.abs() >= LONGEST_WIN
}

/// What a search said, and how the game ended: all that a [scale](best_scale) depends on.
pub type Said = (Score, Outcome);

/// What was said of records.
pub fn said<B>(records: &[Record<B>]) -> impl Iterator<Item = Said> {
    records.iter().filter(|record| !is_proved(record.score)).map(|record| (record.score, record.outcome))
}

/// The scale under which the scores of undecided positions predict the results best.
pub fn best_scale(said: &[Said]) -> f64 {
    let lost = |steepness: f64, &(score, outcome): &Said| loss(f64::from(score) * steepness, value(outcome));
    1.0 / golden_section(1e-4, 0.1, |steepness| said.iter().map(|said| lost(steepness, said)).sum())
}

impl Targets {
    /// The targets of all records, in their order, for each one's side to move.
    pub fn of<B>(&self, records: &[Record<B>]) -> Vec<f64> {
        let mut targets = vec![0.0; records.len()];
        // From the end: what comes after a position is known before the position.
        let mut after = None;
        for (record, target) in records.iter().zip(&mut targets).rev() {
            let found = match record.score {
                LONGEST_WIN.. => 1.0,
                score if is_proved(score) => 0.0,
                score => probability(f64::from(score) / self.scale),
            };
            let behind = match after {
                _ if record.cut => found,
                Some((side, value)) => {
                    if side == record.side {
                        value
                    } else {
                        1.0 - value
                    }
                }
                None => value(record.outcome),
            };
            *target = (1.0 - self.lambda) * found + self.lambda * behind;
            after = (!record.first).then_some((record.side, *target));
        }
        targets
    }

    /// Examples of records, in their order.
    pub fn examples<G: Pieces>(&self, records: &[Record<G::Boards>]) -> Vec<Example> {
        let example = |(record, target): (&Record<G::Boards>, f64)| {
            let wanted = record.quiet || !self.quiet;
            let board = wanted.then(|| pack::<G>(&record.boards))??;
            Some(Example { board, side: record.side, target: target as f32 })
        };
        records.iter().zip(self.of(records)).filter_map(example).collect()
    }
}

/// Sorts examples by position. Of those with the same position one is left, with the mean of their targets.
pub fn merge(examples: &mut Vec<Example>) {
    examples.sort_unstable_by(|a, b| a.position().cmp(&b.position()).then(a.target.total_cmp(&b.target)));
    let mut merged: Vec<Example> = Vec::new();
    for same in examples.chunk_by(|a, b| a.position() == b.position()) {
        let mean = same.iter().map(|example| f64::from(example.target)).sum::<f64>() / same.len() as f64;
        merged.push(Example { target: mean as f32, ..same[0] });
    }
    *examples = merged;
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::game::Notation;
    use halfply_engine::games::Breakthrough;

    fn record(side: Side, score: Score, first: bool, cut: bool, outcome: Outcome) -> Record<[u64; 2]> {
        Record { boards: [1, 2 << 40], side, score, outcome, first, cut, quiet: true, ply: 0 }
    }

    /// Two games: one of three positions that White wins, whose second move is random; one of one position.
    fn games() -> Vec<Record<[u64; 2]>> {
        vec![
            record(Side::White, 0, true, false, Outcome::Win),
            record(Side::Black, 100, false, true, Outcome::Loss),
            record(Side::White, 100, false, false, Outcome::Win),
            record(Side::White, LONGEST_WIN, true, false, Outcome::Win),
        ]
    }

    #[test]
    fn targets_are_mixed_from_the_end_and_cut_at_random_moves() {
        let targets = Targets { lambda: 0.75, scale: 100.0, quiet: false }.of(&games());
        let e = probability(1.0);
        let second = e;
        let expected = [0.25 * 0.5 + 0.75 * (1.0 - second), second, 0.25 * e + 0.75, 1.0];
        for (target, expected) in targets.iter().zip(expected) {
            assert!((target - expected).abs() < 1e-12, "{targets:?}, not {expected:?}");
        }
        let results = Targets { lambda: 1.0, scale: 100.0, quiet: false }.of(&games());
        assert_eq!(results[2..], [1.0, 1.0]);
    }

    #[test]
    fn equal_positions_are_merged() {
        let position = |fen: &str| Breakthrough::boards(&Breakthrough::parse_position(fen).unwrap());
        let example =
            |fen: &str, side, target| Example { board: pack::<Breakthrough>(&position(fen)).unwrap(), side, target };
        let (a, b) = ("8/2p5/8/8/8/8/1P6/8 w", "8/2p5/8/8/8/1P6/8/8 w");
        let mut examples = vec![
            example(a, Side::White, 0.25),
            example(b, Side::White, 1.0),
            example(a, Side::Black, 0.5),
            example(a, Side::White, 0.75),
        ];
        merge(&mut examples);
        assert_eq!(examples.len(), 3);
        let of = |fen, side| {
            examples.iter().find(|other| other.board == example(fen, side, 0.0).board && other.side == side)
        };
        assert_eq!(of(a, Side::White).unwrap().target, 0.5);
        assert_eq!(of(a, Side::Black).unwrap().target, 0.5);
        assert_eq!(of(b, Side::White).unwrap().target, 1.0);
    }

    #[test]
    fn scores_that_predict_results_well_have_a_small_scale() {
        let scale = |wins: usize| {
            let outcome = |index: usize| if index < wins { Outcome::Win } else { Outcome::Loss };
            let records: Vec<_> = (0..100).map(|index| record(Side::White, 100, true, false, outcome(index))).collect();
            best_scale(&said(&records).collect::<Vec<_>>())
        };
        // At this scale the probability is the share of wins: 1 / (1 + e^-x) = 0.9 at x = 2.197.
        assert!((scale(90) - 100.0 / 2.197).abs() < 0.1, "{}", scale(90));
        assert!((scale(60) - 100.0 / 0.405).abs() < 2.0, "{}", scale(60));
    }
}
