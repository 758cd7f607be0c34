// SPDX-License-Identifier: GPL-3.0-or-later
//! Extension tables.

use std::path::PathBuf;

use halfply_engine::features::{ExtensionTable, Vocabulary, file};
use halfply_engine::game::Game;
use halfply_engine::games::GameName;
use halfply_engine::with_game;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::position::Position;
use crate::{game_of, refused};

/// What the file of a table is called in the folder of a run.
const IN_FOLDER: &str = "extensions.toml";

/// What moves cost.
///
/// A move costs the lowest of the rows that it matches, and one ply if it matches none. Rows are written
/// "Ud-Rdt@0.5 Rc@0.75": a feature, which is atoms joined by hyphens, and its cost in plies. Tables do not change.
#[pyclass(frozen, eq, module = "halfply")]
#[derive(PartialEq)]
pub struct Table {
    /// The game of its atoms.
    pub game: GameName,
    /// The table.
    pub table: ExtensionTable,
}

/// The atoms of a game.
pub fn vocabulary(game: GameName) -> Vocabulary {
    with_game!(game, G => <G as Game>::VOCABULARY)
}

impl Table {
    /// Reads the text of a file; errors call it `name`.
    fn read(text: &str, name: &str) -> PyResult<Self> {
        let named = toml::from_str::<toml::Table>(text).ok();
        let named = named.as_ref().and_then(|table| table.get("game")?.as_str());
        // A file of no known game is refused with a reason, whatever game it is read for.
        let game = named.and_then(|game| game_of(game).ok()).unwrap_or_default();
        let table = file::parse(text, name, &vocabulary(game)).map_err(refused)?;
        Ok(Self { game, table })
    }
}

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (game, rows = ""))]
    fn new(game: &str, rows: &str) -> PyResult<Self> {
        let game = game_of(game)?;
        Ok(Self { game, table: file::parse_line(rows, &vocabulary(game)).map_err(refused)? })
    }

    /// The table in a file, in the folder of a run, or among the files that are part of halfply
    /// ("tables/breakthrough-learned.toml").
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let path = if path.is_dir() { path.join(IN_FOLDER) } else { path };
        Self::read(&file::read(&path).map_err(refused)?, &path.display().to_string())
    }

    /// The table in the text of a file.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        Self::read(text, "the table")
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The rows, cheapest first: feature and cost in plies.
    #[getter]
    fn rows(&self) -> Vec<(String, f64)> {
        let vocabulary = self.table.vocabulary(&vocabulary(self.game));
        let cost = |row: &halfply_engine::features::Row| f64::from(row.cost.as_hundredths()) / 100.0;
        self.table.rows().iter().map(|row| (vocabulary.format(row.feature), cost(row))).collect()
    }

    /// The table as the text of a file, which `parse` reads.
    #[getter]
    fn text(&self) -> String {
        file::render(&self.table, &[], &vocabulary(self.game))
    }

    /// What a legal move of a position costs, in plies.
    fn cost(&self, position: &Position, r#move: &str) -> PyResult<f64> {
        position.accepts(self)?;
        Ok(position.explain(r#move, &self.table)?.1)
    }

    fn __str__(&self) -> String {
        self.table.summary(&vocabulary(self.game))
    }

    fn __repr__(&self) -> String {
        format!("Table({:?}, {:?})", self.game(), self.__str__())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, [self.game(), &self.__str__()])?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("parse")?, (self.text(),)))
    }
}
