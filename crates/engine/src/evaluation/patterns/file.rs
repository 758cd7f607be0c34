// SPDX-License-Identifier: GPL-3.0-or-later
//! Patterns with weights in files. `docs/formats.md` describes them: lines of text.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

use super::stage::Stage;
use super::{LARGEST_WEIGHT, PatternEvaluation, StageWeights, Weights};
use crate::base::data_file::{self, DataFileError};
use crate::game::Pieces;
use crate::patterns::board::{Board, square_name, square_named};
use crate::patterns::symmetry::Symmetry;
use crate::patterns::{Content, Frame, Pattern, View};

/// The line that a file begins with.
pub const MAGIC: &str = "halfply patterns 1";

/// What a file is, for errors.
const WANTED: &str = "patterns with weights, which `halfply evaluation patterns select` and `fit` make";

/// The most lines of patterns: their images take some kilobytes each.
const MOST: usize = 1 << 20;

/// The board of a game: how it is seen makes no difference to the images of patterns.
fn board<G: Pieces>() -> Board {
    let size = G::SIZE as u8;
    Board { columns: size, rows: size, first_row_is_north: true }
}

/// The letter of a content in files.
const fn letter(content: Content) -> char {
    match content {
        Content::Blank => '-',
        Content::First => 'x',
        Content::Second => 'o',
    }
}

/// The text of a file. The comment may be empty.
pub fn text<G: Pieces>(weights: &Weights, comment: &str) -> String {
    let mut text = format!("{MAGIC}\n");
    for line in comment.lines() {
        let _ = writeln!(text, "# {line}");
    }
    let _ = writeln!(text, "game {}\nview {}", G::NAME, weights.frame.view());
    let ties: Vec<String> = weights.frame.ties().iter().map(ToString::to_string).collect();
    let _ = writeln!(text, "symmetries {}", ties.join(" "));
    if let Some(exchange) = weights.frame.exchange() {
        let _ = writeln!(text, "exchange {exchange}");
    }
    for StageWeights { stage, constant, patterns } in &weights.stages {
        let _ = writeln!(text, "pieces {stage}\nconstant {constant:.3}");
        for (pattern, weight) in patterns {
            let _ = write!(text, "{weight:.3}");
            for (content, square) in pattern.facts() {
                let _ = write!(text, " {}{}", letter(content), square_name(square));
            }
            text.push('\n');
        }
    }
    text
}

/// Reads a file for `G`.
///
/// # Errors
/// If it cannot be read, or [`parse`] refuses it.
pub fn load<G: Pieces>(path: &Path) -> Result<Weights, DataFileError> {
    parse::<G>(&data_file::read(path, WANTED)?, &path.display().to_string())
}

/// The evaluation in a file.
///
/// # Errors
/// As [`load`].
pub fn evaluation<G: Pieces>(path: &Path) -> Result<PatternEvaluation, DataFileError> {
    Ok(PatternEvaluation::new::<G>(&load::<G>(path)?))
}

