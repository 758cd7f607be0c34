// SPDX-License-Identifier: GPL-3.0-or-later
//! The full search: sound techniques change no value, unsound ones no proof.

use halfply_engine::evaluation::Evaluation;
use halfply_engine::features::{AtomSet, ExtensionTable, Row, file};
use halfply_engine::game::{Game, Notation, Tactics, after, legal_moves};
use halfply_engine::games::breakthrough::SafeAdvancement;
use halfply_engine::games::chess::Material;
use halfply_engine::games::{Breakthrough, Chess, RegisteredGame};
use halfply_engine::history::History;
use halfply_engine::search::minimax::negamax;
use halfply_engine::search::parameters::ParameterKind;
use halfply_engine::search::{
    Depth, Engine, Full, Iteration, Limits, Parameters, Profile, Realization, Report, Root, Setup, Thinker, Watcher,
    score,
};
use proptest::prelude::*;

use crate::support::{sparse_position, table};

/// Ordering and windows alone: what must not change any value.
fn sound() -> Parameters {
    Parameters {
        killers: true,
        history: true,
        exchange_ordering: true,
        aspiration: true,
        aspiration_depth: 2,
        ..Parameters::bare()
    }
}

fn chess_feature(text: &str) -> AtomSet {
    Chess::VOCABULARY.parse(text).unwrap()
}

fn player<G: Tactics, E: Evaluation<G> + Default>(setup: &Setup) -> Box<dyn Thinker<G>> {
    Engine::<G>::thinker(&Full { setup: setup.clone(), evaluation: E::default() })
}

fn search<G: Tactics, E: Evaluation<G> + Default>(setup: &Setup, root: Root<'_, G>, limits: Limits) -> Report<G::Move> {
    player::<G, E>(setup).search(root, limits, &mut ())
}

