// SPDX-License-Identifier: GPL-3.0-or-later
//! How much memory there is. Systems promise more than they have (overcommit) and kill whoever uses what was promised, so
//! that an allocation which succeeds proves nothing.

use std::hint::black_box;

use sysinfo::{MemoryRefreshKind, System};

/// Of the memory that is available a table takes at most so many percent: there are others.
const SHARE: u64 = 90;

/// Bytes that can be had without asking first.
const MODEST: u64 = 64 << 20;

/// Bytes that must be left for everything else.
pub const HEADROOM: usize = 128 << 20;

/// Bytes of addresses that a thread takes: its stack, and 64 MiB that the allocator may reserve for it.
pub const THREAD: usize = 72 << 20;

/// So many of the bytes wanted can be used.
pub fn affordable(wanted: u64) -> u64 {
    if wanted <= MODEST {
        return wanted;
    }
    match available() {
        Some(available) => wanted.min((available / 100 * SHARE).max(MODEST)),
        None => wanted,
    }
}

/// Bytes that the system can give, and the container that we are in; none where that cannot be found out.
fn available() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    // What a container holds for files it gives back, so only what its programs have counts.
    let container = system.cgroup_limits().map_or(u64::MAX, |all| all.total_memory.saturating_sub(all.rss));
    Some(system.available_memory().min(container)).filter(|&bytes| bytes > 0)
}

/// Whether there are so many bytes of addresses. Allocations that fail where nobody expects it abort the program.
pub fn is_free(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let is_free = probe.try_reserve_exact(bytes).is_ok();
    // An allocation that nobody sees may be left out.
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
