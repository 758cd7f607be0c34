// SPDX-License-Identifier: GPL-3.0-or-later
//! An evaluation made of patterns: the sum of the weights of those that match, for each stage of the game its own.
//!
//! A search keeps what is true of the position that it evaluated last, and follows the changes to the next one
//! ([`diagram`](crate::patterns::diagram)).

pub mod file;
pub mod stage;

use std::collections::HashMap;
use std::sync::Arc;

use super::Evaluation;
use crate::base::Score;
use crate::base::digest;
use crate::base::score::LEAST_WIN;
use crate::game::{Pieces, Side};
use crate::patterns::diagram::{Diagram, Edges, Matcher};
use crate::patterns::{Frame, Pattern};
use stage::Stage;

/// What stands for a point in whole weights.
const POINT: i64 = 1000;

/// The greatest absolute value of a weight, in points.
pub const LARGEST_WEIGHT: f64 = 1000.0;

/// Patterns with weights, as a file has them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// How positions become facts, and which patterns share a weight.
    pub frame: Frame,
    /// By stage, in the order of their pieces; at least one.
    pub stages: Vec<StageWeights>,
}

/// The patterns of a stage. Each stands for all of its images.
#[derive(Clone, Debug, PartialEq)]
pub struct StageWeights {
    /// The stage.
    pub stage: Stage,
    /// What a position without any of the patterns is worth, in points.
    pub constant: f64,
    /// Patterns and their weights in points.
    pub patterns: Vec<(Pattern, f64)>,
}

/// An evaluation made of patterns. Clones share the weights.
#[derive(Clone, Debug)]
pub struct PatternEvaluation {
    frame: Arc<Frame>,
    tables: Arc<[Table]>,
    identity: Arc<str>,
}

/// A stage as it is computed: every image with its own weight.
#[derive(Debug)]
struct Table {
    stage: Stage,
    constant: i64,
    diagram: Arc<Diagram>,
    /// By pattern of the diagram.
    weights: Vec<i64>,
}

/// What is true of the position of a stage that was evaluated last, and the sum of the weights.
#[derive(Clone, Debug)]
pub struct Matched {
    matcher: Matcher,
    sum: i64,
}

/// The facts of a position; none in a game with several kinds of pieces, of which patterns do not speak.
pub fn facts<G: Pieces>(position: &G::Position) -> Option<Pattern> {
    let boards = G::boards(position);
    let [first, second] = *boards.as_ref() else { return None };
    let row = (1_u64 << G::SIZE) - 1;
    let board = (0..G::SIZE).fold(0, |squares, number| squares | row << (8 * number));
    Pattern::of_sets(board & !(first | second), first, second)
}

impl Weights {
    /// The number of patterns with all their images.
    pub fn count(&self) -> usize {
        let images = |&(pattern, _): &(Pattern, f64)| self.frame.images(pattern).map_or(0, |images| images.len());
        self.stages.iter().flat_map(|stage| &stage.patterns).map(images).sum()
    }
}

impl PatternEvaluation {
    /// The evaluation with these weights.
    pub fn new<G: Pieces>(weights: &Weights) -> Self {
        let digest = digest::short(file::text::<G>(weights, ""));
        let table = |stage: &StageWeights| Table::new(&weights.frame, stage);
        Self {
            frame: Arc::new(weights.frame.clone()),
            tables: weights.stages.iter().map(table).collect(),
            identity: format!("patterns sha256:{digest}").into(),
        }
    }

    /// What results depend on: the beginning of the SHA-256 of the weights.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The value of a position for the side to move, in points.
    pub fn points<G: Pieces>(&self, state: &mut [Option<Matched>], position: &G::Position) -> f64 {
        let Some(facts) = facts::<G>(position) else { return 0.0 };
        let first_moves = G::to_move(position) == Side::White;
        let pieces = stage::pieces::<G>(position);
        // There is at least one stage.
        let nearest =
            (0..self.tables.len()).min_by_key(|&place| self.tables[place].stage.distance(pieces)).unwrap_or(0);
        let table = &self.tables[nearest];
        let matched = state[nearest]
            .get_or_insert_with(|| Matched { matcher: Matcher::new(Arc::clone(&table.diagram)), sum: table.constant });
        let sum = &mut matched.sum;
        matched.matcher.go_to(self.frame.facts(facts, first_moves), |number, becomes| {
            *sum += if becomes { table.weights[number] } else { -table.weights[number] };
        });
        self.frame.value(matched.sum as f64 / POINT as f64, first_moves)
    }
}

