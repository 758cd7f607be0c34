// SPDX-License-Identifier: GPL-3.0-or-later
//! Threads of this process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::super::{Output, RunError, Stop, Unit};
use super::{Done, Workers};

/// A number of threads, at least one.
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub usize);

impl<O: Output> Workers<O> for Threads {
    fn work(&mut self, units: &[&dyn Unit<Output = O>], stop: &Stop, done: &mut Done<'_, O>) -> Result<(), RunError> {
        let places: Vec<usize> = (0..units.len()).collect();
        let work = |&place: &usize| units[place].run(stop);
        run(self.0.max(1), &places, stop, work, |&place, result, time| done(place, result, time))?;
        Ok(())
    }
}

/// Runs all items of the list on `threads` threads, which take the items in order. Passes each result to `done`, on the
/// calling thread, as it arrives. After the first error of `done`, or once the flag is raised, no more items are taken.
/// Items without a result are left out. A worker's panic is passed on after the results of other workers.
fn run<I: Sync, O: Send, E>(
    threads: usize,
    items: &[I],
    stop: &Stop,
    work: impl Fn(&I) -> Option<O> + Sync,
    mut done: impl FnMut(&I, O, Duration) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.min(items.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while !stop.is_raised()
                    && let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let start = Instant::now();
                    let Some(output) = work(item) else { continue };
                    // The receiver has gone if `done` has failed.
                    if sender.send((item, output, start.elapsed())).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (item, output, time) in receiver {
            // Results can no longer be kept, so the other workers stop.
            done(item, output, time).inspect_err(|_| stop.raise())?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_runs_once() {
        let items: Vec<u32> = (0..100).collect();
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let result: Result<(), ()> = run(
                threads,
                &items,
                &Stop::default(),
                |&item| Some(item * 2),
                |&item, output, _| {
                    seen.push((item, output));
                    Ok(())
                },
            );
            seen.sort_unstable();
            assert_eq!(result, Ok(()));
            assert_eq!(seen, items.iter().map(|&item| (item, item * 2)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_item_without_a_result_does_not_stop_the_others() {
        let mut seen = Vec::new();
        let result: Result<(), ()> = run(
            1,
            &[0, 1, 2, 3, 4],
            &Stop::default(),
            |&item| (item % 2 == 0).then_some(item),
            |_, output, _| {
                seen.push(output);
                Ok(())
            },
        );
        assert_eq!((result, seen), (Ok(()), vec![0, 2, 4]));
    }

    #[test]
    fn an_error_stops_the_rest() {
        let items: Vec<u32> = (0..1000).collect();
        let mut seen = 0;
        let result = run(
            2,
            &items,
            &Stop::default(),
            |&item| Some(item),
            |_, _, _| {
                seen += 1;
                if seen == 3 { Err("full") } else { Ok(()) }
            },
        );
        assert_eq!((result, seen), (Err("full"), 3));
    }

    #[test]
    fn a_raised_flag_stops_the_rest_and_keeps_finished_results() {
        let items: Vec<u32> = (0..1000).collect();
        let stop = Stop::default();
        let mut seen = Vec::new();
        let result: Result<(), ()> = run(
            1,
            &items,
            &stop,
            |&item| {
                if item == 3 {
                    stop.raise();
                }
                (item != 3).then_some(item)
            },
            |_, output, _| {
                seen.push(output);
                Ok(())
            },
        );
        assert_eq!((result, seen), (Ok(()), vec![0, 1, 2]));
    }
}
