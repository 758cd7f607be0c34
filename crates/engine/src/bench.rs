// SPDX-License-Identifier: GPL-3.0-or-later
//! The benchmark: fixed searches whose node count shows whether a change has changed the search. The behaviour signature is
//! the same for the parts of the search that one run uses.

use std::fmt;
use std::iter::Sum;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::features::{AtomSet, ExtensionTable, Row};
use crate::games::{BenchDepths, RegisteredGame};
use crate::search::{Depth, Evaluator, Limits, Profile, Root, Setup, Watcher};

/// The result of a benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Nodes in all, the same on every machine.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_second = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        write!(f, "{} nodes {per_second:.0} nps", self.nodes)
    }
}

impl Sum for Bench {
    fn sum<I: Iterator<Item = Self>>(benches: I) -> Self {
        let none = Self { nodes: 0, time: Duration::ZERO };
        benches.fold(none, |sum, bench| Self { nodes: sum.nodes + bench.nodes, time: sum.time + bench.time })
    }
}

/// Searches the game's benchmark positions, one thread. A change to any part that it uses changes the count.
///
/// # Panics
/// If a benchmark position of the game is no position of it, which a test rules out.
pub fn run<G: RegisteredGame>(profile: Profile) -> Bench {
    run_while::<G>(profile, &|| true)
}

/// As [`run`], as long as `goes_on` returns true. It is called about every millisecond; once it has returned false, the
/// count is meaningless.
///
/// # Panics
/// As [`run`].
pub fn run_while<G: RegisteredGame>(profile: Profile, goes_on: &dyn Fn() -> bool) -> Bench {
    let start = Instant::now();
    let nodes = match profile {
        Profile::Plain => plain::<G>(goes_on),
        Profile::Full => full::<G>(goes_on),
    };
    Bench { nodes, time: start.elapsed() }
}

/// With each evaluation and no extensions, then with each atom extended by half a ply, and with many atoms at once.
fn plain<G: RegisteredGame>(goes_on: &dyn Fn() -> bool) -> u64 {
    let depth = G::BENCH_DEPTHS.plain;
    let without = G::EVALUATIONS
        .iter()
        .map(|entry| search(&(entry.make)(entry.name), &Setup::plain(ExtensionTable::default(), 1), depth, goes_on));
    let evaluation = G::default_evaluation(Profile::Plain);
    let half = Depth::hundredths(50);
    let single = G::VOCABULARY.all().indices().map(|atom| ExtensionTable::single(AtomSet::single(atom), half));
    let tables = single.chain([many(G::VOCABULARY.all())]);
    let with = tables.map(|table| search(&evaluation, &Setup::plain(table, 1), depth - 2, goes_on));
    without.chain(with).sum()
}

/// The behaviour signature of a run: nodes of searches with this profile and evaluation, without extensions and with these
/// atoms. Journals store it, so that results of different searches are never mixed. Parts that the run does not use do not
/// change it: other evaluations, other atoms, the other profile, and what is off by default unless this setup turns it on:
/// techniques of the full search, and realization-probability search.
///
/// # Panics
/// As [`run`].
pub fn signature<G: RegisteredGame>(setup: &Setup, evaluation: &Evaluator<G>, atoms: AtomSet) -> u64 {
    let Setup { profile, realization, ref parameters, .. } = *setup;
    let goes_on = &|| true;
    let BenchDepths { plain, .. } = G::BENCH_DEPTHS;
    let full = full_depth(evaluation);
    // The nodes of a search with `realization` in which all these atoms are unlikely, if it makes a difference.
    let with_realization = |setup: Setup, depth| {
        let differs = !realization.is_off() && !atoms.is_empty();
        let setup = || Setup { table: costing(atoms, [150, 200, 300]), realization, hash: 1, ..setup };
        if differs { search(evaluation, &setup(), depth, goes_on) } else { 0 }
    };
    match profile {
        Profile::Plain => {
            let nodes = |table, depth| search(evaluation, &Setup::plain(table, 1), depth, goes_on);
            let half = |atom| ExtensionTable::single(AtomSet::single(atom), Depth::hundredths(50));
            let with: u64 = atoms.indices().map(|atom| nodes(half(atom), plain - 2)).sum();
            let again = with_realization(Setup::plain(ExtensionTable::default(), 1), plain - 2);
            nodes(ExtensionTable::default(), plain) + with + again
        }
        Profile::Full => {
            let nodes = |setup: Setup, depth| search(evaluation, &Setup { hash: 1, ..setup }, depth, goes_on);
            let usual = || G::usual_setup(evaluation);
            let with = if atoms.is_empty() { 0 } else { nodes(Setup { table: many(atoms), ..usual() }, full - 3) };
            let defaults = usual().parameters;
            let further = parameters.further_techniques(&defaults);
            let is_any = further != defaults;
            let with_further = if is_any { nodes(Setup { parameters: further, ..usual() }, full - 1) } else { 0 };
            nodes(usual(), full) + with + with_further + with_realization(usual(), full - 3)
        }
    }
}

