// SPDX-License-Identifier: GPL-3.0-or-later
//! What was found and what it is worth: a sentence, what it means, and a few figures.

use maud::{Markup, html};

use super::Page;
use crate::learn::listing::LEVEL;
use crate::learn::worth::Worth;
use halfply_engine::base::figures::percent;
use halfply_engine::features::{ExtensionTable, Row};

/// The best table of the run: a disjunction if one is worth more than every feature. None if nothing solves more than the
/// search without extensions.
pub(super) fn best<'a>(page: &Page<'a>) -> Option<(&'a ExtensionTable, &'a Worth)> {
    let outcome = &page.findings.outcome;
    let grown = outcome.best_disjunction().map(|(growth, _)| growth.last()).map(|step| (&step.table, &step.worth));
    let single = || outcome.worthwhile(page.vocabulary).first().map(|judged| (&judged.table, &judged.worth));
    grown.or_else(single)
}

/// The header of the page.
pub(super) fn header(page: &Page<'_>) -> Markup {
    let outcome = &page.findings.outcome;
    let positions = page.findings.positions.len();
    let without = page.neutral().map_or(0, |neutral| neutral.worth.solved.len());
    let tried = outcome.judged.len();
    let kept = outcome.output().len();
    let capped = if outcome.capped { ", stopped by max_evaluations" } else { "" };
    let (unsearched, all) = outcome.saved();
    let saved = match unsearched {
        0 => String::new(),
        _ => format!("; early rejection left {unsearched} of {all} searches undone"),
    };
    let summary = format!("{tried} features evaluated on {positions} positions, {kept} in the output{capped}{saved}");
    let over = html! { p.over { (page.title) } };
    let Some((table, worth)) = best(page) else {
        return html! {
            (over)
            h1 { "No feature solves more positions than the search without extensions" }
            p { (summary) "." }
        };
    };
    let rows: Vec<String> = table.rows().iter().map(|row| page.vocabulary.format(row.feature)).collect();
    let (name, solved) = (rows.join(" or "), worth.solved.len());
    let mut figures = vec![
        (solved.to_string(), "kept", format!("of {positions} positions solved with it")),
        (without.to_string(), "", "solved without extensions".to_owned()),
        (percent(worth.summary.frequency), "", "of the moves searched have it".to_owned()),
    ];
    if let Some(held_out) = &page.findings.held_out {
        let solved = |table: &ExtensionTable| held_out.of(table).map_or(0, |worth| worth.solved.len());
        let (with, without) = (solved(table), solved(&ExtensionTable::default()));
        let text = format!("of {} held-out positions solved, {without} without extensions", held_out.positions);
        figures.push((with.to_string(), "", text));
    }
    html! {
        (over)
        h1 { (name) " solves " (solved) " of " (positions) " positions; the search without extensions solves " (without) }
        @for row in table.rows() { p.lede { (meaning(page, row)) } }
        ul.figures { @for (figure, class, text) in &figures { li { b class=(class) { (figure) } (text) } } }
        p {
            (summary) ". " (gain_in_words(page, table)) "To see what it is worth in games, give the folder of this page to "
            code { "halfply tournament run --a FOLDER" } "."
        }
    }
}

/// What a row says, with the words of its atoms.
fn meaning(page: &Page<'_>, row: &Row) -> Markup {
    let atoms: Vec<_> = row.feature.indices().filter_map(|index| page.vocabulary.atom(index)).collect();
    let before = match atoms.len() {
        0 => "any atom",
        1 => "",
        2 => "both ",
        _ => "all of ",
    };
    let plies = if row.cost.to_string() == "1" { "ply" } else { "plies" };
    let effect = if row.cost < halfply_engine::base::Depth::PLY { "deeper" } else { "less deep" };
    html! {
        "A move with " (before)
        @for (place, atom) in atoms.iter().enumerate() {
            @if place > 0 { (if place + 1 == atoms.len() { " and " } else { ", " }) }
            b { (atom.name) } " (“" (atom.description) "”)"
        }
        " costs " (row.cost.to_string()) " " (plies) " instead of 1, so the search looks " (effect) " behind it."
    }
}

/// How sure the gain is; empty if nothing is known.
fn gain_in_words(page: &Page<'_>, table: &ExtensionTable) -> String {
    let outcome = &page.findings.outcome;
    let judged = outcome.judged.iter().find(|judged| judged.table == *table);
    let compared = judged.and_then(|judged| Some((judged, outcome.compared_with(judged)?)));
    compared.map_or_else(String::new, |(judged, (other, comparison))| {
        let is_real = outcome.real_gains(LEVEL).contains(&judged.feature());
        let gain = judged.worth.value - other.worth.value;
        let p = if comparison.p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {:.3}", comparison.p) };
        let tried = outcome.judged.len().saturating_sub(1);
        let real = if is_real { "significant even as" } else { "not significant as" };
        format!(
            "{} is worth {gain:+} against {} ({p}), {real} one of {tried} that were tried. ",
            page.name(judged),
            page.name(other),
        )
    })
}
