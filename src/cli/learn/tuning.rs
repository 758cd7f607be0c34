// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn genetic` and `gradient`: settings of the search that take fewer nodes to solve a suite.

use anyhow::Result;

use super::command_line;
use super::options::{RunArgs, TuningArgs};
use crate::cli::Verdict;
use crate::cli::events;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::cli::run_folder::ended;
use halfply_engine::base::figures::thousands;
use halfply_engine::features::{ExtensionTable, file};
use halfply_engine::games::Furnished;
use halfply_engine::search::Profile;
use halfply_lab::learn::Candidate;
use halfply_lab::learn::files::{EXTENSIONS, MATCH, Origin, PAGE, PARAMETERS, ROUNDS};
use halfply_lab::learn::tuning::run::Ready;
use halfply_lab::learn::tuning::{Event, Round, Scored, Tuned, Tuning, TuningRecipe, files, listing};
use halfply_lab::run::events::{Ending, RunEvent, RunKind, Step};

/// How many rounds the table at the end shows, about.
const SHOWN: usize = 20;

pub fn run_game<G: Furnished>(method: &Tuning, args: &TuningArgs) -> Result<Verdict> {
    // Before the benchmark, which takes a few tenths of a second.
    let stop = stop_on_ctrl_c();
    let TuningArgs { objective, extensions, run } = args;
    let mut method = method.clone();
    method.genes().load(&G::VOCABULARY)?;
    let recipe = TuningRecipe { method, objective: objective.clone() };
    let bed = run.bed::<G>()?;
    let table = match extensions {
        Some(path) => file::load(path, &G::VOCABULARY)?,
        None => ExtensionTable::default(),
    };
    let given = Candidate::of_table(table, &bed.searcher.setup);
    let ready = Ready::new(&bed, &recipe, given)?;
    let identity = (&recipe, ready.given.table.summary(&G::VOCABULARY));
    let (results, mut opened) = run.open(&bed, ready.scope(), &identity, &stop)?;

    let title = run.title(recipe.method.name(), &bed.suite.name);
    let mut events = events::begin(&opened.folder, RunKind::Tuning, G::NAME, title, &());
    let mut narrator = Narrator::new(&ready);
    narrator.progress.note(&format!(
        "{} on {} positions of {}{}, {} nodes each; kept in {}",
        recipe.method.name(),
        ready.learned_from.problems.len(),
        bed.suite.name,
        match ready.held_out.problems.len() {
            0 => String::new(),
            count => format!(" ({count} held out)"),
        },
        thousands(run.nodes),
        opened.folder.display()
    ));
    let tuned = ready.learn(&mut opened.runner, |event| {
        if let Event::Round { round, .. } = event {
            events.tell(&step(round));
        }
        narrator.tell(event);
    });
    narrator.progress.finish();
    let tuned = match tuned {
        Ok(tuned) => tuned,
        Err(error) => {
            events::end_early(events, &error);
            return ended(error, &opened.folder);
        }
    };
    run.spool.close(&opened.header)?;

    let origin = Origin { options: &run.setup.options(), command: &command_line(), header: &opened.header };
    results.publish(&files::files(&ready, &tuned, origin)?)?;
    events.end(Ending::Complete, listing::summary(&tuned, &recipe));
    print_tuned::<G>(&tuned, &recipe, run)?;
    print(format_args!(
        "to look at:       {}\nevery candidate:  {}\nthe best table:   {}",
        opened.path(PAGE),
        opened.path(ROUNDS),
        opened.path(EXTENSIONS)
    ))?;
    if bed.searcher.setup.profile == Profile::Full {
        print(format_args!("its parameters:   {}", opened.path(PARAMETERS)))?;
    }
    print(format_args!("in games:         halfply tournament run {}", opened.path(MATCH)))?;
    opened.tell_done();
    Ok(Verdict::Good)
}

/// The best of a round, for watchers.
fn step(round: &Round) -> RunEvent {
    let best = round.best();
    let figures = [("nodes of the best", best.nodes as f64), ("positions solved by the best", best.solved as f64)];
    RunEvent::Step(Step { figures: figures.map(|(name, figure)| (name.to_owned(), figure)).to_vec() })
}

fn print_tuned<G: Furnished>(tuned: &Tuned, recipe: &TuningRecipe, run: &RunArgs) -> Result<()> {
    for listing in [listing::rounds(tuned, recipe, SHOWN), listing::settings(tuned, recipe, &G::VOCABULARY)] {
        print(run.width.fit(&listing))?;
        for note in &listing.notes {
            print(note)?;
        }
        print("")?;
    }
    print(listing::summary(tuned, recipe))
}

/// Reports the progress of a run: a line for each round, and the work left.
struct Narrator {
    progress: Progress,
    /// What a round is called.
    word: &'static str,
    /// Searches of a candidate.
    positions: usize,
    /// The same on the held-out positions.
    held_out: usize,
}

impl Narrator {
    fn new<G: Furnished>(ready: &Ready<'_, G>) -> Self {
        let word = ready.recipe.method.round();
        let (positions, held_out) = (ready.learned_from.problems.len(), ready.held_out.problems.len());
        Self { progress: Progress::new(0), word, positions, held_out }
    }

    fn tell(&mut self, event: Event<'_>) {
        let figures = |scored: &Scored| format!("{} nodes, {} solved", thousands(scored.nodes), scored.solved);
        match event {
            Event::Searched { time } => self.progress.finished(time),
            Event::Trying { candidates } => {
                self.progress.stage(&format!("candidates: {candidates}"), (candidates * self.positions) as u64);
            }
            Event::Given(given) => self.progress.note(&format!("as given: {}", figures(given))),
            Event::Round { number, round } => {
                let mean = thousands(round.mean(|scored| scored.nodes).round() as u64);
                let mean = if round.tried.len() > 1 { format!("; mean {mean} nodes") } else { String::new() };
                self.progress.note(&format!("{} {number:>3}: {}{mean}", self.word, figures(round.best())));
            }
            Event::HoldingOut { candidates } => {
                self.progress.stage("the held-out positions", (candidates * self.held_out) as u64);
            }
        }
    }
}
