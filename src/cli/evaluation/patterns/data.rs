// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation patterns data`: positions with values, from games that the program plays with itself.

use std::fmt::Debug;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::Serialize;

use super::select::share;
use crate::cli::count::count;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::progress::Progress;
use crate::cli::run_folder::RunFolderArgs;
use crate::cli::study::{self, Document, Plan, StudyArgs, Work};
use crate::cli::{EvaluationArg, GameArg, ThreadsArg, Verdict};
use halfply_engine::base::figures::thousands;
use halfply_engine::bench::signature;
use halfply_engine::evaluation::patterns::stage::{Stage, pieces};
use halfply_engine::features::{AtomSet, ExtensionTable};
use halfply_engine::game::Pieces;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{Evaluator, Profile, Setup};
use halfply_engine::solve::Solver;
use halfply_engine::with_game;
use halfply_lab::report::{Cell, Column, Listing, terminal};
use halfply_lab::run::{Header, Output, RunError, Runner, Unit};
use halfply_lab::suite::Distinct;
use halfply_lab::tune::generation::{make_folder_of_games, records};
use halfply_lab::tune::made::Made;
use halfply_lab::tune::patterns::games::{self, DataSettings, Games};
use halfply_lab::tune::patterns::labelled::{self, Kind};
use halfply_lab::tune::patterns::recorded::{Taken, Taking, probabilities};
use halfply_lab::tune::recipe::{DECISIVE, MARGIN, Play};
use halfply_lab::tune::self_play;

/// Of so many games, one is for the test.
const TEST: u64 = 10;

/// The most games that are played for each position that is wanted.
const MOST_GAMES: u64 = 20;

/// What `--exact`, `--random`, `--keep` and `--lambda` are unless they are given.
const EXACT: u32 = 12;
const RANDOM: f64 = 0.1;
const KEEP: u32 = 1;
const LAMBDA: f64 = 0.7;

/// Make positions with values from games of self-play, for training and for a test
#[derive(Debug, Args)]
#[command(
    after_help = "In a game that is decided by its final score, the plain search plays, and the values are exact final \
                  scores. In other games the full search plays, and the values are probabilities of winning.\n\nFor \
                  each stage the folder gets two files, such as 60.training and 60.test. All positions of a game are in \
                  files of the same kind."
)]
pub struct Data {
    /// A stage: the number of pieces on the board, or a range; may be given several times [default: 60 and 55, or two
    /// ranges in games without final scores]
    #[arg(long = "pieces", value_name = "N[-N]")]
    stages: Vec<Stage>,
    /// Positions a stage, no two of them images of each other
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = count::<u32>(10..=10_000_000))]
    count: u32,
    /// Nodes a move of the search that plays
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = count::<u64>(1..))]
    nodes: u64,
    /// Random plies at the start of a game, at most; at least half as many
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = count::<u32>(0..=60))]
    opening: u32,
    /// Final scores: solve positions with at most so many blank squares; earlier ones have the value of the first of
    /// their game [default: 12]
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=24))]
    exact: Option<u32>,
    /// Probabilities: how often a move after the opening is a random one [default: 0.1]
    #[arg(long, value_name = "X", value_parser = share)]
    random: Option<f64>,
    /// Probabilities: the most positions that a game gives to a stage [default: 1]
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=1000))]
    keep: Option<u32>,
    /// Probabilities: how much of what came after a position is in its value, from 0 (only the search's value) to 1
    /// (only the result) [default: 0.7]
    #[arg(long, value_name = "X", value_parser = share)]
    lambda: Option<f64>,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u64>(0..))]
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

/// What games with final scores depend on.
#[derive(Serialize)]
struct ScoresConfig<'a> {
    game: &'a str,
    evaluation: &'a str,
    settings: &'a DataSettings,
}

/// What games with probabilities depend on.
#[derive(Serialize)]
struct ProbabilitiesConfig<'a> {
    game: &'a str,
    evaluation: &'a str,
    seed: u64,
    play: Play,
}

