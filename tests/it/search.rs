// SPDX-License-Identifier: GPL-3.0-or-later
//! Every search against plain negamax, and the plain search's counts against the reference.

use std::ops::ControlFlow;

use halfply_engine::evaluation::Evaluation;
use halfply_engine::features::{ExtensionTable, Row};
use halfply_engine::game::{Game, Notation, Outcome, after, legal_moves};
use halfply_engine::games::Chess;
use halfply_engine::games::breakthrough::{Advancement, Breakthrough, PieceCount, SafeAdvancement};
use halfply_engine::games::chess::Material;
use halfply_engine::history::History;
use halfply_engine::search::minimax::negamax;
use halfply_engine::search::{Depth, Engine, Full, Iteration, Limits, Plain, Realization, Root, Setup, Watcher, score};
use proptest::prelude::*;

use crate::reference::{self, Counts};
use crate::support::{Position, feature, position, sparse_position, table};

fn plain<E: Evaluation<Breakthrough> + Default>(table: &ExtensionTable, seed: u64) -> Plain<E> {
    Plain { table: table.clone(), realization: Realization::Off, seed, evaluation: E::default() }
}

fn agrees_with_negamax<E: Evaluation<Breakthrough> + Default>(
    position: &Position,
    table: &ExtensionTable,
    seed: u64,
    depth: u32,
) -> Result<(), TestCaseError> {
    let report = plain::<E>(table, seed).search(Root::<Breakthrough>::bare(position), Limits::depth(depth), &mut ());
    let expected = negamax(Root::<Breakthrough>::bare(position), Depth::plies(depth), table, &E::default());
    prop_assert_eq!(report.score, expected, "{} at depth {}", std::any::type_name::<E>(), depth);
    prop_assert_eq!(report.line.first().copied(), report.best);
    // The line can be played, and is no longer than the tree is high.
    let mut at = *position;
    for &mv in &report.line {
        prop_assert!(legal_moves::<Breakthrough>(&at).contains(&mv));
        at = after::<Breakthrough>(&at, mv);
    }
    prop_assert!(report.line.len() <= report.height as usize);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_plain_search_has_negamax_s_value(
        position in sparse_position(), table in table(), seed in any::<u64>(), depth in 1_u32..=3,
    ) {
        agrees_with_negamax::<SafeAdvancement>(&position, &table, seed, depth)?;
        agrees_with_negamax::<Advancement>(&position, &table, seed, depth)?;
        agrees_with_negamax::<PieceCount>(&position, &table, seed, depth)?;
    }

    #[test]
    fn the_plain_search_counts_what_the_reference_counts(
        position in sparse_position(), table in table(), seed in any::<u64>(), limit in 0_u64..3000,
        realization in prop::sample::select(Realization::ALL.to_vec()), threshold in 100_i32..=200,
    ) {
        let realization = realization.with_threshold(Depth::hundredths(threshold));
        let plain = Plain { realization, ..plain::<SafeAdvancement>(&table, seed) };
        let limits = Limits { nodes: Some(limit), depth: Some(8), time: None };
        let report = plain.search(Root::<Breakthrough>::bare(&position), limits, &mut ());
        let found = Counts {
            best: report.best, depth: report.depth, height: report.height, nodes: report.nodes, extended: report.extended,
        };
        let searched = (&table, realization);
        let expected = reference::search::<Breakthrough, SafeAdvancement>(&position, searched, seed, limit, 8);
        prop_assert_eq!(found, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Without moves above one ply, realization-probability search is the search with fractional plies, node by node; and
    /// without an extension table nothing is unlikely.
    #[test]
    fn nothing_is_searched_again_where_no_move_is_unlikely(
        position in sparse_position(), table in table(), seed in any::<u64>(), depth in 1_u32..=4,
    ) {
        let likely = |row: &&Row| row.cost <= Depth::PLY;
        let table = ExtensionTable::new(table.rows().iter().filter(likely).copied().collect());
        let report = |realization| {
            let plain = Plain { realization, ..plain::<SafeAdvancement>(&table, seed) };
            plain.search(Root::<Breakthrough>::bare(&position), Limits::depth(depth), &mut ())
        };
        let off = report(Realization::Off);
        for realization in [Realization::Rps(Depth::PLY), Realization::Erps(Depth::PLY)] {
            prop_assert_eq!(&report(realization), &off);
        }
    }

    /// If all moves are equally unlikely, a search of two plies is one of one ply in which every move that surprises is
    /// confirmed: nothing is left of two plies at a cost of two.
    #[test]
    fn a_line_of_unlikely_moves_is_confirmed_at_the_threshold(position in sparse_position(), seed in any::<u64>()) {
        // Every move of Breakthrough goes to the own half or to the other.
        let table = ExtensionTable::new(
            ["Rdb", "Rdt"].map(|name| Row { feature: feature(name), cost: Depth::hundredths(200) }).to_vec(),
        );
        let root = Root::<Breakthrough>::bare(&position);
        let report = |realization| {
            let plain = Plain { realization, ..plain::<SafeAdvancement>(&table, seed) };
            plain.search(root, Limits::depth(2), &mut ())
        };
        let value = |plies| negamax(root, Depth::plies(plies), &ExtensionTable::default(), &SafeAdvancement);
        prop_assert_eq!(report(Realization::Off).score, value(1));
        // The best of the moves that were confirmed: each at its value of two plies.
        let rps = report(Realization::Rps(Depth::PLY));
        prop_assert!(rps.score <= value(2));
        if let Some(best) = rps.best {
            let mut of_best = History::<Breakthrough>::new(position);
            of_best.play(best);
            let after = negamax(of_best.root(), Depth::PLY, &ExtensionTable::default(), &SafeAdvancement);
            prop_assert!(score::plies_to_end(after).is_some() || rps.score == -after);
        }
    }
}

/// White wins in three plies by moves that cost two each. Reduced, the win is seen an iteration later; searched again, at
/// once.
#[test]
fn an_unlikely_move_that_surprises_is_searched_again() {
    let position = position("8/8/1P5p/8/8/8/8/8 w - - 0 1");
    let table = ExtensionTable::single(feature("Rdt"), Depth::hundredths(200));
    let end = |realization, depth| {
        let plain = Plain { realization, ..plain::<SafeAdvancement>(&table, 1) };
        let report = plain.search(Root::<Breakthrough>::bare(&position), Limits::depth(depth), &mut ());
        score::plies_to_end(report.score)
    };
    assert_eq!((end(Realization::Off, 3), end(Realization::Off, 4)), (None, Some(3)));
    for realization in [Realization::Rps(Depth::PLY), Realization::Erps(Depth::PLY)] {
        assert_eq!((end(realization, 2), end(realization, 3)), (None, Some(3)), "{realization:?}");
        // With a threshold of two plies they are not unlikely.
        let dearer = realization.with_threshold(Depth::hundredths(200));
        assert_eq!((end(dearer, 3), end(dearer, 4)), (None, Some(3)), "{dearer:?}");
    }
}

/// The same on full boards, where the proptest's negamax would take too long.
#[test]
fn counts_agree_on_full_boards() {
    for fen in <Breakthrough as halfply_engine::games::RegisteredGame>::BENCH {
        let position = position(fen);
        for (name, hundredths, realization) in [
            ("", 100, Realization::Off),
            ("Ud", 50, Realization::Off),
            ("RdTt", 50, Realization::Off),
            ("C", 25, Realization::Off),
            ("Rc", 75, Realization::Off),
            ("Ms", 150, Realization::Off),
            ("Mr", 40, Realization::Off),
            ("Rdb", 130, Realization::Rps(Depth::PLY)),
            ("Ud", 200, Realization::Rps(Depth::PLY)),
            ("Rdb", 250, Realization::Erps(Depth::PLY)),
            ("Ud", 200, Realization::Rps(Depth::hundredths(150))),
            ("Rdb", 250, Realization::Erps(Depth::hundredths(125))),
        ] {
            let row = if name.is_empty() { Default::default() } else { feature(name) };
            let table = ExtensionTable::single(row, Depth::hundredths(hundredths));
            let plain = Plain { realization, ..plain::<SafeAdvancement>(&table, 7) };
            let report = plain.search(Root::<Breakthrough>::bare(&position), Limits::nodes(20_000), &mut ());
            let searched = (&table, realization);
            let expected = reference::search::<Breakthrough, SafeAdvancement>(&position, searched, 7, 20_000, 210);
            assert_eq!((report.best, report.depth, report.height), (expected.best, expected.depth, expected.height));
            assert_eq!((report.nodes, report.extended), (20_000, expected.extended), "{name} in {fen}");
        }
    }
}

/// A move onto the last row ends the game, so what it costs decides nothing: two readings of PP that differ there alone
/// search the same tree, and differ in what they count as extended.
#[test]
fn readings_of_pp_that_differ_on_the_last_row_search_alike() {
    for (short, whole) in [("PP", "PPm"), ("PPf7", "PPf")] {
        let mut extended = [0, 0];
        for fen in <Breakthrough as halfply_engine::games::RegisteredGame>::BENCH {
            let position = position(fen);
            let reports = [short, whole].map(|name| {
                let table = ExtensionTable::single(feature(name), Depth::hundredths(50));
                let root = Root::<Breakthrough>::bare(&position);
                plain::<SafeAdvancement>(&table, 7).search(root, Limits::nodes(50_000), &mut ())
            });
            let [a, b] = &reports;
            assert_eq!((a.best, a.score, a.depth, a.height), (b.best, b.score, b.depth, b.height), "{short} in {fen}");
            extended = [extended[0] + a.extended, extended[1] + b.extended];
        }
        assert!(extended[0] < extended[1], "{short} {} {whole} {}", extended[0], extended[1]);
    }
}

#[test]
fn a_win_is_worth_more_the_nearer_it_is() {
    let position = position("8/8/2P5/8/8/8/p7/8 w");
    // Black wins in one, White in two moves: White loses at ply 2.
    let report = plain::<SafeAdvancement>(&ExtensionTable::default(), 1).search(
        Root::<Breakthrough>::bare(&position),
        Limits::depth(4),
        &mut (),
    );
    assert_eq!(score::plies_to_end(report.score), Some(-2));
    assert_eq!(report.score, 2 - score::WIN);
}

/// The move at the limit is the iteration's best so far, once its first root move is completed.
#[test]
fn a_cut_iteration_counts_once_its_first_move_is_completed() {
    struct Choices(Vec<u64>, Vec<u64>);
    impl<M> Watcher<M> for Choices {
        fn choice(&mut self, _: M, nodes: u64) {
            self.0.push(nodes);
        }
        fn iteration(&mut self, iteration: &Iteration<'_, M>) -> ControlFlow<()> {
            self.1.push(iteration.nodes);
            ControlFlow::Continue(())
        }
    }
    let position = position("p1p2ppp/1p2p1p1/2pp4/1P3p2/P1p1P1P1/3P4/PP3P1P/1P1PP1PP b - - 0 1");
    let search = |nodes| {
        let mut choices = Choices(Vec::new(), Vec::new());
        let plain = plain::<SafeAdvancement>(&ExtensionTable::default(), 3);
        let report =
            Engine::thinker(&plain).search(Root::<Breakthrough>::bare(&position), Limits::nodes(nodes), &mut choices);
        (report, choices)
    };
    let (_, Choices(changes, _)) = search(200_000);
    assert!(changes.len() > 2, "the choice must change for this test to say anything: {changes:?}");
    for &nodes in &changes[1..] {
        // A node earlier the old move still stands; at the change the new one does.
        assert_ne!(search(nodes - 1).0.best, search(nodes).0.best);
    }
}

#[test]
fn a_search_that_completes_no_iteration_has_the_static_evaluation() {
    // White is a queen up.
    let position = Chess::parse_position("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1").unwrap();
    let engines: [Box<dyn Engine<Chess>>; 2] = [
        Box::new(Plain {
            table: ExtensionTable::default(),
            realization: Realization::Off,
            seed: 1,
            evaluation: Material,
        }),
        Box::new(Full { setup: Setup { hash: 1, ..Setup::full() }, evaluation: Material }),
    ];
    for engine in engines {
        let report = engine.thinker().search(Root::bare(&position), Limits::nodes(3), &mut ());
        assert_eq!((report.depth, report.score), (0, Evaluation::<Chess>::judge(&Material, &position)));
        assert!(report.score > 0 && report.best.is_some());
    }
}

#[test]
fn without_any_limit_a_finite_tree_is_searched_to_the_longest_line() {
    let position = position("8/8/7p/8/8/P7/8/8 w");
    let table = ExtensionTable::single(feature("Edg"), Depth::ZERO);
    let report =
        plain::<SafeAdvancement>(&table, 1).search(Root::<Breakthrough>::bare(&position), Limits::default(), &mut ());
    assert_eq!(report.depth, 210);
    assert!(score::plies_to_end(report.score).is_some());
}

#[test]
fn a_finished_game_has_no_move() {
    let position = position("8/8/7p/8/8/8/8/p7 w");
    let report = plain::<PieceCount>(&ExtensionTable::default(), 1).search(
        Root::<Breakthrough>::bare(&position),
        Limits::nodes(9),
        &mut (),
    );
    assert_eq!((report.best, report.nodes), (None, 0));
}

/// The inner loop of every learner allocates nothing: ten times the nodes, as many allocations.
#[test]
fn the_tree_allocates_nothing() {
    let position = position("1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w - - 0 1");
    for table in [ExtensionTable::default(), ExtensionTable::single(feature("Ud"), Depth::hundredths(50))] {
        let plain = plain::<SafeAdvancement>(&table, 1);
        let allocations = |nodes| {
            let search = || drop(plain.search(Root::<Breakthrough>::bare(&position), Limits::nodes(nodes), &mut ()));
            allocation_counter::measure(search).count_total
        };
        let few = allocations(10_000);
        assert!(few > 0, "the lines' table is allocated, so a count of nothing would mean that nothing is counted");
        assert_eq!(allocations(100_000), few);
    }
}

/// Chess brings quiescence, mates, stalemates, repetition and the fifty-move rule.
#[test]
fn the_plain_search_has_negamax_s_value_in_chess() {
    let tables: Vec<ExtensionTable> = [&[("AcK", 50)][..], &[("Rc", 25), ("PcK", 150)], &[("Or", 0), ("P7", 50)], &[]]
        .iter()
        .map(|rows| {
            let row = |&(name, hundredths)| Row {
                feature: Chess::VOCABULARY.parse(name).unwrap(),
                cost: Depth::hundredths(hundredths),
            };
            ExtensionTable::new(rows.iter().map(row).collect())
        })
        .collect();
    for fen in [
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "7k/8/5K2/6Q1/8/8/8/8 b - - 99 80",
        "8/8/8/8/1k6/8/1p6/1K6 w - - 96 80",
        "4k3/P6p/8/8/8/8/p6P/4K3 w - - 0 1",
        "6k1/5ppp/8/8/8/3r4/5PPP/2R3K1 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let mut game = History::<Chess>::new(Chess::parse_position(fen).unwrap());
        // Some moves to and fro, so that there is something to repeat.
        for _ in 0..3 {
            let moves = game.legal_moves();
            let Some(&mv) = moves.get(moves.len() / 2) else { break };
            game.play(mv);
        }
        if game.outcome().is_some() {
            continue;
        }
        for table in &tables {
            let plain = Plain { table: table.clone(), realization: Realization::Off, seed: 5, evaluation: Material };
            for depth in 1..=3 {
                let report = plain.search(game.root(), Limits::depth(depth), &mut ());
                let expected = negamax(game.root(), Depth::plies(depth), table, &Material);
                assert_eq!(report.score, expected, "{fen} at depth {depth}, {}", table.summary(&Chess::VOCABULARY));
            }
        }
    }
}

#[test]
fn the_third_time_on_the_board_is_a_draw() {
    let mut game = History::<Chess>::new(Chess::parse_position("7k/8/8/8/8/8/8/KQ6 w - - 0 1").unwrap());
    for (ply, mv) in ["b1b2", "h8g8", "b2b1", "g8h8", "b1b2", "h8g8", "b2b1", "g8h8"].into_iter().enumerate() {
        assert_eq!(game.outcome(), None, "after {ply} plies");
        let mv = Chess::parse_move(game.position(), mv).unwrap();
        game.play(mv);
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    game.undo();
    assert_eq!(game.outcome(), None);
}
