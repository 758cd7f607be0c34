// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply bench`: the behaviour signature and the speed.

use anyhow::Result;
use clap::Args;

use super::output::print;
use super::{GameArg, Verdict};
use crate::{bench, with_game};

/// Search fixed positions to fixed depths; the node count tells whether the search has changed
#[derive(Debug, Args)]
pub struct Command {
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let bench = with_game!(command.game.game, G => bench::run::<G>());
    let per_second = bench.nodes as f64 / bench.time.as_secs_f64().max(1e-9);
    print(format_args!("{} nodes {per_second:.0} nps", bench.nodes))?;
    Ok(Verdict::Good)
}
