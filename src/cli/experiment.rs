// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply experiment`: compares several ways to learn with each other and with published figures.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::count::count;
use super::events;
use super::interrupt::stop_on_ctrl_c;
use super::learn::{Narrator, command_line};
use super::output::{WidthArg, print, tell};
use super::run_folder::{RunFolderArgs, ended};
use super::spool::SpoolArgs;
use super::{ThreadsArg, Verdict, tell_tolerated};
use halfply_engine::base::figures::thousands;
use halfply_engine::games::Furnished;
use halfply_engine::with_game;
use halfply_lab::learn::experiment::Plan;
use halfply_lab::learn::experiment::run::{Event, Ready, page_name};
use halfply_lab::report::Listing;
use halfply_lab::run::Runner;
use halfply_lab::run::events::RunKind;

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
    let bed = plan.bed::<G>(command.nodes.unwrap_or(plan.nodes))?;
    tell_tolerated(&bed.suite);
    let ready = Ready::new(plan, &bed)?;
    let header = bed.header(ready.atoms());
    let description = bed.description(plan.game, plan.suite_path().as_deref(), ready.atoms());
    let names = ready.file_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (results, journal) = command.folder.open_sharing(G::NAME, &header, &plan.title, "experiment", &names)?;
    let folder = results.folder().to_owned();
    let runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop);
    let mut runner = command.spool.place(runner, &header, &description)?;

    let mut narrator = Narrator::new(G::VOCABULARY);
    narrator.write_to(events::begin(&folder, RunKind::Experiment, G::NAME, plan.title.clone(), &()));
    let found = ready.learn(&mut runner, |event| match event {
        Event::Begin { planned, ready } => {
            narrator.begin(&planned.name, ready);
            narrator.note(&format!(
                "{}: {} on {} positions of {}, {} nodes each, seed {}; kept in {}",
                planned.name,
                planned.recipe.method.name(),
                bed.suite.problems.len(),
                bed.suite.name,
                thousands(bed.nodes),
                plan.seed,
                folder.display()
            ));
        }
        Event::Run(event) => narrator.tell(event),
    });
    narrator.finish();
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            narrator.end_early(&error);
            return ended(error, &folder);
        }
    };
    command.spool.close(&header)?;

    let files = ready.files(&found, &header, &command_line());
    let files: Vec<(&str, String)> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    results.publish(&files)?;
    narrator.complete(&ready.headline(&found));
    let table = |listing: &Listing| command.width.fit(listing);
    print(ready.report(&found, &header, &table).trim_end())?;
    let pages: Vec<String> = (1..=plan.runs.len()).map(page_name).collect();
    tell(&format!(
        "{} searches done now; kept in {}, with a page to look at for each run: {}",
        thousands(runner.computed() as u64),
        folder.display(),
        pages.join(", ")
    ));
    Ok(Verdict::Good)
}
