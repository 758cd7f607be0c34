// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions that only one of two searches solves: a bar for each kind of features, and boards for the best one.

use super::{Page, escape, headline};
use crate::learn::judged::Judged;

/// How many kinds of features have bars.
const BARS: usize = 12;

/// How many boards of positions gained and of positions lost are shown.
const BOARDS: [usize; 2] = [8, 4];

/// What only the first solves.
fn only(first: &[usize], second: &[usize]) -> Vec<usize> {
    first.iter().copied().filter(|place| !second.contains(place)).collect()
}

pub(super) fn bars(page: &Page<'_>) -> String {
    let Some(neutral) = page.neutral() else { return String::new() };
    let without = &neutral.worth.solved;
    let kinds: Vec<_> = page.kinds().into_iter().filter(|judged| !judged.table.is_empty()).take(BARS).collect();
    let Some((best, worth)) = headline::best(page) else { return String::new() };
    let counts = |solved: &[usize]| (only(without, solved).len(), only(solved, without).len());
    let all: Vec<(usize, usize)> = kinds.iter().map(|judged| counts(&judged.worth.solved)).collect();
    let most_lost = all.iter().map(|(lost, _)| *lost).max().unwrap_or(0);
    let width = most_lost + all.iter().map(|(_, gained)| *gained).max().unwrap_or(0).max(1);
    let bar = |(judged, (lost, gained)): (&&Judged, &(usize, usize))| {
        let name = page.name(judged);
        format!(
            "<span>{name}</span><span class=\"lost\">−{lost}</span>\
             <svg viewBox=\"0 0 {width} 1\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"{name}: {lost} lost, {gained} gained\">\
             <rect class=\"lost\" x=\"{}\" width=\"{lost}\" height=\"1\"/>\
             <rect class=\"gained\" x=\"{most_lost}\" width=\"{gained}\" height=\"1\"/></svg>\
             <span class=\"gained\">+{gained}</span>\n",
            most_lost - lost
        )
    };
    let bars: String = kinds.iter().zip(&all).map(bar).collect();
    let [gained, lost] = [only(&worth.solved, without), only(without, &worth.solved)];
    let rows: Vec<String> = best.rows().iter().map(|row| page.vocabulary.format(row.feature)).collect();
    let with = format!("Only with {}", rows.join(" or "));
    let boards = boards(page, &gained, &with, "gained", BOARDS[0])
        + &boards(page, &lost, "Only without extensions", "lost", BOARDS[1]);
    format!(
        "<p>Of the positions that a feature solves, some are solved without extensions too. Gained are those that only the \
         feature solves, lost those that only the search without extensions solves.</p>\n\
         <div class=\"rows gains\">\n{bars}</div>\n{boards}"
    )
}

/// Boards of positions with their solutions.
fn boards(page: &Page<'_>, places: &[usize], title: &str, what: &str, most: usize) -> String {
    let board = |&place: &usize| {
        let (diagram, id) = (page.diagrams.problem(place)?, page.findings.positions.get(place)?);
        let solution = match &diagram.moves[..] {
            "" => String::new(),
            moves => format!(": {}", escape(moves)),
        };
        Some(format!(
            "<figure class=\"diagram\">{}<figcaption>{}{solution}</figcaption></figure>\n",
            diagram.board(),
            escape(id)
        ))
    };
    let shown: Vec<String> = places.iter().filter_map(board).take(most).collect();
    if shown.is_empty() {
        return String::new();
    }
    let (count, all) = (shown.len(), places.len());
    let part = if count < all { format!("{count} of {all} {what}") } else { format!("{all} {what}") };
    format!("<h3>{}: {part}</h3>\n<div class=\"boards\">\n{}</div>\n", escape(title), shown.concat())
}
