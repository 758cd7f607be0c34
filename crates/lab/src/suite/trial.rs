// SPDX-License-Identifier: GPL-3.0-or-later
//! Searches of problems, and the sum of their results.

use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Problem;
use crate::run::{Stop, Unit};
use halfply_engine::game::Notation;
use halfply_engine::search::{Engine, Limits, Root, Watcher};

/// How long a problem is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// To the limit.
    #[default]
    Limit,
    /// To the first find: until the right move is the root's choice for the first time, at most to the limit.
    FirstFind,
}

/// One problem given to one engine.
pub struct Trial<'a, G: Notation> {
    /// The problem.
    pub problem: &'a Problem<G>,
    /// Who is to solve it.
    pub engine: &'a dyn Engine<G>,
    /// How long it may search.
    pub limits: Limits,
    /// Whether it searches on after it has found the right move.
    pub until: Until,
    /// Names the engine and its settings in keys; empty if there is only one.
    pub label: &'a str,
}

/// The result of a search of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialResult {
    /// Whether the move at the limit is right.
    pub solved: bool,
    /// That move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes to solution, first found: searched when the right move was the root's choice for the first time, whatever
    /// came later; none if it never was. Journals from before this was counted do not have it.
    pub nodes_first_found: Option<u64>,
    /// Nodes to solution, found and kept: searched when the right move became the root's choice for good; none if it is
    /// not solved.
    #[serde(alias = "nodes_to_solution")]
    pub nodes_found_and_kept: Option<u64>,
    /// Plies of the last completed iteration.
    pub depth: u32,
    /// The deepest ply reached.
    pub height: u32,
    /// Moves that matched a row of the extension table.
    pub extended: u64,
    /// The fault of an external engine that did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// When the root's choice was right, in nodes searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// For the first time.
    pub first: Option<u64>,
    /// Since when it has been right; none if it is not right now.
    pub kept: Option<u64>,
}

impl Found {
    /// Notes a choice, the next one or the same again.
    pub fn note(&mut self, is_right: bool, nodes: u64) {
        self.kept = is_right.then(|| self.kept.unwrap_or(nodes));
        self.first = self.first.or(self.kept);
    }
}

/// Notes when the root's choice is right.
struct SolutionWatcher<'a, G: Notation> {
    problem: &'a Problem<G>,
    found: Found,
    until: Until,
    stop: &'a Stop,
}

impl<G: Notation> Watcher<G::Move> for SolutionWatcher<'_, G> {
    fn choice(&mut self, mv: G::Move, nodes: u64) {
        self.found.note(self.problem.is_solved_by(mv), nodes);
    }

    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        let is_enough = self.until == Until::FirstFind && self.found.first.is_some();
        self.stop.unless(is_enough)
    }
}

impl<G: Notation> Unit for Trial<'_, G> {
    type Output = TrialResult;

    fn key(&self) -> String {
        key(self.label, &self.problem.id)
    }

    fn run(&self, stop: &Stop) -> Option<TrialResult> {
        let mut watcher = SolutionWatcher { problem: self.problem, found: Found::default(), until: self.until, stop };
        let report = self.engine.thinker().search(Root::bare(&self.problem.position), self.limits, &mut watcher);
        if stop.is_raised() {
            // It may have been cut short.
            return None;
        }
        let solved = report.best.is_some_and(|mv| self.problem.is_solved_by(mv));
        Some(TrialResult {
            solved,
            mv: report.best.map(|mv| G::format_move(&self.problem.position, mv)).unwrap_or_default(),
            nodes: report.nodes,
            nodes_first_found: watcher.found.first,
            nodes_found_and_kept: watcher.found.kept.filter(|_| solved),
            depth: report.depth,
            height: report.height,
            extended: report.extended,
            fault: None,
        })
    }
}

/// The key of a trial: what names the engine, and the problem's identifier.
pub fn key(label: &str, problem: &str) -> String {
    if label.is_empty() { problem.to_owned() } else { format!("{label}/{problem}") }
}

