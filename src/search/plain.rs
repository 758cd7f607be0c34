// SPDX-License-Identifier: GPL-3.0-or-later
//! The plain search: the program of the thesis (Skowronski 2009, Appendix A.4), and the learners' inner loop.
//!
//! Iterative-deepening alpha-beta. The previous iteration's line is searched first, all other moves in shuffled order.
//! No table, no pruning, nothing else: what an extension does to it is seen undisturbed. `docs/architecture.md` defines
//! every count, so that another program can be compared node by node.

use super::limits::Meter;
use super::line::Lines;
use super::score::{self, INFINITE};
use super::shuffle::Shuffle;
use super::{Depth, Iteration, Limits, Score, Watcher, extend};
use crate::features::ExtensionTable;
use crate::game::{Evaluation, Game, MoveContext, legal_moves, outcome};
use crate::mix::mix;

/// A search with its settings. `E` is the static evaluation.
#[derive(Clone, Debug)]
pub struct Plain<E> {
    /// What every move costs.
    pub table: ExtensionTable,
    /// Decides the order of moves, together with the position.
    pub seed: u64,
    /// The static evaluation.
    pub evaluation: E,
}

/// What a search found, and what it did to find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The move to play; none if the game is over.
    pub best: Option<M>,
    /// The root's value in the last completed iteration, 0 if there is none; of a finished game, its outcome.
    pub score: Score,
    /// The principal variation of the last completed iteration.
    pub line: Vec<M>,
    /// Plies of the last completed iteration.
    pub depth: u32,
    /// The deepest ply that was reached.
    pub height: u32,
    /// Moves played: inner nodes and leaves.
    pub nodes: u64,
    /// How many of them matched a row of the table.
    pub extended: u64,
}

impl<E> Plain<E> {
    /// Searches a position; `previous` is the move that led to it, if known.
    pub fn search<G: Game>(
        &self,
        position: &G::Position,
        previous: Option<G::Move>,
        limits: Limits,
        watcher: &mut dyn Watcher<G::Move>,
    ) -> Report<G::Move>
    where
        E: Evaluation<G>,
    {
        // Two compiled searches, so that without extensions atoms cost nothing, not even a test.
        if self.table.is_empty() {
            Searcher::<G, E, false>::new(self, limits).run(position, previous, limits, watcher)
        } else {
            Searcher::<G, E, true>::new(self, limits).run(position, previous, limits, watcher)
        }
    }
}

/// One search under way. With `EXTEND` false every move costs one ply.
struct Searcher<'a, G: Game, E, const EXTEND: bool> {
    table: &'a ExtensionTable,
    evaluation: E,
    /// The least that any move costs: a node with no more depth than that has only leaves below it.
    cheapest: Depth,
    /// The seed, mixed once.
    seed: u64,
    meter: Meter,
    /// Set when the limit was hit; values returned from then on mean nothing.
    stopped: bool,
    height: usize,
    extended: u64,
    lines: Lines<G::Move>,
    /// The line of the previous iteration, searched first in this one.
    previous_line: Vec<G::Move>,
}

/// Where a node stands in the tree.
#[derive(Clone, Copy)]
struct Place {
    /// The position's key.
    key: u64,
    depth: Depth,
    ply: usize,
    /// Whether every move that led here was the previous iteration's line.
    on_line: bool,
}

impl<'a, G: Game, E: Evaluation<G>, const EXTEND: bool> Searcher<'a, G, E, EXTEND> {
    fn new(plain: &'a Plain<E>, limits: Limits) -> Self {
        Self {
            table: &plain.table,
            cheapest: plain.table.rows().first().map_or(Depth::PLY, |row| row.cost.min(Depth::PLY)),
            evaluation: plain.evaluation,
            seed: mix(plain.seed),
            meter: Meter::new(limits),
            stopped: false,
            height: 0,
            extended: 0,
            lines: Lines::new(G::MAX_PLY),
            previous_line: Vec::with_capacity(G::MAX_PLY),
        }
    }

    /// Deepens a ply at a time until a limit stops it.
    fn run(
        mut self,
        position: &G::Position,
        previous: Option<G::Move>,
        limits: Limits,
        watcher: &mut dyn Watcher<G::Move>,
    ) -> Report<G::Move> {
        let mut report = Report {
            best: None,
            score: 0,
            line: Vec::with_capacity(G::MAX_PLY),
            depth: 0,
            height: 0,
            nodes: 0,
            extended: 0,
        };
        let moves = legal_moves::<G>(position);
        if let Some(outcome) = outcome::<G>(position) {
            report.score = score::of_outcome(outcome, 0);
        } else {
            let deepest = limits.depth.unwrap_or(u32::MAX).min(G::MAX_PLY as u32);
            for depth in 1..=deepest {
                let score = self.root(position, previous, &moves, depth, &mut report.best, watcher);
                if self.stopped {
                    break;
                }
                self.previous_line.clear();
                self.previous_line.extend_from_slice(self.lines.root());
                (report.depth, report.score) = (depth, score);
                let iteration = Iteration { depth, score, nodes: self.meter.nodes, line: &self.previous_line };
                if watcher.iteration(&iteration).is_break() {
                    break;
                }
            }
        }
        report.line.extend_from_slice(&self.previous_line);
        report.height = self.height as u32;
        report.nodes = self.meter.nodes;
        report.extended = self.extended;
        report
    }

