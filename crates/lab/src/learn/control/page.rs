// SPDX-License-Identifier: GPL-3.0-or-later
//! A learned model of search control as tables and as a page.

use maud::{Markup, html};

use super::fit::Fit;
use super::run::Learned;
use crate::report::html::table;
use crate::report::page::{Part, page, repeated_by};
use crate::report::plot::{Axis, Plot};
use crate::report::{Cell, Column, Listing};
use halfply_engine::base::figures::{percent, thousands};
use halfply_engine::features::Vocabulary;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::Parameters;
use halfply_engine::search::control::TERMS;

/// The least share that plots show.
const LEAST: f64 = 1e-4;

/// How good models with fewer terms are.
pub fn variants(fit: &Fit) -> Listing {
    let mut listing = Listing::new([
        Column::words("terms"),
        Column::figures("number"),
        Column::figures("held-out loss"),
        Column::figures("AUC"),
    ]);
    for variant in &fit.variants {
        listing.push([
            Cell::text(variant.name),
            Cell::count(variant.terms as u64),
            Cell::decimal(variant.quality.loss, 5),
            Cell::decimal(variant.quality.auc, 4),
        ]);
    }
    listing.notes.push(
        "AUC: the probability that a move that raises alpha is thought likelier to than one that does not".to_owned(),
    );
    listing
}

/// The weights of all terms and features.
pub fn weights(fit: &Fit, vocabulary: &Vocabulary) -> Listing {
    let mut listing = Listing::new([
        Column::words("term"),
        Column::figures("reduce"),
        Column::figures("skip"),
        Column::prose("meaning").rank(2),
    ]);
    let weight = |weight: i32| Cell::decimal(f64::from(weight) / 1000.0, 3);
    let control = &fit.control;
    for ((name, meaning), (&reduce, &skip)) in TERMS.iter().zip(control.reduce.iter().zip(&control.skip)) {
        if reduce != 0 || skip != 0 {
            let skip = if skip == 0 { Cell::blank() } else { weight(skip) };
            listing.push([Cell::text(*name), weight(reduce), skip, Cell::text(meaning.trim())]);
        }
    }
    for &(feature, reduce) in &control.rows {
        let meaning = "a feature of the move";
        listing.push([Cell::text(vocabulary.format(feature)), weight(reduce), Cell::blank(), Cell::text(meaning)]);
    }
    listing
        .notes
        .push("what a value of one adds to ln(P / (1 - P)), if P is the probability of raising alpha".to_owned());
    listing
}

/// What is skipped at each depth.
pub fn skipping(fit: &Fit) -> Listing {
    let mut listing = Listing::new([
        Column::figures("plies"),
        Column::figures("moves"),
        Column::figures("skipped"),
        Column::figures("missed"),
        Column::figures("by the model"),
        Column::figures("threshold"),
    ]);
    for at in &fit.skipping {
        listing.push([
            Cell::count(at.plies.into()),
            Cell::count(at.samples),
            Cell::share(at.skipped),
            Cell::text(format!("{:.3}%", 100.0 * at.missed)),
            Cell::text(format!("{:.3}%", 100.0 * at.missed_by_model)),
            Cell::decimal(at.threshold, 2),
        ]);
    }
    let notes = [
        "missed: the share of skipped moves that would have raised alpha; by the model: of as many that it finds least likely",
        "threshold: the value of ln((1 - P) / P) from which on it would skip as many",
    ];
    listing.notes.extend(notes.map(str::to_owned));
    listing
}

/// The parameters that go with a model: the line through the thresholds.
pub fn parameters(fit: &Fit) -> Vec<(&'static str, i32)> {
    let Some([base, rise]) = fit.threshold else { return Vec::new() };
    let hundredths = |value: f64, most: i32| ((100.0 * value).round() as i32).clamp(0, most);
    vec![("learned_skip", hundredths(base, 2000)), ("learned_skip_slope", hundredths(rise, 400))]
}

