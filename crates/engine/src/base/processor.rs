// SPDX-License-Identifier: GPL-3.0-or-later
//! Whether the processor has the instructions that this program was built with.
//!
//! Without this check, a program built for x86-64-v2 or -v3 ends on an older processor with "illegal instruction", and the
//! user does not learn why. `is_x86_feature_detected!` cannot help: it answers without looking if the program was built with the
//! instructions. So the processor is asked directly.

/// What CPUID answers: register ECX of leaf 1, ECX of leaf 0x8000_0001, and EBX of leaf 7.
type Answers = [u32; 3];

/// Instructions by name, with the answer that says whether there are, and its bit.
type Instructions = [(&'static str, usize, u32)];

/// What x86-64-v2 has beyond the first x86-64.
const V2: &Instructions = &[
    ("SSE3", 0, 0),
    ("SSSE3", 0, 9),
    ("CMPXCHG16B", 0, 13),
    ("SSE4.1", 0, 19),
    ("SSE4.2", 0, 20),
    ("POPCNT", 0, 23),
    ("LAHF", 1, 0),
];

/// What x86-64-v3 has beyond x86-64-v2. The last one says that the system keeps the registers of AVX.
const V3: &Instructions = &[
    ("AVX", 0, 28),
    ("AVX2", 2, 5),
    ("BMI1", 2, 3),
    ("BMI2", 2, 8),
    ("F16C", 0, 29),
    ("FMA", 0, 12),
    ("LZCNT", 1, 5),
    ("MOVBE", 0, 22),
    ("OSXSAVE", 0, 27),
];

/// What this program was built for.
const BUILT: (&str, &[&Instructions]) = if cfg!(target_feature = "avx2") {
    ("x86-64-v3", &[V2, V3])
} else if cfg!(target_feature = "sse4.2") {
    ("x86-64-v2", &[V2])
} else {
    ("any processor", &[])
};

/// The instructions that a processor with these answers lacks.
fn missing(wanted: &[&Instructions], answers: Answers) -> Vec<&'static str> {
    let lacks = |&&(_, answer, bit): &&(&str, usize, u32)| answers[answer] >> bit & 1 == 0;
    wanted.iter().copied().flatten().filter(lacks).map(|&(name, ..)| name).collect()
}

/// Why the program cannot run on this processor; none if it can, or if it was built for any processor.
pub fn refusal() -> Option<String> {
    let (level, wanted) = BUILT;
    let missing = missing(wanted, answers());
    (!missing.is_empty()).then(|| {
        format!(
            "this halfply was built for {level}, and this processor lacks {}; install the build for x86-64, or build it with \
             RUSTFLAGS=\"-C target-cpu=native\"",
            missing.join(", ")
        )
    })
}

#[cfg(target_arch = "x86_64")]
fn answers() -> Answers {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const EXTENDED: u32 = 0x8000_0000;
    let extended = if __cpuid(EXTENDED).eax > EXTENDED { __cpuid(EXTENDED + 1).ecx } else { 0 };
    let seventh = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    [__cpuid(1).ecx, extended, seventh]
}

#[cfg(not(target_arch = "x86_64"))]
fn answers() -> Answers {
    [u32::MAX; 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of real processors, from their data sheets.
    #[test]
    fn processors_are_told_apart() {
        // Core 2 Duo (Conroe, 2006): SSE3, SSSE3 and CMPXCHG16B, LAHF.
        assert_eq!(missing(&[V2], [0x0000_e3bd, 1, 0]), ["SSE4.1", "SSE4.2", "POPCNT"]);
        // Athlon 64 (2003) has none of them.
        assert_eq!(missing(&[V2, V3], [0; 3]).len(), V2.len() + V3.len());
        // Nehalem (2008).
        assert_eq!(missing(&[V2], [0x009c_e3bd, 1, 0]), Vec::<&str>::new());
        assert_eq!(missing(&[V2], [0x009c_e3bd, 0, 0]), ["LAHF"]);
        assert_eq!(missing(&[V2, V3], [0x009c_e3bd, 1, 0]).len(), V3.len());
        // Ivy Bridge (2012): AVX and F16C, and what keeps their registers.
        let missing = missing(&[V2, V3], [0x7fba_e3ff, 1, 0x0000_0281]);
        assert_eq!(missing, ["AVX2", "BMI1", "BMI2", "FMA", "LZCNT", "MOVBE"]);
    }

    #[test]
    fn the_processor_that_runs_this_test_can_run_it() {
        assert_eq!(refusal(), None);
    }
}
