// SPDX-License-Identifier: GPL-3.0-or-later
//! Suites as files: Extended Position Description, one position a line.
//!
//! Four fields of a FEN (or all six), then operations that end in semicolons: `bm` the best moves, `am` moves to avoid,
//! `id` a name. Blank lines and lines that start with `#` are comments. [`Oddity`] lists the deviations from the
//! standard that are accepted.

use std::collections::HashSet;
use std::path::Path;

use super::distinct::first_four_fields;
use super::moves;
use super::points::{self, Points};
use super::tolerance::{Oddity, Tolerated};
use halfply_engine::base::bundled::Bundled;
use halfply_engine::base::data_file::{self, DataFileError};
use halfply_engine::base::digest::digest;
use halfply_engine::base::files;
use halfply_engine::game::{Notation, legal_moves};

/// A position with its right and wrong moves.
#[derive(Clone, Debug)]
pub struct Problem<G: Notation> {
    /// Its line in the file, from 1; 0 if it is not from a file.
    pub line: usize,
    /// Its name, unique in the suite.
    pub id: String,
    /// The position.
    pub position: G::Position,
    /// The best moves; if there are any, one of them must be played.
    pub best: Vec<G::Move>,
    /// Moves that must not be played.
    pub avoid: Vec<G::Move>,
    /// The points of moves, or why they are unknown.
    pub points: Result<Points<G::Move>, String>,
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
    /// The deviations from the standard that were accepted.
    pub tolerated: Tolerated,
}

/// One line of an EPD file, with its position not yet parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The line in the file, from 1.
    pub line: usize,
    /// The position's fields.
    pub position: String,
    /// The operations: name and operands.
    pub operations: Vec<(&'a str, &'a str)>,
    /// The deviations accepted so far.
    pub oddities: Vec<Oddity>,
}

impl Record<'_> {
    /// The operands of the first operation of that name.
    pub fn operands(&self, name: &str) -> Option<&str> {
        self.all_operands(name).next()
    }

    /// The operands of all operations of that name.
    fn all_operands(&self, name: &str) -> impl Iterator<Item = &str> {
        self.operations.iter().filter(move |(found, _)| *found == name).map(|&(_, operands)| operands)
    }
}

/// Operations that cannot be moves: where a list of moves meets one, a semicolon is missing.
const OPERATIONS: &[&str] = &["acd", "acn", "acs", "am", "bm", "c0", "c9", "ce", "dm", "id", "pm", "pv", "sm"];

/// Splits a text into its records.
///
/// # Errors
/// Names the line and the reason if it has too few fields.
pub fn records(text: &str) -> impl Iterator<Item = Result<Record<'_>, (usize, String)>> {
    // Some programs end lines with a NUL.
    let is_blank = |symbol: char| symbol.is_whitespace() || symbol.is_control();
    text.lines().enumerate().map(move |(index, line)| (index + 1, line.trim_matches(is_blank))).filter_map(
        |(number, line)| {
            if line.is_empty() || line.starts_with('#') {
                return None;
            }
            Some(record(number, line).map_err(|reason| (number, reason)))
        },
    )
}

fn record(number: usize, line: &str) -> Result<Record<'_>, String> {
    let mut rest = line;
    let (mut fields, mut oddities) = (Vec::new(), Vec::new());
    while fields.len() < 6 {
        let field = rest.split(|symbol: char| symbol.is_whitespace() || symbol == ';').next().unwrap_or_default();
        // The counters of a full FEN may follow the four fields; no operation is a number.
        let is_dash = fields.len() == 4 && field == "-";
        if field.is_empty() || (fields.len() >= 4 && !is_dash && field.parse::<u32>().is_err()) {
            break;
        }
        rest = rest[field.len()..].trim_start();
        if is_dash {
            oddities.push(Oddity::Dash);
        } else {
            fields.push(field);
        }
    }
    if fields.len() < 4 {
        return Err(format!("an EPD line begins with four fields of a FEN, this has {}", fields.len()));
    }
    let mut operations = Vec::new();
    for operation in split_operations(rest) {
        let stripped = operation.trim_start_matches(|symbol: char| symbol == '-' || symbol.is_whitespace());
        if stripped.len() < operation.len() {
            oddities.push(Oddity::Dash);
        }
        let mut left = Some(stripped);
        while let Some(operation) = left {
            let (whole, behind) = cut_at_operation(operation);
            let (name, operands) = whole.split_once(char::is_whitespace).unwrap_or((whole, ""));
            operations.push((name, operands.trim()));
            oddities.extend(behind.map(|_| Oddity::Semicolon));
            left = behind;
        }
    }
    // A single counter belongs to nothing; two are the end of a FEN.
    fields.truncate(if fields.len() == 6 { 6 } else { 4 });
    Ok(Record { line: number, position: fields.join(" "), operations, oddities })
}

