// SPDX-License-Identifier: GPL-3.0-or-later
//! The evaluation as coefficients: how often each weight counts in a position. The code that evaluates records
//! them, so tests can look at each term.

use super::super::Position;
use super::blend::Blend;
use super::classical::terms;
use super::layout::{WEIGHTS_COUNT, Weight};
use super::sink::Sink;
use crate::base::Score;

/// How often each weight counts for the side to move, minus how often for the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// By weight.
    pub counts: Vec<i32>,
    /// How middlegame and endgame become one number.
    pub blend: Blend,
}

/// Counts what one side is given.
struct Counts(Vec<i32>);

impl Sink for Counts {
    fn add(&mut self, index: usize, count: usize) {
        self.0[index] += count as i32;
    }
}

impl Trace {
    /// Takes the evaluation of a position apart.
    pub fn new(position: &Position) -> Self {
        let (mut own, mut their) = (Counts(vec![0; WEIGHTS_COUNT]), Counts(vec![0; WEIGHTS_COUNT]));
        let blend = terms(position, &mut own, &mut their);
        let counts = own.0.iter().zip(their.0).map(|(own, their)| own - their).collect();
        Self { counts, blend }
    }

    /// The value of the position under these weights: with the evaluation's own, exactly its value.
    pub fn score(&self, weights: &[Weight]) -> Score {
        self.blend.apply(self.values(weights))
    }

    /// The values of middlegame and endgame.
    fn values(&self, weights: &[Weight]) -> Weight {
        let sum =
            |of: fn(&Weight) -> i32| self.counts.iter().zip(weights).map(|(count, weight)| count * of(weight)).sum();
        (sum(|weight| weight.0), sum(|weight| weight.1))
    }
}
