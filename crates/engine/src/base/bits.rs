// SPDX-License-Identifier: GPL-3.0-or-later
//! The members of sets of up to 64: squares of a board, atoms of a move.

/// The places of the bits that are 1, ascending.
///
/// ```
/// assert!(halfply_engine::base::bits::ones(1 << 63 | 0b101).eq([0, 2, 63]));
/// ```
#[inline]
pub fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let place = bits.trailing_zeros();
            bits &= bits - 1;
            place
        })
    })
}
