// SPDX-License-Identifier: GPL-3.0-or-later
//! What was found as rows of text, for terminals and for pages.

use super::disjunction::{Change, Growth};
use super::findings::Findings;
use super::gradual_focus::{Judged, Outcome};
use super::kinds;
use super::significance::{Differences, holm};
use crate::features::{AtomSet, ExtensionTable, Vocabulary};
use crate::figures::percent;

/// The level at which a gain is called real, if all comparisons of a run are looked at together.
pub const LEVEL: f64 = 0.05;

/// A table of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// What the columns hold.
    pub header: Vec<&'static str>,
    /// How many columns hold words; those behind them hold numbers.
    pub words: usize,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// What a reader has to know.
    pub notes: Vec<String>,
}

/// A figure that some listings have and others do not.
type Column<'a, T> = (&'static str, Box<dyn Fn(usize, &T) -> String + 'a>);

/// The features put out, the best first. Columns that would say the same of all are left out.
#[must_use]
pub fn features(findings: &Findings, vocabulary: &Vocabulary) -> Listing {
    let outcome = &findings.outcome;
    let output = outcome.output();
    let solved: Vec<&[usize]> = output.iter().map(|judged| &judged.evaluation.solved[..]).collect();
    let leaders = kinds::leaders(&solved);
    let compared: Vec<Option<(&Judged, Differences)>> =
        output.iter().map(|judged| outcome.compared_with(judged)).collect();
    let real = real_gains(outcome);
    let any = |differs: &dyn Fn(&Judged) -> bool| output.iter().any(|&judged| differs(judged));
    let several_plies = any(&|judged| !judged.feature.is_empty() && judged.evaluation.ply != output[0].evaluation.ply);
    let other_value = any(&|judged| judged.evaluation.value != judged.evaluation.solved.len() as i64);
    let repeated = any(&|judged| judged.evaluation.by_seed.len() > 1);

    let mut columns: Vec<Column<'_, Judged>> = Vec::new();
    columns.push(("feature", Box::new(|_, judged| vocabulary.format(judged.feature))));
    columns.push((
        "like",
        Box::new(|place, _| {
            let leader = leaders[place];
            if leader == place { String::new() } else { vocabulary.format(output[leader].feature) }
        }),
    ));
    columns.push((
        "parent",
        Box::new(|place, judged| {
            let parent = compared[place].filter(|_| judged.parents.is_some());
            parent.map_or_else(String::new, |(parent, _)| vocabulary.format(parent.feature))
        }),
    ));
    let words = columns.len();
    if several_plies {
        columns.push(("ply", Box::new(|_, judged| ply(judged))));
    }
    if other_value {
        columns.push(("value", Box::new(|_, judged| judged.evaluation.value.to_string())));
    }
    columns.push(("solved", Box::new(|_, judged| judged.evaluation.solved.len().to_string())));
    if repeated {
        columns.push(("seeds", Box::new(|_, judged| range(&judged.evaluation.by_seed))));
    }
    columns.push((
        "gain",
        Box::new(|place, judged| {
            compared[place].map_or_else(String::new, |(parent, _)| {
                format!("{:+}", judged.evaluation.value - parent.evaluation.value)
            })
        }),
    ));
    columns.push((
        "p",
        Box::new(|place, judged| {
            let mark = if real.contains(&judged.feature) { " *" } else { "" };
            compared[place].map_or_else(String::new, |(_, differences)| format!("{:.3}{mark}", differences.p_value()))
        }),
    ));
    if findings.held_out.is_some() {
        columns.push(("held out", Box::new(|_, judged| held_out(findings, &judged.table()))));
    }
    columns.push(("frequency", Box::new(|_, judged| percent(judged.evaluation.summary.frequency))));
    columns.push(("mean depth", Box::new(|_, judged| format!("{:.2}", judged.evaluation.summary.mean_depth))));
    columns.push(("mean height", Box::new(|_, judged| format!("{:.2}", judged.evaluation.summary.mean_height))));

    let row = |(place, judged): (usize, &&Judged)| columns.iter().map(|(_, figure)| figure(place, judged)).collect();
    let rows = output.iter().enumerate().map(row).collect();
    let header = columns.iter().map(|(name, _)| *name).collect();
    let mut notes = vec![format!(
        "gain: on the parent, of atoms on Neutral; p: how likely so one-sided a difference is if neither is better (exact \
         McNemar test), * where it is real even as one of the {} tried ({} % for all of them together, Holm); like: {} % \
         or more of what either solves is what both solve",
        outcome.judged.len().saturating_sub(1),
        100.0 * LEVEL,
        100.0 * kinds::ALIKE
    )];
    if repeated {
        notes.push("solved: by most of the seeds; seeds: the fewest and the most that one seed solves".to_owned());
    }
    if let Some(held_out) = &findings.held_out {
        notes.push(format!("held out: of {} positions that were not learned from", held_out.positions));
    }
    Listing { header, words, rows, notes }
}

