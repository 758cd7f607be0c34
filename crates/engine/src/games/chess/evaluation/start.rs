// SPDX-License-Identifier: GPL-3.0-or-later
//! The initial weights of tuning, and the centre of its prior: textbook piece values, and round numbers of our
//! judgement for well-known terms. The others are zero and left to tuning.

use super::layout::Weight;
use super::layout::{
    BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_SQUARES, DANGER, DOUBLED, HANGING, ISOLATED, KING_SQUARES, KNIGHT_MOBILITY,
    KNIGHT_SQUARES, MATERIAL, MINOR_THREAT, OUTPOST, PASSED, PASSED_FREE, PASSED_OWN_KING, PASSED_THEIR_KING,
    PAWN_SQUARES, PAWN_THREAT, QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY, ROOK_THREAT, SHELTER, SUPPORTED, TEMPO, Term,
    WEIGHTS_COUNT,
};

type Weights = [Weight; WEIGHTS_COUNT];

/// Where tuning starts from.
pub const START: Weights = start();

const fn start() -> Weights {
    let mut weights = [(0, 0); WEIGHTS_COUNT];
    let values = [100, 300, 300, 500, 900];
    let mut role = 0;
    while role < values.len() {
        weights[MATERIAL.at(role)] = (values[role], values[role]);
        role += 1;
    }
    // Knights and bishops stand well in the middle, and so does the king once the queens have gone.
    middle(&mut weights, KNIGHT_SQUARES, (6, 4));
    middle(&mut weights, BISHOP_SQUARES, (2, 1));
    middle(&mut weights, KING_SQUARES, (-6, 8));
    // Pawns advance, those in the middle first.
    let mut rank = 1;
    while rank < 7 {
        let mut file = 0;
        while file < 4 {
            weights[PAWN_SQUARES.at(rank * 4 + file)] =
                ((file as i32 - 1) * (rank as i32 - 1) * 2, (rank as i32 - 3) * 4);
            file += 1;
        }
        let steps = rank as i32 - 1;
        weights[PASSED.at(rank)] = (2 * steps * steps, 4 * steps * steps);
        weights[PASSED_FREE.at(rank)] = (steps * steps, 2 * steps * steps);
        weights[SUPPORTED.at(rank)] = (3 + 2 * steps, 2 * steps);
        rank += 1;
    }
    slope(&mut weights, KNIGHT_MOBILITY, 4, (4, 4));
    slope(&mut weights, BISHOP_MOBILITY, 6, (4, 4));
    slope(&mut weights, ROOK_MOBILITY, 7, (2, 4));
    slope(&mut weights, QUEEN_MOBILITY, 13, (1, 2));
    slope(&mut weights, PASSED_OWN_KING, 4, (0, -8));
    slope(&mut weights, PASSED_THEIR_KING, 4, (0, 12));
    all(&mut weights, BISHOP_PAIR, (30, 50));
    all(&mut weights, OUTPOST, (20, 10));
    all(&mut weights, DOUBLED, (-8, -16));
    all(&mut weights, ISOLATED, (-10, -10));
    all(&mut weights, TEMPO, (15, 5));
    all(&mut weights, PAWN_THREAT, (40, 30));
    all(&mut weights, HANGING, (15, 15));
    weights[ROOK_FILE.at(0)] = (30, 10);
    weights[ROOK_FILE.at(1)] = (12, 5);
    let mut role = 1;
    while role < 5 {
        weights[MINOR_THREAT.at(role)] = (10 * role as i32, 8 * role as i32);
        weights[ROOK_THREAT.at(role)] = (8 * role as i32, 6 * role as i32);
        role += 1;
    }
    // A pawn directly in front of the king is worth most, and less with every rank further away.
    let shelter = [0, 18, 10, 2, -4, -6, -8, -12];
    let mut distance = 0;
    while distance < SHELTER.count {
        weights[SHELTER.at(distance)] = (shelter[distance], 0);
        distance += 1;
    }
    let mut units = 0;
    while units < DANGER.count {
        weights[DANGER.at(units)] = ((units * units) as i32, 0);
        units += 1;
    }
    weights
}

/// The same for all weights of a term.
const fn all(weights: &mut Weights, term: Term, value: Weight) {
    let mut index = 0;
    while index < term.count {
        weights[term.at(index)] = value;
        index += 1;
    }
}

/// `step` for each count above the typical number.
const fn slope(weights: &mut Weights, term: Term, typical: i32, step: Weight) {
    let mut index = 0;
    while index < term.count {
        let more = index as i32 - typical;
        weights[term.at(index)] = (step.0 * more, step.1 * more);
        index += 1;
    }
}

/// So much for each step from the edge towards the middle, in files and in ranks, beyond three.
const fn middle(weights: &mut Weights, term: Term, step: Weight) {
    let mut index = 0;
    while index < term.count {
        let (rank, file) = (index as i32 / 4, index as i32 % 4);
        let steps = file + if rank < 4 { rank } else { 7 - rank } - 3;
        weights[term.at(index)] = (step.0 * steps, step.1 * steps);
        index += 1;
    }
}
