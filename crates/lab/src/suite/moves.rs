// SPDX-License-Identifier: GPL-3.0-or-later
//! The moves of an EPD operation, as people write them.

use super::tolerance::Oddity;
use halfply_engine::game::{Notation, NotationError, legal_moves};

/// Reads a list of moves. Accepted deviations are passed to `note`.
///
/// # Errors
/// If an entry of the list is illegal or ambiguous.
pub fn read<G: Notation>(
    position: &G::Position,
    operands: &str,
    note: &mut impl FnMut(Oddity),
) -> Result<Vec<G::Move>, NotationError> {
    let mut texts: Vec<String> = Vec::new();
    for word in operands.split(|symbol: char| symbol.is_whitespace() || symbol == ',').filter(|word| !word.is_empty()) {
        match texts.last_mut() {
            // A separate sign belongs to the move before it.
            Some(before) if word.chars().all(is_sign) => {
                before.push_str(word);
                note(Oddity::CheckSign);
            }
            _ => texts.push(word.to_owned()),
        }
    }
    operands.matches(',').for_each(|_| note(Oddity::Comma));
    let read = |text: &String| {
        let mv = read_one::<G>(position, text)?;
        oddities(text, &G::format_move(position, mv), &G::record_move(position, mv)).into_iter().for_each(&mut *note);
        Ok(mv)
    };
    texts.iter().map(read).collect()
}

/// A move by the game's own notation, or else the one legal move whose record has the same pieces and squares.
fn read_one<G: Notation>(position: &G::Position, text: &str) -> Result<G::Move, NotationError> {
    G::parse_move(position, text).or_else(|error| {
        let essence = essence(text);
        let mut moves = legal_moves::<G>(position)
            .iter()
            .copied()
            .filter(|&mv| self::essence(&G::record_move(position, mv)) == essence)
            .collect::<Vec<_>>();
        match (moves.pop(), moves.pop()) {
            (Some(mv), None) => Ok(mv),
            _ => Err(error),
        }
    })
}

/// A check, or an annotation.
const fn is_sign(symbol: char) -> bool {
    matches!(symbol, '+' | '#' | '!' | '?')
}

/// A move in algebraic notation without punctuation.
fn essence(text: &str) -> String {
    let text = text.strip_suffix("e.p.").unwrap_or(text);
    let kept = text.chars().filter(|&symbol| !is_sign(symbol) && !matches!(symbol, 'x' | ':' | '=' | '-' | '(' | ')'));
    kept.map(|symbol| if symbol == '0' { 'O' } else { symbol }).collect()
}

/// How a text that was read as a move deviates from the move in algebraic notation. Coordinates never do.
fn oddities(text: &str, coordinates: &str, record: &str) -> Vec<Oddity> {
    if text == coordinates || record == coordinates {
        return Vec::new();
    }
    let text = text.trim_end_matches(['!', '?']);
    fn check(text: &str) -> &str {
        &text[text.trim_end_matches(['+', '#']).len()..]
    }
    let is_capture = |text: &str| text.contains(['x', ':']);
    let departs = [
        (Oddity::CheckSign, check(text) != check(record)),
        (Oddity::Promotion, text.contains('=') != record.contains('=')),
        (Oddity::Castling, text.starts_with('0')),
        (Oddity::Capture, is_capture(text) != is_capture(record)),
    ];
    departs.into_iter().filter_map(|(oddity, departs)| departs.then_some(oddity)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Breakthrough, Chess};

    /// The moves in coordinates, and what was tolerated.
    fn chess(fen: &str, operands: &str) -> (Vec<String>, Vec<Oddity>) {
        let position = Chess::parse_position(fen).unwrap();
        let mut noted = Vec::new();
        let moves = read::<Chess>(&position, operands, &mut |oddity| noted.push(oddity)).expect(operands);
        (moves.iter().map(|&mv| Chess::format_move(&position, mv)).collect(), noted)
    }

    const PROMOTION: &str = "8/2P1P3/b1B2p2/1pPRp3/2k3P1/P4pK1/nP3p1p/N7 w - -";
    const CASTLING: &str = "r3k2r/pp3ppp/8/8/8/8/PP3PPP/R3K2R w KQkq -";
    const CHECKS: &str = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -";
    const CAPTURES: &str = "2r1k2r/2pn1pp1/1p3n1p/p3PP2/4q2B/P1P5/2Q1N1PP/R4RK1 w k -";

    #[test]
    fn what_is_clear_is_read_and_noted() {
        use Oddity::*;
        for (fen, operands, moves, noted) in [
            (PROMOTION, "e8N", ["e7e8n"].as_slice(), [Promotion].as_slice()),
            (PROMOTION, "e8=N c8(Q)", &["e7e8n", "c7c8q"], &[Promotion]),
            (PROMOTION, "e8=N, c8Q", &["e7e8n", "c7c8q"], &[Comma, Promotion]),
            (CASTLING, "0-0", &["e1g1"], &[Castling]),
            (CASTLING, "O-O 0-0-0", &["e1g1", "e1c1"], &[Castling]),
            (CHECKS, "Qd1+", &["d6d1"], &[]),
            (CHECKS, "Qd1", &["d6d1"], &[CheckSign]),
            (CHECKS, "Qd1#!", &["d6d1"], &[CheckSign]),
            (CHECKS, "Qd1 +", &["d6d1"], &[CheckSign]),
            (CHECKS, "Qc6+", &["d6c6"], &[CheckSign]),
            (CHECKS, "Qc6,a5,", &["d6c6", "a7a5"], &[Comma, Comma]),
            (CHECKS, "d6d1", &["d6d1"], &[]),
            (CAPTURES, "ef6", &["e5f6"], &[Capture]),
            (CAPTURES, "Qe4:", &["c2e4"], &[]),
            (CAPTURES, "Qe4", &["c2e4"], &[Capture]),
            (CAPTURES, "Qxb3", &["c2b3"], &[Capture]),
            (CAPTURES, "exf6!?", &["e5f6"], &[]),
        ] {
            let (read, oddities) = chess(fen, operands);
            assert_eq!(read, moves, "{operands}");
            assert_eq!(oddities, noted, "{operands}");
        }
    }

    #[test]
    fn what_is_not_clear_is_refused() {
        // Two rooks may go there.
        let rooks = "4k3/8/8/8/8/8/4K3/R6R w - -";
        for (fen, operands) in [(rooks, "Rd1"), (rooks, "Rd1x"), (PROMOTION, "e8"), (CHECKS, "+"), (CHECKS, "-")] {
            let position = Chess::parse_position(fen).unwrap();
            assert!(read::<Chess>(&position, operands, &mut |_| ()).is_err(), "{operands}");
        }
    }

    #[test]
    fn a_game_without_a_notation_of_its_own_has_no_oddities_but_commas() {
        let position = Breakthrough::parse_position("8/8/8/8/8/1p6/P7/8 w - -").unwrap();
        let mut noted = Vec::new();
        let moves = read::<Breakthrough>(&position, "a2-a3, a2xb3", &mut |oddity| noted.push(oddity)).unwrap();
        assert_eq!((moves.len(), noted), (2, vec![Oddity::Comma]));
    }
}
