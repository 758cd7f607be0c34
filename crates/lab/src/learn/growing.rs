// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs that discover features, as those see them who watch: lines in the file of events, and a page made of them while the
//! features grow.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::event::LearnEvent;
use super::judged::{Judged, Verdict};
use super::methods::Acceptance;
use super::report;
use crate::report::band::{Band, Point};
use crate::report::html::{escape, table};
use crate::report::page::Part;
use crate::report::{Cell, Column, Listing};
use halfply_engine::base::echo::shortened;
use halfply_engine::base::figures::thousands;
use halfply_engine::features::Vocabulary;

/// With more features than this, a tree counts those that were pruned instead of listing them.
const MOST_LISTED: usize = 400;

/// The most features of a tree, pruned or not. The others are counted.
const MOST_SHOWN: usize = 2000;

/// The most atoms of a feature: how deep a tree is.
const DEEPEST: usize = 64;

/// The most runs of an experiment that are kept: the last ones.
const MOST_RUNS: usize = 200;

/// The most features of a run that are kept: the first ones.
const MOST_KEPT: usize = 300_000;

/// The most characters of a name that are shown.
const LONGEST_NAME: usize = 300;

/// A line of the file of events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum LearnLine {
    /// A run begins; an experiment has several.
    Run {
        /// What it is called.
        name: String,
        /// The positions that it learns from.
        positions: usize,
    },
    /// A level begins.
    Level {
        /// How many atoms its features have.
        atoms: usize,
        /// How many features are to be evaluated at most.
        features: usize,
    },
    /// A feature was judged. A feature that is judged again has been dropped.
    Judged(JudgedLine),
    /// A disjunction has changed.
    Grown {
        /// The table.
        table: String,
        /// What it is worth.
        value: i64,
    },
    /// The output is tried on positions that were held out.
    Holding {
        /// How many searches that takes.
        searches: usize,
    },
}

/// A feature and its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedLine {
    /// The feature, or a table of several rows.
    pub feature: String,
    /// What it is worth.
    pub value: i64,
    /// Whether it is worth at most that.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_bound: bool,
    /// The parent with the greater fitness; none for atoms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The verdict, in a word.
    pub verdict: VerdictWord,
    /// The verdict, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// A verdict without its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictWord {
    /// The empty feature.
    Neutral,
    /// An atom.
    Base,
    /// It is in the output.
    Kept,
    /// It is not in the output.
    Pruned,
}

impl VerdictWord {
    /// The class in the style sheet.
    fn class(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Base => "base",
            Self::Kept => "kept",
            Self::Pruned => "pruned",
        }
    }
}

impl LearnLine {
    /// The line of an event, if it has one.
    #[must_use]
    pub fn of(event: &LearnEvent<'_>, vocabulary: &Vocabulary, acceptance: &Acceptance) -> Option<Self> {
        match *event {
            LearnEvent::Level { atoms, features, .. } => Some(Self::Level { atoms, features }),
            LearnEvent::Judged(judged) | LearnEvent::Dropped(judged) => {
                Some(Self::Judged(JudgedLine::of(judged, vocabulary, acceptance)))
            }
            LearnEvent::Grown(step) => {
                Some(Self::Grown { table: step.table.summary(vocabulary), value: step.worth.value })
            }
            LearnEvent::HoldingOut { searches } => Some(Self::Holding { searches }),
            _ => None,
        }
    }
}

impl JudgedLine {
    fn of(judged: &Judged, vocabulary: &Vocabulary, acceptance: &Acceptance) -> Self {
        let verdict = match judged.verdict {
            Verdict::Neutral => VerdictWord::Neutral,
            Verdict::Base => VerdictWord::Base,
            Verdict::Kept | Verdict::Tried => VerdictWord::Kept,
            Verdict::BelowThreshold { .. } | Verdict::Pruned { .. } => VerdictWord::Pruned,
        };
        Self {
            feature: judged.name(vocabulary),
            value: judged.worth.value,
            is_bound: judged.worth.is_bound,
            parent: judged.parents.map(|parents| vocabulary.format(parents.first)),
            verdict,
            why: report::verdict(vocabulary, judged, acceptance),
        }
    }
}

/// What the lines of a file of events say, up to now.
#[derive(Debug, Default)]
pub struct Growing {
    runs: VecDeque<RunSoFar>,
}

