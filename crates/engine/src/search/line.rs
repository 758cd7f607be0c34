// SPDX-License-Identifier: GPL-3.0-or-later
//! The principal variation, collected in a triangular table.

/// The best line from every ply of the current path. All its memory is reserved when it is made.
#[derive(Debug)]
pub(super) struct Lines<M> {
    by_ply: Vec<Vec<M>>,
}

impl<M: Copy> Lines<M> {
    /// Room for lines of up to `max_ply` plies.
    pub fn new(max_ply: usize) -> Self {
        // One row more than there are plies: the leaf behind the last one has an empty line.
        Self { by_ply: (0..=max_ply).map(|ply| Vec::with_capacity(max_ply - ply)).collect() }
    }

    /// Forgets the line from `ply` on: the node there has no best line yet.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.by_ply[ply].clear();
    }

    /// The line from `ply` is now `mv` and the line from the ply behind it.
    #[inline]
    pub fn extend(&mut self, ply: usize, mv: M) {
        let (this, behind) = self.by_ply.split_at_mut(ply + 1);
        let (line, tail) = (&mut this[ply], &behind[0]);
        line.clear();
        line.push(mv);
        line.extend_from_slice(tail);
    }

    /// The line from the root.
    pub fn root(&self) -> &[M] {
        &self.by_ply[0]
    }
}
