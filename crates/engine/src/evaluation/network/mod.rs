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
mod inputs;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::sync::Arc;

pub use file::{LARGEST, MAGIC, NetworkError};
pub use inputs::{Active, Changes, Inputs, MOST_ACTIVE, MOST_CHANGED, Perspective};

use arrayvec::ArrayVec;
use thiserror::Error;
use wide::{i16x16, i32x8};

use super::Evaluation;
use crate::base::Score;
use crate::base::digest;
use crate::base::score::LEAST_WIN;
use crate::game::Side;

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

/// Units of the first layer that are summed at once.
const LANE: usize = 32;

/// The most squares that a move changes, on the boards of all kinds of pieces: castling.
const ONE_MOVE: u32 = 4;

/// The sums of some units.
type Lane = [i16; LANE];

/// The weights of an input for some units. They fill a line of the cache, and no row needs two.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row(Lane);

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
    ready: Arc<Ready>,
    identity: Arc<str>,
}

/// The first layer as it is computed: twins written out, in lanes.
#[derive(Debug)]
struct Ready {
    /// Whether the second half of the first layer's units are the twins of the first half.
    mirrored: bool,
    /// Lanes of a side's sums.
    lanes: usize,
    biases: Vec<Lane>,
    /// By input, then by lane.
    rows: Vec<Row>,
    /// The most values that any layer has.
    widest: usize,
}