    /// One iteration. The choice is the best move so far once the first root move is completed; before that it
    /// stays what the previous iteration made it.
    fn root(
        &mut self,
        position: &G::Position,
        previous: Option<G::Move>,
        moves: &G::Moves,
        depth: u32,
        choice: &mut Option<G::Move>,
        watcher: &mut dyn Watcher<G::Move>,
    ) -> Score {
        let place = Place { key: G::key(position), depth: Depth::plies(depth), ply: 0, on_line: true };
        let mut moves = moves.clone();
        let mut shuffle = Shuffle::new(self.seed, place.key);
        self.lines.clear(0);
        let mut best = -INFINITE;
        for index in 0..moves.len() {
            let mv = self.next_move(&mut moves, index, &mut shuffle, place);
            if choice.is_none() {
                // However tiny the limit, the first move in order is better than none.
                *choice = Some(mv);
                watcher.choice(mv, self.meter.nodes);
            }
            let score = self.try_move::<false>(position, previous, mv, place, index, best, INFINITE);
            if self.stopped {
                return best;
            }
            if score > best {
                best = score;
                self.lines.extend(0, mv);
                if *choice != Some(mv) {
                    *choice = Some(mv);
                    watcher.choice(mv, self.meter.nodes);
                }
            }
        }
        best
    }

    /// The value of a node inside the tree, fail-soft.
    #[inline(never)]
    fn node(&mut self, position: &G::Position, previous: G::Move, place: Place, alpha: Score, beta: Score) -> Score {
        let mut moves = G::generate(position);
        if moves.is_empty() {
            return score::of_outcome(G::stuck(position), place.ply);
        }
        // Most nodes have only leaves below them. Knowing it beforehand, the compiler drops from their moves all that
        // only an inner node needs: it makes the whole search about a third faster.
        if place.depth <= self.cheapest || place.ply + 1 == G::MAX_PLY {
            self.lines.clear(place.ply + 1);
            self.expand::<true>(position, previous, &mut moves, place, alpha, beta)
        } else {
            self.expand::<false>(position, previous, &mut moves, place, alpha, beta)
        }
    }

    /// Searches the moves of a node until one fails high. With `LEAVES` every move is known to lead to a leaf.
    #[inline(always)]
    fn expand<const LEAVES: bool>(
        &mut self,
        position: &G::Position,
        previous: G::Move,
        moves: &mut G::Moves,
        place: Place,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let mut shuffle = Shuffle::new(self.seed, place.key);
        self.lines.clear(place.ply);
        let mut best = -INFINITE;
        for index in 0..moves.len() {
            let mv = self.next_move(moves, index, &mut shuffle, place);
            let score = self.try_move::<LEAVES>(position, Some(previous), mv, place, index, alpha, beta);
            if self.stopped {
                return best;
            }
            if score > best {
                best = score;
                if score > alpha {
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                    self.lines.extend(place.ply, mv);
                }
            }
        }
        best
    }

    /// The previous line's move if this node is on that line, then the others in shuffled order.
    #[inline(always)]
    fn next_move(&self, moves: &mut [G::Move], index: usize, shuffle: &mut Shuffle, place: Place) -> G::Move {
        if place.on_line
            && index == 0
            && let Some(&first) = self.previous_line.get(place.ply)
            && let Some(found) = moves.iter().position(|&mv| mv == first)
        {
            moves.swap(0, found);
            return first;
        }
        shuffle.pick(moves, index)
    }

    /// Plays one move and returns its value for the side that plays it.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "a node's whole state, in registers: this is the inner loop")]
    fn try_move<const LEAVES: bool>(
        &mut self,
        position: &G::Position,
        previous: Option<G::Move>,
        mv: G::Move,
        place: Place,
        index: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if self.meter.used_up() {
            self.stopped = true;
            return 0;
        }
        self.meter.nodes += 1;
        let ply = place.ply + 1;
        let mut next = position.clone();
        G::play(&mut next, mv);
        let cost = if EXTEND {
            let (cost, extended) =
                extend::cost::<G>(self.table, &MoveContext { before: position, after: &next, mv, previous });
            self.extended += u64::from(extended);
            cost
        } else {
            Depth::PLY
        };
        self.height = self.height.max(ply);
        let depth = place.depth - cost;
        let leaf = LEAVES || depth <= Depth::ZERO || ply == G::MAX_PLY;
        if let Some(outcome) = G::decided(&next) {
            self.lines.clear(ply);
            -score::of_outcome(outcome, ply)
        } else if leaf {
            if !LEAVES {
                self.lines.clear(ply);
            }
            -self.evaluation.evaluate(&next)
        } else {
            let key = G::key_after(position, place.key, mv, &next);
            let on_line = place.on_line && index == 0 && self.previous_line.get(place.ply) == Some(&mv);
            -self.node(&next, mv, Place { key, depth, ply, on_line }, -beta, -alpha)
        }
    }
}
