// SPDX-License-Identifier: GPL-3.0-or-later
//! What tuning found, as listings for terminals, pages and files.

use super::{Count, Round, Scored, Tuned, TuningRecipe};
use crate::report::{Cell, Column, Listing};
use halfply_engine::base::figures::{percent, quantity, thousands};
use halfply_engine::features::Vocabulary;

/// The rounds: all, or about so many of them, the first and the last always among them.
pub fn rounds(tuned: &Tuned, recipe: &TuningRecipe, most: usize) -> Listing {
    let word = recipe.method.round();
    let is_population = tuned.rounds.iter().any(|round| round.tried.len() > 1);
    let other = match recipe.objective.fitness {
        Count::FirstFound => Count::FoundAndKept,
        Count::FoundAndKept => Count::FirstFound,
    };
    let knows_other = !recipe.objective.stop_at_first_find;
    let mut columns = vec![Column::figures(word), Column::figures("nodes")];
    if is_population {
        columns.push(Column::figures("mean"));
    }
    columns.push(Column::figures("solved"));
    if is_population {
        columns.push(Column::figures("mean solved").rank(1));
    }
    if knows_other {
        columns.push(Column::figures(other.name()).rank(2));
    }
    let mut listing = Listing::new(columns);
    let mut push = |label: Cell, round: &Round| {
        let best = round.best();
        let mut row = vec![label, Cell::count(best.nodes)];
        if is_population {
            row.push(Cell::count(round.mean(|scored| scored.nodes).round() as u64));
        }
        row.push(Cell::number(best.solved as i64));
        if is_population {
            row.push(Cell::decimal(round.mean(|scored| scored.solved as u64), 1));
        }
        if knows_other {
            row.push(Cell::count(counted(best, other)));
        }
        listing.push(row);
    };
    let last = tuned.rounds.len().saturating_sub(1);
    let step = tuned.rounds.len().div_ceil(most.max(1)).max(1);
    for (index, round) in tuned.rounds.iter().enumerate() {
        if index % step == 0 || index == last {
            push(Cell::number(index as i64 + 1), round);
        }
    }
    let nodes = format!("nodes: the total until each right move was {}", recipe.objective.fitness.name());
    listing.notes.push(if is_population {
        format!("{nodes}, by the best organism; an unsolved position counts the limit")
    } else {
        format!("{nodes}; an unsolved position counts the limit")
    });
    listing
}

/// The given candidate against the best one: every setting, and their figures.
pub fn settings(tuned: &Tuned, recipe: &TuningRecipe, vocabulary: &Vocabulary) -> Listing {
    let (given, best) = (&tuned.given, tuned.best());
    let mut listing = Listing::new([Column::words("setting"), Column::figures("given"), Column::figures("best")]);
    for setting in &tuned.settings {
        let value = |scored: &Scored| setting.show(setting.get(&scored.candidate));
        listing.push([setting.name(vocabulary), value(given), value(best)]);
    }
    let mut figures = |label: String, given: &Scored, best: &Scored| {
        for count in [Count::FirstFound, Count::FoundAndKept] {
            if count == Count::FirstFound || !recipe.objective.stop_at_first_find {
                let name = format!("{label}nodes, {}", count.name());
                listing.push([name, thousands(counted(given, count)), thousands(counted(best, count))]);
            }
        }
        listing.push([format!("{label}solved"), given.solved.to_string(), best.solved.to_string()]);
    };
    figures(String::new(), given, best);
    if let Some(held_out) = &tuned.held_out {
        figures("held out: ".to_owned(), &held_out.given, &held_out.best);
        listing.notes.push(format!("held out: {} positions that were not learned from", held_out.positions));
    }
    listing
}

/// The difference from the given candidate to the best one, in words.
pub fn summary(tuned: &Tuned, recipe: &TuningRecipe) -> String {
    let (given, best) = (tuned.given.nodes, tuned.best().nodes);
    let change = if best < given {
        let less = percent((given - best) as f64 / given.max(1) as f64);
        format!("{less} fewer nodes than as given")
    } else {
        "no fewer nodes than as given".to_owned()
    };
    let rounds = quantity(tuned.rounds.len() as u64, recipe.method.round());
    format!("{rounds} on {}: {change}", quantity(tuned.positions as u64, "position"))
}

/// Every candidate of every round as a listing with one column for each setting.
pub fn all(tuned: &Tuned, recipe: &TuningRecipe, vocabulary: &Vocabulary) -> Listing {
    let figures = [recipe.method.round(), "organism", "nodes_first_found", "nodes_found_and_kept", "solved"];
    let names = tuned.settings.iter().map(|setting| Column::figures(setting.name(vocabulary)));
    let mut listing = Listing::new(figures.map(Column::figures).into_iter().chain(names));
    for (number, round) in tuned.rounds.iter().enumerate() {
        for (organism, scored) in round.tried.iter().enumerate() {
            let figures = [
                number as u64 + 1,
                organism as u64 + 1,
                scored.first_found,
                scored.found_and_kept,
                scored.solved as u64,
            ];
            let values = tuned.settings.iter().map(|setting| setting.show(setting.get(&scored.candidate)));
            listing
                .push(figures.map(|figure| Cell::text(figure.to_string())).into_iter().chain(values.map(Cell::text)));
        }
    }
    listing
}

fn counted(scored: &Scored, count: Count) -> u64 {
    match count {
        Count::FirstFound => scored.first_found,
        Count::FoundAndKept => scored.found_and_kept,
    }
}
