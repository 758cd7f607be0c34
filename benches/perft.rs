// SPDX-License-Identifier: GPL-3.0-or-later
//! What our traits add to the rules of chess: perft through `Game` beside `shakmaty`'s own, and with the keys that a
//! search keeps.
//!
//! Criterion measures one thing after another, and on a machine that does other work as well the difference between two
//! of them says little. Here the three take turns, a few milliseconds each, and what counts is the median of the ratios
//! of one turn. `cargo bench --bench perft`; ours without keys may cost at most a tenth more.

use std::hint::black_box;
use std::time::{Duration, Instant};

use halfply_engine::game::{Game, Notation, after, legal_moves, perft};
use halfply_engine::games::Chess;

type Position = <Chess as Game>::Position;

/// Turns; under `--test` one is enough.
const TURNS: usize = 31;

/// Perft with the key of every position that is reached, as a search of it has to keep them.
fn perft_with_keys(position: &Position, key: u64, depth: u32) -> u64 {
    let moves = legal_moves::<Chess>(position);
    if depth == 1 {
        return moves.len() as u64;
    }
    let behind = |&mv| {
        let next = after::<Chess>(position, mv);
        let key = black_box(Chess::key_after(position, key, mv, &next));
        perft_with_keys(&next, key, depth - 1)
    };
    moves.iter().map(behind).sum()
}

fn time(expected: u64, count: impl FnOnce() -> u64) -> Duration {
    let start = Instant::now();
    assert_eq!(count(), expected, "perft");
    start.elapsed()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn main() {
    let turns = if std::env::args().any(|argument| argument == "--test") { 1 } else { TURNS };
    for (name, fen, depth, lines) in [
        ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
        ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ] {
        let position = Chess::parse_position(fen).expect("a position");
        let key = Chess::key(&position);
        let (mut theirs, mut ours, mut keyed) = (Vec::new(), Vec::new(), Vec::new());
        for turn in 0..turns {
            let mut seconds = [0.0; 3];
            // Whoever comes first in a turn comes last in a later one.
            for which in (0..3).map(|place| (place + turn) % 3) {
                let position = black_box(&position);
                seconds[which] = match which {
                    0 => time(lines, || shakmaty::perft(position, depth)),
                    1 => time(lines, || perft::<Chess>(position, depth)),
                    _ => time(lines, || perft_with_keys(position, key, depth)),
                }
                .as_secs_f64();
            }
            theirs.push(seconds[0]);
            ours.push(seconds[1] / seconds[0]);
            keyed.push(seconds[2] / seconds[0]);
        }
        println!(
            "{name} {depth}: shakmaty {:.1} ms; ours {:.3} of it, with keys {:.3} (medians of {turns} turns)",
            1e3 * median(theirs),
            median(ours),
            median(keyed)
        );
    }
}
