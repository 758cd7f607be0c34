// SPDX-License-Identifier: GPL-3.0-or-later
//! Reports the progress of a run: a line for each feature, and the work left.

use crate::base::figures::thousands;
use crate::cli::progress::Progress;
use crate::features::Vocabulary;
use crate::learn::step::Change;
use crate::learn::{Event, Judged, Settings, report};

/// Reports the progress of a run.
pub struct Narrator<'a> {
    vocabulary: Vocabulary,
    progress: &'a Progress,
    /// Searches of a feature that is tried on all positions, at each of the plies.
    searches_of_feature: usize,
    /// Searches of a table that is tried on all positions.
    searches_of_table: usize,
    settings: &'a Settings,
    /// Features judged so far.
    number: usize,
}

impl<'a> Narrator<'a> {
    /// A narrator for a run in which a table takes at most `searches_of_table` searches, and a feature is tried at
    /// `plies` plies.
    pub fn new(
        vocabulary: Vocabulary,
        progress: &'a Progress,
        searches_of_table: usize,
        plies: usize,
        settings: &'a Settings,
    ) -> Self {
        let searches_of_feature = searches_of_table * plies;
        Self { vocabulary, progress, searches_of_feature, searches_of_table, settings, number: 0 }
    }

    pub fn tell(&mut self, event: Event<'_>) {
        match event {
            Event::Level { atoms, features } => {
                let allowed = self.settings.max_evaluations.map_or(features, |most| most.saturating_sub(self.number));
                let searches = (features.min(allowed) * self.searches_of_feature) as u64;
                self.progress.stage(&format!("level {atoms}"), searches);
                let note = format!("level {atoms}: {features} features, at most {} searches", thousands(searches));
                self.progress.note(&note);
            }
            Event::Round { tables } => {
                self.progress.stage("this round", (tables * self.searches_of_table) as u64);
            }
            Event::HoldingOut { searches } => self.progress.stage("the held-out positions", searches as u64),
            Event::Evaluating(feature) => self.progress.message(self.vocabulary.format(feature)),
            Event::Judged(judged) => {
                self.number += 1;
                self.took(self.searches_of_feature, judged.worth.searched);
                self.tell_of(&format!("{:>4}", self.number), judged);
            }
            Event::Dropped(judged) => self.tell_of("   -", judged),
            Event::Skipped(feature) => {
                self.took(self.searches_of_feature, 0);
                let name = self.vocabulary.format(feature);
                self.progress.note(&format!("   -  {name:<20}      skipped, banned meanwhile"));
            }
            Event::Trying(table) => self.progress.message(table.summary(&self.vocabulary)),
            Event::Tried { searches } => self.took(self.searches_of_table, searches),
            Event::Grown(step) => {
                let (sign, row) = match step.change {
                    Change::Added(row) => ("with", row),
                    Change::Dropped(row) => ("without", row),
                };
                let (name, value) = (self.vocabulary.format(row.feature), step.worth.value);
                self.progress.note(&format!("      {sign} {name}: {value}, {}", step.table.summary(&self.vocabulary)));
            }
        }
    }

    /// Corrects the progress bar: early rejection may end with fewer searches than expected.
    fn took(&self, expected: usize, searches: usize) {
        self.progress.drop_steps(expected.saturating_sub(searches) as u64);
    }

    fn tell_of(&self, mark: &str, judged: &Judged) {
        let name = self.vocabulary.format(judged.feature);
        let verdict = report::verdict(&self.vocabulary, judged, self.settings);
        let bound = if judged.worth.is_bound { '≤' } else { ' ' };
        self.progress.note(&format!("{mark}  {name:<20}{bound}{:>4}  {verdict}", judged.worth.value));
    }
}
