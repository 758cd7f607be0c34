// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply completions`: shell completions.

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use super::output::print;
use super::{Cli, Verdict};

/// Print completions for a shell
///
/// For bash: `halfply completions bash > ~/.local/share/bash-completion/completions/halfply`. For zsh: write them to a file
/// `_halfply` in a folder of `$fpath`. For fish: `halfply completions fish > ~/.config/fish/completions/halfply.fish`.
#[derive(Debug, Args)]
pub struct Command {
    /// The shell
    shell: Shell,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let mut script = Vec::new();
    generate(command.shell, &mut Cli::command(), "halfply", &mut script);
    print(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Verdict::Good)
}
