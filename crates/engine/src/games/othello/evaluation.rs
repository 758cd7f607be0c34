// SPDX-License-Identifier: GPL-3.0-or-later
//! The hand-crafted evaluations.

use super::Othello;
use super::board::{Position, mobility, surroundings};
use super::stability::{CORNERS, stable};
use crate::base::Score;
use crate::evaluation::Evaluation;

/// The difference of discs: what counts at the end, and a bad guide before.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiscCount;

impl Evaluation<Othello> for DiscCount {
    type State = ();

    fn unit(&self) -> Score {
        1
    }

    fn start(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _ply: usize, position: &Position) -> Score {
        position.difference()
    }
}

/// A weight for the disc on each square: the table of Norvig (1992, *Paradigms of Artificial Intelligence Programming*,
/// section 18.3).
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedSquares;

/// The weights of one quarter of the board, which the other quarters mirror: a1 to d1, then a2 to d2, and so on.
const QUARTER: [[Score; 4]; 4] = [[120, -20, 20, 5], [-20, -40, -5, -5], [20, -5, 15, 3], [5, -5, 3, 3]];

/// The squares of each weight: ten sets, for the table is symmetric in its diagonal too.
const BY_WEIGHT: [(u64, Score); 10] = {
    let mut sets = [(0, 0); 10];
    let (mut next, mut row) = (0, 0);
    while row < 4 {
        let mut file = 0;
        while file <= row {
            sets[next] = (images(file, row) | images(row, file), QUARTER[row][file]);
            (next, file) = (next + 1, file + 1);
        }
        row += 1;
    }
    sets
};

/// A square and its mirror images in the other quarters.
const fn images(file: usize, row: usize) -> u64 {
    1 << (8 * row + file) | 1 << (8 * row + 7 - file) | 1 << (8 * (7 - row) + file) | 1 << (8 * (7 - row) + 7 - file)
}

impl Evaluation<Othello> for WeightedSquares {
    type State = ();

    /// A disc's weight without the squares next to the corners, on average.
    fn unit(&self) -> Score {
        5
    }

    fn start(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _ply: usize, position: &Position) -> Score {
        let count =
            |set: u64| (set & position.own).count_ones() as Score - (set & position.opposing).count_ones() as Score;
        BY_WEIGHT.iter().map(|&(set, weight)| weight * count(set)).sum()
    }
}

/// What Othello programs have weighed since IAGO (Rosenbloom 1982, *A World-Championship-Level Othello Program*): current
/// and potential mobility as shares, and stable discs, instead of discs. Corners that can be lost are judged by the squares
/// beside them. The numbers are ours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classical;

impl Classical {
    /// For all the moves on the board, in hundredths of a disc.
    const MOBILITY: Score = 1_500;
    /// For all the empty squares that are beside discs, on which moves may become possible.
    const POTENTIAL: Score = 900;
    /// For a stable disc.
    const STABLE: Score = 130;
    /// For a disc on a corner besides.
    const CORNER: Score = 350;
    /// For a corner that can be taken in the next move.
    const CORNER_MOVE: Score = 250;
    /// For a disc diagonally beside an empty corner.
    const X_SQUARE: Score = -220;
    /// For a disc beside an empty corner on the edge.
    const C_SQUARE: Score = -80;
}

/// By corner: its square, and the diagonal and the edge neighbours.
const CORNER_REGIONS: [(u64, u64, u64); 4] = {
    let mut regions = [(0, 0, 0); 4];
    let corners = [(0, 0), (7, 0), (0, 7), (7, 7)];
    let mut place = 0;
    while place < 4 {
        let (file, row): (i32, i32) = corners[place];
        let (inner_file, inner_row) = (if file == 0 { 1 } else { 6 }, if row == 0 { 1 } else { 6 });
        regions[place] = (
            1 << (8 * row + file),
            1 << (8 * inner_row + inner_file),
            1 << (8 * row + inner_file) | 1 << (8 * inner_row + file),
        );
        place += 1;
    }
    regions
};

