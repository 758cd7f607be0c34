// SPDX-License-Identifier: GPL-3.0-or-later
//! A run as a page: one HTML file without scripts or network access.
//!
//! | file | idea |
//! |---|---|
//! | [`mod@self`] | the page as a whole, and its table |
//! | `scatter` | value against frequency |
//! | `sets` | which positions each group of similar features solves |
//! | `tree` | features as they grew and were pruned |
//! | `html` | text that is safe in a page |

mod scatter;
mod sets;
mod tree;

use super::findings::Findings;
use super::judged::{Judged, Verdict};
use super::listing;
use super::methods::Acceptance;
use crate::features::Vocabulary;
use crate::report::html::{escape, table};
use crate::report::page::{page, section, settings};

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
}

impl Page<'_> {
    /// The page's HTML.
    #[must_use]
    pub fn render(&self) -> String {
        let Self { title, command, findings, .. } = *self;
        let outcome = &findings.outcome;
        let (unsearched, all) = outcome.saved();
        let saved = match unsearched {
            0 => String::new(),
            _ => format!("; early rejection left {unsearched} of {all} searches undone"),
        };
        let summary = format!(
            "{} features evaluated on {} positions, {} in the output{}{saved}",
            outcome.judged.len(),
            findings.positions.len(),
            outcome.output().len(),
            if outcome.capped { ", stopped by max_evaluations" } else { "" }
        );
        let disjunctions = listing::disjunctions(findings, self.vocabulary);
        let disjunctions = disjunctions.map(|rows| section("Rows of one table, any of which extends", &table(&rows)));
        let disjunctions = disjunctions.unwrap_or_default();
        let parts = [
            section("What it found", &table(&listing::features(findings, self.vocabulary))),
            disjunctions,
            section("Value against frequency", &scatter::svg(self)),
            section("Positions solved", &sets::svg(self)),
            section("How the features grew", &tree::list(self)),
            section("Settings", &settings(self.settings)),
            section("The command that repeats it", &format!("<pre>{}</pre>", escape(command))),
        ];
        page(title, &summary, &parts)
    }

    /// A feature's name, safe in a page.
    fn name(&self, judged: &Judged) -> String {
        escape(&judged.name(self.vocabulary))
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
