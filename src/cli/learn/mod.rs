// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn`: from a suite to extension tables.

mod narrator;
mod options;

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use super::interrupt::stop_on_ctrl_c;
use super::output::{WidthArg, print, tell};
use super::progress::Progress;
use super::spool::tell_waiting;
use super::{Verdict, load_suite};
use crate::base::figures::{percent, thousands};
use crate::features::Vocabulary;
use crate::games::Furnished;
use crate::learn::findings::{Findings, Inputs, find};
use crate::learn::knowledge::Knowledge;
use crate::learn::listing;
use crate::learn::page::Page;
use crate::learn::searches::{SearchConfig, SearchDescription};
use crate::learn::{Recipe, Settings, report};
use crate::run::{RunError, Runner};
use crate::search::{Depth, Searcher};
use crate::with_game;

use narrator::Narrator;
pub use options::Command;

/// The files of results in a run's folder.
const FEATURES: &str = "features.csv";
const EXTENSIONS: &str = "extensions.toml";
const PAGE: &str = "report.html";
const WORDS: &str = "knowledge.md";
const KNOWLEDGE: &str = "knowledge.json";
const DISJUNCTION: &str = "disjunction.toml";
const MATCH: &str = "match.toml";

/// All files of results.
const RESULTS: [&str; 7] = [FEATURES, EXTENSIONS, PAGE, WORDS, KNOWLEDGE, DISJUNCTION, MATCH];

/// How many features the table at the end shows.
const SHOWN: usize = 25;

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: Furnished>(command: &Command) -> Result<Verdict> {
    // Before the benchmark, which takes a few tenths of a second.
    let stop = stop_on_ctrl_c();
    let vocabulary = G::VOCABULARY;
    let suite = load_suite::<G>(command.suite.as_ref())?;
    let recipe = command.recipe();
    let settings = recipe.settings(&vocabulary)?;
    let Searcher { evaluation, setup } = command.setup.searcher::<G>(&command.evaluation, None, command.seed)?;
    let searches = SearchConfig::of(&suite, evaluation.identity(), command.nodes, &setup);
    let header = searches.header(setup.profile, &evaluation, settings.base);
    let description = SearchDescription::of(
        command.game.game,
        command.suite.as_deref(),
        &evaluation,
        command.nodes,
        &setup,
        settings.base,
    );
    let conditions = recipe.conditions(Depth::PLY, command.nodes, setup)?;
    let [learned_from, held_out] = recipe.parts(&suite, command.seed)?;
    let (results, journal) = command.folder.open_sharing(G::NAME, &header, &recipe, "learn", &RESULTS)?;
    let folder = results.folder().to_owned();
    let resumed = !journal.is_empty();
    let runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop);
    let mut runner = command.spool.place(runner, &header, &description)?;

    let start = Instant::now();
    let progress = Progress::new(0);
    progress.note(&format!(
        "learning on {} positions of {}{}, {} nodes each, seed {}; kept in {}",
        learned_from.problems.len(),
        suite.name,
        match held_out.problems.len() {
            0 => String::new(),
            count => format!(" ({count} held out)"),
        },
        thousands(command.nodes),
        command.seed,
        folder.display()
    ));
    if !settings.blacklist.is_empty() {
        let names: Vec<_> = settings.blacklist.iter().map(|&feature| vocabulary.format(feature)).collect();
        progress.note(&format!("not tried: {}, nor what contains them (--blacklist)", names.join(", ")));
    }
    let (learned_from, held_out) = (&learned_from, &held_out);
    let inputs =
        Inputs { learned_from, held_out, evaluation: &evaluation, conditions: &conditions, runner: &mut runner };
    let findings = match follow(&recipe, &settings, inputs, &progress, &folder)? {
        Ok(findings) => findings,
        Err(verdict) => return Ok(verdict),
    };
    command.spool.close()?;

    let origin = format!(
        "learned by {} from {}, seed {}, {} nodes a position{}; halfply {}",
        recipe.method,
        suite.name,
        command.seed,
        command.nodes,
        command.setup.options(),
        header.version
    );
    let page = Page {
        title: &format!("{}: {} on {}", G::NAME, recipe.method, suite.name),
        settings: &shown(&searches, &recipe, header.signature)?,
        command: &command_line(),
        vocabulary: &vocabulary,
        options: &settings,
        findings: &findings,
    };
    let knowledge = Knowledge::of_findings(&findings, G::NAME, &vocabulary, &origin);
    let mut files = vec![
        (FEATURES, report::features_csv(&findings, &vocabulary)?),
        (EXTENSIONS, report::extensions_toml::<G>(&findings.outcome, &origin)),
        (PAGE, page.render()),
        (WORDS, knowledge.page()),
        (KNOWLEDGE, knowledge.json()?),
    ];
    if let Some((growth, best)) = findings.best_disjunction() {
        files.push((DISJUNCTION, report::disjunction_toml::<G>(growth, best, &origin)));
        files.push((MATCH, report::match_toml::<G>(best, growth, &conditions, evaluation.name(), &origin)));
    }
    results.publish(&files)?;

    print_findings(&findings, &vocabulary, &suite.name, command.width)?;
    let path = |name: &str| folder.join(name).display().to_string();
    print(format_args!(
        "to look at:    {}\nin words:      {}\nevery feature: {}\nthe best one:  {}",
        path(PAGE),
        path(WORDS),
        path(FEATURES),
        path(EXTENSIONS)
    ))?;
    if findings.best_disjunction().is_some() {
        print(format_args!(
            "disjunction:   {}\nin games:      halfply tournament run {}",
            path(DISJUNCTION),
            path(MATCH)
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

/// Follows a recipe and reports its progress. A verdict if it was stopped or waits for workers, which is reported.
pub fn follow<G: Furnished>(
    recipe: &Recipe,
    settings: &Settings,
    inputs: Inputs<'_, G>,
    progress: &Progress,
    folder: &Path,
) -> Result<Result<Findings, Verdict>> {
    let mut narrator =
        Narrator::new(G::VOCABULARY, progress, inputs.searches_of_table(), inputs.conditions.plies.len(), settings);
    let findings = find(recipe, settings, inputs, |time| progress.finished(time), |event| narrator.tell(event));
    progress.finish();
    match findings {
        Ok(findings) => Ok(Ok(findings)),
        Err(RunError::Stopped) => {
            tell(&format!("stopped; kept in {}; the same command goes on", folder.display()));
            Ok(Err(Verdict::Interrupted))
        }
        Err(RunError::Waiting(waiting)) => Ok(Err(tell_waiting(&waiting))),
        Err(error) => bail!(error),
    }
}

/// Settings by name, for the page.
pub fn shown(searches: &SearchConfig<'_>, recipe: &Recipe, signature: u64) -> Result<Vec<(String, String)>> {
    let mut shown = Vec::new();
    for value in [serde_json::to_value(searches)?, serde_json::to_value(recipe)?] {
        for (name, value) in value.as_object().into_iter().flatten() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            shown.push((name.replace('_', " "), text));
        }
    }
    shown.push(("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    shown.push(("behaviour signature".to_owned(), signature.to_string()));
    Ok(shown)
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
