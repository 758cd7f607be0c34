// SPDX-License-Identifier: GPL-3.0-or-later
//! The `info` lines of a search.

use std::time::Duration;

use crate::game::{Game, Notation, after, legal_moves};
use crate::protocol::UciScore;
use crate::search::{Failure, Iteration, Score};

/// What is known about the root; a bound of it if its value is outside the window.
pub(super) fn iteration<G: Notation>(
    root: &G::Position,
    iteration: &Iteration<'_, G::Move>,
    failure: Option<Failure>,
    unit: Score,
    elapsed: Duration,
) -> String {
    let bound = match failure {
        None => "",
        Some(Failure::Low) => " upperbound",
        Some(Failure::High) => " lowerbound",
    };
    let Iteration { depth, height, rank, nodes, .. } = *iteration;
    let per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    let hash_full = iteration.hash_full.map_or_else(String::new, |full| format!(" hashfull {full}"));
    format!(
        "info depth {depth} seldepth {height} multipv {rank} score {}{bound} nodes {nodes} nps {per_second}{hash_full} \
         time {} pv {}",
        UciScore::of(iteration.score, unit),
        elapsed.as_millis(),
        line::<G>(root, iteration.line).join(" "),
    )
}

/// The moves of a line as text. It ends before an illegal move, which a client must never see.
pub(super) fn line<G: Notation>(root: &G::Position, moves: &[G::Move]) -> Vec<String> {
    let mut position = root.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !is_legal::<G>(&position, mv) {
            break;
        }
        texts.push(G::format_move(&position, mv));
        position = after::<G>(&position, mv);
    }
    texts
}

/// Whether the move may be played.
pub(super) fn is_legal<G: Game>(position: &G::Position, mv: G::Move) -> bool {
    legal_moves::<G>(position).contains(&mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Breakthrough;

    #[test]
    fn an_iteration_has_all_its_numbers_and_no_illegal_move() {
        let root = Breakthrough::start();
        let play = |position: &_, text| Breakthrough::parse_move(position, text).unwrap();
        let first = play(&root, "e2e3");
        let second = play(&after::<Breakthrough>(&root, first), "d7d6");
        let line = [first, second, second];
        let told = Iteration { depth: 3, height: 5, rank: 2, score: 4, nodes: 1000, hash_full: Some(7), line: &line };
        assert_eq!(
            iteration::<Breakthrough>(&root, &told, None, 10, Duration::from_millis(20)),
            "info depth 3 seldepth 5 multipv 2 score cp 40 nodes 1000 nps 50000 hashfull 7 time 20 pv e2e3 d7d6"
        );
        let told = Iteration { hash_full: None, line: &line[..1], ..told };
        assert_eq!(
            iteration::<Breakthrough>(&root, &told, Some(Failure::High), 10, Duration::ZERO),
            "info depth 3 seldepth 5 multipv 2 score cp 40 lowerbound nodes 1000 nps 1000000000 time 0 pv e2e3"
        );
    }
}