/// The line begins with the choice and can be played.
fn check_line<G: Game>(position: &G::Position, report: &Report<G::Move>) {
    assert_eq!(report.line.first().copied(), report.best);
    let mut at = position.clone();
    for &mv in &report.line {
        assert!(legal_moves::<G>(&at).contains(&mv));
        at = after::<G>(&at, mv);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sound_techniques_change_no_value(position in sparse_position(), table in table(), depth in 1_u32..=4) {
        let setup = Setup { table: table.clone(), parameters: sound(), hash: 1, ..Setup::full() };
        let root = Root::<Breakthrough>::bare(&position);
        let report = search::<Breakthrough, SafeAdvancement>(&setup, root, Limits::depth(depth));
        let expected = negamax(root, Depth::plies(depth), &table, &SafeAdvancement);
        prop_assert_eq!(report.score, expected);
        check_line::<Breakthrough>(&position, &report);
    }

    /// Realization-probability search makes no difference where no move costs more than one ply.
    #[test]
    fn nothing_is_searched_again_where_no_move_is_unlikely(
        position in sparse_position(), table in table(), depth in 1_u32..=5,
    ) {
        let likely = |row: &&Row| row.cost <= Depth::PLY;
        let table = ExtensionTable::new(table.rows().iter().filter(likely).copied().collect());
        let reports = Realization::ALL.map(|realization| {
            let setup = Setup { table: table.clone(), realization, hash: 1, ..Setup::full() };
            search::<Breakthrough, SafeAdvancement>(&setup, Root::<Breakthrough>::bare(&position), Limits::depth(depth))
        });
        prop_assert_eq!(&reports[0], &reports[1]);
        prop_assert_eq!(&reports[0], &reports[2]);
    }

    /// If all moves are equally unlikely, a search of two plies is one of one ply in which every move that surprises is
    /// confirmed: nothing is left of two plies at a cost of two.
    #[test]
    fn a_line_of_unlikely_moves_is_confirmed_at_the_threshold(position in sparse_position()) {
        // Every move of Breakthrough goes to the own half or to the other.
        let feature = |name| Breakthrough::VOCABULARY.parse(name).unwrap();
        let row = |name| Row { feature: feature(name), cost: Depth::hundredths(200) };
        let table = ExtensionTable::new(vec![row("Rdb"), row("Rdt")]);
        let root = Root::<Breakthrough>::bare(&position);
        let report = |realization| {
            let setup = Setup { table: table.clone(), realization, parameters: sound(), hash: 1, ..Setup::full() };
            search::<Breakthrough, SafeAdvancement>(&setup, root, Limits::depth(2))
        };
        let value = |plies| negamax(root, Depth::plies(plies), &ExtensionTable::default(), &SafeAdvancement);
        prop_assert_eq!(report(Realization::Off).score, value(1));
        let rps = report(Realization::Rps(Depth::PLY));
        prop_assert!(rps.score <= value(2));
        // What was chosen was confirmed: it has its value of two plies.
        if let Some(best) = rps.best {
            let mut game = History::<Breakthrough>::new(position);
            game.play(best);
            let after = negamax(game.root(), Depth::PLY, &ExtensionTable::default(), &SafeAdvancement);
            prop_assert!(score::plies_to_end(after).is_some() || rps.score == -after);
        }
    }

    /// Pruning may overlook a win; what it says is proved must be true all the same.
    #[test]
    fn proved_wins_are_wins(position in sparse_position(), depth in 1_u32..=6) {
        let setup = Setup { hash: 1, ..Setup::full() };
        let root = Root::<Breakthrough>::bare(&position);
        let report = search::<Breakthrough, SafeAdvancement>(&setup, root, Limits::depth(depth));
        check_line::<Breakthrough>(&position, &report);
        if let Some(plies) = score::plies_to_end(report.score) && report.best.is_some() && plies.unsigned_abs() <= 5 {
            let proof = negamax(
                root, Depth::plies(plies.unsigned_abs()), &ExtensionTable::default(), &SafeAdvancement,
            );
            prop_assert!(proof.abs() > score::LONGEST_WIN && proof.signum() == plies.signum());
        }
    }
}

/// White wins in three plies by moves that cost two each. Reduced, the win is seen an iteration later; searched again, at
/// once.
#[test]
fn an_unlikely_move_that_surprises_is_searched_again() {
    let position = Breakthrough::parse_position("8/8/1P5p/8/8/8/8/8 w - - 0 1").unwrap();
    let feature = Breakthrough::VOCABULARY.parse("Rdt").unwrap();
    let table = ExtensionTable::single(feature, Depth::hundredths(200));
    let end = |realization, depth| {
        let setup = Setup { table: table.clone(), realization, parameters: sound(), hash: 1, ..Setup::full() };
        let root = Root::<Breakthrough>::bare(&position);
        score::plies_to_end(search::<Breakthrough, SafeAdvancement>(&setup, root, Limits::depth(depth)).score)
    };
    assert_eq!((end(Realization::Off, 3), end(Realization::Off, 4)), (None, Some(3)));
    for realization in [Realization::Rps(Depth::PLY), Realization::Erps(Depth::PLY)] {
        assert_eq!((end(realization, 2), end(realization, 3)), (None, Some(3)), "{realization:?}");
        let dearer = realization.with_threshold(Depth::hundredths(200));
        assert_eq!((end(dearer, 3), end(dearer, 4)), (None, Some(3)), "{dearer:?}");
    }
}

#[test]
fn sound_techniques_change_no_value_in_chess() {
    let tables = [
        ExtensionTable::default(),
        ExtensionTable::new(
            [("AcK", 50), ("Rc", 75), ("PcP", 125)]
                .map(|(name, cost)| Row { feature: chess_feature(name), cost: Depth::hundredths(cost) })
                .to_vec(),
        ),
    ];
    let parameters = Parameters { quiescence: true, check_evasions: true, ..sound() };
    // Quiescence without a window takes long where many captures are possible: these have few pieces.
    for fen in [
        "4k3/P6p/8/8/8/8/p6P/4K3 w - - 0 1",
        "6k1/5ppp/8/8/8/3r4/5PPP/2R3K1 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let game = History::<Chess>::new(Chess::parse_position(fen).unwrap());
        for table in &tables {
            let setup = Setup { table: table.clone(), parameters: parameters.clone(), hash: 1, ..Setup::full() };
            for depth in 1..=3 {
                let report = search::<Chess, Material>(&setup, game.root(), Limits::depth(depth));
                let expected = negamax(game.root(), Depth::plies(depth), table, &Material);
                assert_eq!(report.score, expected, "{} at {depth}", Chess::format_position(game.position()));
                check_line::<Chess>(game.position(), &report);
            }
        }
    }
}

/// Turning a technique off must change the tree, or the switch is not connected.
#[test]
fn every_switch_is_connected() {
    fn nodes<G: RegisteredGame>(parameters: &Parameters) -> u64 {
        let evaluation = G::default_evaluation(Profile::Full);
        let setup = Setup { parameters: parameters.clone(), hash: 1, ..G::usual_setup(&evaluation) };
        let engine = evaluation.engine(&setup);
        G::BENCH
            .iter()
            .map(|fen| {
                let position = G::parse_position(fen).unwrap();
                engine.thinker().search(Root::bare(&position), Limits::depth(8), &mut ()).nodes
            })
            .sum()
    }
    // Some switches are of one game alone.
    let counts = |parameters: &Parameters| (nodes::<Chess>(parameters), nodes::<Breakthrough>(parameters));
    // A short search collects little history.
    let defaults = Parameters { history_pruning_margin: 100, ..Parameters::default() };
    let default = counts(&defaults);
    for parameter in Parameters::ALL {
        // What the extension table spares takes a table to show, and learned pruning takes learned reductions.
        if let ParameterKind::Switch { default: is_on } = parameter.kind
            && !["spare_extended", "learned_pruning"].contains(&parameter.name)
        {
            let mut parameters = defaults.clone();
            parameters.set(parameter.name, &(!is_on).to_string()).unwrap();
            assert_ne!(counts(&parameters), default, "{}", parameter.name);
        }
    }
}

/// The numbers of a technique that is off change nothing.
#[test]
fn techniques_that_are_off_by_default_are_off() {
    let nodes = |assignments: &[&str]| {
        let mut parameters = Parameters::default();
        for text in assignments {
            parameters.assign(text).unwrap();
        }
        let position = Chess::parse_position(Chess::BENCH[0]).unwrap();
        let setup = Setup { parameters, hash: 1, ..Setup::full() };
        search::<Chess, Material>(&setup, Root::bare(&position), Limits::depth(8)).nodes
    };
    let default = nodes(&[]);
    for (switch, number) in [
        ("null_move_adaptive", &["null_move_adaptive_depth=300"][..]),
        ("futility_by_depth", &["futility_margin_1=20", "futility_margin_2=40", "futility_margin_3=60"]),
        ("multi_cut", &["multi_cut_depth=200", "multi_cut_reduction=100", "multi_cut_moves=20", "multi_cut_cuts=1"]),
    ] {
        assert_eq!(nodes(number), default, "{number:?}");
        let on = format!("{switch}=true");
        let all: Vec<&str> = std::iter::once(&on[..]).chain(number.iter().copied()).collect();
        assert_ne!(nodes(&all), default, "{all:?}");
    }
    for off in [&["multi_cut=true", "multi_cut_cuts=0"], &["multi_cut=true", "multi_cut_moves=0"]] {
        assert_eq!(nodes(off), default, "{off:?}");
    }
    assert_eq!(nodes(&["futility_depth=0"]), nodes(&["futility=false"]));
}

/// The file turns off what Falcon is not said to have had, and what it had is on.
#[test]
fn falcon_has_the_techniques_of_its_paper() {
    let file = halfply_engine::base::bundled::FALCON;
    let set = Parameters::parse(file.text, file.name).unwrap();
    let falcon = Parameters::DEFAULT.with_table(&set).unwrap();
    let Parameters { null_move, null_move_adaptive, futility, futility_by_depth, multi_cut, .. } = falcon;
    assert!(null_move && null_move_adaptive && futility && futility_by_depth && multi_cut);
    let Parameters { late_move_reductions, late_move_pruning, exchange_pruning, reverse_futility, .. } = falcon;
    assert!(!late_move_reductions && !late_move_pruning && !exchange_pruning && !reverse_futility);
    assert!(!falcon.internal_reduction && falcon.internal_deepening);
    assert_eq!(falcon.null_move_slope, 0, "the reduction is a number of plies");

    let table = halfply_engine::base::bundled::CHESS_FALCON;
    let rows = file::parse(table.text, table.name, &Chess::VOCABULARY).unwrap();
    assert_eq!(rows.summary(&Chess::VOCABULARY), "AcK@0 Rx@0 Or@0 Mt@0 P7@0");
    let played = halfply_engine::base::bundled::GENETIC_EVOLVED.text;
    assert!(played.contains("name = \"falcon\"\nextensions = \"../tables/chess-falcon.toml\""), "{played}");
}

#[test]
fn the_same_search_counts_the_same_and_forgets_when_asked() {
    let position = Chess::parse_position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3").unwrap();
    let setup = Setup { hash: 1, ..Setup::full() };
    let mut player = player::<Chess, Material>(&setup);
    let mut search = |forget: bool| {
        if forget {
            player.forget();
        }
        player.search(Root::bare(&position), Limits::nodes(20_000), &mut ())
    };
    let first = search(false);
    assert_eq!(first.nodes, 20_000);
    let second = search(false);
    assert!(second.depth > first.depth || second.nodes_differ(&first), "nothing was remembered");
    assert_eq!(search(true), first);
}

trait NodesDiffer {
    fn nodes_differ(&self, other: &Self) -> bool;
}

impl<M: PartialEq> NodesDiffer for Report<M> {
    fn nodes_differ(&self, other: &Self) -> bool {
        (self.height, self.score, &self.line) != (other.height, other.score, &other.line)
    }
}

#[test]
fn known_wins_are_found() {
    for (fen, mv, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1),
        // Philidor's smothered mate.
        ("r6k/6pp/8/6N1/2Q5/8/6PP/7K w - - 0 1", "g5f7", 7),
    ] {
        let position = Chess::parse_position(fen).unwrap();
        let report = search::<Chess, Material>(&Setup::full(), Root::bare(&position), Limits::depth(14));
        assert_eq!(report.best.map(|mv| Chess::format_move(&position, mv)).as_deref(), Some(mv), "{fen}");
        assert_eq!(score::plies_to_end(report.score), Some(plies), "{fen}");
    }
}

