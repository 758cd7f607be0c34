// SPDX-License-Identifier: GPL-3.0-or-later
//! The features as they grew: each under its first parent, with its verdict and the reason.

use std::collections::HashMap;

use maud::{Markup, html};

use super::{Page, class};
use crate::learn::judged::Judged;
use crate::learn::report;
use halfply_engine::features::AtomSet;

pub(super) fn list(page: &Page<'_>) -> Markup {
    let mut children: HashMap<AtomSet, Vec<&Judged>> = HashMap::new();
    for judged in page.findings.outcome.ranking() {
        if !judged.table.is_empty() {
            let parent = judged.parents.map_or(AtomSet::EMPTY, |parents| parents.first);
            children.entry(parent).or_default().push(judged);
        }
    }
    let neutral = page.findings.outcome.judged.iter().find(|judged| judged.table.is_empty());
    html! {
        ul.tree { @if let Some(neutral) = neutral { (branch(page, neutral, &children)) } }
    }
}

/// A feature and what grew from it. Features have more atoms than their parents, so this ends.
fn branch(page: &Page<'_>, judged: &Judged, children: &HashMap<AtomSet, Vec<&Judged>>) -> Markup {
    let bound = if judged.worth.is_bound { "≤ " } else { "" };
    let line = html! {
        b class=(class(&judged.verdict)) { (page.name(judged)) }
        " " (bound) (judged.worth.value) " "
        span.why { (report::verdict(page.vocabulary, judged, page.acceptance)) }
    };
    html! {
        li {
            @match children.get(&judged.feature()) {
                None => { (line) },
                Some(grown) => {
                    details open {
                        summary { (line) }
                        ul { @for child in grown { (branch(page, child, children)) } }
                    }
                },
            }
        }
    }
}
