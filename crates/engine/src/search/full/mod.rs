// SPDX-License-Identifier: GPL-3.0-or-later
//! The full search: what games are played with.
//!
//! Every technique is a switch and every number a parameter, declared in [`parameters`](super::parameters).

mod aspiration;
mod correction;
mod deepening;
mod history;
mod killers;
mod learned;
mod multi_cut;
mod node;
mod order;
mod pruning;
mod quiescence;
mod reductions;
mod singular;
mod table;
mod threads;

use super::control::Control;
use super::limits::Meter;
use super::line::Lines;
use super::{Depth, Engine, Limits, Parameters, Realization, Report, Root, Score, Setup, Thinker, Watcher, extend};
use crate::base::endings::Endings;
use crate::evaluation::Evaluation;
use crate::features::{AtomSet, ExtensionTable};
use crate::game::{MoveContext, Outcome, Side, Tactics};

use correction::Corrections;
use history::{Behind, Earlier, HistoryTable};
use killers::Killers;
use reductions::Reductions;
use table::Table;

/// The full search with its settings.
#[derive(Clone, Debug)]
pub struct Full<E> {
    /// All settings.
    pub setup: Setup,
    /// The static evaluation.
    pub evaluation: E,
}

impl<G: Tactics, E: Evaluation<G>> Engine<G> for Full<E> {
    fn thinker(&self) -> Box<dyn Thinker<G>> {
        let memories = (0..self.setup.threads.max(1)).map(|_| None).collect();
        Box::new(FullThinker { full: self.clone(), table: Table::new(self.setup.hash), memories })
    }
}

/// What a thread remembers between searches.
struct Memory {
    history: HistoryTable,
    corrections: Corrections,
}

impl Memory {
    fn new<G: Tactics>(parameters: &Parameters) -> Self {
        Self {
            history: HistoryTable::new(parameters),
            corrections: Corrections::new(G::structures(&G::start()).as_ref().len()),
        }
    }
}

/// A thinker of the full search.
struct FullThinker<E> {
    full: Full<E>,
    table: Table,
    /// One for each thread; none before its first search.
    memories: Vec<Option<Memory>>,
}

impl<G: Tactics, E: Evaluation<G>> Thinker<G> for FullThinker<E> {
    fn search(&mut self, root: Root<'_, G>, limits: Limits, watcher: &mut dyn Watcher<G::Move>) -> Report<G::Move> {
        self.table.next_search();
        threads::search(&self.full, &self.table, &mut self.memories, root, limits, watcher)
    }

    fn forget(&mut self) {
        self.table.clear();
        self.memories.fill_with(|| None);
    }

    fn hash(&self) -> Option<usize> {
        Some(self.table.mebibytes())
    }
}

/// What is kept for each ply of the current line.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    killers: Killers,
    /// The static evaluation, corrected; none in check.
    evaluation: Option<Score>,
    /// The move that a singular search leaves out, packed.
    excluded: Option<u16>,
    /// The static evaluation that the node above has computed for a position with that key.
    handed: Option<(u64, Score)>,
    /// The move that is being searched; none for a null move.
    moved: Option<Earlier>,
}

/// One thread's search under way.
struct Worker<'a, G: Tactics, E: Evaluation<G>> {
    extensions: &'a ExtensionTable,
    /// The atoms of the search's state that the table asks for.
    wanted_state: AtomSet,
    realization: Realization,
    parameters: &'a Parameters,
    evaluation: &'a E,
    /// What the evaluation keeps.
    state: E::State,
    reductions: Reductions,
    /// The model of learned reductions; none if they are off.
    control: Option<&'a Control>,
    /// Tables of endings; none if there are none, or the root is in them.
    endings: Option<&'a Endings>,
    /// The root's outcome, if tables of endings know it.
    ending: Option<Outcome>,
    /// How many late moves there are to a sample; 0 for no samples.
    sampling: u64,
    /// Whether the search of a sample is under way.
    in_sample: bool,
    table: &'a Table,
    history: &'a mut HistoryTable,
    corrections: &'a mut Corrections,
    meter: Meter<'a, G::Move>,
    /// Set when a limit is reached; values returned after that are meaningless.
    stopped: bool,
    height: usize,
    /// The depth of the iteration in plies.
    iteration: u32,
    extended: u64,
    lines: Lines<G::Move>,
    /// By ply.
    frames: Vec<Frame>,
    /// The keys of the positions on the present line, behind the game's.
    keys: Vec<u64>,
    /// The number of keys from the game.
    at_root: usize,
}

/// Where a node stands in the tree.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The position's key.
    key: u64,
    depth: Depth,
    ply: usize,
    /// Whether the side to move is in check.
    in_check: bool,
    /// Whether the node is expected to fail high, if its window is null.
    cut: bool,
    /// Whether the opponent has just passed.
    passed: bool,
    /// The first key that can be repeated: positions from before a null move cannot.
    first_key: usize,
}

