// SPDX-License-Identifier: GPL-3.0-or-later
//! Weights by least mean squares (section 7.2 of the paper), or by logistic regression where values are probabilities.
//!
//! The loss is minimised by conjugate gradients (Fletcher and Reeves 1964, with the ratio of Polak and Ribière). The least
//! along a direction is found by Newton's method: for squares that is one step, and the method is that of Hestenes and
//! Stiefel. With as many weights as positions the minimum fits the noise, so training ends early: after as many steps as
//! had the least error on a tenth of the games, which a first run leaves out.

use super::columns::Features;
use crate::tune::logistic::{loss, probability};

/// The most steps.
const MOST_STEPS: usize = 300;

/// The first run ends when so many steps have brought no better error.
const PATIENCE: usize = 25;

/// Of so many games, the first run leaves one out.
const HELD_OUT: u64 = 10;

/// The most steps of Newton's method along a direction.
const NEWTON_STEPS: usize = 20;

/// The slope along a direction has vanished when so small a share of it is left.
const VANISHED: f64 = 1e-3;

/// Weights that were fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// What all positions have in common, in points.
    pub constant: f64,
    /// By class, in points.
    pub weights: Vec<f64>,
    /// Steps of training.
    pub steps: usize,
    /// The error in training.
    pub error: f64,
}

/// What is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Loss {
    /// The squares of errors of scores. The error is the root of their mean, in points.
    #[default]
    Squares,
    /// The cross-entropy of probabilities of winning, whose mean, the log loss, is the error.
    Entropy {
        /// What a logit is worth, in points.
        logit: f64,
    },
}

impl Loss {
    /// The loss of a sum of weights; of scores half of the square.
    fn of(self, sum: f64, value: f64) -> f64 {
        match self {
            Self::Squares => (sum - value).powi(2) / 2.0,
            Self::Entropy { logit } => loss(sum / logit, value),
        }
    }

    /// The negative derivative by the sum, and the second derivative.
    fn derivatives(self, sum: f64, value: f64) -> [f64; 2] {
        match self {
            Self::Squares => [value - sum, 1.0],
            Self::Entropy { logit } => {
                let found = probability(sum / logit);
                [(value - found) / logit, found * (1.0 - found) / (logit * logit)]
            }
        }
    }

    /// The error of positions with this mean loss.
    fn error(self, mean: f64) -> f64 {
        match self {
            Self::Squares => (2.0 * mean).sqrt(),
            Self::Entropy { .. } => mean,
        }
    }

    /// The value that minimises the loss: of scores itself, of probabilities the logit.
    fn best(self, value: f64) -> f64 {
        match self {
            Self::Squares => value,
            Self::Entropy { logit } => {
                let value = value.clamp(1e-6, 1.0 - 1e-6);
                logit * (value / (1.0 - value)).ln()
            }
        }
    }
}

/// What is to be learned: the value of each position and the game that it is from.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// What is minimised, which says what the values are.
    pub loss: Loss,
    /// By position: a score in points, or a probability.
    pub values: Vec<f64>,
    /// By position: the number of its game.
    pub games: Vec<u64>,
}

/// How far an evaluation is from the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// The root of the mean of squares: of points, or of probabilities.
    pub root_mean_square: f64,
    /// The log loss, and the least that any evaluation could have; only of probabilities.
    pub log_loss: Option<[f64; 2]>,
}

impl Targets {
    /// Values for linear regression, in points. For probabilities these are the logits to first order in the distance from
    /// 1/2: `4p - 2`.
    pub fn linear(&self) -> Vec<f64> {
        match self.loss {
            Loss::Squares => self.values.clone(),
            Loss::Entropy { logit } => self.values.iter().map(|value| logit * (4.0 * value - 2.0)).collect(),
        }
    }

