// SPDX-License-Identifier: GPL-3.0-or-later
//! Knowledge for other engines: tables with every atom in words. As JSON for programs, as a page of Markdown for
//! people.

use std::collections::BTreeMap;

use serde::Serialize;

use super::findings::Findings;
use super::worth::Worth;
use halfply_engine::base::figures::percent;
use halfply_engine::features::{ExtensionTable, Vocabulary};

/// The format of the JSON.
pub const FORMAT: u32 = 1;

/// How to read tables; also in the JSON, so that it explains itself.
const RULES: [&str; 4] = [
    "A move costs one ply. A move that has all atoms of a row costs that row's plies instead, and of several rows the \
     cheapest: less than one ply extends the search behind the move, more reduces it.",
    "A position's depth left is that before the move minus the move's cost. Below or at zero it is a leaf; what is left of a \
     ply is carried down the line.",
    "Atoms are of a move that has just been played, from the side of whoever played it: rows and ranks are counted from the \
     mover's own first, and attacks are those on the board after the move.",
    "Without a move before it, a move is no reply: whatever asks for the last move is false then.",
];

/// The number of features in a run's knowledge.
const MOST: usize = 10;

/// Tables, and how to read them.
#[derive(Clone, Debug, Serialize)]
pub struct Knowledge {
    format: u32,
    game: &'static str,
    /// What made them.
    #[serde(skip_serializing_if = "String::is_empty")]
    origin: String,
    rules: [&'static str; 4],
    tables: Vec<Table>,
    /// What the atoms of these tables mean.
    atoms: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Serialize)]
struct Table {
    rows: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence>,
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    feature: String,
    ply: f64,
    atoms: Vec<String>,
}

/// The evidence for a table.
#[derive(Clone, Debug, Serialize)]
struct Evidence {
    learned_from: Solved,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<Solved>,
    /// The share of the moves searched that match a row of it.
    frequency: f64,
}

#[derive(Clone, Debug, Serialize)]
struct Solved {
    positions: usize,
    solved: usize,
    solved_without_extensions: usize,
}

impl Knowledge {
    /// A table without evidence.
    pub fn of_table(table: &ExtensionTable, game: &'static str, vocabulary: &Vocabulary, origin: &str) -> Self {
        Self::of(&[(table.clone(), None)], game, vocabulary, origin)
    }

    /// The best features of a run, and its best disjunction before them.
    pub fn of_findings(findings: &Findings, game: &'static str, vocabulary: &Vocabulary, origin: &str) -> Self {
        let Findings { outcome, held_out, positions, .. } = findings;
        let without = outcome.judged.first().map_or(0, |neutral| neutral.worth.solved.len());
        let evidence = |table: &ExtensionTable, evaluation: &Worth| Evidence {
            learned_from: Solved {
                positions: positions.len(),
                solved: evaluation.solved.len(),
                solved_without_extensions: without,
            },
            held_out: held_out.as_ref().and_then(|held_out| {
                let solved = |table: &ExtensionTable| held_out.of(table).map(|evaluation| evaluation.solved.len());
                let solved_without_extensions = solved(&ExtensionTable::default())?;
                Some(Solved { positions: held_out.positions, solved: solved(table)?, solved_without_extensions })
            }),
            frequency: evaluation.summary.frequency,
        };
        let grown = findings.outcome.best_disjunction().map(|(growth, _)| growth.last());
        let grown = grown.map(|step| (step.table.clone(), &step.worth));
        let single = outcome.worthwhile(vocabulary).into_iter().take(MOST);
        let single = single.map(|judged| (judged.table.clone(), &judged.worth));
        let tables: Vec<_> = grown
            .into_iter()
            .chain(single)
            .map(|(table, evaluation)| {
                let evidence = evidence(&table, evaluation);
                (table, Some(evidence))
            })
            .collect();
        Self::of(&tables, game, vocabulary, origin)
    }