/// What a move costs, and what that means for it.
#[derive(Clone, Copy, Debug)]
struct MoveCost {
    cost: Depth,
    /// How much less it costs when it is searched again because it surprised.
    excess: Depth,
    /// Whether a row of the extension table matched.
    matched: bool,
    /// Whether it is neither to be skipped nor reduced.
    spared: bool,
}

impl<'a, G: Tactics, E: Evaluation<G>> Worker<'a, G, E> {
    fn new(
        full: &'a Full<E>,
        table: &'a Table,
        memory: &'a mut Memory,
        earlier: &[u64],
        limits: Limits,
        watcher: &'a mut dyn Watcher<G::Move>,
    ) -> Self {
        let mut keys = Vec::with_capacity(earlier.len() + G::MAX_PLY + 1);
        keys.extend_from_slice(earlier);
        Self {
            extensions: &full.setup.table,
            wanted_state: full.setup.table.wanted_state(),
            realization: full.setup.realization,
            parameters: &full.setup.parameters,
            evaluation: &full.evaluation,
            state: full.evaluation.start(),
            reductions: Reductions::new(&full.setup.parameters),
            control: full.setup.control.as_deref().filter(|_| full.setup.parameters.learned_reductions),
            endings: full.setup.endings.as_deref(),
            ending: None,
            sampling: watcher.sampling(),
            in_sample: false,
            table,
            history: &mut memory.history,
            corrections: &mut memory.corrections,
            meter: Meter::new(limits, watcher),
            stopped: false,
            height: 0,
            iteration: 0,
            extended: 0,
            lines: Lines::new(G::MAX_PLY),
            frames: vec![Frame::default(); G::MAX_PLY + 2],
            keys,
            at_root: earlier.len(),
        }
    }

    /// Whether another node is allowed; if so, counts it.
    #[inline]
    fn count_node(&mut self, ply: usize) -> bool {
        if self.meter.used_up() {
            self.stopped = true;
            return false;
        }
        self.meter.nodes += 1;
        self.height = self.height.max(ply);
        true
    }

    /// Where the quiet moves of a node stand.
    #[inline]
    fn behind(&self, side: Side, ply: usize) -> Behind {
        Behind { side, earlier: [1, 2].map(|back| self.frames[ply.checked_sub(back)?].moved) }
    }

    /// The position after a move, and its key. Its entry in the transposition table comes from memory meanwhile.
    #[inline]
    fn after(&self, position: &G::Position, key: u64, mv: G::Move) -> (G::Position, u64) {
        let known = G::known_key(position, key, mv);
        if let Some(key) = known {
            self.table.prefetch(key);
        }
        let mut next = position.clone();
        G::play(&mut next, mv);
        let key = known.unwrap_or_else(|| {
            let key = G::key(&next);
            self.table.prefetch(key);
            key
        });
        (next, key)
    }

    /// The static evaluation.
    #[inline]
    fn evaluate(&mut self, position: &G::Position, ply: usize) -> Score {
        self.evaluation.evaluate(&mut self.state, ply, position)
    }

    /// The static evaluation of a node, if the node above has not computed it.
    #[inline]
    fn evaluation_of(&mut self, position: &G::Position, place: Place) -> Score {
        match self.frames[place.ply].handed {
            Some((key, evaluation)) if key == place.key => {
                debug_assert_eq!(evaluation, self.evaluation.judge(position));
                evaluation
            }
            _ => self.evaluate(position, place.ply),
        }
    }

    /// What a move costs by the extension table.
    #[inline]
    fn move_cost(&self, context: &MoveContext<'_, G>) -> MoveCost {
        let urgent = self.parameters.spare_urgent && G::is_urgent(context.before, context.mv);
        if self.extensions.is_empty() {
            return MoveCost { cost: Depth::PLY, excess: Depth::ZERO, matched: false, spared: urgent };
        }
        let (cost, matched) = extend::cost(self.extensions, context);
        let spared = urgent || (cost < Depth::PLY && self.parameters.spare_extended);
        MoveCost { cost, excess: self.realization.excess(cost), matched, spared }
    }

    /// Hundredths of a pawn in the evaluation's units.
    #[inline]
    fn margin(&self, hundredths: i32) -> Score {
        hundredths * self.evaluation.unit() / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Chess;
    use crate::games::chess::Material;

    /// Calls `test` with a worker for chess at the root of a search.
    pub fn with_worker<R>(parameters: &Parameters, test: impl FnOnce(&mut Worker<'_, Chess, Material>) -> R) -> R {
        let setup = Setup { parameters: parameters.clone(), hash: 1, ..Setup::full() };
        let full = Full { setup, evaluation: Material };
        let (table, mut memory) = (Table::new(1), Memory::new::<Chess>(parameters));
        test(&mut Worker::new(&full, &table, &mut memory, &[], Limits::default(), &mut ()))
    }

    /// The root with that depth in hundredths of a ply.
    pub fn place<G: Tactics>(position: &G::Position, depth: i32) -> Place {
        let depth = Depth::hundredths(depth);
        Place { key: G::key(position), depth, ply: 0, in_check: false, cut: false, passed: false, first_key: 0 }
    }
}