/// Reads a text; errors call it `name`.
///
/// # Errors
/// Names the line and what was expected there: another game, a symmetry that the board has not, stages that overlap, a
/// duplicate pattern or one that speaks of a square twice, and weights that are no numbers or too large.
pub fn parse<G: Pieces>(text: &str, name: &str) -> Result<Weights, DataFileError> {
    let wrong = |(line, reason): (usize, String)| DataFileError::Line { name: name.to_owned(), line, reason };
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
    match lines.next() {
        Some((_, MAGIC)) => {}
        other => {
            return Err(wrong((other.map_or(1, |(line, _)| line), format!("{MAGIC:?} is missing: name {WANTED}"))));
        }
    }
    let last = text.lines().count().max(1);
    let mut value = |key: &str| match lines.next_if(|(_, line)| line.split(' ').next() == Some(key)) {
        Some((line, found)) => Ok((line, found[key.len()..].trim())),
        None => {
            let line = lines.peek().map_or(last, |(line, _)| *line);
            Err((line, format!("a line \"{key} …\" is missing here; docs/formats.md has an example")))
        }
    };
    let (line, game) = value("game").map_err(wrong)?;
    if game != G::NAME {
        return Err(wrong((line, format!("these patterns are for {game:?}, not for {:?}", G::NAME))));
    }
    if G::KINDS.len() != 1 {
        return Err(wrong((line, format!("{} has several kinds of pieces, of which patterns do not speak", G::NAME))));
    }
    let (line, view) = value("view").map_err(wrong)?;
    let view: View = view.parse().map_err(|reason| wrong((line, reason)))?;
    let symmetries = |(line, names): (usize, &str)| {
        let symmetry = |name: &str| {
            let known = Symmetry::named(name, board::<G>());
            known.ok_or_else(|| {
                (line, format!("{name:?} is not a symmetry: a number from 0 to 7, and x if players change"))
            })
        };
        names.split_whitespace().map(symmetry).collect::<Result<Vec<_>, _>>()
    };
    let (line, names) = value("symmetries").map_err(wrong)?;
    let mut all = symmetries((line, names)).map_err(wrong)?;
    if view == View::Mover {
        if all.iter().any(|symmetry| symmetry.exchanges_players()) {
            return Err(wrong((line, "in the view of the mover no symmetry exchanges the players".to_owned())));
        }
        all.extend(value("exchange").and_then(symmetries).map_err(wrong)?);
    }
    let refused =
        || wrong((line, "the first symmetry is 0, which changes nothing; exchange has one, such as 0x".to_owned()));
    let is_unchanged = |first: &Symmetry| first.to_string() == "0";
    let frame = Frame::new(view, &all).filter(|_| all.first().is_some_and(is_unchanged)).ok_or_else(refused)?;
    let mut stages: Vec<StageWeights> = Vec::new();
    let mut known = HashSet::new();
    let mut count = 0;
    for (line, text) in lines {
        let at = |reason: String| wrong((line, reason));
        if let Some(stage) = text.strip_prefix("pieces ") {
            let stage: Stage = stage.parse().map_err(at)?;
            if stages.last().is_some_and(|before| before.stage.most >= stage.least) {
                return Err(at("stages are in the order of their pieces, and have none in common".to_owned()));
            }
            stages.push(StageWeights { stage, constant: 0.0, patterns: Vec::new() });
            known.clear();
            continue;
        }
        let Some(stage) = stages.last_mut() else {
            return Err(at("a line \"pieces …\" is missing before it; docs/formats.md has an example".to_owned()));
        };
        if let Some(constant) = text.strip_prefix("constant ") {
            stage.constant = weight(constant).map_err(at)?;
            continue;
        }
        let (number, facts) = text.split_once(' ').unwrap_or((text, ""));
        let weight = weight(number).map_err(at)?;
        let pattern = pattern::<G>(facts).map_err(at)?;
        if !known.insert(frame.representative(pattern)) {
            return Err(at("duplicate pattern, or an image of another; leave one out".to_owned()));
        }
        count += 1;
        if count > MOST {
            return Err(at(format!("there are more than {MOST} patterns, which are the most")));
        }
        stage.patterns.push((pattern, weight));
    }
    if stages.is_empty() {
        return Err(wrong((last, "a line \"pieces …\" is missing here; docs/formats.md has an example".to_owned())));
    }
    Ok(Weights { frame, stages })
}

fn weight(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(weight) if weight.abs() <= LARGEST_WEIGHT => Ok(weight),
        _ => Err(format!("{text:?} is not a weight: a number of points from -{LARGEST_WEIGHT} to {LARGEST_WEIGHT}")),
    }
}

