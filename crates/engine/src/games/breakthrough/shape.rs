// SPDX-License-Identifier: GPL-3.0-or-later
//! The size of the board, and what follows from it.

use crate::game::Side;

/// The a-file.
pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;

/// By side: how far a bitboard is rotated left to step one row forward.
pub(super) const FORWARD: [u32; 2] = [8, 56];
/// By side: one row forward and one file towards the a-file.
pub(super) const FORWARD_WEST: [u32; 2] = [7, 55];
/// By side: one row forward and one file towards the h-file.
pub(super) const FORWARD_EAST: [u32; 2] = [9, 57];

/// A size of the board. The game knows its own at compile time ([`Breakthrough`](super::Breakthrough)): there all of
/// this is constant. The solver knows it at run time ([`Rectangle`]).
///
/// A smaller board is the corner at a1 of the board of 8x8 squares: square 8 is a2 on every board.
pub(super) trait Shape: Copy {
    /// Columns of the board.
    fn columns(self) -> u32;

    /// Rows of the board.
    fn rows(self) -> u32;

    /// All squares of a row, counted from White's back row, which is 0.
    #[inline(always)]
    fn rank(self, row: u32) -> u64 {
        (0xFF >> (8 - self.columns())) << (8 * row)
    }

    /// The rank that wins for a side.
    #[inline(always)]
    fn goal(self, side: Side) -> u64 {
        [self.rank(self.rows() - 1), self.rank(0)][side.index()]
    }

    /// The rank one row before the goal of a side.
    #[inline(always)]
    fn before_goal(self, side: Side) -> u64 {
        [self.rank(self.rows() - 2), self.rank(1)][side.index()]
    }

    /// The last file.
    #[inline(always)]
    fn last_file(self) -> u64 {
        FILE_A << (self.columns() - 1)
    }

    /// The row of a square seen by a side: 0 is its own back row, the last one its goal.
    #[inline(always)]
    fn row(self, square: u32, side: Side) -> u32 {
        let rank = square >> 3;
        match side {
            Side::White => rank,
            Side::Black => self.rows() - 1 - rank,
        }
    }

    /// Most pieces that a side ever has.
    fn most_pieces(self) -> u32 {
        2 * self.columns()
    }

    /// The squares that a side's pieces attack.
    #[inline(always)]
    fn attacks(self, pieces: u64, side: Side) -> u64 {
        let (west, east) = self.forward_diagonals(pieces, side);
        west | east
    }

    /// A bitboard moved one row forward and one file to the west, and the same to the east.
    #[inline(always)]
    fn forward_diagonals(self, board: u64, side: Side) -> (u64, u64) {
        let (west, east) = (board & !FILE_A, board & !self.last_file());
        (west.rotate_left(FORWARD_WEST[side.index()]), east.rotate_left(FORWARD_EAST[side.index()]))
    }

    /// The board with left and right exchanged.
    #[inline(always)]
    fn mirror_image(self, board: u64) -> u64 {
        board.swap_bytes().reverse_bits() >> (8 - self.columns())
    }

    /// The board with the two ends exchanged.
    #[inline(always)]
    fn upside_down(self, board: u64) -> u64 {
        board.swap_bytes() >> (8 * (8 - self.rows()))
    }
}
