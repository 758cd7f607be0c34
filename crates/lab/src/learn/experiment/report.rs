// SPDX-License-Identifier: GPL-3.0-or-later
//! The report that compares the runs of an experiment.

use std::collections::BTreeMap;

use super::super::findings::Findings;
use super::super::methods::Method;
use super::super::outcome::LearnOutcome;
use super::super::worth::Worth;
use super::comparison::{self, Agreement};
use super::plan::{Plan, PlannedRun};
use crate::report::{Cell, Column, Listing};
use halfply_engine::base::figures::thousands;
use halfply_engine::features::{AtomSet, ExtensionTable, Vocabulary};

/// The report.
pub(super) struct Report<'a> {
    pub plan: &'a Plan,
    pub vocabulary: Vocabulary,
    /// Those of each run.
    pub findings: &'a [Findings],
    /// Of the suite.
    pub positions: usize,
    /// A position.
    pub nodes: u64,
    /// The behaviour signature of the search: it identifies the meaning of the atoms.
    pub signature: u64,
}

/// A part of the report: a table, and what is said about it.
pub(super) struct ReportPart {
    /// What it shows.
    pub title: &'static str,
    /// A paragraph before the table.
    pub before: Option<String>,
    /// The table.
    pub listing: Listing,
    /// Paragraphs after the table.
    pub after: Vec<String>,
    /// A list at the end.
    pub items: Vec<String>,
}

impl ReportPart {
    /// The part in Markdown without its title, with its table as `table` writes it.
    fn text(&self, table: &dyn Fn(&Listing) -> String) -> String {
        let before = self.before.as_ref().map(|text| format!("{text}\n\n")).unwrap_or_default();
        let after: String = self.listing.notes.iter().chain(&self.after).map(|text| format!("\n{text}\n")).collect();
        let items: String = self.items.iter().map(|item| format!("- {item}\n")).collect();
        let gap = if items.is_empty() { "" } else { "\n" };
        format!("{before}{}\n{after}{gap}{items}", table(&self.listing))
    }
}

