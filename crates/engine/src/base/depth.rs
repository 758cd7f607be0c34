// SPDX-License-Identifier: GPL-3.0-or-later
//! Depth in hundredths of a ply.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use thiserror::Error;

/// A depth, or the cost of a move, in 1/100 ply: 0.5, 0.25 and 1.37 are exact, and fractions of a ply are carried down
/// the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth(i32);

impl Depth {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// What an ordinary move costs.
    pub const PLY: Self = Self(100);
    /// The most a move may cost in a table. More than ten plies would be a typing error.
    pub const MAX_COST: Self = Self(1000);

    /// So many hundredths of a ply.
    pub const fn hundredths(hundredths: i32) -> Self {
        Self(hundredths)
    }

    /// So many whole plies.
    pub const fn plies(plies: u32) -> Self {
        Self(plies as i32 * 100)
    }

    /// The depth in hundredths of a ply.
    pub const fn as_hundredths(self) -> i32 {
        self.0
    }

    /// Reads a move's cost from a number of plies.
    ///
    /// # Errors
    /// If it is not a number from 0 to 10 with at most two decimals.
    pub fn from_cost(plies: f64) -> Result<Self, DepthError> {
        let hundredths = plies * 100.0;
        let rounded = hundredths.round();
        if !(0.0..=f64::from(Self::MAX_COST.0)).contains(&hundredths) {
            return Err(DepthError::Range(plies));
        }
        if (hundredths - rounded).abs() > 1e-6 {
            return Err(DepthError::TooFine { plies, nearest: Self(rounded as i32) });
        }
        Ok(Self(rounded as i32))
    }
}

/// A number that cannot be the cost of a move.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum DepthError {
    /// Negative, too large, infinite or not a number.
    #[error("a move's cost is a number of plies from 0 to 10, not {0}")]
    Range(f64),
    /// More than two decimals.
    #[error("{plies} has more than two decimals, and depth is counted in hundredths of a ply: write {nearest}")]
    TooFine {
        /// What was written.
        plies: f64,
        /// The nearest valid cost.
        nearest: Depth,
    },
    /// Not a number at all.
    #[error("a move's cost is a number of plies such as 0.5")]
    NotANumber,
}

impl FromStr for Depth {
    type Err = DepthError;

    fn from_str(text: &str) -> Result<Self, DepthError> {
        Self::from_cost(text.parse().map_err(|_| DepthError::NotANumber)?)
    }
}

impl Add for Depth {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Hundredths divided by 100 print as the shortest decimal that means them: 0.5, not 0.50.
        write!(f, "{}", f64::from(self.0) / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_what_was_written() {
        for (text, hundredths) in [("0.5", 50), ("0.25", 25), ("1.37", 137), ("0", 0), ("1", 100), ("0.29", 29)] {
            let depth: Depth = text.parse().unwrap();
            assert_eq!(depth.as_hundredths(), hundredths);
            assert_eq!(depth.to_string(), text);
        }
    }

    #[test]
    fn impossible_costs_are_refused() {
        for text in ["-0.5", "inf", "NaN", "11", "0.333", "half"] {
            assert!(text.parse::<Depth>().is_err(), "{text}");
        }
    }
}