/// How deep the full search goes in the benchmark. With learned values hardly two positions are worth the same, and the
/// trees are about nine times as large.
fn full_depth<G: RegisteredGame>(evaluation: &Evaluator<G>) -> u32 {
    let depth = G::BENCH_DEPTHS.full;
    if evaluation.has_data() { depth - 2 } else { depth }
}

/// Without extensions, and less deep with many atoms at once.
fn full<G: RegisteredGame>(goes_on: &dyn Fn() -> bool) -> u64 {
    let evaluation = G::default_evaluation(Profile::Full);
    let depth = full_depth(&evaluation);
    let nodes =
        |table, depth| search(&evaluation, &Setup { table, hash: 1, ..G::usual_setup(&evaluation) }, depth, goes_on);
    nodes(ExtensionTable::default(), depth) + nodes(many(G::VOCABULARY.all()), depth - 3)
}

/// Each of these atoms, with different costs in turn.
fn many(atoms: AtomSet) -> ExtensionTable {
    costing(atoms, [50, 75, 125, 150])
}

/// Each of these atoms, with these costs in turn.
fn costing<const N: usize>(atoms: AtomSet, hundredths: [i32; N]) -> ExtensionTable {
    let costs = hundredths.map(Depth::hundredths).into_iter().cycle();
    let rows = atoms.indices().map(AtomSet::single).zip(costs);
    ExtensionTable::new(rows.map(|(feature, cost)| Row { feature, cost }).collect())
}

/// Ends a search once `goes_on` returns false.
struct While<'a>(&'a dyn Fn() -> bool);

impl<M> Watcher<M> for While<'_> {
    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        if (self.0)() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Nodes of all benchmark positions, each searched to a depth by a new thinker.
fn search<G: RegisteredGame>(evaluation: &Evaluator<G>, setup: &Setup, depth: u32, goes_on: &dyn Fn() -> bool) -> u64 {
    let engine = evaluation.engine(setup);
    let nodes = |fen: &&str| {
        let position = G::parse_position(fen).expect("benchmark positions are positions");
        engine.thinker().search(Root::bare(&position), Limits::depth(depth), &mut While(goes_on)).nodes
    };
    G::BENCH.iter().take_while(|_| goes_on()).map(nodes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::{Breakthrough, Chess, Othello};
    use crate::search::{Parameters, Realization};

    fn every_atom_counts<G: RegisteredGame>() {
        let depth = G::BENCH_DEPTHS.plain - 2;
        let evaluation = G::default_evaluation(Profile::Plain);
        let without = search(&evaluation, &Setup::plain(ExtensionTable::default(), 1), depth, &|| true);
        for index in G::VOCABULARY.base().indices() {
            let table = ExtensionTable::single(AtomSet::single(index), Depth::hundredths(50));
            let name = G::VOCABULARY.atoms[index].name.clone();
            assert_ne!(
                search(&evaluation, &Setup::plain(table, 1), depth, &|| true),
                without,
                "{name} is in no move of the benchmark"
            );
        }
    }

    #[test]
    fn a_change_of_any_atom_would_show() {
        every_atom_counts::<Breakthrough>();
        every_atom_counts::<Chess>();
        every_atom_counts::<Othello>();
    }

    #[test]
    fn a_signature_is_of_what_is_used_and_of_nothing_else() {
        let of = |setup: &Setup, name: &str, atoms: &str| {
            let evaluation = Breakthrough::built_in(name).unwrap();
            super::signature(setup, &evaluation, Breakthrough::VOCABULARY.parse(atoms).unwrap_or_default())
        };
        let signature = |profile, name: &str, atoms: &str| of(&Setup { profile, ..Setup::full() }, name, atoms);
        for profile in Profile::ALL {
            let none = signature(profile, "safe-advancement", "");
            assert_ne!(none, signature(profile, "advancement", ""), "it is of the evaluation");
            assert_ne!(none, signature(profile, "safe-advancement", "Ud"), "it is of the atoms");
            let [ud, rc] = ["Ud", "Rc"].map(|atom| signature(profile, "safe-advancement", atom));
            assert_ne!(ud, rc);
            let [off, rps, erps] = Realization::ALL.map(|realization| {
                of(&Setup { profile, realization, ..Setup::full() }, "safe-advancement", "Ud-C-Rc-Ms")
            });
            assert!(off != rps && rps != erps, "it is of realization-probability search");
        }
        let profiles = Profile::ALL.map(|profile| signature(profile, "safe-advancement", "Ud"));
        assert_ne!(profiles[0], profiles[1], "it is of the profile");
        let evaluation = Breakthrough::built_in("safe-advancement").unwrap();
        let with = |profile, parameters| {
            super::signature(&Setup { profile, parameters, ..Setup::full() }, &evaluation, AtomSet::EMPTY)
        };
        let default = Parameters::default();
        let [multi_cut, off] = [
            Parameters { multi_cut: true, ..default.clone() },
            Parameters { null_move: false, multi_cut_moves: 5, ..default.clone() },
        ];
        assert_ne!(with(Profile::Full, multi_cut.clone()), with(Profile::Full, default.clone()), "it is of what is on");
        assert_eq!(with(Profile::Full, off), with(Profile::Full, default.clone()), "the configuration has the rest");
        assert_eq!(with(Profile::Plain, multi_cut), with(Profile::Plain, default));
    }
}
