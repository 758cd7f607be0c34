// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply` without a command, and `halfply uci`: a UCI engine on stdin and stdout.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};
use clap::Args;

use super::Verdict;
use super::output::tell;
use halfply_engine::protocol::uci;

/// Play over UCI, as without a command
#[derive(Clone, Copy, Debug, Args)]
pub struct Command {
    /// List the search's parameters among the UCI options, for tuners
    #[arg(long)]
    tuning: bool,
}

/// Serves stdin.
pub fn run(command: &Command) -> Result<Verdict> {
    if io::stdin().is_terminal() {
        tell("This is Halfply's UCI engine: try `go movetime 1000` and `quit`. `halfply --help` names the commands.");
    }
    uci::run(io::stdin(), io::stdout(), command.tuning).context("the UCI engine cannot start")?;
    Ok(Verdict::Good)
}
