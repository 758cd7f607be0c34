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
/// A quiet move that is not ranked yet: above all ranks of quiet moves, and below the killers.
const UNRANKED: i32 = 1 << 19;

/// The rank of each move of a node, and below it, in [`PLACE_BITS`], how far from the end of the list it is: so no two are
/// equal, and the greatest says where its move is. These long lists are filled in place and never returned: copying them
/// costs as much as making them.
pub type Worths = ArrayVec<i64, MAX_MOVES>;

/// Binary digits for a move's place in the list.
const PLACE_BITS: u32 = 16;

/// Less than any rank: the move has been handed out.
const DONE: i64 = i64::MIN;

/// Hands out the moves of a position, the most promising first: a selection sort that stops where the search does.
pub struct Picker<'a, G: Tactics> {
    position: &'a G::Position,
    parameters: &'a Parameters,
    moves: &'a mut G::Moves,
    worths: &'a mut Worths,
    promising: Promising,
    /// Whether quiet moves are still to be made.
    lacks_quiet: bool,
    next: usize,
    /// Whether noisy moves that lose material come last.
    judges: bool,
}

/// A move's rank.
const fn rank_of(worth: i64) -> i32 {
    (worth >> PLACE_BITS) as i32
}

/// Ranks the moves of a list that are not ranked yet.
#[inline]
fn rank<M: Copy>(worths: &mut Worths, moves: &[M], worth: impl Fn(M) -> i32) {
    let ranked = worths.len();
    let places = (0..(MAX_MOVES - ranked) as i64).rev();
    let moves = moves.get(ranked..).unwrap_or_default().iter().zip(places);
    worths.extend(moves.map(|(&mv, place)| i64::from(worth(mv)) << PLACE_BITS | place));
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

/// The moves that are known to be good, packed: the one to begin with, and the killers. No legal move packs to 0.
#[derive(Clone, Copy, Debug)]
struct Promising {
    known: u16,
    killers: [u16; 2],
}

impl Promising {
    fn new(known: Option<u16>, killers: &Killers, parameters: &Parameters) -> Self {
        let Killers { first, second } = if parameters.killers { *killers } else { Killers::default() };
        Self { known: known.unwrap_or_default(), killers: [first, second].map(Option::unwrap_or_default) }
    }

    /// The rank of a noisy move.
    #[inline]
    fn noisy<G: Tactics>(self, position: &G::Position, mv: G::Move) -> i32 {
        if G::pack(mv) == self.known { KNOWN_BEST } else { GOOD_NOISY + G::gain(position, mv) }
    }

    /// The rank of a quiet move, as far as it does not depend on its history.
    #[inline]
    fn quiet<G: Tactics>(self, mv: G::Move) -> i32 {
        let packed = G::pack(mv);
        let [first, second] = self.killers;
        match packed {
            _ if packed == self.known => KNOWN_BEST,
            _ if packed == first => FIRST_KILLER,
            _ if packed == second => SECOND_KILLER,
            _ => UNRANKED,
        }
    }
}

impl<'a, G: Tactics> Picker<'a, G> {
    /// The moves of a position in order. `known` is the move to begin with, packed.
    pub fn new(
        position: &'a G::Position,
        moves: &'a mut G::Moves,
        worths: &'a mut Worths,
        known: Option<u16>,
        killers: &Killers,
        parameters: &'a Parameters,
    ) -> Self {
        let promising = Promising::new(known, killers, parameters);
        rank(worths, moves, |mv| {
            if G::is_noisy(position, mv) { promising.noisy::<G>(position, mv) } else { promising.quiet::<G>(mv) }
        });
        Self::start(position, moves, worths, promising, parameters)
    }

    /// The same, where noisy moves come first in the list. If it `lacks_quiet` moves, they are made when their turn comes.
    pub fn staged(
        position: &'a G::Position,
        moves: &'a mut G::Moves,
        worths: &'a mut Worths,
        known: Option<u16>,
        killers: &Killers,
        parameters: &'a Parameters,
        lacks_quiet: bool,
    ) -> Self {
        let promising = Promising::new(known, killers, parameters);
        let noisy = moves.iter().position(|&mv| !G::is_noisy(position, mv)).unwrap_or(moves.len());
        rank(worths, &moves[..noisy], |mv| promising.noisy::<G>(position, mv));
        rank(worths, moves, |mv| promising.quiet::<G>(mv));
        Self { lacks_quiet, ..Self::start(position, moves, worths, promising, parameters) }
    }

    /// Noisy moves alone, by what they bring in.
    pub fn noisy(
        position: &'a G::Position,
        moves: &'a mut G::Moves,
        worths: &'a mut Worths,
        known: Option<u16>,
        parameters: &'a Parameters,
    ) -> Self {
        let promising = Promising::new(known, &Killers::default(), parameters);
        rank(worths, moves, |mv| promising.noisy::<G>(position, mv));
        Self { judges: false, ..Self::start(position, moves, worths, promising, parameters) }
    }

    /// At the first of these moves, which are ranked.
    fn start(
        position: &'a G::Position,
        moves: &'a mut G::Moves,
        worths: &'a mut Worths,
        promising: Promising,
        parameters: &'a Parameters,
    ) -> Self {
        let judges = parameters.exchange_ordering;
        Self { position, parameters, moves, worths, promising, lacks_quiet: false, next: 0, judges }
    }

    /// The greatest worth: a loop over numbers alone, of which the compiler makes few instructions.
    #[inline]
    fn greatest(&self) -> i64 {
        self.worths.iter().fold(DONE, |greatest, &worth| greatest.max(worth))
    }

    /// Of the quiet moves that are left, hands out only those that are wanted.
    pub fn skip_quiet_unless(&mut self, wanted: impl Fn(G::Move) -> bool) {
        for (worth, &mv) in self.worths.iter_mut().zip(self.moves.iter()) {
            let is_quiet = *worth != DONE && rank_of(*worth).abs() <= FIRST_KILLER;
            if is_quiet && !wanted(mv) {
                *worth = DONE;
            }
        }
    }

    /// The next move. Most nodes fail high at one of the first, so what orders the later ones is computed when their turn has
    /// come: whether a noisy move loses material, and the `history` of the quiet ones.
    #[inline(always)]
    pub fn next<H: Fn(Quiet) -> i32>(&mut self, history: impl FnOnce() -> H) -> Option<Picked<G::Move>> {
        let mut history = Some(history);
        loop {
            let greatest = self.greatest();
            let most = rank_of(greatest);
            if self.lacks_quiet && most <= FIRST_KILLER {
                self.lacks_quiet = false;
                G::add_quiet(self.position, self.moves);
                let promising = self.promising;
                rank(self.worths, self.moves, |mv| promising.quiet::<G>(mv));
                continue;
            }
            if greatest == DONE {
                return None;
            }
            if most == UNRANKED
                && let Some(history) = history.take()
            {
                let quiet_rank = quiet_ranks::<G>(self.position, history(), self.parameters);
                for (worth, &mv) in self.worths.iter_mut().zip(self.moves.iter()) {
                    if rank_of(*worth) == UNRANKED {
                        *worth += i64::from(quiet_rank(mv) - UNRANKED) << PLACE_BITS;
                    }
                }
                continue;
            }
            let place = MAX_MOVES - 1 - (greatest & ((1 << PLACE_BITS) - 1)) as usize;
            let mv = *self.moves.get(place)?;
            let worth = self.worths.get_mut(place)?;
            if self.judges && most > FIRST_KILLER && most < KNOWN_BEST && !G::exchange(self.position, mv, 0) {
                *worth += i64::from(BAD_NOISY - GOOD_NOISY) << PLACE_BITS;
                continue;
            }
            *worth = DONE;
            let index = self.next;
            self.next += 1;
            let killer = most == FIRST_KILLER || most == SECOND_KILLER;
            let quiet = most.abs() < SECOND_KILLER;
            return Some(Picked {
                mv,
                index,
                losing: most < -SECOND_KILLER,
                killer,
                history: if quiet { most.clamp(-history::MOST, history::MOST) } else { 0 },
            });
        }
    }
}

/// The ranks of a node's quiet moves: what is known of them, and whether they take a piece out of danger or into it.
#[inline]
fn quiet_ranks<G: Tactics>(
    position: &G::Position,
    history: impl Fn(Quiet) -> i32,
    parameters: &Parameters,
) -> impl Fn(G::Move) -> i32 {
    let danger = (parameters.danger_history > 0).then(|| G::danger(position));
    move |mv| {
        if !parameters.history {
            return 0;
        }
        let saved = danger.as_ref().map_or(0, |danger| danger(mv));
        history(Quiet::new::<G>(mv)) + saved * parameters.danger_history
    }
}
