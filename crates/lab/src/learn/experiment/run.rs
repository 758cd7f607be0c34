// SPDX-License-Identifier: GPL-3.0-or-later
//! An experiment as a library call: it reports its progress to an observer and prints nothing.

use super::super::event;
use super::super::files::{Origin, titled};
use super::super::findings::Findings;
use super::super::page::Link;
use super::super::run as learning;
use super::super::searches::TestBed;
use super::page::{self, page_name};
use super::plan::{Plan, PlannedRun};
use super::report::Report;
use crate::report::{Listing, terminal};
use crate::run::{Header, RunError, Runner};
use crate::suite::trial::TrialResult;
use halfply_engine::base::data_file::DataFileError;
use halfply_engine::features::AtomSet;
use halfply_engine::games::RegisteredGame;

/// The file of the report.
pub const REPORT: &str = "report.md";

/// The page that compares the runs.
pub const PAGE: &str = "report.html";

/// What happens in an experiment.
pub enum ExperimentEvent<'a, G: RegisteredGame> {
    /// A run begins.
    Begin {
        /// As it is planned.
        planned: &'a PlannedRun,
        /// Ready to learn.
        ready: &'a learning::Ready<'a, G>,
    },
    /// Something happens in that run.
    Run(event::LearnEvent<'a>),
}

/// An experiment whose recipes fit the game and the suite.
pub struct Ready<'a, G: RegisteredGame> {
    /// What is to be run.
    pub plan: &'a Plan,
    /// The positions and the search of all runs.
    pub bed: &'a TestBed<G>,
    /// The runs, in the order of the plan.
    runs: Vec<learning::Ready<'a, G>>,
}

impl<'a, G: RegisteredGame> Ready<'a, G> {
    /// Checks the recipes.
    ///
    /// # Errors
    /// Names the run, and the setting or the published feature that does not fit.
    pub fn new(plan: &'a Plan, bed: &'a TestBed<G>) -> Result<Self, DataFileError> {
        let ready = |(index, run): (usize, &'a PlannedRun)| {
            plan.check_published(index, &G::VOCABULARY)?;
            learning::Ready::new(bed, &run.recipe).map_err(|error| plan.wrong_run(index, &error))
        };
        let runs = plan.runs.iter().enumerate().map(ready).collect::<Result<_, _>>()?;
        Ok(Self { plan, bed, runs })
    }

    /// The atoms that tables of all runs may name.
    pub fn atoms(&self) -> AtomSet {
        self.runs.iter().map(learning::Ready::atoms).collect()
    }

    /// The names of all result files.
    pub fn file_names(&self) -> Vec<String> {
        let pages = (1..=self.runs.len()).map(page_name);
        pages.chain([REPORT, PAGE].map(str::to_owned)).collect()
    }

    /// Learns by searches of that runner, one run after the other.
    ///
    /// # Errors
    /// If the journal cannot be written, the runner was stopped, or it waits for workers.
    pub fn learn(
        &self,
        runner: &mut Runner<TrialResult>,
        mut observe: impl FnMut(ExperimentEvent<'_, G>),
    ) -> Result<Vec<Findings>, RunError> {
        let mut found = Vec::new();
        for (planned, ready) in self.plan.runs.iter().zip(&self.runs) {
            observe(ExperimentEvent::Begin { planned, ready });
            found.push(ready.learn(runner, |event| observe(ExperimentEvent::Run(event)))?);
        }
        Ok(found)
    }

    /// The report that compares the runs, whose tables `table` writes.
    pub fn report(&self, found: &[Findings], header: &Header, table: &dyn Fn(&Listing) -> String) -> String {
        self.compared(found, header).text(table)
    }

    fn compared<'r>(&'r self, found: &'r [Findings], header: &Header) -> Report<'r> {
        let (positions, nodes) = (self.bed.suite.problems.len(), self.bed.nodes);
        let (plan, vocabulary, signature) = (self.plan, G::VOCABULARY, header.signature);
        Report { plan, vocabulary, findings: found, positions, nodes, signature }
    }

    /// What was found, in a sentence.
    pub fn headline(&self, found: &[Findings]) -> String {
        page::headline(self.plan, found, &G::VOCABULARY)
    }

    /// The page that compares what was found so far, of the runs that have begun.
    pub fn so_far(&self, found: &[Findings], header: &Header, command: &str) -> String {
        page::render(&self.compared(found, header), command, false)
    }

    /// The result files with their names: the report, as text and as a page, and a page for each run. `command` is the one that repeats the
    /// experiment, and `header` that of its journal.
    pub fn files(&self, found: &[Findings], header: &Header, command: &str) -> Vec<(String, String)> {
        let names = self.plan.runs.iter().zip(1..).map(|(run, number)| Link::new(&page_name(number), &run.name));
        let links: Vec<Link> = [Link::new(PAGE, "the comparison")].into_iter().chain(names).collect();
        let origin = Origin { options: "", command, header };
        let of_run = |(place, (run, findings)): (usize, (&PlannedRun, &Findings))| {
            let title = format!("{}: {}", self.plan.title, run.name);
            (page_name(place + 1), titled(&title, &self.runs[place], findings, origin, &links))
        };
        let report = (REPORT.to_owned(), self.report(found, header, &terminal::markdown));
        let compared = (PAGE.to_owned(), page::render(&self.compared(found, header), command, true));
        self.plan.runs.iter().zip(found).enumerate().map(of_run).chain([report, compared]).collect()
    }
}
