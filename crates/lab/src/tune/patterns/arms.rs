// SPDX-License-Identifier: GPL-3.0-or-later
//! Ways to choose patterns, compared on the same positions: Tables 2 to 4 of the paper.

use std::sync::Arc;
use std::time::Instant;

use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::ChaCha8Rng};
use serde::{Deserialize, Serialize};

use super::columns::{Class, Columns, Features, Figures};
use super::labelled::{Kind, Labelled};
use super::weights::{Errors, Loss, Targets, fit};
use halfply_engine::base::mix::derive;
use halfply_engine::evaluation::network::Inputs;
use halfply_engine::evaluation::patterns::StageWeights;
use halfply_engine::evaluation::patterns::stage::Stage;
use halfply_engine::game::{Pieces, Side};
use halfply_engine::patterns::diagram::{Diagram, Edges, Matcher};
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

/// The positions of a stage.
#[derive(Clone, Debug)]
pub struct Samples {
    /// The stage.
    pub stage: Stage,
    /// Those that are learned from.
    pub training: Sample,
    /// Those of other games, which only measure.
    pub test: Sample,
    /// What a search visits behind the latter.
    pub visited: Vec<Pattern>,
}

/// What came of a way to choose patterns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// The way.
    pub name: String,
    /// The threshold of forward selection, if it is that.
    pub threshold: Option<f64>,
    /// How many patterns, how long they are and how many match.
    pub figures: Figures,
    /// The error in training: the root of the mean square in points, or the log loss.
    pub training: f64,
    /// The error in the test.
    pub test: f64,
    /// Steps of fitting.
    pub steps: usize,
    /// Positions a second that are matched with them, in the order in which a search visits them.
    pub speed: f64,
}

impl Sample {
    /// Positions in a frame. Positions of games with several kinds of pieces are left out: they have no facts.
    #[must_use]
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
    #[must_use]
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
#[must_use]
pub fn has_constant(frame: &Frame) -> bool {
    frame.view() == View::Mover
}

/// Weighs patterns and measures them.
#[must_use]
pub fn arm(
    frame: &Frame,
    samples: &Samples,
    name: &str,
    threshold: Option<f64>,
    features: &Features,
) -> (Arm, StageWeights) {
    let fitted = fit(features, &samples.training.targets, has_constant(frame));
    let images = |class: &Class| frame.images(class.pattern).unwrap_or_default();
    let all = features.classes.iter().flat_map(images).map(|(image, _)| image);
    let seconds = seconds(Arc::new(Diagram::new(all, Edges::Cubes)), &samples.visited);
    let patterns = features.classes.iter().map(|class| class.pattern).zip(fitted.weights).collect();
    let weights = StageWeights { stage: samples.stage, constant: fitted.constant, patterns };
    let arm = Arm {
        name: name.to_owned(),
        threshold,
        figures: features.figures(),
        training: fitted.error,
        test: samples.test.errors(frame, &weights).main(),
        steps: fitted.steps,
        speed: samples.visited.len() as f64 / seconds,
    };
    (arm, weights)
}

/// How many patterns, with all their images, have which frequency (Figure 10): `counts[n]` is for frequencies from
/// `2^-(n+1)` to below `2^-n`, the last for all below.
#[must_use]
pub fn histogram(frame: &Frame, columns: &Columns, patterns: &[Pattern], bins: usize) -> Vec<u64> {
    let mut counts = vec![0; bins];
    for &pattern in patterns {
        let share = columns.count(pattern) as f64 / columns.expanded().max(1) as f64;
        let bin = if share > 0.0 { (-share.log2()).ceil().max(1.0) as usize - 1 } else { bins - 1 };
        counts[bin.min(bins - 1)] += frame.images(pattern).map_or(0, |images| images.len() as u64);
    }
    counts
}

/// Positions as a search visits them: those of a tree of `plies` plies behind each given position, depth first, until there
/// are `most` (Figure 15 is of the positions of a search).
#[must_use]
pub fn visited<G: Pieces>(frame: &Frame, roots: &[G::Position], plies: u32, most: usize) -> Vec<Pattern> {
    fn visit<G: Pieces>(frame: &Frame, position: &G::Position, plies: u32, most: usize, found: &mut Vec<Pattern>) {
        if found.len() >= most {
            return;
        }
        let first_moves = G::to_move(position) == Side::White;
        found.extend(
            halfply_engine::evaluation::patterns::facts::<G>(position).map(|known| frame.facts(known, first_moves)),
        );
        if plies > 0 && G::decided(position).is_none() {
            for &mv in G::generate(position).iter() {
                visit::<G>(frame, &halfply_engine::game::after::<G>(position, mv), plies - 1, most, found);
            }
        }
    }
    let mut found = Vec::new();
    roots.iter().for_each(|root| visit::<G>(frame, root, plies, most, &mut found));
    found
}

/// A diagram of some patterns, and what matching with it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Efficiency {
    /// Patterns.
    pub patterns: usize,
    /// Edges of the diagram.
    pub edges: usize,
    /// Positions a second.
    pub speed: f64,
}

/// Measures diagrams of random sets of so many patterns, by kind of edges: the mean over `sets` sets (Figures 16 and 17).
#[must_use]
pub fn efficiency(all: &[Pattern], visited: &[Pattern], size: usize, sets: u64, kinds: [Edges; 2]) -> [Efficiency; 2] {
    let mut results = [Efficiency { patterns: size.min(all.len()), edges: 0, speed: 0.0 }; 2];
    let mut seconds = [0.0; 2];
    for set in 0..sets {
        let mut random = ChaCha8Rng::seed_from_u64(derive(size as u64, set));
        let mut all = all.to_vec();
        let (patterns, _) = all.partial_shuffle(&mut random, size);
        for ((result, seconds), edges) in results.iter_mut().zip(&mut seconds).zip(kinds) {
            let diagram = Arc::new(Diagram::new(patterns.iter().copied(), edges));
            result.edges += diagram.edges();
            *seconds += self::seconds(diagram, visited);
        }
    }
    for (result, seconds) in results.iter_mut().zip(seconds) {
        result.edges /= sets.max(1) as usize;
        result.speed = (visited.len() as u64 * sets) as f64 / seconds;
    }
    results
}

/// How long matching all of these positions takes, one after the other.
fn seconds(diagram: Arc<Diagram>, visited: &[Pattern]) -> f64 {
    let mut matcher = Matcher::new(diagram);
    let start = Instant::now();
    let mut changes = 0_u64;
    for &position in visited {
        matcher.go_to(position, |_, _| changes += 1);
    }
    std::hint::black_box(changes);
    f64::max(start.elapsed().as_secs_f64(), 1e-9)
}
