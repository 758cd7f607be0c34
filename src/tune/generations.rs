// SPDX-License-Identifier: GPL-3.0-or-later
//! A network from its recipe: games, training, a match against the generation before, and again.
//!
//! Games are units of a journalled runner. A generation that is complete is kept with its network in the folder, so a
//! run that was stopped goes on where it was.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::{SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::examples::{Example, Targets, best_scale, merge};
use super::recipe::{Generation, Recipe};
use super::record::{self, Record, RecordError};
use super::self_play::{Batch, Played, file};
use super::train::{Trainer, Training};
use crate::base::data_file::DataFileError;
use crate::base::files;
use crate::base::mix::derive;
use crate::bench::signature;
use crate::evaluation::network::Network;
use crate::features::AtomSet;
use crate::game::Pieces;
use crate::games::{EvaluationError, Furnished};
use crate::run::{Header, RunError, Runner, Stop};
use crate::search::{Evaluator, Profile};
use crate::tournament::definition::Definition;
use crate::tournament::entrant::Entrant;
use crate::tournament::run::{Event as MatchEvent, Ready};

/// Games in a unit: some seconds of work.
const BATCH: u64 = 100;

/// Of so many batches of games one is held out of training.
const HELD_OUT: u64 = 20;

/// The largest file of records: a batch has a hundred games.
const LARGEST: u64 = 1 << 30;

/// What came of a generation: what its file in the run's folder holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Its number, from 1.
    pub generation: usize,
    /// How it was made.
    pub settings: Generation,
    /// The identity of the evaluation that played.
    pub played_by: String,
    /// Games that White won, that were drawn, and that Black won.
    pub results: [u64; 3],
    /// Positions of those games.
    pub positions: u64,
    /// Different positions that it was trained on, with those of earlier generations.
    pub examples: u64,
    /// Different positions that are held out.
    pub held_out: u64,
    /// The score, in hundredths of a pawn, at which the odds of winning these games were e to 1.
    pub scale: f64,
    /// By epoch: the mean loss in training, and on the positions held out. The first is before training.
    pub losses: Vec<[f64; 2]>,
    /// The identity of the network.
    pub network: String,
    /// What came of the match against the evaluation that played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_result: Option<MatchResult>,
}

/// A match of a network against the evaluation before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Games won, drawn and lost.
    pub games: [u64; 3],
    /// The score, 0 to 1.
    pub score: f64,
    /// Half of its 95 % interval, by pairs.
    pub margin: f64,
}

/// What happens on the way.
#[derive(Debug)]
pub enum Event<'a> {
    /// A generation's games begin: its number, and how many batches there are.
    Games(usize, u64),
    /// A batch has been played; the time, unless it was known.
    Batch(&'a Played, Option<Duration>),
    /// Training begins: how many examples, and epochs.
    Training(u64, u32),
    /// An epoch has ended: its losses in training and held out.
    Epoch([f64; 2]),
    /// A match begins: how many games.
    Match(u64),
    /// A game of it has ended.
    Game,
    /// A generation is complete, now or already before.
    Generation(&'a Report),
}

/// Why a network was not learned to the end.
#[derive(Debug, Error)]
pub enum LearnError {
    /// Games could not be played to the end.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A file of the run's folder cannot be read or written.
    #[error("{}: {action} ({cause})", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why not.
        cause: io::Error,
    },
    /// A file of records is damaged.
    #[error("{}: {cause}; --fresh plays the games again", path.display())]
    Records {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        cause: RecordError,
    },
    /// A network of the folder, or the one to begin with, cannot be used.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The same, of a network's file.
    #[error(transparent)]
    Network(#[from] DataFileError),
    /// The recipe's shape is none of the game's.
    #[error("a network of {game} has units by the {step}, and {units} are none")]
    Shape {
        /// The game.
        game: &'static str,
        /// What units are a multiple of.
        step: usize,
        /// What the recipe has.
        units: usize,
    },
    /// There is nothing to learn from.
    #[error("generation {0}: no position was recorded; play more games, or with a greater margin")]
    Nothing(usize),
    /// The match could not be played.
    #[error("the match: {0:#}")]
    Match(anyhow::Error),
}

/// What the journal of a recipe's games belongs to. How games are played and by whom is in the keys of its units, so a
/// recipe may be changed and go on.
#[derive(Serialize)]
struct Config<'a> {
    game: &'a str,
    from: &'a str,
}

