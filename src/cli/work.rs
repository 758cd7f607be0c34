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
use halfply_lab::run::{Header, RunError, Stop, Unit};
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
    /// The file of results, which appears when it is complete [default: results/<hash>-K-of-N.jsonl beside the manifest]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Threads to work on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u16>(1..=1024))]
    threads: u16,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let manifest = Manifest::load(&command.manifest)?;
    let work = Work { command, manifest: &manifest, stop };
    match manifest.header.experiment.as_str() {
        "learn" => {
            let description: SearchDescription = work.description()?;
            with_game!(description.game, G => work.searches::<G>(&description))
        }
        "tournament" => {
            let description: TournamentDescription = work.description()?;
            let definition = description.definition();
            with_game!(definition.game, G => work.games::<G>(definition))
        }
        "spsa" => {
            let description: RoundDescription = work.description()?;
            with_game!(description.game(), G => work.round::<G>(description))
        }
        "evaluation" => {
            let description: GamesDescription = work.description()?;
            let recipe = description.recipe()?;
            with_game!(recipe.game, G => work.self_play::<G>(&recipe, &description.folder))
        }
        control::EXPERIMENT => {
            let description: ControlDescription = work.description()?;
            with_game!(description.game, G => work.control::<G>(&description))
        }
        other => bail!(work.invalid(format!("it is of a run of {other:?}"))),
    }
}

/// The units of a shard.
struct Work<'a> {
    command: &'a Command,
    manifest: &'a Manifest,
    stop: Stop,
}

impl Work<'_> {
    fn invalid(&self, reason: impl Into<String>) -> ManifestError {
        ManifestError::Invalid { place: self.command.manifest.display().to_string(), reason: reason.into() }
    }

    fn description<D: DeserializeOwned>(&self) -> Result<D> {
        serde_json::from_value(self.manifest.description.clone())
            .map_err(|error| self.invalid(format!("description: {error}")).into())
    }

    /// Checks that the run is the manifest's.
    fn check(&self, remade: &Header) -> Result<(), ManifestError> {
        self.manifest.check(&self.command.manifest, remade)
    }

    /// The keys of the shard's units.
    fn keys(&self) -> impl Iterator<Item = &String> {
        self.command.shard.keys(self.manifest)
    }

    fn searches<G: RegisteredGame>(&self, description: &SearchDescription) -> Result<Verdict> {
        let searches = description.open::<G>()?;
        self.check(searches.header())?;
        let units = self.keys().map(|key| searches.unit(key));
        self.run(&units.collect::<Result<Vec<_>, _>>().map_err(|error| self.invalid(error.to_string()))?)
    }

    fn control<G: RegisteredGame>(&self, description: &ControlDescription) -> Result<Verdict> {
        let ControlDescription { search, sampling, folder, .. } = description;
        let run = control::Run::<G>::new(sampling.clone(), search, Path::to_owned)?;
        self.check(&run.header())?;
        control::make_folder(folder)?;
        self.run_wanted(run.batches(folder), "it has keys of games that the run does not have")
    }

    fn games<G: RegisteredGame>(&self, definition: Definition) -> Result<Verdict> {
        let definition = &Definition { concurrency: Some(self.command.threads), ..definition };
        let ready = match Ready::<G>::new(definition, Entrant::all(definition)?, &self.stop) {
            _ if self.stop.is_raised() => return Ok(Verdict::Interrupted),
            ready => ready?,
        };
        self.check(&ready.header)?;
        let tournament = ready.tournament();
        self.scheduled(tournament, tournament.scheduled(definition))
    }

    fn round<G: RegisteredGame>(&self, description: RoundDescription) -> Result<Verdict> {
        let RoundDescription { tournament, players, pairs } = description;
        if pairs.end.saturating_sub(pairs.start) > spsa::MOST_PAIRS {
            bail!(self.invalid(format!("a round has at most {} pairs of games", thousands(spsa::MOST_PAIRS))));
        }
        let definition = Definition { concurrency: Some(self.command.threads), ..tournament.definition() };
        let rounds = match Rounds::<G>::new(definition, &self.stop) {
            _ if self.stop.is_raised() => return Ok(Verdict::Interrupted),
            rounds => rounds?,
        };
        self.check(&spsa::run::header(&rounds, &self.manifest.header.config["spsa"]))?;
        let round = rounds.of_players(players)?;
        self.scheduled(&round.tournament, round.games(pairs))
    }

    /// Plays those of the tournament's games that the shard has.
    fn scheduled<G: RegisteredGame>(
        &self,
        tournament: &Tournament<G>,
        games: Vec<ScheduledGame<'_, G>>,
    ) -> Result<Verdict> {
        let verdict = self.run_wanted(games, "it asks for games that the tournament does not have");
        tournament.close();
        verdict
    }

    fn self_play<G: RegisteredGame>(&self, recipe: &NetworkRecipe, folder: &Path) -> Result<Verdict> {
        let run = Run::<G>::new(recipe, self.command.threads.into())?;
        self.check(&run.header())?;
        let players = run.players(folder).with_context(|| format!("{}: a run's folder", folder.display()))?;
        let units = run.batches_of_all(&players, folder);
        self.run_wanted(units, "it asks for games that the recipe does not have, or of a network that is gone")
    }

    /// Runs those of the units that the shard has; `stranger` says what is wrong if others are asked for.
    fn run_wanted<U: Unit>(&self, mut units: Vec<U>, stranger: &str) -> Result<Verdict> {
        let wanted: HashSet<&String> = self.keys().collect();
        units.retain(|unit| wanted.contains(&unit.key()));
        if units.len() < wanted.len() {
            bail!(self.invalid(stranger));
        }
        self.run(&units)
    }

    fn run<U: Unit>(&self, units: &[U]) -> Result<Verdict> {
        let Command { manifest, shard, out, threads } = self.command;
        let file = ShardFile::of(*shard, self.manifest, manifest, out.as_deref());
        let progress = Progress::new(units.len() as u64);
        let unit = |time: Option<_>| progress.unit(time.is_some());
        let worked = file.work(self.manifest, units, (*threads).into(), &self.stop, unit);
        progress.finish();
        match worked {
            Ok(computed) => {
                let (computed, units) = (thousands(computed as u64), thousands(units.len() as u64));
                tell(&format!("shard {shard}: {computed} of {units} units computed now"));
                print(file.path.display())?;
                Ok(Verdict::Good)
            }
            Err(ShardError::Run(RunError::Stopped)) => {
                tell(&format!("shard {shard}: stopped; run the same command again to continue"));
                Ok(Verdict::Interrupted)
            }
            Err(error) => bail!(error),
        }
    }
}
