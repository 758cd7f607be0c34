// SPDX-License-Identifier: GPL-3.0-or-later
//! The history heuristic (Schaeffer 1983): quiet moves by how often they failed high anywhere in the tree.

use super::super::Depth;
use crate::game::Side;

/// Origin and destination are twelve bits of a packed move.
const SLOTS: usize = 1 << 12;

/// The limit of an entry whose move always fails high.
pub const MOST: i32 = 16_384;

/// Greatest change by one search.
const MOST_BONUS: i32 = 1_600;

/// A number a side and move, from `-MOST` to [`MOST`].
pub struct HistoryTable {
    slots: Box<[[i16; SLOTS]; 2]>,
}

impl HistoryTable {
    /// Nothing is known of any move.
    pub fn new() -> Self {
        Self { slots: Box::new([[0; SLOTS]; 2]) }
    }

    /// What is known of the packed move of that side.
    #[inline]
    pub fn of(&self, side: Side, mv: u16) -> i32 {
        i32::from(self.slots[side.index()][usize::from(mv) % SLOTS])
    }

    /// The move has failed high in a search to that depth.
    pub fn reward(&mut self, side: Side, mv: u16, depth: Depth) {
        self.change(side, mv, bonus(depth));
    }

    /// The move was searched before one that failed high.
    pub fn punish(&mut self, side: Side, mv: u16, depth: Depth) {
        self.change(side, mv, -bonus(depth));
    }

    fn change(&mut self, side: Side, mv: u16, bonus: i32) {
        step(&mut self.slots[side.index()][usize::from(mv) % SLOTS], bonus, MOST);
    }
}

/// Moves a number from `-most` to `most` by a bonus. The step shrinks towards the end of the scale, so numbers cannot
/// overflow and old results fade.
pub fn step(number: &mut i16, bonus: i32, most: i32) {
    let old = i32::from(*number);
    *number = (old + bonus - old * bonus.abs() / most) as i16;
}

/// Grows with the square of the depth: deep searches weigh more.
fn bonus(depth: Depth) -> i32 {
    let hundredths = depth.as_hundredths().clamp(0, 1_500);
    (hundredths * hundredths / 1_000 + hundredths / 2).min(MOST_BONUS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_is_a_bounded_memory() {
        let mut history = HistoryTable::new();
        for _ in 0..10_000 {
            history.reward(Side::White, 7, Depth::plies(40));
            history.punish(Side::Black, 7, Depth::plies(40));
        }
        assert!((MOST - 2 * MOST_BONUS..=MOST).contains(&history.of(Side::White, 7)));
        assert!((-MOST..=2 * MOST_BONUS - MOST).contains(&history.of(Side::Black, 7)));
        let before = history.of(Side::White, 7);
        history.punish(Side::White, 7, Depth::plies(3));
        assert!(history.of(Side::White, 7) < before);
        assert_eq!(history.of(Side::White, 8), 0);
    }
}
