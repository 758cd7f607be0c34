// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite run --engine`: the suite given to another program.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::report::{NodeLimit, Who};
use super::run::{Command, Guard, NODES, finish, search_all};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::{Verdict, assignment};
use crate::game::Notation;
use crate::games::Furnished;
use crate::history::History;
use crate::players::ProgramSpec;
use crate::players::question::position;
use crate::protocol::client::{EnginePool, PATIENCE};
use crate::run::Stop;
use crate::suite::Suite;
use crate::suite::baseline::Author;
use crate::suite::external::ExternalTrial;
use crate::suite::run::TrialResult;
use crate::suite::terms::{ProgramTerms, Terms};

/// A program that answers none of so many positions at the start will answer none of the others.
const FIRST: usize = 3;

pub fn run<G: Furnished>(command: &Command, suite: &Suite<G>, engine: &str) -> Result<Verdict> {
    ensure!(
        command.setup.options().is_empty() && command.evaluation.evaluation.is_none(),
        "--profile, --hash, --set, --parameters and --evaluation are of our search; a program has --option"
    );
    let limits = command.limits();
    ensure!(limits.nodes.is_some() || !command.watch_nodes, "--watch-nodes: say how many with --nodes");
    let options = command.option.iter().map(|text| assignment("option", text)).collect::<Result<_>>()?;
    let spec = ProgramSpec { command: engine.to_owned(), directory: None, options };
    let mut program = spec.program::<G>(Path::to_owned).context("--engine")?;
    let pool = EnginePool::new(command.threads.count(), PATIENCE);
    let stop = stop_on_ctrl_c();
    // One is started beforehand, so that a program that cannot be is an error and no list of faults.
    let interrupted = || stop.is_raised();
    let mut first = program.try_out(PATIENCE, &interrupted).context("--engine")?;
    let start = position::<G>(&History::new(suite.problems[0].position.clone()));
    let mut ignores_nodes = |nodes| first.keeps_to_nodes(&start, nodes, &interrupted).is_err();
    let node_limit = match limits.nodes {
        Some(_) if command.watch_nodes => NodeLimit::Watched,
        // Where a clock runs, the program stops all the same.
        Some(nodes) if limits.time.is_none() && ignores_nodes(nodes) => NodeLimit::Ignored,
        _ => NodeLimit::Kept,
    };
    pool.put(0, first);

    let watch_nodes = node_limit != NodeLimit::Kept;
    let options = program.spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let terms = ProgramTerms { options, watch_nodes };
    let guard = Guard::begin(command, Terms::of_program(suite, terms, limits.nodes.unwrap_or(NODES)))?;
    let unit = |problem| ExternalTrial { problem, program: &program, pool: &pool, limits, watch_nodes };
    let units: Vec<_> = suite.problems.iter().map(unit).collect();
    let mut start = Start::default();
    let outcome = search_all(command, suite, &units, &stop, |place, result| start.is_hopeless(suite, place, result));
    pool.close();
    start.explain(&stop)?;
    let who = Who::Theirs { program: &program, node_limit };
    finish(command, suite, who, &outcome?, guard, || Author::Program(&program.title))
}

/// The first results.
#[derive(Default)]
struct Start {
    results: usize,
    /// Those without a legal move, and why.
    failures: Vec<String>,
}

impl Start {
    /// Whether this result is the last of the first ones, and there was an answer in none of them.
    fn is_hopeless<G: Notation>(&mut self, suite: &Suite<G>, place: usize, result: &TrialResult) -> bool {
        self.results += 1;
        let problem = &suite.problems[place];
        if let Some(fault) = &result.fault
            && self.results <= FIRST
            && G::parse_move(&problem.position, &result.mv).is_err()
        {
            self.failures.push(format!("{}: {fault}", problem.id));
        }
        self.results == FIRST && self.is_over()
    }

    fn is_over(&self) -> bool {
        self.failures.len() == FIRST
    }

    /// What to do about a program that answers nothing.
    fn explain(&self, stop: &Stop) -> Result<()> {
        if self.is_over() && !stop.is_raised() {
            bail!(
                "--engine: it answered none of the first {FIRST} positions:\n  {}\ntry the program by hand, look at its \
                 command and --option; if it does not know `go nodes`, add --watch-nodes or give it --movetime",
                self.failures.join("\n  ")
            );
        }
        Ok(())
    }
}
