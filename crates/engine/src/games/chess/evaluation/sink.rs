// SPDX-License-Identifier: GPL-3.0-or-later
//! Where the terms go: into a sum, to evaluate, or into a list of coefficients, for tests.

use super::layout::{WEIGHTS_COUNT, Weight};
use super::weights::WEIGHTS;

/// Receives the terms of one side.
pub trait Sink {
    /// The weight at `index` counts `count` times.
    fn add(&mut self, index: usize, count: usize);
}

/// A middlegame and an endgame value in one number, so that one addition adds both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum(i64);

/// The weights, packed when the program is compiled.
static PACKED: [Sum; WEIGHTS_COUNT] = {
    let mut packed = [Sum(0); WEIGHTS_COUNT];
    let mut index = 0;
    while index < WEIGHTS_COUNT {
        packed[index] = Sum::pack(WEIGHTS[index]);
        index += 1;
    }
    packed
};

impl Sum {
    const fn pack((middlegame, endgame): Weight) -> Self {
        Self(((endgame as i64) << 32) + middlegame as i64)
    }

    /// The advantage of this side over the other, in the middlegame and in the endgame.
    #[inline]
    pub fn less(self, other: Self) -> Weight {
        let difference = self.0 - other.0;
        // The lower half may have borrowed from the upper one; half a unit more gives it back.
        (difference as i32, ((difference + (1 << 31)) >> 32) as i32)
    }
}

impl Sink for Sum {
    #[inline(always)]
    fn add(&mut self, index: usize, count: usize) {
        self.0 += PACKED[index].0 * count as i64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_halves_do_not_disturb_each_other() {
        for weight in [(0, 0), (1, -1), (-1, 1), (-20_000, 20_000), (-5, -7), (60_000, -60_000)] {
            assert_eq!(Sum::pack(weight).less(Sum::default()), weight);
            assert_eq!(Sum::default().less(Sum::pack(weight)), (-weight.0, -weight.1));
        }
    }
}
