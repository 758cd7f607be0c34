// SPDX-License-Identifier: GPL-3.0-or-later
//! Reports the progress of a run: a line for each feature, and the work left.

use crate::cli::progress::Progress;
use halfply_engine::base::figures::quantity;
use halfply_engine::features::Vocabulary;
use halfply_engine::games::RegisteredGame;
use halfply_lab::learn::Change;
use halfply_lab::learn::methods::Acceptance;
use halfply_lab::learn::run::Ready;
use halfply_lab::learn::{Findings, Judged, LearnEvent, report};

/// Reports the progress of runs, one after the other.
pub struct Observer {
    vocabulary: Vocabulary,
    /// Searches of a table that is tried on all positions.
    searches_of_table: usize,
    /// What verdicts follow from.
    acceptance: Acceptance,
    /// Features judged so far.
    number: usize,
    /// What each run has found so far.
    pub found: Vec<Findings>,
}

impl Observer {
    /// An observer of runs for a game with that vocabulary.
    pub fn new(vocabulary: Vocabulary) -> Self {
        let acceptance = Acceptance::default();
        Self { vocabulary, searches_of_table: 0, acceptance, number: 0, found: Vec::new() }
    }

    /// Prepares for the events of a run.
    pub fn begin<G: RegisteredGame>(&mut self, ready: &Ready<'_, G>) {
        self.searches_of_table = ready.searches_of_table();
        self.acceptance = ready.recipe.method.conjunctions().acceptance;
        self.number = 0;
        self.found.push(Findings::none(ready.positions()));
    }

    /// Reports an event of the run. Returns whether something was found.
    pub fn tell(&mut self, event: LearnEvent<'_>, progress: &Progress) -> bool {
        let is_found = self.found.last_mut().is_some_and(|found| found.enter(&event));
        match event {
            LearnEvent::Searched { time } => progress.unit(time.is_some()),
            LearnEvent::NeverTried(features) => {
                let names: Vec<_> = features.iter().map(|&feature| self.vocabulary.format(feature)).collect();
                let names = names.join(", ");
                progress.note(&format!("not tried: {names}, nor what contains them (--blacklist)"));
            }
            LearnEvent::Level { atoms, features, tables } => {
                let searches = (tables * self.searches_of_table) as u64;
                progress.stage(&format!("level {atoms}"), searches);
                let (features, most) = (quantity(features as u64, "feature"), quantity(searches, "search"));
                progress.note(&format!("level {atoms}: {features}, at most {most}"));
            }
            LearnEvent::Round { tables } => {
                progress.stage("this round", (tables * self.searches_of_table) as u64);
            }
            LearnEvent::HoldingOut { searches } => progress.stage("the held-out positions", searches as u64),
            LearnEvent::Evaluating(feature) => progress.message(self.vocabulary.format(feature)),
            LearnEvent::Judged(judged) => {
                self.number += 1;
                self.took(judged.tables_tried, judged.worth.searched, progress);
                self.tell_of(&format!("{:>4}", self.number), judged, progress);
            }
            LearnEvent::Dropped(judged) => self.tell_of("   -", judged, progress),
            LearnEvent::Skipped { feature, tables } => {
                self.took(tables, 0, progress);
                let name = self.vocabulary.format(feature);
                progress.note(&format!("   -  {name:<20}      skipped, banned meanwhile"));
            }
            LearnEvent::Trying(table) => progress.message(table.summary(&self.vocabulary)),
            LearnEvent::Tried { searches } => self.took(1, searches, progress),
            LearnEvent::Grown(step) => {
                let (sign, row) = match step.change {
                    Change::Added(row) => ("with", row),
                    Change::Dropped(row) => ("without", row),
                };
                let (name, value) = (self.vocabulary.format(row.feature), step.worth.value);
                progress.note(&format!("      {sign} {name}: {value}, {}", step.table.summary(&self.vocabulary)));
            }
        }
        is_found
    }

    /// Corrects the progress bar: early rejection may end with fewer searches than the tables would take.
    fn took(&self, tables: usize, searches: usize, progress: &Progress) {
        progress.drop_steps((tables * self.searches_of_table).saturating_sub(searches) as u64);
    }

    fn tell_of(&self, mark: &str, judged: &Judged, progress: &Progress) {
        let name = judged.name(&self.vocabulary);
        let verdict = report::verdict(&self.vocabulary, judged, &self.acceptance);
        let bound = if judged.worth.is_bound { '≤' } else { ' ' };
        progress.note(&format!("{mark}  {name:<20}{bound}{:>4}  {verdict}", judged.worth.value));
    }
}
