// SPDX-License-Identifier: GPL-3.0-or-later
//! Suites of test positions.

use std::path::PathBuf;

use halfply_engine::base::data_file;
use halfply_engine::game::Notation;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::history::History;
use halfply_engine::with_game;
use halfply_lab::suite::{Suite, epd};
use pyo3::prelude::*;

use crate::position::Position;
use crate::{game_of, refused};

/// A position with its right and wrong moves.
#[pyclass(frozen, get_all, module = "halfply")]
pub struct Problem {
    /// Its name.
    id: String,
    /// The position.
    position: Py<Position>,
    /// If there are any, one of them must be played.
    best: Vec<String>,
    /// Moves that must not be played.
    avoid: Vec<String>,
}

#[pymethods]
impl Problem {
    /// Whether playing this legal move solves the problem.
    fn is_solved_by(&self, r#move: &str) -> PyResult<bool> {
        // The same notation as that of the moves here, whichever it was.
        let mv = self.position.get().play(r#move)?.moves_played().pop().unwrap_or_default();
        Ok((self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv))
    }

    fn __repr__(&self) -> String {
        format!("<Problem {:?}>", self.id)
    }
}

/// The positions of a suite: an EPD file, or one that is part of halfply ("suites/ecm.epd").
///
/// `game` is needed where the first position may be of several games.
#[pyfunction]
#[pyo3(signature = (path, game = None))]
pub fn suite(py: Python<'_>, path: PathBuf, game: Option<&str>) -> PyResult<Vec<Problem>> {
    let text = data_file::read(&path, "an EPD file").map_err(refused)?;
    let first = epd::records(&text).find_map(Result::ok);
    let game = match (game, first) {
        (Some(game), _) => game_of(game)?,
        (None, Some(first)) => GameName::of_position(&first.position)
            .map_err(|error| refused(error.to_string().replace("--game", "game=")))?,
        // The reader says what is missing.
        (None, None) => GameName::default(),
    };
    with_game!(game, G => {
        let suite = Suite::<G>::parse(&text, &path.display().to_string()).map_err(refused)?;
        suite.problems.into_iter().map(|problem| of_problem::<G>(py, problem)).collect()
    })
}

fn of_problem<G: RegisteredGame>(py: Python<'_>, problem: epd::Problem<G>) -> PyResult<Problem> {
    let texts =
        |moves: &[G::Move]| moves.iter().map(|&mv| <G as Notation>::format_move(&problem.position, mv)).collect();
    let (best, avoid) = (texts(&problem.best), texts(&problem.avoid));
    let position = Py::new(py, Position::new(History::<G>::new(problem.position)))?;
    Ok(Problem { id: problem.id, position, best, avoid })
}
