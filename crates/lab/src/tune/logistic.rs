// SPDX-License-Identifier: GPL-3.0-or-later
//! Logistic regression of evaluation weights from the results of games.
//!
//! An example is a position: how often each weight counts in it, and how the game ended (1, ½ or 0). Every weight is a
//! pair, one for the beginning of games and one for their end, and an example says by its two shares how the sums of
//! both make its value. The model's probability of winning is the logistic function of the value over a scale; the loss
//! is the mean negative log-likelihood. It is convex, so there is one minimum and the method matters little: Adam
//! (Kingma and Ba, 2015) on small batches, with steps that shrink to zero.
//!
//! A Gaussian prior pulls weights towards their initial values. Weights that occur in no example keep theirs.

use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::ChaCha8Rng};

/// A weight at the beginning of games, and at their end.
pub type Pair = [f64; 2];

/// Examples, packed: there may be millions.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    heads: Vec<Head>,
    /// The counts of all examples, one behind the other: weight and how often.
    counts: Vec<(u16, i16)>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    shares: [f32; 2],
    result: f32,
    /// Where the example's counts begin; they end where the next one's begin.
    first: usize,
}

impl Examples {
    /// Adds an example: the shares of both halves of a weight, how often each weight counts, and the result. Weights
    /// that count zero times may be left out.
    pub fn push(&mut self, shares: [f64; 2], counts: impl IntoIterator<Item = (u16, i16)>, result: f64) {
        let first = self.counts.len();
        self.heads.push(Head { shares: shares.map(|share| share as f32), result: result as f32, first });
        self.counts.extend(counts.into_iter().filter(|&(_, count)| count != 0));
    }

    /// How many examples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Takes the last examples away, from the `at`-th on.
    #[must_use]
    pub fn split_off(&mut self, at: usize) -> Self {
        let mut heads = self.heads.split_off(at);
        let start = heads.first().map_or(self.counts.len(), |head| head.first);
        for head in &mut heads {
            head.first -= start;
        }
        Self { heads, counts: self.counts.split_off(start) }
    }

    fn counts(&self, index: usize) -> &[(u16, i16)] {
        let end = self.heads.get(index + 1).map_or(self.counts.len(), |head| head.first);
        &self.counts[self.heads[index].first..end]
    }

    /// The value of an example.
    fn value(&self, index: usize, weights: &[Pair]) -> f64 {
        let mut sums = [0.0; 2];
        for &(weight, count) in self.counts(index) {
            for (sum, half) in sums.iter_mut().zip(weights[usize::from(weight)]) {
                *sum += half * f64::from(count);
            }
        }
        let [begin, end] = self.heads[index].shares.map(f64::from);
        sums[0] * begin + sums[1] * end
    }

    /// The mean loss.
    #[must_use]
    pub fn loss(&self, weights: &[Pair], scale: f64) -> f64 {
        let sum: f64 = (0..self.len())
            .map(|index| loss(self.value(index, weights) / scale, f64::from(self.heads[index].result)))
            .sum();
        sum / self.len().max(1) as f64
    }

    /// Adds the gradient of the summed loss of some examples.
    pub fn add_gradient(&self, examples: &[usize], weights: &[Pair], scale: f64, gradient: &mut [Pair]) {
        for &index in examples {
            let Head { shares, result, .. } = self.heads[index];
            let error = (probability(self.value(index, weights) / scale) - f64::from(result)) / scale;
            let [begin, end] = shares.map(|share| error * f64::from(share));
            for &(weight, count) in self.counts(index) {
                let slot = &mut gradient[usize::from(weight)];
                slot[0] += begin * f64::from(count);
                slot[1] += end * f64::from(count);
            }
        }
    }

    /// How often each weight counts in total, for either side: how much is known about it.
    #[must_use]
    pub fn occurrences(&self, weights: usize) -> Vec<f64> {
        let mut sums = vec![0.0; weights];
        for &(weight, count) in &self.counts {
            sums[usize::from(weight)] += f64::from(count.abs());
        }
        sums
    }

