// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn genetic` and `gradient`: settings of the search that take fewer nodes to solve a suite.

use anyhow::Result;

use super::arguments::TuningArgs;
use super::suite;
use crate::cli::Verdict;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::load_table;
use crate::cli::study::Document;
use halfply_engine::base::figures::thousands;
use halfply_engine::features::ExtensionTable;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::Profile;
use halfply_lab::learn::Candidate;
use halfply_lab::learn::files::{EXTENSIONS, MATCH, PAGE, PARAMETERS, ROUNDS};
use halfply_lab::learn::tuning::run::Ready;
use halfply_lab::learn::tuning::{Tuning, TuningRecipe, files, listing, page};
use halfply_lab::run::Event;
use halfply_lab::run::events::RunKind;

/// How many rounds the table at the end shows, about.
const SHOWN: usize = 20;

pub fn run_game<G: RegisteredGame>(method: &Tuning, args: &TuningArgs) -> Result<Verdict> {
    // Before the benchmark, which takes a few tenths of a second.
    let stop = stop_on_ctrl_c();
    let TuningArgs { objective, extensions, run } = args;
    let mut method = method.clone();
    let mut bed = run.bed::<G>()?;
    let table = load_table::<G>(extensions.as_ref())?;
    // The journal is also of the definitions of its atoms.
    bed.searcher.setup.table = ExtensionTable::default().with_own(table.own().cloned());
    method.genes().load(&bed.vocabulary())?;
    let recipe = TuningRecipe { method, objective: objective.clone() };
    let given = Candidate::of_table(table, &bed.searcher.setup);
    let ready = Ready::new(&bed, &recipe, given)?;
    let identity = (&recipe, ready.given.table.summary(&G::VOCABULARY));
    let (name, vocabulary) = (recipe.method.name(), bed.vocabulary());
    run.study((RunKind::Tuning, name), (&bed, ready.scope()), &identity, &stop, &mut |runner, watch, origin| {
        let positions = suite::positions(&bed.suite.name, &ready.learned_from, &ready.held_out);
        watch.begin(format_args!("{name} {positions}, {} nodes each", thousands(run.nodes)));
        let tuned = ready.learn(runner, &mut |event| {
            if let Event::Step { so_far, .. } = &event {
                watch.show(|| page::page(&ready, so_far, origin), || listing::summary(so_far, &recipe));
            }
            watch.tell(event);
        })?;
        let summary = listing::summary(&tuned, &recipe);
        let mut document = Document::new(files::files(&ready, &tuned, origin)?, summary.clone());
        for listing in [listing::rounds(&tuned, &recipe, SHOWN), listing::settings(&tuned, &recipe, &vocabulary)] {
            document.table(&listing, run.common.study.width);
            document.line("");
        }
        document.line(summary);
        document.next("report", watch.path(PAGE));
        document.next("every candidate", watch.path(ROUNDS));
        document.next("the best table", watch.path(EXTENSIONS));
        if bed.searcher.setup.profile == Profile::Full {
            document.next("its parameters", watch.path(PARAMETERS));
        }
        if tuned.has_changed() {
            document.next("in games", format!("halfply tournament run {}", watch.path(MATCH)));
        }
        Ok(document)
    })
}
