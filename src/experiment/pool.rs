// SPDX-License-Identifier: GPL-3.0-or-later
//! Worker threads that take units off a list.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Works every item of the list on `threads` threads, which take the items in order, and hands each result to `done`,
/// here on the calling thread, in the order in which they come. The first error of `done` stops the taking of items.
/// A worker's panic is passed on, after the results that other workers have finished.
pub(super) fn run<I: Sync, O: Send, E>(
    threads: usize,
    items: &[I],
    work: impl Fn(&I) -> O + Sync,
    mut done: impl FnMut(&I, O, Duration) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.min(items.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let output = work(item);
                    // Nobody listens any more once `done` has failed.
                    if sender.send((item, output, start.elapsed())).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (item, output, time) in receiver {
            done(item, output, time)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_once() {
        let items: Vec<u32> = (0..100).collect();
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let result: Result<(), ()> = run(
                threads,
                &items,
                |&item| item * 2,
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
    fn an_error_stops_the_rest() {
        let items: Vec<u32> = (0..1000).collect();
        let mut seen = 0;
        let result = run(
            2,
            &items,
            |&item| item,
            |_, _, _| {
                seen += 1;
                if seen == 3 { Err("full") } else { Ok(()) }
            },
        );
        assert_eq!((result, seen), (Err("full"), 3));
    }
}
