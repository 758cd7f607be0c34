// SPDX-License-Identifier: GPL-3.0-or-later
//! Trying one unit after the other until enough of them have given something: how suites and books are made.

use anyhow::{Result, bail};

use super::progress::Progress;
use crate::run::{Runner, Unit};

/// How many lines are wanted, and when to give up.
pub struct Wanted {
    /// Lines to gather.
    pub count: u32,
    /// Units to try before giving up.
    pub most: u64,
    /// What the lines are, for people: `openings`.
    pub noun: &'static str,
    /// What to say of it if they cannot be had.
    pub remedy: &'static str,
}

/// Runs units 0, 1, 2… in parallel until enough lines have come of them. `line` is asked in the units' order, so that
/// the lines are the same on any number of threads; it makes a line of a unit's output, or none.
pub fn gather<U: Unit>(
    threads: usize,
    wanted: &Wanted,
    unit: impl Fn(u64) -> U,
    mut line: impl FnMut(u64, U::Output) -> Result<Option<String>>,
) -> Result<Vec<String>> {
    let count = wanted.count as usize;
    let mut runner = Runner::new(threads);
    let mut lines = Vec::new();
    let progress = Progress::new(u64::from(wanted.count));
    // A few units a thread keep all threads busy; how many changes nothing.
    let batch = 32 * threads as u64;
    for first in (0..wanted.most).step_by(batch as usize) {
        let numbers = first..first + batch;
        let units: Vec<U> = numbers.clone().map(&unit).collect();
        for (number, output) in numbers.zip(runner.run(&units, |_, _, _| ())?) {
            if let Some(line) = line(number, output)? {
                lines.push(line);
                progress.step();
            }
            if lines.len() == count {
                progress.finish();
                return Ok(lines);
            }
        }
        progress.message(format!("{} from {} attempts", wanted.noun, first + batch));
    }
    bail!("only {} {} in {} attempts: {}", lines.len(), wanted.noun, wanted.most, wanted.remedy)
}
