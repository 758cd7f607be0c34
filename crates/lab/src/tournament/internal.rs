// SPDX-License-Identifier: GPL-3.0-or-later
//! A search in this process as a contestant.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::allowance::Allowance;
use super::contestant::{Contestant, Thought, Turn};
use super::fault::{FaultKind, GameFault, MoveFailure};
use crate::run::Stop;
use halfply_engine::games::RegisteredGame;
use halfply_engine::history::History;
use halfply_engine::protocol::UciScore;
use halfply_engine::search::clock::{exactly, share};
use halfply_engine::search::{Iteration, Limits, Pace, Score, Thinker, Watcher};

/// The time that a player may lose outside its search. There is no pipe, but other processes may hold the processor.
const OVERHEAD: Duration = Duration::from_millis(5);

/// A search in one game.
pub struct Internal<G: RegisteredGame> {
    /// What limits its moves.
    pub allowance: Allowance,
    /// Its search.
    pub thinker: Box<dyn Thinker<G>>,
    /// The worth of a pawn in its scores.
    pub unit: Score,
}

impl<G: RegisteredGame> Contestant<G> for Internal<G> {
    fn begin(&mut self) -> Result<(), MoveFailure> {
        self.thinker.forget();
        Ok(())
    }

    fn think(&mut self, game: &History<G>, turn: &Turn<'_>) -> Result<Thought<G::Move>, MoveFailure> {
        let allowance = self.allowance;
        let clock = turn.clocks[G::to_move(game.position()).index()].shown();
        let by_clock = clock.map(|clock| share(clock, OVERHEAD));
        let by_move = allowance.move_time.map(|time| exactly(time.saturating_sub(OVERHEAD)));
        let budget = [by_clock, by_move].into_iter().flatten().min_by_key(|budget| budget.maximum);
        let start = Instant::now();
        let pace = budget.map(|budget| Pace::new(budget, self.unit));
        let mut timer = Timer { stop: turn.stop, start, pace };
        let limits = Limits { nodes: allowance.nodes, depth: allowance.depth, time: None };
        let report = self.thinker.search(game.root(), limits, &mut timer);
        let elapsed = start.elapsed();
        if turn.stop.is_raised() {
            return Err(MoveFailure::Interrupted);
        }
        // A search finds a move in every position that has one. If it did not, it would lose the game.
        let mv = report.best.ok_or_else(|| GameFault::new(FaultKind::Garbage, "the search found no move"))?;
        Ok(Thought {
            mv,
            value: (report.depth > 0).then(|| UciScore::of(report.score, self.unit)),
            depth: report.depth,
            nodes: report.nodes,
            extended: report.extended,
            elapsed,
        })
    }
}

/// Ends a search when its time is up, or when the game is abandoned.
struct Timer<'a, M> {
    stop: &'a Stop,
    start: Instant,
    /// None without a limit of time.
    pace: Option<Pace<M>>,
}

impl<M: Copy + Eq> Watcher<M> for Timer<'_, M> {
    fn iteration(&mut self, iteration: &Iteration<'_, M>) -> ControlFlow<()> {
        let elapsed = self.start.elapsed();
        let is_over = self.pace.as_mut().is_some_and(|pace| !pace.allows_iteration(iteration, elapsed));
        self.stop.unless(is_over)
    }

    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        self.stop.unless(self.pace.as_ref().is_some_and(|pace| pace.is_used_up(self.start.elapsed())))
    }
}
