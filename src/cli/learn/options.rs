// SPDX-License-Identifier: GPL-3.0-or-later
//! The arguments of `halfply learn`: a method with its own, and those that every method takes.

use std::path::PathBuf;

use clap::Args;

use crate::cli::count::count;
use crate::cli::output::WidthArg;
use crate::cli::run_folder::RunFolderArgs;
use crate::cli::setup::SetupArgs;
use crate::cli::spool::SpoolArgs;
use crate::cli::{EvaluationArg, GameArg, ThreadsArg};
use crate::learn::Recipe;
use crate::learn::fitness::FitnessSettings;
use crate::learn::methods::Chosen;

/// Discover search extensions: the moves behind which to search deeper
///
/// Without a method it learns by Gradual Focus.
#[derive(Debug, Args)]
#[command(after_help = "Without options it learns Breakthrough on the bundled suite, in about a minute on two cores. \
                        A run that is stopped goes on when the same command is given again.")]
pub struct Command {
    #[command(flatten)]
    chosen: Chosen<Common>,
}

/// What every method takes.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Test positions to learn on, an EPD file [default: the suite bundled for the game]
    #[arg(long, value_name = "FILE")]
    pub(super) suite: Option<PathBuf>,
    /// Nodes a position
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = count::<u64>(1..))]
    pub(super) nodes: u64,
    #[command(flatten)]
    fitness: FitnessSettings,
    /// The seed of the order of moves in every search
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) setup: SetupArgs,
    #[command(flatten)]
    pub(super) evaluation: EvaluationArg,
    #[command(flatten)]
    pub(super) threads: ThreadsArg,
    #[command(flatten)]
    pub(super) spool: SpoolArgs,
    #[command(flatten)]
    pub(super) width: WidthArg,
    #[command(flatten)]
    pub(super) folder: RunFolderArgs,
    #[command(flatten)]
    pub(super) game: GameArg,
}

impl Command {
    /// How to learn, and the other arguments.
    pub(super) fn parts(&self) -> (Recipe, &Common) {
        let Chosen { method, common } = &self.chosen;
        (Recipe { method: method.clone(), fitness: common.fitness.clone() }, common)
    }
}
