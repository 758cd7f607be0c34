// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions of a stage with their values, in files. `docs/formats.md` describes them.

use std::path::Path;

use super::games::Valued;
use crate::base::data_file::{self, DataFileError};
use crate::evaluation::patterns::stage::{Stage, pieces};
use crate::game::{Notation, Pieces};

/// What a file is, for errors.
const WANTED: &str = "positions with values, which `halfply evaluation patterns data` makes";

/// The largest score of any game here.
const LARGEST_SCORE: i32 = 64;

/// Positions of one stage.
#[derive(Clone, Debug)]
pub struct Labelled<P> {
    /// What errors call the file.
    pub name: String,
    /// The stage.
    pub stage: Stage,
    /// The positions.
    pub positions: Vec<Position<P>>,
}

/// A position of a game, and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Position<P> {
    /// The position.
    pub position: P,
    /// The final score for the side to move.
    pub score: i32,
    /// The number of its game.
    pub game: u64,
}

/// The text of a file.
#[must_use]
pub fn text(game: &str, stage: Stage, comment: &str, positions: &[(u64, Valued)]) -> String {
    let mut text = format!("# {comment}\ngame {game}\npieces {stage}\n");
    for (number, Valued { fen, score }) in positions {
        text += &format!("{fen} {score:+} {number}\n");
    }
    text
}

/// Reads a file.
///
/// # Errors
/// If it cannot be read, or is none of this game: the error names the line.
pub fn load<G: Notation + Pieces>(path: &Path) -> Result<Labelled<G::Position>, DataFileError> {
    parse::<G>(&data_file::read(path, WANTED)?, &path.display().to_string())
}

/// Reads a text; errors call it `name`.
///
/// # Errors
/// As [`load`].
pub fn parse<G: Notation + Pieces>(text: &str, name: &str) -> Result<Labelled<G::Position>, DataFileError> {
    let wrong = |line: usize, reason: String| DataFileError::Line { name: name.to_owned(), line, reason };
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let mut head = |key: &str, example: &str| match lines.next() {
        Some((line, found)) => match found.strip_prefix(key) {
            Some(value) => Ok((line, value.trim())),
            None => Err(wrong(line, format!("{key:?} is missing: name {WANTED}; they begin with {example:?}"))),
        },
        None => Err(wrong(1, format!("the file is empty: name {WANTED}"))),
    };
    let (line, game) = head("game ", &format!("game {}", G::NAME))?;
    if game != G::NAME {
        return Err(wrong(line, format!("these positions are of {game:?}, not of {:?}", G::NAME)));
    }
    let (line, stage) = head("pieces ", "pieces 60")?;
    let stage: Stage = stage.parse().map_err(|reason| wrong(line, reason))?;
    let positions = lines.map(|(line, text)| position::<G>(text, stage).map_err(|reason| wrong(line, reason)));
    let positions: Vec<_> = positions.collect::<Result<_, _>>()?;
    if positions.is_empty() {
        return Err(DataFileError::Whole { name: name.to_owned(), reason: "there is no position".to_owned() });
    }
    Ok(Labelled { name: name.to_owned(), stage, positions })
}

/// A line: a position, its value and its game.
fn position<G: Notation + Pieces>(text: &str, stage: Stage) -> Result<Position<G::Position>, String> {
    let expected = "write a position, the final score for the side to move, and the number of the game";
    let mut words = text.rsplitn(3, ' ');
    let (Some(game), Some(score), Some(fen)) = (words.next(), words.next(), words.next()) else {
        return Err(expected.to_owned());
    };
    let game = game.parse().map_err(|_| format!("{game:?} is no number of a game: {expected}"))?;
    let score: i32 = score.parse().map_err(|_| format!("{score:?} is no score: {expected}"))?;
    if score.abs() > LARGEST_SCORE {
        return Err(format!("a score is from -{LARGEST_SCORE} to {LARGEST_SCORE}, not {score}"));
    }
    let position = G::parse_position(fen).map_err(|error| error.to_string())?;
    let found = pieces::<G>(&position);
    if !stage.has(found) {
        return Err(format!(
            "the position has {found} pieces, and the file is of {stage}; make one file for each stage"
        ));
    }
    Ok(Position { position, score, game })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Breakthrough, Othello};

    const FEN: &str = "8/8/8/3pP3/3Pp3/8/8/8[] w - -";

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let positions =
            [(7, Valued { fen: FEN.to_owned(), score: -3 }), (9, Valued { fen: FEN.to_owned(), score: 64 })];
        let text = text("othello", Stage { least: 4, most: 4 }, "made by hand", &positions);
        let labelled = parse::<Othello>(&text, "x").unwrap();
        assert_eq!((labelled.stage.to_string().as_str(), labelled.positions.len()), ("4", 2));
        assert_eq!((labelled.positions[0].score, labelled.positions[0].game), (-3, 7));
        assert_eq!((labelled.positions[1].score, labelled.positions[1].game), (64, 9));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let good = format!("game othello\npieces 4\n\n{FEN} +2 1\n");
        for (text, reason) in [
            (good.replace("game othello", "game chess"), "x:1: these positions are of \"chess\", not of \"othello\""),
            (good.replace("pieces 4", "pieces 60"), "x:4: the position has 4 pieces, and the file is of 60"),
            (good.replace("pieces 4\n", ""), "x:3: \"pieces \" is missing"),
            (good.replace("+2", "+65"), "x:4: a score is from -64 to 64"),
            (good.replace("+2", "two"), "x:4: \"two\" is no score"),
            (good.replace(" 1\n", " one\n"), "x:4: \"one\" is no number of a game"),
            (good.replace("3pP3", "9"), "x:4: "),
            (String::new(), "x:1: the file is empty"),
            ("game othello\npieces 4\n".to_owned(), "x: there is no position"),
        ] {
            let error = parse::<Othello>(&text, "x").unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}\n{text}");
        }
        let error = parse::<Breakthrough>(&good, "x").unwrap_err().to_string();
        assert!(error.contains("not of \"breakthrough\""), "{error}");
    }
}
