// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply describe`: an extension table in words.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};

use super::Verdict;
use super::output::print;
use super::run_file;
use halfply_engine::features::file;
use halfply_engine::game::Game;
use halfply_engine::games::GameName;
use halfply_engine::with_game;
use halfply_lab::learn::knowledge::Knowledge;

/// Describe an extension table in words or as JSON, for authors of other engines
#[derive(Debug, Args)]
pub struct Command {
    /// The extension table
    #[arg(value_parser = run_file::table)]
    file: PathBuf,
    /// Write JSON instead of Markdown
    #[arg(long)]
    json: bool,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let text = file::read(&command.file)?;
    let game = game_of_table(&text).with_context(|| command.file.display().to_string())?;
    with_game!(game, G => describe::<G>(command, &text))
}

/// The game that the text of a table is for. If it names none, any game's reader reports what is wrong.
pub fn game_of_table(text: &str) -> Result<GameName> {
    let table = text.parse::<toml::Table>().ok();
    let Some(name) = table.as_ref().and_then(|table| table.get("game")?.as_str()) else {
        return Ok(GameName::default());
    };
    GameName::from_str(name, false).map_err(|_| {
        let names: Vec<_> = GameName::all().iter().map(|game| game.name()).collect();
        anyhow!("there is no game {name:?}; it is one of {}", names.join(", "))
    })
}

fn describe<G: Game>(command: &Command, text: &str) -> Result<Verdict> {
    let name = command.file.display().to_string();
    let table = file::parse(text, &name, &G::VOCABULARY)?;
    let knowledge = Knowledge::of_table(&table, G::NAME, &G::VOCABULARY, &format!("The table of {name}"));
    print(if command.json { knowledge.json() } else { knowledge.page() }.trim_end())?;
    Ok(Verdict::Good)
}