/// Trials of one engine on all problems of a suite.
pub fn trials<'a, G: Notation>(
    problems: &'a [Problem<G>],
    engine: &'a dyn Engine<G>,
    limits: Limits,
    label: &'a str,
) -> Vec<Trial<'a, G>> {
    problems.iter().map(|problem| Trial { problem, engine, limits, until: Until::Limit, label }).collect()
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
    /// Nodes until each right move was first found; where it was not, the limit, or of searches by the clock their
    /// nodes. This is the count of David-Tabibi, Koppel and Netanyahu (*Optimizing Selective Search in Chess*, 2010),
    /// read literally: nodes "before finding the correct move". None if the results are from a journal that does not
    /// have it.
    pub nodes_first_found: Option<u64>,
    /// Nodes until each right move was found and kept; where it was not, as above. This count is ours: it is the greater
    /// one, for a move that is found and given up again has not been found for good.
    pub nodes_found_and_kept: u64,
    /// Mean plies of the last completed iteration.
    pub mean_depth: f64,
    /// Mean of the deepest plies.
    pub mean_height: f64,
    /// Moves that matched a row of the table among all moves searched, 0 to 1.
    pub frequency: f64,
}

impl Summary {
    /// Sums the results of searches with these limits up.
    pub fn of(results: &[TrialResult], limits: Limits) -> Self {
        // A search may end before its limit when the game does; if unsolved, it counts the limit.
        let unsolved = limits.nodes.filter(|_| limits.time.is_none());
        let until = |found: Option<u64>, result: &TrialResult| found.or(unsolved).unwrap_or(result.nodes);
        let mean = |figure: fn(&TrialResult) -> u32| {
            results.iter().map(|result| f64::from(figure(result))).sum::<f64>() / results.len().max(1) as f64
        };
        // An external engine may report anything.
        let sum = |figure: &dyn Fn(&TrialResult) -> u64| results.iter().map(figure).fold(0, u64::saturating_add);
        let nodes = sum(&|result| result.nodes);
        // A solved position was found at some time; if the time is missing, it was not recorded.
        let is_recorded = results.iter().all(|result| !result.solved || result.nodes_first_found.is_some());
        let extended: u64 = results.iter().map(|result| result.extended).sum();
        Self {
            positions: results.len(),
            solved: results.iter().filter(|result| result.solved).count(),
            nodes,
            nodes_first_found: is_recorded.then(|| sum(&|result| until(result.nodes_first_found, result))),
            nodes_found_and_kept: sum(&|result| until(result.nodes_found_and_kept, result)),
            mean_depth: mean(|result| result.depth),
            mean_height: mean(|result| result.height),
            frequency: extended as f64 / nodes.max(1) as f64,
        }
    }

    /// Nodes a second over a span of wall-clock time.
    pub fn nodes_per_second(&self, time: Duration) -> f64 {
        self.nodes as f64 / time.as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(nodes: u64, nodes_first_found: Option<u64>, nodes_found_and_kept: Option<u64>) -> TrialResult {
        let solved = nodes_found_and_kept.is_some();
        TrialResult { solved, nodes, nodes_first_found, nodes_found_and_kept, ..TrialResult::default() }
    }

    #[test]
    fn a_move_may_be_found_more_than_once() {
        let mut found = Found::default();
        let mut states = Vec::new();
        for (is_right, nodes) in [(false, 1), (true, 2), (true, 3), (false, 4), (true, 5), (true, 6)] {
            found.note(is_right, nodes);
            states.push((found.first, found.kept));
        }
        let (first, kept) = (Some(2), Some(5));
        assert_eq!(states, [(None, None), (first, first), (first, first), (first, None), (first, kept), (first, kept)]);
    }

    #[test]
    fn what_is_not_solved_counts_the_limit() {
        let results = [
            result(100, Some(30), Some(40)),
            // Found and given up again.
            result(100, Some(70), None),
            result(60, None, None),
        ];
        let counts = |limits| {
            let summary = Summary::of(&results, limits);
            (summary.nodes_first_found, summary.nodes_found_and_kept)
        };
        assert_eq!(counts(Limits::nodes(100)), (Some(30 + 70 + 100), 40 + 100 + 100));
        // With a clock, the limit is unknown.
        let both = Limits { time: Some(Duration::from_millis(1)), ..Limits::nodes(100) };
        assert_eq!(counts(both), (Some(30 + 70 + 60), 40 + 100 + 60));
    }

    #[test]
    fn journals_from_before_there_were_two_counts_are_read() {
        let line =
            r#"{"solved":true,"move":"a2a3","nodes":100,"nodes_to_solution":30,"depth":2,"height":3,"extended":1}"#;
        let result: TrialResult = serde_json::from_str(line).unwrap();
        assert_eq!((result.nodes_first_found, result.nodes_found_and_kept), (None, Some(30)));
        let summary = Summary::of(&[result], Limits::nodes(100));
        assert_eq!((summary.nodes_first_found, summary.nodes_found_and_kept), (None, 30));
    }
}
