// SPDX-License-Identifier: GPL-3.0-or-later
//! A search of a problem by an external engine, over UCI.

use std::time::Duration;

use super::Problem;
use super::trial::{Found, TrialResult};
use crate::client::{Answer, EngineFault, EnginePool, Info, ScoreBound};
use crate::players::Program;
use crate::players::question::{Patience, Question, answered_move};
use crate::run::{Stop, Unit};
use halfply_engine::game::Notation;
use halfply_engine::history::History;
use halfply_engine::search::Limits;

/// The longest silence of an engine without a clock.
const PATIENCE: Duration = Duration::from_secs(120);

/// The most time that an engine without a clock may take for a position, even if it sends information.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// The longest silence of an engine whose nodes are watched. It searches without a limit, and some engines then wait for
/// `stop` once they have searched as deep as they can, which is soon if there is a mate.
const WATCHED_PATIENCE: Duration = Duration::from_secs(15);

/// The most by which an answer may exceed its time: what a loaded machine adds.
const MARGIN: Duration = Duration::from_millis(500);

/// A problem, and the engine that is to solve it.
pub struct ExternalTrial<'a, G: Notation> {
    /// The problem.
    pub problem: &'a Problem<G>,
    /// Who is to solve it.
    pub program: &'a Program,
    /// Engines that run already.
    pub pool: &'a EnginePool,
    /// How long it may search.
    pub limits: Limits,
    /// Whether the engine would ignore its limit of nodes. Then it searches without one and is stopped when it reports
    /// that many nodes. Its answer is its last best line within the limit.
    pub watch_nodes: bool,
}

impl<G: Notation> Unit for ExternalTrial<'_, G> {
    type Output = TrialResult;

    fn key(&self) -> String {
        self.problem.id.clone()
    }

    fn run(&self, stop: &Stop) -> Option<TrialResult> {
        let mut follower = Follower { problem: self.problem, found: Found::default(), choice: None };
        match self.search(stop, &mut follower) {
            Ok(answer) => Some(TrialResult { fault: self.objection(&answer), ..follower.result(&answer) }),
            Err(EngineFault::Interrupted) => None,
            Err(_) if stop.is_raised() => None,
            Err(fault) => Some(TrialResult { fault: Some(fault.to_string()), ..TrialResult::default() }),
        }
    }
}

impl<G: Notation> ExternalTrial<'_, G> {
    fn search(&self, stop: &Stop, follower: &mut Follower<'_, G>) -> Result<Answer, EngineFault> {
        let interrupted = || stop.is_raised();
        // Each position is a new game: it is searched by a program that remembers nothing.
        let mut client = self.pool.client(0, &self.program.command, &self.program.required, &interrupted)?;
        let silence = if self.watch_nodes { WATCHED_PATIENCE } else { PATIENCE };
        let question = Question {
            game: &History::<G>::new(self.problem.position.clone()),
            clocks: [None; 2],
            limits: self.limits,
            due: self.limits.time,
            patience: Patience { silence, total: LONGEST },
            watch_nodes: self.watch_nodes,
        };
        let mut answer = question.ask(&mut client, &interrupted, &mut |info| follower.hear(info))?;
        if answer.stopped && self.watch_nodes {
            // What it would play now is the choice of a longer search.
            answer.best = follower.choice.clone().unwrap_or_default();
        }
        self.pool.put(0, client);
        Ok(answer)
    }
}

impl<G: Notation> ExternalTrial<'_, G> {
    /// What is wrong with an answer, if something is.
    fn objection(&self, answer: &Answer) -> Option<String> {
        if answer.best.is_empty() {
            return Some("it reported no move within the nodes that it had".to_owned());
        }
        if let Err(no_move) = answered_move::<G>(&self.problem.position, &answer.best) {
            return Some(no_move.to_string());
        }
        let late = |time: &Duration| answer.elapsed > *time + MARGIN;
        let time = self.limits.time.filter(late)?;
        Some(format!("{} ms used of {} ms", answer.elapsed.as_millis(), time.as_millis()))
    }
}

/// Notes when the program's first choice is right.
struct Follower<'a, G: Notation> {
    problem: &'a Problem<G>,
    found: Found,
    /// The first move of the last best line.
    choice: Option<String>,
}

impl<G: Notation> Follower<'_, G> {
    fn is_right(&self, text: &str) -> bool {
        G::parse_move(&self.problem.position, text).is_ok_and(|mv| self.problem.is_solved_by(mv))
    }

    fn hear(&mut self, info: &Info) {
        // A line that fails low says nothing of which move is best.
        if !info.is_of_best() || info.bound == Some(ScoreBound::Upper) {
            return;
        }
        if let (Some(first), Some(nodes)) = (info.line.first(), info.nodes) {
            self.found.note(self.is_right(first), nodes);
            self.choice = Some(first.clone());
        }
    }

    fn result(&self, answer: &Answer) -> TrialResult {
        let solved = self.is_right(&answer.best);
        // A move that no line of information named was found at the end.
        let mut found = self.found;
        found.note(solved, answer.nodes);
        TrialResult {
            solved,
            mv: answer.best.clone(),
            nodes: answer.nodes,
            nodes_first_found: found.first,
            nodes_found_and_kept: found.kept,
            depth: answer.depth,
            height: answer.height,
            extended: 0,
            fault: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Reply, parse};
    use crate::suite::Suite;
    use halfply_engine::games::Chess;

    #[test]
    fn the_solution_counts_from_when_it_was_found_and_from_when_it_was_kept() {
        let text = "7k/8/6K1/8/8/8/8/1Q6 w - - bm Qb8#; id \"mate\";";
        let suite = Suite::<Chess>::parse(text, "t.epd").unwrap();
        let mut follower = Follower { problem: &suite.problems[0], found: Found::default(), choice: None };
        for line in [
            "info depth 1 nodes 10 score cp 5 pv b1b8",
            "info depth 2 nodes 20 score cp 5 pv b1b2 h8g8",
            "info depth 3 nodes 30 score cp 5 upperbound pv b1b3",
            "info depth 3 nodes 40 score mate 1 lowerbound pv b1b8",
            "info depth 3 nodes 45 multipv 2 score cp 5 pv b1b2",
            "info depth 3 nodes 50 score cp 5 upperbound pv b1b3",
            "info depth 4 nodes 60 score mate 1 pv b1b8",
        ] {
            let Some(Reply::Info(info)) = parse(line) else { panic!("{line}") };
            follower.hear(&info);
        }
        // A bound from above says nothing of which move is best.
        assert_eq!(follower.choice.as_deref(), Some("b1b8"));
        let answer = |best: &str| Answer { best: best.to_owned(), nodes: 70, depth: 4, height: 5, ..Answer::default() };
        let result = follower.result(&answer("b1b8"));
        assert_eq!((result.solved, result.nodes), (true, 70));
        assert_eq!((result.nodes_first_found, result.nodes_found_and_kept), (Some(10), Some(40)));
        let result = follower.result(&answer("b1b7"));
        assert!(!result.solved);
        assert_eq!((result.nodes_first_found, result.nodes_found_and_kept), (Some(10), None));
        assert!(!follower.result(&answer("nonsense")).solved);
    }
}
