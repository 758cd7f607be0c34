// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn control`: search control from the search's own trees.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::arguments::MethodArgs;
use crate::cli::Verdict;
use crate::cli::count::count;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::command_line;
use crate::cli::study::{self, Document, Plan};
use halfply_engine::base::figures::thousands;
use halfply_engine::base::files::located;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::Profile;
use halfply_engine::with_game;
use halfply_lab::learn::control::page::{parameters, render, skipping, summary, variants, weights};
use halfply_lab::learn::control::run::{ControlDescription, ControlError, Run};
use halfply_lab::learn::control::sampling::Sampling;
use halfply_lab::learn::match_of_control;
use halfply_lab::players::SearchSpec;
use halfply_lab::report::data::csv;

/// The files of results in the run's folder.
const MODEL: &str = "control.toml";
const WEIGHTS: &str = "weights.csv";
const TERMS: &str = "terms.csv";
const PAGE: &str = "report.html";
const MATCH: &str = "match.toml";
const RESULTS: [&str; 5] = [MODEL, WEIGHTS, TERMS, PAGE, MATCH];

/// Learn which late moves raise alpha, from the search's own trees: what to skip, and what to reduce
///
/// The full search plays games with itself. Of its late moves a sample is searched to full depth as well, beside the search.
/// A logistic regression over what was known of them before gives the probability that a move raises alpha.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("profile", |profile| profile.default_value("full").hide(true)))]
pub struct Command {
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = count::<u64>(2..=1_000_000))]
    games: u64,
    /// Nodes a move, on average
    #[arg(long, value_name = "N", default_value_t = 6_000, value_parser = count::<u64>(2..=1_000_000_000))]
    nodes: u64,
    /// Sample one late move of this many
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = count::<u64>(1..=1_000_000))]
    every: u64,
    /// The most features of moves, of one or two atoms, that the model may have
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u16>(0..=64))]
    features: u16,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    common: MethodArgs,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.common.game.game, G => run_game::<G>(command))
}

fn run_game<G: RegisteredGame>(command: &Command) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let &Command { games, nodes, every, seed, .. } = command;
    let sampling = Sampling { games, nodes, every, seed };
    let MethodArgs { setup, evaluation, .. } = &command.common;
    ensure!(setup.profile() == Profile::Full, "--profile plain: control is of the full search; leave --profile out");
    let search = SearchSpec { evaluation: evaluation.located::<G>(), ..setup.spec()?.located() };
    let run = Run::<G>::new(sampling.clone(), &search, Path::to_owned)?;
    let header = run.header();
    let plan = Plan {
        command: "learn control",
        kind: None,
        game: G::NAME,
        title: format!("search control from {} games", thousands(games)),
        header: &header,
        besides: Some(serde_json::json!([games, nodes, every, seed, command.features])),
        files: &RESULTS,
        threads: command.common.threads.count(),
        description: &|folder| {
            let (search, sampling, folder) = (search.clone(), sampling.clone(), located(folder));
            serde_json::to_value(ControlDescription { game: G::GAME, search, sampling, folder })
        },
        watched: ().into(),
        unit: "batch",
    };
    study::run(&command.common.study, &plan, &stop, &mut |runner, watch| {
        let games = thousands(games);
        watch.begin(format_args!("learning search control of {} from {games} games at {nodes} nodes a move", G::NAME));
        let folder = watch.folder.clone();
        let learned = run.learn(command.features.into(), &folder, runner, &mut |event| watch.tell(event));
        let learned = learned.map_err(|error| match error {
            ControlError::Run(error) => error.into(),
            error => anyhow::Error::from(error),
        })?;
        let fit = &learned.fit;
        let comments = [format!("{}: {}", command_line(), summary(&learned))];
        let model = fit.control.render(&comments, G::NAME, &G::VOCABULARY);
        let page = render::<G>(&learned, &run.searcher.setup.parameters, &command_line());
        let weights = weights(fit, &G::VOCABULARY);
        let set = parameters(fit);
        let games = match_of_control::<G>(&search, &run.searcher.setup, MODEL, &set, nodes).context(MATCH)?;
        let files = [
            (MODEL, model.into_bytes()),
            (WEIGHTS, csv(&weights).into_bytes()),
            (TERMS, csv(&variants(fit)).into_bytes()),
            (PAGE, page.into_bytes()),
            (MATCH, games.into_bytes()),
        ];
        let mut document = Document::new(files, summary(&learned));
        document.table(&variants(fit), command.common.study.width);
        document.line("");
        document.table(&skipping(fit), command.common.study.width);
        document.line(summary(&learned));
        document.next("report", watch.path(PAGE));
        document.next("the model", watch.path(MODEL));
        document.next("in games", format!("halfply tournament run {}", watch.path(MATCH)));
        Ok(document)
    })
}
