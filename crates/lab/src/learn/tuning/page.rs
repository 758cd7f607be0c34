// SPDX-License-Identifier: GPL-3.0-or-later
//! A run of tuning as a page.

use maud::Markup;

use super::{Round, Tuned, TuningRecipe, listing};
use crate::report::chart::{Series, lines};
use crate::report::html::table;
use crate::report::page::{Part, page, repeated_by, settings};
use halfply_engine::features::Vocabulary;

/// A run and the contents of its page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What was tuned, in a line.
    pub title: &'a str,
    /// Settings of the run by name.
    pub settings: &'a [(String, String)],
    /// The command that repeats the run.
    pub command: &'a str,
    /// The names of atoms.
    pub vocabulary: &'a Vocabulary,
    /// How it was tuned.
    pub recipe: &'a TuningRecipe,
    /// What was found.
    pub tuned: &'a Tuned,
}

impl Page<'_> {
    /// The page's HTML.
    pub fn render(&self) -> String {
        let Self { title, command, vocabulary, recipe, tuned, .. } = *self;
        let word = recipe.method.round();
        let parts = [
            Part::new(format!("Nodes over the {word}s, {}", recipe.objective.fitness.name()), self.nodes()),
            Part::new(format!("Positions solved over the {word}s"), self.solved()),
            Part::new("The best settings", table(&listing::settings(tuned, recipe, vocabulary))),
            Part::new(format!("The {word}s"), table(&listing::rounds(tuned, recipe, usize::MAX))),
            Part::new("Settings of the run", settings(self.settings)),
            repeated_by(command),
        ];
        page(title, &listing::summary(tuned, recipe), &parts)
    }

    fn nodes(&self) -> Markup {
        let best = |round: &Round| round.best().nodes as f64;
        let mean = |round: &Round| round.mean(|scored| scored.nodes);
        self.chart("total nodes", best, mean)
    }

    fn solved(&self) -> Markup {
        let best = |round: &Round| round.best().solved as f64;
        let mean = |round: &Round| round.mean(|scored| scored.solved as u64);
        self.chart("positions solved", best, mean)
    }

    /// A line for the candidate with the fewest nodes, and one for the mean of a population.
    fn chart(&self, figure: &str, best: impl Fn(&Round) -> f64, mean: impl Fn(&Round) -> f64) -> Markup {
        let rounds = &self.tuned.rounds;
        let best = rounds.iter().map(best).collect();
        let mut series = vec![Series { name: "the organism with the fewest nodes", class: "held-out", figures: best }];
        if rounds.iter().any(|round| round.tried.len() > 1) {
            let mean = rounds.iter().map(mean).collect();
            series.push(Series { name: "the mean of the population", class: "training", figures: mean });
        }
        lines(figure, self.recipe.method.round(), 1, &series)
    }
}
