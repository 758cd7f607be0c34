// SPDX-License-Identifier: GPL-3.0-or-later
//! A run of any method: its positions and search, its folders, and who runs its searches.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;

use super::options::RunArgs;
use crate::cli::load_suite;
use crate::cli::results::Results;
use crate::cli::run_folder::completed;
use halfply_engine::games::Furnished;
use halfply_lab::learn::files;
use halfply_lab::learn::searches::{Scope, TestBed};
use halfply_lab::run::{Header, Runner, Stop};
use halfply_lab::suite::trial::TrialResult;

/// A run whose journal is open.
pub struct Opened {
    pub header: Header,
    pub runner: Runner<TrialResult>,
    /// The folder of the results.
    pub folder: PathBuf,
    start: Instant,
}

impl RunArgs {
    /// The positions, and the search without extensions.
    pub fn bed<G: Furnished>(&self) -> Result<TestBed<G>> {
        let suite = load_suite::<G>(self.suite.as_ref())?;
        let searcher = self.setup.searcher::<G>(&self.evaluation, None, self.seed)?;
        Ok(TestBed { suite, searcher, nodes: self.nodes })
    }

    /// Opens the folder for the results of a run, and the journal of the searches with that scope: `run` is everything
    /// else that the results depend on.
    pub fn open<G: Furnished>(
        &self,
        bed: &TestBed<G>,
        scope: impl Into<Scope>,
        run: &impl Serialize,
        stop: &Stop,
    ) -> Result<(Results, Opened)> {
        let scope = scope.into();
        let header = bed.header(scope);
        let description = bed.description(self.game.game, self.suite.as_deref(), scope);
        let (results, journal) = self.folder.open_sharing(G::NAME, &header, run, "learn", &files::ALL)?;
        let folder = results.folder().to_owned();
        let runner = Runner::with_journal(self.threads.count(), journal).stopped_by(stop);
        let runner = self.spool.place(runner, &header, &description)?;
        Ok((results, Opened { header, runner, folder, start: Instant::now() }))
    }
}

impl Opened {
    /// A result file, as it is shown.
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// Reports how much work it was.
    pub fn tell_done(&self) {
        completed(self.runner.computed() as u64, "searches", self.runner.resumed(), self.start);
    }
}
