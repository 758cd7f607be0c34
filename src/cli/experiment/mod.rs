// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply experiment`: compares several ways to learn with each other and with published figures.

mod report;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::count::count;
use super::interrupt::stop_on_ctrl_c;
use super::learn::{command_line, follow};
use super::output::{WidthArg, print, tell};
use super::progress::Progress;
use super::run_folder::RunFolderArgs;
use super::spool::SpoolArgs;
use super::{ThreadsArg, Verdict, load_suite};
use crate::base::figures::thousands;
use crate::games::Furnished;
use crate::learn::files::settings;
use crate::learn::page::Page;
use crate::learn::plan::{Plan, PlannedRun};
use crate::learn::run::Ready;
use crate::learn::searches::TestBed;
use crate::report::{Listing, terminal};
use crate::run::Runner;
use crate::with_game;
use report::Report;

/// The tables in the run's folder.
const REPORT: &str = "report.md";

/// The name of a run's page, by its number from 1.
fn page_name(number: usize) -> String {
    format!("run-{number}.html")
}

/// Compare ways to learn on the same positions, as a file describes them
#[derive(Debug, Args)]
#[command(
    after_help = "The runs share their searches: what one has tried costs the others nothing. experiments/ holds those \
    of the papers."
)]
pub struct Command {
    /// The experiment, a TOML file
    file: PathBuf,
    /// Nodes a position [default: the file's]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    nodes: Option<u64>,
    #[command(flatten)]
    width: WidthArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    spool: SpoolArgs,
    #[command(flatten)]
    folder: RunFolderArgs,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let plan = Plan::load(&command.file)?;
    with_game!(plan.game, G => run_game::<G>(command, &plan))
}

fn run_game<'a, G: Furnished>(command: &Command, plan: &'a Plan) -> Result<Verdict> {
    // Before the benchmark, which takes a few tenths of a second.
    let stop = stop_on_ctrl_c();
    let suite_path = plan.suite.as_ref().map(|path| plan.folder.join(path));
    let suite = load_suite::<G>(suite_path.as_ref())?;
    let nodes = command.nodes.unwrap_or(plan.nodes);
    let bed = TestBed { suite, searcher: plan.searcher::<G>()?, nodes };
    let ready = |(index, run): (usize, &'a PlannedRun)| {
        Ready::new(&bed, &run.recipe).map_err(|error| plan.wrong_run(index, &error))
    };
    let all = plan.runs.iter().enumerate().map(ready).collect::<Result<Vec<_>, _>>()?;
    let atoms = all.iter().map(Ready::atoms).collect();
    let header = bed.header(atoms);
    let description = bed.description(plan.game, suite_path.as_deref(), atoms);
    let pages: Vec<String> = (1..=plan.runs.len()).map(page_name).collect();
    let names: Vec<&str> = pages.iter().map(String::as_str).chain([REPORT]).collect();
    let (results, journal) = command.folder.open_sharing(G::NAME, &header, &plan.title, "experiment", &names)?;
    let folder = results.folder().to_owned();
    let runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop);
    let mut runner = command.spool.place(runner, &header, &description)?;

    let mut all_findings = Vec::new();
    for (run, ready) in plan.runs.iter().zip(&all) {
        let progress = Progress::new(0);
        progress.note(&format!(
            "{}: {} on {} positions of {}, {} nodes each, seed {}; kept in {}",
            run.name,
            run.recipe.method.name(),
            bed.suite.problems.len(),
            bed.suite.name,
            thousands(nodes),
            plan.seed,
            folder.display()
        ));
        match follow(ready, &mut runner, &progress, &folder)? {
            Ok(findings) => all_findings.push(findings),
            Err(verdict) => return Ok(verdict),
        }
    }
    command.spool.close()?;
    let mut files = Vec::new();
    for ((run, findings), name) in plan.runs.iter().zip(&all_findings).zip(&pages) {
        let page = Page {
            title: &format!("{}: {}", plan.title, run.name),
            settings: &settings(&bed.config(), &run.recipe, header.signature),
            command: &command_line(),
            vocabulary: &G::VOCABULARY,
            acceptance: &run.recipe.method.conjunctions().acceptance,
            findings,
        };
        files.push((name.as_str(), page.render()));
    }
    let positions = bed.suite.problems.len();
    let report = Report {
        plan,
        vocabulary: &G::VOCABULARY,
        findings: &all_findings,
        positions,
        nodes,
        signature: header.signature,
        table: &terminal::markdown,
    };
    files.push((REPORT, report.text()));
    results.publish(&files)?;
    let shown = |listing: &Listing| command.width.fit(listing);
    print(Report { table: &shown, ..report }.text().trim_end())?;
    tell(&format!(
        "{} searches done now; kept in {}, with a page to look at for each run: {}",
        thousands(runner.computed() as u64),
        folder.display(),
        pages.join(", ")
    ));
    Ok(Verdict::Good)
}
