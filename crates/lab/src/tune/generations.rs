// SPDX-License-Identifier: GPL-3.0-or-later
//! A network from its recipe: games, training, a match against the generation before, and again.
//!
//! Batches of games and generations are units of a journalled runner. What they make is in files that are named by their
//! contents, so nothing is ever replaced, and a run that was stopped resumes where it was.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use serde_json::json;
use thiserror::Error;

use super::generation::{
    GenerationError, GenerationUnit, Observer, make_folders, network_file, networks, read_network,
};
use super::made::{Made, Played, Report};
use super::recipe::{Generation, NetworkRecipe};
use super::self_play::{BATCH, Batch, signature};
use crate::run::{Event, Header, RunError, Runner, read_named};
use halfply_engine::base::data_file::DataFileError;
use halfply_engine::base::files;
use halfply_engine::base::mix::derive;
use halfply_engine::evaluation::network::{LARGEST, Network, ShapeError};
use halfply_engine::games::{EvaluationError, RegisteredGame};
use halfply_engine::search::Evaluator;

/// Why a network was not learned to the end.
#[derive(Debug, Error)]
pub enum GenerationsError {
    /// The game has no network of the shape that a generation asks for.
    #[error("generation {generation}: {cause}")]
    Shape {
        /// Its number, from 1.
        generation: usize,
        /// What is wrong.
        cause: ShapeError,
    },
    /// Units were not worked to the end.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A generation came to nothing.
    #[error(transparent)]
    Generation(#[from] GenerationError),
    /// The evaluation to begin with cannot be used.
    #[error("from: {0}")]
    Evaluation(#[from] EvaluationError),
    /// The same of a network that was learned before.
    #[error(transparent)]
    Network(#[from] DataFileError),
}

/// A recipe, and who plays its first games.
#[derive(Debug)]
pub struct Run<'a, G: RegisteredGame> {
    /// What is to be learned.
    pub recipe: &'a NetworkRecipe,
    /// Who plays the first games.
    pub first: Evaluator<G>,
    /// Threads of training and matches; they change no result.
    pub threads: usize,
}

impl<'a, G: RegisteredGame> Run<'a, G> {
    /// A run of a recipe.
    ///
    /// # Errors
    /// If the game has no network of a shape that is asked for, or the evaluation that plays the first games cannot be used.
    pub fn new(recipe: &'a NetworkRecipe, threads: usize) -> Result<Self, GenerationsError> {
        for (generation, settings) in (1..).zip(&recipe.generations) {
            let shape = recipe.shape(settings).check::<G>();
            shape.map_err(|cause| GenerationsError::Shape { generation, cause })?;
        }
        let first = match &recipe.from {
            Some(named) => G::evaluator(named, Path::to_owned)?,
            None => G::hand_made(),
        };
        Ok(Self { recipe, first, threads })
    }

    /// The header of its journal. Everything else of the recipe is in the keys of its units, so it may be changed and
    /// continue.
    pub fn header(&self) -> Header {
        let config = json!({ "game": G::NAME, "from": self.first.identity() });
        Header::new("evaluation", &config, signature(&self.first))
    }

    /// Learns the network; games and networks are kept in the folder. `observe` hears of everything that happens. Returns
    /// what came of each generation.
    ///
    /// # Errors
    /// If files cannot be read or written, the run is stopped, or there is nothing to learn from.
    pub fn learn(
        &self,
        folder: &Path,
        runner: &mut Runner<Made>,
        observe: &mut Observer<'_>,
    ) -> Result<Vec<Report>, GenerationsError> {
        make_folders(folder)?;
        let mut reports: Vec<Report> = Vec::new();
        let mut played: Vec<(Vec<Played>, Option<f64>)> = Vec::new();
        let mut player = self.first.clone();
        let mut network = self.first_network();
        for (index, settings) in self.recipe.generations.iter().enumerate() {
            let number = index + 1;
            let batches = self.batches(number, settings, &player, folder);
            observe(Event::Stage { name: format!("generation {number}: games"), units: batches.len() as u64 });
            let made = runner.run(&batches, |_, _, time| observe(Event::unit(time)))?;
            played.push((made.into_iter().filter_map(Made::games).collect(), None));

            let error = Mutex::new(None);
            let unit = GenerationUnit {
                recipe: self.recipe,
                number,
                settings,
                before: network.as_ref(),
                player: &player,
                played: &played[played.len().saturating_sub(settings.window)..],
                folder,
                threads: self.threads,
                observe: &Mutex::new(&mut *observe),
                error: &error,
            };
            let made = runner.run_here(&[unit], |_, _, _| ());
            if let Ok(Some(error)) = error.into_inner()
                && !matches!(error, GenerationError::Stopped)
            {
                return Err(error.into());
            }
            let Some(report) = made?.into_iter().find_map(Made::network) else { continue };
            observe(Event::Note(report.to_string()));
            let bytes = read_network(folder, &report.network)?;
            player = G::evaluation_of_file(&network_file(folder, &report.network))?;
            network = Network::read::<G>(&bytes).ok();
            if let Some((_, scale)) = played.last_mut() {
                *scale = Some(report.scale);
            }
            let figures = report.figures();
            reports.push(report);
            observe(Event::Step { figures, so_far: &reports });
        }
        Ok(reports)
    }
}

impl<G: RegisteredGame> Run<'_, G> {
    /// The network that the recipe begins with, if it begins with one: that of the program, or the one in a file.
    fn first_network(&self) -> Option<Network> {
        let from = self.recipe.from.as_ref()?;
        let own = G::NETWORK.and_then(|bytes| Network::read::<G>(bytes).ok());
        let own = own.filter(|network| network.identity() == self.first.identity());
        own.or_else(|| Network::read::<G>(&files::read(Path::new(from), LARGEST).ok()?).ok())
    }

    /// The games of a generation by that player.
    fn batches<'p>(
        &self,
        number: usize,
        settings: &Generation,
        player: &'p Evaluator<G>,
        folder: &'p Path,
    ) -> Vec<Batch<'p, G>> {
        let batch = |index: u64| Batch {
            play: settings.play.clone(),
            evaluation: player,
            seed: derive(self.recipe.seed, number as u64),
            index,
            games: BATCH.min(settings.games - index * BATCH),
            folder,
        };
        (0..settings.games.div_ceil(BATCH)).map(batch).collect()
    }

    /// Everybody who may have to play games: who plays the first ones, and the networks in the folder.
    ///
    /// # Errors
    /// If the folder of networks cannot be looked at.
    pub fn players(&self, folder: &Path) -> io::Result<Vec<Evaluator<G>>> {
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(networks(folder))? {
            paths.push(entry?.path());
        }
        paths.sort();
        // A file that is not a network is not ours.
        let is_whole = |path: &&PathBuf| {
            let name = path.file_stem().and_then(|name| name.to_str());
            name.is_some_and(|name| read_named(path, name, LARGEST).is_ok())
        };
        let learned = paths.iter().filter(is_whole).filter_map(|path| G::evaluation_of_file(path).ok());
        Ok(std::iter::once(self.first.clone()).chain(learned).collect())
    }

    /// The batches of all generations, by each of the players.
    pub fn batches_of_all<'p>(&self, players: &'p [Evaluator<G>], folder: &'p Path) -> Vec<Batch<'p, G>> {
        let generations = (1..).zip(&self.recipe.generations);
        let of = |(number, settings)| players.iter().flat_map(move |by| self.batches(number, settings, by, folder));
        generations.flat_map(of).collect()
    }
}

