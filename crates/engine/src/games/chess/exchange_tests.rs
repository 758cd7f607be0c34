// SPDX-License-Identifier: GPL-3.0-or-later
//! Static exchange against all captures on the square tried out, and known exchanges.

use rand::seq::IndexedRandom;
use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{Chess as Rules, Position as _};

use super::*;
use crate::game::Notation;
use crate::games::Chess;

/// What the side to move gains at most by capturing on the square, or 0 if it does not: captures played out with the
/// least valuable piece first. Legal moves only, so that pins and checks are seen here and not there.
fn best(position: &Rules, square: Square) -> Score {
    let captures = position.capture_moves();
    let cheapest =
        captures.iter().filter(|mv| mv.to() == square).min_by_key(|mv| (value(mv.role()), mv.promotion().is_some()));
    cheapest.map_or(0, |&mv| gain(position, mv).max(0))
}

/// What a move brings in if the opponent answers as well as it can on the square.
fn gain(position: &Rules, mv: Move) -> Score {
    let promoted = mv.promotion().map_or(0, |role| value(role) - value(Role::Pawn));
    let mut next = position.clone();
    next.play_unchecked(mv);
    mv.capture().map_or(0, value) + promoted - best(&next, mv.to())
}

/// Without sliders behind kings, checks and promotions both ways of counting must agree.
fn comparable(position: &Rules) -> bool {
    let quiet = |position: &Rules| !position.is_check();
    quiet(position) && position.clone().swap_turn().is_ok_and(|other| quiet(&other))
}

#[test]
fn exchanges_are_what_playing_them_out_brings() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let (mut compared, mut differing) = (0, 0);
    for _ in 0..300 {
        let mut position = Rules::default();
        for _ in 0..60 {
            let moves = position.legal_moves();
            let Some(&mv) = moves.choose(&mut random) else { break };
            position.play_unchecked(mv);
            if !comparable(&position) {
                continue;
            }
            for &mv in position.legal_moves().iter().filter(|mv| mv.promotion().is_none() && !mv.is_castle()) {
                let expected = gain(&position, mv);
                let agrees = reaches(&position, mv, expected) && !reaches(&position, mv, expected + 1);
                compared += 1;
                differing += u32::from(!agrees);
            }
        }
    }
    // Pins, checks in between and promotions on the way are what a static exchange does not see.
    assert!(compared > 100_000, "{compared}");
    assert!(differing * 100 < compared * 2, "{differing} of {compared} differ");
}

#[test]
fn known_exchanges() {
    for (fen, mv, worth) in [
        // A rook takes an undefended pawn.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        // Knight takes pawn; the exchange continues behind the queen and loses a knight for a pawn.
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 325),
        // A pawn's capture en passant.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        // The king may not recapture where he would step into the rook's line.
        ("3rk3/8/8/8/3p4/8/3R4/3RK3 w - - 0 1", "d2d4", 100),
        // A quiet move to where a pawn takes.
        ("4k3/8/2p5/8/8/8/8/3QK3 w - - 0 1", "d1d5", -975),
    ] {
        let position = Chess::parse_position(fen).unwrap();
        let mv = Chess::parse_move(&position, mv).unwrap();
        assert!(reaches(&position, mv, worth), "{fen}: less than {worth}");
        assert!(!reaches(&position, mv, worth + 1), "{fen}: more than {worth}");
    }
}
