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
    print(bench)?;
    Ok(Verdict::Good)
}
