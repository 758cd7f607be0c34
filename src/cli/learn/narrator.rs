// SPDX-License-Identifier: GPL-3.0-or-later
//! A run told as it goes: a line for each feature, and how much there is left.

use crate::base::figures::thousands;
use crate::cli::progress::Progress;
use crate::features::Vocabulary;
use crate::learn::step::Change;
use crate::learn::{Event, Judged, Settings, report};

/// Tells a run.
pub struct Narrator<'a> {
    vocabulary: Vocabulary,
    progress: &'a Progress,
    /// Searches of a feature that is tried in full, at each of the plies.
    searches_of_feature: usize,
    /// Searches of a table that is tried in full.
    searches_of_table: usize,
    settings: &'a Settings,
    /// Features judged so far.
    number: usize,
}

impl<'a> Narrator<'a> {
    /// Tells a run in which a table that is tried in full takes so many searches, and a feature is tried at so many plies.
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
            Event::HoldingOut { searches } => self.progress.stage("the positions held out", searches as u64),
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
                self.progress.note(&format!("   -  {name:<20}      skipped, banned before its turn"));
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

    /// What was expected to take so many searches took fewer, if early rejection ended it.
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