/// A position that a game has given to a stage.
struct Found<V> {
    /// The number of the game.
    game: u64,
    /// The place of the stage.
    stage: usize,
    /// The position, the first four fields of a FEN.
    fen: String,
    /// Its value, or what tells it.
    value: V,
}

/// The positions of a stage so far: those of a game for training, and those for the test.
struct Gathered<G, V> {
    stage: Stage,
    distinct: Distinct<G>,
    training: Vec<Found<V>>,
    test: Vec<Found<V>>,
}

impl<G, V> Gathered<G, V> {
    fn len(&self) -> usize {
        self.training.len() + self.test.len()
    }
}

pub fn run(command: &Data) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: RegisteredGame>(command: &Data) -> Result<Verdict> {
    let refuse = |option: &str, is_given: bool, kind: &str| {
        ensure!(!is_given, "{option} is for games whose positions get {kind}, which those of {} do not", G::NAME);
        Ok(())
    };
    if let Some(solver) = G::SOLVER.filter(|_| G::COUNTS_AT_END) {
        for (option, is_given) in [
            ("--random", command.random.is_some()),
            ("--keep", command.keep.is_some()),
            ("--lambda", command.lambda.is_some()),
        ] {
            refuse(option, is_given, "probabilities")?;
        }
        return scores::<G>(command, solver);
    }
    refuse("--exact", command.exact.is_some(), "final scores")?;
    ensure!(
        G::KINDS.len() == 1,
        "{} has several kinds of pieces, of which patterns do not speak; name another game with --game",
        G::NAME
    );
    chances::<G>(command)
}

/// The stages that were named, or the default ones, in the order of their pieces.
fn stages(command: &Data, default: impl IntoIterator<Item = Stage>) -> Result<Vec<Stage>> {
    let mut stages: Vec<Stage> = command.stages.clone();
    if stages.is_empty() {
        stages.extend(default);
    }
    stages.sort_unstable();
    stages.dedup();
    for pair in stages.windows(2) {
        ensure!(pair[0].most < pair[1].least, "--pieces {} and {}: no number may be in both", pair[0], pair[1]);
    }
    Ok(stages)
}

/// The beginning of the command that makes the same files.
fn once_more<G: RegisteredGame>(command: &Data, stages: &[Stage]) -> String {
    let pieces: Vec<String> = stages.iter().map(|stage| format!("--pieces {stage}")).collect();
    format!("halfply evaluation patterns data --game {} {} --count {}", G::NAME, pieces.join(" "), command.count)
}

/// The names of the files of results.
fn names(stages: &[Stage]) -> Vec<String> {
    stages.iter().flat_map(|stage| ["training", "test"].map(|kind| format!("{stage}.{kind}"))).collect()
}

/// Runs what makes the files of these stages.
fn study<G: RegisteredGame, O: Output + Debug + 'static>(
    command: &Data,
    stages: &[Stage],
    header: &Header,
    work: &mut Work<'_, O>,
) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let names = names(stages);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let plan = Plan {
        command: "evaluation patterns data",
        kind: None,
        game: G::NAME,
        title: String::new(),
        header,
        besides: None,
        files: &names,
        threads: command.threads.count(),
        description: &|_| Ok(().into()),
        watched: ().into(),
        unit: "batch",
    };
    study::run(&StudyArgs::kept_in(command.folder.clone()), &plan, &stop, work)
}

