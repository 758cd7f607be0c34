// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation learn`: a network from the program's own games.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;

use crate::cli::events;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::learn::command_line;
use crate::cli::output::{WidthArg, print};
use crate::cli::progress::Progress;
use crate::cli::run_folder::{RunFolderArgs, completed, ended};
use crate::cli::spool::SpoolArgs;
use crate::cli::{ThreadsArg, Verdict};
use halfply_engine::base::figures::{percent, thousands};
use halfply_engine::base::files::located;
use halfply_engine::evaluation::network::Network;
use halfply_engine::games::Furnished;
use halfply_engine::with_game;
use halfply_lab::report::data::csv;
use halfply_lab::report::{Cell, Column, Listing};
use halfply_lab::run::Runner;
use halfply_lab::run::events::{Ending, RunEvent, RunKind, Step};
use halfply_lab::tune::generation::{Report, network_file, read_network};
use halfply_lab::tune::generations::{Event, GamesDescription, LearnError, Run};
use halfply_lab::tune::page::Page;
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
    folder: RunFolderArgs,
    #[command(flatten)]
    spool: SpoolArgs,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    width: WidthArg,
}

pub fn run(command: &Learn) -> Result<Verdict> {
    let recipe = NetworkRecipe::load(&command.recipe)?;
    with_game!(recipe.game, G => run_game::<G>(command, &recipe))
}

fn run_game<G: Furnished>(command: &Learn, recipe: &NetworkRecipe) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let run = Run::<G>::new(recipe, command.threads.count()).context("from")?;
    // It takes a benchmark.
    let header = run.header();
    let (results, journal) = command.folder.open(G::NAME, &header, "evaluation learn", &RESULTS)?;
    let folder = results.folder().to_owned();
    let runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop);
    let description = GamesDescription { recipe: located(&command.recipe), folder: located(&folder) };
    let mut runner = command.spool.place(runner, &header, &description)?;
    let start = Instant::now();
    let progress = Progress::new(0);
    progress.note(&format!(
        "learning a network of {} from {} in {} generations; kept in {}",
        G::NAME,
        run.first.name(),
        recipe.generations.len(),
        folder.display()
    ));
    let title = format!("{} generations of a network, {}", recipe.generations.len(), command.recipe.display());
    let mut events = events::begin(&folder, RunKind::Network, G::NAME, title, &());
    let reports = run.learn(&folder, &mut runner, &mut |event| {
        if let Event::Generation(report) = event {
            events.tell(&step(report));
        }
        narrate(&progress, &event);
    });
    progress.finish();
    let reports = match reports {
        Ok(reports) => reports,
        Err(LearnError::Run(error)) => {
            events::end_early(events, &error);
            return ended(error, &folder);
        }
        Err(error) => return Err(error.into()),
    };
    command.spool.close(&header)?;
    let Some(last) = reports.last() else { return Ok(Verdict::Good) };
    let listing = listing(&reports);
    let path = network_file(&folder, &last.network);
    let network = read_network(&folder, &last.network)?;
    let learned = Network::read::<G>(&network).with_context(|| path.display().to_string())?;
    let page = Page::<G>::new(recipe, &reports, &listing, &learned, &command_line()).render();
    results.publish(&[(NETWORK, network), (TABLE, csv(&listing)?.into_bytes()), (PAGE, page.into_bytes())])?;
    events.end(Ending::Complete, sentence(last));
    print(command.width.fit(&listing))?;
    for note in &listing.notes {
        print(note)?;
    }
    let path = |name: &str| folder.join(name).display().to_string();
    print(format_args!("to look at:  {}\nthe network: {}", path(PAGE), path(NETWORK)))?;
    completed(runner.computed() as u64, "batches of games and networks", runner.resumed(), start);
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

/// The figures of a generation, for watchers.
fn step(report: &Report) -> RunEvent {
    let [_, held_out] = report.losses.last().copied().unwrap_or_default();
    let mut figures = vec![("held-out loss".to_owned(), held_out)];
    if let Some(result) = &report.match_result {
        figures.push(("score against the generation before, in percent".to_owned(), 100.0 * result.score));
    }
    RunEvent::Step(Step { figures })
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
        Column::figures("score"),
        Column::figures("±"),
    ]);
    for report in reports {
        let [_, held_out] = report.losses.last().copied().unwrap_or_default();
        let result = report.match_result.as_ref();
        listing.push([
            Cell::count(report.generation as u64),
            Cell::count(report.results.iter().sum()),
            Cell::count(report.settings.nodes),
            Cell::count(report.positions),
            Cell::count(report.examples),
            Cell::decimal(report.scale, 0),
            if report.held_out > 0 { Cell::decimal(held_out, 4) } else { Cell::blank() },
            result.map_or_else(Cell::blank, |result| Cell::share(result.score)),
            result.map_or_else(Cell::blank, |result| Cell::share(result.margin)),
        ]);
    }
    let note = "score: against the generation before, with the same nodes for both; 95 % interval by pairs";
    listing.notes.push(note.to_owned());
    listing
}