/// The X-squares and the C-squares whose corner is empty.
pub(super) fn beside_empty_corners(empty: u64) -> (u64, u64) {
    let mut beside = (0, 0);
    for (corner, x_square, c_squares) in CORNER_REGIONS {
        if empty & corner != 0 {
            beside = (beside.0 | x_square, beside.1 | c_squares);
        }
    }
    beside
}

/// What one side has more of, as a share of what both have, times the weight.
fn share(ours: u64, theirs: u64, weight: Score) -> Score {
    let (ours, theirs) = (ours.count_ones() as Score, theirs.count_ones() as Score);
    weight * (ours - theirs) / (ours + theirs + 2)
}

impl Evaluation<Othello> for Classical {
    type State = ();

    fn start(&self) {}

    #[inline]
    fn evaluate(&self, (): &mut (), _ply: usize, position: &Position) -> Score {
        let Position { own, opposing, .. } = *position;
        let empty = position.empty();
        let (moves, replies) = (mobility(own, opposing), mobility(opposing, own));
        let count = |set: u64| (set & own).count_ones() as Score - (set & opposing).count_ones() as Score;
        let mut value = share(moves, replies, Self::MOBILITY)
            + share(surroundings(opposing) & empty, surroundings(own) & empty, Self::POTENTIAL);
        let (x_squares, c_squares) = beside_empty_corners(empty);
        value += Self::X_SQUARE * count(x_squares) + Self::C_SQUARE * count(c_squares);
        let threats = (moves & CORNERS).count_ones() as Score - (replies & CORNERS).count_ones() as Score;
        value += Self::CORNER_MOVE * threats;
        // Without a corner hardly any disc is stable.
        if empty & CORNERS != CORNERS {
            value += Self::CORNER * count(CORNERS);
            let stable = stable(own, opposing).count_ones() as Score - stable(opposing, own).count_ones() as Score;
            value += Self::STABLE * stable;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, Symmetry};

    const START: &str = "---------------------------OX------XO---------------------------";

    fn value<E: Evaluation<Othello> + Default>(text: &str) -> Score {
        let position = Othello::parse_position(text).unwrap();
        let value = E::default().judge(&position);
        for image in Othello::images(&position) {
            assert_eq!(E::default().judge(&image), value, "an evaluation favours a side or a wing");
        }
        value
    }

    #[test]
    fn the_weights_are_norvig_s() {
        let all: u64 = BY_WEIGHT.iter().map(|&(set, _)| set).sum();
        assert_eq!(all, u64::MAX, "every square has one weight");
        assert_eq!(BY_WEIGHT.iter().map(|&(set, weight)| set.count_ones() as Score * weight).sum::<Score>(), 376);
        // a1 for 120, b2 for -40, c1 for 20; the discs in the centre cancel out.
        let board = START.replacen("--", "X-", 1);
        assert_eq!(value::<WeightedSquares>(&format!("{board} X")), 120);
        let board = format!("X-O------X{}", &START[10..]);
        assert_eq!(value::<WeightedSquares>(&format!("{board} X")), 120 - 20 - 40);
        assert_eq!(value::<WeightedSquares>(&format!("{board} O")), -(120 - 20 - 40));
    }

    #[test]
    fn discs_are_counted() {
        assert_eq!(value::<DiscCount>(&format!("XXX{} O", &START[3..])), -3);
    }

    #[test]
    fn the_classical_terms_point_the_right_way() {
        let classical = |board: &str| value::<Classical>(&format!("{board} X"));
        assert_eq!(classical(START), 0);
        assert!(classical(&format!("X{}", &START[1..])) > 100, "a corner is good");
        let x_square = format!("---------X{}", &START[10..]);
        assert!(classical(&x_square) < -100, "an X-square beside an empty corner is bad");
        assert!(classical(&format!("X{}", &x_square[1..])) > classical(&x_square) + 300, "with its corner it is not");
        assert!(classical(&format!("-O{}", &START[2..])) > 50, "a C-square is bad for the opponent");
        // White, to move, has no move and Black one: mobility.
        let shut_in = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX-XXXXXXO-";
        assert!(value::<Classical>(&format!("{shut_in} O")) < -500);
    }
}