/// The evaluation that plays the first games.
///
/// # Errors
/// If there is none of the recipe's name, or its file cannot be read.
pub fn first<G: Furnished>(recipe: &Recipe) -> Result<Evaluator<G>, EvaluationError> {
    match &recipe.from {
        Some(named) => G::evaluator(named, Path::to_owned),
        None => Ok(G::hand_made()),
    }
}

/// The header of the journal of a recipe's games.
#[must_use]
pub fn header<G: Furnished>(first: &Evaluator<G>) -> Header {
    let config = Config { game: G::NAME, from: first.identity() };
    Header::new("evaluation", &config, signature::<G>(Profile::Full, first, AtomSet::EMPTY))
}

/// A run: a recipe, and the folder in which everything is kept.
#[derive(Debug)]
pub struct Run<'a, G: Furnished> {
    /// What is to be learned.
    pub recipe: &'a Recipe,
    /// Who plays the first games.
    pub first: &'a Evaluator<G>,
    /// The folder.
    pub folder: &'a Path,
    /// Threads of training and matches.
    pub threads: usize,
    /// Ends it early.
    pub stop: &'a Stop,
}

/// The network of a generation in a run's folder.
#[must_use]
pub fn network_file(folder: &Path, generation: usize) -> PathBuf {
    folder.join(format!("generation-{generation:02}.network"))
}

fn report_file(folder: &Path, generation: usize) -> PathBuf {
    folder.join(format!("generation-{generation:02}.json"))
}

