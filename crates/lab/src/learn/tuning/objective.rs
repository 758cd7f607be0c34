// SPDX-License-Identifier: GPL-3.0-or-later
//! What tuning makes small: the nodes that a search takes to solve the positions of a suite, as Björnsson and Marsland
//! (2002, "Learning control of search extensions") and David-Tabibi, Koppel and Netanyahu (2010) count them.

use std::fmt;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{Round, Setting, Tuned};
use crate::learn::candidate::Candidate;
use crate::learn::fitness::{Conditions, Measure, Trials};
use crate::learn::settings::{SettingError, defaults};
use crate::learn::worth::Worth;
use crate::run::{Event, RunError};
use crate::suite::trial::Until;
use halfply_engine::base::figures::thousands;
use halfply_engine::search::Setup;

/// Which nodes are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// Nodes until the right move was the search's choice for the first time
    #[default]
    FirstFound,
    /// Nodes until it was the choice for good
    FoundAndKept,
}

impl Count {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstFound => "first found",
            Self::FoundAndKept => "found and kept",
        }
    }
}

/// What is minimized, and on which positions.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct Objective {
    /// What is minimized: the total over all positions of these nodes. An unsolved position counts the limit
    #[arg(long, value_enum, default_value = "first-found")]
    pub fitness: Count,
    /// End each search when it first finds the right move: faster, but it is then not known whether it would keep it
    #[arg(long)]
    pub stop_at_first_find: bool,
    /// Share of the positions to hold out; at the end, the best settings are tried on them
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub held_out: f64,
}

impl Default for Objective {
    fn default() -> Self {
        defaults()
    }
}

impl Objective {
    /// How candidates are tried by a search with that many nodes a position.
    ///
    /// # Errors
    /// If searches end before they know what is counted.
    pub fn conditions(&self, nodes: u64, setup: Setup) -> Result<Conditions, SettingError> {
        let is_known = !self.stop_at_first_find || self.fitness == Count::FirstFound;
        let reason = "searches that stop at the first find do not know whether they would keep it; leave out \
                      --stop-at-first-find";
        SettingError::unless(is_known, "fitness", self.fitness.name(), reason)?;
        let until = if self.stop_at_first_find { Until::FirstFind } else { Until::Limit };
        Ok(Conditions { nodes, until, setup, repeats: 1, measure: Measure::Solved, frequency_penalty: 0.0 })
    }
}

/// A candidate with its figures on a list of positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The candidate.
    pub candidate: Candidate,
    /// What is minimized.
    pub nodes: u64,
    /// Nodes until each right move was first found, or the limit.
    pub first_found: u64,
    /// Nodes until each right move was found and kept, or the limit. Of searches that end at the first find, the same as
    /// `first_found`.
    pub found_and_kept: u64,
    /// Positions solved. Of searches that end at the first find, those where the right move was found.
    pub solved: usize,
}

impl fmt::Display for Scored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes, {} solved", thousands(self.nodes), self.solved)
    }
}

impl Scored {
    /// A candidate that is worth this.
    pub fn new(candidate: Candidate, worth: &Worth, count: Count) -> Self {
        let found_and_kept = worth.summary.nodes_found_and_kept;
        // Only journals from before there were two counts lack the first.
        let first_found = worth.summary.nodes_first_found.unwrap_or(found_and_kept);
        let nodes = match count {
            Count::FirstFound => first_found,
            Count::FoundAndKept => found_and_kept,
        };
        Self { candidate, nodes, first_found, found_and_kept, solved: worth.solved.len() }
    }
}

/// Scores candidates by trials.
pub struct Scorer<'a> {
    trials: &'a mut dyn Trials,
    count: Count,
    observer: Option<Observer<'a>>,
}

/// Receives the events of a round.
struct Observer<'a> {
    /// Searches of a candidate.
    positions: usize,
    /// What a round is called.
    round: &'static str,
    tell: &'a mut dyn FnMut(Event<'_, Tuned>),
    /// What was found so far, once it is known what the given candidate is worth.
    so_far: Option<Tuned>,
}

impl<'a> Scorer<'a> {
    /// A scorer by those trials that counts these nodes.
    pub fn new(trials: &'a mut dyn Trials, count: Count) -> Self {
        Self { trials, count, observer: None }
    }

    /// The same scorer, which reports what it does: trials of so many positions, and rounds of that name.
    pub fn observed(self, positions: usize, round: &'static str, tell: &'a mut dyn FnMut(Event<'_, Tuned>)) -> Self {
        Self { observer: Some(Observer { positions, round, tell, so_far: None }), ..self }
    }

    /// Scores candidates, in their order.
    ///
    /// # Errors
    /// Those of the trials.
    pub fn score(&mut self, candidates: Vec<Candidate>) -> Result<Vec<Scored>, RunError> {
        let trimmed: Vec<Candidate> = candidates.iter().map(Candidate::trimmed).collect();
        if let Some(Observer { positions, tell, .. }) = &mut self.observer {
            let untried = self.trials.untried(&trimmed);
            tell(Event::Stage { name: format!("candidates: {untried}"), units: (untried * *positions) as u64 });
        }
        let worths = self.trials.try_all(&trimmed)?;
        let scored = candidates.into_iter().zip(&worths);
        Ok(scored.map(|(candidate, worth)| Scored::new(candidate, worth, self.count)).collect())
    }

    /// Reports what the given candidate is worth, of which these settings will be tuned.
    pub fn given(&mut self, given: &Scored, settings: &[Setting]) {
        if let Some(Observer { tell, so_far, positions, .. }) = &mut self.observer {
            tell(Event::Note(format!("as given: {given}")));
            let (given, settings, positions) = (given.clone(), settings.to_vec(), *positions);
            *so_far = Some(Tuned { settings, given, rounds: Vec::new(), positions, held_out: None });
        }
    }

    /// Reports a round that has ended, with its number from 1.
    pub fn ended(&mut self, number: usize, round: &Round) {
        let Some(Observer { round: word, tell, so_far: Some(so_far), .. }) = &mut self.observer else { return };
        so_far.rounds.push(round.clone());
        let best = round.best();
        let figures = [("nodes of the best", best.nodes as f64), ("positions solved by the best", best.solved as f64)];
        let figures = figures.map(|(name, figure)| (name.to_owned(), figure)).to_vec();
        tell(Event::Step { figures, so_far });
        let mean = thousands(round.mean(|scored| scored.nodes).round() as u64);
        let mean = if round.tried.len() > 1 { format!("; mean {mean} nodes") } else { String::new() };
        tell(Event::Note(format!("{word} {number:>3}: {best}{mean}")));
    }
}
