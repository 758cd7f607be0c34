// SPDX-License-Identifier: GPL-3.0-or-later
//! What the full search knows about Breakthrough.

use super::board::{Position, backward};
use super::shape::Shape;
use super::{Breakthrough, Move, MoveList, SIZE, races};
use crate::base::Score;
use crate::game::{Proof, Side, Tactics};

/// The value of a capture, in hundredths of a piece: a piece, plus a bonus for the rows that the captured piece had
/// advanced.
const PIECE: Score = 100;
/// For each of its rows.
const PER_ROW: Score = 10;

impl Tactics for Breakthrough {
    #[inline]
    fn is_noisy(position: &Position, mv: Move) -> bool {
        position.opposing >> mv.to() & 1 == 1
    }

    #[inline]
    fn gain(position: &Position, mv: Move) -> Score {
        PIECE + PER_ROW * Self.row(mv.to(), position.turn.other()) as Score
    }

    /// All pieces are alike, so the side with more pieces bearing on the square wins the exchange; the last to capture
    /// keeps its piece.
    fn exchange(position: &Position, mv: Move, threshold: Score) -> bool {
        let (us, them) = (position.turn, position.turn.other());
        let to = 1_u64 << mv.to();
        let bearing = |pieces: u64, side: Side| (Self.attacks(to, side.other()) & pieces).count_ones() as i32;
        let first = if Self::is_noisy(position, mv) { PIECE } else { 0 };
        let is_diagonal = Self.attacks(1 << mv.from(), us) & to != 0;
        let ours = bearing(position.own, us) - i32::from(is_diagonal);
        let theirs = bearing(position.opposing, them);
        // The opponent captures, we recapture, and so on; each side stops where continuing would lose.
        fn worth(attackers: i32, defenders: i32) -> Score {
            if attackers == 0 { 0 } else { (PIECE - worth(defenders, attackers - 1)).max(0) }
        }
        first - worth(theirs, ours) >= threshold
    }

    fn turned(position: &Position) -> Option<Position> {
        Some(Position { own: position.opposing, opposing: position.own, turn: position.turn.other(), ..*position })
    }

    /// Near the goal, passing may lose the race.
    fn pass(position: &Position) -> Option<Position> {
        Self::turned(position).filter(|_| Self::is_calm(position))
    }

    #[inline]
    fn proved(position: &Position) -> Option<Proof> {
        races::proved(Self, position)
    }

    /// A step onto one of the last three rows.
    #[inline]
    fn is_urgent(position: &Position, mv: Move) -> bool {
        Self.row(mv.to(), position.turn) >= SIZE - 3
    }

    fn forced(position: &Position) -> Option<MoveList> {
        races::forced(Self, position)
    }

    /// As long as no piece is within two rows of its goal.
    #[inline]
    fn is_calm(position: &Position) -> bool {
        let [white, black] = position.pieces();
        let near_goal = |side| Self.before_goal(side) | backward(Self.before_goal(side), side);
        white & near_goal(Side::White) == 0 && black & near_goal(Side::Black) == 0
    }
}
