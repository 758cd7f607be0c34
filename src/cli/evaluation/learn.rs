// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation learn`: a network from the program's own games.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;

use crate::base::figures::{percent, thousands};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{WidthArg, print, tell};
use crate::cli::progress::Progress;
use crate::cli::run_folder::RunFolderArgs;
use crate::cli::{ThreadsArg, Verdict};
use crate::games::Furnished;
use crate::report::{Column, Listing};
use crate::run::{RunError, Runner};
use crate::tune::generations::{Event, LearnError, Report, Run, first, header, network_file};
use crate::tune::recipe::Recipe;
use crate::with_game;

/// The file of the last network in the run's folder.
const NETWORK: &str = "the network";

/// Learn a network by playing games: generations of games, training and a match against the one before
#[derive(Debug, Args)]
pub struct Learn {
    /// The recipe, a TOML file
    recipe: PathBuf,
    #[command(flatten)]
    folder: RunFolderArgs,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    width: WidthArg,
}

pub fn run(command: &Learn) -> Result<Verdict> {
    let recipe = Recipe::load(&command.recipe)?;
    with_game!(recipe.game, G => run_game::<G>(command, &recipe))
}

fn run_game<G: Furnished>(command: &Learn, recipe: &Recipe) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let first = first::<G>(recipe).context("from")?;
    let header = header(&first);
    let (results, journal) = command.folder.open(G::NAME, &header, "evaluation learn", &[])?;
    let folder = results.folder().to_owned();
    let mut runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop);
    let start = Instant::now();
    let progress = Progress::new(0);
    progress.note(&format!(
        "learning a network of {} from {} in {} generations; kept in {}",
        G::NAME,
        first.name(),
        recipe.generations.len(),
        folder.display()
    ));
    let run = Run { recipe, first: &first, folder: &folder, threads: command.threads.count(), stop: &stop };
    let reports = run.learn(&mut runner, |event| narrate(&progress, &event));
    progress.finish();
    let reports = match reports {
        Ok(reports) => reports,
        Err(LearnError::Run(RunError::Stopped)) => {
            tell(&format!("stopped; kept in {}; the same command goes on", folder.display()));
            return Ok(Verdict::Interrupted);
        }
        Err(error) => return Err(error.into()),
    };
    results.publish(&[])?;
    print(command.width.fit(&listing(&reports)))?;
    print(format_args!("{NETWORK}: {}", network_file(&folder, reports.len()).display()))?;
    tell(&format!(
        "{} batches of games in {:.1} s",
        thousands(runner.computed() as u64),
        start.elapsed().as_secs_f64()
    ));
    Ok(Verdict::Good)
}

fn narrate(progress: &Progress, event: &Event<'_>) {
    match event {
        Event::Games(generation, batches) => progress.stage(&format!("generation {generation}: games"), *batches),
        Event::Batch(_, time) => progress.finished(*time),
        Event::Training(examples, epochs) => {
            progress.stage(&format!("training on {} positions", thousands(*examples)), u64::from(*epochs) + 1);
        }
        Event::Epoch([_, held_out]) => {
            progress.step();
            progress.message(format!("held-out loss {held_out:.4}"));
        }
        Event::Match(games) => progress.stage("match", *games),
        Event::Game => progress.step(),
        Event::Generation(report) => progress.note(&sentence(report)),
    }
}

/// What came of a generation, in a line.
fn sentence(report: &Report) -> String {
    let [_, held_out] = report.losses.last().copied().unwrap_or_default();
    let games = report.results.iter().sum::<u64>();
    let mut text = format!(
        "generation {}: {} games, {} positions, held-out loss {held_out:.4}",
        report.generation,
        thousands(games),
        thousands(report.positions)
    );
    if let Some(result) = &report.match_result {
        text += &format!(", {} ± {} against the one before", percent(result.score), percent(result.margin));
    }
    text
}

/// All generations.
fn listing(reports: &[Report]) -> Listing {
    let mut listing = Listing::new([
        Column::figures("generation"),
        Column::figures("games"),
        Column::figures("nodes"),
        Column::figures("positions"),
        Column::figures("examples").rank(2),
        Column::figures("scale").rank(3),
        Column::figures("held-out loss"),
        Column::figures("score").rank(0),
        Column::figures("±"),
    ]);
    for report in reports {
        let [_, held_out] = report.losses.last().copied().unwrap_or_default();
        let (score, margin) =
            report.match_result.map_or_else(Default::default, |result| (percent(result.score), percent(result.margin)));
        listing.push([
            report.generation.to_string(),
            thousands(report.results.iter().sum()),
            thousands(report.settings.nodes),
            thousands(report.positions),
            thousands(report.examples),
            format!("{:.0}", report.scale),
            format!("{held_out:.4}"),
            score,
            margin,
        ]);
    }
    listing
        .notes
        .push("score: against the generation before, the same nodes for both; 95 % interval by pairs".to_owned());
    listing
}
