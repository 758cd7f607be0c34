// SPDX-License-Identifier: GPL-3.0-or-later
//! A run of a suite by a player, as a library call: it reports each result to an observer and prints nothing.

use std::ops::ControlFlow;
use std::sync::Arc;

use thiserror::Error;

use super::baseline::Author;
use super::external::ExternalTrial;
use super::terms::{ProgramTerms, Terms};
use super::trial::{Summary, TrialResult, trials};
use super::{Problem, Suite};
use crate::client::{EngineFault, EnginePool, PATIENCE};
use crate::players::question::position;
use crate::players::{Player, Program};
use crate::run::{RunError, Runner, Stop, Unit, default_threads};
use halfply_engine::bench;
use halfply_engine::games::RegisteredGame;
use halfply_engine::history::History;
use halfply_engine::search::{Limits, Searcher};

/// A program that answers none of this many first positions is not expected to answer any other.
const FIRST: usize = 3;

/// Why a suite was not run to its end.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The program cannot be started or set.
    #[error(transparent)]
    Fault(#[from] EngineFault),
    /// The program answered none of the first positions.
    #[error(
        "it answered none of the first {FIRST} positions:\n  {}\ntry the program by hand, look at its command and \
         --option; if it does not know `go nodes`, add --watch-nodes or give it --movetime",
        .0.join("\n  ")
    )]
    NoAnswers(Vec<String>),
    /// The run was stopped.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// How an external engine's node limit is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeLimit {
    /// By the program: `go nodes`.
    Kept,
    /// By us, as was requested: the program is stopped when it reports that many nodes.
    Watched,
    /// By us, because the program ignored `go nodes` in a trial.
    Ignored,
}

/// How a suite is run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// How long each problem may take.
    pub limits: Limits,
    /// Whether a program's node limit is enforced by us, although it may know `go nodes`.
    pub watch_nodes: bool,
    /// Problems at a time.
    pub threads: usize,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteOutcome {
    /// The results, in the order of the suite.
    pub results: Vec<TrialResult>,
    /// All of them together.
    pub summary: Summary,
}

/// Gives the problems of a suite to a player. `observe` is called for each result. The page of [this
/// crate](crate) has an example.
///
/// # Errors
/// If the player is a program that cannot be started, or that answers none of the first positions.
pub fn run<G: RegisteredGame>(
    suite: &Suite<G>,
    player: Player<G>,
    limits: Limits,
    observe: impl FnMut(&Problem<G>, &TrialResult),
) -> Result<SuiteOutcome, SuiteError> {
    let options = RunOptions { limits, watch_nodes: false, threads: default_threads() };
    Ready::new(suite, player, options, &Stop::default())?.run(observe)
}

/// A suite and a player who is there and can play.
pub struct Ready<'a, G: RegisteredGame> {
    /// The problems.
    pub suite: &'a Suite<G>,
    /// Who is to solve them.
    pub player: Player<G>,
    /// How long each may take.
    pub limits: Limits,
    /// How a program's node limit is enforced.
    pub node_limit: NodeLimit,
    threads: usize,
    stop: Stop,
    /// Programs that run already.
    pool: EnginePool,
}

impl<'a, G: RegisteredGame> Ready<'a, G> {
    /// Starts a program once, to see that it can play and whether it keeps to limits of nodes.
    ///
    /// # Errors
    /// If it cannot be started or set; also if `stop` is raised meanwhile.
    pub fn new(
        suite: &'a Suite<G>,
        mut player: Player<G>,
        options: RunOptions,
        stop: &Stop,
    ) -> Result<Self, EngineFault> {
        let RunOptions { limits, watch_nodes, threads } = options;
        let pool = EnginePool::new(threads, PATIENCE);
        let mut node_limit = if watch_nodes { NodeLimit::Watched } else { NodeLimit::Kept };
        if let Player::Program(program) = &mut player {
            let interrupted = || stop.is_raised();
            let mut first = program.try_out(PATIENCE, &interrupted)?;
            // Where a clock runs, the program stops in any case.
            if !watch_nodes
                && let (Some(nodes), None, Some(problem)) = (limits.nodes, limits.time, suite.problems.first())
            {
                let start = position::<G>(&History::new(problem.position.clone()));
                if first.keeps_to_nodes(&start, nodes, &interrupted).is_err() {
                    node_limit = NodeLimit::Ignored;
                }
            }
            pool.put(0, first);
        }
        Ok(Self { suite, player, limits, node_limit, threads, stop: stop.clone(), pool })
    }

