// SPDX-License-Identifier: GPL-3.0-or-later
//! Killers: the quiet moves that failed high last at a ply (Akl and Newborn 1977). In a sibling node they often do
//! again.

/// Two moves, packed; the later first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Killers {
    /// The last that failed high.
    pub first: Option<u16>,
    /// The one before.
    pub second: Option<u16>,
}

impl Killers {
    /// A quiet move has failed high.
    #[inline]
    pub fn add(&mut self, mv: u16) {
        if self.first != Some(mv) {
            *self = Self { first: Some(mv), second: self.first };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_two_are_kept() {
        let mut killers = Killers::default();
        for mv in [1, 2, 2, 3] {
            killers.add(mv);
        }
        assert_eq!(killers, Killers { first: Some(3), second: Some(2) });
    }
}
