// SPDX-License-Identifier: GPL-3.0-or-later
//! The sum of a weight for each piece and square: the simplest evaluation with data, for any game with a board of
//! pieces.

use super::Evaluation;
use crate::base::Score;
use crate::base::score::LONGEST_WIN;
use crate::game::{Pieces, Side};

/// Squares of a board.
pub const SQUARES: usize = 64;

/// The greatest absolute value of a weight.
pub const LARGEST_WEIGHT: Score = 10_000;

/// A weight for each kind of piece and square, in hundredths of a pawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSquares {
    /// By kind of piece, in the order of [`Pieces::KINDS`], then by square as White sees it, a1 first.
    weights: Vec<[Score; SQUARES]>,
}

/// The last position evaluated at each ply.
#[derive(Clone, Copy, Debug)]
pub struct Judged<B> {
    boards: B,
    /// White's sum minus Black's.
    white: Score,
}

impl PieceSquares {
    /// An evaluation with these weights, in the order of [`Pieces::KINDS`]; none if there are not as many lists as the
    /// game has kinds of pieces, or a weight is beyond [`LARGEST_WEIGHT`].
    #[must_use]
    pub fn new<G: Pieces>(weights: Vec<[Score; SQUARES]>) -> Option<Self> {
        let small = weights.iter().flatten().all(|weight| weight.abs() <= LARGEST_WEIGHT);
        (weights.len() == G::KINDS.len() && small).then_some(Self { weights })
    }

    /// The sum of the weights of some pieces, of one kind and side, on a board of that many ranks.
    fn sum(&self, ranks: u32, kind: usize, side: Side, mut pieces: u64) -> Score {
        let mut sum = 0;
        while pieces != 0 {
            let square = pieces.trailing_zeros();
            // Black sees the board from the other end.
            let seen = if side == Side::White { square } else { (ranks - 1 - square / 8) * 8 + square % 8 };
            sum += self.weights[kind][seen as usize];
            pieces &= pieces - 1;
        }
        sum
    }

    /// Updates White's sum minus Black's from one position to another.
    fn difference(&self, ranks: u32, from: &[u64], to: &[u64]) -> Score {
        let kinds = self.weights.len();
        let mut white = 0;
        for (index, (&from, &to)) in from.iter().zip(to).enumerate().filter(|(_, (from, to))| from != to) {
            let (side, sign) = if index < kinds { (Side::White, 1) } else { (Side::Black, -1) };
            let kind = index % kinds;
            white += sign * (self.sum(ranks, kind, side, to & !from) - self.sum(ranks, kind, side, from & !to));
        }
        white
    }
}

impl<G: Pieces> Evaluation<G> for PieceSquares {
    type State = Vec<Judged<G::Boards>>;

    const UNIT: Score = 100;

    fn start(&self) -> Self::State {
        vec![Judged { boards: G::Boards::default(), white: 0 }; G::MAX_PLY + 1]
    }

    fn evaluate(&self, state: &mut Self::State, ply: usize, position: &G::Position) -> Score {
        let boards = G::boards(position);
        // The last position evaluated a ply above is most likely this one's parent.
        let Judged { boards: known, white } = state[ply.saturating_sub(1)];
        let white = white + self.difference(G::SIZE, known.as_ref(), boards.as_ref());
        state[ply] = Judged { boards, white };
        let value = if G::to_move(position) == Side::White { white } else { -white };
        // Heavy weights on a full board must not look like a proved win.
        value.clamp(1 - LONGEST_WIN, LONGEST_WIN - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, Symmetry, legal_moves};
    use crate::games::{Breakthrough, Chess};

    /// Weights without any symmetry: the kind's number and the square show in each.
    fn weights(kinds: usize) -> Vec<[Score; SQUARES]> {
        (0..kinds).map(|kind| std::array::from_fn(|square| (100 * kind + square) as Score)).collect()
    }

    fn judge<G: Pieces>(evaluation: &PieceSquares, position: &G::Position) -> Score {
        Evaluation::<G>::judge(evaluation, position)
    }

    #[test]
    fn weights_count_as_each_side_sees_the_board() {
        let evaluation = PieceSquares::new::<Breakthrough>(weights(1)).unwrap();
        let value = |fen: &str| judge::<Breakthrough>(&evaluation, &Breakthrough::parse_position(fen).unwrap());
        // White: b2 (9) and d5 (35). Black: c7, which Black sees on c2 (10).
        assert_eq!(value("8/2p5/8/3P4/8/8/1P6/8 w"), 9 + 35 - 10);
        assert_eq!(value("8/2p5/8/3P4/8/8/1P6/8 b"), -(9 + 35 - 10));
        let chess = PieceSquares::new::<Chess>(weights(6)).unwrap();
        let value = |fen: &str| judge::<Chess>(&chess, &Chess::parse_position(fen).unwrap());
        // Kings on e1 and e8 cancel out; a rook (kind 3) on a1 (0) against a pawn (kind 0) on Black's h2 (15).
        assert_eq!(value("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1"), 300 - 15);
        for image in Chess::images(&Chess::parse_position("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1").unwrap()) {
            assert_eq!(judge::<Chess>(&chess, &image), 300 - 15);
        }
    }

    #[test]
    fn weights_are_as_many_as_kinds_and_no_sum_looks_like_a_proved_win() {
        assert_eq!(PieceSquares::new::<Chess>(weights(5)), None);
        assert_eq!(PieceSquares::new::<Breakthrough>(vec![[LARGEST_WEIGHT + 1; SQUARES]]), None);
        let heavy = PieceSquares::new::<Breakthrough>(vec![[LARGEST_WEIGHT; SQUARES]]).unwrap();
        let position = Breakthrough::parse_position("8/2p5/8/8/8/PPPPPPPP/PPPPPPPP/8 w").unwrap();
        assert_eq!(judge::<Breakthrough>(&heavy, &position), LONGEST_WIN - 1);
    }

    /// Whatever the state holds, the value is that from scratch: the same state serves a walk through two games at once.
    fn state_changes_no_value<G: Pieces + Notation>(fens: [&str; 2]) {
        let evaluation = PieceSquares::new::<G>(weights(G::KINDS.len())).unwrap();
        let mut state = Evaluation::<G>::start(&evaluation);
        let mut walks = fens.map(|fen| G::parse_position(fen).unwrap());
        for step in 0..40 {
            for (walk, position) in walks.iter_mut().enumerate() {
                let moves = legal_moves::<G>(position);
                let Some(&mv) = moves.get((7 * step + 3 * walk) % moves.len().max(1)) else { continue };
                G::play(position, mv);
                let kept = Evaluation::<G>::evaluate(&evaluation, &mut state, step % 9, position);
                assert_eq!(kept, judge::<G>(&evaluation, position), "{}", G::format_position(position));
            }
        }
    }

    #[test]
    fn the_state_is_a_cache() {
        let start = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w";
        state_changes_no_value::<Breakthrough>([start, "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w"]);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        state_changes_no_value::<Chess>([
            start,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ]);
    }
}