impl Table {
    fn new(frame: &Frame, stage: &StageWeights) -> Self {
        let whole = |points: f64| (points * POINT as f64).round() as i64;
        let mut weights: HashMap<Pattern, i64> = HashMap::new();
        for &(pattern, weight) in &stage.patterns {
            // What is its own opposite has no weight.
            for (image, sign) in frame.images(pattern).unwrap_or_default() {
                *weights.entry(image).or_default() += i64::from(sign) * whole(weight);
            }
        }
        let diagram = Diagram::new(weights.keys().copied(), Edges::Cubes);
        let weights = diagram.patterns().iter().map(|pattern| weights[pattern]).collect();
        Self { stage: stage.stage, constant: whole(stage.constant), diagram: Arc::new(diagram), weights }
    }
}

impl<G: Pieces> Evaluation<G> for PatternEvaluation {
    type State = Vec<Option<Matched>>;

    fn start(&self) -> Self::State {
        vec![None; self.tables.len()]
    }

    fn evaluate(&self, state: &mut Self::State, _ply: usize, position: &G::Position) -> Score {
        let most = f64::from(LEAST_WIN - 1);
        (100.0 * self.points::<G>(state, position)).round().clamp(-most, most) as Score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::{Breakthrough, Othello, random_game};
    use crate::patterns::symmetry::Symmetry;
    use crate::patterns::{Theory, View};

    /// Weights of all patterns of a theory's first features, for two stages.
    fn weights(theory: &str, view: View) -> Weights {
        let theory = Theory::load(std::path::Path::new(theory)).unwrap();
        let frame = Frame::new(view, &Symmetry::all(&theory)).unwrap();
        let settings = crate::patterns::generate::GenerateSettings {
            steps: 0,
            features: 100,
            limits: crate::patterns::unfold::Limits::of_patterns(100_000),
            longest: 64,
        };
        let generated = crate::patterns::generate::generate(&theory, &settings, &mut |_| ());
        let mut patterns: Vec<Pattern> =
            generated.patterns.iter().map(|&pattern| frame.representative(pattern)).collect();
        patterns.sort_unstable();
        patterns.dedup();
        let weighted = |factor: f64| patterns.iter().zip(1..).map(|(&p, n)| (p, factor * f64::from(n))).collect();
        let stage = |least, most, factor| StageWeights {
            stage: Stage { least, most },
            constant: if view == View::Mover { factor } else { 0.0 },
            patterns: weighted(factor),
        };
        Weights { frame, stages: vec![stage(4, 20, 1.0), stage(21, 64, -0.5)] }
    }

    /// Against matching from scratch, and images of a position are worth the same.
    fn is_the_sum_of_what_matches<G: Pieces + Notation + crate::game::Symmetry>(theory: &str) {
        for view in [View::Players, View::Mover] {
            let weights = weights(theory, view);
            let evaluation = PatternEvaluation::new::<G>(&weights);
            let mut state = Evaluation::<G>::start(&evaluation);
            for position in random_game::<G>(7).positions().iter().take(60) {
                let first_moves = G::to_move(position) == Side::White;
                let known = weights.frame.facts(facts::<G>(position).unwrap(), first_moves);
                let stage = &weights.stages[usize::from(stage::pieces::<G>(position) > 20)];
                let matching = stage.patterns.iter().flat_map(|&(pattern, weight)| {
                    let images = weights.frame.images(pattern).unwrap_or_default();
                    images.into_iter().map(move |(image, sign)| (image, f64::from(sign) * weight))
                });
                let sum: f64 = matching.filter(|(image, _)| image.is_part_of(known)).map(|(_, weight)| weight).sum();
                let expected = weights.frame.value(stage.constant + sum, first_moves);
                let found = evaluation.points::<G>(&mut state, position);
                assert!((found - expected).abs() < 1e-6, "{view} {found} {expected}");
                for image in G::images(position) {
                    let image = evaluation.points::<G>(&mut state, &image);
                    assert!((image - expected).abs() < 1e-6, "{view} {image} {expected}");
                }
            }
        }
    }

    #[test]
    fn a_value_is_the_sum_of_what_matches() {
        is_the_sum_of_what_matches::<Othello>("theories/othello.theory");
        is_the_sum_of_what_matches::<Breakthrough>("theories/breakthrough.theory");
    }
}
