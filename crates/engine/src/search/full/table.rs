// SPDX-License-Identifier: GPL-3.0-or-later
//! The transposition table: what earlier searches found out about positions.
//!
//! Shared by all threads without locks. An entry is two words; the first is stored xor the second, so that an entry
//! torn by two writers does not match any key (Hyatt and Mann 2002, "A lock-less transposition-table implementation").

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use prefetch_index::prefetch_index;
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes;

use super::super::score::LEAST_WIN;
use super::super::{Depth, Score};
use crate::base::memory::{self, Bytes};

/// How a stored score bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at most this: no move raised alpha.
    Upper,
    /// The true score is at least this: a move failed high.
    Lower,
    /// The score is true.
    Exact,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, [packed](crate::game::Tactics::pack), if one was found.
    pub mv: Option<u16>,
    /// The score, counted from the node that asks.
    pub score: Score,
    /// How `score` is to be read.
    pub bound: Bound,
    /// How deep the position was searched.
    pub depth: Depth,
    /// The static evaluation; none if it has not been asked for.
    pub evaluation: Option<Score>,
}

/// Entries that one look-up compares: as many as fit in a cache line.
const WAYS: usize = 4;

/// The key's bits that an entry keeps; those that it lacks have chosen the bucket.
const CHECKED: u64 = (1 << 48) - 1;

/// A table of at most this many bytes may leave [little](memory::LEAST_HEADROOM) memory free.
const SMALL: usize = 64 << 20;

/// The number of ages that distinguish searches: six bits.
const AGES: u8 = 64;

/// Stands for no evaluation.
const NO_EVALUATION: i16 = i16::MIN;

/// The replacement score loses this much depth (hundredths of a ply) for each search since the entry was written.
const AGE_COST: i32 = 200;

/// Two words: 48 bits of the key, six of age and two of bound, xor the other word; and move, score, evaluation and
/// depth, 16 bits each. A type with the alignment of a bucket would be zeroed by the program, and not by the system.
type Slot = [AtomicU64; 2];

/// Bytes of a bucket: a cache line.
const BUCKET: usize = WAYS * size_of::<Slot>();

type Bucket = [Slot; WAYS];

type Buckets<'a> = &'a [Bucket];

self_cell!(
    /// Zeroed memory, seen as buckets.
    struct Zeroed {
        owner: MutBorrow<Bytes>,
        #[covariant]
        dependent: Buckets,
    }
);

impl Zeroed {
    /// None if there is not so much memory.
    fn buckets(count: usize) -> Option<Self> {
        let bytes = Bytes::zeroed(count * BUCKET + BUCKET - 1)?;
        Self::try_new(MutBorrow::new(bytes), |bytes| {
            let bytes = bytes.borrow_mut().as_mut();
            // Where a cache line begins.
            let first = bytes.as_ptr().align_offset(BUCKET);
            let buckets = bytes.get_mut(first..first + count * BUCKET).ok_or(())?;
            <[Bucket]>::mut_from_bytes(buckets).map(|buckets| &*buckets).map_err(|_| ())
        })
        .ok()
    }
}

/// The table.
pub struct Table {
    /// None if there is no memory at all.
    memory: Option<Zeroed>,
    /// MiB that were asked for.
    wanted: usize,
    age: AtomicU8,
}

impl Table {
    /// A table of that many MiB, or less if memory is short. Creating it takes no time: the system zeroes memory when
    /// it is first used.
    pub fn new(mebibytes: usize) -> Self {
        let wanted = mebibytes.max(1);
        let mut buckets = memory::affordable((wanted as u64) << 20) as usize / BUCKET;
        let memory = loop {
            let left = if buckets * BUCKET <= SMALL { memory::LEAST_HEADROOM } else { memory::HEADROOM };
            match Zeroed::buckets(buckets) {
                Some(memory) if memory::is_free(left) => break Some(memory),
                _ if buckets == 1 => break None,
                _ => buckets /= 2,
            }
        };
        Self { memory, wanted, age: AtomicU8::new(0) }
    }

    /// How large it is, in MiB, rounded down: less than what was asked for if memory is short.
    pub fn mebibytes(&self) -> usize {
        (self.buckets().len() * BUCKET) >> 20
    }

    /// Forgets everything. Allocating new memory is faster than clearing the old.
    pub fn clear(&mut self) {
        // The old table is released first: there may not be enough memory for both.
        self.memory = None;
        *self = Self::new(self.wanted);
    }

    /// A new search begins: entries of older searches are replaced first.
    pub fn next_search(&mut self) {
        let age = self.age.get_mut();
        *age = (*age + 1) % AGES;
    }

