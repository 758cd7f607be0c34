// SPDX-License-Identifier: GPL-3.0-or-later
//! Threads of this process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use super::super::{Output, RunError, Stop, Unit};
use super::{Done, Workers};

/// A number of threads, at least one.
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub usize);

impl<O: Output> Workers<O> for Threads {
    /// The threads take the units in order. After the first error of `done`, or once the flag is raised, no more are taken.
    /// A worker's panic is passed on after the results of other workers.
    fn work(&mut self, units: &[&dyn Unit<Output = O>], stop: &Stop, done: &mut Done<'_, O>) -> Result<(), RunError> {
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.0.max(1).min(units.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while !stop.is_raised() {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(unit) = units.get(place) else { break };
                        let start = Instant::now();
                        let Some(output) = unit.run(stop) else { continue };
                        // The receiver has gone if `done` has failed.
                        if sender.send((place, output, start.elapsed())).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (place, output, time) in receiver {
                // Results can no longer be kept, so the other workers stop.
                done(place, output, time).inspect_err(|_| stop.raise())?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::run::JournalError;

    /// Gives its number; every seventh has no result, and one raises the flag.
    struct Number {
        number: usize,
        raises: usize,
    }

    impl Unit for Number {
        type Output = usize;

        fn key(&self) -> String {
            self.number.to_string()
        }

        fn run(&self, stop: &Stop) -> Option<usize> {
            if self.number == self.raises {
                stop.raise();
            }
            (self.number % 7 != 3).then_some(self.number)
        }
    }

    /// The numbers that arrive of the first thousand, until `most` are there, and whether they could be kept.
    fn arrived(threads: usize, raises: usize, most: usize) -> (Vec<usize>, bool) {
        let numbers: Vec<Number> = (0..1000).map(|number| Number { number, raises }).collect();
        let units: Vec<&dyn Unit<Output = usize>> = numbers.iter().map(|unit| unit as _).collect();
        let mut seen = Vec::new();
        let result = Threads(threads).work(&units, &Stop::default(), &mut |place, output, _| {
            assert_eq!(place, output);
            seen.push(output);
            if seen.len() < most { Ok(()) } else { Err(JournalError::InUse(PathBuf::new())) }
        });
        (seen, result.is_ok())
    }

    #[test]
    fn every_unit_runs_once_and_one_without_a_result_does_not_stop_the_others() {
        for threads in [0, 1, 3] {
            let (mut seen, is_kept) = arrived(threads, usize::MAX, usize::MAX);
            seen.sort_unstable();
            assert!(is_kept && seen.into_iter().eq((0..1000).filter(|number| number % 7 != 3)));
        }
    }

    #[test]
    fn an_error_stops_the_rest() {
        let (seen, is_kept) = arrived(2, usize::MAX, 3);
        assert_eq!((seen.len(), is_kept), (3, false));
    }

    #[test]
    fn a_raised_flag_stops_the_rest_and_keeps_finished_results() {
        assert_eq!(arrived(1, 3, usize::MAX), (vec![0, 1, 2], true));
    }
}
