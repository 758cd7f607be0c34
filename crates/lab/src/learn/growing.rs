// SPDX-License-Identifier: GPL-3.0-or-later
//! Runs that discover features, as those see them who watch: lines in the file of events, and a page made of them while the
//! features grow.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::judged::{Judged, Verdict};
use super::methods::Acceptance;
use super::report;
use crate::report::band::{Band, Point};
use crate::report::html::{escape, table};
use crate::report::page::Part;
use crate::report::{Cell, Column, Listing};
use halfply_engine::base::figures::thousands;
use halfply_engine::features::Vocabulary;

/// With more features than this, a tree counts those that were pruned instead of listing them.
const MOST_LISTED: usize = 400;

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
    Judged(Told),
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
pub struct Told {
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
    pub fn of(event: &Event<'_>, vocabulary: &Vocabulary, acceptance: &Acceptance) -> Option<Self> {
        match *event {
            Event::Level { atoms, features, .. } => Some(Self::Level { atoms, features }),
            Event::Judged(judged) | Event::Dropped(judged) => {
                Some(Self::Judged(Told::of(judged, vocabulary, acceptance)))
            }
            Event::Grown(step) => Some(Self::Grown { table: step.table.summary(vocabulary), value: step.worth.value }),
            Event::HoldingOut { searches } => Some(Self::Holding { searches }),
            _ => None,
        }
    }
}

impl Told {
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
    runs: Vec<RunSoFar>,
}

