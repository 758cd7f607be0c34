// SPDX-License-Identifier: GPL-3.0-or-later
//! Trains a network: gradient descent by Adam (Kingma and Ba, 2015) on the cross-entropy between the network's
//! probability of winning and the examples'.
//!
//! A batch is cut into a fixed number of parts whose gradients are added in a fixed order, so the result is the same for
//! any number of threads.

use std::ops::Range;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use super::examples::Example;
use super::logistic::{loss, probability};
use super::record::unpack;
use crate::base::mix::derive;
use crate::evaluation::network::{Dense, Inputs, Network, ONE, WEIGHT_ONE, Weights};

/// Parts of a batch.
const PARTS: usize = 8;

/// How fast Adam forgets gradients, and their squares.
const DECAY: [f32; 2] = [0.9, 0.999];

/// Weights of the first layer stay below this, so that the sums of all inputs fit the network's whole numbers.
const MOST_ROW: f32 = 1.98;

/// Weights of the other layers stay below this, for the same reason.
const MOST_DENSE: f32 = 60.0;

/// How training is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Training {
    /// Examples a step.
    pub batch: usize,
    /// Passes over all examples.
    pub epochs: u32,
    /// The length of the first steps; later ones are shorter, down to a twentieth.
    pub rate: f32,
    /// Decides the order of examples, and the weights that a new network starts from.
    pub seed: u64,
    /// Threads; they change no result.
    pub threads: usize,
}

/// Where each layer's numbers stand in the list of all parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    units: usize,
    rows: Range<usize>,
    biases: Range<usize>,
    layers: Vec<DensePlace>,
    total: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct DensePlace {
    before: usize,
    weights: Range<usize>,
    biases: Range<usize>,
}

impl Layout {
    fn new(inputs: usize, units: usize, widths: &[usize]) -> Self {
        let mut total = 0;
        let mut take = |count: usize| {
            total += count;
            total - count..total
        };
        let (rows, biases) = (take(inputs * units), take(units));
        let mut before = 2 * units;
        let mut layers = Vec::new();
        for &width in widths {
            layers.push(DensePlace { before, weights: take(width * before), biases: take(width) });
            before = width;
        }
        Self { units, rows, biases, layers, total }
    }
}

/// A network under training.
#[derive(Clone, Debug)]
pub struct Trainer {
    layout: Layout,
    mirrored: bool,
    training: Training,
    parameters: Vec<f32>,
    /// Adam's running means of the gradient and of its square.
    means: [Vec<f32>; 2],
    gradients: Vec<Vec<f32>>,
    steps: i32,
    /// Passes over all examples so far.
    epochs: u64,
}

impl Trainer {
    /// A new network for `G`: so many units in the first layer, without twins, and so many in each other layer.
    #[must_use]
    pub fn new<G: Inputs>(units: usize, widths: &[usize], training: Training) -> Self {
        let layout = Layout::new(G::INPUTS, units, widths);
        let mut random = ChaCha8Rng::seed_from_u64(training.seed);
        let mut parameters = vec![0.0; layout.total];
        let mut fill = |range: Range<usize>, most: f32| {
            for parameter in &mut parameters[range] {
                *parameter = random.random_range(-most..most);
            }
        };
        // Some thirty inputs are on at a time: sums begin about as wide as the range in which units are linear.
        fill(layout.rows.clone(), 0.08);
        fill(layout.biases.clone(), 0.25);
        for layer in &layout.layers {
            fill(layer.weights.clone(), (2.0 / layer.before as f32).sqrt());
        }
        Self::with::<G>(layout, parameters, training)
    }

    /// Goes on from a network.
    #[must_use]
    pub fn from<G: Inputs>(network: &Network, training: Training) -> Self {
        let Weights { units, biases, rows, layers, .. } = network.weights();
        let widths: Vec<usize> = layers.iter().map(|layer| layer.biases.len()).collect();
        let layout = Layout::new(G::INPUTS, *units, &widths);
        let narrow = |numbers: &[i16], one: i32| numbers.iter().map(|&n| f32::from(n) / one as f32).collect::<Vec<_>>();
        let mut parameters = [narrow(rows, ONE), narrow(biases, ONE)].concat();
        for layer in layers {
            parameters.extend(narrow(&layer.weights, WEIGHT_ONE));
            parameters.extend(layer.biases.iter().map(|&bias| bias as f32 / (ONE * WEIGHT_ONE) as f32));
        }
        Self::with::<G>(layout, parameters, training)
    }

