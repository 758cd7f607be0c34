// SPDX-License-Identifier: GPL-3.0-or-later
//! The methods of `halfply learn`, each with its arguments.

use clap::{ArgMatches, Args, Command as Clap, FromArgMatches, Subcommand};

use super::arguments::{FeatureArgs, TuningArgs};
use super::{control, realization, spsa};
use halfply_lab::learn::methods::{Chosen, with_arguments};
use halfply_lab::learn::tuning::Tuning;

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
    /// Search control from the search's own trees.
    Control(Box<control::Command>),
    /// Costs from how often moves are played.
    Realization(realization::Command),
}

/// The names of methods that do not search positions.
const SPSA: &str = "spsa";
const CONTROL: &str = "control";
const REALIZATION: &str = "realization";

impl Args for Command {
    fn augment_args(command: Clap) -> Clap {
        let is_tuning = |method: &Clap| Tuning::has_subcommand(method.get_name());
        let command = Tuning::augment_subcommands(Chosen::<FeatureArgs>::augment_args(command));
        command
            .subcommand(spsa::Command::augment_args(Clap::new(SPSA)))
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
            Some((REALIZATION, inner)) => Self::Realization(realization::Command::from_arg_matches(inner)?),
            _ => Self::Features(Chosen::from_arg_matches(matches)?),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
