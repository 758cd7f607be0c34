// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs whose units other processes work: `--spool DIR`, and what is said when such a run waits.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::Value;

use super::Verdict;
use super::count::count;
use super::output::tell;
use halfply_engine::base::figures::thousands;
use halfply_lab::run::workers::{Spool, Waiting};
use halfply_lab::run::{Header, Output, Runner};

/// Where units run.
#[derive(Clone, Debug, Default, Args)]
pub struct SpoolArgs {
    /// Let other processes run the units: write those that the next step needs to DIR/manifest.json, for `halfply work`,
    /// and exit with status 3. Once their results are in DIR/results, the same command continues
    #[arg(long, value_name = "DIR")]
    spool: Option<PathBuf>,
    /// The most units of a manifest; a smaller number wastes fewer units if the run ends early
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u32>(1..), requires = "spool")]
    round: u32,
}

impl SpoolArgs {
    /// The runner of the run in this folder with this header; if a spool was named, its units run elsewhere. Workers make the
    /// units from the description.
    pub fn place<O: Output + fmt::Debug + 'static>(
        &self,
        runner: Runner<O>,
        run: &Path,
        header: &Header,
        description: impl FnOnce() -> serde_json::Result<Value>,
    ) -> Result<Runner<O>> {
        let Some(folder) = &self.spool else { return Ok(runner) };
        Ok(runner.worked_by(Spool::open(folder, run, header, description()?, self.round as usize)?))
    }

    /// Cleans up after a run that is complete.
    pub fn close(&self, run: &Path, header: &Header) -> Result<()> {
        Ok(self.spool.as_deref().map_or(Ok(()), |folder| Spool::<()>::close(folder, run, header))?)
    }
}

/// Reports what to do before the run can continue.
pub fn tell_waiting(waiting: &Waiting) -> Verdict {
    let manifest = waiting.manifest.display();
    tell(&format!(
        "{} units are needed next: compute them with `halfply work --manifest {manifest} --shard K/N` for each K from 1 to N, \
         and run the same command again",
        thousands(waiting.units as u64)
    ));
    Verdict::Waiting
}