/// What was learned, in a sentence.
pub fn summary(learned: &Learned) -> String {
    let Learned { fit, batches, samples } = learned;
    let raised: u64 = batches.iter().map(|batch| batch.raised).sum();
    let all: u64 = samples.iter().sum();
    let quality = fit.variants.last().map(|variant| variant.quality);
    let (loss, auc) = quality.map_or((0.0, 0.5), |quality| (quality.loss, quality.auc));
    format!(
        "{} samples, {} of which raise alpha; held-out loss {loss:.5}, AUC {auc:.3}",
        thousands(all),
        percent(raised as f64 / all.max(1) as f64)
    )
}

/// The page. `command` repeats the run.
pub fn render<G: RegisteredGame>(learned: &Learned, used: &Parameters, command: &str) -> String {
    let fit = &learned.fit;
    let skipped = html! {
        (missed(fit))
        (table(&skipping(fit)))
    };
    let parts = [
        Part::new("What has to be known of a move", table(&variants(fit))),
        Part::new("How likely, and how often it happened", calibration(fit)),
        Part::new("Moves that are skipped", skipped),
        Part::new("What it means for a move", examples(fit, used)),
        Part::new("Weights", table(&weights(fit, &G::VOCABULARY))),
        repeated_by(command),
    ];
    page(&format!("{}: which moves raise alpha", G::NAME), &summary(learned), &parts)
}

/// A dot for each step of probabilities, near the diagonal.
fn calibration(fit: &Fit) -> Markup {
    let mut plot = Plot::new(
        "share of moves that raised alpha by their probability",
        Axis::rates("probability by the model", LEAST),
        Axis::rates("share that raised alpha", LEAST),
    );
    plot.line("level", [(LEAST, LEAST), (1.0, 1.0)]);
    for bin in fit.bins.iter().filter(|bin| bin.observed > 0.0) {
        let name = format!("{} moves", thousands(bin.samples));
        plot.point("kept", bin.expected.max(LEAST), bin.observed.max(LEAST), &name);
    }
    plot.explain_point("kept", "moves of games held out, in steps of one logit");
    plot.explain_line("level", "as often as expected");
    plot.render()
}

/// What is missed at each depth, by the search that played and by the model.
fn missed(fit: &Fit) -> Markup {
    let last = fit.skipping.last().map_or(1.0, |at| f64::from(at.plies));
    let mut plot = Plot::new(
        "share of skipped moves that would have raised alpha",
        Axis::steps("plies of depth", 1.0, last.max(2.0)),
        Axis::rates("missed", LEAST),
    );
    let line = |of: fn(&super::fit::Skipping) -> f64| {
        fit.skipping.iter().map(move |at| (f64::from(at.plies), of(at).max(LEAST)))
    };
    plot.line("training", line(|at| at.missed));
    plot.line("held-out", line(|at| at.missed_by_model));
    plot.explain_line("training", "by the search that played");
    plot.explain_line("held-out", "by the model, which skips as many");
    plot.render()
}

/// What changes the reduction of a move by how much.
fn examples(fit: &Fit, used: &Parameters) -> Markup {
    let slope = f64::from(used.learned_slope) / 100.0;
    let mut effects: Vec<(&str, &str, f64)> = TERMS
        .iter()
        .zip(&fit.control.reduce)
        .skip(1)
        .map(|((name, meaning), &weight)| (*name, meaning.trim(), -slope * f64::from(weight) / 1000.0))
        .filter(|(.., plies)| plies.abs() >= 0.01)
        .collect();
    effects.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut listing =
        Listing::new([Column::words("term"), Column::figures("plies"), Column::prose("where it is one").rank(2)]);
    for (name, meaning, plies) in effects {
        listing.push([Cell::text(name), Cell::text(format!("{plies:+.2}")), Cell::text(meaning)]);
    }
    let note = format!(
        "a reduction is {:+.2} plies less {slope:.2} times the logit, never less than none; negative numbers are less of it",
        f64::from(used.learned_base) / 100.0
    );
    listing.notes.push(note);
    table(&listing)
}
