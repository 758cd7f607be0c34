// SPDX-License-Identifier: GPL-3.0-or-later
//! The last squares: no lists, no sorting, no table.

use super::{Discs, FEW, MOST, Solver, Window};
use crate::base::bits::ones;
use crate::games::othello::board::{flips, surroundings};

/// The four quarters of the board, as which regions of empty squares are counted.
const QUARTERS: [u64; 4] = [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

impl Solver<'_> {
    /// The value with few empty squares: no lists, no sorting.
    pub(super) fn few(&mut self, own: u64, opposing: u64, window: Window) -> Discs {
        let empty = !(own | opposing);
        let odd = odd_quarters(empty);
        let mut order = [0; FEW as usize];
        let mut count = 0;
        for square in ones(empty & odd).chain(ones(empty & !odd)) {
            order[count] = square;
            count += 1;
        }
        let [a, b, c, d] = order;
        match count {
            4 => self.four(own, opposing, window, [a, b, c, d], false),
            3 => self.three(own, opposing, window, [a, b, c], false),
            2 => self.two(own, opposing, window, [a, b], false),
            1 => one(own, opposing, a),
            _ => finished(own, opposing),
        }
    }

    fn four(&mut self, own: u64, opposing: u64, mut window: Window, empty: [u32; 4], passed: bool) -> Discs {
        self.nodes += 1;
        let [a, b, c, d] = empty;
        let mut best = -MOST - 1;
        for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            let Some((next_own, next_opposing)) = played(square, own, opposing) else { continue };
            let value = -self.three(next_own, next_opposing, -window, rest, false);
            if value >= window.beta {
                return value;
            }
            best = best.max(value);
            window.alpha = window.alpha.max(value);
        }
        if best >= -MOST {
            best
        } else if passed {
            finished(own, opposing)
        } else {
            -self.four(opposing, own, -window, empty, true)
        }
    }

    fn three(&mut self, own: u64, opposing: u64, mut window: Window, empty: [u32; 3], passed: bool) -> Discs {
        self.nodes += 1;
        let [a, b, c] = empty;
        let mut best = -MOST - 1;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            let Some((next_own, next_opposing)) = played(square, own, opposing) else { continue };
            let value = -self.two(next_own, next_opposing, -window, rest, false);
            if value >= window.beta {
                return value;
            }
            best = best.max(value);
            window.alpha = window.alpha.max(value);
        }
        if best >= -MOST {
            best
        } else if passed {
            finished(own, opposing)
        } else {
            -self.three(opposing, own, -window, empty, true)
        }
    }

    fn two(&mut self, own: u64, opposing: u64, window: Window, empty: [u32; 2], passed: bool) -> Discs {
        self.nodes += 1;
        let [a, b] = empty;
        let mut best = -MOST - 1;
        for (square, rest) in [(a, b), (b, a)] {
            let Some((next_own, next_opposing)) = played(square, own, opposing) else { continue };
            best = best.max(-one(next_own, next_opposing, rest));
            if best >= window.beta {
                return best;
            }
        }
        if best >= -MOST {
            best
        } else if passed {
            finished(own, opposing)
        } else {
            -self.two(opposing, own, -window, empty, true)
        }
    }
}

/// The position after a disc on an empty square, seen by the opponent; none if it turns over nothing.
#[inline]
fn played(square: u32, own: u64, opposing: u64) -> Option<(u64, u64)> {
    if surroundings(1 << square) & opposing == 0 {
        return None;
    }
    let flipped = flips(square, own, opposing);
    (flipped != 0).then_some((opposing ^ flipped, own | flipped | 1 << square))
}

/// The value with one empty square.
#[inline]
fn one(own: u64, opposing: u64, square: u32) -> Discs {
    // The board is full after either move, so the own discs decide.
    let full = |own: u32| 2 * own as Discs - MOST;
    let ours = flips(square, own, opposing);
    if ours != 0 {
        return full(own.count_ones() + ours.count_ones() + 1);
    }
    let theirs = flips(square, opposing, own);
    if theirs != 0 { full(own.count_ones() - theirs.count_ones()) } else { finished(own, opposing) }
}

/// The value of a finished game.
pub(super) fn finished(own: u64, opposing: u64) -> Discs {
    let difference = own.count_ones() as Discs - opposing.count_ones() as Discs;
    let empty = (!(own | opposing)).count_ones() as Discs;
    difference + difference.signum() * empty
}

/// The quarters of the board in which the number of empty squares is odd.
#[inline]
pub(super) fn odd_quarters(empty: u64) -> u64 {
    let odd = |quarter: &u64| (empty & quarter).count_ones() % 2 == 1;
    QUARTERS.iter().filter(|quarter| odd(quarter)).sum()
}
