// SPDX-License-Identifier: GPL-3.0-or-later
//! The plain search: the program of the thesis (Skowronski 2009, Appendix A.4), and the learners' inner loop.
//!
//! Iterative-deepening alpha-beta. The previous iteration's line is searched first, all other moves in shuffled order.
//! No table, no pruning, nothing else, so that the effect of an extension is not disturbed. `docs/search.md` defines
//! every count, so that another program can be compared node by node.

use super::limits::Meter;
use super::line::Lines;
use super::score::{self, INFINITE};
use super::shuffle::Shuffle;
use super::{Depth, Engine, Iteration, Limits, Realization, Report, Root, Score, Thinker, Watcher, extend};
use crate::base::mix::mix;
use crate::evaluation::Evaluation;
use crate::features::ExtensionTable;
use crate::game::{Game, MoveContext, outcome};

/// A search with its settings. `E` is the static evaluation.
#[derive(Clone, Debug)]
pub struct Plain<E> {
    /// What every move costs.
    pub table: ExtensionTable,
    /// How moves that cost more than one ply are searched.
    pub realization: Realization,
    /// The seed of the order of moves, which also depends on the position.
    pub seed: u64,
    /// The static evaluation.
    pub evaluation: E,
}

impl<E> Plain<E> {
    /// Searches a position.
    pub fn search<G: Game>(
        &self,
        root: Root<'_, G>,
        limits: Limits,
        watcher: &mut dyn Watcher<G::Move>,
    ) -> Report<G::Move>
    where
        E: Evaluation<G>,
    {
        // Three compiled searches, so that without extensions atoms cost nothing, not even a test, and neither do second
        // searches of moves where none is made.
        if self.table.is_empty() {
            Worker::<G, E, false, false>::new(self, limits, watcher).run(root, limits)
        } else if self.table.rows().iter().all(|row| row.cost <= self.realization.threshold()) {
            Worker::<G, E, true, false>::new(self, limits, watcher).run(root, limits)
        } else {
            Worker::<G, E, true, true>::new(self, limits, watcher).run(root, limits)
        }
    }
}

impl<G: Game, E: Evaluation<G>> Engine<G> for Plain<E> {
    fn thinker(&self) -> Box<dyn Thinker<G>> {
        Box::new(self.clone())
    }
}

/// The plain search remembers nothing between searches.
impl<G: Game, E: Evaluation<G>> Thinker<G> for Plain<E> {
    fn search(&mut self, root: Root<'_, G>, limits: Limits, watcher: &mut dyn Watcher<G::Move>) -> Report<G::Move> {
        Plain::search(self, root, limits, watcher)
    }

    fn forget(&mut self) {}
}

/// One search under way. With `EXTEND` false every move costs one ply; with `AGAIN` false no move is searched twice.
struct Worker<'a, G: Game, E: Evaluation<G>, const EXTEND: bool, const AGAIN: bool> {
    table: &'a ExtensionTable,
    realization: Realization,
    evaluation: &'a E,
    /// What the evaluation keeps.
    state: E::State,
    /// The least cost of a move: a node with no more depth than this has only leaves below it.
    cheapest: Depth,
    /// The seed, mixed once.
    seed: u64,
    meter: Meter<'a, G::Move>,
    /// Set when a limit is reached; values returned after that are meaningless.
    stopped: bool,
    height: usize,
    extended: u64,
    lines: Lines<G::Move>,
    /// The keys of the positions on the present line, behind the game's; kept if the game has draws by rule.
    keys: Vec<u64>,
    /// The number of keys from the game.
    at_root: usize,
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
    /// Whether there is only one move.
    only_move: bool,
}

impl<'a, G: Game, E: Evaluation<G>, const EXTEND: bool, const AGAIN: bool> Worker<'a, G, E, EXTEND, AGAIN> {
    fn new(plain: &'a Plain<E>, limits: Limits, watcher: &'a mut dyn Watcher<G::Move>) -> Self {
        Self {
            table: &plain.table,
            realization: plain.realization,
            cheapest: plain.table.rows().first().map_or(Depth::PLY, |row| row.cost.min(Depth::PLY)),
            state: plain.evaluation.start(),
            evaluation: &plain.evaluation,
            seed: mix(plain.seed),
            meter: Meter::new(limits, watcher),
            stopped: false,
            height: 0,
            extended: 0,
            lines: Lines::new(G::MAX_PLY),
            keys: Vec::new(),
            at_root: 0,
            previous_line: Vec::with_capacity(G::MAX_PLY),
        }
    }

    /// Deepens a ply at a time until a limit stops it.
    fn run(mut self, root: Root<'_, G>, limits: Limits) -> Report<G::Move> {
        let mut report = Report::new(G::MAX_PLY);
        self.keys.extend_from_slice(root.earlier);
        self.keys.reserve(G::MAX_PLY);
        self.at_root = root.earlier.len();
        let moves = root.candidates();
        if let Some(outcome) = outcome::<G>(root.position) {
            report.score = score::of_outcome(outcome, 0);
        } else {
            let deepest = limits.depth.unwrap_or(u32::MAX).min(G::MAX_PLY as u32);
            for depth in 1..=deepest {
                let score = self.root(root, &moves, depth, &mut report.best);
                if self.stopped {
                    break;
                }
                self.previous_line.clear();
                self.previous_line.extend_from_slice(self.lines.root());
                (report.depth, report.score) = (depth, score);
                let iteration = self.so_far(depth, score, &self.previous_line);
                if self.meter.watcher.iteration(&iteration).is_break() {
                    break;
                }
            }
            if report.depth == 0 {
                report.score = self.evaluate(root.position, 0);
            }
        }
        report.line.extend_from_slice(&self.previous_line);
        report.height = self.height as u32;
        report.nodes = self.meter.nodes;
        report.extended = self.extended;
        report
    }