    /// Loads the bucket of the position with that key into the cache, for a look-up that will come soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let buckets = self.buckets();
        prefetch_index(buckets, place(key, buckets.len()));
    }

    /// What is known about the position with that key, `ply` plies from the root.
    #[inline]
    pub fn get(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            let check = check.load(Relaxed) ^ data;
            (check & CHECKED == key & CHECKED).then(|| unpack(check, data, ply)).flatten()
        })
    }

    /// Stores what a search found out about the position with that key, `ply` plies from the root.
    #[inline]
    pub fn put(&self, key: u64, ply: usize, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let bucket = self.bucket(key);
        let Some(mut victim) = bucket.first() else { return };
        let mut least = i32::MAX;
        for slot in bucket {
            let data = slot[1].load(Relaxed);
            let check = slot[0].load(Relaxed) ^ data;
            if check & CHECKED == key & CHECKED
                && let Some(old) = unpack(check, data, ply)
            {
                // A shallow bound must not replace a deep result of this search.
                let margin = Depth::hundredths(2 * AGE_COST);
                if entry.bound != Bound::Exact && old.depth - margin > entry.depth && age_of(check) == age {
                    return;
                }
                // An old move is better than none.
                entry.mv = entry.mv.or(old.mv);
                victim = slot;
                break;
            }
            let value = if bound_of(check).is_none() {
                i32::MIN
            } else {
                let searches_ago = i32::from((age + AGES - age_of(check)) % AGES);
                i32::from((data >> 48) as i16) - AGE_COST * searches_ago
            };
            if value < least {
                (least, victim) = (value, slot);
            }
        }
        let data = pack(&entry, ply);
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let check = key & CHECKED | u64::from(age) << 48 | bound << 54;
        victim[1].store(data, Relaxed);
        victim[0].store(check ^ data, Relaxed);
    }

    /// Entries that the present search has written, in thousandths, by a sample.
    pub fn fullness(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let buckets = self.buckets();
        let sample = &buckets[..buckets.len().min(250)];
        let written = sample.iter().flatten().filter(|[check, data]| {
            let check = check.load(Relaxed) ^ data.load(Relaxed);
            bound_of(check).is_some() && age_of(check) == age
        });
        (written.count() * 1000 / (sample.len() * WAYS).max(1)) as u32
    }

    fn buckets(&self) -> &[Bucket] {
        self.memory.as_ref().map_or(&[], |memory| *memory.borrow_dependent())
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let buckets = self.buckets();
        buckets.get(place(key, buckets.len())).map_or(&[], <[Slot; WAYS]>::as_slice)
    }
}

/// The bucket of a key. The key's upper bits select it as a fraction of the table, which can therefore have any size.
#[inline]
fn place(key: u64, buckets: usize) -> usize {
    ((u128::from(key) * buckets as u128) >> 64) as usize
}

fn age_of(check: u64) -> u8 {
    (check >> 48) as u8 % AGES
}

fn bound_of(check: u64) -> Option<Bound> {
    [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)][(check >> 54 & 3) as usize]
}

/// Proved wins are stored by their distance from the position itself, because it may be found at other plies.
fn pack(entry: &Entry, ply: usize) -> u64 {
    let ply = ply as Score;
    let score = match entry.score {
        score if score > LEAST_WIN => score + ply,
        score if score < -LEAST_WIN => score - ply,
        score => score,
    };
    let field = |value: i16, place: u32| u64::from(value as u16) << place;
    // No legal move packs to 0.
    u64::from(entry.mv.unwrap_or(0))
        | field(score as i16, 16)
        | field(entry.evaluation.map_or(NO_EVALUATION, |value| value as i16), 32)
        | field(entry.depth.as_hundredths().clamp(-1000, i32::from(i16::MAX)) as i16, 48)
}