    fn with<G: Inputs>(layout: Layout, parameters: Vec<f32>, training: Training) -> Self {
        let zeros = || vec![0.0; layout.total];
        Self {
            means: [zeros(), zeros()],
            gradients: vec![zeros(); PARTS],
            mirrored: G::MIRRORED,
            layout,
            training,
            parameters,
            steps: 0,
            epochs: 0,
        }
    }

    /// One pass over all examples in a new order. Returns the mean loss on the way.
    pub fn epoch<G: Inputs>(&mut self, examples: &[Example]) -> f64 {
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        self.epochs += 1;
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(derive(self.training.seed, self.epochs)));
        let batch = self.training.batch.max(1);
        let total = self.training.epochs as f32 * examples.len().div_ceil(batch) as f32;
        let mut sum = 0.0;
        for chosen in order.chunks(batch) {
            sum += self.gradient::<G>(examples, chosen);
            let done = (self.steps as f32 / total).min(1.0);
            self.step(self.training.rate * (1.0 - 0.95 * done), chosen.len());
        }
        sum / examples.len().max(1) as f64
    }

    /// The mean loss on examples.
    #[must_use]
    pub fn loss<G: Inputs>(&self, examples: &[Example]) -> f64 {
        let part = examples.len().div_ceil(PARTS).max(1);
        let parts: Vec<&[Example]> = examples.chunks(part).collect();
        let sums = in_parallel(self.training.threads, &parts, |examples| {
            let mut activity = Activity::new(&self.layout);
            examples.iter().map(|example| self.forward::<G>(example, &mut activity)).sum::<f64>()
        });
        sums.into_iter().sum::<f64>() / examples.len().max(1) as f64
    }

    /// The network with its weights rounded; none if the shape is none of this game's.
    #[must_use]
    pub fn network<G: Inputs>(&self) -> Option<Network> {
        let rounded = |range: &Range<usize>, one: i32| -> Vec<i16> {
            self.parameters[range.clone()].iter().map(|parameter| (parameter * one as f32).round() as i16).collect()
        };
        let dense = |layer: &DensePlace| Dense {
            biases: self.parameters[layer.biases.clone()]
                .iter()
                .map(|bias| (bias * (ONE * WEIGHT_ONE) as f32).round() as i32)
                .collect(),
            weights: rounded(&layer.weights, WEIGHT_ONE),
        };
        Network::new::<G>(Weights {
            units: self.layout.units,
            biases: rounded(&self.layout.biases, ONE),
            rows: rounded(&self.layout.rows, ONE),
            layers: self.layout.layers.iter().map(dense).collect(),
        })
    }

    /// Computes the gradient of the summed loss of a batch, in parts. Returns the summed loss.
    fn gradient<G: Inputs>(&mut self, examples: &[Example], chosen: &[u32]) -> f64 {
        let mut gradients = std::mem::take(&mut self.gradients);
        let part = chosen.len().div_ceil(PARTS).max(1);
        let this = &*self;
        let mut sums = [0.0; PARTS];
        let mut work: Vec<_> = gradients.iter_mut().zip(&mut sums).zip(chosen.chunks(part)).collect();
        let share = work.len().div_ceil(this.training.threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for share in work.chunks_mut(share) {
                scope.spawn(move || {
                    let mut activity = Activity::new(&this.layout);
                    for ((gradient, sum), chosen) in share {
                        gradient.fill(0.0);
                        for &index in *chosen {
                            let example = &examples[index as usize];
                            **sum += this.forward::<G>(example, &mut activity);
                            this.backward(&mut activity, gradient);
                        }
                    }
                });
            }
        });
        let used = chosen.len().div_ceil(part);
        let (total, others) = gradients.split_at_mut(1);
        for other in &others[..used - 1] {
            for (sum, &part) in total[0].iter_mut().zip(other) {
                *sum += part;
            }
        }
        self.gradients = gradients;
        sums.iter().sum()
    }

    /// One step of Adam along the gradient of `count` examples.
    fn step(&mut self, rate: f32, count: usize) {
        self.steps += 1;
        let correction = DECAY.map(|decay| 1.0 - decay.powi(self.steps));
        let [means, squares] = &mut self.means;
        let share = 1.0 / count as f32;
        for (((parameter, &slope), mean), square) in
            self.parameters.iter_mut().zip(&self.gradients[0]).zip(means).zip(squares)
        {
            let slope = slope * share;
            *mean += (1.0 - DECAY[0]) * (slope - *mean);
            *square += (1.0 - DECAY[1]) * (slope * slope - *square);
            *parameter -= rate * (*mean / correction[0]) / ((*square / correction[1]).sqrt() + 1e-8);
        }
        let (first, dense) = self.parameters.split_at_mut(self.layout.biases.end);
        first.iter_mut().for_each(|parameter| *parameter = parameter.clamp(-MOST_ROW, MOST_ROW));
        dense.iter_mut().for_each(|parameter| *parameter = parameter.clamp(-MOST_DENSE, MOST_DENSE));
    }
}

