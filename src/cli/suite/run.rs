// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite run`: what a search solves, and the gains and losses since a baseline.

use std::time::Instant;

use anyhow::{Context, Result};

use super::SuiteFile;
use super::json::RunObject;
use super::options::Command;
use super::report::Report;
use crate::cli::Verdict;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{print_json, tell};
use crate::cli::own_file::OwnFile;
use crate::cli::progress::Progress;
use halfply_engine::base::figures::{quantity, thousands};
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::report::page;
use halfply_lab::suite::run::{Ready, RunOptions, SuiteError, SuiteOutcome};
use halfply_lab::suite::{Baseline, Score, Suite, Summary, Terms, TrialResult};

pub fn run(command: &Command) -> Result<Verdict> {
    match &command.file {
        Some(path) => {
            let file = SuiteFile::read(path)?;
            with_game!(file.game(command.game)?, G => run_suite::<G>(command, &file.suite()?))
        }
        None => {
            let game = command.game.game.unwrap_or_default();
            with_game!(game, G => run_suite::<G>(command, &Suite::bundled(G::SUITE)?))
        }
    }
}

fn run_suite<G: RegisteredGame>(command: &Command, suite: &Suite<G>) -> Result<Verdict> {
    if command.points {
        Score::demand(suite).context("--points")?;
    }
    let (player, stop) = (command.player::<G>()?, stop_on_ctrl_c());
    let options =
        RunOptions { limits: command.limits(), watch_nodes: command.watch_nodes, threads: command.threads.count() };
    let ready = Ready::new(suite, player, options, &stop).context("--engine")?;
    let guard = Guard::begin(command, ready.terms())?;
    let page = command.page.as_deref().map(|path| OwnFile::begin(path, page::is_ours)).transpose()?;

    let progress = Progress::new(suite.problems.len() as u64);
    progress.message(suite.name.clone());
    let start = Instant::now();
    let outcome = ready.run(|_, _| progress.step());
    progress.finish();
    let time = start.elapsed();
    let SuiteOutcome { results, summary } = match outcome {
        Err(error @ SuiteError::NoAnswers(_)) => return Err(error).context("--engine"),
        outcome => outcome?,
    };

    let report = Report {
        ready: &ready,
        summary,
        comparison: guard.before.as_ref().map(|before| before.compare(suite, &results)),
        score: command.points.then(|| Score::of(suite, &results)),
        results: &results,
    };
    let per_second = report.summary.nodes_per_second(time);
    if command.json {
        print_json(&RunObject::new(&report, command, per_second))?;
    } else {
        report.print(command)?;
        let threads = quantity(command.threads.count() as u64, "thread");
        tell(&format!("{} nodes per second on {threads}", thousands(per_second as u64)));
    }
    if let Some(page) = page {
        page.finish(report.page(command))?;
    }
    guard.write(command, &ready, &results, &report.summary)?;
    Ok(report.verdict(command))
}

/// The baseline to compare with, and the one to write.
struct Guard {
    before: Option<Baseline>,
    /// The file, and what its results depend on.
    to_write: Option<(OwnFile, Terms)>,
}

fn is_baseline(contents: &[u8]) -> bool {
    str::from_utf8(contents).is_ok_and(|text| Baseline::parse(text, "").is_ok())
}

impl Guard {
    /// Checks, before the work, that the baseline is for the same terms and that the new one can be written. Without
    /// terms there are no baselines: the arguments exclude each other.
    fn begin(command: &Command, terms: Option<Terms>) -> Result<Self> {
        let Some(terms) = terms else { return Ok(Self { before: None, to_write: None }) };
        let load = |path| Baseline::load(path, &terms, command.other_options);
        let before = command.baseline.as_deref().map(load).transpose()?;
        let difference = before.as_ref().map(|before| terms.difference(&before.terms)).unwrap_or_default();
        if !difference.is_empty() {
            tell(&format!("{}: made with other options: {difference}", command.baseline_name()));
        }
        let to_write = command.write_baseline.as_deref().map(|path| OwnFile::begin(path, is_baseline)).transpose()?;
        Ok(Self { before, to_write: to_write.map(|file| (file, terms)) })
    }

    /// Writes the baseline, if one was requested.
    fn write<G: RegisteredGame>(
        self,
        command: &Command,
        ready: &Ready<'_, G>,
        results: &[TrialResult],
        summary: &Summary,
    ) -> Result<()> {
        if let (Some((file, terms)), Some(path)) = (self.to_write, &command.write_baseline) {
            let baseline = Baseline::new(ready.suite, terms, results, summary, ready.author());
            file.finish(baseline.render())?;
            tell(&format!("{}: {} solved, written as a baseline", path.display(), baseline.solved));
        }
        Ok(())
    }
}
