// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply work`: runs units for another process.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::de::DeserializeOwned;

use super::Verdict;
use super::count::count;
use super::interrupt::stop_on_ctrl_c;
use super::output::{print, tell};
use super::progress::Progress;
use halfply_engine::base::figures::thousands;
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::learn::control::run::{self as control, ControlDescription};
use halfply_lab::learn::rounds::{RoundDescription, Rounds};
use halfply_lab::learn::searches::SearchDescription;
use halfply_lab::learn::spsa;
use halfply_lab::run::workers::{Manifest, ManifestError, Shard, ShardError, ShardFile};
use halfply_lab::run::{RunError, Stop, Unit};
use halfply_lab::tournament::definition::Definition;
use halfply_lab::tournament::description::TournamentDescription;
use halfply_lab::tournament::entrant::Entrant;
use halfply_lab::tournament::game::{ScheduledGame, Tournament};
use halfply_lab::tournament::run::Ready;
use halfply_lab::tune::generations::{GamesDescription, Run};
use halfply_lab::tune::recipe::NetworkRecipe;

/// Compute part of the units that a run with --spool needs next
#[derive(Debug, Args)]
#[command(
    after_help = "Shards may be computed in any order, at the same time, on any machine that has the run's files at \
                        the same paths. After Ctrl-C or a kill, run the same command again to continue; a finished shard \
                        is not computed again. docs/clusters.md shows the loop for HyperQueue, Slurm and GNU parallel."
)]
pub struct Command {
    /// The manifest that the run wrote
    #[arg(long, value_name = "FILE")]
    manifest: PathBuf,
    /// Which part of how many: 3/8 is the third of eight
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    /// The file of results, which appears when it is complete [default: results/<hash>.jsonl beside the manifest]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Threads to work on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u16>(1..=1024))]
    threads: u16,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let manifest = Manifest::load(&command.manifest)?;
    match manifest.header.experiment.as_str() {
        "learn" => {
            let description: SearchDescription = command.description(&manifest)?;
            with_game!(description.game, G => command.work_searches::<G>(&manifest, &description, &stop))
        }
        "tournament" => {
            let description: TournamentDescription = command.description(&manifest)?;
            let definition = description.definition();
            with_game!(definition.game, G => command.work_games::<G>(&manifest, &definition, &stop))
        }
        "spsa" => {
            let description: RoundDescription = command.description(&manifest)?;
            with_game!(description.game(), G => command.work_round::<G>(&manifest, description, &stop))
        }
        "evaluation" => {
            let description: GamesDescription = command.description(&manifest)?;
            let recipe = NetworkRecipe::load(&description.recipe)?;
            with_game!(recipe.game, G => command.work_self_play::<G>(&manifest, &recipe, &description.folder, &stop))
        }
        control::EXPERIMENT => {
            let description: ControlDescription = command.description(&manifest)?;
            with_game!(description.game, G => command.work_control::<G>(&manifest, &description, &stop))
        }
        other => bail!(command.invalid(format!("it is of a run of {other:?}"))),
    }
}

impl Command {
    fn invalid(&self, reason: String) -> ManifestError {
        ManifestError::Invalid { place: self.manifest.display().to_string(), reason }
    }

    fn description<D: DeserializeOwned>(&self, manifest: &Manifest) -> Result<D> {
        serde_json::from_value(manifest.description.clone())
            .map_err(|error| self.invalid(format!("description: {error}")).into())
    }

    fn work_searches<G: RegisteredGame>(
        &self,
        manifest: &Manifest,
        description: &SearchDescription,
        stop: &Stop,
    ) -> Result<Verdict> {
        let searches = description.open::<G>()?;
        manifest.check(&self.manifest, searches.header())?;
        let units = self.shard.keys(manifest).map(|key| searches.unit(key));
        let units = units.collect::<Result<Vec<_>, _>>().map_err(|error| self.invalid(error.to_string()))?;
        self.work(manifest, &units, stop)
    }

    fn work_control<G: RegisteredGame>(
        &self,
        manifest: &Manifest,
        description: &ControlDescription,
        stop: &Stop,
    ) -> Result<Verdict> {
        let ControlDescription { search, sampling, folder, .. } = description;
        let run = control::Run::<G>::new(sampling.clone(), search, Path::to_owned)?;
        manifest.check(&self.manifest, &run.header())?;
        control::make_folder(folder)?;
        let wanted: HashSet<&String> = self.shard.keys(manifest).collect();
        let mut batches = run.batches(folder);
        batches.retain(|batch| wanted.contains(&batch.key()));
        if batches.len() < wanted.len() {
            bail!(self.invalid("it has keys of games that the run does not have".to_owned()));
        }
        self.work(manifest, &batches, stop)
    }