/// What a network computes for one example.
#[derive(Debug)]
struct Activity {
    /// By side (the side to move first): the inputs that are on.
    active: [Vec<u32>; 2],
    /// By side: the sums of units, and of their twins.
    sums: [[Vec<f32>; 2]; 2],
    /// By layer: the values that go in. The first layer's are the units'.
    values: Vec<Vec<f32>>,
    /// By layer: what comes out, before it is clamped.
    outputs: Vec<Vec<f32>>,
    /// By layer: the slope of the loss by the values that go in.
    slopes: Vec<Vec<f32>>,
    /// The slope of the loss by the output.
    error: f32,
}

impl Activity {
    fn new(layout: &Layout) -> Self {
        let values: Vec<_> = layout.layers.iter().map(|layer| vec![0.0; layer.before]).collect();
        let sums = || [vec![0.0; layout.units], vec![0.0; layout.units]];
        Self {
            active: [Vec::new(), Vec::new()],
            sums: [sums(), sums()],
            outputs: layout.layers.iter().map(|layer| vec![0.0; layer.biases.len()]).collect(),
            slopes: values.clone(),
            values,
            error: 0.0,
        }
    }
}

fn add(sums: &mut [f32], row: &[f32]) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}

/// The slope of a clamped value: none outside the range.
fn clamped(sum: f32, slope: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { slope } else { 0.0 }
}

impl Trainer {
    fn row(&self, input: u32) -> Range<usize> {
        let start = self.layout.rows.start + input as usize * self.layout.units;
        start..start + self.layout.units
    }

    /// Sums of each unit: its own, and that of its twin if it has one.
    const fn kinds(&self) -> usize {
        if self.mirrored { 2 } else { 1 }
    }

    /// Computes the network for an example. Returns the loss.
    fn forward<G: Inputs>(&self, example: &Example, activity: &mut Activity) -> f64 {
        let units = self.layout.units;
        let biases = &self.parameters[self.layout.biases.clone()];
        let boards = unpack::<G>(&example.board).unwrap_or_default();
        for (index, side) in [example.side, example.side.other()].into_iter().enumerate() {
            let active = &mut activity.active[index];
            active.clear();
            active.extend(G::active(&boards, side));
            let twins = active.len();
            if self.mirrored {
                active.extend_from_within(..);
                active[twins..].iter_mut().for_each(|input| *input = G::mirrored(*input));
            }
            let values = &mut activity.values[0][index * units..(index + 1) * units];
            values.fill(0.0);
            let (own, mirrored) = active.split_at(twins);
            for (sums, inputs) in activity.sums[index].iter_mut().zip([own, mirrored]).take(self.kinds()) {
                sums.copy_from_slice(biases);
                for &input in inputs {
                    add(sums, &self.parameters[self.row(input)]);
                }
                for (value, &sum) in values.iter_mut().zip(&*sums) {
                    *value += sum.clamp(0.0, 1.0);
                }
            }
        }
        for (index, layer) in self.layout.layers.iter().enumerate() {
            let weights = &self.parameters[layer.weights.clone()];
            let biases = &self.parameters[layer.biases.clone()];
            let (now, later) = activity.values.split_at_mut(index + 1);
            for (unit, (weights, &bias)) in weights.chunks_exact(layer.before).zip(biases).enumerate() {
                let sum = bias + dot(weights, &now[index]);
                activity.outputs[index][unit] = sum;
                if let Some(values) = later.first_mut() {
                    values[unit] = sum.clamp(0.0, 1.0);
                }
            }
        }
        let logit = f64::from(activity.outputs.last().map_or(0.0, |last| last[0]));
        let target = f64::from(example.target);
        activity.error = (probability(logit) - target) as f32;
        loss(logit, target)
    }

