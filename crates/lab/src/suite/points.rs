// SPDX-License-Identifier: GPL-3.0-or-later
//! Points for moves, as in the Strategic Test Suite (STS): a good move counts, even if it is not the best.
//!
//! `c8` lists the points and `c9` the moves in coordinates (`c7` in algebraic notation) in the same order. Where these are
//! missing, `c0` may hold pairs: `"f5=10, Bf2=3"`.

use super::moves;
use halfply_engine::game::Notation;

/// The points of moves in a position; other moves are worth nothing.
pub type Points<M> = Vec<(M, u32)>;

/// Reads the points of moves in a position from the operations of its record, which `operation` gives by name.
///
/// # Errors
/// Says what is missing or wrong. In the standard these operations are comments, so missing points are an error only if
/// points are requested.
pub fn read<'r, G: Notation>(
    operation: impl Fn(&str) -> Option<&'r str>,
    position: &G::Position,
) -> Result<Points<G::Move>, String> {
    let operands = |name| operation(name).map(|operands| operands.trim_matches('"'));
    let (moves, points) = match (operands("c8"), operands("c9").or_else(|| operands("c7")), operands("c0")) {
        (Some(points), Some(moves), _) => (moves.to_owned(), points.to_owned()),
        (_, _, Some(pairs)) if pairs.contains('=') => unzip(pairs)?,
        _ => return Err("points (c8) and their moves (c9, or c7) are missing".to_owned()),
    };
    let number = |word: &str| word.parse::<u32>().map_err(|_| format!("{word:?} is not a number of points"));
    let points: Vec<u32> = points.split_whitespace().map(number).collect::<Result<_, _>>()?;
    let moves =
        moves::read::<G>(position, &moves, &mut |_| ()).map_err(|error| format!("moves with points: {error}"))?;
    if moves.len() != points.len() {
        return Err(format!("{} points for {} moves: each move needs its own", points.len(), moves.len()));
    }
    Ok(moves.into_iter().zip(points).collect())
}

/// `f5=10, e8=Q=3` as a list of moves and one of points.
fn unzip(pairs: &str) -> Result<(String, String), String> {
    let (mut moves, mut points) = (String::new(), String::new());
    for pair in pairs.split(',') {
        let (mv, worth) = pair.rsplit_once('=').ok_or_else(|| format!("c0: {:?} is not a move=points", pair.trim()))?;
        moves += &format!("{mv} ");
        points += &format!("{worth} ");
    }
    Ok((moves, points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::STS;
    use crate::suite::epd::records;
    use halfply_engine::games::Chess;

    fn points(operations: &str) -> Result<Vec<(String, u32)>, String> {
        let text = format!("{STS} {operations}");
        let record = records(&text).next().unwrap().unwrap();
        let position = Chess::parse_position(&record.position).unwrap();
        let points = read::<Chess>(|name| record.operands(name), &position)?;
        Ok(points.into_iter().map(|(mv, worth)| (Chess::format_move(&position, mv), worth)).collect())
    }

    #[test]
    fn points_are_read_in_all_forms() {
        let expected = [("f4f5", 10), ("d4e5", 2), ("d4f2", 3), ("f3g4", 2)].map(|(mv, worth)| (mv.to_owned(), worth));
        for operations in [
            r#"c0 "f5=10, Be5+=2, Bf2=3, Bg4=2"; c7 "f5 Be5+ Bf2 Bg4"; c8 "10 2 3 2"; c9 "f4f5 d4e5 d4f2 f3g4";"#,
            r#"c7 "f5 Be5+ Bf2 Bg4"; c8 "10 2 3 2";"#,
            r#"c0 "f5=10, Be5+=2, Bf2=3, Bg4=2";"#,
        ] {
            assert_eq!(points(operations).as_deref(), Ok(&expected[..]), "{operations}");
        }
    }

    #[test]
    fn what_holds_no_points_says_why() {
        for (operations, expected) in [
            ("", "missing"),
            (r#"c0 "a comment";"#, "missing"),
            (r#"c8 "10 2";"#, "missing"),
            (r#"c8 "10 2"; c9 "f4f5";"#, "2 points for 1 moves"),
            (r#"c8 "10 x"; c9 "f4f5 d4e5";"#, "\"x\" is not a number of points"),
            (r#"c8 "10 2"; c9 "f4f5 d4e9";"#, "d4e9"),
            (r#"c0 "f5=10, Be5+";"#, "\"Be5+\" is not a move=points"),
        ] {
            let reason = points(operations).expect_err(operations);
            assert!(reason.contains(expected), "{operations}\n-> {reason}");
        }
    }
}
