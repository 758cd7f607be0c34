// SPDX-License-Identifier: GPL-3.0-or-later
//! How a middlegame value and an endgame value become one: by the pieces that are left, and by how hard the endgame is
//! to win.

use shakmaty::Bitboard;

use super::sink::Weight;
use super::view::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK, View};
use crate::search::{Score, score::LONGEST_WIN};

/// The phase of the middlegame: all pieces are there.
pub const FULL_PHASE: i32 = 24;

/// The scale of an endgame that is as easy to win as any.
pub const FULL_SCALE: i32 = 64;

/// No evaluation is beyond it, whatever stands on the board; far from any proved win.
const MOST: Score = LONGEST_WIN - 1_000;

/// How much of a position's value is the middlegame's and how much the endgame's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blend {
    /// From 0, pawns alone, to [`FULL_PHASE`].
    pub phase: i32,
    /// From 0, a dead draw, to [`FULL_SCALE`].
    pub scale: i32,
}

impl Blend {
    /// By the pieces on the board, from either side.
    #[inline]
    pub fn new(view: &View) -> Self {
        let count = |role: usize| ((view.own[role] | view.their[role]).count()) as i32;
        let phase = count(KNIGHT) + count(BISHOP) + 2 * count(ROOK) + 4 * count(QUEEN);
        Self { phase: phase.min(FULL_PHASE), scale: scale(view, phase) }
    }

    /// The one value.
    #[inline]
    pub fn apply(self, (middlegame, endgame): Weight) -> Score {
        let sum = middlegame * self.phase + endgame * (FULL_PHASE - self.phase);
        (sum * self.scale / (FULL_PHASE * FULL_SCALE)).clamp(-MOST, MOST)
    }
}

/// What is left of a value where experience says that it is hard or impossible to win. It depends on the
/// pieces alone, not on the weights, which stay linear.
#[inline]
fn scale(view: &View, phase: i32) -> i32 {
    // Beyond two rooks and a minor piece each it is not such an endgame yet.
    if phase > 10 {
        return FULL_SCALE;
    }
    let units = |pieces: &[Bitboard; 6]| -> i32 {
        let worth = [1, 3, 3, 5, 9];
        pieces.iter().zip(worth).map(|(pieces, worth)| pieces.count() as i32 * worth).sum()
    };
    let lead = units(&view.own) - units(&view.their);
    let stronger = if lead >= 0 { &view.own } else { &view.their };
    if stronger[PAWN].is_empty() {
        let knights_alone =
            (stronger[BISHOP] | stronger[ROOK] | stronger[QUEEN]).is_empty() && stronger[KNIGHT].count() <= 2;
        if lead.abs() <= 3 || knights_alone {
            return FULL_SCALE / 8;
        }
    }
    let (own, their) = (view.own[BISHOP], view.their[BISHOP]);
    let opposite = own.count() == 1
        && their.count() == 1
        && (own & Bitboard::LIGHT_SQUARES).any() != (their & Bitboard::LIGHT_SQUARES).any();
    match (opposite, phase) {
        // Nothing but the two bishops.
        (true, 2) => FULL_SCALE / 2,
        (true, _) => FULL_SCALE * 3 / 4,
        _ => FULL_SCALE,
    }
}