    /// The errors of weights.
    pub fn errors(&self, features: &Features, constant: f64, weights: &[f64]) -> Errors {
        let sums = features.sums(weights).into_iter().map(|sum| sum + constant);
        let pairs: Vec<(f64, f64)> = sums.zip(self.values.iter().copied()).collect();
        let mean = |of: &dyn Fn(f64, f64) -> f64| {
            pairs.iter().map(|&(sum, value)| of(sum, value)).sum::<f64>() / pairs.len().max(1) as f64
        };
        match self.loss {
            Loss::Squares => {
                Errors { root_mean_square: mean(&|sum, value| (sum - value).powi(2)).sqrt(), log_loss: None }
            }
            Loss::Entropy { logit } => Errors {
                root_mean_square: mean(&|sum, value| (probability(sum / logit) - value).powi(2)).sqrt(),
                log_loss: Some([
                    mean(&|sum, value| self.loss.of(sum, value)),
                    mean(&|_, value| self.loss.of(self.loss.best(value), value)),
                ]),
            },
        }
    }
}

/// Fits the weights of all features. With `intercept` there is a constant too.
pub fn fit(features: &Features, targets: &Targets, intercept: bool) -> Fitted {
    let is_held_out = |&game: &u64| halfply_engine::base::mix::mix(game).is_multiple_of(HELD_OUT);
    let held_out: Vec<bool> = targets.games.iter().map(is_held_out).collect();
    let mut best = (f64::INFINITY, 0);
    let mut first = Descent::new(features, targets, intercept, |number| !held_out[number]);
    for step in 0..=MOST_STEPS {
        if step > 0 && !first.step() {
            break;
        }
        let error = first.error(|number| held_out[number]);
        if error < best.0 {
            best = (error, step);
        } else if step > best.1 + PATIENCE {
            break;
        }
    }
    let mut descent = Descent::new(features, targets, intercept, |_| true);
    let steps = (0..best.1).take_while(|_| descent.step()).count();
    let error = descent.error(|_| true);
    Fitted { constant: descent.constant, weights: descent.weights, steps, error }
}

/// Conjugate gradients. The constant is a variable like the others, which is 1 in all positions.
struct Descent<'a> {
    features: &'a Features,
    targets: &'a Targets,
    intercept: bool,
    /// By position: 1 if it is used, else 0.
    used: Vec<f64>,
    /// By position: the constant and the sum of the weights.
    sums: Vec<f64>,
    constant: f64,
    weights: Vec<f64>,
    /// The negative gradient: the constant's part first.
    gradient: (f64, Vec<f64>),
    direction: (f64, Vec<f64>),
}

impl<'a> Descent<'a> {
    fn new(features: &'a Features, targets: &'a Targets, intercept: bool, is_used: impl Fn(usize) -> bool) -> Self {
        let used: Vec<f64> = (0..targets.values.len()).map(|number| f64::from(u8::from(is_used(number)))).collect();
        let count = used.iter().sum::<f64>().max(1.0);
        let mean = targets.values.iter().zip(&used).map(|(value, used)| value * used).sum::<f64>() / count;
        let constant = if intercept { targets.loss.best(mean) } else { 0.0 };
        let mut descent = Self {
            features,
            targets,
            intercept,
            used,
            sums: vec![constant; targets.values.len()],
            constant,
            weights: vec![0.0; features.classes.len()],
            gradient: (0.0, Vec::new()),
            direction: (0.0, Vec::new()),
        };
        descent.gradient = descent.negative_gradient();
        descent.direction = descent.gradient.clone();
        descent
    }

    /// By position: its sum, its value, and 1 if it is used, else 0.
    fn positions(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let positions = self.sums.iter().zip(&self.targets.values).zip(&self.used);
        positions.map(|((&sum, &value), &used)| (sum, value, used))
    }

    fn negative_gradient(&self) -> (f64, Vec<f64>) {
        let of = |(sum, value, used): (f64, f64, f64)| used * self.targets.loss.derivatives(sum, value)[0];
        let residuals: Vec<f64> = self.positions().map(of).collect();
        let constant = if self.intercept { residuals.iter().sum() } else { 0.0 };
        (constant, self.features.products(&residuals))
    }

