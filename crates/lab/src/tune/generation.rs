// SPDX-License-Identifier: GPL-3.0-or-later
//! One generation of a network, as a unit: training on recorded games, and a match against the evaluation before.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rand::{SeedableRng, rngs::ChaCha8Rng, seq::SliceRandom};
use thiserror::Error;

use super::examples::{Example, Targets, best_scale, merge, said};
use super::made::{Made, MatchResult, Played, Report};
use super::recipe::{Generation, NetworkRecipe};
use super::record::{self, Record, RecordError};
use super::self_play;
use super::train::{Trainer, Training};
use crate::run::{Event, Runner, Stop, Unit, read_named, write_named};
use crate::tournament::definition::{Definition, Refusal};
use crate::tournament::entrant::Entrant;
use crate::tournament::error::TournamentError;
use crate::tournament::player_definition::PlayerDefinition;
use crate::tournament::run::{Ready, TournamentEvent};
use halfply_engine::base::digest::digest;
use halfply_engine::base::figures::thousands;
use halfply_engine::base::mix::derive;
use halfply_engine::evaluation::network::{LARGEST, Network, Weights};
use halfply_engine::game::Pieces;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{Evaluator, Profile};

/// Of so many batches of games one is held out of training; the last one if there are fewer.
const HELD_OUT: usize = 20;

/// Hears of what happens, and of what came of each generation so far.
pub type Observer<'a> = dyn FnMut(Event<'_, Vec<Report>>) + Send + 'a;

/// Why a generation did not come about.
#[derive(Debug, Error)]
pub enum GenerationError {
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
    /// There is nothing to learn from.
    #[error("generation {0}: no position was recorded; play more games, or with a greater margin")]
    Nothing(usize),
    /// The match could not be played.
    #[error("the match: {0}")]
    Match(TournamentError),
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

/// The folder of networks in a run's folder.
pub(super) fn networks(folder: &Path) -> PathBuf {
    folder.join("networks")
}

/// The network's file.
pub fn network_file(folder: &Path, network: &str) -> PathBuf {
    networks(folder).join(format!("{network}.network"))
}

/// A generation to be made.
pub struct GenerationUnit<'a, G: RegisteredGame> {
    /// The network's shape, and the seed.
    pub recipe: &'a NetworkRecipe,
    /// Its number, from 1.
    pub number: usize,
    /// Its settings.
    pub settings: &'a Generation,
    /// The network that training continues from, if it has the shape wanted.
    pub before: Option<&'a Network>,
    /// Who has played the games, and plays the match.
    pub player: &'a Evaluator<G>,
    /// The games of the generations trained on, the latest last, each with the scale of its scores, which is not known
    /// of the latest yet.
    pub played: &'a [(Vec<Played>, Option<f64>)],
    /// The run's folder.
    pub folder: &'a Path,
    /// Threads of training and of the match; they change no result.
    pub threads: usize,
    /// Hears of what happens.
    pub observe: &'a Mutex<&'a mut Observer<'a>>,
    /// Why it came to nothing, if it did.
    pub error: &'a Mutex<Option<GenerationError>>,
}

impl<G: RegisteredGame> Unit for GenerationUnit<'_, G> {
    type Output = Made;

    /// Names all that it depends on.
    fn key(&self) -> String {
        let NetworkRecipe { seed, layers, .. } = self.recipe;
        let games = self.played.iter().map(|(played, scale)| {
            let records: Vec<&str> = played.iter().map(|played| played.records.as_str()).collect();
            (records, scale)
        });
        let games = serde_json::to_string(&games.collect::<Vec<_>>()).unwrap_or_default();
        let settings = serde_json::to_string(self.settings).unwrap_or_default();
        let of = format!(
            "{seed} {} {layers:?} {settings} {} {games}",
            self.recipe.shape(self.settings).units,
            self.player.identity()
        );
        format!("generation {} {}", self.number, &digest(of)[..16])
    }

    fn run(&self, stop: &Stop) -> Option<Made> {
        match self.learn(stop) {
            Ok(report) => Some(Made::Network(Box::new(report))),
            Err(error) => {
                if let Ok(mut slot) = self.error.lock() {
                    *slot = Some(error);
                }
                None
            }
        }
    }
}

