// SPDX-License-Identifier: GPL-3.0-or-later
//! The order of moves that have no other order: shuffled, by the seed and the position alone.
//!
//! The thesis shuffles so that indecisive evaluations do not always favour the move generated first (A.4). No random
//! stream runs through the search here: the same seed gives the same order in the same position, whatever was searched
//! before, so that two features differ by what they extend and not by luck.

use crate::base::mix::mix;

/// Multiplier and increment of the 64-bit linear congruential generator of Knuth's MMIX; its upper half is used.
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const INCREMENT: u64 = 1_442_695_040_888_963_407;

/// Hands out the moves of one position in shuffled order, one at a time: a Fisher-Yates shuffle that does only as much
/// work as moves are asked for, since most nodes are cut off after a few.
#[derive(Clone, Copy, Debug)]
pub struct Shuffle {
    state: u64,
}

impl Shuffle {
    /// The shuffle of the position with that key. `seed` must have been [mixed](mix) already.
    pub fn new(mixed_seed: u64, key: u64) -> Self {
        Self { state: mix(mixed_seed ^ key) }
    }

    /// Brings the move that is next in order to `place` and returns it. Moves before `place` have been handed out.
    #[inline]
    pub fn pick<M: Copy>(&mut self, moves: &mut [M], place: usize) -> M {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        let remaining = (moves.len() - place) as u64;
        let chosen = place + (((self.state >> 32) * remaining) >> 32) as usize;
        moves.swap(place, chosen);
        moves[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(seed: u64, key: u64) -> Vec<u8> {
        let mut moves: Vec<u8> = (0..5).collect();
        let mut shuffle = Shuffle::new(mix(seed), key);
        (0..moves.len()).map(|place| shuffle.pick(&mut moves, place)).collect()
    }

    #[test]
    fn every_move_comes_once_and_the_seed_decides_the_order() {
        let mut sorted = order(1, 7);
        assert_eq!(order(1, 7), sorted);
        assert_ne!(order(2, 7), order(1, 7));
        assert_ne!(order(1, 8), order(1, 7));
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn every_move_comes_first_about_as_often() {
        let mut first = [0_u32; 5];
        for key in 0..10_000 {
            first[usize::from(order(1, key)[0])] += 1;
        }
        // 2,000 expected; five standard deviations of the binomial are 200.
        assert!(first.iter().all(|count| count.abs_diff(2_000) < 200), "{first:?}");
    }
}
