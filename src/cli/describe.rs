// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply describe`: an extension table in words.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::output::print;
use super::{GameArg, Verdict};
use crate::features::file;
use crate::game::Game;
use crate::learn::knowledge::Knowledge;
use crate::with_game;

/// Say in words, or in JSON, what an extension table means: for whoever writes another engine
#[derive(Debug, Args)]
pub struct Command {
    /// The extension table
    file: PathBuf,
    /// Write JSON instead of Markdown
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game: GameArg,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: Game>(command: &Command) -> Result<Verdict> {
    let table = file::load::<G>(&command.file)?;
    let origin = format!("The table of {}", command.file.display());
    let knowledge = Knowledge::of_table(&table, G::NAME, &G::VOCABULARY, &origin);
    print(if command.json { knowledge.json()? } else { knowledge.page() }.trim_end())?;
    Ok(Verdict::Good)
}