/// How disjunctions grew; none if there is none.
#[must_use]
pub fn disjunctions(findings: &Findings, vocabulary: &Vocabulary) -> Option<Listing> {
    let step_rows = |growth: &Growth| -> Vec<Vec<String>> {
        let row = |(place, step): (usize, &super::disjunction::Step)| {
            let (sign, row) = match step.change {
                Change::Added(row) => ("+", row),
                Change::Dropped(row) => ("−", row),
            };
            let sign = if place == 0 { " " } else { sign };
            let previous = place.checked_sub(1).map(|place| &growth.steps[place]);
            let gain = previous.map(|previous| step.evaluation.value - previous.evaluation.value);
            let p = step.from_previous.map(|differences| format!("{:.3}", differences.p_value()));
            let mut cells = vec![
                format!("{sign} {}@{}", vocabulary.format(row.feature), row.cost),
                step.evaluation.value.to_string(),
                gain.map_or_else(String::new, |gain| format!("{gain:+}")),
                p.unwrap_or_default(),
            ];
            if findings.held_out.is_some() {
                cells.push(held_out(findings, &step.table));
            }
            cells.push(percent(step.evaluation.summary.frequency));
            cells
        };
        growth.steps.iter().enumerate().map(row).collect()
    };
    let rows: Vec<_> = findings.disjunctions.iter().flat_map(step_rows).collect();
    let mut header = vec!["row", "value", "gain", "p"];
    if findings.held_out.is_some() {
        header.push("held out");
    }
    header.push("frequency");
    let notes = vec!["each table begins with a feature; +: a row that came to it, −: one that went".to_owned()];
    (!rows.is_empty()).then_some(Listing { header, words: 1, rows, notes })
}

/// The features whose gain is real though they are the best of all that were tried. What is not put out counts as tried,
/// and not as a gain: of what was rejected early nobody knows the differences.
#[must_use]
pub fn real_gains(outcome: &Outcome) -> Vec<AtomSet> {
    let tried = outcome.judged.iter().filter(|judged| !judged.feature.is_empty());
    let gain = |judged: &Judged| {
        let differences = outcome.compared_with(judged).filter(|_| judged.verdict.is_output())?.1;
        (differences.gained > differences.lost).then(|| differences.p_value())
    };
    let (features, p_values): (Vec<AtomSet>, Vec<f64>) =
        tried.map(|judged| (judged.feature, gain(judged).unwrap_or(1.0))).unzip();
    let real = holm(&p_values, LEVEL).into_iter().zip(features);
    real.filter(|(real, _)| *real).map(|(_, feature)| feature).collect()
}

fn held_out(findings: &Findings, table: &ExtensionTable) -> String {
    let tried = findings.held_out.as_ref().and_then(|held_out| held_out.of(table));
    tried.map_or_else(String::new, |evaluation| evaluation.solved.len().to_string())
}

fn ply(judged: &Judged) -> String {
    if judged.feature.is_empty() { String::new() } else { judged.evaluation.ply.to_string() }
}

fn range(figures: &[usize]) -> String {
    match (figures.iter().min(), figures.iter().max()) {
        (Some(least), Some(most)) => format!("{least}-{most}"),
        _ => String::new(),
    }
}
