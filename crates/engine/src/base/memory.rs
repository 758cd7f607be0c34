// SPDX-License-Identifier: GPL-3.0-or-later
//! How much memory there is. Systems allocate more memory than they have (overcommit) and kill the program that uses
//! it, so a successful allocation proves nothing.

use std::hint::black_box;

use sysinfo::{MemoryRefreshKind, System};

/// The most of the available memory that a table takes, in percent; the rest is for other programs.
const SHARE: u64 = 90;

/// Bytes that are allocated without a check.
const MODEST: u64 = 64 << 20;

/// Bytes that must be left for everything else.
pub const HEADROOM: usize = 128 << 20;

/// Bytes of address space that a thread takes: its stack, and 64 MiB that the allocator may reserve for it.
pub const THREAD: usize = 72 << 20;

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
    fn no_more_is_affordable_than_there_is() {
        assert_eq!(affordable(1 << 20), 1 << 20);
        let most = affordable(1 << 60);
        assert!((MODEST..1 << 50).contains(&most), "{most}");
        assert!(affordable(MODEST + 1) >= MODEST);
    }
}
