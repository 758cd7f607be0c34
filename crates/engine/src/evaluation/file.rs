// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluations in files. `docs/formats.md` describes them.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use toml::Spanned;

use super::piece_squares::{LARGEST_WEIGHT, PieceSquares, SQUARES};
use crate::base::Score;
use crate::base::data_file::{self, DataFileError, line_of};
use crate::game::Pieces;

/// The newest format this program reads.
pub const FORMAT: u32 = 1;

/// Hexadecimal digits of a file's SHA-256 in its identity.
const DIGITS: usize = 16;

/// The file as TOML. Values that may be wrong keep their positions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// Checked already; this field only accepts the key.
    #[serde(rename = "format")]
    _format: u32,
    game: Spanned<String>,
    evaluation: Spanned<String>,
    /// By kind of piece: 64 weights.
    #[serde(default)]
    weights: Option<Spanned<toml::Table>>,
}

/// The kind of evaluation that a file may hold, as its key `evaluation` names it.
const PIECE_SQUARES: &str = "piece-squares";

/// An evaluation that was read from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What errors and reports call it: its path.
    pub name: String,
    /// What results depend on: its kind and the beginning of the file's SHA-256.
    pub identity: String,
    /// The evaluation.
    pub evaluation: PieceSquares,
}

/// Reads an evaluation for `G` from a file.
///
/// # Errors
/// If the file cannot be read, or [`parse`] refuses it.
pub fn load<G: Pieces>(path: &Path) -> Result<Loaded, DataFileError> {
    let text = data_file::read(path, "an evaluation: a TOML file, docs/formats.md describes it")?;
    parse::<G>(&text, &path.display().to_string())
}

/// Reads an evaluation for `G` from text; `name` is what errors and reports call it.
///
/// # Errors
/// Names the line and what was expected there: text that is no TOML, a newer format, another game, an unknown kind of
/// evaluation, and weights that are not one list of 64 integers for each kind of piece.
pub fn parse<G: Pieces>(text: &str, name: &str) -> Result<Loaded, DataFileError> {
    let at = |span: Range<usize>, reason: String| DataFileError::Line {
        name: name.to_owned(),
        line: line_of(text, span.start),
        reason,
    };
    let expected = "an evaluation has `format = 1`, `game = \"...\"`, `evaluation = \"piece-squares\"` and a table \
                    [weights]";
    let document: Document = data_file::from_toml(text, name, FORMAT, expected)?;
    if document.game.as_ref() != G::NAME {
        let reason = format!("this evaluation is for {:?}, not for {:?}", document.game.as_ref(), G::NAME);
        return Err(at(document.game.span(), reason));
    }
    if document.evaluation.as_ref() != PIECE_SQUARES {
        let found = document.evaluation.as_ref();
        let reason = format!("unknown evaluation {found:?}; write evaluation = {PIECE_SQUARES:?}");
        return Err(at(document.evaluation.span(), reason));
    }
    let lists = || format!("[weights] has a list of {SQUARES} numbers for each of {}", G::KINDS.join(", "));
    let Some(table) = document.weights else { return Err(at(0..0, format!("there are no weights: {}", lists()))) };
    let place = table.span();
    let weights = weights::<G>(table.as_ref()).map_err(|reason| at(place, format!("{reason}; {}", lists())))?;
    let digest: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    let identity = format!("{PIECE_SQUARES} sha256:{}", &digest[..DIGITS]);
    Ok(Loaded { name: name.to_owned(), identity, evaluation: weights })
}

/// The weights of a table, or what is wrong with it.
fn weights<G: Pieces>(table: &toml::Table) -> Result<PieceSquares, String> {
    if let Some(other) = table.keys().find(|key| !G::KINDS.contains(&key.as_str())) {
        return Err(format!("{} has no piece {other:?}", G::NAME));
    }
    let list = |kind: &&str| -> Result<[Score; SQUARES], String> {
        let values = table.get(*kind).ok_or_else(|| format!("{kind} is missing"))?;
        let numbers: Option<Vec<Score>> = values.as_array().and_then(|values| {
            let number = |value: &toml::Value| value.as_integer().and_then(|number| Score::try_from(number).ok());
            values.iter().map(number).collect()
        });
        let numbers = numbers.ok_or_else(|| format!("{kind} is not a list of integers"))?;
        let count = numbers.len();
        numbers.try_into().map_err(|_| format!("{kind} has {count} numbers"))
    };
    let lists = G::KINDS.iter().map(list).collect::<Result<_, _>>()?;
    PieceSquares::new::<G>(lists).ok_or_else(|| format!("a weight is beyond ±{LARGEST_WEIGHT}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::game::Notation;
    use crate::games::{Breakthrough, Chess};

    /// A file for Breakthrough with one weight on each square.
    fn file(weights: &str) -> String {
        format!("format = 1\ngame = \"breakthrough\"\nevaluation = \"piece-squares\"\n\n[weights]\n{weights}\n")
    }

    fn list(count: usize) -> String {
        format!("piece = [{}]", vec!["7"; count].join(", "))
    }

    #[test]
    fn an_evaluation_is_read_and_named_by_its_contents() {
        let evaluation = parse::<Breakthrough>(&file(&list(64)), "x.toml").unwrap();
        let position = Breakthrough::parse_position("8/2p5/8/3P4/8/8/1P6/8 b").unwrap();
        assert_eq!(Evaluation::<Breakthrough>::judge(&evaluation.evaluation, &position), -7);
        assert_eq!(evaluation.name, "x.toml");
        let renamed = parse::<Breakthrough>(&file(&list(64)), "y.toml").unwrap();
        assert_eq!(evaluation.identity, renamed.identity);
        assert!(evaluation.identity.starts_with("piece-squares sha256:"), "{}", evaluation.identity);
        let other = parse::<Breakthrough>(&(file(&list(64)) + "# another"), "x.toml").unwrap();
        assert_ne!(evaluation.identity, other.identity);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let good = file(&list(64));
        for (text, reason) in [
            (good.replace("format = 1", "format = 2"), "x.toml:1: format 2 is not known"),
            (good.replace("breakthrough", "chess"), "x.toml:2: this evaluation is for \"chess\""),
            (good.replace("piece-squares", "magic"), "x.toml:3: unknown evaluation \"magic\""),
            (good.replace("[weights]", "[other]"), "x.toml:5: unknown field `other`"),
            (file(""), "piece is missing; [weights] has a list of 64 numbers for each of piece"),
            (file(&list(63)), "piece has 63 numbers"),
            (file(&list(64).replacen('7', "7.5", 1)), "piece is not a list of integers"),
            (file(&list(64).replacen('7', "99999", 1)), "a weight is beyond ±10000"),
            (file(&(list(64) + "\nrook = []")), "breakthrough has no piece \"rook\""),
            ("format = 1\ngame = \"breakthrough\"\nevaluation = \"piece-squares\"".to_owned(), "there are no weights"),
            ("no TOML".to_owned(), "x.toml:1: "),
        ] {
            let error = parse::<Breakthrough>(&text, "x.toml").unwrap_err().to_string();
            assert!(error.contains(reason), "{error}\n{text}");
        }
        let error = parse::<Chess>(&good, "x.toml").unwrap_err().to_string();
        assert!(error.contains("for \"breakthrough\", not for \"chess\""), "{error}");
    }
}
