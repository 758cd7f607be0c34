// SPDX-License-Identifier: GPL-3.0-or-later
//! What can be chosen of the fitness, whatever the method.

use clap::Args;
use serde::Serialize;

use super::{Conditions, Measure};
use crate::game::Notation;
use crate::learn::held_out::divide;
use crate::learn::settings::{SettingError, defaults};
use crate::search::{Profile, Setup};
use crate::suite::Suite;

/// How a table is tried, and on which positions.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct FitnessSettings {
    /// What a search counts
    #[arg(long, value_enum, default_value = "solved")]
    pub fitness: Measure,
    /// Positions to subtract from a feature's value for each percent of moves that it extends
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    pub frequency_penalty: f64,
    /// Search each position this many times, with consecutive seeds
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub repeats: u32,
    /// Share of the positions to hold out; at the end, what the output solves of them is reported
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub held_out: f64,
}

impl Default for FitnessSettings {
    fn default() -> Self {
        defaults()
    }
}

impl FitnessSettings {
    /// How tables are tried by a search with that many nodes a position.
    ///
    /// # Errors
    /// Names the setting that is out of its range.
    pub fn conditions(&self, nodes: u64, setup: Setup) -> Result<Conditions, SettingError> {
        let Self { fitness: measure, frequency_penalty, repeats, held_out } = *self;
        let is_penalty = (0.0..=1e6).contains(&frequency_penalty);
        let reason = "positions a percent, not negative";
        SettingError::unless(is_penalty, "frequency-penalty", frequency_penalty, reason)?;
        let reason = "the share of held-out positions is from 0 to 0.9";
        SettingError::unless((0.0..=0.9).contains(&held_out), "held-out", held_out, reason)?;
        let most = if setup.profile == Profile::Full { 1 } else { 1000 };
        let reason = "searches are repeated 1 to 1000 times, and those of the full search once: it knows no seeds";
        SettingError::unless((1..=most).contains(&repeats), "repeats", repeats, reason)?;
        Ok(Conditions { nodes, setup, repeats: repeats as usize, measure, frequency_penalty })
    }

    /// The positions to learn from, and those held out.
    ///
    /// # Errors
    /// If positions are to be held out, and the choice would be none or all of them.
    pub fn parts<G: Notation>(&self, suite: &Suite<G>, seed: u64) -> Result<[Suite<G>; 2], SettingError> {
        let parts = divide(suite, self.held_out, seed);
        if self.held_out > 0.0 && parts.iter().any(|part| part.problems.is_empty()) {
            let reason = format!("some of the {} positions must be held out, and some not", suite.problems.len());
            return Err(SettingError::new("held-out", self.held_out, reason));
        }
        Ok(parts)
    }
}
