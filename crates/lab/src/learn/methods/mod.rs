// SPDX-License-Identifier: GPL-3.0-or-later
//! The methods that discover features.
//!
//! A method is a file with its [settings](super::settings), which are a variant of [`Method`], and a `Learner`, which
//! is made of them. The command line, files of experiments and reports follow from these two.

mod acceptance;
mod brute_force;
mod conjunctions;
mod disjunction;
mod gradual_focus;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use serde::Serialize;
use toml::Table;

pub use acceptance::Acceptance;
pub use brute_force::BruteForce;
pub use conjunctions::Conjunctions;
use conjunctions::Space;
#[cfg(test)]
pub(super) use conjunctions::Tried;
pub use disjunction::Disjunction;
pub use gradual_focus::GradualFocus;

use super::event::LearnEvent;
use super::fitness::Fitness;
use super::outcome::LearnOutcome;
use super::settings::{SettingError, matches};
use crate::run::RunError;
use halfply_engine::features::Vocabulary;

/// A method, with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Subcommand)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum Method {
    /// Grow conjunctions of atoms and keep those that solve more positions (the default)
    GradualFocus(GradualFocus),
    /// Try every conjunction of a few atoms
    BruteForce(BruteForce),
}

impl Default for Method {
    fn default() -> Self {
        Self::GradualFocus(GradualFocus::default())
    }
}

/// A method whose settings fit a game.
pub(super) trait Learner {
    /// The conjunctions to choose from.
    fn space(&self) -> &Space;

    /// Evaluates conjunctions, and gives each a verdict.
    fn try_conjunctions(
        &self,
        fitness: &mut dyn Fitness,
        follow: &mut dyn FnMut(LearnEvent<'_>),
    ) -> Result<LearnOutcome, RunError>;

    /// The same, and grows disjunctions from what was found.
    fn learn(
        &self,
        fitness: &mut dyn Fitness,
        follow: &mut dyn FnMut(LearnEvent<'_>),
    ) -> Result<LearnOutcome, RunError> {
        let space = self.space();
        if !space.blacklist.is_empty() {
            follow(LearnEvent::NeverTried(&space.blacklist));
        }
        let mut outcome = self.try_conjunctions(fitness, follow)?;
        space.disjunction.grow_from(&mut outcome, &space.vocabulary, &space.acceptance, fitness, follow)?;
        Ok(outcome)
    }
}

impl Method {
    /// Its name in texts.
    pub fn name(&self) -> &'static str {
        match self {
            Self::GradualFocus(_) => "gradual focus",
            Self::BruteForce(_) => "brute force",
        }
    }

    /// The method for a game with that vocabulary.
    pub(super) fn learner(&self, vocabulary: &Vocabulary) -> Result<Box<dyn Learner>, SettingError> {
        Ok(match self {
            Self::GradualFocus(settings) => Box::new(settings.prepare(vocabulary)?),
            Self::BruteForce(settings) => Box::new(settings.prepare(vocabulary)?),
        })
    }

    /// What is set of the conjunctions that it forms.
    pub fn conjunctions(&self) -> &Conjunctions {
        match self {
            Self::GradualFocus(settings) => &settings.conjunctions,
            Self::BruteForce(settings) => &settings.conjunctions,
        }
    }
}

/// The command of a method with further arguments.
pub fn with_arguments<C: Args>(method: Command) -> Command {
    // The derived code replaces what a command is about by what the arguments are.
    let about = method.get_about().cloned().unwrap_or_default();
    C::augment_args(method).about(about).long_about(None)
}

/// A method, chosen by its name or the default one, beside arguments that every method takes.
#[derive(Clone, Debug)]
pub struct Chosen<C> {
    /// The method.
    pub method: Method,
    /// The other arguments.
    pub common: C,
}

impl<C: Args> Chosen<C> {
    /// Reads both from a table of a file, whose key `method` names the method.
    ///
    /// # Errors
    /// Names the key that is unknown or has a wrong value.
    pub fn from_table(table: &Table) -> Result<Self, SettingError> {
        let command = Self::augment_args(Command::new("learn"));
        let mut settings = table.clone();
        let method = settings.remove("method");
        let name = method.as_ref().map(|method| method.as_str().unwrap_or_default());
        if let Some(method) = &method
            && name.is_none_or(|name| command.find_subcommand(name).is_none())
        {
            let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            return Err(SettingError::new("method", method, format!("it is one of {}", known.join(", "))));
        }
        let matches = matches(&command, name, &settings)?;
        Self::from_arg_matches(&matches).map_err(|error| SettingError::new("recipe", table, error))
    }
}

impl<C: Args> Args for Chosen<C> {
    fn augment_args(command: Command) -> Command {
        let command = Method::augment_subcommands(command).mut_subcommands(with_arguments::<C>);
        let command = GradualFocus::augment_args(command.next_help_heading("Options of Gradual Focus"));
        let command = C::augment_args(command.next_help_heading(None));
        // What stands before a method's name would be ignored.
        let command = command.subcommand_required(false).args_conflicts_with_subcommands(true);
        command.disable_help_subcommand(true).subcommand_value_name("METHOD").subcommand_help_heading("Methods")
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<C: Args> FromArgMatches for Chosen<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(match matches.subcommand() {
            Some((_, common)) => {
                Self { method: Method::from_arg_matches(matches)?, common: C::from_arg_matches(common)? }
            }
            None => Self {
                method: Method::GradualFocus(GradualFocus::from_arg_matches(matches)?),
                common: C::from_arg_matches(matches)?,
            },
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
