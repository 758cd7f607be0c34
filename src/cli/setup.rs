// SPDX-License-Identifier: GPL-3.0-or-later
//! Which search a command works with.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::count::count;
use crate::features::ExtensionTable;
use crate::search::setup::{DEFAULT_HASH, Profile};
use crate::search::{Parameters, Setup};
use crate::tournament::definition::PlayerDefinition;

/// The search and its settings.
#[derive(Clone, Debug, Args)]
pub struct SetupArgs {
    /// The search: the thesis's plain one, or everything
    #[arg(long, value_enum, default_value = "plain")]
    profile: Profile,
    /// The full search's transposition table, in MiB [default: 16]
    #[arg(long, value_name = "MIB", value_parser = count::<u32>(1..=65_536))]
    hash: Option<u32>,
    /// Set a parameter of the full search; as often as there are parameters to set
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Parameters of the full search, a TOML file; --set goes before it
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
}

impl SetupArgs {
    /// Which search was asked for.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The search with that table and seed, on one thread.
    ///
    /// Settings of the full search are refused where the plain one is meant: they would be ignored in silence.
    pub fn setup(&self, table: ExtensionTable, seed: u64) -> Result<Setup> {
        let nothing_set = self.hash.is_none() && self.set.is_empty() && self.parameters.is_none();
        ensure!(
            self.profile == Profile::Full || nothing_set,
            "--hash, --set and --parameters are settings of the full search: add --profile full"
        );
        let mut parameters = match &self.parameters {
            Some(path) => Parameters::load(path)?,
            None => Parameters::default(),
        };
        for text in &self.set {
            parameters.assign(text).with_context(|| format!("--set {text}"))?;
        }
        let hash = self.hash.map_or(DEFAULT_HASH, |mebibytes| mebibytes as usize);
        Ok(Setup { profile: self.profile, table, seed, parameters, hash, threads: 1 })
    }

    /// The same as a player of a tournament has it.
    pub fn player(&self) -> Result<PlayerDefinition> {
        let setup = self.setup(ExtensionTable::default(), 1)?;
        // What is set is written as a file would have it.
        let unusual = setup.parameters.unusual();
        let lines: Vec<String> = unusual.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let parameters = match &lines[..] {
            [] => None,
            lines => Some(toml::Value::Table(lines.join("\n").parse()?)),
        };
        Ok(PlayerDefinition { profile: Some(self.profile), hash: self.hash, parameters, ..PlayerDefinition::default() })
    }

    /// The options that ask for this search once more, for the comments of files that are made with it; each follows a
    /// space.
    pub fn options(&self) -> String {
        let mut text = String::new();
        if self.profile != Profile::default() {
            text += &format!(" --profile {}", self.profile.name());
        }
        if let Some(hash) = self.hash {
            text += &format!(" --hash {hash}");
        }
        if let Some(path) = &self.parameters {
            text += &format!(" --parameters {}", path.display());
        }
        for assignment in &self.set {
            text += &format!(" --set {assignment}");
        }
        text
    }
}
