// SPDX-License-Identifier: GPL-3.0-or-later
//! The games of methods that learn by games.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::cli::count::count;
use crate::cli::tournament::{clock, numbers};
use crate::games::GameName;
use crate::tournament::adjudication::{Adjudication, Draw, Resign};
use crate::tournament::definition::{Definition, Openings, Refusal};
use crate::tournament::player_definition::PlayerDefinition;

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
    /// The seed of the openings' order, and of all that is decided by lot
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A side loses if both sides report for MOVES moves in a row that it is behind by SCORE or more, in hundredths of a pawn
    #[arg(long, value_name = "SCORE,MOVES", value_parser = numbers::<2>)]
    resign: Option<[u32; 2]>,
    /// A game is drawn if both sides report no more than SCORE for MOVES moves in a row, not before AFTER moves of each
    #[arg(long, value_name = "SCORE,MOVES,AFTER", value_parser = numbers::<3>)]
    draw: Option<[u32; 3]>,
    /// A game is drawn after so many plies, without those of the opening
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    max_plies: Option<u32>,
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
        let two_sided = true;
        let definition = Definition {
            seed: self.seed,
            concurrency,
            openings: Openings { file, start: 0 },
            adjudication: Adjudication {
                resign: self.resign.map(|[score, moves]| Resign { score, moves, two_sided }),
                draw: self.draw.map(|[score, moves, after]| Draw { score, moves, after }),
                max_plies: self.max_plies,
            },
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
