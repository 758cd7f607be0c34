// SPDX-License-Identifier: GPL-3.0-or-later
//! A run told as it goes: a line for each feature, and how much there is left.

use crate::cli::progress::Progress;
use crate::features::Vocabulary;
use crate::learn::disjunction::Change;
use crate::learn::{Event, Judged, Settings, report};

/// Tells a run.
pub struct Narrator<'a> {
    vocabulary: Vocabulary,
    progress: &'a Progress,
    /// Searches of a feature that is tried in full.
    searches: usize,
    settings: &'a Settings,
    /// Features judged so far.
    number: usize,
}

impl<'a> Narrator<'a> {
    /// Tells a run in which a feature that is tried in full takes so many searches.
    pub fn new(vocabulary: Vocabulary, progress: &'a Progress, searches: usize, settings: &'a Settings) -> Self {
        Self { vocabulary, progress, searches, settings, number: 0 }
    }

    pub fn tell(&mut self, event: Event<'_>) {
        match event {
            Event::Level { features: tables, .. } | Event::Round { tables } => {
                self.progress.add((tables * self.searches) as u64);
            }
            Event::HoldingOut { searches } => self.progress.add(searches as u64),
            Event::Evaluating(feature) => self.progress.message(self.vocabulary.format(feature)),
            Event::Judged(judged) => {
                self.number += 1;
                self.took(judged.evaluation.searched);
                self.tell_of(&format!("{:>4}", self.number), judged);
            }
            Event::Dropped(judged) => self.tell_of("   -", judged),
            Event::Skipped(feature) => {
                self.took(0);
                let name = self.vocabulary.format(feature);
                self.progress.note(&format!("   -  {name:<20}      skipped, banned before its turn"));
            }
            Event::Trying(table) => self.progress.message(table.summary(&self.vocabulary)),
            Event::Tried { searches } => self.took(searches),
            Event::Grown(step) => {
                let (sign, row) = match step.change {
                    Change::Added(row) => ("with", row),
                    Change::Dropped(row) => ("without", row),
                };
                let (name, value) = (self.vocabulary.format(row.feature), step.evaluation.value);
                self.progress.note(&format!("      {sign} {name}: {value}, {}", step.table.summary(&self.vocabulary)));
            }
        }
    }

    /// A table that was expected to take as many searches as any took so many.
    fn took(&self, searches: usize) {
        self.progress.drop_steps(self.searches.saturating_sub(searches) as u64);
    }

    fn tell_of(&self, mark: &str, judged: &Judged) {
        let name = self.vocabulary.format(judged.feature);
        let verdict = report::verdict(&self.vocabulary, judged, self.settings);
        let bound = if judged.evaluation.is_bound { '≤' } else { ' ' };
        self.progress.note(&format!("{mark}  {name:<20}{bound}{:>4}  {verdict}", judged.evaluation.value));
    }
}
