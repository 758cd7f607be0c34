// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions that only one of two searches solves: a bar for each kind of features, and boards for the best one.

use maud::{Markup, html};

use super::{Page, headline};
use crate::learn::judged::Judged;

/// How many kinds of features have bars.
const BARS: usize = 12;

/// How many boards of positions gained and of positions lost are shown.
const BOARDS: [usize; 2] = [8, 4];

/// What only the first solves.
fn only(first: &[usize], second: &[usize]) -> Vec<usize> {
    first.iter().copied().filter(|place| !second.contains(place)).collect()
}

pub(super) fn bars(page: &Page<'_>) -> Markup {
    let Some(neutral) = page.neutral() else { return html! {} };
    let without = &neutral.worth.solved;
    let kinds: Vec<_> = page.kinds().into_iter().filter(|judged| !judged.table.is_empty()).take(BARS).collect();
    let Some((best, worth)) = headline::best(page) else { return html! {} };
    let counts = |solved: &[usize]| (only(without, solved).len(), only(solved, without).len());
    let all: Vec<(usize, usize)> = kinds.iter().map(|judged| counts(&judged.worth.solved)).collect();
    let most_lost = all.iter().map(|(lost, _)| *lost).max().unwrap_or(0);
    let width = most_lost + all.iter().map(|(_, gained)| *gained).max().unwrap_or(0).max(1);
    let bar = |(judged, (lost, gained)): (&&Judged, &(usize, usize))| {
        let name = page.name(judged);
        html! {
            span { (name) }
            span.lost { "−" (lost) }
            svg viewBox=(format_args!("0 0 {width} 1")) preserveAspectRatio="none" role="img"
                aria-label=(format_args!("{name}: {lost} lost, {gained} gained")) {
                rect.lost x=(most_lost - lost) width=(lost) height="1" {}
                rect.gained x=(most_lost) width=(gained) height="1" {}
            }
            span.gained { "+" (gained) }
        }
    };
    let [gained, lost] = [only(&worth.solved, without), only(without, &worth.solved)];
    let rows: Vec<String> = best.rows().iter().map(|row| page.vocabulary.format(row.feature)).collect();
    let with = format!("Only with {}", rows.join(" or "));
    html! {
        p {
            "Of the positions that a feature solves, some are solved without extensions too. Gained are those that only the \
             feature solves, lost those that only the search without extensions solves."
        }
        div.rows.gains { @for kind in kinds.iter().zip(&all) { (bar(kind)) } }
        (boards(page, &gained, &with, "gained", BOARDS[0]))
        (boards(page, &lost, "Only without extensions", "lost", BOARDS[1]))
    }
}

/// Boards of positions with their solutions.
fn boards(page: &Page<'_>, places: &[usize], title: &str, what: &str, most: usize) -> Markup {
    let board = |&place: &usize| {
        let (diagram, id) = (page.diagrams.problem(place)?, page.findings.positions.get(place)?);
        Some(html! {
            figure.diagram {
                (diagram.board())
                figcaption { (id) @if !diagram.moves.is_empty() { ": " (diagram.moves) } }
            }
        })
    };
    let shown: Vec<Markup> = places.iter().filter_map(board).take(most).collect();
    if shown.is_empty() {
        return html! {};
    }
    let (count, all) = (shown.len(), places.len());
    let part = if count < all { format!("{count} of {all} {what}") } else { format!("{all} {what}") };
    html! {
        h3 { (title) ": " (part) }
        div.boards { @for board in &shown { (board) } }
    }
}
