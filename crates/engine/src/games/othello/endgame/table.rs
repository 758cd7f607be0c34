// SPDX-License-Identifier: GPL-3.0-or-later
//! What the solver knows of positions: bounds of their values. Positions are compared as a whole, so no hash can mislead it.

use super::Discs;
use crate::games::othello::board::hash;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The discs of the side to move.
    pub own: u64,
    /// The opponent's discs.
    pub opposing: u64,
    lower: i8,
    upper: i8,
    best: u8,
    /// The empty squares, as a measure of the work in it; 0 in an unused entry.
    empty: u8,
}

const UNUSED: Entry = Entry { own: 0, opposing: 0, lower: 0, upper: 0, best: 0, empty: 0 };

impl Entry {
    /// Bounds of a position's value, from -64 to 64, and its best square.
    pub fn new([own, opposing]: [u64; 2], lower: Discs, upper: Discs, best: u32) -> Self {
        let empty = (!(own | opposing)).count_ones() as u8;
        Self { own, opposing, lower: lower as i8, upper: upper as i8, best: best as u8, empty }
    }

    /// The least and the greatest value that it may have.
    pub const fn bounds(&self) -> (Discs, Discs) {
        (self.lower as Discs, self.upper as Discs)
    }

    /// The square that was best.
    pub const fn best(&self) -> u32 {
        self.best as u32
    }
}

/// By hash, two entries each: the one with more empty squares, and the latest one.
pub(super) struct Table(Vec<[Entry; 2]>);

impl Table {
    /// A table of `1 << bits` pairs of entries, 48 bytes each.
    pub fn new(bits: u32) -> Self {
        Self(vec![[UNUSED; 2]; 1 << bits])
    }

    /// A table that keeps nothing.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// What is known of a position.
    pub fn get(&self, own: u64, opposing: u64) -> Option<Entry> {
        let is_it = |entry: &&Entry| entry.own == own && entry.opposing == opposing && entry.empty > 0;
        self.0.get(self.place(own, opposing))?.iter().find(is_it).copied()
    }

    /// Keeps an entry instead of one that took less work, or of the latest.
    pub fn put(&mut self, entry: Entry) {
        let place = self.place(entry.own, entry.opposing);
        let Some([deep, latest]) = self.0.get_mut(place) else { return };
        let is_same = deep.own == entry.own && deep.opposing == entry.opposing;
        if is_same || entry.empty >= deep.empty {
            if !is_same {
                *latest = *deep;
            }
            *deep = entry;
        } else {
            *latest = entry;
        }
    }

    fn place(&self, own: u64, opposing: u64) -> usize {
        // The length is a power of two, or zero.
        hash(own, opposing) as usize & self.0.len().wrapping_sub(1)
    }
}