#[test]
fn repetition_is_seen() {
    // A rook and a pawn down, White checks from e8 and h5 for ever.
    let position = Chess::parse_position("6k1/6p1/8/7Q/8/8/1qr5/6K1 w - - 0 1").unwrap();
    let report = search::<Chess, Material>(&Setup::full(), Root::bare(&position), Limits::depth(10));
    assert_eq!(report.best.map(|mv| Chess::format_move(&position, mv)).as_deref(), Some("h5e8"));
    assert_eq!(report.score, 0);
}

/// Notes the ranks and first moves of the last iteration.
#[derive(Default)]
struct Ranks(Vec<(u32, usize, i32, halfply_engine::games::chess::Move)>);

impl Watcher<halfply_engine::games::chess::Move> for Ranks {
    fn iteration(
        &mut self,
        iteration: &Iteration<'_, halfply_engine::games::chess::Move>,
    ) -> std::ops::ControlFlow<()> {
        self.0.push((iteration.depth, iteration.rank, iteration.score, iteration.line[0]));
        std::ops::ControlFlow::Continue(())
    }
}

#[test]
fn several_lines_are_different_moves_in_order() {
    let position = Chess::parse_position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3").unwrap();
    let mut ranks = Ranks::default();
    let root = Root { lines: 4, ..Root::bare(&position) };
    player::<Chess, Material>(&Setup::full()).search(root, Limits::depth(5), &mut ranks);
    let last: Vec<_> = ranks.0.iter().filter(|line| line.0 == 5).collect();
    assert_eq!(last.iter().map(|line| line.1).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.is_sorted_by(|better, worse| better.2 >= worse.2), "out of order");
    for (index, line) in last.iter().enumerate() {
        assert!(last[..index].iter().all(|earlier| earlier.3 != line.3), "a move twice");
    }
}

