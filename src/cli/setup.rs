// SPDX-License-Identifier: GPL-3.0-or-later
//! The search of a command.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use toml::Value;

use super::count::count;
use super::{EvaluationArg, run_file};
use halfply_engine::base::files::shown;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::setup::{MOST_HASH, Profile};
use halfply_engine::search::{Parameters, Realization, Searcher};
use halfply_lab::players::{SearchSpec, SearchSpecError};
use halfply_lab::tournament::player_definition::PlayerDefinition;

/// The search and its settings.
#[derive(Clone, Debug, Args)]
pub struct SetupArgs {
    /// The search: the thesis's plain search, or the full search
    #[arg(long, value_enum, default_value = "plain")]
    profile: Profile,
    /// How moves that cost more than one ply are searched: off, rps, erps, or rps@1.5 with a threshold of 1.5 plies
    ///
    /// `off`, the default: less deep, once, as plain fractional plies. `rps`: realization-probability search, less deep by a
    /// null window, and again with the cost of the threshold if they surprise. `erps`: enhanced
    /// realization-probability search (our reading of Skowronski 2009, section 2.2.5): as `rps`, but moves that cost half a
    /// ply more than the threshold have a depth half way between. Moves that surprise must do so there too, and moves that
    /// fail low by less than a pawn are searched again there.
    #[arg(long, value_name = "WAY", default_value = "off", hide_default_value = true)]
    realization: Realization,
    /// The full search's transposition table, in MiB [default: 16]
    #[arg(long, value_name = "MIB", value_parser = count::<u32>(1..=MOST_HASH.into()))]
    hash: Option<u32>,
    /// Folders with Syzygy's tables of chess endings, for the full search, separated as in PATH
    #[arg(long, value_name = "DIR")]
    syzygy: Option<PathBuf>,
    /// Set a parameter of the full search; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Parameters of the full search, a TOML file; --set overrides it
    #[arg(long, value_name = "FILE", value_parser = run_file::parameters)]
    parameters: Option<PathBuf>,
}

impl SetupArgs {
    /// The profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Refuses what is set of our search where there is none; `reason` continues the sentence that names the options.
    pub fn ensure_unset(&self, evaluation: &EvaluationArg, reason: &str) -> Result<()> {
        ensure!(
            self.options().is_empty() && evaluation.evaluation.is_none(),
            "--profile, --realization, --hash, --syzygy, --set, --parameters and --evaluation are {reason}"
        );
        Ok(())
    }

    /// The description of the search. Parameters of `--set` override those of the file.
    pub fn spec(&self) -> Result<SearchSpec> {
        let parameters = if self.set.is_empty() {
            self.parameters.as_ref().map(|path| Value::String(path.to_string_lossy().into_owned()))
        } else {
            let mut set = self.parameters.as_deref().map(Parameters::load).transpose()?.unwrap_or_default();
            for text in &self.set {
                let (name, value) = Parameters::assignment(text).with_context(|| format!("--set {text}"))?;
                set.insert(name, value);
            }
            Some(Value::Table(set))
        };
        let Self { profile, realization, hash, .. } = *self;
        let syzygy = self.syzygy.clone();
        Ok(SearchSpec { profile, realization, hash, syzygy, parameters, ..SearchSpec::default() })
    }

    /// The search with this evaluation, extension table and seed, on one thread.
    pub fn searcher<G: RegisteredGame>(
        &self,
        evaluation: &EvaluationArg,
        extensions: Option<&PathBuf>,
        seed: u64,
    ) -> Result<Searcher<G>> {
        let (evaluation, extensions) = (evaluation.evaluation.clone(), extensions.cloned());
        let spec = SearchSpec { evaluation, extensions, ..self.spec()? };
        spec.searcher(seed, Path::to_owned).map_err(|error| match error {
            SearchSpecError::NeedsFull(_) => {
                anyhow!("--hash, --syzygy, --set and --parameters are settings of the full search: add --profile full")
            }
            SearchSpecError::Evaluation(error) => anyhow::Error::new(error).context("--evaluation"),
            SearchSpecError::ParameterFile(error) => error.into(),
            error => error.into(),
        })
    }

    /// The same as the definition of a player in a tournament.
    pub fn player(&self) -> Result<PlayerDefinition> {
        let SearchSpec { profile, realization, hash, syzygy, parameters, .. } = self.spec()?;
        let (profile, realization) = (Some(profile), Some(realization).filter(|realization| !realization.is_off()));
        Ok(PlayerDefinition { profile, realization, hash, syzygy, parameters, ..PlayerDefinition::default() })
    }

    /// The options that give the same search, for comments in generated files. Each follows a space.
    pub fn options(&self) -> String {
        let mut text = String::new();
        if self.profile != Profile::default() {
            text += &format!(" --profile {}", self.profile.name());
        }
        if !self.realization.is_off() {
            text += &format!(" --realization {}", self.realization);
        }
        if let Some(hash) = self.hash {
            text += &format!(" --hash {hash}");
        }
        if let Some(path) = &self.syzygy {
            text += &format!(" --syzygy {}", shown(path));
        }
        if let Some(path) = &self.parameters {
            text += &format!(" --parameters {}", shown(path));
        }
        for assignment in &self.set {
            text += &format!(" --set {assignment}");
        }
        text
    }
}