    /// Adds the gradient of the loss of the example that was computed last.
    fn backward(&self, activity: &mut Activity, gradient: &mut [f32]) {
        let last = self.layout.layers.len() - 1;
        for (index, layer) in self.layout.layers.iter().enumerate().rev() {
            let (before, behind) = activity.slopes.split_at_mut(index + 1);
            let slopes = &mut before[index];
            slopes.fill(0.0);
            for unit in 0..layer.biases.len() {
                let slope = if index == last {
                    activity.error
                } else {
                    clamped(activity.outputs[index][unit], behind[0][unit])
                };
                if slope == 0.0 {
                    continue;
                }
                gradient[layer.biases.start + unit] += slope;
                let weights = layer.weights.start + unit * layer.before;
                let weights = weights..weights + layer.before;
                for (part, &value) in gradient[weights.clone()].iter_mut().zip(&activity.values[index]) {
                    *part += slope * value;
                }
                for (part, &weight) in slopes.iter_mut().zip(&self.parameters[weights]) {
                    *part += slope * weight;
                }
            }
        }
        let units = self.layout.units;
        for side in 0..2 {
            let slopes = &activity.slopes[0][side * units..(side + 1) * units];
            let active = &activity.active[side];
            let twins = if self.mirrored { active.len() / 2 } else { active.len() };
            let (own, mirrored) = active.split_at(twins);
            for (sums, inputs) in activity.sums[side].iter_mut().zip([own, mirrored]).take(self.kinds()) {
                // The sums are not needed any more: their place holds the slopes by them.
                for (sum, &slope) in sums.iter_mut().zip(slopes) {
                    *sum = clamped(*sum, slope);
                }
                add(&mut gradient[self.layout.biases.clone()], sums);
                for &input in inputs {
                    add(&mut gradient[self.row(input)], sums);
                }
            }
        }
    }
}

/// The scalar product, in eight sums that the compiler computes at once.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

