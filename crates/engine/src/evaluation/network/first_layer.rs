// SPDX-License-Identifier: GPL-3.0-or-later
//! The first layer: sums of the weights of the inputs that are on, corrected from those of a neighbouring position where
//! that is less work.

use std::cell::Cell;
use std::ops::Range;

use arrayvec::ArrayVec;

use super::inputs::{Changes, Inputs, MOST_CHANGED};
use crate::game::Side;

/// Units that are summed at once.
pub(super) const LANE: usize = 32;

/// The most squares that a move changes, on the boards of all kinds of pieces: castling.
const ONE_MOVE: u32 = 4;

/// The sums of some units.
pub(super) type Lane = [i16; LANE];

/// The weights of an input for some units. They fill a line of the cache, and no row needs two.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row(Lane);

/// The weights of the first layer as it is computed: twins written out, in lanes.
#[derive(Debug)]
pub(super) struct FirstLayer {
    /// Lanes of a side's sums.
    lanes: usize,
    biases: Vec<Lane>,
    /// By input, then by lane.
    rows: Vec<Row>,
}

/// What a search keeps: for each ply the position last evaluated there, and its sums; and for each perspective the position
/// last summed in it anew, and the sums of the side that saw it so.
#[derive(Clone, Debug)]
pub(super) struct Sums<B> {
    /// By ply; none if nothing was evaluated there yet.
    boards: Vec<Option<B>>,
    /// By ply, by side, by lane.
    lanes: Vec<Lane>,
    /// By perspective, by side; none if the side had no such perspective yet.
    seen: Vec<Option<B>>,
    /// By perspective, by side, by lane.
    seen_lanes: Vec<Lane>,
}

impl FirstLayer {
    /// The first layer of a network for `G`, by biases and rows of so many units.
    pub(super) fn new<G: Inputs>(units: usize, biases: &[i16], rows: &[i16]) -> Self {
        let row = |input: usize| &rows[input * units..(input + 1) * units];
        let twins = |own: &[i16], twin: &[i16]| -> Vec<Lane> {
            let all: Vec<i16> = if G::MIRRORED { [own, twin].concat() } else { own.to_vec() };
            all.as_chunks::<LANE>().0.to_vec()
        };
        let biases = twins(biases, biases);
        let lanes = biases.len();
        let mut all = Vec::with_capacity(G::INPUTS * lanes);
        for input in 0..G::INPUTS {
            all.extend(twins(row(input), row(G::mirrored(input as u32) as usize)).into_iter().map(Row));
        }
        Self { lanes, biases, rows: all }
    }

    /// What a search of so many plies keeps, before it evaluates anything.
    pub(super) fn sums<G: Inputs>(&self, plies: usize) -> Sums<G::Boards> {
        let lanes = |count: usize| vec![[0; LANE]; count * self.lanes];
        let seen = 2 * G::PERSPECTIVES;
        Sums { boards: vec![None; plies], lanes: lanes(2 * plies), seen: vec![None; seen], seen_lanes: lanes(seen) }
    }

