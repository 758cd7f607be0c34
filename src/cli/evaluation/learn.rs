// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation learn`: a network from the program's own games.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::command_line;
use crate::cli::study::{self, Document, Plan, StudyArgs};
use crate::cli::{ThreadsArg, Verdict};
use halfply_engine::base::figures::quantity;
use halfply_engine::base::files::shown;
use halfply_engine::evaluation::network::Network;
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::report::data::csv;
use halfply_lab::run::Event;
use halfply_lab::run::events::RunKind;
use halfply_lab::tune::generation::{network_file, read_network};
use halfply_lab::tune::generations::{GamesDescription, GenerationsError, Run};
use halfply_lab::tune::made::{Report, listing};
use halfply_lab::tune::page::render;
use halfply_lab::tune::recipe::NetworkRecipe;

/// The files of results in the run's folder.
const NETWORK: &str = "evaluation.network";
const TABLE: &str = "generations.csv";
const PAGE: &str = "report.html";
const RESULTS: [&str; 3] = [NETWORK, TABLE, PAGE];

/// Learn a network by playing games: generations of games, training and a match against the one before
#[derive(Debug, Args)]
pub struct Learn {
    /// The recipe, a TOML file
    recipe: PathBuf,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    study: StudyArgs,
}

pub fn run(command: &Learn) -> Result<Verdict> {
    let recipe = NetworkRecipe::load(&command.recipe)?;
    with_game!(recipe.game, G => run_game::<G>(command, &recipe))
}

fn run_game<G: RegisteredGame>(command: &Learn, recipe: &NetworkRecipe) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let run = Run::<G>::new(recipe, command.threads.count()).with_context(|| command.recipe.display().to_string())?;
    // It takes a benchmark.
    let header = run.header();
    let generations = quantity(recipe.generations.len() as u64, "generation");
    let plan = Plan {
        command: "evaluation learn",
        kind: Some(RunKind::Network),
        game: G::NAME,
        title: format!("{generations} of a network, {}", shown(&command.recipe)),
        header: &header,
        besides: None,
        files: &RESULTS,
        threads: command.threads.count(),
        description: &|folder| serde_json::to_value(GamesDescription::of::<G>(recipe, &command.recipe, folder)),
        watched: ().into(),
        unit: "batch",
    };
    study::run(&command.study, &plan, &stop, &mut |runner, watch| {
        let first = run.first.name();
        watch.begin(format_args!("learning a network of {} from {first} in {generations}", G::NAME));
        let folder = watch.folder.clone();
        let command_line = command_line();
        // The last network, and the page.
        let report = |reports: &[Report]| {
            let last = reports.last().context("there is no generation")?;
            let network = read_network(&folder, &last.network)?;
            let path = || network_file(&folder, &last.network).display().to_string();
            let learned = Network::read::<G>(&network).with_context(path)?;
            let page = render::<G>(reports, &listing(reports), &learned, &command_line);
            anyhow::Ok((network, page))
        };
        let reports = run.learn(&folder, runner, &mut |event| {
            if let Event::Step { so_far, .. } = &event
                && let (Some(last), Ok((_, page))) = (so_far.last(), report(so_far))
            {
                watch.show(|| page, || last.to_string());
            }
            watch.tell(event);
        });
        let reports = reports.map_err(|error| match error {
            GenerationsError::Run(error) => error.into(),
            error => anyhow::Error::from(error),
        })?;
        let (network, page) = report(&reports)?;
        let listing = listing(&reports);
        let files = [(NETWORK, network), (TABLE, csv(&listing).into_bytes()), (PAGE, page.into_bytes())];
        let headline = reports.last().map(ToString::to_string);
        let mut document = Document::new(files, headline.unwrap_or_default());
        document.table(&listing, command.study.width);
        document.next("report", watch.path(PAGE));
        document.next("the network", watch.path(NETWORK));
        Ok(document)
    })
}
