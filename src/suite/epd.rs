// SPDX-License-Identifier: GPL-3.0-or-later
//! Suites as files: Extended Position Description, one position a line.
//!
//! Four fields of a FEN (or all six), then operations that end in semicolons: `bm` the best moves, `am` moves to avoid,
//! `id` a name. Blank lines and lines that start with `#` are comments.

use std::collections::HashSet;
use std::path::Path;

use super::distinct::first_four_fields;
use crate::data_file::{self, DataFileError};
use crate::experiment::journal::digest;
use crate::game::{Notation, legal_moves};
use crate::games::Bundled;

/// A position and what is known to be right or wrong in it.
#[derive(Clone, Debug)]
pub struct Problem<G: Notation> {
    /// Its line in the file it was read from, from 1; 0 if it was made otherwise.
    pub line: usize,
    /// Its name, unique in the suite.
    pub id: String,
    /// The position.
    pub position: G::Position,
    /// The best moves; if there are any, one of them must be played.
    pub best: Vec<G::Move>,
    /// Moves that must not be played.
    pub avoid: Vec<G::Move>,
}

impl<G: Notation> Problem<G> {
    /// Whether playing this move solves the problem.
    pub fn is_solved_by(&self, mv: G::Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }
}

/// A list of problems.
#[derive(Clone, Debug)]
pub struct Suite<G: Notation> {
    /// Where it came from, for reports.
    pub name: String,
    /// The problems in the order of the file.
    pub problems: Vec<Problem<G>>,
    /// SHA-256 of its positions and answers, so that a run never continues on another suite.
    pub digest: String,
}

/// One line of an EPD file, its position not yet understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The line in the file, from 1.
    pub line: usize,
    /// The position's fields.
    pub position: String,
    /// The operations: name and operands.
    pub operations: Vec<(&'a str, &'a str)>,
}

impl Record<'_> {
    /// The operands of the operation of that name.
    pub fn operands(&self, name: &str) -> Option<&str> {
        self.operations.iter().find(|(found, _)| *found == name).map(|&(_, operands)| operands)
    }
}

/// Splits a text into its records.
///
/// # Errors
/// Names the line and the reason if it has too few fields.
pub fn records(text: &str) -> impl Iterator<Item = Result<Record<'_>, (usize, String)>> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line.trim())).filter_map(|(number, line)| {
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        Some(record(number, line).map_err(|reason| (number, reason)))
    })
}

fn record(number: usize, line: &str) -> Result<Record<'_>, String> {
    let mut rest = line;
    let mut fields = Vec::new();
    while fields.len() < 6 {
        let field = rest.split_whitespace().next().unwrap_or_default();
        // The counters of a full FEN may follow the four fields; nothing else that is a number does.
        if field.is_empty() || (fields.len() >= 4 && field.parse::<u32>().is_err()) {
            break;
        }
        rest = rest[field.len()..].trim_start();
        fields.push(field);
    }
    if fields.len() < 4 {
        return Err(format!("an EPD line begins with four fields of a FEN, this has {}", fields.len()));
    }
    let operations = split_operations(rest)
        .map(|operation| operation.split_once(char::is_whitespace).unwrap_or((operation, "")))
        .map(|(name, operands)| (name, operands.trim()))
        .collect();
    // A single counter belongs to nothing; two are the end of a FEN.
    fields.truncate(if fields.len() == 6 { 6 } else { 4 });
    Ok(Record { line: number, position: fields.join(" "), operations })
}

/// Cuts at semicolons that are not between quotation marks.
fn split_operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |symbol| {
        quoted ^= symbol == '"';
        symbol == ';' && !quoted
    })
    .map(str::trim)
    .filter(|operation| !operation.is_empty())
}

impl<G: Notation> Suite<G> {
    /// Reads a suite from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or [`parse`](Self::parse) refuses it.
    pub fn load(path: &Path) -> Result<Self, DataFileError> {
        Self::parse(&data_file::read(path, "an EPD file")?, &path.display().to_string())
    }

