// SPDX-License-Identifier: GPL-3.0-or-later
//! What atoms mean, in words, each with a move that has it.

use maud::{Markup, html};

use super::{Page, headline};
use crate::report::html::note;
use halfply_engine::base::figures::percent;
use halfply_engine::features::AtomSet;

/// Cards of all atoms that were tried: those of the best table first, the others on request.
pub(super) fn cards(page: &Page<'_>) -> Markup {
    let tried: AtomSet = page.findings.outcome.judged.iter().map(|judged| judged.table.wanted()).collect();
    let best = headline::best(page);
    let first = best.map(|(table, _)| table.wanted()).unwrap_or_default();
    let rows = best.map(|(table, _)| table.rows()).unwrap_or_default();
    let whole = rows.iter().map(|row| row.feature).filter(|feature| feature.len() > 1);
    let mut shown: Vec<Markup> = whole.map(|feature| card(page, feature)).collect();
    let cards = |is_shown: bool| {
        let atoms = tried.indices().map(AtomSet::single).filter(move |&atom| first.meets(atom) == is_shown);
        atoms.map(|atom| card(page, atom)).collect::<Vec<_>>()
    };
    shown.extend(cards(true));
    let others = cards(false);
    if shown.is_empty() && others.is_empty() {
        return html! {};
    }
    html! {
        p {
            "An " b { "atom" } " is a property of a move. A " b { "feature" } " is one atom or several, joined by hyphens; a move has \
             the feature if it has all of them. Atoms are seen by the side that moves: it counts rows from its own side of the \
             board, and attacks are those after the move. The arrow is the move, and squares of another colour are the \
             opponent's last move."
        }
        div.cards { @for card in &shown { (card) } }
        @if !others.is_empty() {
            details {
                summary { (others.len()) " other atoms" }
                div.cards { @for card in &others { (card) } }
            }
        }
    }
}

/// A feature with its words, figures and a board.
fn card(page: &Page<'_>, feature: AtomSet) -> Markup {
    let diagram = page.diagrams.example(feature);
    let atoms: Vec<_> = feature.indices().filter_map(|index| page.vocabulary.atom(index)).collect();
    let words = match &atoms[..] {
        [atom] => &*atom.description,
        _ => "a move with all of these atoms",
    };
    let mut notes = Vec::new();
    let judged = page.findings.outcome.judged.iter().find(|judged| judged.feature() == feature);
    if let Some(judged) = judged.filter(|judged| !judged.worth.is_bound) {
        let solved = judged.worth.solved.len();
        notes.push(format!(
            "solves {solved}; {} of the moves searched have it",
            percent(judged.worth.summary.frequency)
        ));
    }
    match diagram {
        Some(diagram) => notes.push(format!("here: {}", diagram.moves)),
        None if feature.meets(page.vocabulary.state_set()) => {
            notes.push("whether a move has it depends on the state of the search".to_owned());
        }
        None => notes.push("no move of the test positions has it".to_owned()),
    }
    html! {
        div.card {
            @if let Some(diagram) = diagram { (diagram.board()) }
            div {
                b { (page.vocabulary.format(feature)) }
                p { (words) }
                @for text in &notes { (note(text)) }
            }
        }
    }
}
