// SPDX-License-Identifier: GPL-3.0-or-later
//! One `go`: the search, its reports, and its answer.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::info;
use super::output::Output;
use super::task::Signals;
use super::thinker::Place;
use crate::game::{Outcome, after, legal_moves, outcome};
use crate::games::RegisteredGame;
use crate::history::History;
use crate::protocol::UciScore;
use crate::search::clock::Budget;
use crate::search::{Failure, Iteration, Limits, Pace, Root, Score, Searcher, Watcher, score};

/// `currmove` is reported only after this time.
const QUIET: Duration = Duration::from_secs(1);

/// The greatest depth by the clock if there is only one move; a few plies show the expected reply.
const DEPTH_OF_ONLY_MOVE: u32 = 4;

/// The node limit if a move is needed at once.
const NODES_IN_A_HURRY: u64 = 1000;

/// The input of a search.
pub(super) struct Search<G: RegisteredGame> {
    /// The game so far.
    pub game: History<G>,
    /// The only moves to consider, all of them legal; empty for all moves.
    pub moves: Vec<G::Move>,
    /// How many of the best moves to report.
    pub lines: usize,
    /// Nodes and depth.
    pub limits: Limits,
    /// The time it may use; none without a clock.
    pub budget: Option<Budget>,
    /// A win in so many moves ends it.
    pub mate: Option<u32>,
    /// When `go` was received.
    pub start: Instant,
    /// Whether it ponders.
    pub pondering: bool,
    /// Whether to output a ponder move.
    pub tell_expected: bool,
    /// A move from the opening book, played without a search.
    pub book_move: Option<G::Move>,
    /// The search to be done.
    pub searcher: Searcher<G>,
    /// Where its thinker is kept.
    pub place: Place<G>,
    /// The output.
    pub output: Output,
}

/// The answer at the end of a search.
struct Answer<M> {
    best: M,
    /// What was reported last.
    last: LastReport<M>,
    /// All nodes of the search.
    nodes: u64,
}

/// A report of a line whose first move would be played now.
struct LastReport<M> {
    depth: u32,
    height: u32,
    score: Score,
    nodes: u64,
    hash_full: Option<u32>,
    /// If its first move is the best move, its second is the expected reply.
    line: Vec<M>,
    failure: Option<Failure>,
}

impl<M: Copy> LastReport<M> {
    fn new(iteration: &Iteration<'_, M>, failure: Option<Failure>) -> Self {
        let Iteration { depth, height, score, nodes, hash_full, line, .. } = *iteration;
        Self { depth, height, score, nodes, hash_full, line: line.to_vec(), failure }
    }

    fn iteration(&self) -> Iteration<'_, M> {
        let Self { depth, height, score, nodes, hash_full, ref line, .. } = *self;
        Iteration { depth, height, rank: 1, score, nodes, hash_full, line }
    }
}

impl<G: RegisteredGame> Search<G> {
    /// Searches, and outputs the move when the client expects it.
    pub fn run(self, signals: &Signals) {
        let answer = match outcome::<G>(self.position()) {
            Some(outcome) => {
                self.report_end(outcome);
                None
            }
            None => self.find(signals),
        };
        signals.wait_until_wanted();
        let Some(Answer { best, last, nodes }) = answer else {
            self.output.line("bestmove (none)");
            return;
        };
        // Clients discard reports from before `ponderhit`, but want a score with every move, and the nodes of all of the search.
        if self.pondering || nodes > last.nodes {
            let nodes = nodes.max(last.nodes);
            self.report(&Iteration { nodes, ..last.iteration() }, last.failure);
        }
        let text = G::format_move(self.position(), best);
        let line = info::line::<G>(self.position(), &last.line);
        match line.get(1).filter(|_| self.tell_expected && line[0] == text) {
            Some(expected) => self.output.line(format_args!("bestmove {text} ponder {expected}")),
            None => self.output.line(format_args!("bestmove {text}")),
        }
    }

    fn position(&self) -> &G::Position {
        self.game.position()
    }

    fn report_end(&self, outcome: Outcome) {
        let score = UciScore::of(score::of_outcome(outcome, 0), self.searcher.evaluation.unit());
        self.output.line(format_args!("info depth 0 score {score}"));
    }

    /// The move in a game that is not over.
    fn find(&self, signals: &Signals) -> Option<Answer<G::Move>> {
        if let Some(mv) = self.book_move {
            self.output.say("the move is from the book");
            return self.unsearched(Some(mv), 0);
        }
        let only_move = legal_moves::<G>(self.position()).len() == 1 || self.moves.len() == 1;
        let pace = self.budget.map(|budget| Pace::new(budget, self.searcher.evaluation.unit()));
        let mut reporter = Reporter { search: self, signals, only_move, pace, last: None };
        // A failed search must not cost the game: a move is output anyway, and the next search begins afresh.
        let searched = catch_unwind(AssertUnwindSafe(|| self.search(&mut reporter)));
        let last = reporter.last;
        let (best, nodes) = searched.unwrap_or_else(|_| {
            self.output.say("the search failed; this is an error in halfply, please report it");
            (last.as_ref().and_then(|last| last.line.first().copied()), 0)
        });
        match (best.filter(|&mv| info::is_legal::<G>(self.position(), mv)), last) {
            (Some(best), Some(last)) => Some(Answer { best, last, nodes }),
            (best, _) => self.unsearched(best, nodes),
        }
    }

