// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation patterns data`: positions with exact values, from games that the program plays with itself.

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;

use crate::base::figures::thousands;
use crate::bench::signature;
use crate::cli::count::count;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{print, tell};
use crate::cli::progress::Progress;
use crate::cli::run_folder::RunFolderArgs;
use crate::cli::{EvaluationArg, GameArg, ThreadsArg, Verdict};
use crate::evaluation::patterns::stage::Stage;
use crate::features::{AtomSet, ExtensionTable};
use crate::games::Furnished;
use crate::report::{Cell, Column, Listing, terminal};
use crate::run::{Header, RunError, Runner};
use crate::search::{Profile, Setup};
use crate::suite::Distinct;
use crate::tune::patterns::games::{BATCH, Batch, DataSettings, Games, Valued};
use crate::tune::patterns::labelled;
use crate::with_game;

/// Of so many games, one is for the test.
const TEST: u64 = 10;

/// The most games that are played for each position that is wanted.
const MOST_GAMES: u64 = 20;

/// Make positions with their exact values from games of self-play, for training and for a test
#[derive(Debug, Args)]
#[command(
    after_help = "For each stage the folder gets two files, such as 60.training and 60.test. All positions of a \
                        game are in files of the same kind."
)]
pub struct Data {
    /// A stage: the number of pieces on the board, or a range; may be given several times
    #[arg(long = "pieces", value_name = "N[-N]", default_values = ["60", "55"])]
    stages: Vec<Stage>,
    /// Positions a stage, no two of them images of each other
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = count::<u32>(10..=10_000_000))]
    count: u32,
    /// Nodes a move of the plain search that plays
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = count::<u64>(1..))]
    nodes: u64,
    /// Games begin with up to so many random plies, at least half as many
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = count::<u32>(0..=60))]
    opening: u32,
    /// Solve positions with at most so many blank squares; earlier ones have the value of the first of their game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = count::<u32>(1..=24))]
    exact: u32,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    folder: RunFolderArgs,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    game: GameArg,
}

/// What the games depend on.
#[derive(Serialize)]
struct Config<'a> {
    game: &'a str,
    evaluation: &'a str,
    settings: &'a DataSettings,
}

/// The positions of a stage so far: those of a game for training, and those for the test.
struct Gathered<G> {
    stage: Stage,
    distinct: Distinct<G>,
    training: Vec<(u64, Valued)>,
    test: Vec<(u64, Valued)>,
}

impl<G> Gathered<G> {
    fn len(&self) -> usize {
        self.training.len() + self.test.len()
    }
}

