// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn`: from a suite to extension tables.

mod narrator;
mod options;

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use super::interrupt::stop_on_ctrl_c;
use super::output::{WidthArg, print, tell};
use super::spool::tell_waiting;
use super::{Verdict, load_suite};
use crate::base::figures::{percent, thousands};
use crate::features::Vocabulary;
use crate::games::Furnished;
use crate::learn::Findings;
use crate::learn::files::{self, Origin};
use crate::learn::listing;
use crate::learn::run::Ready;
use crate::learn::searches::TestBed;
use crate::run::{RunError, Runner};
use crate::with_game;

pub use narrator::Narrator;
pub use options::Command;
use options::Common;

/// How many features the table at the end shows.
const SHOWN: usize = 25;

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.parts().1.game.game, G => run_game::<G>(command))
}

fn run_game<G: Furnished>(command: &Command) -> Result<Verdict> {
    // Before the benchmark, which takes a few tenths of a second.
    let stop = stop_on_ctrl_c();
    let (recipe, common) = command.parts();
    let Common { nodes, seed, .. } = *common;
    let suite = load_suite::<G>(common.suite.as_ref())?;
    let searcher = common.setup.searcher::<G>(&common.evaluation, None, seed)?;
    let bed = TestBed { suite, searcher, nodes };
    let ready = Ready::new(&bed, &recipe)?;
    let header = bed.header(ready.atoms());
    let description = bed.description(common.game.game, common.suite.as_deref(), ready.atoms());
    let (results, journal) = common.folder.open_sharing(G::NAME, &header, &recipe, "learn", &files::ALL)?;
    let folder = results.folder().to_owned();
    let resumed = !journal.is_empty();
    let runner = Runner::with_journal(common.threads.count(), journal).stopped_by(&stop);
    let mut runner = common.spool.place(runner, &header, &description)?;

    let start = Instant::now();
    let mut narrator = Narrator::new(G::VOCABULARY);
    narrator.begin(&ready);
    narrator.note(&format!(
        "learning on {} positions of {}{}, {} nodes each, seed {seed}; kept in {}",
        ready.learned_from.problems.len(),
        bed.suite.name,
        match ready.held_out.problems.len() {
            0 => String::new(),
            count => format!(" ({count} held out)"),
        },
        thousands(nodes),
        folder.display()
    ));
    let findings = ready.learn(&mut runner, |event| narrator.tell(event));
    narrator.finish();
    let findings = match findings {
        Ok(findings) => findings,
        Err(error) => return ended(error, &folder),
    };
    common.spool.close()?;

    let origin = Origin { options: &common.setup.options(), command: &command_line(), header: &header };
    results.publish(&files::files(&ready, &findings, origin)?)?;

    print_findings(&findings, &G::VOCABULARY, &bed.suite.name, common.width)?;
    let path = |name: &str| folder.join(name).display().to_string();
    print(format_args!(
        "to look at:    {}\nin words:      {}\nevery feature: {}\nthe best one:  {}",
        path(files::PAGE),
        path(files::WORDS),
        path(files::FEATURES),
        path(files::EXTENSIONS)
    ))?;
    if findings.outcome.best_disjunction().is_some() {
        print(format_args!(
            "disjunction:   {}\nin games:      halfply tournament run {}",
            path(files::DISJUNCTION),
            path(files::MATCH)
        ))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let done = match (runner.computed(), resumed) {
        (0, true) => "this run was complete already: all its searches are known; --fresh repeats them".to_owned(),
        (searches, true) => {
            format!("went on where it was stopped: {} searches in {seconds:.1} s", thousands(searches as u64))
        }
        (searches, false) => format!("{} searches in {seconds:.1} s", thousands(searches as u64)),
    };
    tell(&done);
    Ok(Verdict::Good)
}

/// Reports why a run ended early. It is no error that it was stopped or waits for workers.
pub fn ended(error: RunError, folder: &Path) -> Result<Verdict> {
    match error {
        RunError::Stopped => {
            tell(&format!("stopped; kept in {}; the same command goes on", folder.display()));
            Ok(Verdict::Interrupted)
        }
        RunError::Waiting(waiting) => Ok(tell_waiting(&waiting)),
        error => bail!(error),
    }
}

/// The command line of this process, quoted for a shell.
pub fn command_line() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
    format!("halfply {words}")
}

fn print_findings(findings: &Findings, vocabulary: &Vocabulary, suite: &str, width: WidthArg) -> Result<()> {
    let outcome = &findings.outcome;
    let mut features = listing::features(findings, vocabulary);
    let in_output = features.rows.len();
    features.rows.truncate(SHOWN);
    print(width.fit(&features))?;
    let more = in_output - features.rows.len();
    let more = if more > 0 { format!(", {more} of them not shown") } else { String::new() };
    let capped = if outcome.capped { "; stopped by --max-evaluations" } else { "" };
    print(format_args!(
        "{} features evaluated on {} positions of {suite}, {} in the output{more}{capped}",
        outcome.judged.len(),
        findings.positions.len(),
        in_output
    ))?;
    for note in &features.notes {
        print(note)?;
    }
    let (unsearched, all) = outcome.saved();
    if unsearched > 0 {
        print(format_args!(
            "early rejection left {} of {} searches undone: {}",
            thousands(unsearched as u64),
            thousands(all as u64),
            percent(unsearched as f64 / all.max(1) as f64)
        ))?;
    }
    if let Some(disjunctions) = listing::disjunctions(findings, vocabulary) {
        print("\nrows of one table, any of which extends")?;
        print(width.fit(&disjunctions))?;
        for note in &disjunctions.notes {
            print(note)?;
        }
    }
    Ok(())
}
