// SPDX-License-Identifier: GPL-3.0-or-later
//! What the full search asks of a game beyond its rules.

use super::Game;
use crate::base::endings::Endings;
use crate::base::{Outcome, Score};

/// A forced end of the game that the board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins, seen by the side to move.
    pub outcome: Outcome,
    /// In how many plies, if both sides do their best. No win is faster. In a game that ends when the board is full, about
    /// how many are left.
    pub plies: usize,
}

/// Kinds of pieces times squares, at most.
pub const MOVED: usize = 6 * 64;

/// What the full search asks of a game beyond its rules. By default no move is a capture or the like, nobody may pass, and no
/// margin is trusted: right in every game, and slow where more is known.
pub trait Tactics: Game {
    /// Fills an empty list with the [noisy](Game::noisy) moves in any order. To return such long lists is to copy them.
    #[inline]
    fn fill_noisy(position: &Self::Position, moves: &mut Self::Moves) {
        *moves = Self::noisy(position);
    }

    /// Whether a search makes the noisy moves first, and the others only when their turn comes.
    const STAGED: bool = false;

    /// Adds the legal moves that are not noisy to those that are. Asked for only in games that are [staged](Tactics::STAGED).
    fn add_quiet(_position: &Self::Position, _moves: &mut Self::Moves) {}

    /// Which kind of piece moves, and where to, below [`MOVED`]: its place in the histories of moves behind others. By default
    /// all pieces are of one kind.
    #[inline]
    fn moved(mv: Self::Move) -> u16 {
        Self::pack(mv) >> 6 & 63
    }

    /// The move in 16 bits for the transposition table: different for all legal moves of a position, and never 0, which stands
    /// for none. The lower twelve say where from and where to, and are the move's place in the history of quiet moves. By
    /// default they are all: one move between two different squares, and one pass.
    #[inline]
    fn pack(mv: Self::Move) -> u16 {
        Self::squares(mv).map_or(u16::MAX, |[from, to]| u16::from(from) | u16::from(to) << 6)
    }

    /// Keys of parts of the position, such as the pawns, in which the static evaluation tends to err alike. As many for
    /// every position; none by default.
    fn structures(_position: &Self::Position) -> impl AsRef<[u64]> {
        []
    }

    /// Whether the move changes the material: it is judged by [`gain`](Tactics::gain) and
    /// [`exchange`](Tactics::exchange) instead of its history.
    #[inline]
    fn is_noisy(_position: &Self::Position, _mv: Self::Move) -> bool {
        false
    }

    /// The material that a noisy move gains at first sight, in hundredths of a pawn, with a small deduction for the
    /// attacker's value, so that of two captures of the same piece the cheaper attacker's comes first.
    fn gain(_position: &Self::Position, _mv: Self::Move) -> Score {
        0
    }

    /// Whether the exchange that the move begins on its square gains at least `threshold` (hundredths of a pawn) if
    /// both sides always recapture with the least valuable piece, or stop.
    fn exchange(_position: &Self::Position, _mv: Self::Move, threshold: Score) -> bool {
        threshold <= 0
    }

    /// What a quiet move takes out of the attack of cheaper pieces, less what it takes there, in hundredths of a pawn. The
    /// function is for all moves of the position. By default nothing is in danger.
    fn danger(_position: &Self::Position) -> impl Fn(Self::Move) -> Score {
        |_| 0
    }

    /// The position with the other side to move; none if it would be against the rules, as where a king could be captured.
    fn turned(_position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// The same as a null move of the search; none, too, if passing might be better than any move.
    fn pass(_position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Whether a side has so few pieces that having to move may be what loses. False in games where it hardly ever is.
    fn has_few_pieces(_position: &Self::Position) -> bool {
        false
    }

    /// A forced win or loss that can be read off the board, if any; the position is not [decided](Game::decided).
    fn proved(_position: &Self::Position) -> Option<Proof> {
        None
    }

    /// The legal moves that do not lose at once, possibly none, if the board shows that all others do. `None` if it does
    /// not.
    fn forced(_position: &Self::Position) -> Option<Self::Moves> {
        None
    }

    /// Whether there are tables of endings.
    const ENDINGS: bool = false;

    /// The outcome of a position by tables of endings, as far as it does not depend on earlier moves. Asked for at inner nodes,
    /// so positions that are in no table must be recognized at once.
    #[inline]
    fn in_tables(_endings: &Endings, _position: &Self::Position) -> Option<Outcome> {
        None
    }

    /// The outcome of the root by tables of endings, and the moves that may be chosen there, those that end the game soonest
    /// first: they keep the outcome and, if a position was repeated, come nearer to it. `earlier` has the keys of the game's
    /// positions before it.
    fn by_tables(_endings: &Endings, _position: &Self::Position, _earlier: &[u64]) -> Option<(Outcome, Self::Moves)> {
        None
    }

    /// Whether the move brings the end of the game so near that it must be searched in full.
    fn is_urgent(_position: &Self::Position, _mv: Self::Move) -> bool {
        false
    }

    /// Whether margins around the static evaluation predict the value of a search: false if a single quiet move may
    /// decide the game.
    #[inline]
    fn is_calm(_position: &Self::Position) -> bool {
        false
    }
}
