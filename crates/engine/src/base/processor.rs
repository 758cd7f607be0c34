// SPDX-License-Identifier: GPL-3.0-or-later
//! Whether the processor has the instructions that this program was built with.
//!
//! Without this check, a program built for x86-64-v2 ends on an older processor with "illegal instruction", and the user
//! does not learn why. `is_x86_feature_detected!` cannot help: it answers without looking if the program was built with the
//! instructions. So the processor is asked directly.

/// What x86-64-v2 has beyond the first x86-64, with its bit of the second register (ECX) that CPUID answers in. The first
/// six are of leaf 1, the last one is of leaf 0x8000_0001.
const V2: [(&str, u32); 7] =
    [("SSE3", 0), ("SSSE3", 9), ("CMPXCHG16B", 13), ("SSE4.1", 19), ("SSE4.2", 20), ("POPCNT", 23), ("LAHF", 0)];

/// The instructions of x86-64-v2 that a processor with these answers lacks.
fn missing(leaf_1: u32, leaf_8000_0001: u32) -> Vec<&'static str> {
    let answer = |place: usize| if place + 1 < V2.len() { leaf_1 } else { leaf_8000_0001 };
    let lacks = |&(place, (_, bit)): &(usize, (&str, u32))| answer(place) >> bit & 1 == 0;
    V2.into_iter().enumerate().filter(lacks).map(|(_, (name, _))| name).collect()
}

/// Why the program cannot run on this processor; none if it can, or if it was built for any processor.
pub fn refusal() -> Option<String> {
    let missing = missing_here();
    (!missing.is_empty()).then(|| {
        format!(
            "this halfply was built for x86-64-v2, and this processor lacks {}; install the build for x86-64, or build it \
             with RUSTFLAGS=\"-C target-cpu=native\"",
            missing.join(", ")
        )
    })
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse4.2"))]
fn missing_here() -> Vec<&'static str> {
    use std::arch::x86_64::__cpuid;
    const EXTENDED: u32 = 0x8000_0000;
    let extended = if __cpuid(EXTENDED).eax > EXTENDED { __cpuid(EXTENDED + 1).ecx } else { 0 };
    missing(__cpuid(1).ecx, extended)
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse4.2")))]
fn missing_here() -> Vec<&'static str> {
    missing(u32::MAX, u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of real processors, from their data sheets.
    #[test]
    fn processors_are_told_apart() {
        // Core 2 Duo (Conroe, 2006): SSE3, SSSE3 and CMPXCHG16B, LAHF.
        assert_eq!(missing(0x0000_e3bd, 1), ["SSE4.1", "SSE4.2", "POPCNT"]);
        // Athlon 64 (2003) has none of them.
        assert_eq!(missing(0, 0).len(), V2.len());
        // Nehalem (2008).
        assert_eq!(missing(0x009c_e3bd, 1), Vec::<&str>::new());
        assert_eq!(missing(0x009c_e3bd, 0), ["LAHF"]);
    }

    #[test]
    fn the_processor_that_runs_this_test_can_run_it() {
        assert_eq!(refusal(), None);
    }
}