/// Positions with exact final scores.
fn scores<G: RegisteredGame>(command: &Data, solver: Solver) -> Result<Verdict> {
    // Those of the paper.
    let default = [55, 60].map(|pieces| Stage { least: pieces, most: pieces });
    let settings = DataSettings {
        seed: command.seed,
        nodes: command.nodes,
        opening: command.opening,
        stages: stages(command, default)?,
        exact: command.exact.unwrap_or(EXACT),
    };
    let evaluation = command.evaluation.choose::<G>(Profile::Plain)?;
    let config = ScoresConfig { game: G::NAME, evaluation: evaluation.identity(), settings: &settings };
    let signature = signature::<G>(&Setup::plain(ExtensionTable::default(), 1), &evaluation, AtomSet::EMPTY);
    let header = Header::new("patterns", &config, signature);
    let batch = |index| games::Batch { settings: &settings, evaluation: &evaluation, solver, index };
    let comment = format!(
        "{} --nodes {} --opening {} --exact {} --seed {} --evaluation {}",
        once_more::<G>(command, &settings.stages),
        settings.nodes,
        settings.opening,
        settings.exact,
        settings.seed,
        evaluation.name(),
    );
    study::<G, Games>(command, &settings.stages, &header, &mut |runner, watch| {
        let progress = &watch.progress;
        let gathered = gather::<G, i32>(command.count, &settings.stages, [games::BATCH, 1], progress, |indices| {
            let played: Vec<Games> = play(runner, indices.clone().map(batch), games::BATCH, progress)?;
            let games = played.into_iter().flatten().zip(indices.start * games::BATCH..);
            let found = |(game, number)| {
                let of_stage = move |(stage, valued): (usize, Option<games::Valued>)| {
                    valued.map(|games::Valued { fen, score }| Found { game: number, stage, fen, value: score })
                };
                Vec::into_iter(game).enumerate().filter_map(of_stage)
            };
            Ok(games.flat_map(found).collect())
        })?;
        Ok(document(&gathered, Kind::Score, |&score| score.into(), &comment, &watch.folder))
    })
}

/// Positions with probabilities of winning.
fn chances<G: RegisteredGame>(command: &Data) -> Result<Verdict> {
    let stages = stages(command, phases::<G>())?;
    let play_as = Play {
        nodes: command.nodes,
        opening: command.opening,
        random: command.random.unwrap_or(RANDOM),
        margin: MARGIN,
        decisive: DECISIVE,
    };
    let (seed, keep, lambda) = (command.seed, command.keep.unwrap_or(KEEP), command.lambda.unwrap_or(LAMBDA));
    let evaluation: Evaluator<G> = command.evaluation.choose::<G>(Profile::Full)?;
    let config = ProbabilitiesConfig { game: G::NAME, evaluation: evaluation.identity(), seed, play: play_as.clone() };
    let header = Header::new("patterns", &config, self_play::signature(&evaluation));
    let games = self_play::BATCH;
    let taking = Taking { seed, stages: &stages, keep: keep as usize };
    let comment = format!(
        "{} --nodes {} --opening {} --random {} --keep {keep} --lambda {lambda} --seed {seed} --evaluation {}",
        once_more::<G>(command, &stages),
        play_as.nodes,
        play_as.opening,
        play_as.random,
        evaluation.name(),
    );
    study::<G, Made>(command, &stages, &header, &mut |runner, watch| {
        let (folder, progress) = (watch.folder.as_path(), &watch.progress);
        make_folder_of_games(folder)?;
        let batch =
            |index| self_play::Batch { play: play_as.clone(), evaluation: &evaluation, seed, index, games, folder };
        let mut all = Vec::new();
        let gathered = gather::<G, usize>(command.count, &stages, [games, keep.into()], progress, |indices| {
            let made: Vec<Made> = play(runner, indices.clone().map(batch), games * u64::from(keep), progress)?;
            let mut found = Vec::new();
            for (index, played) in indices.zip(made.into_iter().filter_map(Made::games)) {
                let of_batch = records::<G>(folder, &[played])?;
                let before = all.len();
                found.extend(taking.of::<G>(&of_batch, index * games).into_iter().map(|taken| {
                    let Taken { game, stage, fen, record } = taken;
                    Found { game, stage, fen, value: before + record }
                }));
                all.extend(of_batch);
            }
            Ok(found)
        })?;
        let values = probabilities(&all, lambda);
        Ok(document(&gathered, Kind::Probability, |&record| values[record], &comment, folder))
    })
}

