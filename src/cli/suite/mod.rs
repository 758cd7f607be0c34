// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite`: run, generate and filter test positions.

mod filter;
mod generate;
mod json;
mod options;
mod report;
mod run;

use std::path::Path;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};

use super::own_file::OutFile;
use super::{Verdict, parse_suite};
use halfply_engine::base::data_file::{self, DataFileError};
use halfply_engine::base::figures::quantity;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_lab::suite::{Suite, epd};

/// Run, generate and filter test positions
#[derive(Debug, Subcommand)]
pub enum Command {
    Run(options::Command),
    Generate(generate::Command),
    Filter(filter::Command),
}

pub fn run(command: &Command) -> Result<Verdict> {
    match command {
        Command::Run(command) => run::run(command),
        Command::Generate(command) => generate::run(command),
        Command::Filter(command) => filter::run(command),
    }
}

/// The comment of what these commands write begins with one of these.
const MARKS: &[&str] = &["halfply suite generate --game ", "halfply suite filter --game "];

/// The game, if a file of positions may imply it.
#[derive(Clone, Copy, Debug, Args)]
struct GameOfFileArg {
    /// The game [default: that of the file's first position; Breakthrough without a file]
    #[arg(long, value_enum)]
    game: Option<GameName>,
}

/// A suite's file, read once and before the game is known.
struct SuiteFile {
    name: String,
    text: String,
}

impl SuiteFile {
    fn read(path: &Path) -> Result<Self, DataFileError> {
        Ok(Self { name: path.display().to_string(), text: data_file::read(path, "an EPD file")? })
    }

    /// The game that was named, or that of the first position. For a file without positions any game will do: its
    /// notation reports that the file is no suite.
    fn game(&self, asked: GameOfFileArg) -> Result<GameName> {
        let first = || epd::records(&self.text).next().and_then(Result::ok);
        match (asked.game, first()) {
            (Some(game), _) => Ok(game),
            (None, Some(record)) => GameName::of_position(&record.position).with_context(|| self.name.clone()),
            (None, None) => Ok(GameName::default()),
        }
    }

    fn suite<G: RegisteredGame>(&self) -> Result<Suite<G>> {
        parse_suite(&self.text, &self.name)
    }
}

fn write_suite(out: OutFile, comments: &[String], lines: &[String]) -> Result<Verdict> {
    out.finish(&[comments, lines].concat().join("\n"), &quantity(lines.len() as u64, "position"))?;
    Ok(Verdict::Good)
}
