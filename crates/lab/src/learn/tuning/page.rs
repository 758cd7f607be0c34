// SPDX-License-Identifier: GPL-3.0-or-later
//! A run of tuning as a page.

use maud::Markup;

use super::run::Ready;
use super::{Round, Tuned, TuningRecipe, listing};
use crate::learn::files::{self, Origin};
use crate::report::chart::{Series, lines};
use crate::report::html::table;
use crate::report::page::{self, Part, repeated_by, settings};
use halfply_engine::games::RegisteredGame;

/// The page of a run that found this, at its end or so far.
pub fn page<G: RegisteredGame>(ready: &Ready<'_, G>, tuned: &Tuned, origin: Origin<'_>) -> String {
    let (bed, recipe, vocabulary) = (ready.bed, ready.recipe, ready.bed.vocabulary());
    let mut shown = files::settings(&bed.config(), recipe, origin.header.signature);
    shown.push(("extensions given".to_owned(), tuned.given.candidate.table.summary(&vocabulary)));
    let word = recipe.method.round();
    let parts = [
        Part::new(format!("Nodes over the {word}s, {}", recipe.objective.fitness.name()), nodes(recipe, tuned)),
        Part::new(format!("Positions solved over the {word}s"), solved(recipe, tuned)),
        Part::new("The best settings", table(&listing::settings(tuned, recipe, &vocabulary))),
        Part::new(format!("The {word}s"), table(&listing::rounds(tuned, recipe, usize::MAX))),
        Part::new("Settings of the run", settings(&shown)),
        repeated_by(origin.command),
    ];
    let title = format!("{}: {} on {}", G::NAME, recipe.method.name(), bed.suite.name);
    page::page(&title, &listing::summary(tuned, recipe), &parts)
}

fn nodes(recipe: &TuningRecipe, tuned: &Tuned) -> Markup {
    let best = |round: &Round| round.best().nodes as f64;
    let mean = |round: &Round| round.mean(|scored| scored.nodes);
    chart("total nodes", recipe, &tuned.rounds, best, mean)
}

fn solved(recipe: &TuningRecipe, tuned: &Tuned) -> Markup {
    let best = |round: &Round| round.best().solved as f64;
    let mean = |round: &Round| round.mean(|scored| scored.solved as u64);
    chart("positions solved", recipe, &tuned.rounds, best, mean)
}

/// A line for the candidate with the fewest nodes, and one for the mean of a population.
fn chart(
    figure: &str,
    recipe: &TuningRecipe,
    rounds: &[Round],
    best: impl Fn(&Round) -> f64,
    mean: impl Fn(&Round) -> f64,
) -> Markup {
    let best = rounds.iter().map(best).collect();
    let mut series = vec![Series { name: "the organism with the fewest nodes", class: "held-out", figures: best }];
    if rounds.iter().any(|round| round.tried.len() > 1) {
        let mean = rounds.iter().map(mean).collect();
        series.push(Series { name: "the mean of the population", class: "training", figures: mean });
    }
    lines(figure, recipe.method.round(), 1, &series)
}
