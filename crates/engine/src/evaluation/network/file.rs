// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks in files. `docs/formats.md` describes them: two lines of text, then integers.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Dense, Inputs, Network, Weights};

/// The line that a file of a network begins with.
pub const MAGIC: &str = "halfply network 1";

/// Most bytes of a file.
pub const LARGEST: u64 = 1 << 28;

/// The most units in a layer.
const MOST_UNITS: usize = 4096;

/// The second line: the network's shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    game: String,
    inputs: usize,
    units: usize,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    squared: bool,
    layers: Vec<usize>,
}

/// Why a file holds no network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The first two lines are not those of a network.
    #[error("line {line}: {reason}")]
    Beginning {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong, and what was expected.
        reason: String,
    },
    /// There are too few or too many bytes behind them.
    #[error("{found} bytes of weights, and this shape has {expected}{}", if found < expected { "; was the file cut off?" } else { "" })]
    Size {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The shape is none of this game's networks.
    #[error("line 2: {0}")]
    Shape(String),
}

impl Network {
    /// Reads a network for `G`. In one with the inputs of one [set](Inputs::SETS), all sets have the same weights.
    ///
    /// # Errors
    /// If it is not a whole network of this game.
    pub fn read<G: Inputs>(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut rest = bytes;
        let mut line = || -> &[u8] {
            let end = rest.iter().take(1 << 12).position(|&byte| byte == b'\n').unwrap_or(0);
            let (line, behind) = rest.split_at(end);
            rest = behind.get(1..).unwrap_or_default();
            line
        };
        if line() != MAGIC.as_bytes() {
            let reason = format!("a network begins with the line {MAGIC:?}");
            return Err(NetworkError::Beginning { line: 1, reason });
        }
        let shape: Shape = serde_json::from_slice(line())
            .map_err(|error| NetworkError::Beginning { line: 2, reason: format!("no shape of a network: {error}") })?;
        let Shape { game, inputs, units, squared, layers } = shape;
        if game != G::NAME {
            return Err(NetworkError::Shape(format!("this network is for {game:?}, not for {:?}", G::NAME)));
        }
        let widths = std::iter::once(&units).chain(&layers);
        let is_known = [G::INPUTS, G::INPUTS_OF_SET].contains(&inputs);
        if !is_known || layers.len() > 8 || widths.clone().any(|&width| width == 0 || width > MOST_UNITS) {
            let one_set = if G::SETS > 1 { format!(" or {}", G::INPUTS_OF_SET) } else { String::new() };
            let reason = format!(
                "networks of {} have {}{one_set} inputs, and one to eight layers of 1 to {MOST_UNITS} units",
                G::NAME,
                G::INPUTS
            );
            return Err(NetworkError::Shape(reason));
        }
        let shape = Shape { game, inputs, units, squared, layers };
        let weights = Weights::read(rest, &shape, G::INPUTS / inputs, G::VIEWS)?;
        let refused = || {
            let last = "the last layer has one unit, the first has units by the 32 (by the 16 if they have twins), and values \
                        are squared where one layer follows units without twins";
            NetworkError::Shape(last.to_owned())
        };
        Self::new::<G>(weights).ok_or_else(refused)
    }

    /// The file of this network.
    pub fn to_bytes<G: Inputs>(&self) -> Vec<u8> {
        self.weights().to_bytes::<G>()
    }
}

impl Weights {
    /// The weights behind the first two lines; those of the inputs `sets` times.
    fn read(bytes: &[u8], shape: &Shape, sets: usize, views: usize) -> Result<Self, NetworkError> {
        let &Shape { inputs, units, squared, ref layers, .. } = shape;
        let mut expected = 2 * (units + inputs * units);
        let mut before = views * units;
        for &width in layers {
            expected += 4 * width + 2 * width * before;
            before = width;
        }
        if bytes.len() != expected {
            return Err(NetworkError::Size { found: bytes.len(), expected });
        }
        let mut rest = bytes;
        let mut narrow = |count: usize| -> Vec<i16> {
            let (numbers, behind) = rest.split_at(2 * count);
            rest = behind;
            numbers.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect()
        };
        let biases = narrow(units);
        let rows = narrow(inputs * units).repeat(sets);
        let mut before = views * units;
        let mut dense = Vec::new();
        for &width in layers {
            let (low_high, weights) = (narrow(2 * width), narrow(width * before));
            let wide = |halves: &[i16; 2]| i32::from(halves[1]) << 16 | i32::from(halves[0] as u16);
            let biases = low_high.as_chunks::<2>().0.iter().map(wide).collect();
            dense.push(Dense { biases, weights });
            before = width;
        }
        Ok(Self { units, squared, biases, rows, layers: dense })
    }

    /// The file of a network with these weights.
    pub(super) fn to_bytes<G: Inputs>(&self) -> Vec<u8> {
        self.write(G::NAME, G::INPUTS)
    }

    fn write(&self, game: &str, inputs: usize) -> Vec<u8> {
        let Self { units, squared, biases, rows, layers } = self;
        let widths = layers.iter().map(|layer| layer.biases.len()).collect();
        let shape = Shape { game: game.to_owned(), inputs, units: *units, squared: *squared, layers: widths };
        let shape = serde_json::to_string(&shape).unwrap_or_default();
        let mut bytes = format!("{MAGIC}\n{shape}\n").into_bytes();
        bytes.extend(biases.iter().chain(rows).flat_map(|number| number.to_le_bytes()));
        for layer in layers {
            bytes.extend(layer.biases.iter().flat_map(|number| number.to_le_bytes()));
            bytes.extend(layer.weights.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }
}