    fn work_games<G: RegisteredGame>(
        &self,
        manifest: &Manifest,
        definition: &Definition,
        stop: &Stop,
    ) -> Result<Verdict> {
        let definition = &Definition { concurrency: Some(self.threads), ..definition.clone() };
        let ready = match Ready::<G>::new(definition, Entrant::all(definition)?, stop) {
            _ if stop.is_raised() => return Ok(Verdict::Interrupted),
            ready => ready?,
        };
        manifest.check(&self.manifest, &ready.header)?;
        let tournament = ready.tournament();
        self.work_scheduled(manifest, tournament, tournament.scheduled(definition), stop)
    }

    fn work_round<G: RegisteredGame>(
        &self,
        manifest: &Manifest,
        description: RoundDescription,
        stop: &Stop,
    ) -> Result<Verdict> {
        let RoundDescription { tournament, players, pairs } = description;
        if pairs.end.saturating_sub(pairs.start) > spsa::MOST_PAIRS {
            bail!(self.invalid(format!("a round has at most {} pairs of games", thousands(spsa::MOST_PAIRS))));
        }
        let definition = Definition { concurrency: Some(self.threads), ..tournament.definition() };
        let rounds = match Rounds::<G>::new(definition, stop) {
            _ if stop.is_raised() => return Ok(Verdict::Interrupted),
            rounds => rounds?,
        };
        let header = spsa::run::header(&rounds, &manifest.header.config["spsa"]);
        manifest.check(&self.manifest, &header)?;
        let round = rounds.of_players(players)?;
        self.work_scheduled(manifest, &round.tournament, round.games(pairs), stop)
    }

    /// Plays those of the tournament's games that the shard has.
    fn work_scheduled<G: RegisteredGame>(
        &self,
        manifest: &Manifest,
        tournament: &Tournament<G>,
        mut games: Vec<ScheduledGame<'_, G>>,
        stop: &Stop,
    ) -> Result<Verdict> {
        let wanted: HashSet<&String> = self.shard.keys(manifest).collect();
        games.retain(|game| wanted.contains(&game.key()));
        if games.len() < wanted.len() {
            bail!(self.invalid("it asks for games that the tournament does not have".to_owned()));
        }
        let verdict = self.work(manifest, &games, stop);
        tournament.close();
        verdict
    }

    fn work_self_play<G: RegisteredGame>(
        &self,
        manifest: &Manifest,
        recipe: &NetworkRecipe,
        folder: &Path,
        stop: &Stop,
    ) -> Result<Verdict> {
        let run = Run::<G>::new(recipe, self.threads.into())?;
        manifest.check(&self.manifest, &run.header())?;
        let wanted: HashSet<&String> = self.shard.keys(manifest).collect();
        let players = run.players(folder).with_context(|| format!("{}: a run's folder", folder.display()))?;
        let units = run.wanted(&wanted, &players, folder);
        if units.len() < wanted.len() {
            bail!(
                self.invalid(
                    "it asks for games that the recipe does not have, or of a network that is gone".to_owned()
                )
            );
        }
        self.work(manifest, &units, stop)
    }

    fn work<U: Unit>(&self, manifest: &Manifest, units: &[U], stop: &Stop) -> Result<Verdict> {
        let file = ShardFile::of(self.shard, manifest, &self.manifest, self.out.as_deref());
        let progress = Progress::new(units.len() as u64);
        let worked = file.work(manifest, units, self.threads.into(), stop, |time| progress.unit(time.is_some()));
        progress.finish();
        match worked {
            Ok(computed) => {
                let (computed, units) = (thousands(computed as u64), thousands(units.len() as u64));
                tell(&format!("shard {}: {computed} of {units} units computed now", self.shard));
                print(file.path.display())?;
                Ok(Verdict::Good)
            }
            Err(ShardError::Run(RunError::Stopped)) => {
                tell(&format!("shard {}: stopped; run the same command again to continue", self.shard));
                Ok(Verdict::Interrupted)
            }
            Err(error) => bail!(error),
        }
    }
}
