// SPDX-License-Identifier: GPL-3.0-or-later
//! Keeps the problems from which something can be learned: those that the search without extensions does not solve in
//! any order of moves and, if tables are given, that it solves with one of them.
//!
//! Every search solves two thirds of an unfiltered suite, and nothing can be learned from those. The seeds used here
//! must not be those that learning uses, or the suite would be hard by selection for that order of moves alone.

use super::Problem;
use super::trial::{Trial, trials};
use crate::run::{RunError, Runner};
use halfply_engine::features::ExtensionTable;
use halfply_engine::game::Notation;
use halfply_engine::search::{Limits, Searcher, Setup};

/// How problems are chosen.
#[derive(Clone, Debug)]
pub struct FilterSettings {
    /// Nodes a position.
    pub nodes: u64,
    /// A problem must stay unsolved under each of these seeds, and be solved with a table under each of them.
    pub seeds: Vec<u64>,
    /// Searches at a time.
    pub threads: usize,
}

/// Marks the problems that the search without extensions does not solve under any seed and, if there are `tables`, that it
/// solves with one of them under every seed. `tables` have their names, and `finished` is called after each search; there
/// are at most `problems × seeds × (1 + tables)` of them.
///
/// # Errors
/// If a search fails; not because of problems or tables.
pub fn run<G: Notation>(
    problems: &[Problem<G>],
    searcher: &Searcher<G>,
    tables: &[(String, ExtensionTable)],
    settings: &FilterSettings,
    mut finished: impl FnMut(),
) -> Result<Vec<bool>, RunError> {
    let mut runner = Runner::new(settings.threads);
    // Searches the problems marked in `left` with a table under each seed, and keeps the mark where the result is `wanted`.
    // The name stands in the keys of units.
    let mut narrow = |left: &mut [bool], name: &str, table: &ExtensionTable, wanted: bool| -> Result<(), RunError> {
        for &seed in &settings.seeds {
            let setup = Setup { table: table.clone(), seed, ..searcher.setup.clone() };
            let (engine, label) = (searcher.evaluation.engine(&setup), format!("{name}seed {seed}"));
            let all = trials(problems, engine.as_ref(), Limits::nodes(settings.nodes), &label);
            let units: Vec<Trial<'_, G>> =
                all.into_iter().zip(left.iter()).filter(|(_, left)| **left).map(|(trial, _)| trial).collect();
            let results = runner.run(&units, |_, _, _| finished())?;
            for (left, result) in left.iter_mut().filter(|left| **left).zip(results) {
                *left = result.solved == wanted;
            }
        }
        Ok(())
    };
    let mut hard = vec![true; problems.len()];
    narrow(&mut hard, "", &ExtensionTable::default(), false)?;
    if tables.is_empty() {
        return Ok(hard);
    }
    let mut solved = vec![false; problems.len()];
    for (name, table) in tables {
        // A problem solved with one table is not searched with the next.
        let mut by_this: Vec<bool> = hard.iter().zip(&solved).map(|(&hard, &solved)| hard && !solved).collect();
        narrow(&mut by_this, &format!("{name} "), table, true)?;
        solved.iter_mut().zip(by_this).for_each(|(solved, by_this)| *solved |= by_this);
    }
    Ok(solved)
}
