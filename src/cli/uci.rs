// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply` without a command, and `halfply uci`: a UCI engine on stdin and stdout.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};

use super::Verdict;
use super::output::tell;
use halfply_engine::protocol::uci;

/// Serves stdin; `with_parameters` lists the search's parameters among the options.
pub fn run(with_parameters: bool) -> Result<Verdict> {
    if io::stdin().is_terminal() {
        tell("This is Halfply's UCI engine: try `go movetime 1000` and `quit`. `halfply --help` names the commands.");
    }
    uci::run(io::stdin(), io::stdout(), with_parameters).context("the UCI engine cannot start")?;
    Ok(Verdict::Good)
}
