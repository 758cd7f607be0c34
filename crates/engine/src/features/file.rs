// SPDX-License-Identifier: GPL-3.0-or-later
//! Extension tables as files: TOML, written to be read and edited by a person. `docs/formats.md` describes them.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::{AtomSet, ExtensionTable, Row, Vocabulary};
use crate::base::Depth;
use crate::base::data_file::{self, DataFileError, line_of};
use crate::patterns::MoveAtoms;

/// The newest format this program reads, and the one it writes.
pub const FORMAT: u32 = 1;

/// Most bytes of a file: far more rows than a person would write.
const LARGEST: u64 = 1 << 20;

/// The file as TOML. Values that may be wrong keep their positions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// Checked already; this field only accepts the key.
    #[serde(rename = "format")]
    _format: u32,
    game: Spanned<String>,
    definitions: Option<Spanned<String>>,
    #[serde(default)]
    extension: Vec<Extension>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Extension {
    feature: Spanned<String>,
    ply: Spanned<f64>,
}

/// Reads a table from a file.
///
/// # Errors
/// If the file cannot be read, or [`parse`] refuses it.
pub fn load(path: &Path, vocabulary: &Vocabulary) -> Result<ExtensionTable, DataFileError> {
    parse(&read(path)?, &path.display().to_string(), vocabulary)
}

/// The text of a table's file, whatever game it is for.
///
/// # Errors
/// If the file cannot be read.
pub fn read(path: &Path) -> Result<String, DataFileError> {
    data_file::read_up_to(LARGEST, path, "an extension table, such as the extensions.toml of a run")
}

/// Reads a table from text; `name` is what errors call it.
///
/// # Errors
/// Names the line and what was expected for: text that is no TOML, a newer format, another game, keys that do not
/// exist, atoms that the game does not have, atoms of one group in a feature, a feature twice, and a ply that is not a
/// number from 0 to 10 with at most two decimals. Definitions of atoms that are wrong, or not those that the vocabulary has
/// of the same atoms.
pub fn parse(text: &str, name: &str, vocabulary: &Vocabulary) -> Result<ExtensionTable, DataFileError> {
    let at = |span: Range<usize>, reason: String| DataFileError::Line {
        name: name.to_owned(),
        line: line_of(text, span.start),
        reason,
    };
    let expected = "an extension table has `format = 1`, `game = \"...\"` and for each row `[[extension]]` with \
                    `feature = \"...\"` and `ply = ...`";
    let document: Document = data_file::from_toml(text, name, FORMAT, expected)?;
    if document.game.as_ref() != vocabulary.game {
        let reason = format!("this table is for {:?}, not for {:?}", document.game.as_ref(), vocabulary.game);
        return Err(at(document.game.span(), reason));
    }
    let own = match &document.definitions {
        Some(given) => Some(definitions(given, name, text, vocabulary)?),
        None => None,
    };
    let extended = own.as_ref().filter(|_| vocabulary.own.is_none()).map(|own| vocabulary.with_own(own));
    let vocabulary = extended.as_ref().unwrap_or(vocabulary);
    let mut rows: Vec<(Row, usize)> = Vec::new();
    for extension in document.extension {
        let place = extension.feature.span();
        let feature = vocabulary
            .parse(extension.feature.as_ref())
            .and_then(|feature| vocabulary.check_clash(feature).map(|()| feature))
            .map_err(|error| at(place.clone(), error.to_string()))?;
        let cost = Depth::from_cost(*extension.ply.as_ref())
            .map_err(|error| at(extension.ply.span(), format!("ply: {error}")))?;
        let line = line_of(text, place.start);
        if let Some((_, first)) = rows.iter().find(|(row, _)| row.feature == feature) {
            let reason = format!("{} has a row already, in line {first}: keep one", vocabulary.format(feature));
            return Err(at(place, reason));
        }
        rows.push((Row { feature, cost }, line));
    }
    Ok(ExtensionTable::new(rows.into_iter().map(|(row, _)| row).collect()).with_own(vocabulary.own.clone()))
}