impl<G: RegisteredGame> GenerationUnit<'_, G> {
    fn tell(&self, event: Event<'_, Vec<Report>>) {
        if let Ok(mut observe) = self.observe.lock() {
            observe(event);
        }
    }

    /// An epoch has ended.
    fn tell_loss(&self, [_, held_out]: [f64; 2]) {
        self.tell(Event::Unit { is_new: true });
        self.tell(Event::Doing(format!("held-out loss {held_out:.4}")));
    }

    /// Trains the network, and plays its match.
    fn learn(&self, stop: &Stop) -> Result<Report, GenerationError> {
        let Self { number, settings, .. } = *self;
        let Some(((last, _), _)) = self.played.split_last() else { return Err(GenerationError::Nothing(number)) };
        let scale = self.scale(last)?;
        let [examples, held_out] = self.examples(scale)?;
        if examples.is_empty() {
            return Err(GenerationError::Nothing(number));
        }
        let (network, losses) = self.train(&examples, &held_out, stop)?;
        let bytes = network.to_bytes::<G>();
        let written = write_named(&bytes, |name| network_file(self.folder, name));
        let name = written.map_err(failed(&networks(self.folder), "a network cannot be written there"))?;
        let path = network_file(self.folder, &name);
        let match_result = self.play_match(&path, stop)?;
        Ok(Report {
            generation: number,
            settings: settings.clone(),
            played_by: self.player.identity().to_owned(),
            results: [0, 1, 2].map(|which| last.iter().map(|played| played.results[which]).sum()),
            positions: last.iter().map(|played| played.positions).sum(),
            examples: examples.len() as u64,
            held_out: held_out.len() as u64,
            scale,
            losses,
            network: name,
            match_result,
        })
    }

    /// The scale of the scores of some games.
    fn scale(&self, played: &[Played]) -> Result<f64, GenerationError> {
        let mut all = Vec::new();
        for batch in played {
            all.extend(said(&records::<G>(self.folder, std::slice::from_ref(batch))?));
        }
        Ok(best_scale(&all))
    }

    /// What to train on, in an order that mixes games, and what is held out: no position is in both.
    fn examples(&self, scale: f64) -> Result<[Vec<Example>; 2], GenerationError> {
        let Generation { lambda, quiet, .. } = *self.settings;
        let [mut examples, mut held_out] = [Vec::new(), Vec::new()];
        for (played, known) in self.played {
            // Scores of earlier games are those of another evaluation.
            let targets = Targets { lambda, scale: known.unwrap_or(scale), quiet };
            let every = HELD_OUT.min(played.len());
            for (index, batch) in played.iter().enumerate() {
                let is_held_out = index % every == every - 1 && every > 1;
                let list = if is_held_out { &mut held_out } else { &mut examples };
                list.extend(targets.examples::<G>(&records::<G>(self.folder, std::slice::from_ref(batch))?));
            }
        }
        merge(&mut examples);
        merge(&mut held_out);
        held_out.retain(|example| examples.binary_search_by_key(&example.position(), Example::position).is_err());
        examples.shuffle(&mut ChaCha8Rng::seed_from_u64(self.recipe.seed));
        Ok([examples, held_out])
    }

    fn train(
        &self,
        examples: &[Example],
        held_out: &[Example],
        stop: &Stop,
    ) -> Result<(Network, Vec<[f64; 2]>), GenerationError> {
        let epochs = self.settings.epochs;
        let name = format!("training on {} positions", thousands(examples.len() as u64));
        self.tell(Event::Stage { name, units: u64::from(epochs) + 1 });
        let mut trainer = self.trainer();
        let mut losses = vec![[trainer.loss(held_out); 2]];
        self.tell_loss(losses[0]);
        for _ in 0..epochs {
            if stop.is_raised() {
                return Err(GenerationError::Stopped);
            }
            let loss = [trainer.epoch(examples), trainer.loss(held_out)];
            self.tell_loss(loss);
            losses.push(loss);
        }
        Ok((trainer.network::<G>(), losses))
    }

    /// A trainer that continues from the network before if it has the shape wanted.
    fn trainer(&self) -> Trainer {
        let shape = self.recipe.shape(self.settings);
        let Generation { batch, epochs, rate, .. } = *self.settings;
        let seed = derive(self.recipe.seed, self.number as u64);
        let training = Training { batch: batch as usize, epochs, rate, seed, threads: self.threads };
        let has_shape = |network: &&Network| {
            let Weights { units, squared, layers, .. } = network.weights();
            let widths = layers.iter().map(|layer| layer.biases.len());
            (*units, *squared) == (shape.units, shape.squared) && widths.eq(shape.widths.iter().copied())
        };
        match self.before.filter(has_shape) {
            Some(network) => Trainer::from::<G>(network, training),
            None => Trainer::new::<G>(shape, training),
        }
    }

    /// The match of the network in a file against the evaluation before.
    fn play_match(&self, network: &Path, stop: &Stop) -> Result<Option<MatchResult>, GenerationError> {
        let Generation { match_games: games, match_nodes: nodes, .. } = *self.settings;
        if games == 0 {
            return Ok(None);
        }
        self.tell(Event::Stage { name: "match".to_owned(), units: games });
        let failed = |error: TournamentError| {
            if stop.is_raised() { GenerationError::Stopped } else { GenerationError::Match(error) }
        };
        let player = |name: &str, evaluation: &str| PlayerDefinition {
            name: Some(name.to_owned()),
            profile: Some(Profile::Full),
            hash: Some(1),
            evaluation: Some(evaluation.to_owned()),
            nodes: Some(nodes),
            ..PlayerDefinition::default()
        };
        let definition = Definition {
            games: Some(games),
            seed: self.recipe.seed,
            concurrency: Some(u16::try_from(self.threads).unwrap_or(u16::MAX)),
            players: vec![player("new", &network.to_string_lossy()), player("before", self.player.name())],
            ..Definition::of(G::GAME)
        };
        let refused = |Refusal { path, reason }: Refusal| failed(definition.wrong(path, reason));
        definition.check().map_err(refused)?;
        let entrants = Entrant::<G>::all(&definition).map_err(failed)?;
        let ready = Ready::new(&definition, entrants, stop).map_err(failed)?;
        let mut runner = Runner::new(ready.concurrency).stopped_by(stop);
        let outcome = ready.play(&mut runner, |event| {
            if let TournamentEvent::Game { time, .. } = event {
                self.tell(Event::unit(time));
            }
            ControlFlow::Continue(())
        });
        let outcome = outcome.map_err(failed)?;
        if stop.is_raised() {
            return Err(GenerationError::Stopped);
        }
        let board = outcome.ledger.board();
        let figures = board.players()[0].figures(None);
        let tally = board.meeting(0, 1).map(|(tally, _)| tally).unwrap_or_default();
        let games = [tally.wins, tally.draws, tally.losses];
        Ok(Some(MatchResult { games, score: figures.score, margin: figures.margin }))
    }
}

