// SPDX-License-Identifier: GPL-3.0-or-later
//! The features as they grew: each under its first parent, with its verdict and the reason.

use std::collections::HashMap;

use super::{Page, class, escape};
use crate::learn::judged::Judged;
use crate::learn::report;
use halfply_engine::features::AtomSet;

pub(super) fn list(page: &Page<'_>) -> String {
    let mut children: HashMap<AtomSet, Vec<&Judged>> = HashMap::new();
    for judged in page.findings.outcome.ranking() {
        if !judged.table.is_empty() {
            let parent = judged.parents.map_or(AtomSet::EMPTY, |parents| parents.first);
            children.entry(parent).or_default().push(judged);
        }
    }
    let neutral = page.findings.outcome.judged.iter().find(|judged| judged.table.is_empty());
    let root = neutral.map(|neutral| branch(page, neutral, &children)).unwrap_or_default();
    format!("<ul class=\"tree\">\n{root}</ul>")
}

/// A feature and what grew from it. Features have more atoms than their parents, so this ends.
fn branch(page: &Page<'_>, judged: &Judged, children: &HashMap<AtomSet, Vec<&Judged>>) -> String {
    let bound = if judged.worth.is_bound { "≤ " } else { "" };
    let line = format!(
        "<b class=\"{}\">{}</b> {bound}{} <span class=\"why\">{}</span>",
        class(&judged.verdict),
        page.name(judged),
        judged.worth.value,
        escape(&report::verdict(page.vocabulary, judged, page.acceptance))
    );
    match children.get(&judged.feature()) {
        None => format!("<li>{line}</li>\n"),
        Some(list) => {
            let inner: String = list.iter().map(|child| branch(page, child, children)).collect();
            format!("<li><details open><summary>{line}</summary>\n<ul>\n{inner}</ul></details></li>\n")
        }
    }
}
