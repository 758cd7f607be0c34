// SPDX-License-Identifier: GPL-3.0-or-later
use proptest::prelude::*;

use super::*;
use crate::game::{Game, after, outcome};

/// As Fairy-Stockfish prints it.
const START: &str = "8/8/8/3pP3/3Pp3/8/8/8[PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPpppppppppppppppppp\
                     pppppppppppppppppppppppppppppppppppppppppp] w - - 0 1";

fn position(text: &str) -> Position {
    Othello::parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn the_start_is_the_same_in_all_forms() {
    assert_eq!(Othello::format_position(&Othello::start()), START);
    for text in [
        START,
        "8/8/8/3pP3/3Pp3/8/8/8[] w 0 1",
        "8/8/8/3pP3/3Pp3/8/8/8[-] w - -",
        "8/8/8/3pP3/3Pp3/8/8/8 w",
        "---------------------------OX------XO--------------------------- X",
        "...........................ox......xo........................... *",
    ] {
        assert_eq!(position(text), Othello::start(), "{text}");
    }
}

/// What Fairy-Stockfish (of November 2026, `UCI_Variant flipello`) prints after `position startpos moves P@d6`, but for the
/// discs in hand.
#[test]
fn ranks_are_mirrored_as_in_fairy_stockfish() {
    let start = Othello::start();
    for text in ["P@d6", "p@d6", "d3", "D3"] {
        let mv = Othello::parse_move(&start, text).unwrap();
        let text = Othello::format_position(&after::<Othello>(&start, mv));
        let (board, rest) = (text.split('[').next().unwrap(), text.split(']').nth(1).unwrap());
        assert_eq!((board, rest), ("8/8/3P4/3PP3/3Pp3/8/8/8", " b - - 0 1"));
        assert_eq!((Othello::format_move(&start, mv), Othello::record_move(&start, mv)), ("P@d6".into(), "d3".into()));
    }
    assert!(Othello::parse_move(&start, "P@d3").is_err(), "row 3 is rank 6");
}

/// Fairy-Stockfish's `go perft 1` of this position prints `b1b1: 1`, and it accepts no other pass.
#[test]
fn a_pass_is_written_as_fairy_stockfish_does_and_read_in_every_form() {
    let before = position("8/8/8/3PP3/3PP3/8/8/1pPPPPPP[PPpp] b - - 0 20");
    assert_eq!(Othello::format_move(&before, Move::PASS), "b1b1");
    for text in ["b1b1", "d5d5", "pass", "PASS", "--", "0000"] {
        assert_eq!(Othello::parse_move(&before, text), Ok(Move::PASS), "{text}");
    }
    let next = after::<Othello>(&before, Move::PASS);
    assert_eq!(next.turn, Side::White);
    assert_eq!(legal_moves::<Othello>(&next)[..], [Move::new(56)]);
    let reason = |position: &Position, text| Othello::parse_move(position, text).unwrap_err().to_string();
    assert!(reason(&before, "a1").contains("the only move is a pass"));
    assert!(reason(&next, "pass").contains("only a player without any other move passes"));
    assert!(reason(&Othello::start(), "--").contains("only a player without any other move"));
    let over = after::<Othello>(&next, Move::new(56));
    assert!(outcome::<Othello>(&over).is_some());
    assert!(reason(&over, "pass").contains("the game is over"));
}

#[test]
fn what_is_no_position_is_refused_with_a_reason() {
    for (text, reason) in [
        ("", "0 fields"),
        ("X", "1 fields"),
        ("8/8/8/8/8/8/8/8[] w - - 0 1", "in the centre"),
        ("---------------------------------------------------------------- X", "in the centre"),
        ("8/8/8/3pP3/3P4/8/8/8 w", "in the centre"),
        ("8/8/8/3pP3/3Pp3/8/8 w", "8 rows"),
        ("8/8/8/3pP4/3Pp3/8/8/8 w", "row 4 (3pP4) is 9 squares long"),
        ("8/8/8/3pPpppp/3Pp3/8/8/8 w", "9 squares long"),
        ("8/8/8/3pK3/3Pp3/8/8/8 w", "not 'K'"),
        ("8/8/8/3pP3/3Pp3/8/8/8[Q] w", "discs in hand"),
        ("8/8/8/3pP3/3Pp3/8/8/8[Pp w", "discs in hand"),
        ("8/8/8/3pP3/3Pp3/8/8/8 x", "\"w\" (the first player) or \"b\""),
        ("8/8/8/3pP3/3Pp3/8/8/8 w KQ - 0 1", "castling"),
        ("8/8/8/3pP3/3Pp3/8/8/8 w - - 0 -1", "last field"),
        ("8/8/8/3pP3/3Pp3/8/8/8 w - - 99999 1", "last but one"),
        ("---------------------------OX------XO-------------------------- X", "not 63"),
        ("---------------------------OX------XO---------------------------- X", "not 65"),
        ("---------------------------OX------Xé--------------------------- X", "not 'é'"),
        ("---------------------------OX------XO--------------------------- w", "X or O"),
        ("---------------------------OX------XO--------------------------- X O X", "8 rows"),
    ] {
        let error = Othello::parse_position(text).map_or_else(|error| error.to_string(), |_| "accepted".to_owned());
        assert!(error.contains(reason), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn no_text_panics(any in "\\PC{0,80}", near in "[-pP1-8/\\[\\]XOwb ]{0,90}", mv in "[pP@a-i0-9-]{0,5}") {
        for text in [&any, &near] {
            if let Ok(position) = Othello::parse_position(text) {
                prop_assert_eq!(Othello::parse_position(&Othello::format_position(&position)), Ok(position));
            }
        }
        for text in [&any, &mv] {
            let read = Othello::parse_move(&Othello::start(), text);
            prop_assert!(read.is_err() || !Othello::has_move_shape(text) || text.starts_with("P@"), "{}", text);
        }
    }

    /// Any two sets of discs in which the centre is occupied are a position, and every move of it can be written and read.
    #[test]
    fn any_board_is_written_and_read(first: u64, second: u64, black: bool, number in 1_u16..) {
        let discs = [first | CENTER, second & !first & !CENTER];
        let position = Position::new(discs, if black { Side::Black } else { Side::White }, number);
        prop_assert_eq!(Othello::parse_position(&Othello::format_position(&position)), Ok(position));
        for mv in legal_moves::<Othello>(&position) {
            for text in [Othello::format_move(&position, mv), Othello::text_move(&position, mv)] {
                prop_assert_eq!(Othello::parse_move(&position, &text), Ok(mv));
            }
        }
    }
}

#[test]
fn finished_games_are_positions() {
    // A full board; nobody can move; one side has lost all discs.
    for (text, ending) in [
        ("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X", "board full"),
        ("-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX O", "all discs turned over"),
        ("X--------------------------XX------XX--------------------------O O", "no moves left"),
    ] {
        let position = position(text);
        assert!(outcome::<Othello>(&position).is_some(), "{text}");
        assert!(legal_moves::<Othello>(&position).is_empty(), "{text}");
        assert_eq!(Othello::ending(&position), ending);
    }
}

#[test]
fn moves_that_are_none_are_refused() {
    for text in ["", "d", "i3", "d9", "d0", "P@d9", "Q@d6", "P@D6", "d3d4", "d3 ", "é3", "P@", "passe"] {
        let error = Othello::parse_move(&Othello::start(), text).unwrap_err().to_string();
        assert!(error.contains("is not a move"), "{text}: {error}");
        assert!(!Othello::has_move_shape(text), "{text}");
    }
    assert!(Othello::parse_move(&Othello::start(), "d4").unwrap_err().to_string().contains("taken"));
    assert!(Othello::has_move_shape("P@d6") && Othello::has_move_shape("b1b1") && !Othello::has_move_shape("d3"));
}

#[test]
fn the_board_is_drawn_with_row_one_on_top() {
    let drawn = Othello::draw(&after::<Othello>(&Othello::start(), Move::new(19)));
    assert!(drawn.starts_with("   a b c d e f g h\n1  . . ."), "{drawn}");
    assert!(drawn.contains("\n3  . . . X . . . .\n4  . . . X X . . .\n5  . . . X O . . .\n"), "{drawn}");
    assert!(drawn.ends_with("black (X) 4, white (O) 1, white to move"), "{drawn}");
}
