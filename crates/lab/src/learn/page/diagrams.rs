// SPDX-License-Identifier: GPL-3.0-or-later
//! Boards for the page: a move that has a feature, and the positions of the suite with their solutions.

use std::cmp::Reverse;
use std::collections::HashMap;

use maud::Markup;

use crate::learn::findings::Findings;
use crate::learn::judged::Judged;
use crate::report::board::{Arrow, Squares, with_moves};
use crate::suite::Suite;
use halfply_engine::base::mix::derive;
use halfply_engine::features::{AtomSet, ExtensionTable};
use halfply_engine::game::{Notation, Side, legal_moves};
use halfply_engine::search::explain::explain;

/// For features that no move of the problems has: how many problems continue, for how many plies, by moves at random.
const GOES_ON: usize = 60;
const PLIES: u64 = 12;

/// A position with a move.
#[derive(Clone, Debug)]
pub(super) struct Diagram {
    pub fen: String,
    pub last: Squares,
    pub next: Squares,
    /// The move, or the moves, as in game records.
    pub moves: String,
}

impl Diagram {
    fn new<G: Notation>(before: &G::Position, last: Option<&str>, moves: &[G::Move]) -> Self {
        let squares = |mv: &G::Move| Squares::of_move(&G::format_move(before, *mv));
        let names: Vec<String> = moves.iter().map(|&mv| G::record_move(before, mv)).collect();
        Self {
            fen: G::format_position(before),
            last: last.map(Squares::of_move).unwrap_or_default(),
            next: moves.first().map(squares).unwrap_or_default(),
            moves: names.join(" or "),
        }
    }

    /// The board as SVG, with an arrow for the first move.
    pub fn board(&self) -> Markup {
        with_moves(&self.fen, &self.last, &[Arrow { squares: self.next.clone(), class: "" }])
    }
}

/// The boards of a page.
#[derive(Clone, Debug, Default)]
pub struct Diagrams {
    /// A move that has the feature, by feature.
    examples: HashMap<AtomSet, Diagram>,
    /// The positions that were learned from, in their order, with the moves that solve them.
    problems: Vec<Diagram>,
}

impl Diagrams {
    /// Boards for all features of a run, from the positions that it learned from. `table` defines atoms that are not the game's.
    pub fn of_findings<G: Notation>(learned_from: &Suite<G>, findings: &Findings, table: &ExtensionTable) -> Self {
        let judged = findings.outcome.judged.iter().map(Judged::feature);
        let grown = findings.outcome.grown.iter().flat_map(|growth| growth.last().table.rows()).map(|row| row.feature);
        let mut features: Vec<AtomSet> = judged.chain(grown).filter(|feature| !feature.is_empty()).collect();
        features.sort_by_key(|feature| feature.0);
        features.dedup();
        Self::of(learned_from, &features, table)
    }

    /// Boards for these features, from the positions of a suite. A feature that no move of these positions has gets none.
    pub(super) fn of<G: Notation>(suite: &Suite<G>, features: &[AtomSet], table: &ExtensionTable) -> Self {
        let mut examples = Examples::new(features, table);
        for problem in &suite.problems {
            examples.look::<G>(&problem.position, None, &problem.best);
        }
        // Some atoms depend on the last move, which a problem does not have, and some moves come later in the game.
        let missing: Vec<AtomSet> =
            features.iter().copied().filter(|feature| !examples.best.contains_key(feature)).collect();
        let mut later = Examples::new(&missing, table);
        for problem in suite.problems.iter().take(if missing.is_empty() { 0 } else { GOES_ON }) {
            let mut position = problem.position.clone();
            for ply in 0..PLIES {
                let moves = legal_moves::<G>(&position);
                let Some(place) = derive(ply, G::key(&position)).checked_rem(moves.len() as u64) else { break };
                let mv = moves[place as usize];
                let last = (mv, G::format_move(&position, mv));
                G::play(&mut position, mv);
                later.look::<G>(&position, Some(last), &[]);
            }
        }
        let found = [examples, later].into_iter().flat_map(|examples| examples.best);
        let examples = found.map(|(feature, (_, diagram))| (feature, diagram)).collect();
        let problems = suite.problems.iter();
        let problems = problems.map(|problem| Diagram::new::<G>(&problem.position, None, &problem.best)).collect();
        Self { examples, problems }
    }

    /// A move that has the feature.
    pub(super) fn example(&self, feature: AtomSet) -> Option<&Diagram> {
        self.examples.get(&feature)
    }

    /// A position that was learned from, by its place.
    pub(super) fn problem(&self, place: usize) -> Option<&Diagram> {
        self.problems.get(place)
    }
}

/// The best examples of features so far.
struct Examples<'a> {
    features: &'a [AtomSet],
    /// It defines atoms that are not the game's.
    table: &'a ExtensionTable,
    best: HashMap<AtomSet, (Rank, Diagram)>,
}

impl<'a> Examples<'a> {
    fn new(features: &'a [AtomSet], table: &'a ExtensionTable) -> Self {
        Self { features, table, best: HashMap::new() }
    }

    /// Looks at the moves of a position, of which some solve it. `last` is the move before, and its text.
    fn look<G: Notation>(&mut self, position: &G::Position, last: Option<(G::Move, String)>, solutions: &[G::Move]) {
        let fen = G::format_position(position);
        let placement = fen.split_whitespace().next().unwrap_or_default();
        let pieces = placement.chars().filter(|letter| letter.is_alphabetic()).count();
        let (last, text) = last.unzip();
        for explained in explain::<G>(position, last, self.table) {
            for &feature in self.features.iter().filter(|&&feature| explained.atoms.contains(feature)) {
                let rank = Rank {
                    first_side: G::to_move(position) == Side::White,
                    solution: feature.len() > 1 && solutions.contains(&explained.mv),
                    others: Reverse(explained.atoms.len() - feature.len()),
                    pieces: Reverse(pieces),
                };
                if self.best.get(&feature).is_none_or(|(other, _)| *other < rank) {
                    let diagram = Diagram::new::<G>(position, text.as_deref(), &[explained.mv]);
                    self.best.insert(feature, (rank, diagram));
                }
            }
        }
    }
}

/// How well a move shows a feature; the greatest is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// The first side moves up the board, so rows are counted as drawn.
    first_side: bool,
    /// The move solves the position.
    solution: bool,
    /// Atoms that the move has besides.
    others: Reverse<usize>,
    /// Pieces on the board.
    pieces: Reverse<usize>,
}
