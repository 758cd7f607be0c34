// SPDX-License-Identifier: GPL-3.0-or-later
//! The games of methods that learn by games.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::cli::adjudication::AdjudicationArgs;
use crate::cli::count::count;
use crate::cli::tournament::clock;
use halfply_engine::games::GameName;
use halfply_lab::learn::rounds::RoundsError;
use halfply_lab::tournament::adjudication::Adjudication;
use halfply_lab::tournament::definition::{Definition, Openings, Refusal};
use halfply_lab::tournament::player_definition::PlayerDefinition;

/// The default nodes a move.
const NODES: u64 = 10_000;

/// Limits, openings and ends of games.
#[derive(Clone, Debug, Args)]
pub struct GamesArgs {
    /// Nodes a move [default: 10000, without another limit]
    #[arg(long, value_name = "N", value_parser = count::<u64>(1..))]
    nodes: Option<u64>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = count::<u64>(1..=86_400_000))]
    movetime: Option<u64>,
    /// A clock, in seconds: 10+0.1
    #[arg(long, value_name = "TIME", value_parser = clock)]
    clock: Option<String>,
    /// The openings, EPD or lines of moves [default: the bundled ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The seed of the openings' order, and of all that is decided at random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u64>(0..))]
    pub seed: u64,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
}

impl GamesArgs {
    /// Everything of the games but the players.
    pub fn definition(&self, game: GameName, concurrency: Option<u16>) -> Result<Definition> {
        let is_limited = self.nodes.is_some() || self.movetime.is_some() || self.clock.is_some();
        let defaults = PlayerDefinition {
            nodes: if is_limited { self.nodes } else { Some(NODES) },
            movetime: self.movetime,
            clock: self.clock.clone(),
            ..PlayerDefinition::default()
        };
        let file = self.openings.as_ref().map(std::path::absolute).transpose()?;
        let mut adjudication = Adjudication::default();
        self.adjudication.set(&mut adjudication);
        let definition = Definition {
            seed: self.seed,
            concurrency,
            openings: Openings { file, start: 0 },
            adjudication,
            comments: false,
            defaults,
            ..Definition::of(game)
        };
        if let Err(Refusal { path, reason }) = definition.check() {
            bail!("--{}: {reason}", path.last().unwrap_or(&"").replace('_', "-"));
        }
        Ok(definition)
    }
}

/// Why rounds of games were not played to the end.
pub fn of_run(error: RoundsError) -> anyhow::Error {
    match error {
        RoundsError::Run(error) => error.into(),
        error => error.into(),
    }
}
