// SPDX-License-Identifier: GPL-3.0-or-later
//! An evaluation that is learned: a small neural network of integers.
//!
//! Each side sees the board from its own end. A first layer sums one row of weights for each [input](Inputs) that is on,
//! once for either side; few inputs change in a move, so a search corrects the sums of a neighbour instead. Where a
//! game's positions are worth as much as their mirror images, each unit of this layer has a twin that sees the mirror
//! image, and what is passed on is the sum of both. A network without twins and with one layer more may pass on the squares
//! of values (So et al., 2021, square rectified units too). Dense layers follow; the last one has a single unit, whose value is
//! the logit of winning.
//!
//! Everything is computed with integers, so every machine and compiler gets the same values. Sums in the first
//! layer wrap around, so that the order in which rows are added and removed never matters.

mod file;
mod first_layer;
mod inputs;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use file::{LARGEST, MAGIC, NetworkError};
pub use inputs::{Active, Changes, Inputs, MOST_ACTIVE, MOST_CHANGED, Perspective};

use thiserror::Error;
use wide::{i16x16, i32x8};

use self::first_layer::{FirstLayer, LANE, Lane, Sums};
use super::Evaluation;
use crate::base::Score;
use crate::base::digest;
use crate::base::score::LEAST_WIN;

/// What stands for 1 in the values of units.
pub const ONE: i32 = 256;

/// Squares of values are 32 times as fine: a value times 64, squared, over two to the power of 15.
const SQUARE_BITS: u32 = 5;

/// What stands for 1 in the weights of dense layers.
pub const WEIGHT_ONE: i32 = 1 << WEIGHT_BITS;

/// Binary digits behind the point in the weights of dense layers.
const WEIGHT_BITS: u32 = 8;

/// What the identity of every network begins with.
pub const MARK: &str = "network sha256:";

/// A layer in which each unit sees all values of the layer before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// By unit, in units of `ONE * WEIGHT_ONE`.
    pub biases: Vec<i32>,
    /// By unit, then by value of the layer before, in units of [`WEIGHT_ONE`].
    pub weights: Vec<i16>,
}

/// A network's weights as learned: mirrored twins share theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Units of the first layer, without their twins.
    pub units: usize,
    /// Whether the squares of the first layer's values are passed on. Then one layer follows, and units have no twins.
    pub squared: bool,
    /// By unit of the first layer, in units of [`ONE`].
    pub biases: Vec<i16>,
    /// By input, then by unit, in units of [`ONE`].
    pub rows: Vec<i16>,
    /// The layers that follow; the first one sees the units of the side to move, then those of the other side if the game
    /// has [two views](Inputs::VIEWS). The last one has a single unit.
    pub layers: Vec<Dense>,
}

/// A network, ready to evaluate. Clones share the weights.
#[derive(Clone, Debug)]
pub struct Network {
    weights: Arc<Weights>,
    first: Arc<FirstLayer>,
    identity: Arc<str>,
}

/// What a search keeps.
#[derive(Clone, Debug)]
pub struct State<B> {
    sums: Sums<B>,
    values: Values,
}

/// The values that go into a layer, and those that come out of it.
type Values = [Vec<i16>; 2];

/// Why a game has no network of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ShapeError {
    /// The units of the first layer do not fill its lanes.
    #[error("units of {game} are a multiple of {step}, not {units}")]
    Units {
        /// The game.
        game: &'static str,
        /// What units are a multiple of.
        step: usize,
        /// How many were asked for.
        units: usize,
    },
    /// No network's values are squared there.
    #[error("values are squared only where units have no twins and one layer follows")]
    Squared,
}

/// Whether a game has networks of so many units, whose values are squared or not, with so many layers behind them.
///
/// # Errors
/// If it has none.
pub fn check_shape<G: Inputs>(units: usize, squared: bool, layers: usize) -> Result<(), ShapeError> {
    let step = LANE / if G::MIRRORED { 2 } else { 1 };
    if units == 0 || !units.is_multiple_of(step) {
        return Err(ShapeError::Units { game: G::NAME, step, units });
    }
    if squared && (G::MIRRORED || layers > 1) {
        return Err(ShapeError::Squared);
    }
    Ok(())
}

impl Network {
    /// A network for `G` with these weights; none if their numbers do not fit each other or the game.
    pub fn new<G: Inputs>(weights: Weights) -> Option<Self> {
        let units = weights.units;
        let fits = check_shape::<G>(units, weights.squared, weights.layers.len()).is_ok()
            && weights.biases.len() == units
            && weights.rows.len() == G::INPUTS * units
            && weights.layers.last().is_some_and(|last| last.biases.len() == 1);
        let mut before = G::VIEWS * units;
        for layer in &weights.layers {
            if layer.biases.is_empty() || layer.weights.len() != layer.biases.len() * before {
                return None;
            }
            before = layer.biases.len();
        }
        if !fits {
            return None;
        }
        let first = FirstLayer::new::<G>(units, &weights.biases, &weights.rows);
        let identity = format!("{MARK}{}", digest::short(weights.to_bytes::<G>())).into();
        Some(Self { weights: Arc::new(weights), first: Arc::new(first), identity })
    }

    /// What results depend on: the beginning of the SHA-256 of the network's file.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The weights as learned.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Room for the values of any layer.
    fn values<G: Inputs>(&self) -> Values {
        let Weights { units, layers, .. } = &*self.weights;
        let widest = layers.iter().map(|layer| layer.biases.len()).max().unwrap_or(1).max(G::VIEWS * units);
        [vec![0; widest], vec![0; widest]]
    }