    /// A step to the minimum along the direction. False if there is nothing to gain.
    fn step(&mut self) -> bool {
        let before = product(&self.gradient, &self.gradient);
        if before <= f64::EPSILON {
            return false;
        }
        if product(&self.gradient, &self.direction) <= 0.0 {
            self.direction = self.gradient.clone();
        }
        let changes: Vec<f64> =
            self.features.sums(&self.direction.1).iter().map(|sum| sum + self.direction.0).collect();
        let Some(length) = self.length(&changes) else { return false };
        self.constant += length * self.direction.0;
        self.weights.iter_mut().zip(&self.direction.1).for_each(|(weight, part)| *weight += length * part);
        self.sums.iter_mut().zip(&changes).for_each(|(sum, change)| *sum += length * change);
        let gradient = self.negative_gradient();
        let change = product(&gradient, &gradient) - product(&gradient, &self.gradient);
        let ratio = f64::max(change / before, 0.0);
        self.gradient = gradient;
        self.direction.0 = self.gradient.0 + ratio * self.direction.0;
        self.direction.1.iter_mut().zip(&self.gradient.1).for_each(|(part, new)| *part = new + ratio * *part);
        true
    }

    /// How far the minimum along the direction is, in which sums change by `changes`; none if there is nothing to gain.
    fn length(&self, changes: &[f64]) -> Option<f64> {
        let loss = self.targets.loss;
        let at = |length: f64| {
            self.positions().zip(changes).fold([0.0; 3], |[total, slope, curvature], ((sum, value, used), change)| {
                let sum = sum + length * change;
                let [first, second] = loss.derivatives(sum, value).map(|derivative| derivative * used);
                [total + used * loss.of(sum, value), slope + first * change, curvature + second * change * change]
            })
        };
        let (mut length, mut here) = (0.0, at(0.0));
        let enough = VANISHED * here[1].abs();
        for _ in 0..NEWTON_STEPS {
            let [total, slope, curvature] = here;
            if slope.abs() <= enough || curvature <= f64::EPSILON {
                break;
            }
            // Where the curvature falls, a whole step may go too far.
            let steps = (0..NEWTON_STEPS as i32).map(|halvings| length + slope / curvature * 0.5_f64.powi(halvings));
            let better = steps.map(|longer| (longer, at(longer))).find(|(_, there)| there[0] < total);
            let Some(better) = better else { break };
            (length, here) = better;
        }
        (length > 0.0).then_some(length)
    }

    /// The error in some of the positions.
    fn error(&self, is_counted: impl Fn(usize) -> bool) -> f64 {
        let loss = self.targets.loss;
        let counted = self.positions().enumerate().filter(|(number, _)| is_counted(*number));
        let (total, count) =
            counted.fold((0.0, 0.0), |(total, count), (_, (sum, value, _))| (total + loss.of(sum, value), count + 1.0));
        if count > 0.0 { loss.error(total / count) } else { 0.0 }
    }
}