    /// What is known of a line, for the watcher.
    fn so_far<'l>(&self, depth: u32, score: Score, line: &'l [G::Move]) -> Iteration<'l, G::Move> {
        let (height, nodes) = (self.height as u32, self.meter.nodes);
        Iteration { depth, height, rank: 1, score, nodes, hash_full: None, line }
    }

    /// One iteration. The choice is the best move so far once the first root move is completed; before that it
    /// stays what the previous iteration made it.
    fn root(&mut self, root: Root<'_, G>, moves: &G::Moves, depth: u32, choice: &mut Option<G::Move>) -> Score {
        let place = Place {
            key: G::key(root.position),
            depth: Depth::plies(depth),
            ply: 0,
            on_line: true,
            only_move: moves.len() == 1,
        };
        self.keys.truncate(self.at_root);
        self.keys.push(place.key);
        let mut moves = moves.clone();
        let mut shuffle = Shuffle::new(self.seed, place.key);
        self.lines.clear(0);
        let mut best = -INFINITE;
        for index in 0..moves.len() {
            let mv = self.next_move(&mut moves, index, &mut shuffle, place);
            if choice.is_none() {
                // Even with a tiny limit, the first move in order is better than none.
                *choice = Some(mv);
                self.meter.chose(mv);
            }
            self.meter.watcher.root_move(mv, index + 1, depth);
            let score = self.try_move::<false>(root.position, root.previous, mv, place, index, best, INFINITE);
            if self.stopped {
                return best;
            }
            if score > best {
                best = score;
                self.lines.extend(0, mv);
                if *choice != Some(mv) {
                    *choice = Some(mv);
                    self.meter.chose(mv);
                    let iteration = self.so_far(depth, score, self.lines.root());
                    self.meter.watcher.improvement(&iteration);
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
        let place = Place { only_move: moves.len() == 1, ..place };
        if G::RULE_DRAWS {
            self.keys.truncate(self.at_root + place.ply);
            self.keys.push(place.key);
        }
        // Most nodes have only leaves below them. A loop compiled for that case omits what only inner nodes need, which
        // makes the whole search about a third faster.
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
        let realization = self.realization;
        let mut next = position.clone();
        G::play(&mut next, mv);
        let cost = if EXTEND {
            let context = MoveContext { only_move: place.only_move, ..MoveContext::new(position, &next, mv, previous) };
            let (cost, extended) = extend::cost::<G>(self.table, &context);
            self.extended += u64::from(extended);
            cost
        } else {
            Depth::PLY
        };
        self.height = self.height.max(ply);
        if let Some(outcome) = G::decided(&next) {
            self.lines.clear(ply);
            return -score::of_outcome(outcome, ply);
        }
        // With draws by rule every move's key is needed, otherwise only those of inner nodes.
        let key_after = || G::key_after(position, place.key, mv, &next);
        let mut known_key = None;
        if G::RULE_DRAWS {
            let key = *known_key.insert(key_after());
            // Deeper nodes have left their keys in the list; the keys of this line end with this position's.
            self.keys.truncate(self.at_root + ply);
            if G::rule_draw(&next, key, &self.keys, self.at_root) {
                self.lines.clear(ply);
                return 0;
            }
        }
        let unit = self.evaluation.unit();
        let mut below = |cost: Depth, alpha: Score, beta: Score| {
            let depth = place.depth - cost;
            if LEAVES || depth <= Depth::ZERO || ply == G::MAX_PLY {
                if !LEAVES {
                    self.lines.clear(ply);
                }
                if G::QUIESCENCE { -self.quiescence(&next, ply, -beta, -alpha) } else { -self.evaluate(&next, ply) }
            } else {
                let key = known_key.unwrap_or_else(key_after);
                let on_line = place.on_line && index == 0 && self.previous_line.get(place.ply) == Some(&mv);
                -self.node(&next, mv, Place { key, depth, ply, on_line, only_move: false }, -beta, -alpha)
            }
        };
        // Where even the threshold leaves no depth, all searches of the move would be of the same leaf.
        if AGAIN && !LEAVES && cost > realization.threshold() && place.depth > realization.threshold() {
            return realization.value(cost, (alpha, beta), unit, below);
        }
        below(cost, alpha, beta)
    }

    /// The static evaluation.
    #[inline]
    fn evaluate(&mut self, position: &G::Position, ply: usize) -> Score {
        self.evaluation.evaluate(&mut self.state, ply, position)
    }

    /// The value of a leaf that may not be quiet: the side to move stands pat or plays a noisy move; in check it may
    /// play any move. Every move is a node. The table is not used.
    fn quiescence(&mut self, position: &G::Position, ply: usize, mut alpha: Score, beta: Score) -> Score {
        if ply == G::MAX_PLY {
            return self.evaluate(position, ply);
        }
        let in_check = G::in_check(position);
        let (mut best, moves) = if in_check {
            (-INFINITE, G::generate(position))
        } else {
            let standing = self.evaluate(position, ply);
            if standing >= beta {
                return standing;
            }
            alpha = alpha.max(standing);
            (standing, G::noisy(position))
        };
        if in_check && moves.is_empty() {
            return score::of_outcome(G::stuck(position), ply);
        }
        for &mv in moves.iter() {
            if self.meter.used_up() {
                self.stopped = true;
                break;
            }
            self.meter.nodes += 1;
            self.height = self.height.max(ply + 1);
            let mut next = position.clone();
            G::play(&mut next, mv);
            best = best.max(-self.quiescence(&next, ply + 1, -beta, -alpha));
            alpha = alpha.max(best);
            if self.stopped || alpha >= beta {
                break;
            }
        }
        best
    }
}