    /// The best move, if the search has one, and all nodes.
    fn search(&self, reporter: &mut Reporter<'_, G>) -> (Option<G::Move>, u64) {
        let mut limits = self.limits;
        if self.budget.is_some_and(|budget| budget.hurry) {
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(NODES_IN_A_HURRY));
        }
        let root = Root { moves: &self.moves, lines: self.lines, ..self.game.root() };
        let mut fitted = self.place.take(&self.searcher);
        let report = fitted.thinker.search(root, limits, reporter);
        self.place.put(fitted);
        (report.best, report.nodes)
    }

    /// The answer if no iteration was completed in so many nodes: a move that wins at once, or the one suggested, or any. It is
    /// reported with a score like every other.
    fn unsearched(&self, suggested: Option<G::Move>, nodes: u64) -> Option<Answer<G::Move>> {
        let position = self.position();
        let legal = legal_moves::<G>(position);
        let allowed = if self.moves.is_empty() { &legal[..] } else { &self.moves[..] };
        let wins = |mv: &G::Move| outcome::<G>(&after::<G>(position, *mv)) == Some(Outcome::Loss);
        let win = suggested.filter(wins).or_else(|| allowed.iter().copied().find(wins));
        let best = win.or(suggested).or_else(|| allowed.first().copied())?;
        let line = [best];
        let score = match win {
            Some(_) => score::of_outcome(Outcome::Win, 1),
            None => self.searcher.evaluation.judge(position),
        };
        let last = Iteration { depth: 1, height: 1, rank: 1, score, nodes, hash_full: None, line: &line };
        self.report(&last, None);
        Some(Answer { best, last: LastReport::new(&last, None), nodes })
    }

    /// Reports what is known about the root.
    fn report(&self, iteration: &Iteration<'_, G::Move>, failure: Option<Failure>) {
        let (unit, elapsed) = (self.searcher.evaluation.unit(), self.start.elapsed());
        self.output.line(info::iteration::<G>(self.position(), iteration, failure, unit, elapsed));
    }
}

/// Reports the progress of the search to the client, and ends it in time.
struct Reporter<'a, G: RegisteredGame> {
    search: &'a Search<G>,
    signals: &'a Signals,
    only_move: bool,
    /// None without a limit of time.
    pace: Option<Pace<G::Move>>,
    /// The report of the line that would be played now.
    last: Option<LastReport<G::Move>>,
}

impl<G: RegisteredGame> Reporter<'_, G> {
    /// Whether another iteration is not worth its time.
    fn enough(&mut self, iteration: &Iteration<'_, G::Move>) -> bool {
        let decided = score::plies_to_end(iteration.score);
        let wanted = self.search.mate.and_then(|moves| i32::try_from(moves).ok()).unwrap_or(-1).saturating_mul(2);
        if decided.is_some_and(|plies| 0 < plies && plies <= wanted) {
            return true;
        }
        let (Some(pace), Some(clock)) = (&mut self.pace, self.signals.clock()) else { return false };
        // There is nothing to find deeper than the end of the game.
        let seen_to_the_end = decided.is_some_and(|plies| plies.unsigned_abs() <= iteration.depth);
        let only_move = self.only_move && iteration.depth >= DEPTH_OF_ONLY_MOVE;
        !pace.allows_iteration(iteration, clock) || (!pace.is_exact() && (seen_to_the_end || only_move))
    }
}

impl<G: RegisteredGame> Watcher<G::Move> for Reporter<'_, G> {
    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        self.search.report(iteration, None);
        if iteration.rank != 1 {
            return ControlFlow::Continue(());
        }
        self.last = Some(LastReport::new(iteration, None));
        if self.signals.stopped() || self.enough(iteration) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn improvement(&mut self, iteration: &Iteration<'_, G::Move>) {
        self.search.report(iteration, None);
        self.last = Some(LastReport::new(iteration, None));
    }

    fn outside_window(&mut self, iteration: &Iteration<'_, G::Move>, failure: Failure) {
        self.search.report(iteration, Some(failure));
        // Of a move that was the best before, the earlier line is longer, and its score true.
        let best = self.last.as_ref().and_then(|last| last.line.first());
        if failure == Failure::High && best != iteration.line.first() {
            self.last = Some(LastReport::new(iteration, Some(failure)));
        }
    }

    fn root_move(&mut self, mv: G::Move, number: usize, depth: u32) {
        if self.search.start.elapsed() >= QUIET {
            let mv = G::format_move(self.search.position(), mv);
            self.search.output.line(format_args!("info depth {depth} currmove {mv} currmovenumber {number}"));
        }
    }

    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        let late = match (&self.pace, self.signals.clock()) {
            (Some(pace), Some(clock)) => pace.is_used_up(clock),
            _ => false,
        };
        if self.signals.stopped() || late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