/// The scalar product.
fn product(left: &(f64, Vec<f64>), right: &(f64, Vec<f64>)) -> f64 {
    left.0 * right.0 + left.1.iter().zip(&right.1).map(|(left, right)| left * right).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::patterns::columns::Columns;
    use crate::tune::patterns::tests::{frame, positions};
    use halfply_engine::patterns::{Content, Pattern, View};

    /// Weights of single facts are found again, tied over all images, behind some noise.
    #[test]
    fn weights_are_found_again() {
        for view in [View::Players, View::Mover] {
            let (frame, positions) = (frame(view), positions(4000));
            let facts = [(0, 6.0), (1, -2.0), (9, -4.0), (18, 1.0)];
            let patterns: Vec<Pattern> =
                facts.iter().map(|&(square, _)| Pattern::default().with(Content::First, square).unwrap()).collect();
            let features = Features::new(&frame, &Columns::new(&frame, &positions), &patterns, [0.0, 1.0]);
            let constant = if view == View::Mover { 3.0 } else { 0.0 };
            let sums = features.sums(&facts.map(|(_, weight)| weight));
            let noise = |number: u64| (halfply_engine::base::mix::mix(number) % 201) as f64 / 100.0 - 1.0;
            let values: Vec<f64> = sums.iter().zip(0..).map(|(sum, number)| constant + sum + noise(number)).collect();
            let targets = Targets { loss: Loss::Squares, values, games: (0..4000).collect() };
            let fitted = fit(&features, &targets, view == View::Mover);
            for (found, (_, expected)) in fitted.weights.iter().zip(facts) {
                assert!((found - expected).abs() < 0.05, "{view}: {found} {expected}");
            }
            assert!((fitted.constant - constant).abs() < 0.1, "{}", fitted.constant);
            // The noise is even from -1 to 1.
            assert!((fitted.error - 1.0 / 3.0_f64.sqrt()).abs() < 0.02, "{}", fitted.error);
            let again = targets.errors(&features, fitted.constant, &fitted.weights);
            assert!((again.root_mean_square - fitted.error).abs() < 1e-9);
            assert_eq!(again.log_loss, None);
        }
    }

    /// Weights are found again from results that are drawn with the probabilities that they stand for.
    #[test]
    fn weights_are_found_again_from_results() {
        let (frame, positions) = (frame(View::Mover), positions(20_000));
        let facts = [(0, 1.2), (1, -0.5), (9, -0.8), (18, 0.2)];
        let patterns: Vec<Pattern> =
            facts.iter().map(|&(square, _)| Pattern::default().with(Content::First, square).unwrap()).collect();
        let features = Features::new(&frame, &Columns::new(&frame, &positions), &patterns, [0.0, 1.0]);
        let logit = 2.0;
        let chances = features.sums(&facts.map(|(_, weight)| weight)).into_iter().map(|sum| probability(sum + 0.5));
        let drawn = |number: u64| (halfply_engine::base::mix::mix(number) >> 11) as f64 / (1_u64 << 53) as f64;
        let values: Vec<f64> =
            chances.zip(0..).map(|(chance, number)| f64::from(u8::from(drawn(number) < chance))).collect();
        let targets = Targets { loss: Loss::Entropy { logit }, values, games: (0..20_000).collect() };
        let fitted = fit(&features, &targets, true);
        for (found, (_, expected)) in fitted.weights.iter().zip(facts) {
            assert!((found / logit - expected).abs() < 0.06, "{found} {expected}");
        }
        assert!((fitted.constant / logit - 0.5).abs() < 0.15, "{}", fitted.constant);
        let errors = targets.errors(&features, fitted.constant, &fitted.weights);
        let [found, least] = errors.log_loss.unwrap();
        assert!((found - fitted.error).abs() < 1e-9);
        assert!(least < 1e-4, "results are certain: {least}");
        // No smaller weights are better: it is the minimum.
        let smaller: Vec<f64> = fitted.weights.iter().map(|weight| 0.9 * weight).collect();
        assert!(targets.errors(&features, fitted.constant, &smaller).log_loss.unwrap()[0] > found);
        assert!(errors.root_mean_square < 0.5);
    }

    #[test]
    fn noise_is_not_learned() {
        let (frame, positions) = (frame(View::Players), positions(400));
        let pairs = (0..63).flat_map(|square| {
            [Content::First, Content::Second].map(|content| {
                Pattern::default().with(Content::First, square).unwrap().with(content, square + 1).unwrap()
            })
        });
        let mut patterns: Vec<Pattern> = pairs.map(|pattern| frame.representative(pattern)).collect();
        patterns.sort_unstable();
        patterns.dedup();
        let features = Features::new(&frame, &Columns::new(&frame, &positions), &patterns, [0.0, 1.0]);
        let values: Vec<f64> =
            (0..400).map(|number| (halfply_engine::base::mix::mix(number) % 21) as f64 - 10.0).collect();
        let targets = Targets { loss: Loss::Squares, values, games: (0..400).collect() };
        let fitted = fit(&features, &targets, false);
        assert!(fitted.steps < 10, "{} steps", fitted.steps);
    }
}