pub fn run(command: &Data) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: Furnished>(command: &Data) -> Result<Verdict> {
    let Some(solver) = G::SOLVER.filter(|_| G::COUNTS_AT_END) else {
        bail!("{} has no solver of final scores; name a game that has with --game", G::NAME);
    };
    let stop = stop_on_ctrl_c();
    let mut stages = command.stages.clone();
    stages.sort_unstable();
    stages.dedup();
    let settings = DataSettings {
        seed: command.seed,
        nodes: command.nodes,
        opening: command.opening,
        stages,
        exact: command.exact,
    };
    let evaluation = command.evaluation.choose::<G>(Profile::Plain)?;
    let config = Config { game: G::NAME, evaluation: evaluation.identity(), settings: &settings };
    let signature = signature::<G>(&Setup::plain(ExtensionTable::default(), 1), &evaluation, AtomSet::EMPTY);
    let header = Header::new("patterns", &config, signature);
    let names: Vec<String> =
        settings.stages.iter().flat_map(|stage| ["training", "test"].map(|kind| format!("{stage}.{kind}"))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (results, journal) = command.folder.open(G::NAME, &header, "evaluation patterns data", &names)?;
    let mut runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop);
    let progress = Progress::new(command.count.into());
    let batch = |index| Batch { settings: &settings, evaluation: &evaluation, solver, index };
    let gathered = gather::<G>(command.count as usize, &settings.stages, &progress, |indices| {
        let batches: Vec<Batch<'_, G>> = indices.map(batch).collect();
        runner.run(&batches, |_, _, time| {
            for _ in 0..BATCH {
                progress.finished(time);
            }
        })
    });
    progress.finish();
    let gathered = match gathered {
        Ok(gathered) => gathered,
        Err(error) if matches!(error.downcast_ref(), Some(RunError::Stopped)) => {
            tell(&format!("stopped; kept in {}; the same command goes on", results.folder().display()));
            return Ok(Verdict::Interrupted);
        }
        Err(error) => return Err(error),
    };
    let comment = format!(
        "halfply evaluation patterns data --game {} --count {} --nodes {} --opening {} --exact {} --seed {} \
         --evaluation {}",
        G::NAME,
        command.count,
        settings.nodes,
        settings.opening,
        settings.exact,
        settings.seed,
        evaluation.name(),
    );
    let mut listing = Listing::new(["pieces", "training", "test", "mean |score|"].map(Column::figures));
    let mut files = Vec::new();
    for stage in &gathered {
        let all = stage.training.iter().chain(&stage.test);
        let mean = all.map(|(_, valued)| f64::from(valued.score.abs())).sum::<f64>() / stage.len().max(1) as f64;
        let count = |positions: &[_]| Cell::count(positions.len() as u64);
        let number = Cell::text(stage.stage.to_string());
        listing.push([number, count(&stage.training), count(&stage.test), Cell::decimal(mean, 2)]);
        files.push(labelled::text(G::NAME, stage.stage, &comment, &stage.training));
        files.push(labelled::text(G::NAME, stage.stage, &comment, &stage.test));
    }
    let folder = results.folder().to_owned();
    let files: Vec<(&str, &str)> = names.iter().copied().zip(files.iter().map(String::as_str)).collect();
    results.publish(&files)?;
    print(terminal::markdown(&listing))?;
    print(format_args!("positions: {}", folder.display()))?;
    tell(&match runner.computed() {
        0 => "this run was complete already; --fresh repeats it".to_owned(),
        batches => format!("{} games played", thousands(batches as u64 * BATCH)),
    });
    Ok(Verdict::Good)
}

/// Plays batches of games until each stage has as many positions as are wanted.
fn gather<G: Furnished>(
    count: usize,
    stages: &[Stage],
    progress: &Progress,
    mut play: impl FnMut(std::ops::Range<u64>) -> Result<Vec<Games>, RunError>,
) -> Result<Vec<Gathered<G>>> {
    let mut gathered: Vec<Gathered<G>> = stages
        .iter()
        .map(|&stage| Gathered { stage, distinct: Distinct::default(), training: Vec::new(), test: Vec::new() })
        .collect();
    let mut next = 0;
    while let Some(missing) = gathered.iter().map(|stage| count - stage.len()).max().filter(|&missing| missing > 0) {
        if next * BATCH > MOST_GAMES * count as u64 {
            let rare = gathered.iter().min_by_key(|stage| stage.len()).context("no stage")?;
            bail!(
                "{} games had only {} different positions with {} pieces; ask for fewer with --count",
                thousands(next * BATCH),
                rare.len(),
                rare.stage
            );
        }
        let batches = next..next + (missing as u64).div_ceil(BATCH);
        for (index, games) in batches.clone().zip(play(batches.clone())?) {
            for (place, game) in games.into_iter().enumerate() {
                let number = index * BATCH + place as u64;
                for (stage, valued) in gathered.iter_mut().zip(game) {
                    let Some(valued) = valued.filter(|_| stage.len() < count) else { continue };
                    let position = G::parse_position(&valued.fen).context("a position of the journal")?;
                    if stage.distinct.insert(&position) {
                        let kind = if number.is_multiple_of(TEST) { &mut stage.test } else { &mut stage.training };
                        kind.push((number, valued));
                    }
                }
            }
        }
        next = batches.end;
        progress.message(format!("{} games", thousands(next * BATCH)));
    }
    Ok(gathered)
}
