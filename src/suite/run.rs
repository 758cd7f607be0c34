// SPDX-License-Identifier: GPL-3.0-or-later
//! Searching every position of a suite, and what came of it.

use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Problem;
use crate::experiment::{Stop, Unit};
use crate::game::Notation;
use crate::search::{Engine, Limits, Root, Watcher};

/// One problem given to one engine.
pub struct Trial<'a, G: Notation> {
    /// The problem.
    pub problem: &'a Problem<G>,
    /// Who is to solve it.
    pub engine: &'a dyn Engine<G>,
    /// How long it may search.
    pub limits: Limits,
    /// Names the engine and its settings in keys; empty where there is but one.
    pub label: &'a str,
}

/// What a search made of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialResult {
    /// Whether the move at the limit is right.
    pub solved: bool,
    /// That move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes after which the right move was found and kept; none if it is not solved.
    pub nodes_to_solution: Option<u64>,
    /// Plies of the last completed iteration.
    pub depth: u32,
    /// The deepest ply reached.
    pub height: u32,
    /// Moves that matched a row of the extension table.
    pub extended: u64,
    /// What a program of somebody's did instead of answering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// Notes from when on the root's choice has been right.
struct SolutionWatcher<'a, G: Notation> {
    problem: &'a Problem<G>,
    right_since: Option<u64>,
    stop: &'a Stop,
}

impl<G: Notation> Watcher<G::Move> for SolutionWatcher<'_, G> {
    fn choice(&mut self, mv: G::Move, nodes: u64) {
        let right = self.problem.is_solved_by(mv);
        self.right_since = right.then(|| self.right_since.unwrap_or(nodes));
    }

    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        if self.stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<G: Notation> Unit for Trial<'_, G> {
    type Output = TrialResult;

    fn key(&self) -> String {
        if self.label.is_empty() { self.problem.id.clone() } else { format!("{}/{}", self.label, self.problem.id) }
    }

    fn run(&self, stop: &Stop) -> Option<TrialResult> {
        let mut watcher = SolutionWatcher { problem: self.problem, right_since: None, stop };
        let report = self.engine.player().search(Root::bare(&self.problem.position), self.limits, &mut watcher);
        if stop.is_raised() {
            // It may have been cut short.
            return None;
        }
        let solved = report.best.is_some_and(|mv| self.problem.is_solved_by(mv));
        Some(TrialResult {
            solved,
            mv: report.best.map(|mv| G::format_move(&self.problem.position, mv)).unwrap_or_default(),
            nodes: report.nodes,
            nodes_to_solution: watcher.right_since.filter(|_| solved),
            depth: report.depth,
            height: report.height,
            extended: report.extended,
            fault: None,
        })
    }
}

/// Trials of one engine on all problems of a suite.
pub fn trials<'a, G: Notation>(
    problems: &'a [Problem<G>],
    engine: &'a dyn Engine<G>,
    limits: Limits,
    label: &'a str,
) -> Vec<Trial<'a, G>> {
    problems.iter().map(|problem| Trial { problem, engine, limits, label }).collect()
}

/// The results of a suite taken together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Problems searched.
    pub positions: usize,
    /// Problems solved.
    pub solved: usize,
    /// Nodes in all.
    pub nodes: u64,
    /// Nodes until each solution, the limit where there is none (David-Tabibi, Koppel and Netanyahu,
    /// *Optimizing Selective Search in Chess*, 2010); of searches by the clock, their nodes.
    pub nodes_to_solution: u64,
    /// Mean plies of the last completed iteration.
    pub mean_depth: f64,
    /// Mean of the deepest plies.
    pub mean_height: f64,
    /// Moves that matched a row of the table among all moves searched, 0 to 1.
    pub frequency: f64,
}

impl Summary {
    /// Sums the results of searches with these limits up.
    #[must_use]
    pub fn of(results: &[TrialResult], limits: Limits) -> Self {
        // A search may end before its limit where the game does: unsolved, it counts as if it had gone on.
        let unsolved = limits.nodes.filter(|_| limits.time.is_none());
        let to_solution = |result: &TrialResult| result.nodes_to_solution.or(unsolved).unwrap_or(result.nodes);
        let mean = |figure: fn(&TrialResult) -> u32| {
            results.iter().map(|result| f64::from(figure(result))).sum::<f64>() / results.len().max(1) as f64
        };
        // What a program says of itself may be anything.
        let sum = |figure: &dyn Fn(&TrialResult) -> u64| results.iter().map(figure).fold(0, u64::saturating_add);
        let nodes = sum(&|result| result.nodes);
        let extended: u64 = results.iter().map(|result| result.extended).sum();
        Self {
            positions: results.len(),
            solved: results.iter().filter(|result| result.solved).count(),
            nodes,
            nodes_to_solution: sum(&to_solution),
            mean_depth: mean(|result| result.depth),
            mean_height: mean(|result| result.height),
            frequency: extended as f64 / nodes.max(1) as f64,
        }
    }

    /// Nodes a second over a span of wall-clock time.
    #[must_use]
    pub fn nodes_per_second(&self, time: Duration) -> f64 {
        self.nodes as f64 / time.as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(nodes: u64, nodes_to_solution: Option<u64>) -> TrialResult {
        let solved = nodes_to_solution.is_some();
        TrialResult {
            solved,
            mv: String::new(),
            nodes,
            nodes_to_solution,
            depth: 2,
            height: 3,
            extended: 1,
            fault: None,
        }
    }

    #[test]
    fn what_is_not_solved_counts_the_limit() {
        let results = [result(100, Some(30)), result(100, None), result(60, None)];
        let both = Limits { time: Some(Duration::from_millis(1)), ..Limits::nodes(100) };
        assert_eq!(Summary::of(&results, Limits::nodes(100)).nodes_to_solution, 30 + 100 + 100);
        // By the clock nobody knows what a limit would have been.
        assert_eq!(Summary::of(&results, both).nodes_to_solution, 30 + 100 + 60);
    }
}
