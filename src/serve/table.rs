// SPDX-License-Identifier: GPL-3.0-or-later
//! Extension tables as the page edits them, and what the moves of a position cost under one.

use serde::{Deserialize, Serialize};

use super::game::{GameSoFar, ShownMove, shown_move};
use super::refusal::Refusal;
use halfply_engine::features::{ExtensionTable, Row, Vocabulary, file};
use halfply_engine::game::Game;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::search::explain::{Explained, explain};
use halfply_engine::with_game;

/// A table to be read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRequest {
    /// The game that it is for.
    pub game: GameName,
    /// Rows such as `Ud-Rdt@0.5`, or the text of a file.
    pub table: String,
}

/// A table that was read.
#[derive(Debug, Serialize)]
pub struct ShownTable {
    /// In one line.
    pub line: String,
    /// Its rows, the cheapest first.
    pub rows: Vec<ShownRow>,
    /// As a file.
    pub file: String,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownRow {
    /// The feature.
    pub feature: String,
    /// What its atoms mean.
    pub words: Vec<String>,
    /// What a move that has it costs, in plies.
    pub cost: String,
}

/// A table, from rows such as `Ud-Rdt@0.5` or the text of a file.
///
/// # Errors
/// Says what is wrong and where.
pub fn read(text: &str, vocabulary: &Vocabulary) -> Result<ExtensionTable, Refusal> {
    // Rows have no equals sign, and every file has one.
    if text.contains('=') {
        file::parse(text, "table", vocabulary).map_err(Refusal::invalid)
    } else {
        file::parse_line(text, vocabulary).map_err(Refusal::Invalid)
    }
}

/// A table as it was understood.
///
/// # Errors
/// As [`read`].
pub fn show(request: &TableRequest) -> Result<ShownTable, Refusal> {
    let vocabulary = with_game!(request.game, G => <G as Game>::VOCABULARY);
    let table = read(&request.table, &vocabulary)?;
    let vocabulary = table.vocabulary(&vocabulary);
    Ok(ShownTable {
        line: table.summary(&vocabulary),
        rows: table.rows().iter().map(|row| shown_row(row, &vocabulary)).collect(),
        file: file::render(&table, &[], &vocabulary),
    })
}

fn shown_row(row: &Row, vocabulary: &Vocabulary) -> ShownRow {
    let atoms = row.feature.indices().filter_map(|index| vocabulary.atom(index));
    let words = atoms.map(|atom| atom.description.to_string()).collect();
    ShownRow { feature: vocabulary.format(row.feature), words, cost: row.cost.to_string() }
}

/// A question what the moves of a position cost.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostRequest {
    /// The game so far.
    pub game: GameSoFar,
    /// The table.
    pub table: String,
}

/// What a move costs.
#[derive(Debug, Serialize)]
pub struct MoveCost {
    /// The move.
    #[serde(rename = "move")]
    pub mv: ShownMove,
    /// The names of its atoms.
    pub atoms: Vec<String>,
    /// The row that decides; none if no row matches.
    pub row: Option<ShownRow>,
    /// The cost in plies.
    pub cost: String,
}

/// The costs of all legal moves, the cheapest first, then by name.
///
/// # Errors
/// If game or table are not valid.
pub fn costs(request: &CostRequest) -> Result<Vec<MoveCost>, Refusal> {
    with_game!(request.game.game, G => costs_of_game::<G>(request))
}

fn costs_of_game<G: RegisteredGame>(request: &CostRequest) -> Result<Vec<MoveCost>, Refusal> {
    let vocabulary = G::VOCABULARY;
    let table = read(&request.table, &vocabulary)?;
    let vocabulary = table.vocabulary(&vocabulary);
    let history = request.game.history::<G>()?;
    if history.outcome().is_some() {
        return Ok(Vec::new());
    }
    let position = history.position();
    let mut explained: Vec<Explained<G::Move>> = explain::<G>(position, history.moves().last().copied(), &table);
    explained.sort_by_cached_key(|explained| (explained.cost(), G::record_move(position, explained.mv)));
    let cost = |explained: &Explained<G::Move>| MoveCost {
        mv: shown_move::<G>(position, explained.mv),
        atoms: vocabulary.names(explained.atoms).into_iter().map(str::to_owned).collect(),
        row: explained.row.map(|row| shown_row(&row, &vocabulary)),
        cost: explained.cost().to_string(),
    };
    Ok(explained.iter().map(cost).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<ShownTable, String> {
        let request = TableRequest { game: GameName::Breakthrough, table: text.to_owned() };
        show(&request).map_err(|error| error.to_string())
    }

    #[test]
    fn a_table_is_read_from_rows_and_from_its_file() {
        let shown = table("Ud-RdTt@0.5\nC@0.25\n").unwrap();
        assert_eq!(shown.line, "C@0.25 Ud-RdTt@0.5");
        assert_eq!(shown.rows[1].words.len(), 2);
        assert_eq!(table(&shown.file).unwrap().line, shown.line);
        assert_eq!(table("").unwrap().line, "none");
        assert!(table("Ud").unwrap_err().contains("a row is a feature"));
        assert!(table("format = 1\ngame = \"chess\"").unwrap_err().contains("table:2: this table is for \"chess\""));
    }

    #[test]
    fn the_cheapest_moves_come_first_with_the_row_that_decides() {
        let start = Some("8/2p5/3P4/8/8/8/8/8 w".to_owned());
        let game = GameSoFar { game: GameName::Breakthrough, start, moves: Vec::new(), names: None };
        let costs = costs(&CostRequest { game, table: "C@0.5".to_owned() }).unwrap();
        let told: Vec<_> = costs
            .iter()
            .map(|cost| (&cost.mv.text[..], cost.row.as_ref().map(|row| &row.feature[..]), &cost.cost[..]))
            .collect();
        assert_eq!(told, [("d6c7", Some("C"), "0.5"), ("d6d7", None, "1"), ("d6e7", None, "1")]);
    }
}
