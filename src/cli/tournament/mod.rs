// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply tournament`: games between players, their figures, and openings.

mod book;
mod json;
mod openings;
mod run;
mod show;
mod stats;

use anyhow::Result;
use clap::Subcommand;

use super::Verdict;
pub(super) use run::{clock, program};

/// Play tournaments, show figures of results, make openings and books
#[derive(Debug, Subcommand)]
pub enum Command {
    Run(Box<run::Command>),
    Stats(stats::Command),
    Openings(openings::Command),
    Book(book::Command),
}

pub fn run(command: &Command) -> Result<Verdict> {
    match command {
        Command::Run(command) => run::run(command),
        Command::Stats(command) => stats::run(command),
        Command::Openings(command) => openings::run(command),
        Command::Book(command) => book::run(command),
    }
}
