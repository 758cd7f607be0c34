// SPDX-License-Identifier: GPL-3.0-or-later
//! A position searched, and a position solved: the units of a review.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::played::Played;
use crate::run::{Stop, Unit};
use halfply_engine::base::Outcome;
use halfply_engine::game::{Notation, line_texts};
use halfply_engine::search::score::plies_to_end;
use halfply_engine::search::{Engine, Iteration, Limits, Score, Watcher};
use halfply_engine::solve::{self, Problem};

/// The most memory of a solver's table, in bytes: there is one for each thread.
const MEMORY: u64 = 64 << 20;

/// What a unit found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Found {
    /// By a search.
    Searched(Searched),
    /// By a solver; none if it took too many nodes.
    Solved(Option<Solved>),
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searched {
    /// The value for the side to move, in the evaluation's units.
    pub score: Score,
    /// Plies of the last completed iteration.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The best line, as in UCI, separated by spaces.
    pub line: String,
}

/// What a solver found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solved {
    /// 1 if the side to move wins, 0 for a draw, -1 if it loses.
    pub sign: i32,
    /// By how much, in games that have a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
    /// A best line as far as it is known, as the game writes it, separated by spaces.
    pub line: String,
}

/// A position of a game, to be searched.
pub struct Search<'a, G: Notation> {
    /// The game.
    pub played: &'a Played<G>,
    /// Its number among the games of the run, from 1.
    pub game: usize,
    /// How many moves were played before it.
    pub ply: usize,
    /// Who searches it.
    pub engine: &'a dyn Engine<G>,
    /// How long.
    pub limits: Limits,
}

/// Ends a search that is to be stopped, or has proved who wins.
struct Enough<'a>(&'a Stop);

impl<M> Watcher<M> for Enough<'_> {
    fn iteration(&mut self, iteration: &Iteration<'_, M>) -> ControlFlow<()> {
        self.0.unless(plies_to_end(iteration.score).is_some())
    }

    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        self.0.unless(false)
    }
}

impl<G: Notation> Unit for Search<'_, G> {
    type Output = Found;

    fn key(&self) -> String {
        format!("game {} ply {}", self.game, self.ply)
    }

    fn run(&self, stop: &Stop) -> Option<Found> {
        let root = self.played.history.root_at(self.ply)?;
        let report = self.engine.thinker().search(root, self.limits, &mut Enough(stop));
        if stop.is_raised() {
            // It may have been cut short.
            return None;
        }
        // So few nodes that no iteration was completed still give a move.
        let line = if report.line.is_empty() { report.best.as_slice() } else { &report.line };
        let line = line_texts::<G>(root.position, line, G::format_move).join(" ");
        Some(Found::Searched(Searched { score: report.score, depth: report.depth, nodes: report.nodes, line }))
    }
}

/// A position of a game, to be solved.
pub struct Solve {
    /// The number of the game among those of the run, from 1.
    pub game: usize,
    /// How many moves were played before it.
    pub ply: usize,
    /// The position.
    pub problem: Box<dyn Problem>,
    /// The most nodes.
    pub nodes: u64,
}

impl Unit for Solve {
    type Output = Found;

    fn key(&self) -> String {
        format!("exact game {} ply {}", self.game, self.ply)
    }

    fn run(&self, stop: &Stop) -> Option<Found> {
        let limits = solve::Limits { nodes: Some(self.nodes), memory: MEMORY };
        let found = self.problem.solve(limits, &mut |_, _| stop.unless(false));
        if stop.is_raised() {
            return None;
        }
        let found = found.map_err(|error| log::error!("{}: {error}; --exact 0 solves nothing", self.key())).ok()?;
        let line = found.line.join(" ");
        let solved = |value: solve::Value| Solved {
            sign: match value.outcome {
                Outcome::Win => 1,
                Outcome::Draw => 0,
                Outcome::Loss => -1,
            },
            margin: value.margin,
            line,
        };
        Some(Found::Solved(found.value.map(solved)))
    }
}