/// One run.
#[derive(Debug, Default)]
struct RunSoFar {
    name: String,
    positions: usize,
    told: Vec<JudgedLine>,
    /// The places of features.
    places: HashMap<String, usize>,
    /// The best value after each feature.
    best: Vec<i64>,
    /// What is being done, in words.
    stage: String,
    /// The features of the level, and how many had been judged before it.
    level: (usize, usize),
    /// The last disjunction, and its value.
    grown: Option<(String, i64)>,
}

impl Growing {
    /// Takes a line.
    pub fn enter(&mut self, line: LearnLine) {
        if let LearnLine::Run { name, positions } = line {
            self.runs.push_back(RunSoFar {
                name: shortened(&name, LONGEST_NAME).into_owned(),
                positions,
                ..RunSoFar::default()
            });
            if self.runs.len() > MOST_RUNS {
                self.runs.pop_front();
            }
            return;
        }
        if self.runs.is_empty() {
            self.runs.push_back(RunSoFar::default());
        }
        if let Some(run) = self.runs.back_mut() {
            run.enter(line);
        }
    }

    /// What was found so far, in a sentence.
    #[must_use]
    pub fn headline(&self) -> String {
        let Some(run) = self.runs.back() else { return "Nothing has been evaluated yet.".to_owned() };
        let headline = run.headline();
        if self.runs.len() > 1 { format!("{}: {headline}", run.name) } else { headline }
    }

    /// The parts of the page. What is being done now is left out of a run that is over.
    #[must_use]
    pub fn parts(&self, is_over: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        if self.runs.len() > 1 {
            parts.push(Part::new("The runs so far", self.comparison()));
        }
        parts.extend(self.runs.back().map(|run| run.parts(is_over)).unwrap_or_default());
        parts
    }

    fn comparison(&self) -> String {
        let mut listing = Listing::new([
            Column::words("run"),
            Column::figures("evaluated"),
            Column::words("best"),
            Column::figures("value"),
            Column::figures("Neutral"),
        ]);
        for run in &self.runs {
            let best = run.best_told();
            listing.push([
                run.name.as_str().into(),
                Cell::count(run.told.len() as u64),
                best.map(|told| shortened(&told.feature, LONGEST_NAME).into_owned()).into(),
                best.map(|told| Cell::number(told.value)).into(),
                run.neutral().map(Cell::number).into(),
            ]);
        }
        format!("<div class=\"scroll\">{}</div>", table(&listing))
    }
}

impl RunSoFar {
    fn enter(&mut self, line: LearnLine) {
        match line {
            LearnLine::Run { .. } => {}
            LearnLine::Level { atoms, features } => {
                let what = match atoms {
                    1 => "Neutral and the atoms".to_owned(),
                    _ => format!("combinations of {atoms} atoms"),
                };
                (self.stage, self.level) = (what, (features, self.told.len()));
            }
            LearnLine::Judged(told) => match self.places.get(&told.feature) {
                Some(&place) => self.told[place] = told,
                None if self.told.len() >= MOST_KEPT => {}
                None => {
                    self.places.insert(told.feature.clone(), self.told.len());
                    let value = if told.is_bound { i64::MIN } else { told.value };
                    self.best.push(self.best.last().map_or(value, |&best| best.max(value)));
                    self.told.push(told);
                }
            },
            LearnLine::Grown { table, value } => {
                "tables of several rows".clone_into(&mut self.stage);
                (self.level, self.grown) = ((0, 0), Some((shortened(&table, 10 * LONGEST_NAME).into_owned(), value)));
            }
            LearnLine::Holding { .. } => {
                "the output on positions that were held out".clone_into(&mut self.stage);
                self.level = (0, 0);
            }
        }
    }

    fn neutral(&self) -> Option<i64> {
        self.told.iter().find(|told| told.verdict == VerdictWord::Neutral).map(|told| told.value)
    }

    fn best_told(&self) -> Option<&JudgedLine> {
        let counts = |told: &&JudgedLine| !told.is_bound && told.verdict != VerdictWord::Neutral;
        // Of equal ones the first.
        self.told.iter().filter(counts).rev().max_by_key(|told| told.value)
    }

