// SPDX-License-Identifier: GPL-3.0-or-later
//! Simultaneous perturbation (Spall 1992; for games Kocsis and Szepesvári 2006): parameters are tuned by games. Each
//! iteration moves all parameters at once, each up or down at random, and plays this side against the opposite one. All values
//! then move towards the side that scored more.

mod gains;
mod parameter;
pub mod report;
pub mod run;
pub mod target;

use clap::Args;
use serde::Serialize;

pub use gains::Gains;
pub use parameter::{Parameter, ParameterError};

use super::settings::SettingError;
use halfply_engine::base::figures::count_in;

/// The most pairs of an iteration.
pub const MOST_PAIRS: u64 = 10_000;

/// The settings of the method.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct Spsa {
    /// A parameter to tune, as in OpenBench: name, int or float, value, minimum, maximum, step and learning rate of the
    /// last iteration; can be repeated
    #[arg(id = "parameter", long, value_name = "NAME,int,VALUE,MIN,MAX,STEP,RATE", required = true)]
    pub parameters: Vec<Parameter>,
    /// Games in all; the last iteration may be left out
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count_in::<u32>(2..=10_000_000))]
    pub games: u32,
    /// Pairs of games of an iteration, each pair from one opening with colours swapped
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = count_in::<u32>(1..=MOST_PAIRS))]
    pub pairs: u32,
    /// How fast the learning rate falls
    #[arg(long, value_name = "EXPONENT", default_value_t = 0.602)]
    pub alpha: f64,
    /// How fast the steps become smaller
    #[arg(long, value_name = "EXPONENT", default_value_t = 0.101)]
    pub gamma: f64,
    /// How long the first steps are held back, as a share of the iterations
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub stability: f64,
}

impl Spsa {
    /// The gain sequences.
    ///
    /// # Errors
    /// Names the setting that is out of its range.
    pub fn gains(&self) -> Result<Gains, SettingError> {
        let &Self { games, pairs, alpha, gamma, stability, .. } = self;
        for (name, value) in [("alpha", alpha), ("gamma", gamma), ("stability", stability)] {
            SettingError::unless((0.0..=1.0).contains(&value), name, value, "it is from 0 to 1")?;
        }
        let iterations = games / (2 * pairs);
        let reason = format!("an iteration of {pairs} pairs takes {} games", 2 * pairs);
        SettingError::unless(iterations > 0, "games", games, &reason)?;
        for (index, parameter) in self.parameters.iter().enumerate() {
            let is_twin = self.parameters[..index].iter().any(|other| other.name == parameter.name);
            SettingError::unless(!is_twin, "parameter", parameter, "it is named twice")?;
        }
        Ok(Gains { iterations, alpha, gamma, stability })
    }
}

/// The values after an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The value of each parameter.
    pub values: Vec<f64>,
    /// Half points that the one side scored more than the other.
    pub difference: i64,
    /// Games that ended by a fault.
    pub faults: usize,
}

impl Step {
    /// The values, each with the name of its parameter.
    fn figures(&self, parameters: &[Parameter]) -> Vec<(String, f64)> {
        parameters.iter().map(|parameter| parameter.name.clone()).zip(self.values.iter().copied()).collect()
    }

    /// The same in a line.
    fn in_words(&self, parameters: &[Parameter]) -> String {
        let value = |(parameter, value): (&Parameter, &f64)| {
            let places = if parameter.is_whole { 1 } else { 3 };
            format!("{} {value:.places$}", parameter.name)
        };
        let values: Vec<String> = parameters.iter().zip(&self.values).map(value).collect();
        values.join(", ")
    }
}

/// What a run found.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Games of an iteration.
    pub games: u32,
    /// The iterations, at least one.
    pub steps: Vec<Step>,
}

impl Trail {
    /// Whether a value at the end is not what it was at the start.
    pub fn has_changed(&self) -> bool {
        self.end() != self.parameters.iter().map(|parameter| parameter.played(parameter.start)).collect::<Vec<_>>()
    }

    /// The values at the end, as they are played.
    pub fn end(&self) -> Vec<f64> {
        let last = self.steps.last().map(|step| &step.values[..]).unwrap_or_default();
        self.parameters.iter().zip(last).map(|(parameter, &value)| parameter.played(value)).collect()
    }
}
