// SPDX-License-Identifier: GPL-3.0-or-later
//! The arguments of `halfply learn`: a method with its own, and those that every method takes.

use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgMatches, Args, Command as Clap, FromArgMatches, Subcommand};

use super::{control, race, realization, spsa};
use crate::cli::count::count;
use crate::cli::run_file;
use crate::cli::setup::SetupArgs;
use crate::cli::study::StudyArgs;
use crate::cli::{EvaluationArg, GameArg, TheoryArg, ThreadsArg};
use halfply_engine::games::RegisteredGame;
use halfply_lab::learn::fitness::FitnessSettings;
use halfply_lab::learn::methods::{Chosen, with_arguments};
use halfply_lab::learn::tuning::{Objective, Tuning};
use halfply_lab::tournament::player_definition::PlayerDefinition;

/// The command, with a method of either kind.
#[derive(Clone, Debug)]
pub enum Command {
    /// A method that discovers features.
    Features(Chosen<FeatureArgs>),
    /// A method that tunes settings.
    Tuning {
        /// The method.
        method: Tuning,
        /// The other arguments.
        args: TuningArgs,
    },
    /// SPSA, which tunes by games.
    Spsa(Box<spsa::Command>),
    /// Tables that are chosen by games.
    Race(Box<race::Command>),
    /// Search control from the search's own trees.
    Control(Box<control::Command>),
    /// Costs from how often moves are played.
    Realization(realization::Command),
}

/// The names of methods that do not search positions.
const SPSA: &str = "spsa";
const RACE: &str = "race";
const CONTROL: &str = "control";
const REALIZATION: &str = "realization";

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
    #[arg(long, value_name = "N", default_value_t = 1)]
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
    /// The search as a player of games.
    pub(super) fn player<G: RegisteredGame>(&self) -> Result<PlayerDefinition> {
        Ok(PlayerDefinition { evaluation: self.evaluation.located::<G>(), ..self.setup.player()? })
    }
}

impl Args for Command {
    fn augment_args(command: Clap) -> Clap {
        let is_tuning = |method: &Clap| Tuning::has_subcommand(method.get_name());
        let command = Tuning::augment_subcommands(Chosen::<FeatureArgs>::augment_args(command));
        command
            .subcommand(spsa::Command::augment_args(Clap::new(SPSA)))
            .subcommand(race::Command::augment_args(Clap::new(RACE)))
            .subcommand(control::Command::augment_args(Clap::new(CONTROL)))
            .subcommand(realization::Command::augment_args(Clap::new(REALIZATION)))
            .mut_subcommands(|method| if is_tuning(&method) { with_arguments::<TuningArgs>(method) } else { method })
            .about("Discover search extensions, and tune settings of the search")
            .long_about(
                "Discover search extensions, and tune settings of the search\n\n\
                 Without a method it discovers the moves behind which to search deeper, by Gradual Focus.",
            )
            .after_help(
                "Without options it learns Breakthrough on the bundled suite, in about a minute on two cores. A run that \
                 is stopped resumes when the same command is given again.",
            )
    }

    fn augment_args_for_update(command: Clap) -> Clap {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Command {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(match matches.subcommand() {
            Some((name, inner)) if Tuning::has_subcommand(name) => {
                Self::Tuning { method: Tuning::from_arg_matches(matches)?, args: TuningArgs::from_arg_matches(inner)? }
            }
            Some((SPSA, inner)) => Self::Spsa(Box::new(spsa::Command::from_arg_matches(inner)?)),
            Some((CONTROL, inner)) => Self::Control(Box::new(control::Command::from_arg_matches(inner)?)),
            Some((RACE, inner)) => Self::Race(Box::new(race::Command::from_arg_matches(inner)?)),
            Some((REALIZATION, inner)) => Self::Realization(realization::Command::from_arg_matches(inner)?),
            _ => Self::Features(Chosen::from_arg_matches(matches)?),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
