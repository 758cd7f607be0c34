// SPDX-License-Identifier: GPL-3.0-or-later
//! The order in which a node's moves are searched: the table's move, noisy moves that lose nothing by static exchange,
//! killers, quiet moves by their history, noisy moves that lose material.

use arrayvec::ArrayVec;

use super::super::Parameters;
use super::history::{self, Quiet};
use super::killers::Killers;
use crate::game::Tactics;

/// No game here has more moves in a position.
const MAX_MOVES: usize = 270;

/// The class of a move, the most promising last.
const BAD_NOISY: i32 = -(1 << 24);
const GOOD_NOISY: i32 = 1 << 24;
const FIRST_KILLER: i32 = 1 << 20;
const SECOND_KILLER: i32 = FIRST_KILLER - 1;
const KNOWN_BEST: i32 = 1 << 30;

/// The rank of each move of a node. These long lists are filled in place and never returned: copying them costs as much
/// as making them.
pub type Worths = ArrayVec<i32, MAX_MOVES>;

/// Hands out the moves of a position, the most promising first: a selection sort that stops where the search does.
pub struct Picker<'a, M> {
    moves: &'a mut [M],
    worths: &'a mut Worths,
    next: usize,
}

/// A move as it comes out of the order.
#[derive(Clone, Copy, Debug)]
pub struct Picked<M> {
    /// The move.
    pub mv: M,
    /// Its number in the order, from 0.
    pub index: usize,
    /// Whether it is a noisy move that loses material by static exchange.
    pub losing: bool,
    /// Whether it is a killer.
    pub killer: bool,
    /// What is known of it as a quiet move; 0 for others.
    pub history: i32,
}

impl<'a, M: Copy> Picker<'a, M> {
    /// The moves of a position in order. `known` is the move to begin with, packed.
    pub fn new<G: Tactics<Move = M>>(
        position: &G::Position,
        moves: &'a mut [M],
        worths: &'a mut Worths,
        known: Option<u16>,
        killers: &Killers,
        history: impl Fn(Quiet) -> i32,
        parameters: &Parameters,
    ) -> Self {
        let danger = (parameters.danger_history > 0).then(|| G::danger(position));
        let worth = moves.iter().map(|&mv| {
            let packed = G::pack(mv);
            if Some(packed) == known {
                KNOWN_BEST
            } else if G::is_noisy(position, mv) {
                let good = !parameters.exchange_ordering || G::exchange(position, mv, 0);
                (if good { GOOD_NOISY } else { BAD_NOISY }) + G::gain(position, mv)
            } else if parameters.killers && killers.first == Some(packed) {
                FIRST_KILLER
            } else if parameters.killers && killers.second == Some(packed) {
                SECOND_KILLER
            } else if parameters.history {
                let saved = danger.as_ref().map_or(0, |danger| danger(mv));
                history(Quiet::new::<G>(mv)) + saved * parameters.danger_history
            } else {
                0
            }
        });
        worths.extend(worth.take(MAX_MOVES));
        Self { moves, worths, next: 0 }
    }

    /// Noisy moves alone, by what they bring in.
    pub fn noisy<G: Tactics<Move = M>>(
        position: &G::Position,
        moves: &'a mut [M],
        worths: &'a mut Worths,
        known: Option<u16>,
    ) -> Self {
        let worth = moves
            .iter()
            .map(|&mv| if Some(G::pack(mv)) == known { KNOWN_BEST } else { GOOD_NOISY + G::gain(position, mv) });
        worths.extend(worth.take(MAX_MOVES));
        Self { moves, worths, next: 0 }
    }

    /// The next move.
    #[inline]
    pub fn next(&mut self) -> Option<Picked<M>> {
        let index = self.next;
        let remaining = self.worths.get(index..)?;
        let (mut chosen, mut most) = (index, *remaining.first()?);
        for (offset, &worth) in remaining.iter().enumerate().skip(1) {
            if worth > most {
                (chosen, most) = (index + offset, worth);
            }
        }
        self.moves.swap(index, chosen);
        self.worths.swap(index, chosen);
        self.next += 1;
        let killer = most == FIRST_KILLER || most == SECOND_KILLER;
        let quiet = most.abs() < SECOND_KILLER;
        Some(Picked {
            mv: self.moves[index],
            index,
            losing: most < -SECOND_KILLER,
            killer,
            history: if quiet { most.clamp(-history::MOST, history::MOST) } else { 0 },
        })
    }
}
