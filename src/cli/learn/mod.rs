// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn`: from a suite to extension tables and settings of the search.

mod arguments;
mod command;
mod control;
mod games;
mod observer;
mod realization;
mod spsa;
mod suite;
mod tuning;

use anyhow::Result;

use super::Verdict;
use super::interrupt::stop_on_ctrl_c;
use super::output::WidthArg;
use super::study::Document;
use halfply_engine::base::figures::{percent, thousands};
use halfply_engine::features::Vocabulary;
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::learn::files;
use halfply_lab::learn::listing;
use halfply_lab::learn::methods::Chosen;
use halfply_lab::learn::run::Ready;
use halfply_lab::learn::{Findings, Recipe};
use halfply_lab::run::events::RunKind;

use arguments::FeatureArgs;
pub use command::Command;
pub use observer::Observer;

/// How many features the table at the end shows.
const SHOWN: usize = 25;

pub fn run(command: &Command) -> Result<Verdict> {
    match command {
        Command::Features(chosen) => with_game!(chosen.common.run.common.game.game, G => run_game::<G>(chosen)),
        Command::Tuning { method, args } => {
            with_game!(args.run.common.game.game, G => tuning::run_game::<G>(method, args))
        }
        Command::Spsa(command) => spsa::run(command),
        Command::Control(command) => control::run(command),
        Command::Realization(command) => realization::run(command),
    }
}

fn run_game<G: RegisteredGame>(chosen: &Chosen<FeatureArgs>) -> Result<Verdict> {
    // Before the benchmark, which takes a few tenths of a second.
    let stop = stop_on_ctrl_c();
    let Chosen { method, common: FeatureArgs { fitness, theory, run } } = chosen;
    let recipe = Recipe { method: method.clone(), fitness: fitness.clone() };
    let mut bed = run.bed::<G>()?;
    bed.searcher.setup.table = theory.table::<G>()?;
    let (ready, vocabulary) = (Ready::new(&bed, &recipe)?, bed.vocabulary());
    let kind = (RunKind::Learn, method.name());
    run.study(kind, (&bed, ready.atoms()), &recipe, &stop, &mut |runner, watch, origin| {
        let mut observer = Observer::new(vocabulary.clone());
        observer.begin(&ready);
        let positions = suite::positions(&bed.suite.name, &ready.learned_from, &ready.held_out);
        let nodes = thousands(run.nodes);
        watch.begin(format_args!("learning {positions}, {nodes} nodes each, seed {}", run.seed));
        let findings = ready.learn(runner, |event| {
            if observer.tell(event, &watch.progress) {
                let found = &observer.found[0];
                watch.show(|| files::page(&ready, found, origin, &[]), || headline(found, &vocabulary));
            }
        })?;
        let files = files::files(&ready, &findings, origin)?;
        let mut document = Document::new(files, headline(&findings, &vocabulary));
        describe(&mut document, &findings, &vocabulary, &bed.suite.name, run.common.study.width);
        document.next("report", watch.path(files::PAGE));
        document.next("in words", watch.path(files::WORDS));
        document.next("every feature", watch.path(files::FEATURES));
        document.next("the best one", watch.path(files::EXTENSIONS));
        if findings.outcome.best_disjunction().is_some() {
            document.next("disjunction", watch.path(files::DISJUNCTION));
            document.next("in games", format!("halfply tournament run {}", watch.path(files::MATCH)));
        }
        Ok(document)
    })
}

/// What was found, in a sentence.
fn headline(findings: &Findings, vocabulary: &Vocabulary) -> String {
    let (outcome, positions) = (&findings.outcome, findings.positions.len());
    let neutral = outcome.judged.first().map_or(0, |neutral| neutral.worth.value);
    match outcome.worthwhile(vocabulary).first() {
        Some(best) => {
            let (name, value) = (best.name(vocabulary), best.worth.value);
            format!("{name} is worth {value} of {positions} positions, no extension {neutral}.")
        }
        None => format!("Nothing is worth more than no extension, {neutral} of {positions} positions."),
    }
}

/// Writes what was found.
fn describe(document: &mut Document, findings: &Findings, vocabulary: &Vocabulary, suite: &str, width: WidthArg) {
    let outcome = &findings.outcome;
    let mut features = listing::features(findings, vocabulary);
    let in_output = features.rows.len();
    features.rows.truncate(SHOWN);
    document.line(width.fit(&features));
    let more = in_output - features.rows.len();
    let more = if more > 0 { format!(", {more} of them not shown") } else { String::new() };
    let capped = if outcome.capped { "; stopped by --max-evaluations" } else { "" };
    document.line(format!(
        "{} features evaluated on {} positions of {suite}, {} in the output{more}{capped}",
        outcome.judged.len(),
        findings.positions.len(),
        in_output
    ));
    document.text.append(&mut features.notes);
    let (unsearched, all) = outcome.saved();
    if unsearched > 0 {
        document.line(format!(
            "early rejection left {} of {} searches undone: {}",
            thousands(unsearched as u64),
            thousands(all as u64),
            percent(unsearched as f64 / all.max(1) as f64)
        ));
    }
    if let Some(disjunctions) = listing::disjunctions(findings, vocabulary) {
        document.line("\nrows of one table, any of which extends");
        document.table(&disjunctions, width);
    }
}
