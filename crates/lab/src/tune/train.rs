// SPDX-License-Identifier: GPL-3.0-or-later
//! Trains a network: gradient descent by Adam (Kingma and Ba, 2015) on the cross-entropy between the network's
//! probability of winning and the examples'. The result is the mean of the weights after each step of the second half.
//!
//! A batch is cut into a fixed number of parts whose gradients are added in a fixed order, so the result is the same for
//! any number of threads.

use rand::seq::SliceRandom;
use rand::{SeedableRng, rngs::ChaCha8Rng};

use super::examples::Example;
use super::model::{Activity, Model, Shape};
use halfply_engine::base::mix::derive;
use halfply_engine::evaluation::network::{Inputs, Network};

/// Parts of a batch.
const PARTS: usize = 8;

/// How fast Adam forgets gradients, and their squares.
const DECAY: [f32; 2] = [0.9, 0.999];

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

/// A network under training.
#[derive(Clone, Debug)]
pub struct Trainer {
    model: Model,
    training: Training,
    /// Adam's running means of the gradient and of its square.
    means: [Vec<f32>; 2],
    gradients: Vec<Vec<f32>>,
    steps: i32,
    /// The mean of the weights after each step of the second half (stochastic weight averaging, Izmailov et al. 2018).
    average: Model,
    /// Steps that are averaged so far.
    averaged: u32,
    /// Passes over all examples so far.
    epochs: u64,
}

impl Trainer {
    /// A new network for `G`.
    pub fn new<G: Inputs>(shape: Shape<'_>, training: Training) -> Self {
        Self::with(Model::new::<G>(shape, training.seed), training)
    }

    /// Continues from a network.
    pub fn from<G: Inputs>(network: &Network, training: Training) -> Self {
        Self::with(Model::from::<G>(network), training)
    }

    fn with(model: Model, training: Training) -> Self {
        let zeros = || vec![0.0; model.parameters.len()];
        Self {
            means: [zeros(), zeros()],
            gradients: vec![zeros(); PARTS],
            average: model.clone(),
            averaged: 0,
            model,
            training,
            steps: 0,
            epochs: 0,
        }
    }

