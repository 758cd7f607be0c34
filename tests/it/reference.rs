// SPDX-License-Identifier: GPL-3.0-or-later
//! The plain search a second time, from its definition in `docs/search.md` and for clarity alone: every count of
//! the fast one must be the same.

use halfply_engine::base::mix::mix;
use halfply_engine::evaluation::Evaluation;
use halfply_engine::features::ExtensionTable;
use halfply_engine::game::{Game, MoveContext, after, legal_moves};
use halfply_engine::search::shuffle::Shuffle;
use halfply_engine::search::{Depth, Realization, Score, extend, score};

type Move<G> = <G as Game>::Move;

/// What a search counts.
#[derive(Debug, PartialEq, Eq)]
pub struct Counts<M> {
    pub best: Option<M>,
    pub depth: u32,
    pub height: u32,
    pub nodes: u64,
    pub extended: u64,
}

struct Reference<'a, G: Game> {
    table: &'a ExtensionTable,
    realization: Realization,
    seed: u64,
    limit: u64,
    counts: Counts<Move<G>>,
    previous_line: Vec<Move<G>>,
}

/// The limit was hit.
struct Cut;

pub fn search<G: Game, E: Evaluation<G> + Default>(
    position: &G::Position,
    (table, realization): (&ExtensionTable, Realization),
    seed: u64,
    limit: u64,
    deepest: u32,
) -> Counts<Move<G>> {
    let counts = Counts { best: None, depth: 0, height: 0, nodes: 0, extended: 0 };
    let mut reference = Reference::<G> { table, realization, seed, limit, counts, previous_line: Vec::new() };
    let deepest = if legal_moves::<G>(position).is_empty() { 0 } else { deepest };
    for depth in 1..=deepest {
        let (low, high) = (-score::INFINITE, score::INFINITE);
        let root = reference.node::<E>(position, None, Depth::plies(depth), &mut Vec::new(), low, high);
        let Ok((_, line)) = root else { break };
        reference.previous_line = line;
        reference.counts.depth = depth;
    }
    reference.counts
}

impl<G: Game> Reference<'_, G> {
    /// Value and line of a node that is searched further; `path` holds the moves that led to it.
    fn node<E: Evaluation<G> + Default>(
        &mut self,
        position: &G::Position,
        previous: Option<Move<G>>,
        depth: Depth,
        path: &mut Vec<Move<G>>,
        mut alpha: Score,
        beta: Score,
    ) -> Result<(Score, Vec<Move<G>>), Cut> {
        let ply = path.len();
        let mut best = (-score::INFINITE, Vec::new());
        for mv in self.in_order(position, path) {
            if ply == 0 && self.counts.best.is_none() {
                self.counts.best = Some(mv);
            }
            if self.counts.nodes == self.limit {
                return Err(Cut);
            }
            self.counts.nodes += 1;
            self.counts.height = self.counts.height.max(ply as u32 + 1);
            let next = after::<G>(position, mv);
            let (cost, extended) = extend::cost::<G>(self.table, &MoveContext::new(position, &next, mv, previous));
            self.counts.extended += u64::from(extended);
            path.push(mv);
            let result = self.realized::<E>(&next, depth, cost, path, alpha, beta);
            path.pop();
            let (value, line) = result?;
            if value > best.0 {
                best = (value, [vec![mv], line].concat());
                if ply == 0 {
                    self.counts.best = Some(mv);
                }
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// Value and line of the last move of the path for the side that played it: searched once, or more often if its cost is
    /// above the threshold of realization-probability search.
    fn realized<E: Evaluation<G> + Default>(
        &mut self,
        next: &G::Position,
        depth: Depth,
        cost: Depth,
        path: &mut Vec<Move<G>>,
        alpha: Score,
        beta: Score,
    ) -> Result<(Score, Vec<Move<G>>), Cut> {
        if let Some(outcome) = G::decided(next) {
            return Ok((-score::of_outcome(outcome, path.len()), Vec::new()));
        }
        let (Realization::Rps(threshold) | Realization::Erps(threshold)) = self.realization else {
            return self.below::<E>(next, depth - cost, path, alpha, beta);
        };
        if cost <= threshold || depth <= threshold {
            return self.below::<E>(next, depth - cost, path, alpha, beta);
        }
        let mut first = self.below::<E>(next, depth - cost, path, alpha, alpha + 1)?;
        let excess = (cost - threshold).as_hundredths();
        if matches!(self.realization, Realization::Erps(_)) && excess >= 50 && first.0 > alpha - E::default().unit() {
            let half_way = threshold + Depth::hundredths(excess / 2);
            first = self.below::<E>(next, depth - half_way, path, alpha, alpha + 1)?;
        }
        if first.0 > alpha { self.below::<E>(next, depth - threshold, path, alpha, beta) } else { Ok(first) }
    }

    /// Value and line of the last move of the path for the side that played it, with so much depth left.
    fn below<E: Evaluation<G> + Default>(
        &mut self,
        next: &G::Position,
        left: Depth,
        path: &mut Vec<Move<G>>,
        alpha: Score,
        beta: Score,
    ) -> Result<(Score, Vec<Move<G>>), Cut> {
        if left <= Depth::ZERO || path.len() == G::MAX_PLY {
            return Ok((-E::default().judge(next), Vec::new()));
        }
        let previous = path.last().copied();
        let (value, line) = self.node::<E>(next, previous, left, path, -beta, -alpha)?;
        Ok((-value, line))
    }

    /// The previous line's move if the path is its beginning, then the rest shuffled.
    fn in_order(&self, position: &G::Position, path: &[Move<G>]) -> Vec<Move<G>> {
        let mut moves = legal_moves::<G>(position).to_vec();
        let mut shuffle = Shuffle::new(mix(self.seed), G::key(position));
        let mut place = 0;
        if self.previous_line.starts_with(path)
            && let Some(first) = self.previous_line.get(path.len())
            && let Some(found) = moves.iter().position(|mv| mv == first)
        {
            moves.swap(0, found);
            place = 1;
        }
        while place < moves.len() {
            shuffle.pick(&mut moves, place);
            place += 1;
        }
        moves
    }
}
