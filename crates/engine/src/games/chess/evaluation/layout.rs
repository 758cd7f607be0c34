// SPDX-License-Identifier: GPL-3.0-or-later
//! The weights of the evaluation and their places in the list. The evaluation and its tuner share this declaration.

/// A weight in the middlegame and in the endgame, in hundredths of a pawn.
pub type Weight = (i32, i32);

/// A term of the evaluation: a run of weights, one or a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its name in the file of weights.
    pub name: &'static str,
    /// The place of its first weight.
    pub first: usize,
    /// How many weights it has.
    pub count: usize,
    /// Weights a line of the file of weights.
    pub row: usize,
    /// The weight of the piece, if every piece counts exactly one entry of this table: the mean of the entries belongs
    /// to the piece.
    pub base: Option<usize>,
}

impl Term {
    const fn first(name: &'static str, count: usize) -> Self {
        Self { name, first: 0, count, row: count, base: None }
    }

    /// The term kept behind this one.
    const fn then(self, name: &'static str, count: usize) -> Self {
        Self { name, first: self.end(), count, row: count, base: None }
    }

    const fn rows_of(self, row: usize) -> Self {
        Self { row, ..self }
    }

    const fn of(self, piece: usize) -> Self {
        Self { base: Some(piece), ..self }
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
pub const MATERIAL: Term = Term::first("material", 5);
/// Pawns by square, the own first rank first.
pub const PAWN_SQUARES: Term = MATERIAL.then("pawn squares", HALF).rows_of(4).of(0);
/// Knights by square.
pub const KNIGHT_SQUARES: Term = PAWN_SQUARES.then("knight squares", HALF).rows_of(4).of(1);
/// Bishops by square.
pub const BISHOP_SQUARES: Term = KNIGHT_SQUARES.then("bishop squares", HALF).rows_of(4).of(2);
/// Rooks by square.
pub const ROOK_SQUARES: Term = BISHOP_SQUARES.then("rook squares", HALF).rows_of(4).of(3);
/// Queens by square.
pub const QUEEN_SQUARES: Term = ROOK_SQUARES.then("queen squares", HALF).rows_of(4).of(4);
/// Kings by square; every side has one, so that only differences count.
pub const KING_SQUARES: Term = QUEEN_SQUARES.then("king squares", HALF).rows_of(4);
/// Pieces by the number of squares that they can go to without meeting an own piece or a pawn's attack.
pub const KNIGHT_MOBILITY: Term = KING_SQUARES.then("knight mobility", 9).of(1);
/// The same of bishops.
pub const BISHOP_MOBILITY: Term = KNIGHT_MOBILITY.then("bishop mobility", 14).of(2);
/// The same of rooks.
pub const ROOK_MOBILITY: Term = BISHOP_MOBILITY.then("rook mobility", 15).of(3);
/// The same of queens.
pub const QUEEN_MOBILITY: Term = ROOK_MOBILITY.then("queen mobility", 28).rows_of(14).of(4);
/// Two bishops or more.
pub const BISHOP_PAIR: Term = QUEEN_MOBILITY.then("bishop pair", 1);
/// Own pawns on squares of the colour of an own bishop, for each bishop.
pub const BISHOP_PAWNS: Term = BISHOP_PAIR.then("pawns on a bishop's colour", 1);
/// Knights, then bishops, that a pawn supports where no pawn can ever drive them away.
pub const OUTPOST: Term = BISHOP_PAWNS.then("knight and bishop outposts", 2);
/// Rooks on files without any pawn, then on files without own ones.
pub const ROOK_FILE: Term = OUTPOST.then("rooks on open and half-open files", 2);
/// Rooks on the seventh rank while there are pawns to take or a king to keep there.
pub const ROOK_SEVENTH: Term = ROOK_FILE.then("rooks on the seventh", 1);
/// Pawns with an own one ahead on their file.
pub const DOUBLED: Term = ROOK_SEVENTH.then("doubled pawns", 1);
/// Pawns without own ones on the files beside: on files that an opposing pawn closes, then on others.
pub const ISOLATED: Term = DOUBLED.then("isolated pawns, file closed or not", 2);
/// Pawns that cannot advance safely and that no pawn can come to support; likewise.
pub const BACKWARD: Term = ISOLATED.then("backward pawns, file closed or not", 2);
/// Pawns beside own ones, by rank.
pub const PHALANX: Term = BACKWARD.then("pawns side by side, by rank", 8);
/// Pawns that pawns support, by rank.
pub const SUPPORTED: Term = PHALANX.then("supported pawns, by rank", 8);
/// Pawns that no opposing pawn can stop, by rank.
pub const PASSED: Term = SUPPORTED.then("passed pawns, by rank", 8);
/// Those of them with an opposing piece right ahead.
pub const PASSED_BLOCKED: Term = PASSED.then("passed pawns, blocked, by rank", 8);
/// Those whose whole way is neither occupied nor attacked.
pub const PASSED_FREE: Term = PASSED_BLOCKED.then("passed pawns, way free, by rank", 8);
/// Those that a pawn supports.
pub const PASSED_SUPPORTED: Term = PASSED_FREE.then("passed pawns, supported", 1);
/// By how many steps the own king is from the square ahead of a passed pawn in the other half.
pub const PASSED_OWN_KING: Term = PASSED_SUPPORTED.then("passed pawns, own king's distance", 8);
/// By how many steps the other king is.
pub const PASSED_THEIR_KING: Term = PASSED_OWN_KING.then("passed pawns, other king's distance", 8);
/// The king's file and the two beside it, by how many ranks ahead the nearest own pawn is; 7 if there is none.
pub const SHELTER: Term = PASSED_THEIR_KING.then("shelter: own pawn's distance", 8);
/// The same of the nearest opposing pawn.
pub const STORM: Term = SHELTER.then("storm: opposing pawn's distance", 8);
/// The king stands on a file without any pawn, or without own ones.
pub const KING_FILE: Term = STORM.then("king on an open or half-open file", 2);
/// Squares of the ring around the other king that a knight, bishop, rook or queen attacks.
pub const RING_ATTACKS: Term = KING_FILE.then("attacks on the king's ring, by piece", 4);
/// Whether a knight, bishop, rook or queen can safely give check.
pub const SAFE_CHECK: Term = RING_ATTACKS.then("safe checks, by piece", 4);
/// How many units of danger the other king is in (`king.rs` counts them).
pub const DANGER: Term = SAFE_CHECK.then("danger of the king, by units", 20);
/// Knights, bishops, rooks and queens that a pawn attacks.
pub const PAWN_THREAT: Term = DANGER.then("attacked by a pawn: N B R Q", 4);
/// Pawns to queens, not supported by a pawn, that a knight or bishop attacks.
pub const MINOR_THREAT: Term = PAWN_THREAT.then("attacked by a minor piece: P N B R Q", 5);
/// The same attacked by a rook.
pub const ROOK_THREAT: Term = MINOR_THREAT.then("attacked by a rook: P N B R Q", 5);
/// The same attacked by the king, of whatever kind.
pub const KING_THREAT: Term = ROOK_THREAT.then("attacked by the king", 1);
/// Pawns, then pieces, that are attacked and not defended at all.
pub const HANGING: Term = KING_THREAT.then("hanging pawns and pieces", 2);
/// Pieces that a pawn could attack by a safe step.
pub const PUSH_THREAT: Term = HANGING.then("attackable by a pawn's step", 1);
/// The right to move.
pub const TEMPO: Term = PUSH_THREAT.then("tempo", 1);

/// Squares by the index of the role.
pub const SQUARES: [Term; 6] =
    [PAWN_SQUARES, KNIGHT_SQUARES, BISHOP_SQUARES, ROOK_SQUARES, QUEEN_SQUARES, KING_SQUARES];

/// How many weights there are.
pub const WEIGHTS_COUNT: usize = TEMPO.end();

/// All terms, in the order in which their weights are kept.
pub const TERMS: [Term; 40] = [
    MATERIAL,
    PAWN_SQUARES,
    KNIGHT_SQUARES,
    BISHOP_SQUARES,
    ROOK_SQUARES,
    QUEEN_SQUARES,
    KING_SQUARES,
    KNIGHT_MOBILITY,
    BISHOP_MOBILITY,
    ROOK_MOBILITY,
    QUEEN_MOBILITY,
    BISHOP_PAIR,
    BISHOP_PAWNS,
    OUTPOST,
    ROOK_FILE,
    ROOK_SEVENTH,
    DOUBLED,
    ISOLATED,
    BACKWARD,
    PHALANX,
    SUPPORTED,
    PASSED,
    PASSED_BLOCKED,
    PASSED_FREE,
    PASSED_SUPPORTED,
    PASSED_OWN_KING,
    PASSED_THEIR_KING,
    SHELTER,
    STORM,
    KING_FILE,
    RING_ATTACKS,
    SAFE_CHECK,
    DANGER,
    PAWN_THREAT,
    MINOR_THREAT,
    ROOK_THREAT,
    KING_THREAT,
    HANGING,
    PUSH_THREAT,
    TEMPO,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_lie_one_behind_the_other() {
        let mut next = 0;
        for term in TERMS {
            assert_eq!(term.first, next, "{}", term.name);
            assert!(!term.name.is_empty() && term.count > 0);
            assert_eq!(term.count % term.row, 0, "{}", term.name);
            next += term.count;
        }
        assert_eq!(next, WEIGHTS_COUNT);
    }
}