    /// One pass over all examples in a new order. Returns the mean loss on the way.
    pub fn epoch(&mut self, examples: &[Example]) -> f64 {
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        self.epochs += 1;
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(derive(self.training.seed, self.epochs)));
        let batch = self.training.batch.max(1);
        let total = self.training.epochs as f32 * examples.len().div_ceil(batch) as f32;
        let mut sum = 0.0;
        for chosen in order.chunks(batch) {
            sum += self.gradient(examples, chosen);
            let done = (self.steps as f32 / total).min(1.0);
            self.step(self.training.rate * (1.0 - 0.95 * done), chosen.len());
            if done >= 0.5 {
                self.average();
            }
        }
        sum / examples.len().max(1) as f64
    }

    /// What training has come to: the mean of the weights, once there is one.
    fn outcome(&self) -> &Model {
        if self.averaged == 0 { &self.model } else { &self.average }
    }

    /// The mean loss on examples.
    pub fn loss(&self, examples: &[Example]) -> f64 {
        let part = examples.len().div_ceil(PARTS).max(1);
        let parts: Vec<&[Example]> = examples.chunks(part).collect();
        let model = self.outcome();
        let rows = model.rows();
        let sums = in_parallel(self.training.threads, &parts, |examples| {
            let mut activity = Activity::new(model);
            examples.iter().map(|example| model.forward(&rows, example, &mut activity)).sum::<f64>()
        });
        sums.into_iter().sum::<f64>() / examples.len().max(1) as f64
    }

    /// The network with its weights rounded.
    pub fn network<G: Inputs>(&self) -> Network {
        self.outcome().network::<G>()
    }

    /// Computes the gradient of the summed loss of a batch, in parts. Returns the summed loss.
    fn gradient(&mut self, examples: &[Example], chosen: &[u32]) -> f64 {
        let mut gradients = std::mem::take(&mut self.gradients);
        let part = chosen.len().div_ceil(PARTS).max(1);
        let (model, threads) = (&self.model, self.training.threads.max(1));
        let rows = &*model.rows();
        let mut sums = [0.0; PARTS];
        let mut work: Vec<_> = gradients.iter_mut().zip(&mut sums).zip(chosen.chunks(part)).collect();
        let share = work.len().div_ceil(threads).max(1);
        std::thread::scope(|scope| {
            for share in work.chunks_mut(share) {
                scope.spawn(move || {
                    let mut activity = Activity::new(model);
                    for ((gradient, sum), chosen) in share {
                        gradient.fill(0.0);
                        for &index in *chosen {
                            let example = &examples[index as usize];
                            **sum += model.forward(rows, example, &mut activity);
                            model.backward(&mut activity, gradient);
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
        self.model.complete(&mut total[0]);
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
            self.model.parameters.iter_mut().zip(&self.gradients[0]).zip(means).zip(squares)
        {
            let slope = slope * share;
            *mean += (1.0 - DECAY[0]) * (slope - *mean);
            *square += (1.0 - DECAY[1]) * (slope * slope - *square);
            *parameter -= rate * (*mean / correction[0]) / ((*square / correction[1]).sqrt() + 1e-8);
        }
        self.model.clamp();
    }

    /// Takes the weights of a step into their mean.
    fn average(&mut self) {
        self.averaged += 1;
        let share = 1.0 / self.averaged as f32;
        for (mean, &parameter) in self.average.parameters.iter_mut().zip(&self.model.parameters) {
            *mean += share * (parameter - *mean);
        }
    }
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
    use crate::tune::logistic::{loss, probability};
    use crate::tune::record::pack;
    use halfply_engine::evaluation::Evaluation;
    use halfply_engine::game::{Game, Notation, Pieces, Side, legal_moves};
    use halfply_engine::games::{Breakthrough, Chess, Othello};

    const TRAINING: Training = Training { batch: 64, epochs: 20, rate: 0.01, seed: 1, threads: 1 };

    const SMALL: Shape<'_> = Shape { units: 16, squared: false, widths: &[8, 1] };

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
        fn check<G: Inputs + Notation>(shape: Shape<'_>) {
            let examples = examples::<G>(40, |position| if G::to_move(position) == Side::White { 0.8 } else { 0.3 });
            let mut trainer = Trainer::new::<G>(shape, TRAINING);
            let chosen: Vec<u32> = (0..40).collect();
            trainer.gradient(&examples, &chosen);
            let gradient = trainer.gradients[0].clone();
            let mut checked = 0;
            let strongest = gradient.iter().fold(0.0_f32, |most, slope| most.max(slope.abs()));
            for place in (0..gradient.len()).rev() {
                if gradient[place].abs() < strongest / 20.0 || checked > 200 {
                    continue;
                }
                let parameter = trainer.model.parameters[place];
                let mut at = |step: f32| {
                    trainer.model.parameters[place] = parameter + step;
                    trainer.loss(&examples) * examples.len() as f64
                };
                let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
                trainer.model.parameters[place] = parameter;
                let off = (slope - f64::from(gradient[place])).abs();
                // A unit whose sum crosses the end of its range has no slope there.
                assert!(off < 0.05 * f64::from(strongest), "{place}: {slope}, not {}", gradient[place]);
                checked += 1;
            }
            assert!(checked > 20, "{checked}");
        }
        check::<Breakthrough>(SMALL);
        for squared in [false, true] {
            check::<Chess>(Shape { units: 32, squared, widths: &[1] });
            check::<Othello>(Shape { units: 32, squared, widths: &[1] });
        }
    }

    #[test]
    fn a_network_learns_and_its_whole_numbers_say_the_same() {
        let all = examples::<Breakthrough>(24_000, material);
        let (examples, held_out) = all.split_at(20_000);
        let mut trainer = Trainer::new::<Breakthrough>(SMALL, Training { threads: 2, ..TRAINING });
        let before = trainer.loss(held_out);
        let losses: Vec<f64> = (0..TRAINING.epochs).map(|_| trainer.epoch(examples)).collect();
        let after = trainer.loss(held_out);
        // What is left is what the targets themselves leave open.
        let least = held_out.iter().map(|e| f64::from(e.target)).map(|p| loss((p / (1.0 - p)).ln(), p)).sum::<f64>();
        let least = least / held_out.len() as f64;
        assert!(after - least < (before - least) / 5.0, "{before} -> {after}, least {least}, {losses:?}");
        let network = trainer.network::<Breakthrough>();
        for fen in <Breakthrough as halfply_engine::games::RegisteredGame>::BENCH {
            let position = Breakthrough::parse_position(fen).unwrap();
            let board = pack::<Breakthrough>(&Breakthrough::boards(&position)).unwrap();
            let model = trainer.outcome();
            let mut activity = Activity::new(model);
            let example = Example { board, side: Breakthrough::to_move(&position), target: 0.0 };
            model.forward(&model.rows(), &example, &mut activity);
            let logit = activity.logit();
            let value = Evaluation::<Breakthrough>::judge(&network, &position);
            assert!((value as f32 / Breakthrough::LOGIT as f32 - logit).abs() < 0.1, "{fen}: {value}, not {logit}");
        }
        // Training continues from the integers.
        let next = Trainer::from::<Breakthrough>(&network, TRAINING);
        assert!((next.loss(held_out) - after).abs() < 0.01);
        assert_eq!(next.network::<Breakthrough>().weights(), network.weights());
    }

    #[test]
    fn the_result_is_the_mean_of_the_second_half() {
        let examples = examples::<Breakthrough>(256, material);
        let training = Training { epochs: 1, ..TRAINING };
        let [mut trainer, mut slow] = [0; 2].map(|_| Trainer::new::<Breakthrough>(SMALL, training));
        trainer.epoch(&examples);
        let mut order: Vec<u32> = (0..256).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(derive(training.seed, 1)));
        let mut steps = order.chunks(64).zip([0.0, 0.25, 0.5, 0.75]).map(|(chosen, done)| {
            slow.gradient(&examples, chosen);
            slow.step(training.rate * (1.0 - 0.95 * done), 64);
            slow.model.parameters.clone()
        });
        let [third, fourth] = [steps.nth(2).unwrap(), steps.next().unwrap()];
        assert_eq!(trainer.model.parameters, fourth);
        let mean = third.iter().zip(&fourth).map(|(a, b)| (a + b) / 2.0);
        assert!(trainer.outcome().parameters.iter().zip(mean).all(|(a, b)| (a - b).abs() < 1e-6));
    }

    #[test]
    fn threads_change_nothing() {
        let examples = examples::<Breakthrough>(500, material);
        let weights = |threads: usize| {
            let mut trainer = Trainer::new::<Breakthrough>(SMALL, Training { threads, ..TRAINING });
            let losses = [0, 1].map(|_| trainer.epoch(&examples));
            (losses, trainer.loss(&examples), trainer.model.parameters)
        };
        let one = weights(1);
        for threads in [2, 3, 8, 20] {
            assert_eq!(weights(threads), one, "{threads} threads");
        }
    }
}
