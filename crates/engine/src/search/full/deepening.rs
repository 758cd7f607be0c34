// SPDX-License-Identifier: GPL-3.0-or-later
//! Iterations, and the root with its moves.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::super::score::{self, INFINITE};
use super::super::{Depth, Iteration, Limits, Report, Root, Score};
use super::aspiration::Window;
use super::history::Earlier;
use super::killers::Killers;
use super::node::Step;
use super::order::{Picker, Worths};
use super::reductions::Circumstances;
use super::{MoveCost, Place, Worker};
use crate::evaluation::Evaluation;
use crate::features::state::State;
use crate::game::{MoveContext, Tactics, outcome};

/// A move of the root and what is known of it.
struct RootMove<M> {
    mv: M,
    /// Its value in this iteration; less than any score for moves that were only found to be no better.
    score: Score,
    /// The line that it begins; empty while it was never the best.
    line: Vec<M>,
}

impl<M> RootMove<M> {
    /// The line that it begins; the move alone if none is known.
    fn line(&self) -> &[M] {
        if self.line.is_empty() { std::slice::from_ref(&self.mv) } else { &self.line }
    }
}

impl<G: Tactics, E: Evaluation<G>> Worker<'_, G, E> {
    /// Deepens a ply at a time, from iteration `first` on, until a limit stops it.
    pub(super) fn run(mut self, root: Root<'_, G>, limits: Limits, first: u32) -> Report<G::Move> {
        let mut report = Report::new(G::MAX_PLY);
        if let Some(outcome) = outcome::<G>(root.position) {
            report.score = score::of_outcome(outcome, 0);
            return report;
        }
        let mut moves = self.root_moves(&root);
        if moves.is_empty() {
            // None of the requested moves is legal.
            return report;
        }
        let deepest = limits.depth.unwrap_or(u32::MAX).min(G::MAX_PLY as u32);
        for depth in first.min(deepest)..=deepest {
            if self.iteration(root, &mut moves, depth, &mut report).is_break() {
                break;
            }
        }
        if report.depth == 0 {
            let score = self.proved(root.position, 0).unwrap_or_else(|| self.evaluate(root.position, 0));
            report.score = self.agreeing(score);
        }
        report.height = self.height as u32;
        report.nodes = self.meter.nodes;
        report.extended = self.extended;
        report
    }

    /// The root's moves in their first order. If tables of endings know its outcome, these are only the moves that keep it,
    /// and the search asks the tables no more: it is to find a mate, or a trap where the game is drawn.
    fn root_moves(&mut self, root: &Root<'_, G>) -> Vec<RootMove<G::Move>> {
        // Who asks for certain moves, or several lines, wants to see them all.
        let endings = self.endings.filter(|_| root.moves.is_empty() && root.lines <= 1);
        let root_move = |mv| RootMove { mv, score: -INFINITE, line: Vec::new() };
        if let Some((outcome, kept)) = endings.and_then(|endings| G::by_tables(endings, root.position, root.earlier)) {
            self.endings = None;
            self.ending = Some(outcome);
            // In their order: with no time to search, the first is played.
            return kept.iter().copied().map(root_move).collect();
        }
        let mut moves = root.candidates();
        let mut worths = Worths::new();
        let known = self.table_entry(G::key(root.position), 0).and_then(|entry| entry.mv);
        let mut picker =
            Picker::<G>::new(root.position, &mut moves, &mut worths, known, &Killers::default(), self.parameters);
        let behind = self.behind(G::to_move(root.position), 0);
        let picked = std::iter::from_fn(|| picker.next(|| self.history.at(behind)));
        picked.map(|picked| root_move(picked.mv)).collect()
    }

    /// One iteration, for each requested line. Breaks if the search is over.
    fn iteration(
        &mut self,
        root: Root<'_, G>,
        moves: &mut [RootMove<G::Move>],
        depth: u32,
        report: &mut Report<G::Move>,
    ) -> ControlFlow<()> {
        self.iteration = depth;
        let lines = root.lines.clamp(1, moves.len());
        let mut complete = 0;
        // Those before were found better and are left out.
        while complete < lines && self.line(root, &mut moves[complete..], depth, complete + 1, report).is_continue() {
            complete += 1;
        }
        if complete == 0 {
            return ControlFlow::Break(());
        }
        // A later line may have a better value than an earlier one, because it was searched separately.
        let best = &mut moves[..complete];
        best.sort_by_key(|root_move| Reverse(root_move.score));
        if report.best != Some(best[0].mv) {
            report.best = Some(best[0].mv);
            self.meter.chose(best[0].mv);
        }
        let flow = self.report_lines(best, depth, report);
        if complete < lines { ControlFlow::Break(()) } else { flow }
    }

    /// Searches the moves until the value of the best one is known, and moves it to the front. Breaks if the search was
    /// stopped before.
    fn line(
        &mut self,
        root: Root<'_, G>,
        moves: &mut [RootMove<G::Move>],
        depth: u32,
        rank: usize,
        report: &mut Report<G::Move>,
    ) -> ControlFlow<()> {
        let expected = moves[0].score;
        let mut window = if expected > -INFINITE {
            Window::around(expected, depth, self.evaluation.unit(), self.parameters)
        } else {
            Window::FULL
        };
        loop {
            let choice = if rank == 1 { Some(&mut report.best) } else { None };
            let score = self.root(root, moves, depth, window, choice);
            if self.stopped {
                return ControlFlow::Break(());
            }
            // Stable: of moves that are no better, the earlier stays earlier.
            moves.sort_by_key(|root_move| Reverse(root_move.score));
            let Some(failure) = window.failure(score) else { return ControlFlow::Continue(()) };
            // Bounds of several lines would not come in the order of their scores.
            if root.lines <= 1 {
                let iteration = self.so_far(depth, rank, score, moves[0].line());
                self.meter.watcher.outside_window(&iteration, failure);
            }
            window = window.widened(score, failure);
        }
    }

    /// Reports the lines of an iteration, the best first. Breaks if the watcher ends the search.
    fn report_lines(
        &mut self,
        best: &[RootMove<G::Move>],
        depth: u32,
        report: &mut Report<G::Move>,
    ) -> ControlFlow<()> {
        (report.depth, report.score) = (depth, self.agreeing(best[0].score));
        report.line.clear();
        report.line.extend_from_slice(best[0].line());
        let mut flow = ControlFlow::Continue(());
        for (index, root_move) in best.iter().enumerate() {
            let iteration = self.so_far(depth, index + 1, root_move.score, root_move.line());
            if self.meter.watcher.iteration(&iteration).is_break() {
                flow = ControlFlow::Break(());
            }
        }
        flow
    }

    /// What is known of a line, for the watcher.
    fn so_far<'l>(&self, depth: u32, rank: usize, score: Score, line: &'l [G::Move]) -> Iteration<'l, G::Move> {
        let hash_full = Some(self.table.fullness());
        let score = self.agreeing(score);
        Iteration { depth, height: self.height as u32, rank, score, nodes: self.meter.nodes, hash_full, line }
    }

    /// The score that agrees with the tables of endings, if the root is in them: of wins and losses a mate says more.
    fn agreeing(&self, score: Score) -> Score {
        match self.ending.map(|outcome| score::of_ending(outcome, 0)) {
            Some(0) => 0,
            Some(win @ 1..) => score.max(win),
            Some(loss) => score.min(loss),
            None => score,
        }
    }

    /// Searches root moves within a window. The choice is the best move so far once the first is completed; before
    /// that it stays what the previous iteration made it.
    fn root(
        &mut self,
        root: Root<'_, G>,
        moves: &mut [RootMove<G::Move>],
        depth: u32,
        window: Window,
        mut choice: Option<&mut Option<G::Move>>,
    ) -> Score {
        let key = G::key(root.position);
        let in_check = G::in_check(root.position);
        self.keys.truncate(self.at_root);
        self.keys.push(key);
        self.frames[0].evaluation = (!in_check).then(|| {
            let evaluation = self.evaluate(root.position, 0);
            self.corrected(root.position, evaluation)
        });
        self.frames[1].killers = Killers::default();
        let only_move = moves.len() == 1 && root.moves.is_empty() && root.lines == 1;
        // What changes from move to move is not looked at here.
        let state = if in_check { State::Pv.bit() | State::Eva.bit() } else { State::Pv.bit() };
        let depth_left = Depth::plies(depth);
        let mut alpha = window.alpha;
        let mut best = -INFINITE;
        for root_move in moves.iter_mut() {
            root_move.score = -INFINITE;
        }
        for (index, root_move) in moves.iter_mut().enumerate() {
            let mv = root_move.mv;
            if let Some(choice) = &mut choice
                && choice.is_none()
            {
                // Even with a tiny limit, the first move in order is better than none.
                **choice = Some(mv);
                self.meter.chose(mv);
            }
            self.meter.watcher.root_move(mv, index + 1, depth);
            if !self.count_node(1) {
                return best;
            }
            let (next, next_key) = self.after(root.position, key, mv);
            let context = MoveContext { only_move, state, ..MoveContext::new(root.position, &next, mv, root.previous) };
            let move_cost = self.move_cost(&context);
            let MoveCost { matched, spared, .. } = move_cost;
            self.extended += u64::from(matched);
            let gives_check = G::in_check(&next);
            let reducible = !G::is_noisy(root.position, mv) && !in_check && !spared;
            let circumstances =
                Circumstances { principal: true, special: gives_check, history: 0, worsening: false, cut: false };
            let (after, reduction) = self.depths(depth_left, move_cost, index, reducible, circumstances);
            let intermediate = self.realization.intermediate(move_cost.excess);
            let place = Place {
                key: next_key,
                depth: after,
                ply: 1,
                in_check: gives_check,
                cut: true,
                passed: false,
                first_key: 0,
            };
            let step = Step { next: &next, place, mv, index, reduction, intermediate };
            self.frames[0].moved = Some(Earlier::new::<G>(G::to_move(root.position), mv));
            let score = self.step::<true>(step, alpha, window.beta);
            if self.stopped {
                return best;
            }
            best = best.max(score);
            if index == 0 || score > alpha {
                root_move.score = score;
            }
            if score > alpha {
                alpha = score;
                self.lines.extend(0, mv);
                root_move.line.clear();
                root_move.line.extend_from_slice(self.lines.root());
                let is_bound = score >= window.beta;
                // With several lines bounds are not reported, and what is not reported is not chosen.
                if let Some(choice) = &mut choice
                    && **choice != Some(mv)
                    && (root.lines <= 1 || !is_bound)
                {
                    **choice = Some(mv);
                    self.meter.chose(mv);
                    if !is_bound {
                        let iteration = self.so_far(depth, 1, score, &root_move.line);
                        self.meter.watcher.improvement(&iteration);
                    }
                }
                if is_bound {
                    break;
                }
            }
        }
        best
    }
}
