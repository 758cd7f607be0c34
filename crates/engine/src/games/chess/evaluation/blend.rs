// SPDX-License-Identifier: GPL-3.0-or-later
//! Blends a middlegame value and an endgame value by the pieces left and by how hard the endgame is to win.

use shakmaty::Bitboard;

use super::layout::Weight;
use super::view::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK, View};
use crate::search::{Score, score::LEAST_WIN};

/// The phase of the middlegame: all pieces are there.
pub const FULL_PHASE: i32 = 24;

/// The scale of an endgame without special difficulty.
pub const FULL_SCALE: i32 = 64;

/// The greatest evaluation of any board.
const MOST: Score = LEAST_WIN;

/// The weights of the middlegame and endgame values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blend {
    /// From 0, pawns alone, to [`FULL_PHASE`].
    pub phase: i32,
    /// The scale of an advantage of the side to move, and of one of the other side, from 0, a dead draw, to
    /// [`FULL_SCALE`].
    pub scales: [i32; 2],
}

impl Blend {
    /// By the pieces on the board.
    #[inline]
    pub fn new(view: &View) -> Self {
        let count = |role: usize| ((view.own[role] | view.their[role]).count()) as i32;
        let phase = count(KNIGHT) + count(BISHOP) + 2 * count(ROOK) + 4 * count(QUEEN);
        Self { phase: phase.min(FULL_PHASE), scales: scales(view, phase) }
    }

    /// The one value.
    #[inline]
    pub fn apply(self, weight: Weight) -> Score {
        let sum = self.sum(weight);
        (sum * self.scale(sum) / (FULL_PHASE * FULL_SCALE)).clamp(-MOST, MOST)
    }

    fn sum(self, (middlegame, endgame): Weight) -> i32 {
        middlegame * self.phase + endgame * (FULL_PHASE - self.phase)
    }

    /// The scale of the side that has the advantage: it is the one that has to win.
    fn scale(self, sum: i32) -> i32 {
        self.scales[usize::from(sum < 0)]
    }
}

/// The scale of each side's advantage in endgames known to be hard or impossible to win. It depends on the pieces
/// alone.
#[inline]
fn scales(view: &View, phase: i32) -> [i32; 2] {
    // With more than two rooks and a minor piece each it is not such an endgame yet.
    if phase > 10 {
        return [FULL_SCALE; 2];
    }
    let units = |pieces: &[Bitboard; 6]| -> i32 {
        let worth = [1, 3, 3, 5, 9];
        pieces.iter().zip(worth).map(|(pieces, worth)| pieces.count() as i32 * worth).sum()
    };
    let (own, their) = (view.own[BISHOP], view.their[BISHOP]);
    let opposite = own.count() == 1
        && their.count() == 1
        && (own & Bitboard::LIGHT_SQUARES).any() != (their & Bitboard::LIGHT_SQUARES).any();
    let ordinary = match (opposite, phase) {
        // Only the two bishops and pawns.
        (true, 2) => FULL_SCALE / 2,
        (true, _) => FULL_SCALE * 3 / 4,
        _ => FULL_SCALE,
    };
    let lead = units(&view.own) - units(&view.their);
    [(&view.own, lead), (&view.their, -lead)].map(|(pieces, lead)| {
        if pieces[PAWN].any() {
            return ordinary;
        }
        let knights_alone = (pieces[BISHOP] | pieces[ROOK] | pieces[QUEEN]).is_empty() && pieces[KNIGHT].count() <= 2;
        if lead <= 3 || knights_alone { FULL_SCALE / 8 } else { ordinary }
    })
}
