// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs units until enough of them have produced a line: how suites and books are made.

use anyhow::{Result, bail};

use super::progress::Progress;
use crate::run::{Runner, Unit};

/// How many lines are wanted, and when to give up.
pub struct Wanted {
    /// Lines to gather.
    pub count: u32,
    /// Units to try before giving up.
    pub most: u64,
    /// The name of the lines in messages: `openings`.
    pub noun: &'static str,
    /// What to suggest if there are too few.
    pub remedy: &'static str,
}

/// Runs units 0, 1, 2… in parallel until they have produced enough lines. `line` turns a unit's output into a line, or
/// none. It is called in the order of the units, so the lines are the same on any number of threads.
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
    // A few units a thread keep all threads busy; the number does not change the result.
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