/// The atoms that a table defines.
fn definitions(
    given: &Spanned<String>,
    name: &str,
    text: &str,
    vocabulary: &Vocabulary,
) -> Result<Arc<MoveAtoms>, DataFileError> {
    let line = line_of(text, given.span().start);
    // A line break behind the quotes is no part of the value.
    let begins = text[given.span()].trim_start_matches(['\'', '"']).starts_with(['\n', '\r']);
    let before = if begins { line } else { line - 1 };
    let wrong = |line, reason| DataFileError::Line { name: name.to_owned(), line, reason };
    let game = vocabulary.own.as_ref().map_or(vocabulary.atoms.len(), |own| own.first());
    let taken: Vec<&str> = vocabulary.atoms.iter().take(game).map(|atom| &*atom.name).collect();
    let own = MoveAtoms::parse(None, given.as_ref(), name, &taken).map_err(|error| match error {
        DataFileError::Line { line: inside, reason, .. } => wrong(before + inside, reason),
        other => other,
    })?;
    let Some(known) = &vocabulary.own else { return Ok(Arc::new(own)) };
    let of_known = (0..).zip(known.atoms()).filter(|(_, atom)| own.atoms().iter().any(|own| own.name == atom.name));
    let same = known.text(of_known.map(|(place, _)| 1 << (known.first() + place)).sum());
    if MoveAtoms::parse(None, &same, name, &taken).is_ok_and(|same| same == own) {
        return Ok(Arc::clone(known));
    }
    let names: Vec<&str> = own.atoms().iter().map(|atom| &atom.name[..]).collect();
    Err(wrong(line, format!("the definitions of {} are not those of the theory: use one of the two", names.join(" "))))
}

/// Reads a table from one line, as [`ExtensionTable::summary`] writes it: `Ud-RdTt@0.5 Rc@0.75`.
///
/// # Errors
/// Says which row is wrong, and what was expected.
pub fn parse_line(text: &str, vocabulary: &Vocabulary) -> Result<ExtensionTable, String> {
    let table = parse_summary(text, vocabulary)?;
    let clash = table.rows().iter().find_map(|row| {
        let error = vocabulary.check_clash(row.feature).err()?;
        Some(format!("{}@{}: {error}", vocabulary.format(row.feature), row.cost))
    });
    clash.map_or(Ok(table), Err)
}

/// The same, but atoms of a feature may clash: learning without groups tries such tables too.
///
/// # Errors
/// As [`parse_line`].
pub fn parse_summary(text: &str, vocabulary: &Vocabulary) -> Result<ExtensionTable, String> {
    let mut rows: Vec<Row> = Vec::new();
    for word in text.split_whitespace().filter(|&word| word != "none") {
        let (feature, ply) =
            word.split_once('@').ok_or_else(|| format!("{word}: a row is a feature, @, and its ply: Ud-RdTt@0.5"))?;
        let feature = vocabulary.parse(feature).map_err(|error| format!("{word}: {error}"))?;
        let ply = ply.parse().map_err(|_| format!("{word}: {ply} is not a number of plies"))?;
        let cost = Depth::from_cost(ply).map_err(|error| format!("{word}: {error}"))?;
        if rows.iter().any(|row| row.feature == feature) {
            return Err(format!("{word}: this feature has a row already"));
        }
        rows.push(Row { feature, cost });
    }
    Ok(ExtensionTable::new(rows).with_own(vocabulary.own.clone()))
}

