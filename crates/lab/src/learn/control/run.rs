// SPDX-License-Identifier: GPL-3.0-or-later
//! Games, samples and the model that follows from them, in a run that resumes and that workers may share.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;
use thiserror::Error;

use super::fit::{Data, Fit, fit};
use super::samples::{self, SamplesError};
use super::sampling::{Batch, Sampled, Sampling, file, folder};
use crate::players::{SearchSpec, SearchSpecError};
use crate::run::{Event, Header, RunError, Runner, read_named};
use halfply_engine::base::figures::thousands;
use halfply_engine::bench::signature;
use halfply_engine::features::AtomSet;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::search::Searcher;

/// What the header of a run's journal calls it.
pub const EXPERIMENT: &str = "control";

/// Of so many batches one is held out, the last.
const HELD_OUT: usize = 5;

/// The largest file of samples that is read.
const LARGEST: u64 = 1 << 30;

/// Where workers learn what the games of a run depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControlDescription {
    /// The game.
    pub game: GameName,
    /// Who plays.
    pub search: SearchSpec,
    /// How games are played and sampled.
    pub sampling: Sampling,
    /// The run's folder.
    pub folder: PathBuf,
}

/// Why there is no model.
#[derive(Debug, Error)]
pub enum ControlError {
    /// Games were not played to the end.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The search that is to play cannot be had.
    #[error(transparent)]
    Search(#[from] SearchSpecError),
    /// A file of the run's folder cannot be used.
    #[error("{}: {cause}; {remedy}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
        /// What to do.
        remedy: &'static str,
    },
    /// A file of samples makes no sense.
    #[error("{}: {cause}; --fresh plays the games again", path.display())]
    Samples {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        cause: SamplesError,
    },
    /// No model follows from these samples.
    #[error("{0}")]
    Unfit(String),
}

/// Who plays, and how.
#[derive(Debug)]
pub struct Run<G: RegisteredGame> {
    /// How games are played and sampled.
    pub sampling: Sampling,
    /// Who plays.
    pub searcher: Searcher<G>,
}

/// What came of a run.
#[derive(Debug)]
pub struct Learned {
    /// The model.
    pub fit: Fit,
    /// What came of each batch of games.
    pub batches: Vec<Sampled>,
    /// Samples to learn from, and held out.
    pub samples: [u64; 2],
}

impl<G: RegisteredGame> Run<G> {
    /// A run of games by that search. `path` locates the files that it names.
    ///
    /// # Errors
    /// If they cannot be used.
    pub fn new(
        sampling: Sampling,
        search: &SearchSpec,
        path: impl Fn(&Path) -> PathBuf,
    ) -> Result<Self, SearchSpecError> {
        let searcher = search.searcher(sampling.seed, path)?;
        Ok(Self { sampling, searcher })
    }

    /// The header of its journal. How many games there are, and how they are sampled, is in the keys of its units.
    pub fn header(&self) -> Header {
        let Searcher { setup, evaluation } = &self.searcher;
        let config = json!({ "game": G::NAME, "search": self.searcher.record() });
        Header::new(EXPERIMENT, &config, signature::<G>(setup, evaluation, AtomSet::EMPTY))
    }

    /// The units of the run.
    pub fn batches<'a>(&'a self, folder: &'a Path) -> Vec<Batch<'a, G>> {
        self.sampling.batches(&self.searcher, folder)
    }

    /// Plays what the journal lacks, and fits the model with at most so many features of moves.
    ///
    /// # Errors
    /// If the run is stopped, a file cannot be used, or there are too few samples.
    pub fn learn(
        &self,
        rows: usize,
        run: &Path,
        runner: &mut Runner<Sampled>,
        observe: &mut dyn FnMut(Event),
    ) -> Result<Learned, ControlError> {
        make_folder(run)?;
        let batches = self.batches(run);
        observe(Event::Stage { name: "batches of games".to_owned(), units: batches.len() as u64 });
        let batches = runner.run(&batches, |_, _, time| observe(Event::unit(time)))?;
        let mut data = Data::default();
        for (index, batch) in batches.iter().enumerate() {
            let is_held_out =
                index % HELD_OUT == HELD_OUT - 1 || (batches.len() < HELD_OUT && index + 1 == batches.len());
            let part = if is_held_out { &mut data.held_out } else { &mut data.training };
            part.extend(read(run, batch)?);
        }
        let samples = [data.training.len() as u64, data.held_out.len() as u64];
        observe(Event::Note(format!("{} samples, and {} held out", thousands(samples[0]), thousands(samples[1]))));
        let mut report = |what: &str| observe(Event::Doing(what.to_owned()));
        let fit = fit(&data, rows, &G::VOCABULARY, &mut report).map_err(ControlError::Unfit)?;
        Ok(Learned { fit, batches, samples })
    }
}

/// Makes the folder of samples.
///
/// # Errors
/// If it cannot be made.
pub fn make_folder(run: &Path) -> Result<(), ControlError> {
    let path = folder(run);
    fs::create_dir_all(&path).map_err(|cause| ControlError::File {
        path,
        cause,
        remedy: "choose another folder with --out",
    })
}

/// The samples of a batch.
fn read(run: &Path, batch: &Sampled) -> Result<Vec<halfply_engine::search::control::Sample>, ControlError> {
    let path = file(run, &batch.file);
    let bytes = match read_named(&path, &batch.file, LARGEST) {
        Ok(bytes) => bytes,
        Err(cause) => {
            let remedy = "remove the file, and --fresh plays its games again";
            return Err(ControlError::File { path, cause, remedy });
        }
    };
    samples::read(&bytes).map_err(|cause| ControlError::Samples { path, cause })
}
