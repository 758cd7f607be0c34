// SPDX-License-Identifier: GPL-3.0-or-later
//! `go perft`: counts the lines of each move, until `stop`.

use super::output::Output;
use super::task::Signals;
use crate::game::{Game, Notation, after, legal_moves, perft};

/// Up to this many plies are counted without checking the signals.
const UNATTENDED: u32 = 2;

/// Counts the lines of `depth` plies, for each move and in total.
pub(super) fn run<G: Notation>(position: &G::Position, depth: u32, signals: &Signals, output: &Output) {
    let mut total = 0;
    let moves = if depth == 0 { G::Moves::default() } else { legal_moves::<G>(position) };
    for &mv in moves.iter() {
        let Some(lines) = count::<G>(&after::<G>(position, mv), depth - 1, signals) else {
            output.say("perft was stopped");
            return;
        };
        output.line(format_args!("{}: {lines}", G::format_move(position, mv)));
        total += lines;
    }
    if depth == 0 {
        total = 1;
    }
    output.line(format_args!("\nNodes searched: {total}"));
}

/// None if it was stopped.
fn count<G: Game>(position: &G::Position, depth: u32, signals: &Signals) -> Option<u64> {
    if depth <= UNATTENDED {
        return Some(perft::<G>(position, depth));
    }
    if signals.stopped() {
        return None;
    }
    legal_moves::<G>(position).iter().map(|&mv| count::<G>(&after::<G>(position, mv), depth - 1, signals)).sum()
}