    /// The scale under which these weights fit best, by golden-section search: the loss has one valley.
    #[must_use]
    pub fn best_scale(&self, weights: &[Pair]) -> f64 {
        let values: Vec<(f64, f64)> = self
            .heads
            .iter()
            .enumerate()
            .map(|(index, head)| (self.value(index, weights), head.result.into()))
            .collect();
        let total = |steepness: f64| values.iter().map(|(value, result)| loss(value * steepness, *result)).sum::<f64>();
        1.0 / golden_section(1e-5, 1.0, total)
    }
}

/// The place of the least value of a function with one valley between two places.
pub(super) fn golden_section(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..60 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if value(left) < value(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}

/// The probability of winning at a logit.
pub(super) fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// Negative log-likelihood, without overflow.
pub(super) fn loss(logit: f64, result: f64) -> f64 {
    logit.max(0.0) - logit * result + (-logit.abs()).exp().ln_1p()
}

/// How tuning is done.
#[derive(Clone, Debug)]
pub struct LogisticSettings {
    /// The expected distance of weights from their initial values (standard deviation of the prior), in their own unit.
    pub spread: f64,
    /// The value at which the odds of winning are e to 1.
    pub scale: f64,
    /// The first steps' length, in the weights' own unit.
    pub rate: f64,
    /// Examples a step.
    pub batch: usize,
    /// Passes over all examples.
    pub epochs: u32,
    /// Decides the order of examples.
    pub seed: u64,
}

/// A regression under way.
#[derive(Debug)]
pub struct Tuning<'a> {
    examples: &'a Examples,
    settings: LogisticSettings,
    start: Vec<Pair>,
    /// The weights so far.
    pub weights: Vec<Pair>,
    /// Adam's running means of the gradient and of its square.
    means: Vec<[Pair; 2]>,
    order: Vec<usize>,
    random: ChaCha8Rng,
    steps: u32,
}

impl<'a> Tuning<'a> {
    /// Begins with these weights.
    #[must_use]
    pub fn new(examples: &'a Examples, start: &[Pair], settings: LogisticSettings) -> Self {
        Self {
            examples,
            start: start.to_vec(),
            weights: start.to_vec(),
            means: vec![[[0.0; 2]; 2]; start.len()],
            order: (0..examples.len()).collect(),
            random: ChaCha8Rng::seed_from_u64(settings.seed),
            steps: 0,
            settings,
        }
    }

    /// One pass over all examples in a new order.
    pub fn epoch(&mut self) {
        let mut order = std::mem::take(&mut self.order);
        order.shuffle(&mut self.random);
        for batch in order.chunks(self.settings.batch.max(1)) {
            self.step(batch);
        }
        self.order = order;
    }

