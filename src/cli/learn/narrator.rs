// SPDX-License-Identifier: GPL-3.0-or-later
//! Reports the progress of a run: a line for each feature, and the work left.

use crate::cli::events;
use crate::cli::progress::Progress;
use halfply_engine::base::figures::thousands;
use halfply_engine::features::Vocabulary;
use halfply_engine::games::Furnished;
use halfply_lab::learn::Change;
use halfply_lab::learn::growing::LearnLine;
use halfply_lab::learn::methods::Acceptance;
use halfply_lab::learn::run::Ready;
use halfply_lab::learn::{Event, Judged, report};
use halfply_lab::run::RunError;
use halfply_lab::run::events::{Ending, EventFile};

/// Reports the progress of runs, one after the other.
pub struct Narrator {
    vocabulary: Vocabulary,
    progress: Progress,
    /// Searches of a table that is tried on all positions.
    searches_of_table: usize,
    /// What verdicts follow from.
    acceptance: Acceptance,
    /// Features judged so far.
    number: usize,
    /// For watchers.
    events: Option<EventFile>,
}

impl Narrator {
    /// A narrator of runs for a game with that vocabulary.
    pub fn new(vocabulary: Vocabulary) -> Self {
        let (progress, acceptance) = (Progress::new(0), Acceptance::default());
        Self { vocabulary, progress, searches_of_table: 0, acceptance, number: 0, events: None }
    }

    /// Writes the events of the runs to that file too.
    pub fn write_to(&mut self, events: EventFile) {
        self.events = Some(events);
    }

    /// Ends the events: the runs are complete.
    pub fn complete(&mut self, headline: &str) {
        if let Some(events) = self.events.take() {
            events.end(Ending::Complete, headline);
        }
    }

    /// Ends the events of a run that has ended early.
    pub fn end_early(&mut self, error: &RunError) {
        if let Some(events) = self.events.take() {
            events::end_early(events, error);
        }
    }

    /// Prepares for the events of a run.
    pub fn begin<G: Furnished>(&mut self, name: &str, ready: &Ready<'_, G>) {
        if let Some(events) = &mut self.events {
            events.tell(&LearnLine::Run { name: name.to_owned(), positions: ready.learned_from.problems.len() });
        }
        self.searches_of_table = ready.searches_of_table();
        self.acceptance = ready.recipe.method.conjunctions().acceptance;
        self.number = 0;
    }

    /// A line that stays.
    pub fn note(&self, line: &str) {
        self.progress.note(line);
    }

    /// Removes the progress bar.
    pub fn finish(&self) {
        self.progress.finish();
    }

    /// Reports an event of the run.
    pub fn tell(&mut self, event: Event<'_>) {
        if let Some(events) = &mut self.events
            && let Some(line) = LearnLine::of(&event, &self.vocabulary, &self.acceptance)
        {
            events.tell(&line);
        }
        match event {
            Event::Searched { time } => self.progress.finished(time),
            Event::NeverTried(features) => {
                let names: Vec<_> = features.iter().map(|&feature| self.vocabulary.format(feature)).collect();
                let names = names.join(", ");
                self.progress.note(&format!("not tried: {names}, nor what contains them (--blacklist)"));
            }
            Event::Level { atoms, features, tables } => {
                let searches = (tables * self.searches_of_table) as u64;
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
                self.took(judged.tables_tried, judged.worth.searched);
                self.tell_of(&format!("{:>4}", self.number), judged);
            }
            Event::Dropped(judged) => self.tell_of("   -", judged),
            Event::Skipped { feature, tables } => {
                self.took(tables, 0);
                let name = self.vocabulary.format(feature);
                self.progress.note(&format!("   -  {name:<20}      skipped, banned meanwhile"));
            }
            Event::Trying(table) => self.progress.message(table.summary(&self.vocabulary)),
            Event::Tried { searches } => self.took(1, searches),
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

    /// Corrects the progress bar: early rejection may end with fewer searches than the tables would take.
    fn took(&self, tables: usize, searches: usize) {
        self.progress.drop_steps((tables * self.searches_of_table).saturating_sub(searches) as u64);
    }

    fn tell_of(&self, mark: &str, judged: &Judged) {
        let name = judged.name(&self.vocabulary);
        let verdict = report::verdict(&self.vocabulary, judged, &self.acceptance);
        let bound = if judged.worth.is_bound { '≤' } else { ' ' };
        self.progress.note(&format!("{mark}  {name:<20}{bound}{:>4}  {verdict}", judged.worth.value));
    }
}