/// Applies a function to all items on some threads. The results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let shares: Vec<_> =
            items.chunks(share).map(|share| scope.spawn(move || share.iter().map(work).collect::<Vec<R>>())).collect();
        shares.into_iter().flat_map(|share| share.join().unwrap_or_default()).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::game::{Game, Notation, Pieces, Side, legal_moves};
    use crate::games::{Breakthrough, Chess};
    use crate::tune::record::pack;

    const TRAINING: Training = Training { batch: 64, epochs: 20, rate: 0.01, seed: 1, threads: 1 };

    /// Positions of random games; the target is what `value` says of them.
    fn examples<G: Inputs + Notation>(count: usize, value: impl Fn(&G::Position) -> f32) -> Vec<Example> {
        let mut position = G::start();
        let mut examples = Vec::new();
        for step in 0.. {
            let moves = legal_moves::<G>(&position);
            if examples.len() == count {
                break;
            }
            if moves.is_empty() || step % 60 == 59 {
                position = G::start();
                continue;
            }
            G::play(&mut position, moves[(derive(3, step) % moves.len() as u64) as usize]);
            let (board, side) = (pack::<G>(&G::boards(&position)).unwrap(), G::to_move(&position));
            examples.push(Example { board, side, target: value(&position) });
        }
        examples
    }

    /// The mover's share of the material.
    fn material(position: &<Breakthrough as Game>::Position) -> f32 {
        let [white, black] = Breakthrough::boards(position).map(|board| f64::from(board.count_ones()));
        let lead = if Breakthrough::to_move(position) == Side::White { white - black } else { black - white };
        probability(lead) as f32
    }

    #[test]
    fn the_gradient_is_the_loss_s() {
        fn check<G: Inputs + Notation>(units: usize, widths: &[usize]) {
            let examples = examples::<G>(40, |position| if G::to_move(position) == Side::White { 0.8 } else { 0.3 });
            let mut trainer = Trainer::new::<G>(units, widths, TRAINING);
            let chosen: Vec<u32> = (0..40).collect();
            trainer.gradient::<G>(&examples, &chosen);
            let gradient = trainer.gradients[0].clone();
            let mut checked = 0;
            let strongest = gradient.iter().fold(0.0_f32, |most, slope| most.max(slope.abs()));
            for place in (0..trainer.layout.total).rev() {
                if gradient[place].abs() < strongest / 20.0 || checked > 200 {
                    continue;
                }
                let at = |step: f32| {
                    let mut moved = trainer.clone();
                    moved.parameters[place] += step;
                    moved.loss::<G>(&examples) * examples.len() as f64
                };
                let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
                let off = (slope - f64::from(gradient[place])).abs();
                // A unit whose sum crosses the end of its range has no slope there.
                assert!(off < 0.05 * f64::from(strongest), "{place}: {slope}, not {}", gradient[place]);
                checked += 1;
            }
            assert!(checked > 20, "{checked}");
        }
        check::<Breakthrough>(16, &[8, 1]);
        check::<Chess>(32, &[1]);
    }

    #[test]
    fn a_network_learns_and_its_whole_numbers_say_the_same() {
        let all = examples::<Breakthrough>(24_000, material);
        let (examples, held_out) = all.split_at(20_000);
        let mut trainer = Trainer::new::<Breakthrough>(16, &[8, 1], TRAINING);
        let before = trainer.loss::<Breakthrough>(held_out);
        let losses: Vec<f64> = (0..TRAINING.epochs).map(|_| trainer.epoch::<Breakthrough>(examples)).collect();
        let after = trainer.loss::<Breakthrough>(held_out);
        // What is left is what the targets themselves leave open.
        let least = held_out.iter().map(|e| f64::from(e.target)).map(|p| loss((p / (1.0 - p)).ln(), p)).sum::<f64>();
        let least = least / held_out.len() as f64;
        assert!(after - least < (before - least) / 5.0, "{before} -> {after}, least {least}, {losses:?}");
        let network = trainer.network::<Breakthrough>().unwrap();
        for fen in <Breakthrough as crate::games::Furnished>::BENCH {
            let position = Breakthrough::parse_position(fen).unwrap();
            let board = pack::<Breakthrough>(&Breakthrough::boards(&position)).unwrap();
            let mut activity = Activity::new(&trainer.layout);
            let example = Example { board, side: Breakthrough::to_move(&position), target: 0.0 };
            trainer.forward::<Breakthrough>(&example, &mut activity);
            let logit = activity.outputs[1][0];
            let value = Evaluation::<Breakthrough>::judge(&network, &position);
            assert!((value as f32 / Breakthrough::LOGIT as f32 - logit).abs() < 0.1, "{fen}: {value}, not {logit}");
        }
        // Training goes on from the whole numbers.
        let next = Trainer::from::<Breakthrough>(&network, TRAINING);
        assert!((next.loss::<Breakthrough>(held_out) - after).abs() < 0.01);
        assert_eq!(next.network::<Breakthrough>().unwrap().weights(), network.weights());
    }

    #[test]
    fn threads_change_nothing() {
        let examples = examples::<Breakthrough>(500, material);
        let weights = |threads: usize| {
            let mut trainer = Trainer::new::<Breakthrough>(16, &[8, 1], Training { threads, ..TRAINING });
            let losses = [0, 1].map(|_| trainer.epoch::<Breakthrough>(&examples));
            (losses, trainer.loss::<Breakthrough>(&examples), trainer.parameters)
        };
        let one = weights(1);
        for threads in [2, 3, 8, 20] {
            assert_eq!(weights(threads), one, "{threads} threads");
        }
    }
}