/// What a search keeps: for each ply the position last evaluated there, and its sums; and for each perspective the position
/// last summed in it anew, and the sums of the side that saw it so.
#[derive(Clone, Debug)]
pub struct Sums<B> {
    /// By ply; none if nothing was evaluated there yet.
    boards: Vec<Option<B>>,
    /// By ply, by side, by lane.
    lanes: Vec<Lane>,
    /// By perspective, by side; none if the side had no such perspective yet.
    seen: Vec<Option<B>>,
    /// By perspective, by side, by lane.
    seen_lanes: Vec<Lane>,
    /// The values that go into a layer, and those that come out of it.
    values: [Vec<i16>; 2],
}

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
        let width = if G::MIRRORED { 2 * units } else { units };
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
        let lanes = width / LANE;
        let row = |input: usize| &weights.rows[input * units..(input + 1) * units];
        let twins = |own: &[i16], twin: &[i16]| -> Vec<Lane> {
            let all: Vec<i16> = if G::MIRRORED { [own, twin].concat() } else { own.to_vec() };
            all.as_chunks::<LANE>().0.to_vec()
        };
        let mut rows = Vec::with_capacity(G::INPUTS * lanes);
        for input in 0..G::INPUTS {
            rows.extend(twins(row(input), row(G::mirrored(input as u32) as usize)).into_iter().map(Row));
        }
        let widest = weights.layers.iter().map(|layer| layer.biases.len()).max().unwrap_or(1).max(G::VIEWS * units);
        let ready =
            Ready { mirrored: G::MIRRORED, lanes, biases: twins(&weights.biases, &weights.biases), rows, widest };
        let identity = format!("{MARK}{}", digest::short(weights.to_bytes::<G>())).into();
        Some(Self { weights: Arc::new(weights), ready: Arc::new(ready), identity })
    }

    /// What results depend on: the beginning of the SHA-256 of the network's file.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The weights as learned.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What a search of so many plies keeps, before it evaluates anything.
    fn sums<G: Inputs>(&self, plies: usize) -> Sums<G::Boards> {
        let seen = 2 * G::PERSPECTIVES;
        Sums {
            boards: vec![None; plies],
            lanes: vec![[0; LANE]; 2 * plies * self.ready.lanes],
            seen: vec![None; seen],
            seen_lanes: vec![[0; LANE]; seen * self.ready.lanes],
            values: [vec![0; self.ready.widest], vec![0; self.ready.widest]],
        }
    }

    /// A side's sums from scratch.
    fn sum<G: Inputs>(&self, boards: &G::Boards, side: Side, sums: &mut [Lane]) {
        let active = G::active(boards, side);
        for (lane, total) in sums.iter_mut().enumerate() {
            let mut sums = self.ready.biases[lane];
            for &input in &active {
                add(&mut sums, &self.ready.row(input)[lane].0);
            }
            *total = sums;
        }
    }

    /// The logit of winning for the side to move, in units of `ONE * WEIGHT_ONE`, from the sums of each view.
    fn output<const VIEWS: usize>(&self, views: [&[Lane]; VIEWS], [values, next]: &mut [Vec<i16>; 2]) -> i32 {
        let units = self.weights.units;
        if let ([layer], false) = (&*self.weights.layers, self.ready.mirrored) {
            let weights = layer.weights.chunks_exact(units);
            let products = views.into_iter().zip(weights).map(|(sums, weights)| {
                let sums = sums.as_flattened();
                if self.weights.squared { dot(weights, sums, squared) } else { dot(weights, sums, clamped) }
            });
            let products = products.fold(i32x8::ZERO, |sums, products| sums + products).to_array();
            let product =
                products.into_iter().fold(0, i32::wrapping_add) >> if self.weights.squared { SQUARE_BITS } else { 0 };
            return layer.biases.iter().copied().fold(product, i32::wrapping_add);
        }
        for (sums, values) in views.into_iter().zip(values.chunks_exact_mut(units)) {
            let sums = sums.as_flattened();
            if self.ready.mirrored {
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
        let mut width = VIEWS * units;
        let mut last = 0;
        for layer in &self.weights.layers {
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

impl Ready {
    /// The weights of an input, by lane.
    #[inline]
    fn row(&self, input: u32) -> &[Row] {
        let start = input as usize * self.lanes;
        &self.rows[start..start + self.lanes]
    }
}

/// Sums from those of a neighbour, which may be the same ones: the rows of the inputs that are switched on and off.
#[inline(always)]
fn correct(from: &[Cell<Lane>], to: &[Cell<Lane>], on: &[&[Row]], off: &[&[Row]]) {
    for (lane, (from, to)) in from.iter().zip(to).enumerate() {
        let mut corrected = from.get();
        for row in on {
            add(&mut corrected, &row[lane].0);
        }
        for row in off {
            subtract(&mut corrected, &row[lane].0);
        }
        to.set(corrected);
    }
}

impl<B> Sums<B> {
    /// Where the lanes of a ply and side begin.
    const fn place(ply: usize, side: Side, lanes: usize) -> usize {
        (2 * ply + side.index()) * lanes
    }
}

impl Network {
    /// Brings the sums of both sides at a ply up to date.
    fn update<G: Inputs>(&self, state: &mut Sums<G::Boards>, ply: usize, boards: &G::Boards) {
        let distance = |known: &Option<G::Boards>| {
            known.as_ref().map_or(u32::MAX, |known| {
                let pairs = known.as_ref().iter().zip(boards.as_ref());
                pairs.fold(0, |changed, (known, board)| changed | known ^ board).count_ones()
            })
        };
        // Most likely the parent was evaluated just before; if it was not, a sibling or the grandparent may have been.
        let neighbours = [ply.saturating_sub(1), ply, ply.saturating_sub(2)];
        let parent = neighbours[0];
        let nearest = if distance(&state.boards[parent]) <= ONE_MOVE {
            parent
        } else {
            neighbours.into_iter().min_by_key(|&at| distance(&state.boards[at])).unwrap_or(ply)
        };
        let lanes = self.ready.lanes;
        let mut changes = [Changes::default(), Changes::default()];
        let known = state.boards[nearest].as_ref().map_or([false; 2], |known| G::changes(known, boards, &mut changes));
        for side in Side::BOTH {
            if known[side.index()] {
                let [from, to] = [nearest, ply].map(|ply| Sums::<G::Boards>::place(ply, side, lanes));
                let sums = Cell::from_mut(&mut *state.lanes).as_slice_of_cells();
                self.correct(&sums[from..from + lanes], &sums[to..to + lanes], &changes[side.index()]);
            } else {
                self.refresh::<G>(state, ply, boards, side);
            }
        }
        state.boards[ply] = Some(*boards);
    }

    /// Brings the sums of a side up to date whose perspective is not the neighbour's: from those of the position that it saw
    /// in this perspective last, since most still stands as it did there.
    fn refresh<G: Inputs>(&self, state: &mut Sums<G::Boards>, ply: usize, boards: &G::Boards, side: Side) {
        let lanes = self.ready.lanes;
        let seen = 2 * G::perspective(boards, side).number() + side.index();
        let place = Sums::<G::Boards>::place(ply, side, lanes);
        let sums = &mut state.lanes[place..place + lanes];
        let seen_sums = &mut state.seen_lanes[seen * lanes..(seen + 1) * lanes];
        let mut changes = [Changes::default(), Changes::default()];
        let known = state.seen[seen].as_ref().is_some_and(|seen| G::changes(seen, boards, &mut changes)[side.index()]);
        if known {
            let [from, to] = [&mut *seen_sums, &mut *sums].map(|sums| Cell::from_mut(sums).as_slice_of_cells());
            self.correct(from, to, &changes[side.index()]);
        } else {
            self.sum::<G>(boards, side, sums);
        }
        seen_sums.copy_from_slice(sums);
        state.seen[seen] = Some(*boards);
    }

    /// Sums from those of a neighbour.
    #[inline]
    fn correct(&self, from: &[Cell<Lane>], to: &[Cell<Lane>], Changes { on, off }: &Changes) {
        let row = |&input: &u32| self.ready.row(input);
        // Almost always one or two moves lie between, and the compiler knows how many rows there are.
        match (&**on, &**off) {
            ([on], [a]) => correct(from, to, &[row(on)], &[row(a)]),
            ([on], [a, b]) => correct(from, to, &[row(on)], &[row(a), row(b)]),
            ([on], [a, b, c]) => correct(from, to, &[row(on)], &[row(a), row(b), row(c)]),
            ([on, more], [a, b]) => correct(from, to, &[row(on), row(more)], &[row(a), row(b)]),
            ([on, more], [a, b, c]) => correct(from, to, &[row(on), row(more)], &[row(a), row(b), row(c)]),
            _ => {
                let rows = |inputs: &[u32]| inputs.iter().map(row).collect::<ArrayVec<_, MOST_CHANGED>>();
                correct(from, to, &rows(on), &rows(off));
            }
        }
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

/// Sums of the products of weights and of sums of the first layer, after what makes values of these; as many as lanes have.
#[inline]
fn dot(weights: &[i16], sums: &[i16], value: impl Fn(i16x16) -> i16x16) -> i32x8 {
    let [(weights, _), (sums, _)] = [weights, sums].map(<[i16]>::as_chunks);
    let pairs = weights.iter().zip(sums).map(|(&weights, &sums)| value(i16x16::new(sums)).dot(i16x16::new(weights)));
    pairs.fold(i32x8::ZERO, |sums, pairs| sums + pairs)
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

#[inline]
fn add(sums: &mut Lane, row: &Lane) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(weight);
    }
}

#[inline]
fn subtract(sums: &mut Lane, row: &Lane) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(weight);
    }
}

impl<G: Inputs> Evaluation<G> for Network {
    type State = Sums<G::Boards>;

    const UNIT: Score = 100;

    fn start(&self) -> Self::State {
        self.sums::<G>(G::MAX_PLY + 1)
    }

    fn evaluate(&self, state: &mut Self::State, ply: usize, position: &G::Position) -> Score {
        let boards = G::boards(position);
        let lanes = self.ready.lanes;
        let side = G::to_move(position);
        let logit = if G::VIEWS == 1 {
            let sums = &mut state.lanes[..lanes];
            self.sum::<G>(&boards, side, sums);
            self.output([&*sums], &mut state.values)
        } else {
            self.update::<G>(state, ply, &boards);
            let sums = |side: Side| {
                let place = Sums::<G::Boards>::place(ply, side, lanes);
                &state.lanes[place..place + lanes]
            };
            self.output([sums(side), sums(side.other())], &mut state.values)
        };
        // Both constants are known to the compiler: a multiplication and a shift.
        let unit = (G::LOGIT * 65_536.0) as i64;
        let value = i64::from(logit) * unit / (i64::from(ONE * WEIGHT_ONE) << 16);
        value.clamp(1 - i64::from(LEAST_WIN), i64::from(LEAST_WIN) - 1) as Score
    }

    fn judge(&self, position: &G::Position) -> Score {
        let mut state = self.sums::<G>(1);
        Evaluation::<G>::evaluate(self, &mut state, 0, position)
    }
}
