// SPDX-License-Identifier: GPL-3.0-or-later
//! A run as a page: one HTML file without scripts or network access.

mod diagrams;
mod gains;
mod headline;
mod names;
mod scatter;
mod sets;
mod terms;
mod tree;

use maud::{Markup, html};

use super::findings::Findings;
use super::judged::{Judged, Verdict};
use super::listing;
use super::methods::Acceptance;
use super::similarity;
use crate::report::Listing;
use crate::report::html::table;
use crate::report::page::{Part, document, repeated_by, settings};
use halfply_engine::features::Vocabulary;

pub(super) use diagrams::Diagrams;

/// How many features the table shows before the reader asks for more.
const SHOWN: usize = 20;

/// Another file of the run.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its path from the page.
    pub path: String,
    /// What it holds, in a few words.
    pub text: String,
}

impl Link {
    /// A link.
    pub fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }
}

/// A run and the contents of its page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What was learned from, in a line.
    pub title: &'a str,
    /// Settings by name, as shown on the page.
    pub settings: &'a [(String, String)],
    /// The command that repeats the run.
    pub command: &'a str,
    /// The names of atoms.
    pub vocabulary: &'a Vocabulary,
    /// What verdicts are explained by.
    pub acceptance: &'a Acceptance,
    /// What was found.
    pub findings: &'a Findings,
    /// Boards.
    pub diagrams: &'a Diagrams,
    /// The other files of the run.
    pub links: &'a [Link],
}

impl Page<'_> {
    /// The page's HTML.
    pub fn render(&self) -> String {
        let part = |id: &str, title: &str, body| Part::new(title, body).with_id(id);
        let mut parts = vec![
            part("names", "What the names mean", names::cards(self)),
            part("frequency", "What it solves, and what it costs", scatter::plot(self)),
            part("features", "The features", self.features()),
            part("table", "Rows of one table, any of which extends", self.disjunctions()),
            part("gained", "Positions gained and lost", gains::bars(self)),
            part("kinds", "Features of one kind", sets::rows(self)),
            part("growth", "How the features grew", tree::list(self)),
            part("settings", "Settings", settings(self.settings)),
            repeated_by(self.command).with_id("command"),
        ];
        parts.retain(|part| !part.body.0.is_empty());
        let header = html! {
            (headline::header(self))
            @if !self.links.is_empty() {
                nav aria-label="files" { "Files: " @for link in self.links { a href=(link.path) { (link.text) } " " } }
            }
            nav aria-label="contents" {
                @for Part { id, title, .. } in &parts {
                    @if let Some(id) = id { a href=(format_args!("#{id}")) { (title) } " " }
                }
            }
        };
        document(self.title, &header, &parts)
    }

    /// The features of the output as a table, and what its columns mean.
    fn features(&self) -> Markup {
        let mut best = listing::features(self.findings, self.vocabulary);
        // The page explains its columns itself.
        best.notes.clear();
        let all = best.rows.len();
        let rest = best.rows.split_off(all.min(SHOWN));
        html! {
            (table(&best))
            @if !rest.is_empty() {
                details {
                    summary { (rest.len()) " more of " (all) }
                    (table(&Listing { rows: rest, ..best.clone() }))
                }
            }
            (terms::list(&best, self.findings))
        }
    }

    fn disjunctions(&self) -> Markup {
        let rows = listing::disjunctions(self.findings, self.vocabulary);
        html! { @if let Some(rows) = rows { (table(&rows)) } }
    }

    /// A feature's name.
    fn name(&self, judged: &Judged) -> String {
        judged.name(self.vocabulary)
    }

    /// What was found for the search without extensions.
    fn neutral(&self) -> Option<&Judged> {
        self.findings.outcome.judged.iter().find(|judged| judged.table.is_empty())
    }

    /// The output without features that solve nearly the same positions as a better one.
    fn kinds(&self) -> Vec<&Judged> {
        let output = self.findings.outcome.output();
        let solved: Vec<&[usize]> = output.iter().map(|judged| &judged.worth.solved[..]).collect();
        let leaders = similarity::leaders(&solved);
        (0..output.len()).filter(|&place| leaders[place] == place).map(|place| output[place]).collect()
    }
}

/// The class of a verdict in the style sheet.
fn class(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Neutral => "neutral",
        Verdict::Base => "base",
        Verdict::Kept | Verdict::Tried => "kept",
        Verdict::BelowThreshold { .. } | Verdict::Pruned { .. } => "pruned",
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
