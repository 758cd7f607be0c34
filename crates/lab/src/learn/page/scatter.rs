// SPDX-License-Identifier: GPL-3.0-or-later
//! Value against frequency: of two features that solve the same, the rarer one costs less search.

use maud::{Markup, html};

use super::{Page, class};
use crate::learn::judged::Judged;
use crate::report::html::note;
use crate::report::plot::{Axis, Plot};
use halfply_engine::base::figures::percent;

/// Lower frequencies are drawn at this value, because the axis is logarithmic.
const RAREST: f64 = 1e-3;

/// How many of the best features have their names beside them, where there is room.
const NAMED: usize = 25;

pub(super) fn plot(page: &Page<'_>) -> Markup {
    let is_feature = |judged: &&Judged| !judged.worth.is_bound && !judged.table.is_empty();
    let mut features: Vec<&Judged> = page.findings.outcome.judged.iter().filter(is_feature).collect();
    if features.is_empty() {
        return html! {};
    }
    // The best ones last, so that they are on top.
    features.sort_by_key(|judged| judged.worth.value);
    let neutral = page.neutral().map(|neutral| neutral.worth.value);
    let values = || features.iter().map(|judged| judged.worth.value).chain(neutral);
    // A penalty can make values negative.
    let (low, high) = (values().min().unwrap_or(0).min(0), values().max().unwrap_or(0));
    let rates = features.iter().map(|judged| judged.worth.summary.frequency);
    let rarest = rates.filter(|&rate| rate > 0.0).fold(1.0, f64::min).max(RAREST);
    let is_count = features.iter().all(|judged| judged.worth.value == judged.worth.solved.len() as i64);
    let value = if is_count { "positions solved" } else { "value, in positions" };
    let x = Axis::rates("frequency: the share of the moves searched that have the feature (logarithmic)", rarest);
    let mut plot = Plot::new(&format!("{value} by frequency"), x, Axis::counts(value, low as f64, high as f64));
    if let Some(neutral) = neutral {
        plot.level(neutral as f64, &format!("Neutral, no extensions: {neutral}"));
    }
    for judged in &features {
        let (rate, value) = (judged.worth.summary.frequency, judged.worth.value);
        let title = format!("{}: {value}, {}", judged.name(page.vocabulary), percent(rate));
        plot.point(class(&judged.verdict), rate, value as f64, &title);
    }
    for judged in features.iter().rev().take(NAMED) {
        plot.name(judged.worth.summary.frequency, judged.worth.value as f64, &judged.name(page.vocabulary));
    }
    let kinds = [("base", "an atom"), ("kept", "a combination that was kept"), ("pruned", "dropped or pruned")];
    for (class, text) in kinds {
        if features.iter().any(|judged| self::class(&judged.verdict) == class) {
            plot.explain_point(class, text);
        }
    }
    html! {
        (plot.render())
        (note(
            "Features rarer than 0.1 % are drawn at 0.1 %. Best is high and to the left: many positions solved by few extended \
             moves. The nodes of a search are fixed, so every extended move takes nodes from the others."
        ))
    }
}
