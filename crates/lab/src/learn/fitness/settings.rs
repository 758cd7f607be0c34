// SPDX-License-Identifier: GPL-3.0-or-later
//! What can be chosen of the fitness, whatever the method.

use clap::Args;
use serde::Serialize;

use super::{Conditions, Measure};
use crate::learn::held_out::check_share;
use crate::learn::settings::{SettingError, defaults};
use crate::suite::trial::Until;
use halfply_engine::search::{Profile, Setup};

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
        check_share(held_out)?;
        let most = if setup.profile == Profile::Full { 1 } else { 1000 };
        let reason = "searches are repeated 1 to 1000 times, and those of the full search once: it knows no seeds";
        SettingError::unless((1..=most).contains(&repeats), "repeats", repeats, reason)?;
        let repeats = repeats as usize;
        Ok(Conditions { nodes, until: Until::Limit, setup, repeats, measure, frequency_penalty })
    }
}