impl Report<'_> {
    /// The whole report, in Markdown, with tables as `table` writes them.
    pub fn text(&self, table: &dyn Fn(&Listing) -> String) -> String {
        let parts = self.parts();
        // The first table follows from the title of the whole.
        let (first, others) =
            parts.split_first().map_or((String::new(), &[][..]), |(first, others)| (first.text(table), others));
        let others: String = others.iter().map(|part| format!("\n## {}\n\n{}", part.title, part.text(table))).collect();
        format!("# {}\n\n{}\n\n{first}{others}", self.plan.title, self.conditions())
    }

    /// What all runs have in common, in a line.
    pub fn conditions(&self) -> String {
        let Self { plan, positions, nodes, signature, .. } = *self;
        let mut recipes = plan.runs.iter().map(|run| &run.recipe);
        format!(
            "{positions} positions, {} nodes each, {} search, seed {}, {} ply{}; behaviour signature {signature}",
            thousands(nodes),
            plan.profile.name(),
            plan.seed,
            plan.ply,
            if recipes.any(|recipe| recipe.method.conjunctions().plies != [plan.ply]) {
                " unless a run says otherwise"
            } else {
                ""
            },
        )
    }

    /// All parts.
    pub fn parts(&self) -> Vec<ReportPart> {
        let mut parts = vec![self.evaluations()];
        let mut recipes = self.plan.runs.iter().map(|run| &run.recipe);
        if recipes.any(|recipe| recipe.fitness.held_out > 0.0 || recipe.method.conjunctions().disjunction.rows > 1) {
            parts.push(self.found());
        }
        let brute_force = self.runs().find(|(run, _)| matches!(run.recipe.method, Method::BruteForce(_)));
        if let Some((_, brute_force)) = brute_force {
            parts.extend([self.features(brute_force), self.agreement(brute_force)]);
        }
        parts
    }

    fn runs(&self) -> impl Iterator<Item = (&PlannedRun, &LearnOutcome)> {
        self.plan.runs.iter().zip(self.findings.iter().map(|findings| &findings.outcome))
    }

    /// The atoms that a run begins with.
    fn base(&self, run: &PlannedRun) -> AtomSet {
        // A recipe that does not fit the game has no findings.
        let space = run.recipe.method.conjunctions().space(&self.vocabulary);
        space.map_or(self.vocabulary.base(), |space| space.base)
    }

    fn names(&self, features: &[AtomSet]) -> String {
        features.iter().map(|&feature| self.vocabulary.format(feature)).collect::<Vec<_>>().join(", ")
    }

    /// What each run evaluated, and what it overlooked (thesis, Table 4.3).
    fn evaluations(&self) -> ReportPart {
        let by = &self.plan.published_by;
        let mut columns = vec![
            Column::words("run"),
            Column::figures("evaluations"),
            Column::figures("of the power set").rank(2),
            Column::figures("searches saved").rank(3),
            Column::figures("overlooked"),
        ];
        if !by.is_empty() {
            columns.insert(2, Column::figures(by.clone()).rank(1));
            columns.push(Column::figures(format!("{by} overlooked")).rank(1));
        }
        let mut listing = Listing::new(columns);
        let reference = self.runs().find(|(run, _)| run.is_reference).map(|(_, outcome)| outcome);
        for (run, outcome) in self.runs() {
            let (unsearched, all) = outcome.saved();
            let power_set = 2_f64.powi(self.base(run).len() as i32);
            let overlooked = reference.map(|reference| comparison::overlooked(reference, outcome));
            let capped = if outcome.capped { " (stopped)" } else { "" };
            let evaluations = outcome.judged.len();
            let mut row: Vec<Cell> = vec![
                run.name.as_str().into(),
                Cell::number(evaluations as i64).shown(format!("{evaluations}{capped}")),
                Cell::share(evaluations as f64 / power_set),
                Cell::share(unsearched as f64 / all.max(1) as f64),
                overlooked.as_ref().map(|features| Cell::number(features.len() as i64)).into(),
            ];
            if !by.is_empty() {
                row.insert(2, published(run.published_evaluations));
                row.push(published(run.published_overlooked));
            }
            listing.push(row);
            if let Some(features) = overlooked.filter(|features| !features.is_empty()) {
                listing.notes.push(format!("{} overlooks {}", run.name, self.names(&features)));
            }
        }
        ReportPart { title: "What each evaluated", before: None, listing, after: Vec::new(), items: Vec::new() }
    }

    /// The ten best features of a run, with what they cost.
    fn ten_best(&self, outcome: &LearnOutcome) -> Vec<String> {
        let best = outcome.worthwhile(&self.vocabulary).into_iter().take(comparison::INTERESTING);
        best.map(|judged| judged.table.summary(&self.vocabulary)).collect()
    }

    /// The best feature of each run, on the positions that it learned from and on others, and the new ones among its
    /// ten best.
    fn found(&self) -> ReportPart {
        let mut listing = Listing::new([
            Column::words("run"),
            Column::words("best"),
            Column::figures("solved"),
            Column::figures("held out"),
            Column::figures("p"),
            Column::figures("frequency").rank(1),
        ]);
        let mut news = Vec::new();
        let mut shown = None;
        for (run, findings) in self.plan.runs.iter().zip(self.findings) {
            let row = |name: &str, table: &ExtensionTable, evaluation: &Worth| {
                let held_out = findings.held_out.as_ref();
                let solved = held_out.and_then(|held_out| Some((held_out.of(table)?.solved.len(), held_out.positions)));
                let p = held_out.and_then(|held_out| held_out.against_none(table));
                let of = |solved: usize, all: usize| Cell::number(solved as i64).shown(format!("{solved} of {all}"));
                [
                    name.into(),
                    table.summary(&self.vocabulary).into(),
                    of(evaluation.solved.len(), findings.positions.len()),
                    solved.map(|(solved, all)| of(solved, all)).into(),
                    p.map(|comparison| Cell::p_value(comparison.p)).into(),
                    Cell::share(evaluation.summary.frequency),
                ]
            };
            let outcome = &findings.outcome;
            if let Some(neutral) = outcome.judged.first() {
                // Runs with the same search solve the same positions without extensions; that is shown once.
                let row = row("", &neutral.table, &neutral.worth);
                if shown.as_ref() != Some(&row) {
                    listing.push(row.clone());
                    shown = Some(row);
                }
            }
            if let Some(best) = outcome.worthwhile(&self.vocabulary).first() {
                listing.push(row(&run.name, &best.table, &best.worth));
            }
            if let Some((growth, _)) = findings.outcome.best_disjunction() {
                listing.push(row("", &growth.last().table, &growth.last().worth));
            }
            let known = self.findings.first().map(|first| self.ten_best(&first.outcome)).unwrap_or_default();
            let new: Vec<_> = self.ten_best(outcome).into_iter().filter(|table| !known.contains(table)).collect();
            if !new.is_empty() {
                news.push(format!("{}: {}", run.name, new.join(", ")));
            }
        }
        let what = "The best feature of each run and, where it is worth more, its best disjunction. Held out: positions that \
                    were not learned from; p: the probability of such a difference from none there if neither is better.";
        let mut after = vec![what.to_owned()];
        if !news.is_empty() {
            let what = "New: of the ten best features of a run those that are not among the ten best of the first.";
            after.push(what.to_owned());
        }
        ReportPart { title: "What each found", before: None, listing, after, items: news }
    }

    /// The best features of all (thesis, Table 4.4); a star marks those among the best of the first run.
    fn features(&self, brute_force: &LearnOutcome) -> ReportPart {
        let first = self.runs().find(|(run, _)| matches!(run.recipe.method, Method::GradualFocus(_)));
        let stars: Vec<AtomSet> = first.map_or_else(Vec::new, |(_, outcome)| {
            let found = outcome.output().into_iter().filter(|judged| !judged.table.is_empty());
            found.take(comparison::INTERESTING).map(|judged| judged.feature()).collect()
        });
        let published: BTreeMap<&String, u64> =
            self.plan.runs.iter().flat_map(|run| &run.published_features).map(|(name, &value)| (name, value)).collect();
        let relevant = comparison::relevant(brute_force);
        let by = &self.plan.published_by;
        let mut listing = Listing::new([
            Column::words(""),
            Column::words("feature"),
            Column::words("parent").rank(1),
            Column::words("relevant"),
            Column::figures("solved"),
            Column::figures(by.clone()),
        ]);
        for judged in comparison::top(brute_force) {
            let name = judged.name(&self.vocabulary);
            let parent = comparison::best_parent(brute_force, judged.feature());
            listing.push([
                Cell::text(if stars.contains(&judged.feature()) { "★" } else { "" }),
                name.as_str().into(),
                parent.map(|parent| self.vocabulary.format(parent)).into(),
                if relevant.contains(&judged.feature()) { "yes" } else { "" }.into(),
                Cell::number(judged.worth.solved.len() as i64),
                self::published(published.get(&name).copied()),
            ]);
        }
        let stars = first
            .map(|(run, _)| format!("★: among the {} best that \"{}\" puts out.", comparison::INTERESTING, run.name));
        let title = "The best features by brute force";
        ReportPart { title, before: None, listing, after: stars.into_iter().collect(), items: Vec::new() }
    }

    fn agreement(&self, brute_force: &LearnOutcome) -> ReportPart {
        let relevant = comparison::relevant(brute_force);
        let mut listing = Listing::new([
            Column::words("run"),
            Column::figures("precision"),
            Column::figures("recall"),
            Column::figures("missed"),
        ]);
        for (run, outcome) in self.runs().filter(|(run, _)| !matches!(run.recipe.method, Method::BruteForce(_))) {
            let agreement = Agreement::of(&relevant, outcome);
            let precision = Cell::share(agreement.precision());
            let counts = format!("{precision} ({} of {})", agreement.correct, agreement.relevant);
            listing.push([
                Cell::text(run.name.as_str()),
                precision.shown(counts),
                Cell::share(agreement.recall()),
                Cell::number(agreement.missed.len() as i64),
            ]);
            if !agreement.missed.is_empty() {
                listing.notes.push(format!("{} misses {}", run.name, self.names(&agreement.missed)));
            }
        }
        let before = format!(
            "{} of the {} best features are relevant: no proper part of them solves as many. Precision: how many of as many \
             best features of a run are. Recall: how many of them are anywhere in its output.",
            relevant.len(),
            comparison::TOP,
        );
        let title = "Precision and recall";
        ReportPart { title, before: Some(before), listing, after: Vec::new(), items: Vec::new() }
    }
}

/// A published figure, if there is one.
fn published(figure: Option<u64>) -> Cell {
    figure.map(|figure| Cell::number(figure as i64)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::game::Game;
    use halfply_engine::games::Breakthrough;

    #[test]
    fn a_run_begins_with_the_atoms_of_its_recipe() {
        let text = "format = 1\ntitle = \"t\"\ngame = \"breakthrough\"\nnodes = 5\n[[run]]\nname = \"a\"\n\
                    [[run]]\nname = \"b\"\nrecipe = { atoms = [\"Ud\", \"C\"] }\n";
        let (plan, vocabulary) = (Plan::parse(text, "p.toml").unwrap(), Breakthrough::VOCABULARY);
        let report = Report { plan: &plan, vocabulary, findings: &[], positions: 0, nodes: 5, signature: 0 };
        let begins_with: Vec<usize> = plan.runs.iter().map(|run| report.base(run).len()).collect();
        assert_eq!(begins_with, [report.vocabulary.base().len(), 2]);
    }
}
