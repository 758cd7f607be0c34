// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation`: learns networks, and makes patterns from rules.

mod learn;
mod patterns;

use anyhow::Result;
use clap::Subcommand;

use crate::cli::Verdict;

/// Learn evaluations: networks, patterns from rules
#[derive(Debug, Subcommand)]
pub enum Command {
    Learn(learn::Learn),
    #[command(subcommand)]
    Patterns(patterns::Command),
}

pub fn run(command: &Command) -> Result<Verdict> {
    match command {
        Command::Learn(command) => learn::run(command),
        Command::Patterns(command) => patterns::run(command),
    }
}
