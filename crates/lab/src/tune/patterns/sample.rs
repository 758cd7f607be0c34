// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions as a frame has them, and the errors of weights on them.

use super::columns::{Columns, Features};
use super::labelled::{Kind, Labelled};
use super::weights::{Errors, Loss, Targets};
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::evaluation::patterns::StageWeights;
use halfply_engine::game::Side;
use halfply_engine::patterns::{Frame, Pattern, View};

/// The paper's frequency window (section 7.1).
pub const WINDOW: [f64; 2] = [1.25e-5, 0.075];

/// Positions as one frame has them.
#[derive(Clone, Debug)]
pub struct Sample {
    /// All facts of each position.
    pub facts: Vec<Pattern>,
    /// The facts as columns.
    pub columns: Columns,
    /// The values.
    pub targets: Targets,
}

impl Sample {
    /// Positions in a frame. Positions of games with several kinds of pieces are left out: they have no facts.
    pub fn new<G: Inputs>(frame: &Frame, labelled: &Labelled<G::Position>) -> Self {
        let mut facts = Vec::new();
        let loss = match labelled.kind {
            Kind::Score => Loss::Squares,
            Kind::Probability => Loss::Entropy { logit: G::LOGIT / 100.0 },
        };
        let mut targets = Targets { loss, ..Targets::default() };
        for position in &labelled.positions {
            let first_moves = G::to_move(&position.position) == Side::White;
            let Some(known) = halfply_engine::evaluation::patterns::facts::<G>(&position.position) else { continue };
            facts.push(frame.facts(known, first_moves));
            targets.values.push(match labelled.kind {
                Kind::Score => frame.value(position.value, first_moves),
                // Both sides' probabilities have the sum 1.
                Kind::Probability => 0.5 + frame.value(position.value - 0.5, first_moves),
            });
            targets.games.push(position.game);
        }
        let columns = Columns::new(frame, &facts);
        Self { facts, columns, targets }
    }

    /// The errors of weights.
    pub fn errors(&self, frame: &Frame, weights: &StageWeights) -> Errors {
        let (patterns, weights_of): (Vec<Pattern>, Vec<f64>) = weights.patterns.iter().copied().unzip();
        let features = Features::new(frame, &self.columns, &patterns, [0.0, 1.0]);
        // Patterns that are their own opposites have no feature.
        let known = features.classes.iter().map(|class| class.pattern);
        let weights_of: std::collections::HashMap<Pattern, f64> = patterns.into_iter().zip(weights_of).collect();
        let of_features: Vec<f64> = known.map(|pattern| weights_of[&pattern]).collect();
        self.targets.errors(&features, weights.constant, &of_features)
    }
}

/// Whether values have a constant: where exchanged players have opposite values it is 0.
pub fn has_constant(frame: &Frame) -> bool {
    frame.view() == View::Mover
}
