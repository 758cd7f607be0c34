// SPDX-License-Identifier: GPL-3.0-or-later
//! Late-move reductions: in a well ordered node the later moves rarely matter, so they are searched less deep first.
//! Reductions are fractions of a ply like everything else.

use super::super::{Depth, Parameters};
use super::history;

/// Numbers whose logarithm is tabulated.
const TABULATED: usize = 64;

/// What a reduction depends on besides depth and number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Circumstances {
    /// Whether the node is on the principal variation.
    pub principal: bool,
    /// Whether the static evaluation has not risen since two plies ago.
    pub worsening: bool,
    /// Whether the move is a killer or gives check.
    pub special: bool,
    /// Whether the node is expected to fail high.
    pub cut: bool,
    /// The quiet move's history.
    pub history: i32,
}

/// How much moves are reduced.
pub struct Reductions {
    /// Natural logarithms in thousandths: integers, so that node counts are the same on every machine.
    logarithms: [i32; TABULATED],
    base: i32,
    slope: i32,
    principal: i32,
    worsening: i32,
    history: i32,
    special: i32,
    cut: i32,
}

impl Reductions {
    /// By the parameters.
    pub fn new(parameters: &Parameters) -> Self {
        Self {
            logarithms: std::array::from_fn(|number| (libm::log(number.max(1) as f64) * 1000.0).round() as i32),
            base: parameters.reduction_base,
            slope: parameters.reduction_slope,
            principal: parameters.reduction_principal,
            worsening: parameters.reduction_worsening,
            history: parameters.reduction_history,
            special: parameters.reduction_special,
            cut: parameters.reduction_cut,
        }
    }

    /// By how much the `number`th move (from 1) of a node of that depth is reduced; never negative.
    pub fn of(&self, depth: Depth, number: usize, circumstances: Circumstances) -> Depth {
        let Circumstances { principal, worsening, special, cut, history } = circumstances;
        let logarithms = i64::from(self.of_depth(depth)) * i64::from(self.logarithms[number.min(TABULATED - 1)]);
        let hundredths = self.base + (logarithms * i64::from(self.slope) / 1_000_000) as i32
            - i32::from(principal) * self.principal
            + i32::from(worsening) * self.worsening
            + i32::from(cut) * self.cut
            - i32::from(special) * self.special
            - self.history * history / history::MOST;
        Depth::hundredths(hundredths.max(0))
    }

    /// The logarithm of a depth in plies, in thousandths; between whole plies in a straight line.
    pub fn of_depth(&self, depth: Depth) -> i32 {
        let hundredths = depth.as_hundredths().max(100);
        let whole = (hundredths / 100) as usize;
        if whole + 1 >= TABULATED {
            return self.logarithms[TABULATED - 1];
        }
        let (low, high) = (self.logarithms[whole], self.logarithms[whole + 1]);
        low + (high - low) * (hundredths % 100) / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new(&Parameters::default());
        let of = |hundredths, number| {
            reductions.of(Depth::hundredths(hundredths), number, Circumstances::default()).as_hundredths()
        };
        for hundredths in (100..12_800).step_by(37) {
            assert!(of(hundredths, 10) <= of(hundredths + 37, 10));
            assert!(of(hundredths, 10) <= of(hundredths, 11));
        }
        // 50 + 45 * ln 8 * ln 16 = 309.4
        assert_eq!(of(800, 16), 309);
        let special = Circumstances { special: true, principal: true, ..Circumstances::default() };
        assert_eq!(reductions.of(Depth::plies(3), 2, special), Depth::ZERO);
    }
}
