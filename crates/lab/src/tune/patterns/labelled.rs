// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions of a stage with their values, in files. `docs/formats.md` describes them.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use halfply_engine::base::data_file::{self, DataFileError};
use halfply_engine::evaluation::patterns::stage::{Stage, pieces};
use halfply_engine::game::{Notation, Pieces};

/// What a file is, for errors.
const WANTED: &str = "positions with values, which `halfply evaluation patterns data` makes";

/// The largest score of any game here.
const LARGEST_SCORE: f64 = 64.0;

/// What the values of positions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Final scores under perfect play, in points.
    Score,
    /// Probabilities of winning.
    Probability,
}

impl Kind {
    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Probability => "probability",
        }
    }

    /// A value as text.
    fn text(self, value: f64) -> String {
        match self {
            Self::Score => format!("{value:+}"),
            Self::Probability => format!("{value:.4}"),
        }
    }

    /// Reads a value.
    fn value(self, text: &str) -> Result<f64, String> {
        match self {
            Self::Score => {
                let score: i32 = text.parse().map_err(|_| format!("{text:?} is not a score: {}", self.expected()))?;
                let score = f64::from(score);
                if score.abs() > LARGEST_SCORE {
                    return Err(format!("a score is from -{LARGEST_SCORE} to {LARGEST_SCORE}, not {score}"));
                }
                Ok(score)
            }
            Self::Probability => match text.parse() {
                Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
                _ => Err(format!("{text:?} is not a number from 0 to 1: {}", self.expected())),
            },
        }
    }

    /// What a line has, for errors.
    const fn expected(self) -> &'static str {
        match self {
            Self::Score => "write a position, the final score for the side to move, and the number of the game",
            Self::Probability => {
                "write a position, the probability that the side to move wins, and the number of the game"
            }
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Score, Self::Probability];
        all.into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("unknown kind of values {text:?}: score or probability"))
    }
}

/// Positions of one stage.
#[derive(Clone, Debug)]
pub struct Labelled<P> {
    /// What errors call the file.
    pub name: String,
    /// The stage.
    pub stage: Stage,
    /// What the values are.
    pub kind: Kind,
    /// The positions.
    pub positions: Vec<Position<P>>,
}

/// A position of a game, and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Position<P> {
    /// The position.
    pub position: P,
    /// Its value for the side to move.
    pub value: f64,
    /// The number of its game.
    pub game: u64,
}

/// A line of a file: the position (four fields of a FEN), its value for the side to move, and the number of its game.
pub type Line<'a> = (&'a str, f64, u64);

/// The text of a file.
pub fn text<'a>(
    game: &str,
    stage: Stage,
    kind: Kind,
    comment: &str,
    lines: impl IntoIterator<Item = Line<'a>>,
) -> String {
    let mut text = format!("# {comment}\ngame {game}\npieces {stage}\nvalues {kind}\n");
    for (fen, value, number) in lines {
        text += &format!("{fen} {} {number}\n", kind.text(value));
    }
    text
}

/// Reads files whose values are of one kind.
///
/// # Errors
/// If one cannot be read, is none of this game, or has values of another kind: the error names the line.
pub fn load_all<G: Notation + Pieces>(paths: &[impl AsRef<Path>]) -> Result<Vec<Labelled<G::Position>>, DataFileError> {
    let mut all: Vec<Labelled<G::Position>> = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        let text = data_file::read(path, WANTED)?;
        let labelled = parse::<G>(&text, &path.display().to_string(), all.first())?;
        all.push(labelled);
    }
    Ok(all)
}

/// Reads a text; errors call it `name`. Its values must be of the kind that `other` has.
///
/// # Errors
/// As [`load_all`].
fn parse<G: Notation + Pieces>(
    text: &str,
    name: &str,
    other: Option<&Labelled<G::Position>>,
) -> Result<Labelled<G::Position>, DataFileError> {
    let wrong = |line: usize, reason: String| DataFileError::Line { name: name.to_owned(), line, reason };
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
    let mut head = |key: &str, example: &str| match lines.next() {
        Some((line, found)) => match found.strip_prefix(key) {
            Some(value) => Ok((line, value.trim())),
            None => Err(wrong(line, format!("{key:?} is missing: name {WANTED}; they begin with {example:?}"))),
        },
        None => Err(wrong(1, format!("the file is empty: name {WANTED}"))),
    };
    let (line, game) = head("game ", &format!("game {}", G::NAME))?;
    if game != G::NAME {
        let reason = format!("these positions are of {game:?}, not of {0:?}; name positions of {0}", G::NAME);
        return Err(wrong(line, reason));
    }
    let (line, stage) = head("pieces ", "pieces 60")?;
    let stage: Stage = stage.parse().map_err(|reason| wrong(line, reason))?;
    let values = lines.next_if(|(_, line)| line.starts_with("values "));
    let kind = match values {
        Some((line, values)) => values["values ".len()..].trim().parse().map_err(|reason| wrong(line, reason))?,
        None => Kind::Score,
    };
    if let Some(other) = other.filter(|other| other.kind != kind) {
        let line = values.map_or(line, |(line, _)| line);
        let reason = format!("the values are of the kind {kind}, those of {} are {}", other.name, other.kind);
        return Err(wrong(line, format!("{reason}; name positions of one kind")));
    }
    let positions = lines.map(|(line, text)| position::<G>(text, stage, kind).map_err(|reason| wrong(line, reason)));
    let positions: Vec<_> = positions.collect::<Result<_, _>>()?;
    if positions.is_empty() {
        return Err(DataFileError::Whole { name: name.to_owned(), reason: "there is no position".to_owned() });
    }
    Ok(Labelled { name: name.to_owned(), stage, kind, positions })
}

