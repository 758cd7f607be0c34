// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation patterns`: evaluations made of patterns.

mod data;
mod rules;
mod select;

use anyhow::Result;
use clap::Subcommand;

use crate::cli::Verdict;

/// Make patterns from the rules of a game, which a domain theory describes, and evaluations from patterns
#[derive(Debug, Subcommand)]
pub enum Command {
    Theory(rules::TheoryCommand),
    Unfold(rules::Unfold),
    Generate(rules::Generate),
    Data(data::Data),
    Select(select::Select),
    Fit(select::Fit),
    Measure(select::Measure),
}

pub fn run(command: &Command) -> Result<Verdict> {
    match command {
        Command::Theory(command) => rules::theory(command),
        Command::Unfold(command) => rules::unfold_one(command),
        Command::Generate(command) => rules::generate_all(command),
        Command::Data(command) => data::run(command),
        Command::Select(command) => select::select(command),
        Command::Fit(command) => select::fit(command),
        Command::Measure(command) => select::measure(command),
    }
}
