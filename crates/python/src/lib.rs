// SPDX-License-Identifier: GPL-3.0-or-later
//! The compiled half of the Python module `halfply`: positions, tables, searches and suites. The other half, in Python, starts
//! commands and reads their results.
//!
//! | module | what it holds |
//! |---|---|
//! | `search` | `Search` and `Info` |
//! | `position` | `Position` |
//! | `table` | `Table` |
//! | `suite` | `suite` and `Problem` |

mod position;
mod search;
mod suite;
mod table;

use std::fmt::Display;

use clap::ValueEnum;
use halfply_engine::games::GameName;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

/// The compiled half of `halfply`.
#[pymodule]
mod _halfply {
    #[pymodule_export]
    use super::{
        atoms,
        position::Position,
        search::{Info, Search},
        suite::{Problem, suite},
        table::Table,
    };

    use halfply_engine::base::processor;
    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    use super::GameName;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Rather than end Python with an illegal instruction.
        processor::refusal().map_or(Ok(()), |reason| Err(PyImportError::new_err(reason)))?;
        let games: Vec<_> = GameName::all().iter().map(|game| game.name()).collect();
        module.add("GAMES", games)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// What is wrong with an argument, for Python.
fn refused(reason: impl Display) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

/// The game of that name.
fn game_of(name: &str) -> PyResult<GameName> {
    let known = || GameName::all().iter().map(|game| game.name()).collect::<Vec<_>>().join(", ");
    GameName::from_str(name, false)
        .map_err(|_| refused(format!("there is no game {name:?}; the games are {}", known())))
}

/// The atoms of a game's moves: each name with its meaning.
#[pyfunction]
fn atoms<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyDict>> {
    let vocabulary = table::vocabulary(game_of(game)?);
    vocabulary.atoms.iter().map(|atom| (&*atom.name, &*atom.description)).into_py_dict(py)
}
