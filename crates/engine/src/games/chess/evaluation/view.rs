// SPDX-License-Identifier: GPL-3.0-or-later
//! The board as one side sees it. Every term is written once, for a side that moves up; the other side looks at the
//! board turned over.

use shakmaty::{Bitboard, Board, Color, Role, Square};

/// Indices of roles into arrays.
pub const PAWN: usize = 0;
/// Knights.
pub const KNIGHT: usize = 1;
/// Bishops.
pub const BISHOP: usize = 2;
/// Rooks.
pub const ROOK: usize = 3;
/// Queens.
pub const QUEEN: usize = 4;
/// Kings.
pub const KING: usize = 5;

const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);

/// The board, from one side.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Own pieces by role.
    pub own: [Bitboard; 6],
    /// Opposing pieces by role.
    pub their: [Bitboard; 6],
    /// All own pieces.
    pub own_all: Bitboard,
    /// Both sides' pieces.
    pub occupied: Bitboard,
    /// The own king.
    pub king: Square,
    /// The opposing king.
    pub their_king: Square,
}

impl View {
    /// The board from a side.
    #[inline]
    pub fn new(board: &Board, color: Color) -> Self {
        let roles = Role::ALL.map(|role| board.by_role(role));
        let (own_all, their_all) = (board.by_color(color), board.by_color(!color));
        let white = Self {
            own: roles.map(|pieces| pieces & own_all),
            their: roles.map(|pieces| pieces & their_all),
            own_all,
            occupied: board.occupied(),
            // The rules see to it that both kings are there.
            king: board.king_of(color).unwrap_or(Square::A1),
            their_king: board.king_of(!color).unwrap_or(Square::A1),
        };
        if color.is_white() { white } else { white.turned() }
    }

    /// Sides left as they are, the board turned over.
    #[inline]
    fn turned(self) -> Self {
        Self {
            own: self.own.map(Bitboard::flip_vertical),
            their: self.their.map(Bitboard::flip_vertical),
            own_all: self.own_all.flip_vertical(),
            occupied: self.occupied.flip_vertical(),
            king: self.king.flip_vertical(),
            their_king: self.their_king.flip_vertical(),
        }
    }

    /// The board from the other side.
    #[inline]
    pub fn other(self) -> Self {
        Self {
            own: self.their,
            their: self.own,
            own_all: self.occupied ^ self.own_all,
            king: self.their_king,
            their_king: self.king,
            ..self
        }
        .turned()
    }

    /// Squares that opposing pawns attack.
    #[inline]
    pub fn their_pawn_attacks(&self) -> Bitboard {
        let down = Bitboard(self.their[PAWN].0 >> 8);
        sideways(down)
    }

    /// The other king and the squares around it.
    #[inline]
    pub fn ring(&self) -> Bitboard {
        shakmaty::attacks::king_attacks(self.their_king) | self.their_king
    }
}

/// The attacks of one side, and their danger for the other king.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attacks {
    /// Squares attacked, by role.
    pub by: [Bitboard; 6],
    /// Squares attacked at all.
    pub all: Bitboard,
    /// Squares attacked at least twice.
    pub twice: Bitboard,
    /// Units of danger that pieces near the other king make.
    pub danger: usize,
}

impl Attacks {
    /// Adds the attacks of one piece, or of all pawns in one direction.
    #[inline]
    pub fn insert(&mut self, role: usize, squares: Bitboard) {
        self.by[role] |= squares;
        self.twice |= self.all & squares;
        self.all |= squares;
    }

    /// The same squares on the board turned over.
    #[inline]
    pub fn turned(&self) -> Self {
        Self {
            by: self.by.map(Bitboard::flip_vertical),
            all: self.all.flip_vertical(),
            twice: self.twice.flip_vertical(),
            danger: self.danger,
        }
    }
}

/// One file towards the a-file.
#[inline]
pub fn west(squares: Bitboard) -> Bitboard {
    Bitboard((squares & !FILE_A).0 >> 1)
}

/// One file towards the h-file.
#[inline]
pub fn east(squares: Bitboard) -> Bitboard {
    Bitboard((squares & !FILE_H).0 << 1)
}

/// One file to both sides.
#[inline]
pub fn sideways(squares: Bitboard) -> Bitboard {
    west(squares) | east(squares)
}

/// One rank up.
#[inline]
pub fn up(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 << 8)
}

/// One rank down.
#[inline]
pub fn down(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 >> 8)
}

/// The squares and all above them.
#[inline]
pub fn fill_up(squares: Bitboard) -> Bitboard {
    let mut filled = squares.0;
    filled |= filled << 8;
    filled |= filled << 16;
    filled |= filled << 32;
    Bitboard(filled)
}

/// The squares and all below them.
#[inline]
pub fn fill_down(squares: Bitboard) -> Bitboard {
    let mut filled = squares.0;
    filled |= filled >> 8;
    filled |= filled >> 16;
    filled |= filled >> 32;
    Bitboard(filled)
}

/// The squares' whole files.
#[inline]
pub fn files(squares: Bitboard) -> Bitboard {
    fill_up(squares) | fill_down(squares)
}

/// A square's place in a table of half a board; wings are symmetric.
#[inline]
pub fn half(square: Square) -> usize {
    let (file, rank) = (square as usize & 7, square as usize >> 3);
    rank * 4 + file.min(7 - file)
}

/// A square's rank, from 0.
#[inline]
pub fn rank(square: Square) -> usize {
    square as usize >> 3
}