/// A line: a position, its value and its game.
fn position<G: Notation + Pieces>(text: &str, stage: Stage, kind: Kind) -> Result<Position<G::Position>, String> {
    let expected = kind.expected();
    let mut words = text.rsplitn(3, ' ');
    let (Some(game), Some(value), Some(fen)) = (words.next(), words.next(), words.next()) else {
        return Err(expected.to_owned());
    };
    let game = game.parse().map_err(|_| format!("{game:?} is not a number of a game: {expected}"))?;
    let value = kind.value(value)?;
    let position = G::parse_position(fen).map_err(|error| error.to_string())?;
    let found = pieces::<G>(&position);
    if !stage.has(found) {
        return Err(format!(
            "the position has {found} pieces, and the file is of {stage}; make one file for each stage"
        ));
    }
    Ok(Position { position, value, game })
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Breakthrough, Othello};

    const FEN: &str = "8/8/8/3pP3/3Pp3/8/8/8[] w - -";
    const PIECES: &str = "8/2p5/8/8/8/8/1P6/8 w - -";

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let stage = Stage { least: 4, most: 4 };
        let text = text("othello", stage, Kind::Score, "hand-crafted", [(FEN, -3.0, 7), (FEN, 64.0, 9)]);
        assert!(text.contains(" -3 7\n") && text.contains(" +64 9\n"), "{text}");
        let labelled = parse::<Othello>(&text, "x", None).unwrap();
        assert_eq!((labelled.stage.to_string().as_str(), labelled.positions.len()), ("4", 2));
        assert_eq!((labelled.positions[0].value, labelled.positions[0].game), (-3.0, 7));
        assert_eq!((labelled.positions[1].value, labelled.positions[1].game), (64.0, 9));
    }

    #[test]
    fn probabilities_are_read_as_they_were_written() {
        let stage = Stage { least: 1, most: 2 };
        let text = text("breakthrough", stage, Kind::Probability, "", [(PIECES, 0.25, 3), (PIECES, 1.0, 4)]);
        let labelled = parse::<Breakthrough>(&text, "x", None).unwrap();
        assert_eq!(labelled.kind, Kind::Probability);
        assert_eq!(
            labelled.positions.iter().map(|line| (line.value, line.game)).collect::<Vec<_>>(),
            [(0.25, 3), (1.0, 4)]
        );
        // Files of scores need no line for it.
        let scores = "game breakthrough\npieces 2\n8/2p5/8/8/8/8/1P6/8 w - - +1 3\n";
        let scores = parse::<Breakthrough>(scores, "scores", None).unwrap();
        assert_eq!(scores.kind, Kind::Score);
        let error = parse::<Breakthrough>(&text, "x", Some(&scores)).unwrap_err().to_string();
        assert_eq!(
            error,
            "x:4: the values are of the kind probability, those of scores are score; name positions of one kind"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let good = format!("game othello\npieces 4\n\n{FEN} +2 1\n");
        let probability = format!("game othello\npieces 4\nvalues probability\n{FEN} 0.5 1\n");
        for (text, reason) in [
            (good.replace("game othello", "game chess"), "x:1: these positions are of \"chess\", not of \"othello\""),
            (good.replace("pieces 4", "pieces 60"), "x:4: the position has 4 pieces, and the file is of 60"),
            (good.replace("pieces 4\n", ""), "x:3: \"pieces \" is missing"),
            (good.replace("+2", "+65"), "x:4: a score is from -64 to 64"),
            (good.replace("+2", "two"), "x:4: \"two\" is not a score"),
            (good.replace("+2", "0.5"), "x:4: \"0.5\" is not a score"),
            (good.replace(" 1\n", " one\n"), "x:4: \"one\" is not a number of a game"),
            (good.replace("3pP3", "9"), "x:4: "),
            (probability.replace("0.5", "+2"), "x:4: \"+2\" is not a number from 0 to 1: write a position"),
            (probability.replace("0.5", "NaN"), "x:4: \"NaN\" is not a number from 0 to 1"),
            (probability.replace("values p", "values im"), "x:3: unknown kind of values \"imrobability\""),
            (String::new(), "x:1: the file is empty"),
            ("game othello\npieces 4\n".to_owned(), "x: there is no position"),
        ] {
            let error = parse::<Othello>(&text, "x", None).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}\n{text}");
        }
        let error = parse::<Breakthrough>(&good, "x", None).unwrap_err().to_string();
        assert!(error.contains("not of \"breakthrough\"; name positions of breakthrough"), "{error}");
    }
}
