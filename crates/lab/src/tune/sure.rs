// SPDX-License-Identifier: GPL-3.0-or-later
//! When a game of self-play is won before its end.

use halfply_engine::base::Score;
use halfply_engine::game::Side;

/// Consecutive plies in which a win must be reported.
pub const SURE: u32 = 6;

/// In how many consecutive plies a win of each side was reported.
#[derive(Debug, Default)]
pub(super) struct Sure([u32; 2]);

impl Sure {
    /// The side whose win is certain enough, after a search by `mover` with this score. A score of `decisive` is a win.
    pub(super) fn winner(&mut self, mover: Side, score: Score, decisive: Score) -> Option<Side> {
        let sides = [(mover, score), (mover.other(), -score)];
        for (side, score) in sides {
            let times = &mut self.0[side.index()];
            *times = if score >= decisive { *times + 1 } else { 0 };
        }
        sides.into_iter().map(|(side, _)| side).find(|side| self.0[side.index()] >= SURE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_certain_after_six_plies_in_a_row() {
        let mut sure = Sure::default();
        for ply in 0..u64::from(SURE) {
            let side = if ply % 2 == 0 { Side::White } else { Side::Black };
            let score = if side == Side::Black { 900 } else { -900 };
            let winner = sure.winner(side, score, 800);
            assert_eq!(winner, (ply + 1 == u64::from(SURE)).then_some(Side::Black));
        }
        assert_eq!(sure.winner(Side::White, 0, 800), None, "the count begins again");
    }
}