#[test]
fn only_the_moves_named_are_considered() {
    let position = Chess::parse_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
    let moves = ["h2h3", "d1d2"].map(|text| Chess::parse_move(&position, text).unwrap());
    let root = Root { moves: &moves, ..Root::bare(&position) };
    let report = search::<Chess, Material>(&Setup::full(), root, Limits::depth(6));
    assert!(moves.contains(&report.best.unwrap()));
}

#[test]
fn threads_find_what_one_finds() {
    let position = Chess::parse_position("r6k/6pp/8/6N1/2Q5/8/6PP/7K w - - 0 1").unwrap();
    let setup = Setup { threads: 3, ..Setup::full() };
    let report = search::<Chess, Material>(&setup, Root::bare(&position), Limits::depth(18));
    assert_eq!(score::plies_to_end(report.score), Some(7));
    check_line::<Chess>(&position, &report);
    let report = search::<Chess, Material>(&setup, Root::bare(&position), Limits::nodes(50_000));
    assert!(report.nodes >= 50_000, "all threads' nodes count");
}

/// A row of the table reaches the full search as it does the plain one.
#[test]
fn extensions_deepen_lines() {
    // Seven plies, all of White's moves checks.
    let position = Chess::parse_position("r6k/6pp/8/6N1/2Q5/8/6PP/7K w - - 0 1").unwrap();
    let table = ExtensionTable::single(chess_feature("AcK"), Depth::hundredths(0));
    let with = Setup { table, ..Setup::full() };
    let solved = |setup: &Setup, depth| {
        let report = search::<Chess, Material>(setup, Root::bare(&position), Limits::depth(depth));
        score::plies_to_end(report.score).is_some()
    };
    assert!(!solved(&Setup::full(), 5));
    assert!(solved(&with, 5));
}
