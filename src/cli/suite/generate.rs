// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite generate`: problems from games.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::write_suite;
use crate::cli::count::count;
use crate::cli::gather::{Wanted, gather};
use crate::cli::output::OutFile;
use crate::cli::{GameArg, ThreadsArg, Verdict};
use crate::games::Furnished;
use crate::suite::Distinct;
use crate::suite::epd::line;
use crate::suite::generate::{Source, SourceGame, problem};
use crate::with_game;

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
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most positions that the solver searches for one game
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = count::<u64>(0..))]
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

fn run_game<G: Furnished>(command: &Command) -> Result<Verdict> {
    ensure!(
        G::COUNTS_AT_END || command.plies % 2 == 1,
        "--plies {}: the winner moves first and last, so the plies are an odd number",
        command.plies
    );
    let source = Source { seed: command.seed, nodes: command.nodes, plies: command.plies, budget: command.budget };
    let out = OutFile::begin(command.out.as_deref())?;
    let mut distinct = Distinct::<G>::default();
    let wanted = Wanted {
        count: command.count,
        most: 1_000_000,
        noun: "problems",
        remedy: "wins of so many plies are too rare; try fewer --plies",
    };
    let lines = gather(
        command.threads.count(),
        &wanted,
        |index| SourceGame::<G>::new(&source, index),
        |index, find| {
            let Some(find) = find else { return Ok(None) };
            // Four digits sort well in a suite of any useful size.
            let problem = problem::<G>(&find, format!("{}ply.{index:04}", source.plies))?;
            let is_new = distinct.insert(&problem.position);
            Ok(is_new.then(|| line(&problem, &[("c0", format!("\"{}\"", find.origin))])))
        },
    )?;
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
