// SPDX-License-Identifier: GPL-3.0-or-later
//! Speed where it matters: the learners' inner loop, and the exact solver.
//!
//! `cargo bench` compares with the run before. The first group shows what a table costs: with the empty one no atom is
//! computed; each row of the others names what it asks for.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use halfply_engine::evaluation::Evaluation;
use halfply_engine::evaluation::network::Network;
use halfply_engine::features::ExtensionTable;
use halfply_engine::game::{Game, Notation, legal_moves, perft};
use halfply_engine::games::breakthrough::{Breakthrough, SafeAdvancement};
use halfply_engine::games::chess::{Classical, Material};
use halfply_engine::games::{Chess, RegisteredGame};
use halfply_engine::search::{Depth, Limits, Plain, Profile, Realization, Root, Score, Searcher, Setup};
use halfply_engine::solve::prove::Prover;
use halfply_lab::run::Stop;
use halfply_lab::suite::Suite;
use halfply_lab::tournament::allowance::Allowance;
use halfply_lab::tournament::internal::Internal;
use halfply_lab::tournament::openings::{Book, Opening};
use halfply_lab::tournament::play::{Rules, play};

const NODES: u64 = 100_000;

fn plain_search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("plain search, nodes");
    group.throughput(Throughput::Elements(NODES)).sample_size(30);
    let position = Breakthrough::parse_position(Breakthrough::BENCH[1]).expect("a bench position");
    for feature in ["", "RdTt", "Ud-RdTt", "Ud", "Rc", "Ms", "Mr"] {
        let row = if feature.is_empty() {
            Default::default()
        } else {
            Breakthrough::VOCABULARY.parse(feature).expect("a feature")
        };
        let table = ExtensionTable::single(row, Depth::hundredths(50));
        let plain = Plain { table, realization: Realization::Off, seed: 1, evaluation: SafeAdvancement };
        let name = if feature.is_empty() { "no extensions" } else { feature };
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher
                .iter(|| plain.search(Root::<Breakthrough>::bare(black_box(&position)), Limits::nodes(NODES), &mut ()));
        });
    }
    group.finish();
}

fn rules(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rules");
    group.throughput(Throughput::Elements(256_036));
    let start = Breakthrough::start();
    group.bench_function("perft 4", |bencher| bencher.iter(|| perft::<Breakthrough>(black_box(&start), 4)));
    group.finish();
}

fn evaluations(criterion: &mut Criterion) {
    let book = Book::<Chess>::bundled(Chess::OPENINGS).expect("the bundled book is one");
    let suite = Suite::<Chess>::bundled(Chess::SUITE).expect("the bundled suite is one");
    let positions: Vec<_> = book
        .positions()
        .into_iter()
        .take(100)
        .chain(suite.problems.into_iter().map(|problem| problem.position))
        .collect();
    let mut group = criterion.benchmark_group("evaluations of chess");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("material", |bencher| {
        bencher.iter(|| positions.iter().map(|position| Material.judge(black_box(position))).sum::<Score>());
    });
    group.bench_function("classical", |bencher| {
        bencher.iter(|| positions.iter().map(|position| Classical.judge(black_box(position))).sum::<Score>());
    });
    group.finish();
}

/// Along games: from scratch, and with the sums of the position before.
fn networks(criterion: &mut Criterion) {
    let network =
        Network::read::<Breakthrough>(Breakthrough::NETWORK.unwrap_or_default()).expect("a network is bundled");
    let book = Book::<Breakthrough>::bundled(Breakthrough::OPENINGS).expect("the bundled book is one");
    let mut lines = Vec::new();
    for (index, mut position) in book.positions().into_iter().take(50).enumerate() {
        // Whatever the game: the moves only have to be those of a line.
        let mut line = vec![position];
        while let Some(mv) = {
            let moves = legal_moves::<Breakthrough>(&position);
            moves.get(index % moves.len().max(1)).copied()
        } {
            Breakthrough::play(&mut position, mv);
            line.push(position);
        }
        line.pop();
        lines.push(line);
    }
    let mut group = criterion.benchmark_group("network of Breakthrough");
    group.throughput(Throughput::Elements(lines.iter().map(Vec::len).sum::<usize>() as u64));
    let mut state = Evaluation::<Breakthrough>::start(&network);
    let mut evaluate = |ply: usize, position| Evaluation::<Breakthrough>::evaluate(&network, &mut state, ply, position);
    group.bench_function("with the sums of the position before", |bencher| {
        bencher.iter(|| {
            let values = lines.iter().flat_map(|line| line.iter().enumerate());
            values.map(|(ply, position)| evaluate(ply, black_box(position))).sum::<Score>()
        });
    });
    group.bench_function("from scratch", |bencher| {
        bencher.iter(|| {
            let values = lines.iter().flatten();
            // The network keeps no sums of what it has never seen beside it.
            values.map(|position| Evaluation::<Breakthrough>::judge(&network, black_box(position))).sum::<Score>()
        });
    });
    group.bench_function("safe-advancement", |bencher| {
        let values = || {
            lines
                .iter()
                .flatten()
                .map(|position| Evaluation::<Breakthrough>::judge(&SafeAdvancement, black_box(position)))
        };
        bencher.iter(|| values().sum::<Score>());
    });
    group.finish();
}

fn solver(criterion: &mut Criterion) {
    let suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).expect("the bundled suite is one");
    let mut group = criterion.benchmark_group("solver");
    group.sample_size(10);
    group.bench_function("unique wins in 7 of ten problems", |bencher| {
        bencher.iter(|| {
            for problem in &suite.problems[..10] {
                let win = Prover::<Breakthrough>::new(u64::MAX).unique_win(black_box(&problem.position), 7);
                assert!(win.is_ok_and(|win| win.is_some()));
            }
        });
    });
    group.finish();
}

/// What a tournament costs beside the searches: the same game through the harness, and its searches alone.
fn games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("games of 10,000 nodes a move");
    group.sample_size(10);
    let evaluation = Breakthrough::default_evaluation(Profile::Plain);
    let opening = Opening::<Breakthrough> { start: Breakthrough::start(), moves: Vec::new() };
    let searcher = Searcher { evaluation, setup: Setup::plain(ExtensionTable::default(), 1) };
    let thinker = || searcher.engine().thinker();
    let (rules, stop, nodes) = (Rules::default(), Stop::default(), 10_000);
    let allowance = Allowance { nodes: Some(nodes), ..Allowance::default() };
    let game = || {
        let contestant = || Internal { allowance, thinker: thinker(), unit: searcher.evaluation.unit() };
        let (mut white, mut black) = (contestant(), contestant());
        play(0, &opening, [("either", allowance); 2], [&mut white, &mut black], &rules, &stop).expect("nobody stops it")
    };
    let moves: Vec<String> = game().moves.split(' ').map(str::to_owned).collect();
    group.bench_function("through the harness", |bencher| bencher.iter(game));
    group.bench_function("searches alone", |bencher| {
        bencher.iter(|| {
            let mut players = [thinker(), thinker()];
            let mut history = opening.history();
            for text in &moves {
                let side = Breakthrough::to_move(history.position()).index();
                black_box(players[side].search(history.root(), Limits::nodes(nodes), &mut ()));
                history.play(Breakthrough::parse_move(history.position(), text).expect("a move of the game"));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, plain_search, rules, evaluations, networks, solver, games);
criterion_main!(benches);