    /// The value for the side to move, from the sums of each view.
    fn output<G: Inputs>(&self, views: &[&[Lane]], values: &mut Values) -> Score {
        let logit = match &*self.weights.layers {
            [unit] if !G::MIRRORED => self.single(unit, views),
            layers => self.pass_on::<G>(layers, views, values),
        };
        // Both constants are known to the compiler: a multiplication and a shift.
        let unit = (G::LOGIT * 65_536.0) as i64;
        let value = i64::from(logit) * unit / (i64::from(ONE * WEIGHT_ONE) << 16);
        value.clamp(1 - i64::from(LEAST_WIN), i64::from(LEAST_WIN) - 1) as Score
    }

    /// The logit of winning for the side to move, in units of `ONE * WEIGHT_ONE`, by a single unit behind the first layer.
    fn single(&self, unit: &Dense, views: &[&[Lane]]) -> i32 {
        let product = if self.weights.squared {
            self.dot(unit, views, squared) >> SQUARE_BITS
        } else {
            self.dot(unit, views, clamped)
        };
        unit.biases.iter().copied().fold(product, i32::wrapping_add)
    }

    /// The sum of the products of a unit's weights and of the values that are made of each view's sums. It wraps around.
    fn dot(&self, unit: &Dense, views: &[&[Lane]], value: impl Fn(i16x16) -> i16x16) -> i32 {
        let weights = unit.weights.chunks_exact(self.weights.units);
        let products = views.iter().zip(weights).map(|(sums, weights)| {
            let [(sums, _), (weights, _)] = [sums.as_flattened(), weights].map(<[i16]>::as_chunks);
            let pairs = sums.iter().zip(weights);
            let products = pairs.map(|(&sums, &weights)| value(i16x16::new(sums)).dot(i16x16::new(weights)));
            products.fold(i32x8::ZERO, |total, products| total + products)
        });
        let total = products.fold(i32x8::ZERO, |total, products| total + products);
        total.to_array().into_iter().fold(0, i32::wrapping_add)
    }

    /// The logit through several layers, or behind units with twins.
    fn pass_on<G: Inputs>(&self, layers: &[Dense], views: &[&[Lane]], [values, next]: &mut Values) -> i32 {
        let units = self.weights.units;
        for (sums, values) in views.iter().zip(values.chunks_exact_mut(units)) {
            let sums = sums.as_flattened();
            if G::MIRRORED {
                let (sums, twins) = sums.split_at(units);
                for ((value, &sum), &twin) in values.iter_mut().zip(sums).zip(twins) {
                    *value = sum.clamp(0, ONE as i16) + twin.clamp(0, ONE as i16);
                }
            } else {
                for (value, &sum) in values.iter_mut().zip(sums) {
                    *value = sum.clamp(0, ONE as i16);
                }
            }
        }
        let mut width = G::VIEWS * units;
        let mut last = 0;
        for layer in layers {
            for ((weights, &bias), value) in layer.weights.chunks_exact(width).zip(&layer.biases).zip(next.iter_mut()) {
                last = bias.wrapping_add(product(weights, &values[..width]));
                *value = (last >> WEIGHT_BITS).clamp(0, ONE) as i16;
            }
            width = layer.biases.len();
            std::mem::swap(values, next);
        }
        last
    }
}

/// The sum of the products of weights and values, which wraps around. Left to itself, the compiler makes of it twice the
/// instructions.
#[inline]
fn product(weights: &[i16], values: &[i16]) -> i32 {
    let (weights, weights_left) = weights.as_chunks();
    let (values, values_left) = values.as_chunks();
    let pairs = weights.iter().zip(values).map(|(&weights, &values)| i16x16::new(weights).dot(i16x16::new(values)));
    let left = weights_left.iter().zip(values_left).map(|(&weight, &value)| i32::from(weight) * i32::from(value));
    let sums = pairs.fold(i32x8::ZERO, |sums, pairs| sums + pairs).to_array();
    sums.into_iter().chain(left).fold(0, i32::wrapping_add)
}

/// Sums as values between 0 and [`ONE`].
#[inline]
fn clamped(sums: i16x16) -> i16x16 {
    sums.max(i16x16::ZERO).min(i16x16::splat(ONE as i16))
}

/// The squares of these values.
#[inline]
fn squared(sums: i16x16) -> i16x16 {
    let value: i16x16 = clamped(sums) << 6;
    value.mul_scale_round(value)
}

impl<G: Inputs> Evaluation<G> for Network {
    type State = State<G::Boards>;

    fn start(&self) -> Self::State {
        State { sums: self.first.sums::<G>(G::MAX_PLY + 1), values: self.values::<G>() }
    }

    fn evaluate(&self, State { sums, values }: &mut Self::State, ply: usize, position: &G::Position) -> Score {
        let side = G::to_move(position);
        self.first.update::<G>(sums, ply, &G::boards(position), side);
        let views = [side, side.other()].map(|side| self.first.of(sums, ply, side));
        self.output::<G>(&views[..G::VIEWS], values)
    }

    fn judge(&self, position: &G::Position) -> Score {
        let (boards, side) = (G::boards(position), G::to_move(position));
        let views = [side, side.other()].map(|side| self.first.scratch::<G>(&boards, side));
        self.output::<G>(&views.each_ref().map(|view| &**view)[..G::VIEWS], &mut self.values::<G>())
    }
}
