// SPDX-License-Identifier: GPL-3.0-or-later
//! Searches that run in a thread of their own and are followed from Python.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use halfply_engine::game::{Notation, line_texts};
use halfply_engine::history::History;
use halfply_engine::protocol::uci_score::centipawns;
use halfply_engine::search::score::{LONGEST_WIN, plies_to_end};
use halfply_engine::search::{Iteration, Report, Score, Watcher};
use halfply_lab::run::Stop;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

/// As for the searches of UCI.
const STACK: usize = 32 << 20;

/// How often a wait looks for Ctrl-C.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// What a search has found.
#[pyclass(frozen, get_all, eq, module = "halfply")]
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Plies of the iteration; 0 if the search ended before the first one.
    depth: u32,
    /// The deepest ply that was reached.
    seldepth: u32,
    /// Moves played so far.
    nodes: u64,
    /// Time so far.
    seconds: f64,
    /// The value for the side to move in hundredths of a pawn, piece or disc; 30,000 - n is a win proved in n plies.
    score: i32,
    /// Plies to a proved end of the game: positive if the side to move wins, negative if it loses; else None.
    plies_to_end: Option<i32>,
    /// The move to play.
    best_move: String,
    /// The best line.
    pv: Vec<String>,
}

#[pymethods]
impl Info {
    fn __repr__(&self) -> String {
        let Self { depth, seldepth, nodes, seconds, score, pv, .. } = self;
        format!(
            "<Info depth={depth} seldepth={seldepth} nodes={nodes} seconds={seconds:.3} score={score} pv={:?}>",
            pv.join(" ")
        )
    }
}

/// Tells what a search finds, and stops it.
pub struct Follower<'a, G: Notation> {
    /// The game so far.
    pub history: &'a History<G>,
    /// What a pawn is worth to the evaluation.
    pub unit: Score,
    /// When the search began.
    pub start: Instant,
    /// Whether it is to end.
    pub stop: &'a Stop,
    /// Who is told.
    pub tell: &'a dyn Fn(Info),
}

impl<G: Notation> Follower<'_, G> {
    /// The result of the search.
    pub fn result(&self, report: &Report<G::Move>) -> Info {
        let Report { depth, height, nodes, score, .. } = *report;
        self.info([depth, height], nodes, score, report.best, &report.line)
    }

    fn info(&self, plies: [u32; 2], nodes: u64, score: Score, best: Option<G::Move>, line: &[G::Move]) -> Info {
        let position = self.history.position();
        let best_move = best.map(|mv| G::format_move(position, mv)).unwrap_or_default();
        let plies_to_end = plies_to_end(score);
        let score = match plies_to_end {
            Some(_) => score,
            None => centipawns(score, self.unit).clamp(-LONGEST_WIN, LONGEST_WIN),
        };
        let [depth, seldepth] = plies;
        let (seconds, pv) = (self.start.elapsed().as_secs_f64(), line_texts::<G>(position, line, G::format_move));
        Info { depth, seldepth, nodes, seconds, score, plies_to_end, best_move, pv }
    }
}

impl<G: Notation> Watcher<G::Move> for Follower<'_, G> {
    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        let Iteration { depth, height, nodes, score, line, .. } = *iteration;
        (self.tell)(self.info([depth, height], nodes, score, line.first().copied(), line));
        self.look(nodes)
    }

    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        self.stop.unless(false)
    }
}

/// What comes from the thread of a search.
enum Message {
    Found(Info),
    Done(Info),
}

/// A search that runs: an iterator of `Info`, one for each iteration. It stops when it is thrown away.
#[pyclass(frozen, module = "halfply")]
pub struct Search {
    stop: Stop,
    messages: Mutex<Receiver<Message>>,
    result: OnceLock<Info>,
}

impl Search {
    /// Starts a search: a job that tells what it finds, and returns the result.
    pub fn start(job: impl FnOnce(&Stop, &dyn Fn(Info)) -> Info + Send + 'static) -> PyResult<Self> {
        let (sender, receiver) = channel();
        let stop = Stop::default();
        let of_thread = stop.clone();
        let work = move || {
            // Nobody listens any more if the search was thrown away.
            let result = job(&of_thread, &|info| _ = sender.send(Message::Found(info)));
            _ = sender.send(Message::Done(result));
        };
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(work);
        thread.map_err(|error| PyOSError::new_err(format!("no thread for the search: {error}")))?;
        Ok(Self { stop, messages: Mutex::new(receiver), result: OnceLock::new() })
    }

    /// The next information; none at the end. Ctrl-C stops the search.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Info>> {
        loop {
            if self.result.get().is_some() {
                return Ok(None);
            }
            let message = py.detach(|| {
                let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
                let message = messages.recv_timeout(BETWEEN_LOOKS);
                // Before another thread of Python can see that nothing more comes.
                if let Ok(Message::Done(info)) = &message {
                    _ = self.result.set(info.clone());
                }
                message
            });
            match message {
                Ok(Message::Found(info)) => return Ok(Some(info)),
                Ok(Message::Done(_)) => {}
                Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| self.stop.raise())?,
                // Another thread had the result meanwhile.
                Err(RecvTimeoutError::Disconnected) if self.result.get().is_some() => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the search broke off; its message is on stderr"));
                }
            }
        }
    }
}

#[pymethods]
impl Search {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Info>> {
        self.next(py)
    }

    /// Ends the search soon. What it has found until then is its result.
    fn stop(&self) {
        self.stop.raise();
    }

    /// Waits for the end of the search: its last iteration, with all nodes and the whole time.
    pub fn result(&self, py: Python<'_>) -> PyResult<Info> {
        while self.next(py)?.is_some() {}
        // `next` returns none only then.
        self.result.get().cloned().ok_or_else(|| PyRuntimeError::new_err("the search has no result"))
    }

    /// The move to play. Waits for the end of the search.
    #[getter]
    fn best_move(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.result(py)?.best_move)
    }

    /// The value of the position. Waits for the end of the search.
    #[getter]
    fn score(&self, py: Python<'_>) -> PyResult<i32> {
        Ok(self.result(py)?.score)
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop.raise();
    }
}
