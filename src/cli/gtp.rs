// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply gtp`: the text protocol on stdin and stdout.

use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::count::count;
use super::setup::SetupArgs;
use super::{EvaluationArg, GameArg, Verdict, run_file};
use halfply_engine::games::RegisteredGame;
use halfply_engine::protocol::gtp;
use halfply_engine::with_game;

/// Play over a text protocol based on GTP version 2
#[derive(Debug, Args)]
pub struct Command {
    /// The extension table [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table)]
    extensions: Option<PathBuf>,
    /// Nodes a move [default: what the clock allows, or 1,000,000]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    nodes: Option<u64>,
    /// The seed of the order of moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    search: SetupArgs,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: RegisteredGame>(command: &Command) -> Result<Verdict> {
    let searcher = command.search.searcher::<G>(&command.evaluation, command.extensions.as_ref(), command.seed)?;
    gtp::run(searcher, command.nodes, io::stdin(), io::stdout().lock()).context("the protocol's connection broke")?;
    Ok(Verdict::Good)
}
