// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply tournament openings`: balanced positions to start games from.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::cli::count::count;
use crate::cli::own_file::OutFile;
use crate::cli::progress::Progress;
use crate::cli::{EvaluationArg, GameArg, ThreadsArg, Verdict};
use halfply_engine::base::Score;
use halfply_engine::base::figures::quantity;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::Profile;
use halfply_engine::with_game;
use halfply_lab::tournament::openings::{self, OpeningsRecipe};

/// Make openings by random plies, and keep the balanced ones
#[derive(Debug, Args)]
pub struct Command {
    /// Openings to make
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = count::<u32>(1..=10_000_000))]
    count: u32,
    /// Random plies from the start of the game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = count::<u32>(1..=100))]
    plies: u32,
    /// Nodes of the search that judges a position
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = count::<u64>(1..))]
    nodes: u64,
    /// The largest advantage of either side, in units of the evaluation
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = count::<Score>(0..=1_000_000))]
    margin: Score,
    /// The seed of all openings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u64>(0..))]
    seed: u64,
    /// Where to write the book [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: RegisteredGame>(command: &Command) -> Result<Verdict> {
    let recipe =
        OpeningsRecipe { seed: command.seed, plies: command.plies, nodes: command.nodes, margin: command.margin };
    let evaluation = command.evaluation.choose::<G>(Profile::Plain)?;
    let out = OutFile::begin(command.out.as_deref(), &["halfply tournament openings --game "], &[])?;
    let progress = Progress::new(u64::from(command.count));
    let lines = openings::make(&recipe, &evaluation, command.count, command.threads.count(), progress.of("openings"))?;
    progress.finish();
    let header = format!(
        "# halfply tournament openings --game {} --seed {} --plies {} --nodes {} --margin {} --evaluation {} --count {}",
        G::NAME,
        recipe.seed,
        recipe.plies,
        recipe.nodes,
        recipe.margin,
        evaluation.name(),
        command.count
    );
    out.finish(&format!("{header}\n{}", lines.join("\n")), &quantity(lines.len() as u64, "opening"))?;
    Ok(Verdict::Good)
}
