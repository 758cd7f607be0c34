// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply experiment`: compares several ways to learn with each other and with published figures.

mod report;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::count::count;
use super::interrupt::stop_on_ctrl_c;
use super::learn::{command_line, follow, shown};
use super::output::{WidthArg, print, tell};
use super::progress::Progress;
use super::run_folder::RunFolderArgs;
use super::spool::SpoolArgs;
use super::{ThreadsArg, Verdict, load_suite};
use crate::base::figures::thousands;
use crate::games::Furnished;
use crate::learn::findings::Inputs;
use crate::learn::page::Page;
use crate::learn::plan::Plan;
use crate::learn::recipe::RecipeError;
use crate::learn::searches::{SearchConfig, SearchDescription};
use crate::report::{Listing, terminal};
use crate::run::Runner;
use crate::search::Searcher;
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

fn run_game<G: Furnished>(command: &Command, plan: &Plan) -> Result<Verdict> {
    // Before the benchmark, which takes a few tenths of a second.
    let stop = stop_on_ctrl_c();
    let vocabulary = G::VOCABULARY;
    let suite_path = plan.suite.as_ref().map(|path| plan.folder.join(path));
    let suite = load_suite::<G>(suite_path.as_ref())?;
    let nodes = command.nodes.unwrap_or(plan.nodes);
    let ply = plan.cost()?;
    let of_each = |index| move |error: RecipeError| plan.wrong_run(index, &error);
    let runs = || plan.runs.iter().map(|run| &run.recipe).enumerate();
    let settings = runs().map(|(index, recipe)| recipe.settings(&vocabulary).map_err(of_each(index)));
    let settings = settings.collect::<Result<Vec<_>, _>>()?;
    let Searcher { evaluation, setup } = plan.searcher::<G>()?;
    let searches = SearchConfig::of(&suite, evaluation.identity(), nodes, &setup);
    let conditions = runs().map(|(index, recipe)| recipe.conditions(ply, nodes, setup.clone()).map_err(of_each(index)));
    let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
    let parts = runs().map(|(index, recipe)| recipe.parts(&suite, plan.seed).map_err(of_each(index)));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let atoms = settings.iter().map(|settings| settings.base).collect();
    let header = searches.header(setup.profile, &evaluation, atoms);
    let description = SearchDescription::of(plan.game, suite_path.as_deref(), &evaluation, nodes, &setup, atoms);
    let pages: Vec<String> = (1..=plan.runs.len()).map(page_name).collect();
    let names: Vec<&str> = pages.iter().map(String::as_str).chain([REPORT]).collect();
    let (results, journal) = command.folder.open_sharing(G::NAME, &header, &plan.title, "experiment", &names)?;
    let folder = results.folder().to_owned();
    let runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop);
    let mut runner = command.spool.place(runner, &header, &description)?;

    let mut all_findings = Vec::new();
    for (((run, settings), conditions), parts) in plan.runs.iter().zip(&settings).zip(&conditions).zip(&parts) {
        let progress = Progress::new(0);
        progress.note(&format!(
            "{}: {} on {} positions of {}, {} nodes each, seed {}; kept in {}",
            run.name,
            run.recipe.method,
            suite.problems.len(),
            suite.name,
            thousands(nodes),
            plan.seed,
            folder.display()
        ));
        let [learned_from, held_out] = parts;
        let inputs = Inputs { learned_from, held_out, evaluation: &evaluation, conditions, runner: &mut runner };
        match follow(&run.recipe, settings, inputs, &progress, &folder)? {
            Ok(findings) => all_findings.push(findings),
            Err(verdict) => return Ok(verdict),
        }
    }
    command.spool.close()?;
    let mut files = Vec::new();
    for (((run, settings), findings), name) in plan.runs.iter().zip(&settings).zip(&all_findings).zip(&pages) {
        let page = Page {
            title: &format!("{}: {}", plan.title, run.name),
            settings: &shown(&searches, &run.recipe, header.signature)?,
            command: &command_line(),
            vocabulary: &vocabulary,
            options: settings,
            findings,
        };
        files.push((name.as_str(), page.render()));
    }
    let positions = suite.problems.len();
    let report = Report {
        plan,
        vocabulary: &vocabulary,
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
