// SPDX-License-Identifier: GPL-3.0-or-later
//! Quiet moves by how often they failed high: anywhere in the tree (the history heuristic, Schaeffer 1983), and behind an
//! earlier move: the opponent's last (counter-move history) and the mover's own before that (follow-up history).

use super::super::{Depth, Parameters};
use crate::game::{MOVED, Side, Tactics};

/// Origin and destination are twelve bits of a packed move.
const SLOTS: usize = 1 << 12;

/// The limit of an entry whose move always fails high.
pub const MOST: i32 = 16_384;

/// Greatest change by one search.
const MOST_BONUS: i32 = 1_600;

/// A quiet move as its histories know it.
#[derive(Clone, Copy, Debug)]
pub struct Quiet {
    packed: u16,
    moved: u16,
}

impl Quiet {
    /// A move.
    #[inline]
    pub fn new<G: Tactics>(mv: G::Move) -> Self {
        Self { packed: G::pack(mv), moved: G::moved(mv) }
    }
}

/// An earlier move of a line: who moved which kind of piece where.
#[derive(Clone, Copy, Debug)]
pub struct Earlier(u16);

impl Earlier {
    /// A move of that side.
    #[inline]
    pub fn new<G: Tactics>(side: Side, mv: G::Move) -> Self {
        Self((side.index() * MOVED) as u16 + G::moved(mv))
    }
}

/// Where a quiet move stands: the side that moves, and the last two moves, the latest first. A null move is none.
#[derive(Clone, Copy, Debug)]
pub struct Behind {
    /// The side.
    pub side: Side,
    /// The moves.
    pub earlier: [Option<Earlier>; 2],
}

/// What is known of quiet moves. Each number is from `-MOST` to [`MOST`].
pub struct HistoryTable {
    slots: Box<[[i16; SLOTS]; 2]>,
    /// By the earlier move; empty if neither is wanted.
    behind: Box<[[i16; MOVED]]>,
    /// The weights of what is known behind the last move, and behind the one before it, in units of `1 / ONE`.
    weights: [i32; 2],
}

/// A weight of 1.
const ONE: i32 = 1 << ONE_BITS;
const ONE_BITS: u32 = 8;

/// What is known behind no move.
static NOTHING: [i16; MOVED] = [0; MOVED];

impl HistoryTable {
    /// Nothing is known of any move.
    pub fn new(parameters: &Parameters) -> Self {
        let weights = [parameters.counter_move_history, parameters.follow_up_history];
        let rows = if weights == [0, 0] { 0 } else { 2 * MOVED };
        let weights = weights.map(|percent| percent * ONE / 100);
        Self { slots: Box::new([[0; SLOTS]; 2]), behind: vec![[0; MOVED]; rows].into(), weights }
    }

    /// What is known of the quiet moves of a node: of a move, the weighted sum.
    #[inline]
    pub fn at(&self, Behind { side, earlier }: Behind) -> impl Fn(Quiet) -> i32 {
        let slots = &self.slots[side.index()];
        let row = |Earlier(row)| self.behind.get(usize::from(row));
        let [last, before] = earlier.map(|earlier| earlier.and_then(row).unwrap_or(&NOTHING));
        let weights = self.weights;
        move |Quiet { packed, moved }| {
            let of = |row: &[i16; MOVED]| i32::from(row.get(usize::from(moved)).copied().unwrap_or_default());
            i32::from(slots[usize::from(packed) % SLOTS])
                + ((of(last) * weights[0] + of(before) * weights[1]) >> ONE_BITS)
        }
    }

    /// The move has failed high in a search to that depth.
    pub fn reward(&mut self, behind: Behind, mv: Quiet, depth: Depth) {
        self.change(behind, mv, bonus(depth));
    }

    /// The move was searched before one that failed high.
    pub fn punish(&mut self, behind: Behind, mv: Quiet, depth: Depth) {
        self.change(behind, mv, -bonus(depth));
    }

    fn change(&mut self, Behind { side, earlier }: Behind, Quiet { packed, moved }: Quiet, bonus: i32) {
        step(&mut self.slots[side.index()][usize::from(packed) % SLOTS], bonus, MOST);
        for earlier in earlier.into_iter().flatten() {
            let row = self.behind.get_mut(usize::from(earlier.0));
            if let Some(number) = row.and_then(|row| row.get_mut(usize::from(moved))) {
                step(number, bonus, MOST);
            }
        }
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

    const MOVE: Quiet = Quiet { packed: 7, moved: 300 };
    const OTHER: Quiet = Quiet { packed: 8, moved: 301 };

    fn nowhere(side: Side) -> Behind {
        Behind { side, earlier: [None; 2] }
    }

    #[test]
    fn history_is_a_bounded_memory() {
        let mut history = HistoryTable::new(&Parameters::DEFAULT);
        for _ in 0..10_000 {
            history.reward(nowhere(Side::White), MOVE, Depth::plies(40));
            history.punish(nowhere(Side::Black), MOVE, Depth::plies(40));
        }
        let white = |history: &HistoryTable, mv| history.at(nowhere(Side::White))(mv);
        assert!((MOST - 2 * MOST_BONUS..=MOST).contains(&white(&history, MOVE)));
        assert!((-MOST..=2 * MOST_BONUS - MOST).contains(&history.at(nowhere(Side::Black))(MOVE)));
        let before = white(&history, MOVE);
        history.punish(nowhere(Side::White), MOVE, Depth::plies(3));
        assert!(white(&history, MOVE) < before);
        assert_eq!(white(&history, OTHER), 0);
    }

    #[test]
    fn a_move_is_known_behind_the_moves_before_it() {
        let parameters = Parameters { counter_move_history: 200, follow_up_history: 50, ..Parameters::DEFAULT };
        let mut history = HistoryTable::new(&parameters);
        let [last, before] = [Some(Earlier(5)), Some(Earlier(700))];
        let behind = |earlier| Behind { side: Side::White, earlier };
        history.reward(behind([last, before]), MOVE, Depth::plies(4));
        let one = bonus(Depth::plies(4));
        for (earlier, expected) in [
            ([None, None], one),
            ([last, None], 3 * one),
            ([None, before], one + one / 2),
            ([last, before], 3 * one + one / 2),
            // The same move in the other place.
            ([None, last], one + one / 2),
            ([Some(Earlier(6)), None], one),
        ] {
            assert_eq!(history.at(behind(earlier))(MOVE), expected, "{earlier:?}");
            assert_eq!(history.at(behind(earlier))(OTHER), 0);
        }
        // Without weights nothing is kept.
        let mut none = HistoryTable::new(&Parameters::DEFAULT);
        none.reward(behind([last, before]), MOVE, Depth::plies(4));
        assert_eq!(none.at(behind([last, before]))(MOVE), one);
        assert!(none.behind.is_empty());
    }
}
