// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation`: learns networks, makes patterns from rules, makes positions to tune the chess evaluation on, and tunes it.

mod learn;
mod patterns;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};

use crate::cli::count::count;
use crate::cli::output::{OutFile, print, tell};
use crate::cli::progress::Progress;
use crate::cli::{EvaluationArg, ThreadsArg, Verdict};
use halfply_engine::base::Score;
use halfply_engine::base::data_file;
use halfply_engine::base::figures::thousands;
use halfply_engine::games::chess::evaluation::{START, TERMS, Trace, WEIGHTS_COUNT, Weight, written};
use halfply_engine::games::{Chess, Furnished};
use halfply_engine::search::setup::Profile;
use halfply_lab::report::{Cell, Column, Listing, terminal};
use halfply_lab::tournament::openings::Book;
use halfply_lab::tune::logistic::{Examples, LogisticSettings, Pair, Tuning};
use halfply_lab::tune::positions::{self, PositionSettings};

/// Learn evaluations: networks, patterns from rules, weights for chess
#[derive(Debug, Subcommand)]
pub enum Command {
    Learn(learn::Learn),
    #[command(subcommand)]
    Patterns(patterns::Command),
    Positions(Positions),
    Tune(Tune),
}

/// Play games of chess, and write quiet positions with the games' results
#[derive(Debug, Args)]
pub struct Positions {
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u32>(1..=10_000_000))]
    games: u32,
    /// The search that plays
    #[arg(long, value_enum, default_value_t)]
    profile: Profile,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = count::<u64>(1..))]
    nodes: u64,
    /// Random plies after the opening
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = count::<u32>(0..=100))]
    plies: u32,
    /// The largest advantage that either side may have after them
    #[arg(long, value_name = "N", default_value_t = 400)]
    margin: Score,
    /// A game is won when the search reports this score for one side in six consecutive plies
    #[arg(long, value_name = "N", default_value_t = 1000)]
    decisive: Score,
    /// Positions to keep from each game
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = count::<u32>(1..=1000))]
    keep: u32,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where to write the positions [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    threads: ThreadsArg,
}

/// Fit the weights of the evaluation `classical` to the results of games
#[derive(Debug, Args)]
pub struct Tune {
    /// Positions with results; the last tenth of each file is held out to validate
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Number of passes over all positions
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = count::<u32>(1..=100_000))]
    epochs: u32,
    /// The expected distance of weights from their initial values, in hundredths of a pawn
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = positive)]
    spread: f64,
    /// Positions in each step
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = count::<u32>(1..))]
    batch: u32,
    /// The length of the first steps, in hundredths of a pawn
    #[arg(long, value_name = "N", default_value_t = 3.0, value_parser = positive)]
    rate: f64,
    /// The seed of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where to write the weights, as Rust source [default: they are not written]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("a number greater than 0".to_owned()),
    }
}

pub fn run(command: &Command) -> Result<Verdict> {
    match command {
        Command::Learn(command) => learn::run(command),
        Command::Patterns(command) => patterns::run(command),
        Command::Positions(command) => positions(command),
        Command::Tune(command) => tune(command),
    }
}

fn positions(command: &Positions) -> Result<Verdict> {
    let evaluation = command.evaluation.choose::<Chess>(command.profile)?;
    let Positions { games, profile, nodes, plies, margin, decisive, keep, seed, .. } = *command;
    let settings = PositionSettings { seed, profile, nodes, plies, margin, decisive, keep: keep as usize };
    let openings = Book::<Chess>::bundled(Chess::OPENINGS)?.positions();
    let out = OutFile::begin(command.out.as_deref())?;
    let progress = Progress::new(u64::from(games));
    let threads = command.threads.count();
    let games_lines =
        positions::make::<Chess>(&settings, &openings, &evaluation, games, threads, progress.of("games"))?;
    progress.finish();
    let header = format!(
        "# halfply evaluation positions --games {games} --nodes {nodes} --plies {plies} --margin {margin} \
         --decisive {decisive} --keep {keep} --seed {seed} --profile {} --evaluation {}",
        profile.name(),
        evaluation.name()
    );
    // A game without a quiet position has no line.
    let lines: Vec<&str> = games_lines.iter().flat_map(|lines| lines.lines()).collect();
    out.finish(&format!("{header}\n{}", lines.join("\n")), &format!("{} positions", lines.len()))?;
    Ok(Verdict::Good)
}