/// The records of batches whose files are in a run's folder, in their order.
///
/// # Errors
/// If a file cannot be read, or is damaged.
pub fn records<G: Pieces>(folder: &Path, played: &[Played]) -> Result<Vec<Record<G::Boards>>, GenerationError> {
    let mut all = Vec::new();
    for played in played {
        let path = self_play::file(folder, &played.records);
        let action = "games that the journal names cannot be read; remove the file, and play them again with --fresh";
        let bytes = read_named(&path, &played.records, LARGEST).map_err(failed(&path, action))?;
        let damaged = |cause| GenerationError::Records { path: path.clone(), cause };
        all.extend(record::read::<G>(&bytes).map_err(damaged)?);
    }
    Ok(all)
}

/// The bytes of a network that the journal names.
///
/// # Errors
/// If its file cannot be read, or has other contents.
pub fn read_network(folder: &Path, name: &str) -> Result<Vec<u8>, GenerationError> {
    let path = network_file(folder, name);
    let action = "a network that the journal names cannot be read; remove the file, and learn it again with --fresh";
    read_named(&path, name, LARGEST).map_err(failed(&path, action))
}

/// Makes the folder for networks and the one for games.
pub(super) fn make_folders(folder: &Path) -> Result<(), GenerationError> {
    make_folder(&networks(folder))?;
    make_folder_of_games(folder)
}

/// Makes the folder for games.
///
/// # Errors
/// If it cannot be made.
pub fn make_folder_of_games(folder: &Path) -> Result<(), GenerationError> {
    make_folder(&self_play::games(folder))
}

fn make_folder(path: &Path) -> Result<(), GenerationError> {
    fs::create_dir_all(path).map_err(failed(path, "the folder cannot be made"))
}

fn failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> GenerationError {
    move |cause| GenerationError::File { path: path.to_owned(), action, cause }
}
