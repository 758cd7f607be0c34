// SPDX-License-Identifier: GPL-3.0-or-later
//! A run as a page to look at: one HTML file without scripts, which asks nothing of a network.
//!
//! | file | idea |
//! |---|---|
//! | [`mod@self`] | the page as a whole, and its table |
//! | `scatter` | value against frequency |
//! | `sets` | which positions each kind of feature solves |
//! | `tree` | features as they grew and were pruned |
//! | `html` | text that is safe in a page |

mod html;
mod scatter;
mod sets;
mod tree;

use super::gradual_focus::{Judged, Outcome, Settings, Verdict};
use super::kinds;
use crate::features::Vocabulary;
use html::escape;

/// Colours of a light and of a dark page, and what all parts share. Verdicts have the same colour everywhere.
const STYLE: &str = include_str!("style.css");

/// A run with all that the page says of it.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// What was learned from, in a line.
    pub title: &'a str,
    /// Settings by name, as they are to be shown.
    pub settings: &'a [(String, String)],
    /// The command that repeats the run.
    pub command: &'a str,
    /// The names of atoms.
    pub vocabulary: &'a Vocabulary,
    /// The options that verdicts are explained by.
    pub options: &'a Settings,
    /// What was found.
    pub outcome: &'a Outcome,
    /// What the positions are called, in the order of the suite.
    pub positions: &'a [String],
}

impl Page<'_> {
    /// The page's HTML.
    #[must_use]
    pub fn render(&self) -> String {
        let Self { title, command, outcome, .. } = *self;
        let (unsearched, all) = outcome.saved();
        let saved = match unsearched {
            0 => String::new(),
            _ => format!("; early rejection left {unsearched} of {all} searches undone"),
        };
        let summary = format!(
            "{} features evaluated on {} positions, {} in the output{}{saved}",
            outcome.judged.len(),
            self.positions.len(),
            outcome.output().len(),
            if outcome.capped { ", stopped by max_evaluations" } else { "" }
        );
        let rows = self
            .settings
            .iter()
            .map(|(name, value)| format!("<tr><th>{}</th><td>{}</td></tr>\n", escape(name), escape(value)));
        let parts = [
            section("What it found", &self.table()),
            section("Value against frequency", &scatter::svg(self)),
            section("Positions solved", &sets::svg(self)),
            section("How the features grew", &tree::list(self)),
            section("Settings", &format!("<table>\n{}</table>", rows.collect::<String>())),
            section("The command that repeats it", &format!("<pre>{}</pre>", escape(command))),
        ];
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n{}</body>\n</html>\n",
            escape(&summary),
            parts.concat(),
            title = escape(title),
        )
    }

    /// The features put out, the best first.
    fn table(&self) -> String {
        let output = self.outcome.output();
        let solved: Vec<&[usize]> = output.iter().map(|judged| &judged.evaluation.solved[..]).collect();
        let leaders = kinds::leaders(&solved);
        let row = |(place, judged): (usize, &&Judged)| {
            let summary = &judged.evaluation.summary;
            let name = self.name(judged);
            let like = if leaders[place] == place { String::new() } else { self.name(output[leaders[place]]) };
            let compared = self.outcome.compared_with(judged).map(|(parent, differences)| {
                let gain = judged.evaluation.value - parent.evaluation.value;
                (self.name(parent), format!("{gain:+}"), format!("{:.3}", differences.p_value()))
            });
            let (parent, gain, p) = compared.unwrap_or_default();
            let cells = [
                judged.evaluation.value.to_string(),
                gain,
                p,
                format!("{:.2} %", 100.0 * summary.frequency),
                format!("{:.2}", summary.mean_depth),
                format!("{:.2}", summary.mean_height),
            ];
            let numbers: String = cells.iter().map(|cell| format!("<td class=\"number\">{cell}</td>")).collect();
            format!("<tr><td>{name}</td><td>{like}</td><td>{parent}</td>{numbers}</tr>\n")
        };
        let rows: String = output.iter().enumerate().map(row).collect();
        let numbers = ["solved", "gain", "p", "frequency", "mean depth", "mean height"];
        let numbers: String = numbers.iter().map(|name| format!("<th class=\"number\">{name}</th>")).collect();
        format!(
            "<table>\n<tr><th>feature</th><th>like</th><th>compared with</th>{numbers}</tr>\n{rows}</table>\n\
             <p class=\"note\">like: the first feature of its kind, if {} % or more of what either solves is what both solve. \
             p: how likely so one-sided a difference is if neither is better (exact McNemar test); these are the best of \
             many.</p>",
            100.0 * kinds::ALIKE
        )
    }

    /// A feature's name, safe in a page.
    fn name(&self, judged: &Judged) -> String {
        escape(&self.vocabulary.format(judged.feature))
    }
}

fn section(title: &str, body: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{body}\n</section>\n")
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