fn tune(command: &Tune) -> Result<Verdict> {
    let out = OutFile::begin(command.out.as_deref())?;
    let (mut training, mut held_out, mut comments) = (Examples::default(), Examples::default(), Vec::new());
    for path in &command.files {
        let text = data_file::read(path, "a file of positions with results")?;
        let positions = positions::parse::<Chess>(&text, &path.display().to_string())?;
        // Neighbouring positions are from one game and share its result, so the file is cut at one place only.
        let last = positions.len() - positions.len() / 10;
        for (index, (position, result)) in positions.iter().enumerate() {
            let trace = Trace::new(position);
            let counts = trace.counts.iter().enumerate().map(|(weight, &count)| (weight as u16, count as i16));
            let examples = if index < last { &mut training } else { &mut held_out };
            examples.push(trace.shares(&START), counts, *result);
        }
        comments.extend(text.lines().filter(|line| line.starts_with('#')).map(|line| line[1..].trim().to_owned()));
    }
    ensure!(!held_out.is_empty(), "fewer than 10 positions: there is nothing to learn from");
    tell(&format!("{} positions to learn from, {} held out", thousands(training.len() as u64), held_out.len()));

    let start: Vec<Pair> = START.iter().map(|&(begin, end)| [f64::from(begin), f64::from(end)]).collect();
    let scale = training.best_scale(&start);
    let Tune { epochs, spread, rate, seed, .. } = *command;
    let settings = LogisticSettings { spread, scale, rate, batch: command.batch as usize, epochs, seed };
    let mut tuning = Tuning::new(&training, &start, settings);
    let mut listing = Listing::new(["epochs", "training loss", "validation loss"].map(Column::figures));
    let losses = |weights: &[Pair], scale: f64| {
        [training.loss(weights, scale), held_out.loss(weights, scale)].map(|loss| format!("{loss:.5}"))
    };
    let progress = Progress::new(epochs.into());
    for epoch in 0..=epochs {
        if epoch > 0 {
            tuning.epoch();
            progress.step();
        }
        if epoch % (epochs / 10).max(1) == 0 || epoch == epochs {
            let [ours, theirs] = losses(&tuning.weights, scale);
            progress.message(format!("validation loss {theirs}"));
            listing.push([epoch.to_string(), ours, theirs]);
        }
    }
    progress.finish();

    let (weights, scale) = normalise(tuning.weights, scale, &training.occurrences(WEIGHTS_COUNT));
    let rounded: Vec<Weight> = weights.iter().map(|pair| pair.map(|half| half.round() as i32).into()).collect();
    let [ours, theirs] = losses(&rounded.iter().map(|&(b, e)| [b.into(), e.into()]).collect::<Vec<_>>(), scale);
    listing.push(["rounded".to_owned(), ours, theirs.clone()]);
    print(terminal::markdown(&listing))?;
    let mut listing = Listing::new([Column::words(""), Column::figures("middlegame"), Column::figures("endgame")]);
    for (name, weight) in ["pawn", "knight", "bishop", "rook", "queen"].iter().zip(&rounded) {
        listing.push([Cell::text(*name), Cell::number(weight.0.into()), Cell::number(weight.1.into())]);
    }
    print(terminal::markdown(&listing))?;
    print(format_args!("scale {scale:.1}"))?;
    comments.push(format!(
        "halfply evaluation tune --epochs {epochs} --spread {spread} --batch {} --rate {rate} --seed {seed}",
        command.batch
    ));
    comments
        .push(format!("# {} positions, validation loss {theirs}, scale {scale:.1}", training.len() + held_out.len()));
    if command.out.is_some() {
        out.finish(written(&rounded, &comments).trim_end(), &format!("{WEIGHTS_COUNT} weights"))?;
    }
    Ok(Verdict::Good)
}

/// The same evaluation in a readable form: tables hold the difference from the piece's mean, which is weighted by how
/// often each entry counts, and a pawn is worth 100 in the mean of middlegame and endgame.
fn normalise(mut weights: Vec<Pair>, scale: f64, occurrences: &[f64]) -> (Vec<Pair>, f64) {
    for term in TERMS {
        let Some(base) = term.base else { continue };
        let range = term.first..term.first + term.count;
        let total: f64 = occurrences[range.clone()].iter().sum();
        for half in [0, 1] {
            let sum: f64 = range.clone().map(|index| weights[index][half] * occurrences[index]).sum();
            let mean = if total > 0.0 { sum / total } else { 0.0 };
            weights[base][half] += mean;
            // An entry that never occurred keeps the mean of its kind.
            for index in range.clone().filter(|&index| occurrences[index] > 0.0) {
                weights[index][half] -= mean;
            }
        }
    }
    let factor = 200.0 / (weights[0][0] + weights[0][1]).max(1.0);
    (weights.iter().map(|pair| pair.map(|half| half * factor)).collect(), scale * factor)
}