impl<G: Furnished> Run<'_, G> {
    /// Learns the network. `observe` hears of everything that happens.
    ///
    /// # Errors
    /// If files cannot be read or written, the run is stopped, or there is nothing to learn.
    pub fn learn(
        &self,
        runner: &mut Runner<Played>,
        mut observe: impl FnMut(Event<'_>),
    ) -> Result<Vec<Report>, LearnError> {
        let games = self.folder.join("games");
        fs::create_dir_all(&games).map_err(failed(&games, "the folder cannot be made"))?;
        let mut reports = Vec::new();
        let mut played: Vec<Vec<Played>> = Vec::new();
        let mut player = self.first.clone();
        for (index, settings) in self.recipe.generations.iter().enumerate() {
            let number = index + 1;
            let play = settings.play();
            let count = settings.games.div_ceil(BATCH);
            observe(Event::Games(number, count));
            let batches: Vec<Batch<'_, G>> = (0..count)
                .map(|batch| Batch {
                    play: &play,
                    evaluation: &player,
                    seed: derive(self.recipe.seed, number as u64),
                    index: batch,
                    games: BATCH.min(settings.games - batch * BATCH),
                    folder: &games,
                })
                .collect();
            let results = runner.run(&batches, |_, played, time| observe(Event::Batch(played, time)))?;
            played.push(results);
            let report = match self.complete(number, settings, &player)? {
                Some(report) => report,
                None => self.generation(number, settings, &player, &played, &games, &mut observe)?,
            };
            observe(Event::Generation(&report));
            player = G::evaluation_of_file(&network_file(self.folder, number))?;
            reports.push(report);
        }
        Ok(reports)
    }

    /// The report of a generation that the folder holds, if it was made in the same way and its network is there.
    fn complete(
        &self,
        number: usize,
        settings: &Generation,
        player: &Evaluator<G>,
    ) -> Result<Option<Report>, LearnError> {
        let path = report_file(self.folder, number);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = files::read(&path, LARGEST).map_err(failed(&path, "cannot be read"))?;
        let report: Option<Report> = serde_json::from_slice(&bytes).ok();
        let network = network_file(self.folder, number);
        let is_there = |report: &Report| {
            files::read(&network, LARGEST).is_ok_and(|bytes| Network::identity(&bytes) == report.network)
        };
        Ok(report
            .filter(|report| report.settings == *settings && report.played_by == player.identity() && is_there(report)))
    }

    /// Trains the network of a generation, and plays its match.
    fn generation(
        &self,
        number: usize,
        settings: &Generation,
        player: &Evaluator<G>,
        played: &[Vec<Played>],
        games: &Path,
        observe: &mut impl FnMut(Event<'_>),
    ) -> Result<Report, LearnError> {
        let last = &played[number - 1];
        let scale = best_scale(&records::<G>(games, last.iter())?);
        let [mut examples, mut held_out] = [Vec::new(), Vec::new()];
        for index in (number.saturating_sub(settings.window)..number).rev() {
            // Earlier games are judged by the search of their own time, and its scale.
            let of_then = if index + 1 == number { scale } else { self.scale(index + 1, scale)? };
            let targets = Targets { lambda: settings.lambda, scale: of_then, quiet: settings.quiet };
            for (batch, played) in played[index].iter().enumerate() {
                let list = if batch as u64 % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut examples };
                list.extend(targets.examples::<G>(&records::<G>(games, std::iter::once(played))?));
            }
        }
        merge(&mut examples);
        merge(&mut held_out);
        held_out.retain(|example| {
            let same = |other: &Example| (other.board, other.side.index()).cmp(&(example.board, example.side.index()));
            examples.binary_search_by(same).is_err()
        });
        if examples.is_empty() {
            return Err(LearnError::Nothing(number));
        }
        // Batches are drawn from them; sorted, equal boards would stand together.
        examples.shuffle(&mut ChaCha8Rng::seed_from_u64(self.recipe.seed));

        observe(Event::Training(examples.len() as u64, settings.epochs));
        let mut trainer = self.trainer(number, settings)?;
        let mut losses = vec![[trainer.loss::<G>(&held_out); 2]];
        observe(Event::Epoch(losses[0]));
        for _ in 0..settings.epochs {
            if self.stop.is_raised() {
                return Err(RunError::Stopped.into());
            }
            let loss = [trainer.epoch::<G>(&examples), trainer.loss::<G>(&held_out)];
            observe(Event::Epoch(loss));
            losses.push(loss);
        }
        let path = network_file(self.folder, number);
        let bytes = trainer.network::<G>().ok_or_else(|| self.shape())?.to_bytes::<G>();
        files::replace(&path, &bytes).map_err(failed(&path, "cannot be written"))?;
        let match_result = self.play_match(number, settings, player, observe)?;
        let sum = |of: fn(&Played) -> u64| last.iter().map(of).sum();
        let report = Report {
            generation: number,
            settings: settings.clone(),
            played_by: player.identity().to_owned(),
            results: [0, 1, 2].map(|which| last.iter().map(|played| played.results[which]).sum()),
            positions: sum(|played| played.positions),
            examples: examples.len() as u64,
            held_out: held_out.len() as u64,
            scale,
            losses,
            network: Network::identity(&bytes),
            match_result,
        };
        let path = report_file(self.folder, number);
        let text = serde_json::to_string_pretty(&report).unwrap_or_default() + "\n";
        files::replace(&path, text).map_err(failed(&path, "cannot be written"))?;
        Ok(report)
    }

    /// The scale that an earlier generation's report holds.
    fn scale(&self, number: usize, default: f64) -> Result<f64, LearnError> {
        let path = report_file(self.folder, number);
        let bytes = files::read(&path, LARGEST).map_err(failed(&path, "cannot be read"))?;
        Ok(serde_json::from_slice(&bytes).map_or(default, |report: Report| report.scale))
    }

    fn shape(&self) -> LearnError {
        let step = crate::evaluation::network::LANE / if G::MIRRORED { 2 } else { 1 };
        LearnError::Shape { game: G::NAME, step, units: self.recipe.units }
    }

    /// A trainer that goes on from the generation before, or from the network that the recipe begins with if it has the
    /// same shape.
    fn trainer(&self, number: usize, settings: &Generation) -> Result<Trainer, LearnError> {
        let Recipe { seed, units, ref layers, .. } = *self.recipe;
        let training = Training {
            batch: settings.batch as usize,
            epochs: settings.epochs,
            rate: settings.rate,
            seed: derive(seed, number as u64),
            threads: self.threads,
        };
        let new = Trainer::new::<G>(units, layers, training);
        if new.network::<G>().is_none() {
            return Err(self.shape());
        }
        let path = match (&self.recipe.from, number) {
            (_, 2..) => network_file(self.folder, number - 1),
            (Some(from), _) => PathBuf::from(from),
            (None, _) => return Ok(new),
        };
        let before = files::read(&path, LARGEST).ok().and_then(|bytes| Network::read::<G>(&bytes).ok());
        let same_shape = |network: &Network| {
            let widths = network.weights().layers.iter().map(|layer| layer.biases.len());
            network.weights().units == units && widths.eq(layers.iter().copied())
        };
        Ok(before.filter(same_shape).map_or(new, |network| Trainer::from::<G>(&network, training)))
    }

    /// The match of a new network against the evaluation before.
    fn play_match(
        &self,
        number: usize,
        settings: &Generation,
        before: &Evaluator<G>,
        observe: &mut impl FnMut(Event<'_>),
    ) -> Result<Option<MatchResult>, LearnError> {
        if settings.match_games == 0 {
            return Ok(None);
        }
        observe(Event::Match(settings.match_games));
        let path = network_file(self.folder, number);
        let evaluations = [("new", path.display().to_string()), ("before", before.name().to_owned())];
        let players = evaluations.map(|(name, evaluation)| {
            format!("[[player]]\nname = {name:?}\nprofile = \"full\"\nhash = 1\nevaluation = {evaluation:?}\n")
        });
        let text = format!(
            "format = 1\ngame = {:?}\ngames = {}\nseed = {}\nconcurrency = {}\n\
             defaults = {{ nodes = {} }}\n{}",
            G::NAME,
            settings.match_games,
            self.recipe.seed,
            self.threads,
            settings.match_nodes,
            players.concat()
        );
        let mut result = || -> anyhow::Result<MatchResult> {
            let definition = Definition::parse(&text, "match")?;
            let ready = Ready::<G>::new(&definition, Entrant::all(&definition)?, self.stop)?;
            let mut runner = Runner::new(ready.concurrency).stopped_by(self.stop);
            let outcome = ready.play(&mut runner, |event| {
                if let MatchEvent::Game { .. } = event {
                    observe(Event::Game);
                }
                Ok(())
            })?;
            let figures = outcome.ledger.board().players()[0].figures(None);
            let tally = outcome.ledger.board().meeting(0, 1).map(|(tally, _)| tally).unwrap_or_default();
            Ok(MatchResult {
                games: [tally.wins, tally.draws, tally.losses],
                score: figures.score,
                margin: figures.margin,
            })
        };
        let result = result();
        if self.stop.is_raised() {
            return Err(RunError::Stopped.into());
        }
        result.map(Some).map_err(LearnError::Match)
    }
}

fn failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> LearnError {
    move |cause| LearnError::File { path: path.to_owned(), action, cause }
}

/// The records of batches.
fn records<'p, G: Pieces>(
    games: &Path,
    played: impl Iterator<Item = &'p Played>,
) -> Result<Vec<Record<G::Boards>>, LearnError> {
    let mut all = Vec::new();
    for played in played {
        let path = file(games, &played.records);
        let bytes = files::read(&path, LARGEST)
            .map_err(failed(&path, "games that the journal names cannot be read; --fresh plays them again"))?;
        all.extend(record::read::<G>(&bytes).map_err(|cause| LearnError::Records { path: path.clone(), cause })?);
    }
    Ok(all)
}
