// SPDX-License-Identifier: GPL-3.0-or-later
//! A network in floating-point numbers: its value for an example, and the gradient of the loss.

use std::borrow::Cow;
use std::ops::Range;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use super::examples::Example;
use super::logistic::{loss, probability};
use super::record::unpack;
use halfply_engine::evaluation::network::{Dense, Inputs, Network, ONE, ShapeError, WEIGHT_ONE, Weights, check_shape};

/// Weights of the first layer stay below this, so that the sums of all inputs fit the network's integers.
const MOST_ROW: f32 = 1.98;

/// Weights of the other layers stay below this, for the same reason.
const MOST_DENSE: f32 = 60.0;

/// Where each layer's numbers stand in the list of all parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    units: usize,
    rows: Range<usize>,
    /// What the rows of an input have in common in all [sets](Inputs::SETS); none if there is one set. A set of which there
    /// are few examples learns from the others by it.
    common: Range<usize>,
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
    fn new<G: Inputs>(units: usize, widths: &[usize]) -> Self {
        let mut total = 0;
        let mut take = |count: usize| {
            total += count;
            total - count..total
        };
        let common = if G::SETS > 1 { G::INPUTS_OF_SET } else { 0 };
        let (rows, common, biases) = (take(G::INPUTS * units), take(common * units), take(units));
        let mut before = G::VIEWS * units;
        let mut layers = Vec::new();
        for &width in widths {
            layers.push(DensePlace { before, weights: take(width * before), biases: take(width) });
            before = width;
        }
        Self { units, rows, common, biases, layers, total }
    }
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape<'a> {
    /// Units of the first layer, without their twins.
    pub units: usize,
    /// Whether the squares of their values are passed on.
    pub squared: bool,
    /// Units of each layer that follows.
    pub widths: &'a [usize],
}

impl Shape<'_> {
    /// # Errors
    /// If the game has no network of this shape.
    pub(super) fn check<G: Inputs>(self) -> Result<(), ShapeError> {
        check_shape::<G>(self.units, self.squared, self.widths.len())
    }
}

/// Fills the lists of the inputs that are on in an example, the side to move first; twins stand behind all others.
type ReadInputs = fn(&Example, &mut [Vec<u32>; 2]);

/// A network whose weights are floating-point numbers. It has what depends on the game as data: what is computed for each
/// example is compiled once, with this crate.
#[derive(Clone, Debug)]
pub(super) struct Model {
    layout: Layout,
    read_inputs: ReadInputs,
    views: usize,
    mirrored: bool,
    squared: bool,
    /// All weights, in the order of the layout.
    pub(super) parameters: Vec<f32>,
}

impl Model {
    /// A new network for `G`.
    pub(super) fn new<G: Inputs>(Shape { units, squared, widths }: Shape<'_>, seed: u64) -> Self {
        let layout = Layout::new::<G>(units, widths);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut parameters = vec![0.0; layout.total];
        let mut fill = |range: Range<usize>, most: f32| {
            for parameter in &mut parameters[range] {
                *parameter = random.random_range(-most..most);
            }
        };
        // Some thirty inputs are on at a time: sums begin about as wide as the range in which units are linear.
        fill(if layout.common.is_empty() { layout.rows.clone() } else { layout.common.clone() }, 0.08);
        fill(layout.biases.clone(), 0.25);
        for layer in &layout.layers {
            fill(layer.weights.clone(), (2.0 / layer.before as f32).sqrt());
        }
        Self::of_game::<G>(layout, squared, parameters)
    }

    /// The same network in floating-point numbers.
    pub(super) fn from<G: Inputs>(network: &Network) -> Self {
        let Weights { units, squared, biases, rows, layers } = network.weights();
        let widths: Vec<usize> = layers.iter().map(|layer| layer.biases.len()).collect();
        let layout = Layout::new::<G>(*units, &widths);
        let narrow = |numbers: &[i16], one: i32| numbers.iter().map(|&n| f32::from(n) / one as f32).collect::<Vec<_>>();
        let mut parameters = [narrow(rows, ONE), vec![0.0; layout.common.len()], narrow(biases, ONE)].concat();
        for layer in layers {
            parameters.extend(narrow(&layer.weights, WEIGHT_ONE));
            parameters.extend(layer.biases.iter().map(|&bias| bias as f32 / (ONE * WEIGHT_ONE) as f32));
        }
        Self::of_game::<G>(layout, *squared, parameters)
    }

    fn of_game<G: Inputs>(layout: Layout, squared: bool, parameters: Vec<f32>) -> Self {
        let (read_inputs, views, mirrored) = (read_inputs::<G> as ReadInputs, G::VIEWS, G::MIRRORED);
        Self { layout, read_inputs, views, mirrored, squared, parameters }
    }

