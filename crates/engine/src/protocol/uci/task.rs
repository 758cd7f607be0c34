// SPDX-License-Identifier: GPL-3.0-or-later
//! Jobs on their own threads, and the signals to them.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Searches recurse with lists of moves on the stack: several times what the longest line takes.
const STACK: usize = 32 << 20;

/// The time between two checks for the end of the job, while waiting with a timeout.
const PATIENCE: Duration = Duration::from_millis(1);

/// The work. It must check the signals often.
pub(super) type Job = Box<dyn FnOnce(&Signals) + Send>;

/// The purpose of a job, which decides what may happen meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To find a move. Commands that need the thinker end it.
    Move,
    /// To count (`go perft`, `bench`). Scripts send one command after the other and expect all the answers, so what
    /// follows waits.
    Count,
    /// To allocate or release the thinker's memory. Later commands wait, except for the end of the session.
    Preparation,
}

/// The signals to a search.
#[derive(Debug)]
struct State {
    stopped: bool,
    /// The search is over, and its answer follows at once.
    answers: bool,
    /// Nothing but `stop` ends the search.
    endless: bool,
    /// Neither does the clock before `ponderhit`.
    pondering: bool,
    /// From when the clock runs.
    clock: Instant,
}

/// The signals from a session to a running search.
#[derive(Debug)]
pub(super) struct Signals {
    state: Mutex<State>,
    changed: Condvar,
}

impl Signals {
    /// For a search that began at `start`.
    pub fn new(start: Instant, pondering: bool, endless: bool) -> Self {
        let state = State { stopped: false, answers: false, endless, pondering, clock: start };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// The expected move was played: the clock runs from then. It means nothing to a search that does not ponder.
    pub fn ponder_hit(&self, at: Instant) {
        let mut state = self.state();
        if state.pondering {
            state.pondering = false;
            state.clock = at;
            self.changed.notify_all();
        }
    }

    /// Whether the search is to end.
    pub fn stopped(&self) -> bool {
        self.state().stopped
    }

    /// The time that has passed on the clock; none as long as no clock counts.
    pub fn clock(&self) -> Option<Duration> {
        let state = self.state();
        (!state.endless && !state.pondering).then(|| state.clock.elapsed())
    }

    /// Waits until the client expects an answer: UCI has no `bestmove` before `stop` or `ponderhit` in a search
    /// that waits for them, even if there is nothing more to find. The job must answer at once afterwards.
    pub fn wait_until_wanted(&self) {
        let waits = |state: &mut State| !state.stopped && (state.endless || state.pondering);
        let wanted = self.changed.wait_while(self.state(), waits);
        wanted.unwrap_or_else(PoisonError::into_inner).answers = true;
    }

    /// Whether the search is over: nothing is left but to output its answer.
    fn answers(&self) -> bool {
        self.state().answers
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in there can be left half done by a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job that has been started.
#[derive(Debug)]
pub(super) struct Task {
    purpose: Purpose,
    signals: Arc<Signals>,
    thread: JoinHandle<()>,
}

impl Task {
    /// Starts a job.
    ///
    /// # Errors
    /// If no thread can be created.
    pub fn start(purpose: Purpose, signals: Signals, job: Job) -> io::Result<Self> {
        let signals = Arc::new(signals);
        let told = Arc::clone(&signals);
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(move || job(&told))?;
        Ok(Self { purpose, signals, thread })
    }

    /// Its purpose.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// The signals to it.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Whether it has done its work. Its thread may need a moment more: a client that has read `bestmove` must find
    /// the search finished.
    pub fn is_finished(&self) -> bool {
        self.signals.answers() || self.thread.is_finished()
    }

    /// Ends it and waits for it.
    pub fn end(self) {
        self.signals.stop();
        // A job that panics has reported that on stderr.
        let _ = self.thread.join();
    }

    /// Ends it and waits for it, but not longer than that.
    pub fn end_within(self, time: Duration) {
        self.signals.stop();
        let start = Instant::now();
        while !self.thread.is_finished() && start.elapsed() < time {
            thread::sleep(PATIENCE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_waits_for_the_signal_it_is_promised() {
        let start = Instant::now();
        let clocked = Signals::new(start, false, false);
        assert!(clocked.clock().is_some() && !clocked.answers());
        clocked.wait_until_wanted();
        assert!(clocked.answers());

        let pondering = Signals::new(start, true, false);
        assert_eq!(pondering.clock(), None);
        pondering.ponder_hit(Instant::now());
        assert!(pondering.clock().unwrap() <= start.elapsed());
        pondering.wait_until_wanted();

        // A `ponderhit` that nobody waits for changes nothing.
        let endless = Signals::new(start, false, true);
        endless.ponder_hit(Instant::now());
        assert_eq!(endless.clock(), None);
        endless.stop();
        endless.wait_until_wanted();
        assert!(endless.stopped());
    }

    #[test]
    fn a_job_that_waits_is_ended() {
        for patient in [true, false] {
            let signals = Signals::new(Instant::now(), false, true);
            let task = Task::start(Purpose::Move, signals, Box::new(Signals::wait_until_wanted)).unwrap();
            assert!(!task.is_finished());
            if patient {
                task.end();
            } else {
                task.end_within(Duration::from_secs(10));
            }
        }
        let signals = Signals::new(Instant::now(), false, false);
        let panics = Task::start(Purpose::Move, signals, Box::new(|_| panic!("on purpose")));
        panics.unwrap().end();
    }
}