    fn headline(&self) -> String {
        let Some(neutral) = self.neutral() else { return "Nothing has been evaluated yet.".to_owned() };
        let of = if self.positions > 0 {
            format!(" of {} positions", thousands(self.positions as u64))
        } else {
            String::new()
        };
        let features = match self.told.len() - 1 {
            1 => "1 feature".to_owned(),
            count => format!("{} features", thousands(count as u64)),
        };
        match self.best_told() {
            Some(best) => format!(
                "Best of {features} so far: {}, worth {}{of}; without extensions {neutral}.",
                shortened(&best.feature, LONGEST_NAME),
                best.value
            ),
            None => format!("Without extensions {neutral}{of}."),
        }
    }

    fn parts(&self, is_over: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        if !is_over && !self.stage.is_empty() {
            let (features, before) = self.level;
            let done = match features {
                0 => String::new(),
                _ => format!(": {} of at most {} evaluated", self.told.len() - before, thousands(features as u64)),
            };
            parts.push(Part::new("Now", format!("<p>{}{done}</p>", escape(&self.stage))));
        }
        if let Some(neutral) = self.neutral() {
            let point = |(place, &best): (usize, &i64)| Point::exact(place as f64 + 1.0, best as f64);
            let points: Vec<Point> = self.best.iter().enumerate().map(point).collect();
            let levels = [(neutral as f64, "Neutral: without extensions")];
            let title = "Value of the best feature, in positions";
            parts.push(Part::new("The best so far", Band { title, unit: "features", levels: &levels }.figure(&points)));
        }
        if let Some((table, value)) = &self.grown {
            let body = format!("<p>{}, worth {value}</p>", escape(table));
            parts.push(Part::new("The last table of several rows", body));
        }
        parts.push(Part::new("How the features grow", self.tree()));
        parts
    }

    /// The features, each under its first parent, the best first. Whatever the names are, this ends: each feature is in one
    /// list, and each list is taken once.
    fn tree(&self) -> String {
        let mut ranking: Vec<&JudgedLine> = self.told.iter().collect();
        ranking.sort_by_key(|told| std::cmp::Reverse(told.value));
        let mut children: HashMap<&str, Vec<&JudgedLine>> = HashMap::new();
        for told in ranking {
            if told.verdict != VerdictWord::Neutral {
                // Atoms grow from Neutral, whose name no feature has.
                children.entry(told.parent.as_deref().unwrap_or_default()).or_default().push(told);
            }
        }
        let neutral = self.told.iter().find(|told| told.verdict == VerdictWord::Neutral);
        let mut html = String::from("<ul class=\"tree\">\n");
        let mut shown = 0;
        // The lists that have begun, the innermost last, each with the number of features that it leaves out.
        let mut open = vec![(Vec::from_iter(neutral).into_iter(), 0)];
        while let Some((list, left_out)) = open.last_mut() {
            let Some(told) = list.next() else {
                if *left_out > 0 {
                    let _ = writeln!(html, "<li class=\"why\">{} more are not shown</li>", thousands(*left_out));
                }
                open.pop();
                html += if open.is_empty() { "</ul>\n" } else { "</ul></li>\n" };
                continue;
            };
            let is_pruned = told.verdict == VerdictWord::Pruned;
            if shown >= MOST_SHOWN || is_pruned && self.told.len() > MOST_LISTED {
                *left_out += 1;
                continue;
            }
            shown += 1;
            html += "<li>";
            html += &told.line();
            match children.remove(if open.len() == 1 { "" } else { &told.feature }) {
                None => html += "</li>\n",
                Some(grown) => {
                    html += "\n<ul>\n";
                    let is_too_deep = open.len() > DEEPEST;
                    let left_out = if is_too_deep { grown.len() as u64 } else { 0 };
                    open.push((if is_too_deep { Vec::new() } else { grown }.into_iter(), left_out));
                }
            }
        }
        let note = "<p class=\"note\">A feature stands below the better of its two parents, with its value. What is \
                    pruned grows no further.</p>";
        html + note
    }
}

impl JudgedLine {
    /// The feature with its value and the reason for its verdict, as HTML.
    fn line(&self) -> String {
        let bound = if self.is_bound { "≤ " } else { "" };
        format!(
            "<b class=\"{}\">{}</b> {bound}{} <span class=\"why\">{}</span>",
            self.verdict.class(),
            escape(&shortened(&self.feature, LONGEST_NAME)),
            self.value,
            escape(&shortened(&self.why, LONGEST_NAME))
        )
    }
}

#[cfg(test)]
#[path = "growing_tests.rs"]
mod tests;
