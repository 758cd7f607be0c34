// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply experiment`: compares several ways to learn with each other and with published figures.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::count::count;
use super::interrupt::stop_on_ctrl_c;
use super::learn::Observer;
use super::output::command_line;
use super::study::{self, Closing, Document, Plan, StudyArgs};
use super::{ThreadsArg, Verdict, tell_tolerated};
use halfply_engine::base::figures::thousands;
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::learn::experiment::Plan as Experiment;
use halfply_lab::learn::experiment::page_name;
use halfply_lab::learn::experiment::run::{ExperimentEvent, Ready};
use halfply_lab::report::Listing;
use halfply_lab::run::events::{Ending, RunKind};

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
    threads: ThreadsArg,
    #[command(flatten)]
    study: StudyArgs,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let experiment = Experiment::load(&command.file)?;
    with_game!(experiment.game, G => run_game::<G>(command, &experiment))
}

fn run_game<G: RegisteredGame>(command: &Command, experiment: &Experiment) -> Result<Verdict> {
    // Before the benchmark, which takes a few tenths of a second.
    let stop = stop_on_ctrl_c();
    let bed = experiment.bed::<G>(command.nodes.unwrap_or(experiment.nodes))?;
    tell_tolerated(&bed.suite);
    let ready = Ready::new(experiment, &bed)?;
    let (header, names) = (bed.header(ready.atoms()), ready.file_names());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let description = || bed.description(experiment.game, experiment.suite_path().as_deref(), ready.atoms());
    let plan = Plan {
        command: "experiment",
        kind: Some(RunKind::Experiment),
        game: G::NAME,
        title: experiment.title.clone(),
        header: &header,
        besides: Some(experiment.title.clone().into()),
        files: &names,
        threads: command.threads.count(),
        description: &|_| serde_json::to_value(description()),
        watched: ().into(),
        unit: "search",
    };
    study::run(&command.study, &plan, &stop, &mut |runner, watch| {
        let mut observer = Observer::new(G::VOCABULARY);
        let command_line = command_line();
        let found = ready.learn(runner, |event| match event {
            ExperimentEvent::Begin { planned, ready } => {
                observer.begin(ready);
                watch.begin(format_args!(
                    "{}: {} on {} positions of {}, {} nodes each, seed {}",
                    planned.name,
                    planned.recipe.method.name(),
                    bed.suite.problems.len(),
                    bed.suite.name,
                    thousands(bed.nodes),
                    experiment.seed
                ));
            }
            ExperimentEvent::Run(event) => {
                if observer.tell(event, &watch.progress) {
                    let found = &observer.found;
                    watch.show(|| ready.so_far(found, &header, &command_line), || ready.headline(found));
                }
            }
        })?;
        let mut document = Document::new(ready.files(&found, &header, &command_line), ready.headline(&found));
        let table = |listing: &Listing| command.study.width.fit(listing);
        document.line(ready.report(&found, &header, &table).trim_end());
        let pages: Vec<String> = (1..=experiment.runs.len()).map(page_name).collect();
        let said = format!(
            "{} searches done now; kept in {}, with a page for each run: {}",
            thousands(runner.computed() as u64),
            watch.folder.display(),
            pages.join(", ")
        );
        document.ending = Some(Closing { ending: Ending::Complete, verdict: Ok((Verdict::Good, said)) });
        Ok(document)
    })
}