    /// The sums of a side at a ply, as they were last brought up to date.
    pub(super) fn of<'s, B>(&self, sums: &'s Sums<B>, ply: usize, side: Side) -> &'s [Lane] {
        &sums.lanes[self.place(ply, side)]
    }

    /// A side's sums from scratch.
    pub(super) fn scratch<G: Inputs>(&self, boards: &G::Boards, side: Side) -> Vec<Lane> {
        let mut sums = vec![[0; LANE]; self.lanes];
        self.sum::<G>(boards, side, &mut sums);
        sums
    }

    /// A side's sums from scratch.
    fn sum<G: Inputs>(&self, boards: &G::Boards, side: Side, sums: &mut [Lane]) {
        let active = G::active(boards, side);
        for (lane, total) in sums.iter_mut().enumerate() {
            let mut sums = self.biases[lane];
            for &input in &active {
                add(&mut sums, &self.row(input)[lane].0);
            }
            *total = sums;
        }
    }

    /// Brings the sums at a ply up to date: those of both sides, or of the mover alone in a game with a single view.
    pub(super) fn update<G: Inputs>(&self, sums: &mut Sums<G::Boards>, ply: usize, boards: &G::Boards, mover: Side) {
        if G::VIEWS == 1 {
            return self.sum::<G>(boards, mover, &mut sums.lanes[self.place(ply, mover)]);
        }
        let distance = |known: &Option<G::Boards>| {
            known.as_ref().map_or(u32::MAX, |known| {
                let pairs = known.as_ref().iter().zip(boards.as_ref());
                pairs.fold(0, |changed, (known, board)| changed | known ^ board).count_ones()
            })
        };
        // Most likely the parent was evaluated just before; if it was not, a sibling or the grandparent may have been.
        let neighbours = [ply.saturating_sub(1), ply, ply.saturating_sub(2)];
        let parent = neighbours[0];
        let nearest = if distance(&sums.boards[parent]) <= ONE_MOVE {
            parent
        } else {
            neighbours.into_iter().min_by_key(|&at| distance(&sums.boards[at])).unwrap_or(ply)
        };
        let mut changes = [Changes::default(), Changes::default()];
        let known = sums.boards[nearest].as_ref().map_or([false; 2], |known| G::changes(known, boards, &mut changes));
        for side in Side::BOTH {
            if known[side.index()] {
                let [from, to] = [nearest, ply].map(|ply| self.place(ply, side));
                let lanes = Cell::from_mut(&mut *sums.lanes).as_slice_of_cells();
                self.correct(&lanes[from], &lanes[to], &changes[side.index()]);
            } else {
                self.refresh::<G>(sums, ply, boards, side);
            }
        }
        sums.boards[ply] = Some(*boards);
    }

    /// Brings the sums of a side up to date whose perspective is not the neighbour's: from those of the position that it saw
    /// in this perspective last, since most still stands as it did there.
    fn refresh<G: Inputs>(&self, sums: &mut Sums<G::Boards>, ply: usize, boards: &G::Boards, side: Side) {
        let perspective = G::perspective(boards, side).number();
        let seen = &mut sums.seen[2 * perspective + side.index()];
        let seen_lanes = &mut sums.seen_lanes[self.place(perspective, side)];
        let lanes = &mut sums.lanes[self.place(ply, side)];
        let mut changes = [Changes::default(), Changes::default()];
        let known = seen.as_ref().is_some_and(|seen| G::changes(seen, boards, &mut changes)[side.index()]);
        if known {
            let [from, to] = [&mut *seen_lanes, &mut *lanes].map(|lanes| Cell::from_mut(lanes).as_slice_of_cells());
            self.correct(from, to, &changes[side.index()]);
        } else {
            self.sum::<G>(boards, side, lanes);
        }
        seen_lanes.copy_from_slice(lanes);
        *seen = Some(*boards);
    }

    /// Sums from those of a neighbour.
    #[inline]
    fn correct(&self, from: &[Cell<Lane>], to: &[Cell<Lane>], Changes { on, off }: &Changes) {
        let row = |&input: &u32| self.row(input);
        // Almost always one or two moves lie between, and the compiler knows how many rows there are.
        match (&**on, &**off) {
            ([on], [a]) => correct(from, to, &[row(on)], &[row(a)]),
            ([on], [a, b]) => correct(from, to, &[row(on)], &[row(a), row(b)]),
            ([on], [a, b, c]) => correct(from, to, &[row(on)], &[row(a), row(b), row(c)]),
            ([on, more], [a, b]) => correct(from, to, &[row(on), row(more)], &[row(a), row(b)]),
            ([on, more], [a, b, c]) => correct(from, to, &[row(on), row(more)], &[row(a), row(b), row(c)]),
            _ => {
                let rows = |inputs: &[u32]| inputs.iter().map(row).collect::<ArrayVec<_, MOST_CHANGED>>();
                correct(from, to, &rows(on), &rows(off));
            }
        }
    }

    /// Where the lanes of a ply or perspective are, as a side sees it.
    const fn place(&self, number: usize, side: Side) -> Range<usize> {
        let start = (2 * number + side.index()) * self.lanes;
        start..start + self.lanes
    }

    /// The weights of an input, by lane.
    #[inline]
    fn row(&self, input: u32) -> &[Row] {
        let start = input as usize * self.lanes;
        &self.rows[start..start + self.lanes]
    }
}

/// Sums from those of a neighbour, which may be the same ones: the rows of the inputs that are switched on and off.
#[inline(always)]
fn correct(from: &[Cell<Lane>], to: &[Cell<Lane>], on: &[&[Row]], off: &[&[Row]]) {
    for (lane, (from, to)) in from.iter().zip(to).enumerate() {
        let mut corrected = from.get();
        for row in on {
            add(&mut corrected, &row[lane].0);
        }
        for row in off {
            subtract(&mut corrected, &row[lane].0);
        }
        to.set(corrected);
    }
}

#[inline]
fn add(sums: &mut Lane, row: &Lane) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(weight);
    }
}

#[inline]
fn subtract(sums: &mut Lane, row: &Lane) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(weight);
    }
}
