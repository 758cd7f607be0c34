// SPDX-License-Identifier: GPL-3.0-or-later
//! Weights by least mean squares (section 7.2 of the paper).
//!
//! The sum of squared errors is minimised by conjugate gradients (Hestenes and Stiefel 1952, for least squares). With as
//! many weights as positions the minimum fits the noise, so training ends early: after as many steps as had the least error
//! on a tenth of the games, which a first run leaves out.

use super::columns::Features;

/// The most steps.
const MOST_STEPS: usize = 300;

/// The first run ends when so many steps have brought no better error.
const PATIENCE: usize = 25;

/// Of so many games, the first run leaves one out.
const HELD_OUT: u64 = 10;

/// Weights that were fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// What all positions have in common, in points.
    pub constant: f64,
    /// By class, in points.
    pub weights: Vec<f64>,
    /// Steps of training.
    pub steps: usize,
    /// The root-mean-square error in training.
    pub error: f64,
}

/// What is to be learned: the value of each position and the game that it is from.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// By position, in points.
    pub values: Vec<f64>,
    /// By position: the number of its game.
    pub games: Vec<u64>,
}

/// Fits the weights of all features. With `intercept` there is a constant too.
#[must_use]
pub fn fit(features: &Features, targets: &Targets, intercept: bool) -> Fitted {
    let is_held_out = |&game: &u64| crate::base::mix::mix(game).is_multiple_of(HELD_OUT);
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

/// The root-mean-square error of weights.
#[must_use]
pub fn error(features: &Features, values: &[f64], constant: f64, weights: &[f64]) -> f64 {
    let sums = features.sums(weights);
    let squares: f64 = sums.iter().zip(values).map(|(sum, value)| (value - constant - sum).powi(2)).sum();
    (squares / values.len().max(1) as f64).sqrt()
}

/// Conjugate gradients for least squares. The constant is a variable like the others, which is 1 in all positions.
struct Descent<'a> {
    features: &'a Features,
    intercept: bool,
    /// By position: 1 if it is used, else 0.
    used: Vec<f64>,
    /// By position: its value minus the sum of the weights.
    residuals: Vec<f64>,
    constant: f64,
    weights: Vec<f64>,
    /// The negative gradient: the constant's part first.
    gradient: (f64, Vec<f64>),
    direction: (f64, Vec<f64>),
}

impl<'a> Descent<'a> {
    fn new(features: &'a Features, targets: &Targets, intercept: bool, is_used: impl Fn(usize) -> bool) -> Self {
        let used: Vec<f64> = (0..targets.values.len()).map(|number| f64::from(u8::from(is_used(number)))).collect();
        let count = used.iter().sum::<f64>().max(1.0);
        let mean = targets.values.iter().zip(&used).map(|(value, used)| value * used).sum::<f64>() / count;
        let constant = if intercept { mean } else { 0.0 };
        let mut descent = Self {
            features,
            intercept,
            used,
            residuals: targets.values.iter().map(|value| value - constant).collect(),
            constant,
            weights: vec![0.0; features.classes.len()],
            gradient: (0.0, Vec::new()),
            direction: (0.0, Vec::new()),
        };
        descent.gradient = descent.negative_gradient();
        descent.direction = descent.gradient.clone();
        descent
    }

    fn negative_gradient(&self) -> (f64, Vec<f64>) {
        let residuals: Vec<f64> = self.residuals.iter().zip(&self.used).map(|(value, used)| value * used).collect();
        let constant = if self.intercept { residuals.iter().sum() } else { 0.0 };
        (constant, self.features.products(&residuals))
    }

    /// A step to the minimum along the direction. False if there is nothing to gain.
    fn step(&mut self) -> bool {
        let before = square(&self.gradient);
        let changes: Vec<f64> =
            self.features.sums(&self.direction.1).iter().map(|sum| sum + self.direction.0).collect();
        let curvature: f64 = changes.iter().zip(&self.used).map(|(change, used)| change * change * used).sum();
        if before <= f64::EPSILON || curvature <= f64::EPSILON {
            return false;
        }
        let length = before / curvature;
        self.constant += length * self.direction.0;
        self.weights.iter_mut().zip(&self.direction.1).for_each(|(weight, part)| *weight += length * part);
        self.residuals.iter_mut().zip(&changes).for_each(|(residual, change)| *residual -= length * change);
        self.gradient = self.negative_gradient();
        let ratio = square(&self.gradient) / before;
        self.direction.0 = self.gradient.0 + ratio * self.direction.0;
        self.direction.1.iter_mut().zip(&self.gradient.1).for_each(|(part, new)| *part = new + ratio * *part);
        true
    }

    /// The root-mean-square error in some of the positions.
    fn error(&self, is_counted: impl Fn(usize) -> bool) -> f64 {
        let counted = self.residuals.iter().enumerate().filter(|(number, _)| is_counted(*number));
        let (squares, count) = counted.fold((0.0, 0.0), |(sum, count), (_, error)| (sum + error * error, count + 1.0));
        if count > 0.0 { f64::sqrt(squares / count) } else { 0.0 }
    }
}

fn square((constant, weights): &(f64, Vec<f64>)) -> f64 {
    constant * constant + weights.iter().map(|weight| weight * weight).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::{Content, Pattern, View};
    use crate::tune::patterns::columns::Columns;
    use crate::tune::patterns::tests::{frame, positions};

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
            let noise = |number: u64| (crate::base::mix::mix(number) % 201) as f64 / 100.0 - 1.0;
            let values: Vec<f64> = sums.iter().zip(0..).map(|(sum, number)| constant + sum + noise(number)).collect();
            let targets = Targets { values: values.clone(), games: (0..4000).collect() };
            let fitted = fit(&features, &targets, view == View::Mover);
            for (found, (_, expected)) in fitted.weights.iter().zip(facts) {
                assert!((found - expected).abs() < 0.05, "{view}: {found} {expected}");
            }
            assert!((fitted.constant - constant).abs() < 0.1, "{}", fitted.constant);
            // The noise is even from -1 to 1.
            assert!((fitted.error - 1.0 / 3.0_f64.sqrt()).abs() < 0.02, "{}", fitted.error);
            let again = error(&features, &values, fitted.constant, &fitted.weights);
            assert!((again - fitted.error).abs() < 1e-9);
        }
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
        let values: Vec<f64> = (0..400).map(|number| (crate::base::mix::mix(number) % 21) as f64 - 10.0).collect();
        let targets = Targets { values, games: (0..400).collect() };
        let fitted = fit(&features, &targets, false);
        assert!(fitted.steps < 10, "{} steps", fitted.steps);
    }
}