    fn of(
        tables: &[(ExtensionTable, Option<Evidence>)],
        game: &'static str,
        vocabulary: &Vocabulary,
        origin: &str,
    ) -> Self {
        let own = tables.iter().find(|(table, _)| table.own().is_some());
        let vocabulary = &own.map_or_else(|| vocabulary.clone(), |(table, _)| table.vocabulary(vocabulary));
        let names = |row: &halfply_engine::features::Row| {
            vocabulary.names(row.feature).into_iter().map(str::to_owned).collect()
        };
        let row = |row: &halfply_engine::features::Row| Row {
            feature: vocabulary.format(row.feature),
            ply: f64::from(row.cost.as_hundredths()) / 100.0,
            atoms: names(row),
        };
        let wanted = tables.iter().flat_map(|(table, _)| table.wanted().indices());
        Self {
            format: FORMAT,
            game,
            origin: origin.to_owned(),
            rules: RULES,
            tables: tables
                .iter()
                .map(|(table, evidence)| Table {
                    rows: table.rows().iter().map(row).collect(),
                    evidence: evidence.clone(),
                })
                .collect(),
            atoms: wanted
                .filter_map(|index| vocabulary.atom(index))
                .map(|atom| (atom.name.to_string(), atom.description.to_string()))
                .collect(),
        }
    }

    /// As a program reads it.
    pub fn json(&self) -> String {
        // Plain data with string keys can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// As a page in Markdown.
    pub fn page(&self) -> String {
        let mut text = format!("# Where to look deeper in {}\n\n", self.game);
        if !self.origin.is_empty() {
            text += &format!("{}.\n\n", self.origin.trim_end_matches('.'));
        }
        text += "## How to read it\n\n";
        text.extend(self.rules.iter().map(|rule| format!("- {rule}\n")));
        if self.tables.is_empty() {
            text += "\nNothing was found that solves more than the search without extensions.\n";
        }
        for (place, table) in self.tables.iter().enumerate() {
            let title: Vec<&str> = table.rows.iter().map(|row| &row.feature[..]).collect();
            let title = if title.is_empty() { "no extension".to_owned() } else { title.join(", or ") };
            text += &format!("\n## {}. {title}\n", place + 1);
            for row in &table.rows {
                let plies = if row.ply == 1.0 { "ply" } else { "plies" };
                text += &format!("\nA move costs {} {plies} if\n\n", row.ply);
                let last = row.atoms.len().saturating_sub(1);
                for (place, atom) in row.atoms.iter().enumerate() {
                    let end = if place == last { "." } else { ", and" };
                    text += &format!("- `{atom}`: {}{end}\n", self.atoms[atom]);
                }
            }
            if let Some(evidence) = &table.evidence {
                text += &format!("\n{}", evidence.sentence());
            }
        }
        text
    }
}

impl Evidence {
    fn sentence(&self) -> String {
        let Solved { positions, solved, solved_without_extensions } = self.learned_from;
        let mut text = format!(
            "With it {solved} of the {positions} positions that it was learned from are solved, without extensions \
             {solved_without_extensions}"
        );
        if let Some(Solved { positions, solved, solved_without_extensions }) = self.held_out {
            text += &format!("; of {positions} others {solved}, without extensions {solved_without_extensions}");
        }
        text + &format!(". {} of the moves searched have it.\n", percent(self.frequency))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::features::file;
    use halfply_engine::game::Game;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn a_table_is_told_in_words() {
        let table = file::parse_line("Ud-RdTt@0.5 Rc@0.75", &Breakthrough::VOCABULARY).unwrap();
        let knowledge = Knowledge::of_table(&table, Breakthrough::NAME, &Breakthrough::VOCABULARY, "by hand");
        let page = knowledge.page();
        for expected in [
            "# Where to look deeper in breakthrough\n\nby hand.\n",
            "## 1. Ud-RdTt, or Rc\n",
            "A move costs 0.5 plies if\n\n- `Ud`: the piece is not attacked on its destination, and\n- `RdTt`: moves to rows 7 or 8.\n",
            "A move costs 0.75 plies if\n\n- `Rc`: captures the piece that moved last.\n",
        ] {
            assert!(page.contains(expected), "{expected}\n{page}");
        }
        let json: serde_json::Value = serde_json::from_str(&knowledge.json()).unwrap();
        assert_eq!(json["tables"][0]["rows"][0]["atoms"], serde_json::json!(["Ud", "RdTt"]));
        assert_eq!(json["tables"][0]["rows"][1]["ply"], 0.75);
        assert_eq!(json["atoms"].as_object().map(serde_json::Map::len), Some(3));
        assert!(json["tables"][0].get("evidence").is_none());
    }
}
