// SPDX-License-Identifier: GPL-3.0-or-later
//! What the solver knows of positions, in bounded memory.
//!
//! An entry holds the whole position and not only a hash of it, so a value never comes from another position.

use bytemuck::allocation::try_zeroed_slice_box;

use super::MemoryError;
use crate::base::memory;
use crate::base::mix::mix;

/// What tells a position from all others that are not the same problem.
pub type Identity = [u64; 2];

/// How hard it seems to prove that the side to move wins, and that it loses: the number of positions whose values must
/// still be proved. 0 is proved, `NEVER` disproved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// For a win.
    pub win: u32,
    /// For a loss.
    pub loss: u32,
}

/// The number of what is disproved.
pub const NEVER: u32 = u32::MAX;

impl Numbers {
    /// The numbers of a win or a loss.
    pub const fn of(wins: bool) -> Self {
        if wins { Self { win: 0, loss: NEVER } } else { Self { win: NEVER, loss: 0 } }
    }

    /// Whether the side to move wins; none if that is not known yet.
    pub const fn proved(self) -> Option<bool> {
        match self {
            Self { win: 0, .. } => Some(true),
            Self { loss: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// Identity (two words), numbers, and nodes spent; no nodes in an empty slot.
type Slot = [u64; 4];

/// Slots that one look-up compares.
const WAYS: usize = 4;

/// The table. When a bucket is full, the entry that took the least work is replaced.
pub struct Table {
    slots: Box<[Slot]>,
    buckets: u64,
}

impl Table {
    /// An empty table of at most so many bytes. Creating it takes no time: the system zeroes pages when they are first
    /// used.
    pub fn new(bytes: u64) -> Result<Self, MemoryError> {
        let refused = MemoryError(bytes >> 20);
        if memory::affordable(bytes) < bytes {
            return Err(refused);
        }
        let buckets = (bytes / (WAYS * size_of::<Slot>()) as u64).max(1);
        let slots = usize::try_from(buckets).ok().and_then(|buckets| buckets.checked_mul(WAYS)).ok_or(refused)?;
        let slots = try_zeroed_slice_box(slots).map_err(|()| refused)?;
        Ok(Self { slots, buckets })
    }

    /// The first slot of a position's bucket.
    fn bucket(&self, [first, second]: Identity) -> usize {
        let hash = mix(first ^ mix(second));
        ((u128::from(hash) * u128::from(self.buckets)) >> 64) as usize * WAYS
    }

    /// The numbers of a position, and the nodes spent on them.
    pub fn get(&self, identity: Identity) -> Option<(Numbers, u64)> {
        let first = self.bucket(identity);
        let slot = self.slots[first..first + WAYS].iter().find(|slot| is_of(slot, identity))?;
        let numbers = Numbers { win: slot[2] as u32, loss: (slot[2] >> 32) as u32 };
        Some((numbers, slot[3]))
    }

    /// Keeps the numbers of a position, on which that many nodes were spent, at least one.
    pub fn put(&mut self, identity: Identity, numbers: Numbers, nodes: u64) {
        let first = self.bucket(identity);
        let bucket = &mut self.slots[first..first + WAYS];
        let place = bucket.iter().position(|slot| is_of(slot, identity)).or_else(|| {
            let least = bucket.iter().enumerate().min_by_key(|(_, slot)| slot[3]);
            least.map(|(place, _)| place)
        });
        if let Some(place) = place {
            let numbers = u64::from(numbers.win) | u64::from(numbers.loss) << 32;
            bucket[place] = [identity[0], identity[1], numbers, nodes.max(1)];
        }
    }
}

/// Whether the slot has this position's entry.
#[inline]
fn is_of(&[first, second, _, nodes]: &Slot, identity: Identity) -> bool {
    nodes > 0 && first == identity[0] && second == identity[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_bucket_keeps_what_took_most_work() {
        let mut table = Table::new(1).unwrap();
        for work in 1..=9 {
            table.put([work, 7], Numbers { win: work as u32, loss: 1 }, work);
        }
        for work in 1..=5 {
            assert_eq!(table.get([work, 7]), None);
        }
        for work in 6..=9 {
            assert_eq!(table.get([work, 7]), Some((Numbers { win: work as u32, loss: 1 }, work)));
        }
        table.put([7, 7], Numbers::of(true), 1);
        assert_eq!(table.get([7, 7]).unwrap().0.proved(), Some(true));
        assert_eq!(table.get([7, 8]), None);
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        for bytes in [u64::MAX, 1 << 60, 1 << 50] {
            assert_eq!(Table::new(bytes).err(), Some(MemoryError(bytes >> 20)));
        }
    }
}
