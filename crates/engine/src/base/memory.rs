// SPDX-License-Identifier: GPL-3.0-or-later
//! How much memory there is. Systems allocate more memory than they have (overcommit) and kill the program that uses
//! it, so a successful allocation proves nothing.

use std::hint::black_box;
use std::ops::RangeInclusive;

use bytemuck::allocation::try_zeroed_slice_box;
use memmap2::MmapMut;
use sysinfo::{MemoryRefreshKind, System};

/// The most of the available memory that a table takes, in percent; the rest is for other programs.
const SHARE: u64 = 90;

/// Bytes that are allocated without a check.
const MODEST: u64 = 64 << 20;

/// Bytes that must be left for everything else.
pub const HEADROOM: usize = 128 << 20;

/// Bytes that even a small table must leave: for a network, and for what a search remembers besides.
pub const LEAST_HEADROOM: usize = 16 << 20;

/// Bytes of address space that a thread takes: its stack, and 64 MiB that the allocator may reserve for it.
pub const THREAD: usize = 72 << 20;

/// Memory of these sizes is mapped, and the system is asked for huge pages. It zeroes a whole page when the first entry in it
/// is used, so the first search of a new table pays for all of it: some 0.2 ms for each 2 MiB, which a clock would feel in
/// tables beyond these. A table asks for some bytes more than its size.
const HUGE: RangeInclusive<usize> = 4 << 20..=257 << 20;

/// Bytes that are zero at first. The system zeroes large ones when they are first used.
///
/// Look-ups in a large table are as far apart as they can be, so each one misses the processor's table of pages, too, unless
/// pages are huge. Small tables come from the allocator: they fit, and are had again sooner.
pub enum Bytes {
    /// From the allocator.
    Allocated(Box<[u8]>),
    /// From the system.
    Mapped(MmapMut),
}

impl Bytes {
    /// So many bytes; none if there is not so much memory.
    pub fn zeroed(count: usize) -> Option<Self> {
        if !HUGE.contains(&count) {
            return try_zeroed_slice_box(count).ok().map(Self::Allocated);
        }
        let map = MmapMut::map_anon(count).ok()?;
        // Not every system has huge pages, and none must give them.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Self::Mapped(map))
    }
}

impl AsMut<[u8]> for Bytes {
    fn as_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Allocated(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

/// The number of the requested bytes that can be used.
pub fn affordable(wanted: u64) -> u64 {
    if wanted <= MODEST {
        return wanted;
    }
    match available() {
        Some(available) => wanted.min((available / 100 * SHARE).max(MODEST)),
        None => wanted,
    }
}

/// Bytes available from the system and from our container; none if unknown.
fn available() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    // A container releases its file cache when needed, so only the memory of its programs counts.
    let container = system.cgroup_limits().map_or(u64::MAX, |all| all.total_memory.saturating_sub(all.rss));
    Some(system.available_memory().min(container)).filter(|&bytes| bytes > 0)
}

/// Whether that much address space is free. A failed allocation elsewhere would abort the program.
pub fn is_free(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let is_free = probe.try_reserve_exact(bytes).is_ok();
    // The compiler may remove an unused allocation.
    black_box(&probe);
    is_free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_zero_wherever_they_are_from() {
        for count in [0, 1, HUGE.start() - 1, *HUGE.start(), *HUGE.end(), HUGE.end() + 1] {
            let mut bytes = Bytes::zeroed(count).unwrap();
            let bytes = bytes.as_mut();
            assert_eq!(bytes.len(), count);
            assert!(bytes.iter().step_by(1_000).all(|&byte| byte == 0));
        }
        assert!(Bytes::zeroed(usize::MAX >> 1).is_none());
    }

    #[test]
    fn no_more_is_affordable_than_there_is() {
        assert_eq!(affordable(1 << 20), 1 << 20);
        let most = affordable(1 << 60);
        assert!((MODEST..1 << 50).contains(&most), "{most}");
        assert!(affordable(MODEST + 1) >= MODEST);
    }
}