    /// Reads the suite that is part of the binary.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn bundled(bundled: Bundled) -> Result<Self, DataFileError> {
        Self::parse(bundled.text, bundled.name)
    }

    /// Reads a suite from text; `name` is what errors and reports call it.
    ///
    /// # Errors
    /// Names the line for a position or move that is none, a finished position, a line with neither `bm` nor `am`, and
    /// an `id` that was there before.
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let at = |line, reason| DataFileError::Line { name: name.to_owned(), line, reason };
        let mut problems: Vec<Problem<G>> = Vec::new();
        let mut ids = HashSet::new();
        for record in records(text) {
            let record = record.map_err(|(line, reason)| at(line, reason))?;
            let problem = problem::<G>(&record, problems.len() + 1).map_err(|reason| at(record.line, reason))?;
            if !ids.insert(problem.id.clone()) {
                return Err(at(
                    record.line,
                    format!("the id {:?} is used twice; give every position its own", problem.id),
                ));
            }
            problems.push(problem);
        }
        if problems.is_empty() {
            return Err(DataFileError::Empty { name: name.to_owned(), example: "\"... bm e2e3;\" with the best move" });
        }
        let lines: Vec<String> = problems.iter().map(|problem| line(problem, &[])).collect();
        Ok(Self { name: name.to_owned(), problems, digest: digest(&lines.join("\n")) })
    }
}

fn problem<G: Notation>(record: &Record<'_>, number: usize) -> Result<Problem<G>, String> {
    let position = G::parse_position(&record.position).map_err(|error| error.to_string())?;
    if legal_moves::<G>(&position).is_empty() {
        return Err("the game is over in this position, so there is nothing to solve".to_owned());
    }
    let moves = |name| -> Result<Vec<G::Move>, String> {
        let operands = record.operands(name).unwrap_or_default();
        let read = |text| G::parse_move(&position, text).map_err(|error| format!("{name}: {error}"));
        operands.split_whitespace().map(read).collect()
    };
    let (best, avoid) = (moves("bm")?, moves("am")?);
    if best.is_empty() && avoid.is_empty() {
        return Err("neither a best move (bm) nor one to avoid (am): write for instance \"bm e2e3;\"".to_owned());
    }
    let id = match record.operands("id").map(|id| id.trim_matches('"').trim()) {
        Some(id) if !id.is_empty() => id.to_owned(),
        _ => format!("position {number}"),
    };
    Ok(Problem { line: record.line, id, position, best, avoid })
}

/// Writes a problem as a line, with further operations (name and operands) at its end.
#[must_use]
pub fn line<G: Notation>(problem: &Problem<G>, further: &[(&str, String)]) -> String {
    let mut line = first_four_fields(&G::format_position(&problem.position));
    for (name, moves) in [("bm", &problem.best), ("am", &problem.avoid)] {
        if !moves.is_empty() {
            let moves: Vec<_> = moves.iter().map(|&mv| G::format_move(&problem.position, mv)).collect();
            line += &format!(" {name} {};", moves.join(" "));
        }
    }
    line += &format!(" id \"{}\";", problem.id);
    for (name, operands) in further {
        line += &format!(" {name} {operands};");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Breakthrough;

    const LONE: &str = "8/7p/8/8/8/8/P7/8 w - -";

    fn parse(text: &str) -> Result<Suite<Breakthrough>, String> {
        Suite::parse(text, "s.epd").map_err(|error| error.to_string())
    }

    #[test]
    fn lines_are_read_and_written() {
        let text = format!(
            "# a comment; with semicolon\n\n{LONE} bm a2a3; id \"one; two\"; c0 \"x\";\n{LONE} 3 7 am a2-a3 a2b3;\n"
        );
        let suite = parse(&text).unwrap();
        assert_eq!(suite.problems.len(), 2);
        assert_eq!(
            line(&suite.problems[0], &[("c0", "\"x\"".into())]),
            format!("{LONE} bm a2a3; id \"one; two\"; c0 \"x\";")
        );
        assert_eq!(line(&suite.problems[1], &[]), format!("{LONE} am a2a3 a2b3; id \"position 2\";"));
        let [first, second] = &suite.problems[..] else { panic!() };
        let mv = first.best[0];
        assert!(first.is_solved_by(mv) && !second.is_solved_by(mv));
        assert!(!first.is_solved_by(second.avoid[1]) && !second.is_solved_by(second.avoid[1]));
    }

    #[test]
    fn what_is_no_problem_is_refused_with_its_line() {
        for (text, expected) in [
            (String::new(), "s.epd: there is no position"),
            (format!("\n{LONE} bm a2a4; id \"x\";"), "s.epd:2: bm: a2a4 is not legal"),
            (format!("{LONE} id \"x\";"), "s.epd:1: neither a best move"),
            ("8/8/8 w\n".into(), "four fields"),
            ("8/8/8 w - - bm a2a3;".into(), "8 rows"),
            ("8/8/8/8/8/8/8/p6P w - - bm a2a3;".into(), "the game is over"),
            (format!("{LONE} bm a2a3; id \"x\";\n{LONE} bm a2a3; id \"x\";"), "s.epd:2: the id \"x\" is used twice"),
        ] {
            let error = parse(&text).expect_err(&text);
            assert!(error.contains(expected), "{text}\n-> {error}");
        }
    }
}
