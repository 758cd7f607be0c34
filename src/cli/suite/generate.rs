// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite generate`: problems from games.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::{MARKS, write_suite};
use crate::cli::count::count;
use crate::cli::own_file::OutFile;
use crate::cli::progress::Progress;
use crate::cli::{GameArg, ThreadsArg, Verdict};
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::suite::generate::{self, Source};

/// Make problems with exactly one winning move, from games between evaluations
#[derive(Debug, Args)]
pub struct Command {
    /// Problems to make
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = count::<u32>(1..=10_000_000))]
    count: u32,
    /// The length of the win in plies; in Othello, the empty squares
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = count::<u32>(1..=31))]
    plies: u32,
    /// Nodes a move in the games
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u64>(1..))]
    nodes: u64,
    /// The seed of all games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u64>(0..))]
    seed: u64,
    /// The most positions that the solver searches for one game
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = count::<u64>(1..))]
    budget: u64,
    /// Where to write the suite [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: RegisteredGame>(command: &Command) -> Result<Verdict> {
    let source = Source { seed: command.seed, nodes: command.nodes, plies: command.plies, budget: command.budget };
    let out = OutFile::begin(command.out.as_deref(), MARKS, &[])?;
    let progress = Progress::new(u64::from(command.count));
    let evaluations: Vec<_> = G::EVALUATIONS.iter().map(|entry| (entry.make)(entry.name)).collect();
    let threads = command.threads.count();
    let lines = generate::run(&source, &evaluations, command.count, threads, progress.of("problems"))?;
    progress.finish();
    let comment = format!(
        "# halfply suite generate --game {} --seed {} --nodes {} --plies {} --budget {} --count {}",
        G::NAME,
        source.seed,
        source.nodes,
        source.plies,
        source.budget,
        command.count
    );
    write_suite(out, &[comment], &lines)
}
