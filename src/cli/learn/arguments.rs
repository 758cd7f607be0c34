// SPDX-License-Identifier: GPL-3.0-or-later
//! The arguments that methods of `halfply learn` share.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::cli::count::count;
use crate::cli::run_file;
use crate::cli::setup::SetupArgs;
use crate::cli::study::StudyArgs;
use crate::cli::{EvaluationArg, GameArg, TheoryArg, ThreadsArg};
use halfply_engine::games::RegisteredGame;
use halfply_lab::learn::fitness::FitnessSettings;
use halfply_lab::learn::tuning::Objective;
use halfply_lab::players::SearchSpec;
use halfply_lab::tournament::player_definition::PlayerDefinition;

/// What every method takes that discovers features.
#[derive(Clone, Debug, Args)]
pub struct FeatureArgs {
    #[command(flatten)]
    pub(super) fitness: FitnessSettings,
    #[command(flatten)]
    pub(super) theory: TheoryArg,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// What every method takes that tunes settings.
#[derive(Clone, Debug, Args)]
pub struct TuningArgs {
    #[command(flatten)]
    pub(super) objective: Objective,
    /// The extension table to begin with, or the folder of a run [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table)]
    pub(super) extensions: Option<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// What every method takes.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// Test positions to learn on, an EPD file [default: the suite bundled for the game]
    #[arg(long, value_name = "FILE")]
    pub(super) suite: Option<PathBuf>,
    /// Nodes a position
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = count::<u64>(1..))]
    pub(super) nodes: u64,
    /// The seed of the order of moves in every search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u64>(0..))]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) common: MethodArgs,
}

/// What every method that searches takes: how it searches, on how many threads, in which folder, and the game.
#[derive(Clone, Debug, Args)]
pub struct MethodArgs {
    #[command(flatten)]
    pub(super) setup: SetupArgs,
    #[command(flatten)]
    pub(super) evaluation: EvaluationArg,
    #[command(flatten)]
    pub(super) threads: ThreadsArg,
    #[command(flatten)]
    pub(super) study: StudyArgs,
    #[command(flatten)]
    pub(super) game: GameArg,
}

impl MethodArgs {
    /// The search as a player of games, with files that are found from any folder.
    pub(super) fn player<G: RegisteredGame>(&self) -> Result<PlayerDefinition> {
        let SearchSpec { syzygy, parameters, .. } = self.setup.spec()?.located();
        Ok(PlayerDefinition { evaluation: self.evaluation.located::<G>(), syzygy, parameters, ..self.setup.player()? })
    }
}
