// SPDX-License-Identifier: GPL-3.0-or-later
//! FEN, X-FEN and Shredder-FEN; moves in coordinates and in standard algebraic notation.

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanError, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, EnPassantMode, FromSetup, Position as _, PositionError, Role, Setup};

use super::{Chess, Move, Position};
use crate::game::{Notation, NotationError};

/// Pictures of pieces in place of their letters.
const FIGURINES: &str = "♔♕♖♗♘♚♛♜♝♞";

impl Notation for Chess {
    const SCORE_UNIT: &'static str = "pawns";

    /// Castling rights that ordinary chess cannot have make the position one of Chess960.
    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let fields = text.split_whitespace().count();
        if !matches!(fields, 2 | 4 | 6) {
            return Err(NotationError(format!(
                "{fields} fields found: a FEN has 2, 4 or 6, such as \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\""
            )));
        }
        let fen: Fen = text.trim().parse().map_err(|error| NotationError(format!("{text:?}: {error}")))?;
        let setup = fen.into_setup();
        let mode = CastlingMode::detect(&setup);
        let clocks_are_sane = setup.halfmoves <= 10_000 && setup.fullmoves.get() <= 100_000;
        if !clocks_are_sane {
            return Err(NotationError("the move counters are beyond any game".to_owned()));
        }
        from_setup(setup, mode).map_err(|reason| NotationError(format!("{text:?}: {reason}")))
    }

    fn as_chess960(position: Position) -> Position {
        // A position of chess is one of Chess960 too.
        from_setup(position.to_setup(EnPassantMode::Always), CastlingMode::Chess960).unwrap_or(position)
    }

    fn is_chess960(position: &Position) -> bool {
        position.castles().mode() == CastlingMode::Chess960
    }

    fn format_position(position: &Position) -> String {
        Fen::from_position(position, EnPassantMode::Legal).to_string()
    }

    fn parse_move(position: &Position, text: &str) -> Result<Move, NotationError> {
        if let Ok(uci) = text.parse::<UciMove>() {
            // In Chess960 castling may be written by the king's goal, where no other move is written so.
            let castling = || {
                let named = |mv: &Move| mv.is_castle() && UciMove::from_standard(*mv) == uci;
                position.legal_moves().into_iter().find(named)
            };
            return uci.to_move(position).ok().or_else(castling).ok_or_else(|| illegal(position, text));
        }
        // Suffixes (check, mate, annotation) say nothing that the move does not.
        let san: San = text
            .trim_end_matches(['+', '#', '!', '?'])
            .parse()
            .map_err(|_| NotationError(format!("{text:?} is not a move: write it as e2e4, e7e8q or Nf3")))?;
        san.to_move(position).map_err(|error| match error {
            SanError::AmbiguousSan => NotationError(format!("{text} may be more than one move here")),
            SanError::IllegalSan => illegal(position, text),
        })
    }

    /// The only legal move that a word means, whichever signs it has or lacks: `0-0`, `ed5`, `Bc6` for `Bxc6`, `a8Q`, `a7-a8=Q`,
    /// `Ng1-f3`, `Nf3‼`.
    fn parse_loosely(position: &Position, word: &str) -> Option<Move> {
        // Letters and digits without the sign of a capture; castling has only zeros.
        let core = |text: &str| {
            text.chars().filter(|&symbol| symbol.is_ascii_alphanumeric() && symbol != 'x').collect::<String>()
        };
        // A letter that is not ours may be a piece in another alphabet.
        if word.chars().any(|symbol| symbol.is_alphabetic() && !symbol.is_ascii()) {
            return None;
        }
        let figure = |symbol| FIGURINES.chars().position(|figurine| figurine == symbol);
        let letter = |symbol| figure(symbol).and_then(|place| "KQRBNKQRBN".chars().nth(place)).unwrap_or(symbol);
        let wanted = core(&word.chars().map(letter).collect::<String>()).replace('0', "O");
        let is_meant = |mv: &Move| {
            let piece = match mv.role() {
                Role::Pawn => String::new(),
                role => role.upper_char().to_string(),
            };
            let made = mv.promotion().map(|role| role.upper_char().to_string()).unwrap_or_default();
            let is_long = || mv.from().is_some_and(|from| wanted == format!("{piece}{from}{}{made}", mv.to()));
            wanted == core(&San::from_move(position, *mv).to_string()) || is_long()
        };
        let mut meant = position.legal_moves().into_iter().filter(is_meant);
        meant.next().filter(|_| meant.next().is_none())
    }

    fn format_move(position: &Position, mv: Move) -> String {
        UciMove::from_move(mv, position.castles().mode()).to_string()
    }

    /// Standard algebraic notation, with `+` and `#`.
    fn record_move(position: &Position, mv: Move) -> String {
        SanPlus::from_move(position.clone(), mv).to_string()
    }

    fn ending(position: &Position) -> &'static str {
        if position.is_checkmate() {
            "checkmate"
        } else if position.is_stalemate() {
            "stalemate"
        } else if position.is_insufficient_material() {
            "insufficient material"
        } else if position.halfmoves() >= 100 {
            "fifty-move rule"
        } else {
            "repetition"
        }
    }

    fn draw(position: &Position) -> String {
        let mut text = String::new();
        for (row, rank) in position.board().board_fen().to_string().split('/').zip((1..=8).rev()) {
            text += &format!("{rank} ");
            for symbol in row.chars() {
                match symbol.to_digit(10) {
                    Some(empty) => text += &" .".repeat(empty as usize),
                    None => text += &format!(" {symbol}"),
                }
            }
            text.push('\n');
        }
        text += "   a b c d e f g h\n";
        text += &format!("{} to move", super::side(position.turn()));
        text
    }
}

