// SPDX-License-Identifier: GPL-3.0-or-later
//! The evaluation as coefficients: how often each weight counts in a position. The code that evaluates records them, so
//! the two always agree.

use super::super::Position;
use super::blend::Blend;
use super::classical::terms;
use super::layout::{TERMS, WEIGHTS_COUNT, Weight};
use super::sink::Sink;
use crate::base::Score;

/// How often each weight counts for the side to move, minus how often for the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// By weight.
    pub counts: Vec<i32>,
    blend: Blend,
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
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let (mut own, mut their) = (Counts(vec![0; WEIGHTS_COUNT]), Counts(vec![0; WEIGHTS_COUNT]));
        let blend = terms(position, &mut own, &mut their);
        let counts = own.0.iter().zip(their.0).map(|(own, their)| own - their).collect();
        Self { counts, blend }
    }

    /// The value of the position under these weights: with the evaluation's own, exactly its value.
    #[must_use]
    pub fn score(&self, weights: &[Weight]) -> Score {
        self.blend.apply(self.values(weights))
    }

    /// The shares of the middlegame's and of the endgame's value in the whole, under weights that are about right: they
    /// decide who has the advantage, and whether that side can win.
    #[must_use]
    pub fn shares(&self, weights: &[Weight]) -> [f64; 2] {
        self.blend.shares(self.values(weights))
    }

    /// The values of middlegame and endgame.
    fn values(&self, weights: &[Weight]) -> Weight {
        let sum =
            |of: fn(&Weight) -> i32| self.counts.iter().zip(weights).map(|(count, weight)| count * of(weight)).sum();
        (sum(|weight| weight.0), sum(|weight| weight.1))
    }
}

/// The file of weights, as Rust source; `comment` says by which commands it was made, a line each.
#[must_use]
pub fn written(weights: &[Weight], comment: &[String]) -> String {
    let mut text = "// SPDX-License-Identifier: GPL-3.0-or-later\n".to_owned();
    text += "//! The weights of the evaluation: middlegame and endgame, in hundredths of a pawn. Generated; do not edit.\n//!\n";
    // Fenced, because rustdoc treats indented text as code.
    text += "//! ```text\n";
    for line in comment {
        text += &format!("//! {line}\n");
    }
    text += "//! ```\n";
    text += "\nuse super::layout::{WEIGHTS_COUNT, Weight};\n\n";
    text += "/// The weights in the order of `TERMS`.\n#[rustfmt::skip]\n";
    text += "pub const WEIGHTS: [Weight; WEIGHTS_COUNT] = [\n";
    for term in TERMS {
        text += &format!("    // {}\n", term.name);
        for row in weights[term.first..term.first + term.count].chunks(term.row) {
            let row: Vec<_> = row.iter().map(|(middlegame, endgame)| format!("({middlegame}, {endgame}),")).collect();
            text += &format!("    {}\n", row.join(" "));
        }
    }
    text + "];\n"
}