/// Two stages: with more than three quarters of all pieces, and with fewer.
fn phases<G: Pieces>() -> [Stage; 2] {
    let all = pieces::<G>(&G::start());
    let most = all * 3 / 4;
    [Stage { least: 1, most }, Stage { least: most + 1, most: all }]
}

/// Plays batches of games; the bar gets so many steps for each.
fn play<U: Unit>(
    runner: &mut Runner<U::Output>,
    batches: impl Iterator<Item = U>,
    steps: u64,
    progress: &Progress,
) -> Result<Vec<U::Output>, RunError> {
    let batches: Vec<U> = batches.collect();
    runner.run(&batches, |_, _, time| (0..steps).for_each(|_| progress.unit(time.is_some())))
}

/// Plays batches of `games` games until each stage has as many positions as are wanted. A game gives a stage at most `keep`
/// positions.
fn gather<G: RegisteredGame, V>(
    count: u32,
    stages: &[Stage],
    [games, keep]: [u64; 2],
    progress: &Progress,
    mut play: impl FnMut(Range<u64>) -> Result<Vec<Found<V>>>,
) -> Result<Vec<Gathered<G, V>>> {
    let count = count as usize;
    let gathered = |&stage| Gathered { stage, distinct: Distinct::default(), training: Vec::new(), test: Vec::new() };
    let mut gathered: Vec<Gathered<G, V>> = stages.iter().map(gathered).collect();
    progress.all(count as u64);
    let mut next = 0;
    while let Some(missing) = gathered.iter().map(|stage| count - stage.len()).max().filter(|&missing| missing > 0) {
        if next * games > MOST_GAMES * count as u64 {
            let rare = gathered.iter().min_by_key(|stage| stage.len()).context("no stage")?;
            bail!(
                "{} games had only {} different positions with {} pieces; ask for fewer with --count",
                thousands(next * games),
                rare.len(),
                rare.stage
            );
        }
        let batches = next..next + (missing as u64).div_ceil(games * keep);
        for found in play(batches.clone())? {
            let stage = &mut gathered[found.stage];
            if stage.len() >= count {
                continue;
            }
            let position = G::parse_position(&found.fen).context("a position of the journal")?;
            if stage.distinct.insert(&position) {
                let kind = if found.game.is_multiple_of(TEST) { &mut stage.test } else { &mut stage.training };
                kind.push(found);
            }
        }
        next = batches.end;
        progress.message(format!("{} games", thousands(next * games)));
    }
    Ok(gathered)
}

/// The files, and how many positions they have.
fn document<G: RegisteredGame, V>(
    gathered: &[Gathered<G, V>],
    kind: Kind,
    value: impl Fn(&V) -> f64,
    comment: &str,
    folder: &Path,
) -> Document<'static> {
    let mean = match kind {
        Kind::Score => "mean size of score",
        Kind::Probability => "mean distance of p from 0.5",
    };
    let mut listing = Listing::new(["pieces", "training", "test", mean].map(Column::figures));
    let mut files = Vec::new();
    for stage in gathered {
        let distance = |found: &Found<V>| match kind {
            Kind::Score => value(&found.value).abs(),
            Kind::Probability => (value(&found.value) - 0.5).abs(),
        };
        let mean = stage.training.iter().chain(&stage.test).map(distance).sum::<f64>() / stage.len().max(1) as f64;
        let count = |positions: &[_]| Cell::count(positions.len() as u64);
        let number = Cell::text(stage.stage.to_string());
        listing.push([number, count(&stage.training), count(&stage.test), Cell::decimal(mean, 2)]);
        for positions in [&stage.training, &stage.test] {
            let lines = positions.iter().map(|found| (found.fen.as_str(), value(&found.value), found.game));
            files.push(labelled::text(G::NAME, stage.stage, kind, comment, lines));
        }
    }
    let stages: Vec<Stage> = gathered.iter().map(|stage| stage.stage).collect();
    let mut document = Document::new(names(&stages).into_iter().zip(files), "");
    document.line(terminal::markdown(&listing));
    document.next("positions", folder.display().to_string());
    document
}