/// Cuts a list of moves off the operation that follows it without a semicolon. Nothing else is cut.
fn cut_at_operation(text: &str) -> (&str, Option<&str>) {
    let mut end = 0;
    let mut is_list = false;
    for word in text.split_inclusive(char::is_whitespace) {
        match word.trim_end() {
            "bm" | "am" if end == 0 => is_list = true,
            name if is_list && OPERATIONS.contains(&name) => return (text[..end].trim_end(), Some(&text[end..])),
            _ => {}
        }
        end += word.len();
    }
    (text, None)
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
    pub fn bundled(bundled: &Bundled) -> Result<Self, DataFileError> {
        Self::parse(bundled.text, bundled.name)
    }

    /// Reads a suite from text; `name` is what errors and reports call it.
    ///
    /// # Errors
    /// Names the line for an invalid position or move, a finished position, a line with neither `bm` nor `am`, and a
    /// duplicate `id`.
    pub fn parse(text: &str, name: &str) -> Result<Self, DataFileError> {
        let at = |line, reason| DataFileError::Line { name: name.to_owned(), line, reason };
        let mut problems: Vec<Problem<G>> = Vec::new();
        let mut ids = HashSet::new();
        let mut tolerated = Tolerated::default();
        for record in records(text) {
            let record = record.map_err(|(line, reason)| at(line, reason))?;
            let mut note = |oddity| tolerated.note(oddity, record.line);
            record.oddities.iter().copied().for_each(&mut note);
            let problem =
                problem::<G>(&record, problems.len() + 1, &mut note).map_err(|reason| at(record.line, reason))?;
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
        let lines: Vec<String> = problems.iter().map(line).collect();
        Ok(Self { name: files::shown(Path::new(name)), problems, digest: digest(lines.join("\n")), tolerated })
    }
}

fn problem<G: Notation>(
    record: &Record<'_>,
    number: usize,
    note: &mut impl FnMut(Oddity),
) -> Result<Problem<G>, String> {
    let position = G::parse_position(&record.position).map_err(|error| error.to_string())?;
    if legal_moves::<G>(&position).is_empty() {
        return Err("the game is over in this position, so there is nothing to solve".to_owned());
    }
    let mut moves = |name| -> Result<Vec<G::Move>, String> {
        let operands = record.all_operands(name).collect::<Vec<_>>().join(" ");
        moves::read::<G>(&position, &operands, note).map_err(|error| format!("{name}: {error}"))
    };
    let (best, avoid) = (moves("bm")?, moves("am")?);
    if best.is_empty() && avoid.is_empty() {
        return Err("neither a best move (bm) nor one to avoid (am): write for instance \"bm e2e3;\"".to_owned());
    }
    let id = match record.operands("id").map(|id| id.trim_matches('"').trim()) {
        // It is written between quotation marks.
        Some(id) if !id.is_empty() => id.replace('"', "'"),
        _ => format!("position {number}"),
    };
    let points = points::read::<G>(|name| record.operands(name), &position);
    Ok(Problem { line: record.line, id, position, best, avoid, points })
}

/// Writes a problem as a line.
pub fn line<G: Notation>(problem: &Problem<G>) -> String {
    let mut line = first_four_fields(&G::format_position(&problem.position));
    for (name, moves) in [("bm", &problem.best), ("am", &problem.avoid)] {
        if !moves.is_empty() {
            let moves: Vec<_> = moves.iter().map(|&mv| G::format_move(&problem.position, mv)).collect();
            line += &format!(" {name} {};", moves.join(" "));
        }
    }
    line + &format!(" id \"{}\";", problem.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Breakthrough, Chess};
    use proptest::prelude::*;

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
        assert_eq!(line(&suite.problems[0]), format!("{LONE} bm a2a3; id \"one; two\";"));
        assert_eq!(line(&suite.problems[1]), format!("{LONE} am a2a3 a2b3; id \"position 2\";"));
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

    /// Lines from published suites: WAC, Bratko-Kopec, LCT II, ERET, STS, and mates of Blass.
    const CIRCULATING: &str = r#"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";
r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - bm Nd5 a4; id "BK.05"; acd 7;
1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - ; bm Qd1 + ; id BK.01
2k2b1r/1pq3p1/2p1pp2/p1n1PnNp/2P2B2/2N4P/PP2QPP1/3R2K1 w - -; bm ef6; id "CMB-04";c0 "Vanka - Jansa, Prag 1957, 1.ef6:!";
r1bqk1r1/1p1p1n2/p1n2pN1/2p1b2Q/2P1Pp2/1PN5/PB4PP/R4RK1 w q - - bm Rxf4; id "ERET 001 - Relief";
r1b2r1k/ppp2ppp/8/4p3/2BPQ3/P3P1K1/1B3PPP/n3q1NR w - - bm dxe5, Nf3; id "ERET 011 - Attacking Castle";
3q1rk1/2nbppb1/pr1p1n1p/2pP1Pp1/2P1P2Q/2N2N2/1P2B1PP/R1B2RK1 w - - bm Nxg5; - id "ERET 041 - Knight Sacrifice";
8/2P1P3/b1B2p2/1pPRp3/2k3P1/P4pK1/nP3p1p/N7 w - - bm e8N; id "ERET 089 - Underpromotion";
4rrk1/Rpp3pp/6q1/2PPn3/4p3/2N5/1P2QPPP/5RK1 w - - am Rxb7; id "ERET 028 - Poisoned Pawn";
2b1k2r/2p2ppp/1qp4n/7B/1p2P3/5Q2/PPPr2PP/R2N1R1K b k - bm 0-0; id "sbd.003";
1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id "STS(v1.0) Undermine.001"; c0 "f5=10, Bf2=3"; c7 "f5 Bf2"; c8 "10 3"; c9 "f4f5 d4f2";
7R/2k1p2P/r2rP3/8/3p1R2/8/2P2p2/2K5 w - - 0 1 bm Rc8+ dm 26
"#;

    #[test]
    fn suites_load_as_they_circulate() {
        let suite = Suite::<Chess>::parse(&CIRCULATING.replace("id BK.01", "id BK.01\u{0}"), "s.epd").unwrap();
        let read: Vec<_> = suite.problems.iter().map(line).collect();
        let answers = read.iter().map(|line| line.split_once(" - ").unwrap().1.trim_start_matches("- "));
        assert_eq!(
            answers.collect::<Vec<_>>(),
            [
                r#"bm g3g6; id "WAC.001";"#,
                r#"bm c3d5 a2a4; id "BK.05";"#,
                r#"bm d6d1; id "BK.01";"#,
                r#"bm e5f6; id "CMB-04";"#,
                r#"bm f1f4; id "ERET 001 - Relief";"#,
                r#"bm d4e5 g1f3; id "ERET 011 - Attacking Castle";"#,
                r#"bm f3g5; id "ERET 041 - Knight Sacrifice";"#,
                r#"bm e7e8n; id "ERET 089 - Underpromotion";"#,
                r#"am a7b7; id "ERET 028 - Poisoned Pawn";"#,
                r#"bm e8g8; id "sbd.003";"#,
                r#"bm f4f5; id "STS(v1.0) Undermine.001";"#,
                r#"bm h8c8; id "position 12";"#,
            ]
        );
        let points: Vec<_> = suite.problems.iter().map(|problem| problem.points.is_ok()).collect();
        assert_eq!(points, (1..=12).map(|number| number == 11).collect::<Vec<_>>());
        assert_eq!(
            suite.tolerated.to_string(),
            "commas between moves (line 6), check signs missing or wrong (line 3), promotions without \"=\" (line 8), \
             castlings with zeros (line 10), capture signs missing or wrong (line 4), \
             dashes too many (2, first in line 5), semicolons missing (line 12)"
        );
    }

    #[test]
    fn every_list_of_moves_counts() {
        let suite = parse(&format!("{LONE} bm a2a3; c0 \"x\"; c0 \"y\"; bm a2b3;")).unwrap();
        assert_eq!(line(&suite.problems[0]), format!("{LONE} bm a2a3 a2b3; id \"position 1\";"));
    }

    /// Lines that are nearly right: words of suites in any order, and cut anywhere.
    fn nearly_lines() -> impl Strategy<Value = String> {
        let fens = ["8/2P1P3/b1B2p2/1pPRp3/2k3P1/P4pK1/nP3p1p/N7 w - -", LONE, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"];
        let words =
            ["bm", "am", "id", "c0", "c8", "c9", "e8N", "O-O", "0-0-0", "e1g1", "+", "x", "=", "f5=10,", "-", "\""];
        let known: Vec<&str> =
            words.into_iter().chain([";", ",", "0", "é", "\u{0}", "e.p.", "dm 3", "a2a3;"]).collect();
        let word = prop_oneof![6 => prop::sample::select(known).prop_map(str::to_owned), 1 => "\\PC{0,6}"];
        (prop::sample::select(fens.to_vec()), prop::collection::vec(word, 0..16), any::<prop::sample::Index>())
            .prop_map(|(fen, words, end)| {
                let line = format!("{fen} {}", words.join(" "));
                line[..line.floor_char_boundary(end.index(line.len() + 1))].to_owned()
            })
    }

    proptest! {
        #[test]
        fn no_line_panics(line in prop_oneof![3 => nearly_lines(), 1 => "\\PC{0,80}", 1 => any::<String>()]) {
            if let Err(error) = Suite::<Chess>::parse(&line, "s.epd") {
                prop_assert!(error.to_string().starts_with("s.epd"), "{}", error);
            }
            let _ = Suite::<Breakthrough>::parse(&line, "s.epd");
        }

        #[test]
        fn what_is_read_is_written_and_read_again(line in nearly_lines()) {
            if let Ok(suite) = Suite::<Chess>::parse(&line, "s.epd") {
                let lines: Vec<_> = suite.problems.iter().map(super::line).collect();
                let again = Suite::<Chess>::parse(&lines.join("\n"), "s.epd").unwrap();
                prop_assert_eq!(again.digest, suite.digest);
                prop_assert!(again.tolerated.is_empty(), "{}", again.tolerated);
            }
        }
    }
}