    fn step(&mut self, batch: &[usize]) {
        const DECAY: [f64; 2] = [0.9, 0.999];
        let LogisticSettings { spread, scale, rate, epochs, .. } = self.settings;
        let total = f64::from(epochs) * (self.examples.len() as f64 / self.settings.batch.max(1) as f64).ceil();
        let left = (1.0 - f64::from(self.steps) / total).max(0.0);
        self.steps += 1;
        let mut gradient = vec![[0.0; 2]; self.weights.len()];
        self.examples.add_gradient(batch, &self.weights, scale, &mut gradient);
        // The prior counts once for all examples.
        let prior = 1.0 / (spread * spread * self.examples.len() as f64);
        let correction = DECAY.map(|decay| 1.0 - decay.powi(self.steps as i32));
        for (index, weight) in self.weights.iter_mut().enumerate() {
            for half in 0..2 {
                let pull = prior * (weight[half] - self.start[index][half]);
                let slope = gradient[index][half] / batch.len() as f64 + pull;
                let [mean, square] = &mut self.means[index];
                mean[half] += (1.0 - DECAY[0]) * (slope - mean[half]);
                square[half] += (1.0 - DECAY[1]) * (slope * slope - square[half]);
                let deviation = (square[half] / correction[1]).sqrt();
                if deviation > 0.0 {
                    weight[half] -= rate * left * (mean[half] / correction[0]) / deviation;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::base::mix::derive;

    /// Uniform numbers in -1..1, the same in every run.
    fn noise(seed: u64, index: u64) -> f64 {
        derive(seed, index) as f64 / u64::MAX as f64 * 2.0 - 1.0
    }

    fn synthetic(truth: &[Pair], scale: f64, count: u64) -> Examples {
        let mut examples = Examples::default();
        for example in 0..count {
            let begin = noise(1, example).abs();
            let counts: Vec<(u16, i16)> = (0..truth.len() as u16)
                .map(|weight| (weight, (noise(2 + u64::from(weight), example) * 3.5) as i16))
                .collect();
            examples.push([begin, 1.0 - begin], counts, 0.0);
            let index = examples.len() - 1;
            let chance = probability(examples.value(index, truth) / scale);
            examples.heads[index].result = if noise(99, example) * 0.5 + 0.5 < chance { 1.0 } else { 0.0 };
        }
        examples
    }

    const TRUTH: [Pair; 4] = [[100.0, 130.0], [-40.0, 10.0], [0.0, 60.0], [25.0, 25.0]];

    #[test]
    fn known_weights_are_recovered() {
        let mut examples = synthetic(&TRUTH, 200.0, 60_000);
        let held_out = examples.split_off(55_000);
        assert_eq!((examples.len(), held_out.len()), (55_000, 5_000));
        let settings = LogisticSettings { spread: 1000.0, scale: 200.0, rate: 3.0, batch: 500, epochs: 12, seed: 1 };
        let mut tuning = Tuning::new(&examples, &[[0.0; 2]; 4], settings);
        let before = held_out.loss(&tuning.weights, 200.0);
        for _ in 0..12 {
            tuning.epoch();
        }
        for (found, truth) in tuning.weights.iter().zip(TRUTH) {
            for (found, truth) in found.iter().zip(truth) {
                assert!((found - truth).abs() < 6.0, "{:?}", tuning.weights);
            }
        }
        assert!(held_out.loss(&tuning.weights, 200.0) < before - 0.05);
        let scale = examples.best_scale(&TRUTH);
        assert!((scale - 200.0).abs() < 6.0, "{scale}");
    }

    #[test]
    fn the_gradient_is_the_loss_s() {
        let examples = synthetic(&TRUTH, 200.0, 300);
        let weights = [[50.0, -20.0], [13.0, 70.0], [-90.0, 5.0], [1.0, 2.0]];
        let mut gradient = [[0.0; 2]; 4];
        let all: Vec<usize> = (0..examples.len()).collect();
        examples.add_gradient(&all, &weights, 170.0, &mut gradient);
        for index in 0..4 {
            for half in 0..2 {
                let at = |step: f64| {
                    let mut moved = weights;
                    moved[index][half] += step;
                    examples.loss(&moved, 170.0) * examples.len() as f64
                };
                let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
                assert!((slope - gradient[index][half]).abs() < 1e-6 * (1.0 + slope.abs()), "{index} {half}");
            }
        }
    }

    #[test]
    fn what_no_example_speaks_of_stays() {
        let examples = synthetic(&TRUTH, 200.0, 1_000);
        let start = [[0.0; 2], [0.0; 2], [0.0; 2], [0.0; 2], [7.0, 8.0]];
        let settings = LogisticSettings { spread: 50.0, scale: 200.0, rate: 3.0, batch: 100, epochs: 2, seed: 1 };
        let mut tuning = Tuning::new(&examples, &start, settings);
        tuning.epoch();
        assert_eq!(tuning.weights[4], [7.0, 8.0]);
        assert_ne!(tuning.weights[0], [0.0, 0.0]);
        assert_eq!(examples.occurrences(5)[4], 0.0);
    }

    #[test]
    fn losses_overflow_nowhere() {
        assert!((loss(0.0, 0.5) - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(loss(1e6, 1.0), 0.0);
        assert_eq!(loss(-1e6, 1.0), 1e6);
    }
}
