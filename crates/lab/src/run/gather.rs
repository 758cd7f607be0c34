// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs units until enough of them have produced a line: how suites and books are made.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{RunError, Runner, Unit};

/// How many lines are wanted, and when to give up.
#[derive(Clone, Copy, Debug)]
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

/// After so many units in a row without a new line it is given up, too: there may be no more.
const MOST_IN_VAIN: u64 = 10_000;

/// A line that a unit has produced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What no two of the lines share.
    pub identity: String,
    /// The line.
    pub text: String,
}

/// How far the gathering is.
#[derive(Clone, Copy, Debug)]
pub struct Gathered {
    /// Lines so far.
    pub lines: usize,
    /// Units tried so far.
    pub tried: u64,
}

/// Why there are not enough lines.
#[derive(Debug, Error)]
pub enum GatherError {
    /// The run was stopped.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Too few units gave a line.
    #[error("only {lines} {noun} in {tried} attempts: {remedy}")]
    TooFew {
        /// Lines that were gathered.
        lines: usize,
        /// Their name.
        noun: &'static str,
        /// Units that were tried.
        tried: u64,
        /// What to do.
        remedy: &'static str,
    },
}

/// Runs units 0, 1, 2… in parallel until they have produced enough lines. Of lines with the same identity, that of the
/// first unit counts, so the lines are the same on any number of threads. `observe` is called after each line, and after
/// each batch of units.
///
/// # Errors
/// If [`Wanted::most`] units have not produced enough, or 10,000 in a row nothing new.
pub fn gather<U: Unit<Output = Option<Line>>>(
    threads: usize,
    wanted: &Wanted,
    unit: impl Fn(u64) -> U,
    mut observe: impl FnMut(Gathered),
) -> Result<Vec<String>, GatherError> {
    let mut runner = Runner::new(threads);
    let (mut lines, mut seen) = (Vec::new(), HashSet::new());
    let (mut tried, mut last) = (0, 0);
    // A few units a thread keep all threads busy; the number does not change the result.
    let batch = 32 * threads.max(1) as u64;
    for first in (0..wanted.most).step_by(batch as usize) {
        let numbers = first..wanted.most.min(first + batch);
        let units: Vec<U> = numbers.clone().map(&unit).collect();
        for (number, output) in numbers.zip(runner.run(&units, |_, _, _| ())?) {
            if let Some(Line { identity, text }) = output
                && seen.insert(identity)
            {
                lines.push(text);
                last = number;
                observe(Gathered { lines: lines.len(), tried: number + 1 });
            }
            if lines.len() == wanted.count as usize {
                return Ok(lines);
            }
        }
        tried = wanted.most.min(first + batch);
        observe(Gathered { lines: lines.len(), tried });
        if tried - last > MOST_IN_VAIN {
            break;
        }
    }
    let Wanted { noun, remedy, .. } = *wanted;
    Err(GatherError::TooFew { lines: lines.len(), noun, tried, remedy })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Stop;

    /// Its own number as text, if it is odd. Three units in a row have the same identity.
    struct Number(u64);

    impl Unit for Number {
        type Output = Option<Line>;

        fn key(&self) -> String {
            self.0.to_string()
        }

        fn run(&self, _: &Stop) -> Option<Option<Line>> {
            let line = || Line { identity: (self.0 / 3).to_string(), text: self.0.to_string() };
            Some((self.0 % 2 == 1).then(line))
        }
    }

    /// The first odd numbers whose third is another one.
    fn odd(threads: usize, count: u32) -> Result<Vec<String>, GatherError> {
        let wanted = Wanted { count, most: 300, noun: "odd numbers", remedy: "ask for fewer" };
        let mut seen = 0;
        let result = gather(threads, &wanted, Number, |gathered| {
            assert!(gathered.lines >= seen && gathered.tried >= 3 * gathered.lines as u64 - 2);
            seen = gathered.lines;
        });
        assert_eq!(seen, result.as_ref().map_or(100, Vec::len));
        result
    }

    #[test]
    fn the_lines_are_those_of_the_first_units_on_any_number_of_threads() {
        let expected: Vec<String> = (0..40).map(|third| ((3 * third) | 1).to_string()).collect();
        for threads in [0, 1, 3] {
            assert_eq!(odd(threads, 40).unwrap(), expected);
        }
    }

    #[test]
    fn what_brings_nothing_new_is_given_up() {
        let wanted = Wanted { count: 2, most: u64::MAX, noun: "openings", remedy: "ask for fewer" };
        let error = gather(1, &wanted, |_| Number(1), |_| ()).unwrap_err().to_string();
        assert_eq!(error, "only 1 openings in 10016 attempts: ask for fewer");
    }

    #[test]
    fn too_few_lines_are_an_error_that_says_what_to_do() {
        assert_eq!(odd(1, 101).unwrap_err().to_string(), "only 100 odd numbers in 300 attempts: ask for fewer");
    }
}
