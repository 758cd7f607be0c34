// SPDX-License-Identifier: GPL-3.0-or-later
//! One mixing function for everything that needs reproducible, well-spread bits without a random stream.

/// The step of the SplitMix64 sequence, an odd constant near 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Spreads `value` over 64 bits: one output of SplitMix64 (Steele, Lea and Flood, 2014), a bijection.
///
/// ```
/// assert_eq!(halfply_engine::base::mix::mix(0), 0xE220_A839_7B1D_CDAF);
/// ```
pub const fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(STEP);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A seed for the `index`-th member of the family that grows from `seed`: game 12 of a tournament, seed 3 of a filter.
pub const fn derive(seed: u64, index: u64) -> u64 {
    mix(mix(seed) ^ index)
}