/// Where workers read what the games of a run depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesDescription {
    /// The recipe's file.
    pub recipe: PathBuf,
    /// Who plays the first games, by a name that holds in every working folder; none if the recipe names nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The run's folder.
    pub folder: PathBuf,
}

impl GamesDescription {
    /// The description of a run of the recipe in that file.
    pub fn of<G: RegisteredGame>(recipe: &NetworkRecipe, file: &Path, folder: &Path) -> Self {
        let from = recipe.from.as_deref().map(G::located_evaluation);
        Self { recipe: files::located(file), from, folder: files::located(folder) }
    }

    /// The recipe, for this working folder.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn recipe(&self) -> Result<NetworkRecipe, DataFileError> {
        let recipe = NetworkRecipe::load(&self.recipe)?;
        Ok(NetworkRecipe { from: self.from.clone().or(recipe.from), ..recipe })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Breakthrough, Chess};

    #[test]
    fn a_network_is_trained_further_whether_it_is_named_or_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mine.network").display().to_string();
        fs::write(&file, Breakthrough::NETWORK.unwrap()).unwrap();
        let first = |from: Option<&str>| {
            let from = from.map_or_else(String::new, |from| format!("from = {from:?}\n"));
            let text = format!(
                "format = 1\ngame = \"breakthrough\"\n{from}units = 16\nlayers = [1]\n\
                 [[generation]]\ngames = 1\nnodes = 1\nlambda = 1\n"
            );
            let recipe = NetworkRecipe::parse(&text, "x").unwrap();
            let network = Run::<Breakthrough>::new(&recipe, 1).unwrap().first_network();
            network.map(|network| network.identity().to_owned())
        };
        let own = Breakthrough::network().unwrap().identity().to_owned();
        assert_eq!([first(Some("network")), first(Some(&file))], [Some(own.clone()), Some(own)]);
        assert_eq!([first(Some("piece-count")), first(None)], [None, None]);
    }

    /// Before the first game: what is played for hours should not be lost.
    #[test]
    fn a_shape_that_the_game_does_not_have_is_refused_at_once() {
        let refused = |game: &str, layers: &str, second: &str| {
            let text = format!(
                "format = 1\ngame = \"{game}\"\nunits = 32\nlayers = {layers}\n\
                 [defaults]\ngames = 1\nnodes = 1\nlambda = 1\n[[generation]]\n[[generation]]\n{second}\n"
            );
            let recipe = NetworkRecipe::parse(&text, "x").unwrap();
            let error = match game {
                "chess" => Run::<Chess>::new(&recipe, 1).err(),
                _ => Run::<Breakthrough>::new(&recipe, 1).err(),
            };
            error.map(|error| error.to_string())
        };
        let squares = "generation 2: values are squared only where units have no twins and one layer follows";
        for (game, layers, second, expected) in [
            ("chess", "[1]", "units = 48", Some("generation 2: units of chess are a multiple of 32, not 48")),
            (
                "breakthrough",
                "[1]",
                "units = 24",
                Some("generation 2: units of breakthrough are a multiple of 16, not 24"),
            ),
            ("chess", "[8, 1]", "squared = true", Some(squares)),
            ("breakthrough", "[1]", "squared = true", Some(squares)),
            ("chess", "[1]", "squared = true", None),
            ("breakthrough", "[8, 1]", "units = 48", None),
        ] {
            assert_eq!(refused(game, layers, second).as_deref(), expected, "{game} {layers} {second}");
        }
    }
}