/// Forgives what published suites get wrong (rights and en passant squares that no position has), nothing else. More
/// pieces than promotions can make are refused: such positions may have more moves than a list of them holds.
fn from_setup(setup: Setup, mode: CastlingMode) -> Result<Position, String> {
    Position::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| error.to_string())
}

fn illegal(position: &Position, text: &str) -> NotationError {
    NotationError(format!("{text} is not legal in {}", Chess::format_position(position)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, after, recorded_moves};

    fn read(fen: &str) -> Position {
        Chess::parse_position(fen).unwrap()
    }

    #[test]
    fn fens_are_read_and_written() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(read(start), Chess::start());
        assert_eq!(Chess::format_position(&Chess::start()), start);
        assert_eq!(read("8/8/8/4k3/8/8/4P3/4K3 w - -"), read("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"));
        assert_eq!(read("8/8/8/4k3/8/8/4P3/4K3 w"), read("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"));
        for fen in ["", "8/8/8/8/8/8/8/8 w - - 0 1", "kk6/8/8/8/8/8/8/K7 w - - 0 1", "rnbq w KQkq - 0 1", "x"] {
            assert!(Chess::parse_position(fen).is_err(), "{fen}");
        }
        // The side that is not to move stands in check.
        assert!(Chess::parse_position("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1").is_err());
    }

    #[test]
    fn chess960_is_recognised_by_its_rights() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        let position = read(fen);
        assert_eq!(Chess::format_position(&position), fen.replace("HFhf", "KQkq"));
        // Castling is written as the king taking its rook.
        let position = read("1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GBgb - 0 1");
        let mv = Chess::parse_move(&position, "e1g1").unwrap();
        assert!(mv.is_castle());
        assert_eq!(Chess::format_move(&position, mv), "e1g1");
        assert_eq!(Chess::parse_move(&position, "O-O-O").map(|mv| Chess::format_move(&position, mv)).unwrap(), "e1b1");
    }

    #[test]
    fn moves_are_read_in_coordinates_and_algebraically() {
        let position = read("r3k2r/P6P/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let read = |text: &str| Chess::parse_move(&position, text).map_err(|error| error.0);
        assert_eq!(read("e1g1"), read("O-O"));
        assert!(read("h7h8q").unwrap_err().contains("h7h8q is not legal"));
        assert_eq!(read("Rb1").unwrap(), read("a1b1").unwrap());
        assert_eq!(read("Rxh7").unwrap_err(), "Rxh7 is not legal in r3k2r/P6P/8/8/8/8/8/R3K2R w KQkq - 0 1");
        assert!(read("Rb1!").is_ok());
        for text in ["", "e9e4", "hello", "0000", "Q@e4"] {
            assert!(read(text).is_err(), "{text}");
        }
        let after = after::<Chess>(&position, read("e1c1").unwrap());
        assert_eq!(Chess::format_position(&after), "r3k2r/P6P/8/8/8/8/8/2KR3R b kq - 1 1");
    }

    #[test]
    fn moves_of_older_files_are_read() {
        let found = |fen: &str, text: &str| {
            let position = read(fen);
            recorded_moves::<Chess>(&position, text).ok().map(|moves| Chess::format_move(&position, moves[0]))
        };
        let castling = "r3k2r/P6P/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (loose, strict) in [("0-0", "e1g1"), ("0-0-0+", "e1c1"), ("Ra1-b1", "a1b1"), ("♖b1\u{203c}", "a1b1")] {
            assert_eq!(found(castling, loose).as_deref(), Some(strict), "{loose}");
        }
        let pawns = "3r4/2P5/8/3p4/4P3/5b2/4N3/K6k w - - 0 1";
        for (loose, strict) in [
            ("ed5", "e4d5"),
            ("e4:d5", "e4d5"),
            ("cd8Q", "c7d8q"),
            ("c8(N)", "c7c8n"),
            ("e4-e5", "e4e5"),
            ("c8Q+", "c7c8q"),
            ("c7-c8=Q", "c7c8q"),
            ("c7xd8=N", "c7d8n"),
        ] {
            assert_eq!(found(pawns, loose).as_deref(), Some(strict), "{loose}");
        }
        for unclear in ["c8", "c7-c8", "d5", "e6", "0-0", "7-c8", "\u{41b}e5"] {
            assert_eq!(found(pawns, unclear), None, "{unclear}");
        }
    }
}
