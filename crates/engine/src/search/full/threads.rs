// SPDX-License-Identifier: GPL-3.0-or-later
//! Lazy SMP: every thread searches the same root on its own; what they share is the transposition table. Half of the
//! helpers run an iteration ahead, so that their entries are in the table when the first thread needs them.

use std::ops::ControlFlow;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::super::limits::NODES_BETWEEN_LOOKS;
use super::super::{Failure, Iteration, Limits, Report, Root, Watcher};
use super::table::Table;
use super::{Full, Memory, Worker};
use crate::base::memory;
use crate::evaluation::Evaluation;
use crate::game::Tactics;

/// What the threads know of each other.
struct Team {
    /// Set when the first thread is done.
    stop: AtomicBool,
    /// Nodes of the limit that no thread has claimed yet. Threads claim what they search before their next look, so
    /// together they keep to the limit whatever the system's scheduler does.
    unclaimed: AtomicU64,
    /// Nodes of each helper as of its last look.
    nodes: Vec<AtomicU64>,
}

impl Team {
    fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    /// Takes so many nodes from what is unclaimed; none if that is less.
    fn claim(&self, wanted: u64) -> Option<u64> {
        self.unclaimed.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(wanted)).ok().map(|_| wanted)
    }

    /// The same, or what is left.
    fn claim_rest(&self, wanted: u64) -> u64 {
        self.claim(wanted).unwrap_or_else(|| self.unclaimed.swap(0, Relaxed))
    }
}

/// Stops the helpers when the first thread is done, even if it panics.
struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// A helper's watcher: it ends the search when the first thread is done or the limit is used up.
struct Helper<'a> {
    team: &'a Team,
    number: usize,
    share: u64,
    claimed: u64,
}

impl Helper<'_> {
    /// Claims the nodes up to the next look; false if not all of them are left. Then the first thread gets the rest.
    fn claim(&mut self, nodes: u64) -> bool {
        let until = (nodes + NODES_BETWEEN_LOOKS).min(self.share);
        let claimed = self.team.claim(until.saturating_sub(self.claimed));
        self.claimed += claimed.unwrap_or_default();
        claimed.is_some()
    }
}

impl<M> Watcher<M> for Helper<'_> {
    fn look(&mut self, nodes: u64) -> ControlFlow<()> {
        self.team.nodes[self.number].store(nodes, Relaxed);
        // What was claimed is searched: nobody else will. A look between two claims may lead a little beyond that.
        let goes_on = !self.team.stop.load(Relaxed) && self.claim(nodes) || nodes < self.claimed;
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Passes on what the first thread reports, with everybody's nodes.
struct First<'a, M> {
    team: &'a Team,
    claimed: u64,
    watcher: &'a mut dyn Watcher<M>,
}

impl<M> Watcher<M> for First<'_, M> {
    fn iteration(&mut self, iteration: &Iteration<'_, M>) -> ControlFlow<()> {
        self.watcher.iteration(&Iteration { nodes: iteration.nodes + self.team.nodes(), ..*iteration })
    }

    fn outside_window(&mut self, iteration: &Iteration<'_, M>, failure: Failure) {
        let nodes = iteration.nodes + self.team.nodes();
        self.watcher.outside_window(&Iteration { nodes, ..*iteration }, failure);
    }

    fn improvement(&mut self, iteration: &Iteration<'_, M>) {
        let nodes = iteration.nodes + self.team.nodes();
        self.watcher.improvement(&Iteration { nodes, ..*iteration });
    }

    fn choice(&mut self, mv: M, nodes: u64) {
        self.watcher.choice(mv, nodes + self.team.nodes());
    }

    fn root_move(&mut self, mv: M, number: usize, depth: u32) {
        self.watcher.root_move(mv, number, depth);
    }

    fn look(&mut self, nodes: u64) -> ControlFlow<()> {
        self.claimed += self.team.claim_rest((nodes + NODES_BETWEEN_LOOKS).saturating_sub(self.claimed));
        if nodes >= self.claimed { ControlFlow::Break(()) } else { self.watcher.look(nodes + self.team.nodes()) }
    }
}

/// Searches on as many threads as there are memories.
pub(super) fn search<G: Tactics, E: Evaluation<G>>(
    full: &Full<E>,
    table: &Table,
    memories: &mut [Option<Memory>],
    root: Root<'_, G>,
    limits: Limits,
    watcher: &mut dyn Watcher<G::Move>,
) -> Report<G::Move> {
    let Some((first, helpers)) = memories.split_first_mut() else { return Report::new(0) };
    let first = first.get_or_insert_with(|| Memory::new::<G>(&full.setup.parameters));
    if helpers.is_empty() {
        return Worker::new(full, table, first, root.earlier, limits, watcher).run(root, limits, 1);
    }
    let limit = limits.nodes.unwrap_or(u64::MAX);
    // No helper gets more than a share, or they would have used up a small limit before the first thread begins.
    let share = limits.nodes.map_or(limit, |nodes| nodes / (helpers.len() as u64 + 1));
    let team = Team {
        stop: AtomicBool::new(false),
        unclaimed: AtomicU64::new(limit),
        nodes: helpers.iter().map(|_| AtomicU64::new(0)).collect(),
    };
    let mut watcher = First { team: &team, claimed: team.claim_rest(NODES_BETWEEN_LOOKS), watcher };
    let is_roomy = memory::is_free(memory::HEADROOM + helpers.len() * memory::THREAD);
    let ready = Barrier::new(2);
    let mut report = std::thread::scope(|scope| {
        let done = Done(&team.stop);
        for (number, memory) in helpers.iter_mut().enumerate() {
            // A helper allocates its memory before the next one is started, so the check counts it.
            if !is_roomy && !memory::is_free(memory::HEADROOM) {
                break;
            }
            let (team, ready) = (&team, &ready);
            let help = move || {
                let memory = memory.get_or_insert_with(|| Memory::new::<G>(&full.setup.parameters));
                let mut helper = Helper { team, number, share, claimed: 0 };
                let share = if helper.claim(0) { share } else { 0 };
                let limits = Limits { nodes: Some(share), depth: limits.depth, time: None };
                let worker = Worker::<G, E>::new(full, table, memory, root.earlier, limits, &mut helper);
                if !is_roomy {
                    ready.wait();
                }
                let report = worker.run(root, limits, 1 + (number as u32 + 1) % 2);
                team.nodes[number].store(report.nodes, Relaxed);
            };
            // If the system has no more threads, fewer are used.
            if std::thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
            if !is_roomy {
                ready.wait();
            }
        }
        let worker = Worker::new(full, table, first, root.earlier, limits, &mut watcher);
        let report = worker.run(root, limits, 1);
        drop(done);
        report
    });
    report.nodes += team.nodes();
    report
}

#[cfg(test)]
mod tests {
    use crate::game::Game;
    use crate::games::{Chess, RegisteredGame};
    use crate::search::{Limits, Profile, Root, Setup};

    #[test]
    fn threads_share_a_limit_of_nodes() {
        let setup = Setup { threads: 64, hash: 1, ..Setup::full() };
        let mut thinker = Chess::default_evaluation(Profile::Full).engine(&setup).thinker();
        for nodes in [3, 100, 5_000] {
            let report = thinker.search(Root::bare(&Chess::start()), Limits::nodes(nodes), &mut ());
            assert!((nodes..=nodes + 1_024).contains(&report.nodes) && report.best.is_some(), "{nodes}: {report:?}");
            assert!(nodes < 5_000 || report.depth > 0, "{report:?}");
        }
    }
}
