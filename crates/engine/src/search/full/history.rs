// SPDX-License-Identifier: GPL-3.0-or-later
//! History heuristics: quiet moves by how often they failed high anywhere in the tree, by origin and destination (Schaeffer
//! 1983), and by what was moved after the last two moves (continuation history).

use super::super::Depth;
use crate::game::{Side, Tactics};

/// Origin and destination are twelve bits of a packed move.
const PACKED: usize = 1 << 12;

/// The places of moves by piece and destination: [`Tactics::slot`] stays below.
const SLOTS: usize = 6 * 64;

/// The limit of an entry whose move always fails high.
pub const MOST: i32 = 16_384;

/// Greatest change by one search.
const MOST_BONUS: i32 = 1_600;

/// Numbers from `-MOST` to [`MOST`].
struct Numbers(Box<[i16]>);

impl Numbers {
    /// So many zeros.
    fn new(count: usize) -> Self {
        Self(vec![0; count].into_boxed_slice())
    }

    #[inline]
    fn at(&self, index: usize) -> i32 {
        self.0.get(index).map_or(0, |&number| i32::from(number))
    }

    /// The step shrinks towards the end of the scale, so entries cannot overflow and old results fade.
    fn change(&mut self, index: usize, bonus: i32) {
        if let Some(number) = self.0.get_mut(index) {
            let old = i32::from(*number);
            *number = (old + bonus - old * bonus.abs() / MOST) as i16;
        }
    }
}

/// A quiet move as the histories see it.
#[derive(Clone, Copy, Debug)]
pub struct Trace {
    packed: u16,
    slot: u16,
}

impl Trace {
    /// What the histories see of a move.
    #[inline]
    pub fn new<G: Tactics>(mv: G::Move) -> Self {
        Self { packed: G::pack(mv), slot: G::slot(mv) }
    }
}

/// Where a move is played: what the histories distinguish besides the move.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Who moves.
    pub side: Side,
    /// The [slots](Tactics::slot) of the last move and of the one before; none after a null move and at the root, and if
    /// continuation history is off.
    pub before: [Option<u16>; 2],
}

/// Everything that a thread remembers of moves.
pub struct Histories {
    quiet: Numbers,
    /// After the last move, and after the one before it.
    continuations: [Numbers; 2],
}

impl Histories {
    /// Nothing is known of any move.
    pub fn new() -> Self {
        let continuation = || Numbers::new(2 * SLOTS * SLOTS);
        Self { quiet: Numbers::new(2 * PACKED), continuations: [continuation(), continuation()] }
    }

    /// What is known of a quiet move: the sum of its histories.
    #[inline]
    pub fn of(&self, moment: Moment, mv: Trace) -> i32 {
        let mut sum = self.quiet.at(quiet_place(moment.side, mv));
        for (before, numbers) in moment.before.iter().zip(&self.continuations) {
            if let Some(before) = before {
                sum += numbers.at(continuation_place(moment.side, *before, mv));
            }
        }
        sum
    }

    /// A quiet move has failed high in a search to that depth, after others had not.
    pub fn failed_high(&mut self, moment: Moment, mv: Trace, tried: &[Trace], depth: Depth) {
        self.change(moment, mv, bonus(depth));
        for &other in tried {
            self.change(moment, other, -bonus(depth));
        }
    }

    fn change(&mut self, moment: Moment, mv: Trace, bonus: i32) {
        self.quiet.change(quiet_place(moment.side, mv), bonus);
        for (before, numbers) in moment.before.iter().zip(&mut self.continuations) {
            if let Some(before) = before {
                numbers.change(continuation_place(moment.side, *before, mv), bonus);
            }
        }
    }
}

fn quiet_place(side: Side, mv: Trace) -> usize {
    side.index() * PACKED + usize::from(mv.packed) % PACKED
}

fn continuation_place(side: Side, before: u16, mv: Trace) -> usize {
    (side.index() * SLOTS + usize::from(before)) * SLOTS + usize::from(mv.slot)
}

/// Grows with the square of the depth: deep searches weigh more.
fn bonus(depth: Depth) -> i32 {
    let hundredths = depth.as_hundredths().clamp(0, 1_500);
    (hundredths * hundredths / 1_000 + hundredths / 2).min(MOST_BONUS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};
    use crate::games::Chess;

    const MOMENT: Moment = Moment { side: Side::White, before: [Some(3), None] };

    #[test]
    fn histories_are_bounded_memories() {
        let mut histories = Histories::new();
        let position = Chess::start();
        let trace = |text: &str| Trace::new::<Chess>(Chess::parse_move(&position, text).unwrap());
        let (good, bad) = (trace("e2e4"), trace("d2d4"));
        let depth = Depth::plies(40);
        for _ in 0..10_000 {
            histories.failed_high(MOMENT, good, &[bad], depth);
        }
        // Two of the three histories know the move: there was no move before the last.
        assert!((2 * (MOST - MOST_BONUS)..=2 * MOST).contains(&histories.of(MOMENT, good)));
        assert!((-2 * MOST..=2 * (MOST_BONUS - MOST)).contains(&histories.of(MOMENT, bad)));
        // Elsewhere and for the other side the move is known less, or not at all.
        let elsewhere = Moment { before: [Some(4), Some(3)], ..MOMENT };
        assert!((MOST - MOST_BONUS..=MOST).contains(&histories.of(elsewhere, good)));
        assert_eq!(histories.of(Moment { side: Side::Black, ..MOMENT }, good), 0);
        let before = histories.of(MOMENT, good);
        histories.failed_high(MOMENT, bad, &[good], Depth::plies(3));
        assert!(histories.of(MOMENT, good) < before);
    }
}