/// One run.
#[derive(Debug, Default)]
struct RunSoFar {
    name: String,
    positions: usize,
    told: Vec<Told>,
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
            self.runs.push(RunSoFar { name, positions, ..RunSoFar::default() });
            return;
        }
        if self.runs.is_empty() {
            self.runs.push(RunSoFar::default());
        }
        if let Some(run) = self.runs.last_mut() {
            run.enter(line);
        }
    }

    /// What was found so far, in a sentence.
    #[must_use]
    pub fn headline(&self) -> String {
        let Some(run) = self.runs.last() else { return "Nothing has been evaluated yet.".to_owned() };
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
        parts.extend(self.runs.last().map(|run| run.parts(is_over)).unwrap_or_default());
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
                best.map(|told| told.feature.clone()).into(),
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
                None => {
                    self.places.insert(told.feature.clone(), self.told.len());
                    let value = if told.is_bound { i64::MIN } else { told.value };
                    self.best.push(self.best.last().map_or(value, |&best| best.max(value)));
                    self.told.push(told);
                }
            },
            LearnLine::Grown { table, value } => {
                "tables of several rows".clone_into(&mut self.stage);
                (self.level, self.grown) = ((0, 0), Some((table, value)));
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

    fn best_told(&self) -> Option<&Told> {
        let counts = |told: &&Told| !told.is_bound && told.verdict != VerdictWord::Neutral;
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
                best.feature, best.value
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

    /// The features, each under its first parent, the best first.
    fn tree(&self) -> String {
        let mut ranking: Vec<&Told> = self.told.iter().collect();
        ranking.sort_by_key(|told| std::cmp::Reverse(told.value));
        let mut children: HashMap<&str, Vec<&Told>> = HashMap::new();
        for told in ranking {
            if told.verdict != VerdictWord::Neutral {
                // Atoms grow from Neutral, whose name no feature has.
                children.entry(told.parent.as_deref().unwrap_or_default()).or_default().push(told);
            }
        }
        let neutral = self.told.iter().find(|told| told.verdict == VerdictWord::Neutral);
        let root = neutral.map(|neutral| self.branch(neutral, "", &children)).unwrap_or_default();
        let note = "<p class=\"note\">A feature stands below the better of its two parents, with its value. What is \
                    pruned grows no further.</p>";
        format!("<ul class=\"tree\">\n{root}</ul>\n{note}")
    }

    /// A feature and what grew from it. Features have more atoms than their parents, so this ends.
    fn branch(&self, told: &Told, name: &str, children: &HashMap<&str, Vec<&Told>>) -> String {
        let bound = if told.is_bound { "≤ " } else { "" };
        let line = format!(
            "<b class=\"{}\">{}</b> {bound}{} <span class=\"why\">{}</span>",
            told.verdict.class(),
            escape(&told.feature),
            told.value,
            escape(&told.why)
        );
        let Some(list) = children.get(name) else { return format!("<li>{line}</li>\n") };
        let is_listed = |child: &&&Told| self.told.len() <= MOST_LISTED || child.verdict != VerdictWord::Pruned;
        let mut inner: String =
            list.iter().filter(is_listed).map(|child| self.branch(child, &child.feature, children)).collect();
        let left_out = list.len() - list.iter().filter(is_listed).count();
        if left_out > 0 {
            inner += &format!("<li class=\"why\">{} more were pruned</li>\n", thousands(left_out as u64));
        }
        format!("<li>{line}\n<ul>\n{inner}</ul></li>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::searches::TestBed;
    use crate::learn::{Recipe, run};
    use crate::players::SearchSpec;
    use crate::suite::Suite;
    use halfply_engine::games::{Breakthrough, Furnished};

    fn told(feature: &str, value: i64, parent: Option<&str>, verdict: VerdictWord) -> LearnLine {
        let (feature, parent) = (feature.to_owned(), parent.map(str::to_owned));
        LearnLine::Judged(Told { feature, value, is_bound: false, parent, verdict, why: "<why>".to_owned() })
    }

    fn growing(lines: Vec<LearnLine>) -> Growing {
        let mut growing = Growing::default();
        lines.into_iter().for_each(|line| growing.enter(line));
        growing
    }

    #[test]
    fn the_tree_grows_line_by_line() {
        let mut growing = growing(vec![
            LearnLine::Run { name: "a".to_owned(), positions: 200 },
            LearnLine::Level { atoms: 1, features: 3 },
            told("Neutral", 26, None, VerdictWord::Neutral),
        ]);
        assert_eq!(growing.headline(), "Without extensions 26 of 200 positions.");
        growing.enter(told("Ud", 60, None, VerdictWord::Base));
        growing.enter(told("PP", 30, None, VerdictWord::Base));
        growing.enter(told("PP", 30, None, VerdictWord::Pruned));
        growing.enter(LearnLine::Level { atoms: 2, features: 5 });
        growing.enter(told("Ud-Rdt", 103, Some("Ud"), VerdictWord::Kept));
        assert_eq!(
            growing.headline(),
            "Best of 3 features so far: Ud-Rdt, worth 103 of 200 positions; without extensions 26."
        );
        let parts = growing.parts(false);
        let body = |title: &str| &parts.iter().find(|part| part.title == title).unwrap().body[..];
        assert_eq!(body("Now"), "<p>combinations of 2 atoms: 1 of at most 5 evaluated</p>");
        assert!(body("The best so far").contains("Neutral: without extensions"));
        let tree = body("How the features grow");
        assert!(tree.contains("<b class=\"pruned\">PP</b> 30") && !tree.contains("base\">PP"), "{tree}");
        assert!(tree.contains("&lt;why&gt;") && tree.find("Ud</b>").unwrap() < tree.find("Ud-Rdt</b>").unwrap());
        assert_eq!(tree.matches("<ul").count(), tree.matches("</ul>").count());
        // Another run of an experiment.
        growing.enter(LearnLine::Run { name: "b".to_owned(), positions: 200 });
        growing.enter(told("Neutral", 26, None, VerdictWord::Neutral));
        assert_eq!(growing.headline(), "b: Without extensions 26 of 200 positions.");
        assert_eq!(growing.parts(false)[0].title, "The runs so far");
    }

    #[test]
    fn of_very_many_features_the_pruned_ones_are_counted() {
        let mut lines = vec![told("Neutral", 1, None, VerdictWord::Neutral), told("A", 5, None, VerdictWord::Base)];
        lines.extend((0..2000).map(|number| told(&format!("A-{number}"), 2, Some("A"), VerdictWord::Pruned)));
        let parts = growing(lines).parts(true);
        let tree = &parts.last().unwrap().body;
        assert!(tree.contains("2,000 more were pruned") && !tree.contains("A-17"), "{tree}");
    }

    #[test]
    fn a_run_tells_all_that_it_judges() {
        let mut suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
        suite.problems.truncate(3);
        let searcher = SearchSpec::default().searcher(1, std::path::Path::to_owned).unwrap();
        let bed = TestBed { suite, searcher, nodes: 50 };
        let recipe = Recipe::default();
        let acceptance = &recipe.method.conjunctions().acceptance;
        let vocabulary = <Breakthrough as halfply_engine::game::Game>::VOCABULARY;
        let mut growing = Growing::default();
        let findings = run(&bed, &recipe, |event| {
            // As in the file.
            let line = LearnLine::of(&event, &vocabulary, acceptance).map(|line| serde_json::to_string(&line).unwrap());
            line.into_iter().for_each(|line| growing.enter(serde_json::from_str(&line).unwrap()));
        })
        .unwrap();
        let run = &growing.runs[0];
        assert_eq!(run.told.len(), findings.outcome.judged.len());
        let outputs = run.told.iter().filter(|told| told.verdict != VerdictWord::Pruned).count();
        assert_eq!(outputs, findings.outcome.output().len());
    }
}