    /// The network with its weights rounded.
    ///
    /// # Panics
    /// If the shape was not [checked](Shape::check).
    pub(super) fn network<G: Inputs>(&self) -> Network {
        let round = |parameter: f32, one: i32| (parameter * one as f32).round() as i16;
        let rounded = |range: &Range<usize>, one: i32| -> Vec<i16> {
            self.parameters[range.clone()].iter().map(|&parameter| round(parameter, one)).collect()
        };
        let rows = self.rows();
        let rows = rows.iter().map(|row| row.clamp(-MOST_ROW, MOST_ROW));
        let dense = |layer: &DensePlace| Dense {
            biases: self.parameters[layer.biases.clone()]
                .iter()
                .map(|bias| (bias * (ONE * WEIGHT_ONE) as f32).round() as i32)
                .collect(),
            weights: rounded(&layer.weights, WEIGHT_ONE),
        };
        let network = Network::new::<G>(Weights {
            units: self.layout.units,
            squared: self.squared,
            biases: rounded(&self.layout.biases, ONE),
            rows: rows.map(|row| round(row, ONE)).collect(),
            layers: self.layout.layers.iter().map(dense).collect(),
        });
        network.expect("a shape that was checked")
    }

    /// Cuts weights that integers could not hold.
    pub(super) fn clamp(&mut self) {
        let (first, dense) = self.parameters.split_at_mut(self.layout.biases.end);
        first.iter_mut().for_each(|parameter| *parameter = parameter.clamp(-MOST_ROW, MOST_ROW));
        dense.iter_mut().for_each(|parameter| *parameter = parameter.clamp(-MOST_DENSE, MOST_DENSE));
    }

    /// The weights of all inputs as they are summed: their own, and what each has in common with the same input of other
    /// sets.
    pub(super) fn rows(&self) -> Cow<'_, [f32]> {
        let [rows, common] = [&self.layout.rows, &self.layout.common].map(|range| &self.parameters[range.clone()]);
        if common.is_empty() {
            return Cow::Borrowed(rows);
        }
        let mut rows = rows.to_vec();
        rows.chunks_exact_mut(common.len()).for_each(|set| add(set, common));
        Cow::Owned(rows)
    }

    /// Completes a gradient: the slope by what inputs have in common is the sum of the slopes by their weights in each set.
    pub(super) fn complete(&self, gradient: &mut [f32]) {
        let (rows, others) = gradient.split_at_mut(self.layout.rows.end);
        let common = &mut others[..self.layout.common.len()];
        if !common.is_empty() {
            rows.chunks_exact(common.len()).for_each(|set| add(common, set));
        }
    }

    /// Where the weights of an input are among those of all.
    const fn row(&self, input: u32) -> Range<usize> {
        let start = input as usize * self.layout.units;
        start..start + self.layout.units
    }

    /// Sums of each unit: its own, and that of its twin if it has one.
    const fn kinds(&self) -> usize {
        if self.mirrored { 2 } else { 1 }
    }

    /// Computes the network for an example, with its [rows](Self::rows). Returns the loss.
    pub(super) fn forward(&self, rows: &[f32], example: &Example, activity: &mut Activity) -> f64 {
        let units = self.layout.units;
        let biases = &self.parameters[self.layout.biases.clone()];
        (self.read_inputs)(example, &mut activity.active);
        for (index, active) in activity.active.iter().enumerate().take(self.views) {
            let values = &mut activity.values[0][index * units..(index + 1) * units];
            values.fill(0.0);
            let (own, mirrored) = active.split_at(active.len() / self.kinds());
            for (sums, inputs) in activity.sums[index].iter_mut().zip([own, mirrored]).take(self.kinds()) {
                sums.copy_from_slice(biases);
                for &input in inputs {
                    add(sums, &rows[self.row(input)]);
                }
                for (value, &sum) in values.iter_mut().zip(&*sums) {
                    *value += sum.clamp(0.0, 1.0);
                }
            }
            if self.squared {
                values.iter_mut().for_each(|value| *value *= *value);
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
        let logit = f64::from(activity.logit());
        let target = f64::from(example.target);
        activity.error = (probability(logit) - target) as f32;
        loss(logit, target)
    }

    /// Adds the gradient of the loss of the example that was computed last, which is to be [completed](Self::complete).
    pub(super) fn backward(&self, activity: &mut Activity, gradient: &mut [f32]) {
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
        for side in 0..self.views {
            let slopes = &activity.slopes[0][side * units..(side + 1) * units];
            let active = &activity.active[side];
            let (own, mirrored) = active.split_at(active.len() / self.kinds());
            for (sums, inputs) in activity.sums[side].iter_mut().zip([own, mirrored]).take(self.kinds()) {
                // The sums are not needed any more: their place holds the slopes by them.
                for (sum, &slope) in sums.iter_mut().zip(slopes) {
                    let slope = if self.squared { 2.0 * *sum * slope } else { slope };
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

fn read_inputs<G: Inputs>(example: &Example, lists: &mut [Vec<u32>; 2]) {
    let boards = unpack::<G>(&example.board).unwrap_or_default();
    for (list, side) in lists.iter_mut().zip([example.side, example.side.other()]).take(G::VIEWS) {
        list.clear();
        list.extend(G::active(&boards, side));
        if G::MIRRORED {
            let twins = list.len();
            list.extend_from_within(..);
            list[twins..].iter_mut().for_each(|input| *input = G::mirrored(*input));
        }
    }
}

/// What a network computes for one example.
#[derive(Debug)]
pub(super) struct Activity {
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
    pub(super) fn new(model: &Model) -> Self {
        let layout = &model.layout;
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

    /// The output.
    pub(super) fn logit(&self) -> f32 {
        self.outputs.last().map_or(0.0, |last| last[0])
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
