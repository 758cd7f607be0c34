// SPDX-License-Identifier: GPL-3.0-or-later
//! How fast a learner learns: features a minute, and how much of its threads' time goes into searches.
//!
//! `cargo bench --bench learn`. The features are the first that Gradual Focus tries on the bundled suite of Breakthrough:
//! Neutral and atoms.

use std::time::{Duration, Instant};

use halfply_engine::features::ExtensionTable;
use halfply_engine::games::{Breakthrough, RegisteredGame};
use halfply_engine::search::{Profile, Searcher, Setup};
use halfply_lab::learn::methods::{Conjunctions, GradualFocus, Method};
use halfply_lab::learn::run::Ready;
use halfply_lab::learn::searches::TestBed;
use halfply_lab::learn::{LearnEvent, Recipe};
use halfply_lab::run::{Runner, default_threads};
use halfply_lab::suite::Suite;

/// Features tried.
const FEATURES: u32 = 12;

/// Nodes a position; with `--test`, as `cargo test --benches` has it, so few that it only runs.
fn nodes() -> &'static [u64] {
    if std::env::args().any(|argument| argument == "--test") { &[100] } else { &[10_000, 100_000] }
}

fn main() {
    let suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).expect("the bundled suite is one");
    let conjunctions = Conjunctions { max_evaluations: Some(FEATURES), ..Conjunctions::default() };
    let method = Method::GradualFocus(GradualFocus { conjunctions, ..GradualFocus::default() });
    let recipe = Recipe { method, ..Recipe::default() };
    let evaluation = Breakthrough::default_evaluation(Profile::Plain);
    let searcher = Searcher { evaluation, setup: Setup::plain(ExtensionTable::default(), 1) };
    let mut bed = TestBed { suite, searcher, nodes: 0 };
    println!("{:>7} {:>9} {:>17} {:>11} {:>6}", "threads", "nodes", "features a minute", "searches/s", "busy");
    let mut threads = vec![1, default_threads()];
    threads.dedup();
    for &nodes in nodes() {
        bed.nodes = nodes;
        for &threads in &threads {
            let ready = Ready::new(&bed, &recipe).expect("the default recipe fits");
            let mut runner = Runner::new(threads);
            let (mut features, mut searching) = (0_u32, Duration::ZERO);
            let start = Instant::now();
            let observe = |event: LearnEvent<'_>| match event {
                LearnEvent::Judged(_) => features += 1,
                LearnEvent::Searched { time } => searching += time.unwrap_or_default(),
                _ => {}
            };
            ready.learn(&mut runner, observe).expect("nobody stops it");
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{threads:>7} {nodes:>9} {:>17.1} {:>11.1} {:>5.1} %",
                60.0 * f64::from(features) / seconds,
                runner.computed() as f64 / seconds,
                100.0 * searching.as_secs_f64() / (seconds * threads as f64)
            );
        }
    }
}
