// SPDX-License-Identifier: GPL-3.0-or-later
//! The weights of the evaluation and their places in the list.

/// A weight in the middlegame and in the endgame, in hundredths of a pawn.
pub type Weight = (i32, i32);

/// A term of the evaluation: a run of weights, one or a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The place of its first weight.
    pub first: usize,
    /// How many weights it has.
    pub count: usize,
}

impl Term {
    /// The term kept behind this one.
    const fn then(self, count: usize) -> Self {
        Self { first: self.end(), count }
    }

    const fn end(self) -> usize {
        self.first + self.count
    }

    /// Where the term's `index`-th weight is kept.
    #[inline]
    pub const fn at(self, index: usize) -> usize {
        self.first + index
    }
}

/// Squares of half a board, because wings are symmetric: four a rank, from the edge to the middle.
const HALF: usize = 32;

/// Pawn, knight, bishop, rook, queen.
pub const MATERIAL: Term = Term { first: 0, count: 5 };
/// Pawns by square, the own first rank first.
pub const PAWN_SQUARES: Term = MATERIAL.then(HALF);
/// Knights by square.
pub const KNIGHT_SQUARES: Term = PAWN_SQUARES.then(HALF);
/// Bishops by square.
pub const BISHOP_SQUARES: Term = KNIGHT_SQUARES.then(HALF);
/// Rooks by square.
pub const ROOK_SQUARES: Term = BISHOP_SQUARES.then(HALF);
/// Queens by square.
pub const QUEEN_SQUARES: Term = ROOK_SQUARES.then(HALF);
/// Kings by square; every side has one, so that only differences count.
pub const KING_SQUARES: Term = QUEEN_SQUARES.then(HALF);
/// Pieces by the number of squares that they can go to without meeting an own piece or a pawn's attack.
pub const KNIGHT_MOBILITY: Term = KING_SQUARES.then(9);
/// The same of bishops.
pub const BISHOP_MOBILITY: Term = KNIGHT_MOBILITY.then(14);
/// The same of rooks.
pub const ROOK_MOBILITY: Term = BISHOP_MOBILITY.then(15);
/// The same of queens.
pub const QUEEN_MOBILITY: Term = ROOK_MOBILITY.then(28);
/// Two bishops or more.
pub const BISHOP_PAIR: Term = QUEEN_MOBILITY.then(1);
/// Own pawns on squares of the colour of an own bishop, for each bishop.
pub const BISHOP_PAWNS: Term = BISHOP_PAIR.then(1);
/// Knights, then bishops, that a pawn supports where no pawn can ever drive them away.
pub const OUTPOST: Term = BISHOP_PAWNS.then(2);
/// Rooks on files without any pawn, then on files without own ones.
pub const ROOK_FILE: Term = OUTPOST.then(2);
/// Rooks on the seventh rank while there are pawns to take or a king to keep there.
pub const ROOK_SEVENTH: Term = ROOK_FILE.then(1);
/// Pawns with an own one ahead on their file.
pub const DOUBLED: Term = ROOK_SEVENTH.then(1);
/// Pawns without own ones on the files beside: on files that an opposing pawn closes, then on others.
pub const ISOLATED: Term = DOUBLED.then(2);
/// Pawns that cannot advance safely and that no pawn can come to support; likewise.
pub const BACKWARD: Term = ISOLATED.then(2);
/// Pawns beside own ones, by rank.
pub const PHALANX: Term = BACKWARD.then(8);
/// Pawns that pawns support, by rank.
pub const SUPPORTED: Term = PHALANX.then(8);
/// Pawns that no opposing pawn can stop, by rank.
pub const PASSED: Term = SUPPORTED.then(8);
/// Those of them with an opposing piece right ahead.
pub const PASSED_BLOCKED: Term = PASSED.then(8);
/// Those whose whole way is neither occupied nor attacked.
pub const PASSED_FREE: Term = PASSED_BLOCKED.then(8);
/// Those that a pawn supports.
pub const PASSED_SUPPORTED: Term = PASSED_FREE.then(1);
/// By how many steps the own king is from the square ahead of a passed pawn in the other half.
pub const PASSED_OWN_KING: Term = PASSED_SUPPORTED.then(8);
/// By how many steps the other king is.
pub const PASSED_THEIR_KING: Term = PASSED_OWN_KING.then(8);
/// The king's file and the two beside it, by how many ranks ahead the nearest own pawn is; 7 if there is none.
pub const SHELTER: Term = PASSED_THEIR_KING.then(8);
/// The same of the nearest opposing pawn.
pub const STORM: Term = SHELTER.then(8);
/// The king stands on a file without any pawn, or without own ones.
pub const KING_FILE: Term = STORM.then(2);
/// Squares of the ring around the other king that a knight, bishop, rook or queen attacks.
pub const RING_ATTACKS: Term = KING_FILE.then(4);
/// Whether a knight, bishop, rook or queen can safely give check.
pub const SAFE_CHECK: Term = RING_ATTACKS.then(4);
/// How many units of danger the other king is in (`king.rs` counts them).
pub const DANGER: Term = SAFE_CHECK.then(20);
/// Knights, bishops, rooks and queens that a pawn attacks.
pub const PAWN_THREAT: Term = DANGER.then(4);
/// Pawns to queens, not supported by a pawn, that a knight or bishop attacks.
pub const MINOR_THREAT: Term = PAWN_THREAT.then(5);
/// The same attacked by a rook.
pub const ROOK_THREAT: Term = MINOR_THREAT.then(5);
/// The same attacked by the king, of whatever kind.
pub const KING_THREAT: Term = ROOK_THREAT.then(1);
/// Pawns, then pieces, that are attacked and not defended at all.
pub const HANGING: Term = KING_THREAT.then(2);
/// Pieces that a pawn could attack by a safe step.
pub const PUSH_THREAT: Term = HANGING.then(1);
/// The right to move.
pub const TEMPO: Term = PUSH_THREAT.then(1);

/// Squares by the index of the role.
pub const SQUARES: [Term; 6] =
    [PAWN_SQUARES, KNIGHT_SQUARES, BISHOP_SQUARES, ROOK_SQUARES, QUEEN_SQUARES, KING_SQUARES];

/// How many weights there are.
pub const WEIGHTS_COUNT: usize = TEMPO.end();
