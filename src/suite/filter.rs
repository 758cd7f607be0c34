// SPDX-License-Identifier: GPL-3.0-or-later
//! Keeping the hard problems: those that the search without extensions does not solve, whatever the order of moves.
//!
//! Unfiltered, two thirds of a suite are solved by everybody, and nothing can be learned from them. The seeds used here
//! must not be those that learning uses, or the suite would be hard by selection for that order of moves alone.

use super::Problem;
use super::run::{Trial, TrialResult, trials};
use crate::experiment::{JournalError, Runner};
use crate::features::ExtensionTable;
use crate::games::Furnished;
use crate::search::{Engine, Limits};

/// Which of the problems the plain search without extensions leaves unsolved within `nodes` under every one of the
/// `seeds`. `finished` is called after each search.
///
/// # Errors
/// As [`Runner::run`].
pub fn hard<G: Furnished>(
    runner: &mut Runner<TrialResult>,
    problems: &[Problem<G>],
    evaluation: &str,
    nodes: u64,
    seeds: &[u64],
    mut finished: impl FnMut(),
) -> Result<Vec<bool>, JournalError> {
    let engines: Vec<(String, Box<dyn Engine<G>>)> = seeds
        .iter()
        .filter_map(|&seed| Some((format!("seed {seed}"), G::plain(evaluation, ExtensionTable::default(), seed)?)))
        .collect();
    let mut hard = vec![true; problems.len()];
    for (label, engine) in &engines {
        let units: Vec<Trial<'_, G>> = trials(problems, engine.as_ref(), Limits::nodes(nodes), label);
        let results = runner.run(&units, |_, _, _| finished())?;
        for (hard, result) in hard.iter_mut().zip(results) {
            *hard &= !result.solved;
        }
    }
    Ok(hard)
}