    /// What the results depend on; none if the clock limits the search.
    pub fn terms(&self) -> Option<Terms> {
        let nodes = self.limits.nodes.filter(|_| self.limits.time.is_none())?;
        Some(match &self.player {
            Player::Search(searcher) => Terms::new(self.suite, searcher.record(), searcher.setup.seed, nodes),
            Player::Program(program) => {
                let options = program.spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
                let watch_nodes = self.node_limit != NodeLimit::Kept;
                Terms::of_program(self.suite, ProgramTerms { options, watch_nodes }, nodes)
            }
        })
    }

    /// Who a baseline of the results is by.
    pub fn author(&self) -> Author<'_> {
        match &self.player {
            Player::Search(Searcher { evaluation, setup }) => {
                Author::Ours(bench::signature(setup, evaluation, setup.table.wanted()))
            }
            Player::Program(program) => Author::Program(&program.title),
        }
    }

    /// Gives all problems to the player.
    ///
    /// # Errors
    /// If it is a program that answers none of the first positions, or the run was stopped.
    pub fn run(&self, mut observe: impl FnMut(&Problem<G>, &TrialResult)) -> Result<SuiteOutcome, SuiteError> {
        let results = match &self.player {
            Player::Search(searcher) => {
                let engine = searcher.engine();
                let units = trials(&self.suite.problems, engine.as_ref(), self.limits, "");
                self.results(&units, |problem, result| {
                    observe(problem, result);
                    ControlFlow::Continue(())
                })
            }
            Player::Program(program) => self.ask(program, observe),
        };
        let results = results?;
        let summary = Summary::of(&results, self.limits);
        Ok(SuiteOutcome { results, summary })
    }

    fn ask(
        &self,
        program: &Program,
        mut observe: impl FnMut(&Problem<G>, &TrialResult),
    ) -> Result<Vec<TrialResult>, SuiteError> {
        let watch_nodes = self.node_limit != NodeLimit::Kept;
        let unit = |problem| ExternalTrial { problem, program, pool: &self.pool, limits: self.limits, watch_nodes };
        let units: Vec<_> = self.suite.problems.iter().map(unit).collect();
        let mut answers = FirstAnswers::default();
        let results = self.results(&units, |problem, result| {
            observe(problem, result);
            if answers.note(problem, result) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.pool.close();
        if answers.are_none() && !self.stop.is_raised() {
            return Err(SuiteError::NoAnswers(answers.failures));
        }
        results
    }

    /// The results of all units, unless `observe` has seen enough.
    fn results<U: Unit<Output = TrialResult>>(
        &self,
        units: &[U],
        mut observe: impl FnMut(&Problem<G>, &TrialResult) -> ControlFlow<()>,
    ) -> Result<Vec<TrialResult>, SuiteError> {
        let mut runner = Runner::new(self.threads).stopped_by(&self.stop);
        let problems = &self.suite.problems;
        let results = runner.run_while(units, |place, result, _| observe(&problems[place], result))?;
        let owned = |result: Option<_>| result.map(Arc::unwrap_or_clone);
        Ok(results.into_iter().map(owned).collect::<Option<_>>().ok_or(RunError::Stopped)?)
    }
}

/// The first answers of a program.
#[derive(Default)]
struct FirstAnswers {
    results: usize,
    /// Those without a legal move, and why.
    failures: Vec<String>,
}

impl FirstAnswers {
    /// Notes a result: whether it is the last of the first ones, and there was no answer in any of them.
    fn note<G: RegisteredGame>(&mut self, problem: &Problem<G>, result: &TrialResult) -> bool {
        self.results += 1;
        if let Some(fault) = &result.fault
            && self.results <= FIRST
            && G::parse_move(&problem.position, &result.mv).is_err()
        {
            self.failures.push(format!("{}: {fault}", problem.id));
        }
        self.results == FIRST && self.are_none()
    }

    fn are_none(&self) -> bool {
        self.failures.len() == FIRST
    }
}
