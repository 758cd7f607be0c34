// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn`: from a suite to extension tables and settings of the search.
//!
//! | file | idea |
//! |---|---|
//! | [`mod@self`] | methods that discover features |
//! | `tuning` | methods that tune settings on a suite |
//! | `spsa` | the method that tunes settings by games |
//! | `race` | tables that are chosen by games |
//! | `games` | the games of methods that learn by games |
//! | `realization` | costs from how often moves are played |
//! | `options` | the arguments of all methods |
//! | `opened` | what their runs have in common |
//! | `narrator` | what is reported while features are discovered |

mod games;
mod narrator;
mod opened;
mod options;
mod race;
mod realization;
mod spsa;
mod tuning;

use anyhow::Result;

use super::Verdict;
use super::events;
use super::interrupt::stop_on_ctrl_c;
use super::output::{WidthArg, print};
use super::run_folder::ended;
use halfply_engine::base::figures::{percent, thousands};
use halfply_engine::features::Vocabulary;
use halfply_engine::games::Furnished;
use halfply_engine::with_game;
use halfply_lab::learn::files::{self, Origin};
use halfply_lab::learn::listing;
use halfply_lab::learn::methods::Chosen;
use halfply_lab::learn::run::Ready;
use halfply_lab::learn::{Findings, Recipe};
use halfply_lab::run::events::RunKind;

pub use narrator::Narrator;
pub use options::Command;
use options::FeatureArgs;

/// How many features the table at the end shows.
const SHOWN: usize = 25;

pub fn run(command: &Command) -> Result<Verdict> {
    match command {
        Command::Features(chosen) => with_game!(chosen.common.run.game.game, G => run_game::<G>(chosen)),
        Command::Tuning { method, args } => {
            with_game!(args.run.game.game, G => tuning::run_game::<G>(method, args))
        }
        Command::Spsa(command) => spsa::run(command),
        Command::Race(command) => race::run(command),
        Command::Realization(command) => realization::run(command),
    }
}

fn run_game<G: Furnished>(chosen: &Chosen<FeatureArgs>) -> Result<Verdict> {
    // Before the benchmark, which takes a few tenths of a second.
    let stop = stop_on_ctrl_c();
    let Chosen { method, common: FeatureArgs { fitness, run } } = chosen;
    let recipe = Recipe { method: method.clone(), fitness: fitness.clone() };
    let bed = run.bed::<G>()?;
    let ready = Ready::new(&bed, &recipe)?;
    let (results, mut opened) = run.open(&bed, ready.atoms(), &recipe, &stop)?;

    let mut narrator = Narrator::new(G::VOCABULARY);
    let title = run.title(method.name(), &bed.suite.name);
    narrator.write_to(events::begin(&opened.folder, RunKind::Learn, G::NAME, title, &()));
    narrator.begin(method.name(), &ready);
    narrator.note(&format!(
        "learning on {} positions of {}{}, {} nodes each, seed {}; kept in {}",
        ready.learned_from.problems.len(),
        bed.suite.name,
        match ready.held_out.problems.len() {
            0 => String::new(),
            count => format!(" ({count} held out)"),
        },
        thousands(run.nodes),
        run.seed,
        opened.folder.display()
    ));
    let findings = ready.learn(&mut opened.runner, |event| narrator.tell(event));
    narrator.finish();
    let findings = match findings {
        Ok(findings) => findings,
        Err(error) => {
            narrator.end_early(&error);
            return ended(error, &opened.folder);
        }
    };
    run.spool.close(&opened.header)?;

    let origin = Origin { options: &run.setup.options(), command: &command_line(), header: &opened.header };
    results.publish(&files::files(&ready, &findings, origin)?)?;
    narrator.complete(&headline(&findings, &G::VOCABULARY));

    print_findings(&findings, &G::VOCABULARY, &bed.suite.name, run.width)?;
    print(format_args!(
        "to look at:    {}\nin words:      {}\nevery feature: {}\nthe best one:  {}",
        opened.path(files::PAGE),
        opened.path(files::WORDS),
        opened.path(files::FEATURES),
        opened.path(files::EXTENSIONS)
    ))?;
    if findings.outcome.best_disjunction().is_some() {
        print(format_args!(
            "disjunction:   {}\nin games:      halfply tournament run {}",
            opened.path(files::DISJUNCTION),
            opened.path(files::MATCH)
        ))?;
    }
    opened.tell_done();
    Ok(Verdict::Good)
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