fn unpack(check: u64, data: u64, ply: usize) -> Option<Entry> {
    let ply = ply as Score;
    let score = match Score::from((data >> 16) as i16) {
        score if score > LEAST_WIN => score - ply,
        score if score < -LEAST_WIN => score + ply,
        score => score,
    };
    let evaluation = (data >> 32) as i16;
    Some(Entry {
        mv: Some(data as u16).filter(|&mv| mv != 0),
        score,
        bound: bound_of(check)?,
        depth: Depth::hundredths(i32::from((data >> 48) as i16)),
        evaluation: (evaluation != NO_EVALUATION).then_some(Score::from(evaluation)),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::base::score::WIN;
    use crate::game::{Tactics, legal_moves};
    use crate::games::{GameName, random_game};
    use crate::with_game;

    fn entry(depth: u32, score: Score) -> Entry {
        Entry { mv: Some(77), score, bound: Bound::Exact, depth: Depth::plies(depth), evaluation: Some(-12) }
    }

    #[test]
    fn what_was_put_is_got() {
        let table = Table::new(1);
        let entries = [
            entry(3, 5),
            Entry { mv: None, bound: Bound::Lower, ..entry(210, -900) },
            Entry { bound: Bound::Upper, evaluation: None, ..entry(0, 0) },
        ];
        for (key, &entry) in entries.iter().enumerate() {
            let key = crate::base::mix::mix(key as u64);
            assert_eq!(table.get(key, 4), None);
            table.put(key, 4, entry);
            assert_eq!(table.get(key, 4), Some(entry));
        }
    }

    fn every_move_is_told_from_every_other_and_from_none<G: Tactics>() {
        for seed in 0..50 {
            for position in random_game::<G>(seed).positions() {
                let moves = legal_moves::<G>(position);
                let packed: BTreeSet<u16> = moves.iter().map(|&mv| G::pack(mv)).filter(|&mv| mv != 0).collect();
                assert_eq!(packed.len(), moves.len(), "{:?}", moves.iter().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn moves_of_all_games_are_told_apart() {
        for &game in GameName::all() {
            with_game!(game, G => every_move_is_told_from_every_other_and_from_none::<G>());
        }
    }

    #[test]
    fn wins_are_counted_from_where_they_are_found() {
        let table = Table::new(1);
        for score in [WIN - 9, 9 - WIN] {
            table.put(1, 4, entry(3, score));
            // Five plies from the position itself: from ply 10, it ends at ply 15.
            assert_eq!(table.get(1, 10).map(|entry| entry.score.abs()), Some(WIN - 15));
        }
    }

    #[test]
    fn the_shallow_and_the_old_give_way() {
        let mut table = Table::new(1);
        // Keys that differ in their low bits only share a bucket.
        for (key, depth) in [(1, 5), (2, 2), (3, 9), (4, 7)] {
            table.put(key, 0, entry(depth, 0));
        }
        table.put(5, 0, entry(1, 0));
        let kept = |table: &Table| (1..=6).filter(|&key| table.get(key, 0).is_some()).collect::<Vec<_>>();
        assert_eq!(kept(&table), [1, 3, 4, 5]);
        for _ in 0..3 {
            table.next_search();
        }
        table.put(5, 0, entry(1, 0));
        table.put(6, 0, entry(0, 0));
        // What is depth 5 from three searches ago is worth less than depth 1 from now.
        assert_eq!(kept(&table), [3, 4, 5, 6]);
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_deep_result() {
        let table = Table::new(1);
        table.put(1, 0, entry(9, 7));
        table.put(1, 0, Entry { bound: Bound::Lower, ..entry(2, 8) });
        assert_eq!(table.get(1, 0), Some(entry(9, 7)));
        table.put(1, 0, Entry { bound: Bound::Lower, mv: None, ..entry(8, 8) });
        assert_eq!(table.get(1, 0).and_then(|entry| entry.mv), Some(77), "a known move is kept");
    }

    #[test]
    fn tables_of_any_size_are_had_at_once_or_as_much_of_them_as_there_is() {
        // Allocated, and mapped.
        for mebibytes in [3, 33] {
            let table = Table::new(mebibytes);
            assert_eq!(table.mebibytes(), mebibytes);
            assert_eq!(table.bucket(0).as_ptr().align_offset(BUCKET), 0, "a bucket is a cache line");
            table.put(u64::MAX, 0, entry(3, 5));
            assert_eq!(table.get(u64::MAX, 0), Some(entry(3, 5)));
        }
        let start = std::time::Instant::now();
        let mut table = Table::new(1 << 30);
        let most = table.mebibytes();
        assert!((1..1 << 30).contains(&most), "{most}");
        table.put(7, 0, entry(3, 5));
        table.clear();
        assert_eq!(table.get(7, 0), None);
        // This once took a second for each GiB.
        assert!(start.elapsed() < std::time::Duration::from_secs(1), "{:?} for {most} MiB", start.elapsed());
    }

    #[test]
    fn fullness_counts_the_present_search_only() {
        let mut table = Table::new(1);
        for key in 0..100_000 {
            table.put(crate::base::mix::mix(key), 0, entry(1, 0));
        }
        assert!(table.fullness() > 900);
        table.next_search();
        assert_eq!(table.fullness(), 0);
        table.clear();
        assert_eq!(table.get(crate::base::mix::mix(99_999), 0), None);
    }
}