/// Facts such as `-a1 xb2 oc3`.
fn pattern<G: Pieces>(text: &str) -> Result<Pattern, String> {
    let mut pattern = Pattern::default();
    for word in text.split_whitespace() {
        let fact = || {
            let content = Content::ALL.into_iter().find(|&content| word.starts_with(letter(content)))?;
            let square = square_named(word.get(1..)?)?;
            board::<G>().squares().any(|known| known == square).then_some((content, square))
        };
        let (content, square) =
            fact().ok_or_else(|| format!("{word:?} is not a fact: write -, x or o and a square, such as xb2"))?;
        let two = || format!("duplicate square {}", square_name(square));
        if pattern.squares() >> square & 1 == 1 {
            return Err(two());
        }
        pattern = pattern.with(content, square).ok_or_else(two)?;
    }
    if pattern.length() == 0 { Err("a weight is followed by facts, such as xb2".to_owned()) } else { Ok(pattern) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Breakthrough, Chess, Othello};

    const FILE: &str = "halfply patterns 1\n# by hand\ngame othello\nview mover\nsymmetries 0 1 2 3 4 5 6 7\n\
                        exchange 0x\npieces 53-56\nconstant 0.500\n-1.250 -b2 xa1\n3.000 oc3\npieces 60\n\
                        constant 0.000\n0.125 xd4\n";

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let weights = parse::<Othello>(FILE, "x").unwrap();
        assert_eq!(weights.stages.len(), 2);
        assert_eq!(weights.stages[0].patterns.len(), 2);
        assert_eq!(weights.count(), 4 + 4 + 4);
        assert_eq!(text::<Othello>(&weights, "by hand"), FILE);
        let players = FILE.replace("mover", "players").replace("exchange 0x\n", "").replace(" 7\n", " 7 0x\n");
        let weights = parse::<Othello>(&players, "x").unwrap();
        assert_eq!(text::<Othello>(&weights, "by hand"), players);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (from, to, reason) in [
            ("halfply patterns 1", "halfply patterns 2", "x:1: \"halfply patterns 1\" is missing"),
            ("game othello", "game chess", "x:3: these patterns are for \"chess\", not for \"othello\""),
            ("view mover", "view black", "x:4: \"black\" is not a view"),
            ("symmetries 0 1", "symmetries 1", "x:5: the first symmetry is 0"),
            ("symmetries 0 1", "symmetries", "x:5: the first symmetry is 0"),
            ("symmetries 0 1", "symmetries 0 9", "x:5: \"9\" is not a symmetry"),
            ("symmetries 0 1", "symmetries 0 1x", "x:5: in the view of the mover no symmetry exchanges"),
            ("exchange 0x\n", "", "x:6: a line \"exchange …\" is missing"),
            ("exchange 0x\n", "exchange 0\n", "x:5: the first symmetry is 0"),
            ("pieces 53-56\n", "", "x:7: a line \"pieces …\" is missing before it"),
            ("pieces 60", "pieces 56", "x:11: stages are in the order"),
            ("-1.250", "1e9", "x:9: \"1e9\" is not a weight"),
            ("-1.250", "NaN", "x:9: \"NaN\" is not a weight"),
            ("-b2 xa1", "", "x:9: a weight is followed by facts"),
            ("-b2 xa1", "-b2 xb2", "x:9: duplicate square b2"),
            ("-b2 xa1", "-b9", "x:9: \"-b9\" is not a fact"),
            ("-b2 xa1", "of3", "x:10: duplicate pattern, or an image of another"),
        ] {
            let error = parse::<Othello>(&FILE.replacen(from, to, 1), "x").unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}\n{from} -> {to}");
        }
        for end in [19, 29, 42, 53, 80, 92] {
            let error = parse::<Othello>(&FILE[..end], "x").unwrap_err().to_string();
            assert!(error.contains("is missing"), "{error}\n{}", &FILE[..end]);
        }
        assert!(parse::<Breakthrough>(FILE, "x").unwrap_err().to_string().contains("not for \"breakthrough\""));
        let players = FILE.replace("mover", "players").replace("symmetries 0 1 2 3 4 5 6 7", "symmetries");
        let error = parse::<Othello>(&players, "x").unwrap_err().to_string();
        assert!(error.starts_with("x:5: the first symmetry is 0"), "{error}");
        let chess = FILE.replace("othello", "chess");
        assert!(parse::<Chess>(&chess, "x").unwrap_err().to_string().contains("several kinds of pieces"));
    }
}