/// Writes a table as a file's text, with comment lines (without their `#`) above the rows.
pub fn render(table: &ExtensionTable, comments: &[String], vocabulary: &Vocabulary) -> String {
    let mut text = format!("format = {FORMAT}\ngame = \"{}\"\n", vocabulary.game);
    for comment in comments {
        text += format!("# {comment}").trim_end();
        text.push('\n');
    }
    let vocabulary = &table.vocabulary(vocabulary);
    if let Some(own) = &vocabulary.own
        && table.wanted().meets(AtomSet(own.bits()))
    {
        text += &format!("definitions = '''\n{}'''\n", own.text(table.wanted().0));
    }
    for row in table.rows() {
        text += &format!("\n[[extension]]\nfeature = \"{}\"\nply = {}\n", vocabulary.format(row.feature), row.cost);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::Breakthrough;

    fn read(text: &str) -> Result<ExtensionTable, String> {
        parse(text, "t.toml", &Breakthrough::VOCABULARY).map_err(|error| error.to_string())
    }

    fn row(feature: &str, ply: &str) -> String {
        format!("[[extension]]\nfeature = \"{feature}\"\nply = {ply}\n")
    }

    const HEAD: &str = "format = 1\ngame = \"breakthrough\"\n";

    #[test]
    fn what_is_written_is_read_back() {
        let text = format!("{HEAD}{}{}{}", row("RdTt-Ud", "0.5"), row("C", "0.25"), row("Ms-Edg", "1.37"));
        let table = read(&text).unwrap();
        assert_eq!(table.summary(&Breakthrough::VOCABULARY), "C@0.25 Ud-RdTt@0.5 Ms-Edg@1.37");
        assert_eq!(parse_line(&table.summary(&Breakthrough::VOCABULARY), &Breakthrough::VOCABULARY), Ok(table.clone()));
        assert_eq!(read(&render(&table, &["learned".into(), String::new()], &Breakthrough::VOCABULARY)), Ok(table));
        assert_eq!(read(HEAD), Ok(ExtensionTable::default()));
        // An integer is a ply too.
        assert_eq!(read(&format!("{HEAD}{}", row("C", "1"))).unwrap().rows()[0].cost, Depth::PLY);
    }

    #[test]
    fn a_line_that_is_no_table_is_refused() {
        assert_eq!(parse_line("none", &Breakthrough::VOCABULARY), Ok(ExtensionTable::default()));
        for (text, expected) in [
            ("Ud", "Ud: a row is a feature, @, and its ply"),
            ("Ud@x", "x is not a number"),
            ("Ud@11", "from 0 to 10"),
            ("Xx@0.5", "there is no atom"),
            ("C-Rc@0.5", "are of one group"),
            ("C@0.5 C@0.25", "has a row already"),
        ] {
            let error = parse_line(text, &Breakthrough::VOCABULARY).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn every_refusal_names_line_and_remedy() {
        for (text, expected) in [
            (format!("{HEAD}{}", row("Ud-Xx", "0.5")), "t.toml:4: there is no atom \"Xx\"; the atoms are Ud PP Rc"),
            (format!("{HEAD}{}", row("C-Rc", "0.5")), "t.toml:4: Rc and C are of one group (Rc C)"),
            (format!("{HEAD}{}", row("C-C", "0.5")), "t.toml:4: the atom C is named twice"),
            (format!("{HEAD}{}", row("", "0.5")), "t.toml:4: a feature is written as atom names"),
            (format!("{HEAD}{}", row("C", "-0.5")), "t.toml:5: ply: a move's cost is a number of plies from 0 to 10"),
            (format!("{HEAD}{}", row("C", "inf")), "t.toml:5: ply:"),
            (format!("{HEAD}{}", row("C", "nan")), "t.toml:5: ply:"),
            (format!("{HEAD}{}", row("C", "0.333")), "write 0.33"),
            (format!("{HEAD}{}", row("C", "\"half\"")), "t.toml:5: invalid type"),
            (
                format!("{HEAD}{}{}", row("C-Ud", "1"), row("Ud-C", "0.5")),
                "t.toml:7: Ud-C has a row already, in line 4",
            ),
            ("format = 2\ngame = \"breakthrough\"\nrows = []\n".into(), "t.toml:1: format 2 is not known"),
            ("format = 1\ngame = \"chess\"\n".into(), "t.toml:2: this table is for \"chess\""),
            (format!("{HEAD}colour = 1\n"), "t.toml:3: unknown field `colour`"),
            (format!("{HEAD}[[extension]]\nfeature = \"C\"\n"), "missing field `ply`"),
            ("game = \"breakthrough\"\n".into(), "missing field `format`"),
            ("format = 1\ngame = [\n".into(), "an extension table has"),
            (String::new(), "missing field"),
            ("\u{0}\u{1}".into(), "t.toml:1: "),
        ] {
            let error = read(&text).expect_err(&text);
            assert!(error.contains(expected), "{text}\n-> {error}\nexpected {expected}");
        }
    }
}
