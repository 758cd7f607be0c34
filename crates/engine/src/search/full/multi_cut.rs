// SPDX-License-Identifier: GPL-3.0-or-later
//! Multi-cut (Björnsson and Marsland 1998, "Multi-cut pruning in alpha-beta search"): where several moves fail high in
//! shallow searches, one of them probably does in a deep search too.

use super::super::score::LEAST_WIN;
use super::super::{Depth, Score};
use super::history::Earlier;
use super::order::{Picker, Worths};
use super::table::{Bound, Entry};
use super::{Place, Worker};
use crate::evaluation::Evaluation;
use crate::game::{MoveContext, Tactics};

impl<G: Tactics, E: Evaluation<G>> Worker<'_, G, E> {
    /// The score of a node that fails high by multi-cut; none if it has to be searched. Tried only where the
    /// transposition table says that the node failed high before, as David-Tabibi, Koppel and Netanyahu (2010) do.
    pub(super) fn multi_cut(
        &mut self,
        position: &G::Position,
        previous: Option<G::Move>,
        place: Place,
        entry: Option<Entry>,
        mate_threat: bool,
        beta: Score,
    ) -> Option<Score> {
        let parameters = self.parameters;
        if !parameters.multi_cut
            || parameters.multi_cut_cuts == 0
            || place.depth.as_hundredths() < parameters.multi_cut_depth
            || beta.abs() >= LEAST_WIN
        {
            return None;
        }
        let entry = entry.filter(|entry| entry.bound == Bound::Lower)?;
        let mut moves = self.moves(position);
        let only_move = moves.len() == 1;
        let killers = self.frames[place.ply].killers;
        let mut worths = Worths::new();
        let side = G::to_move(position);
        let behind = self.behind(side, place.ply);
        let mut picker = Picker::<G>::new(position, &mut moves, &mut worths, entry.mv, &killers, parameters);
        let mut failed_high = 0;
        for _ in 0..parameters.multi_cut_moves {
            let mv = picker.next(|| self.history.at(behind))?.mv;
            let (next, key) = self.after(position, place.key, mv);
            if !self.count_node(place.ply + 1) {
                return None;
            }
            let context = MoveContext { only_move, mate_threat, ..MoveContext::new(position, &next, mv, previous) };
            let move_cost = self.move_cost(&context);
            self.extended += u64::from(move_cost.matched);
            let below = Place {
                key,
                depth: place.depth - move_cost.cost - Depth::hundredths(parameters.multi_cut_reduction),
                ply: place.ply + 1,
                in_check: G::in_check(&next),
                cut: false,
                passed: false,
                ..place
            };
            self.frames[place.ply].moved = Some(Earlier::new::<G>(side, mv));
            let score = -self.node::<false>(&next, Some(mv), below, -beta, 1 - beta);
            if self.stopped {
                return None;
            }
            failed_high += i32::from(score >= beta);
            if failed_high == parameters.multi_cut_cuts {
                return Some(beta);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{place, with_worker};
    use super::*;
    use crate::game::Notation;
    use crate::games::Chess;
    use crate::search::Parameters;

    fn settings(moves: i32, cuts: i32) -> Parameters {
        Parameters {
            multi_cut: true,
            multi_cut_depth: 300,
            multi_cut_reduction: 200,
            multi_cut_moves: moves,
            multi_cut_cuts: cuts,
            ..Parameters::bare()
        }
    }

    fn entry(bound: Bound) -> Option<Entry> {
        Some(Entry { mv: None, score: 0, bound, depth: Depth::PLY, evaluation: None })
    }

    /// White can take two knights, and the captures come first. With one ply left for each move, its value is the
    /// evaluation behind it. The score, and the nodes that it took.
    fn cut(parameters: &Parameters, entry: Option<Entry>, depth: i32) -> (Option<Score>, u64) {
        let position = Chess::parse_position("4k3/8/8/n6n/8/8/8/R3K2R w - - 0 1").unwrap();
        with_worker(parameters, |worker| {
            let beta = worker.evaluate(&position, 0) + 100;
            let place = place::<Chess>(&position, depth);
            let score = worker.multi_cut(&position, None, place, entry, false, beta);
            (score.map(|score| score - beta), worker.meter.nodes)
        })
    }

    #[test]
    fn enough_moves_that_fail_high_are_a_cut() {
        let lower = entry(Bound::Lower);
        assert_eq!(cut(&settings(10, 1), lower, 300), (Some(0), 1));
        assert_eq!(cut(&settings(10, 2), lower, 300), (Some(0), 2));
        // There is no third one: all of ten moves are tried.
        assert_eq!(cut(&settings(10, 3), lower, 300), (None, 10));
        assert_eq!(cut(&settings(1, 2), lower, 300), (None, 1));
    }

    #[test]
    fn none_is_tried_where_it_is_off_or_nothing_failed_high_before() {
        let lower = entry(Bound::Lower);
        for (parameters, entry, depth) in [
            (settings(10, 1), None, 300),
            (settings(10, 1), entry(Bound::Upper), 300),
            (settings(10, 1), entry(Bound::Exact), 300),
            (settings(10, 1), lower, 299),
            (settings(10, 0), lower, 300),
            (settings(0, 1), lower, 300),
            (Parameters { multi_cut: false, ..settings(10, 1) }, lower, 300),
        ] {
            assert_eq!(cut(&parameters, entry, depth), (None, 0), "{parameters:?} {entry:?}");
        }
    }

    /// Without a reduction each move is searched as deep as the node itself would search it.
    #[test]
    fn a_reduction_of_nothing_searches_the_whole_depth() {
        let lower = entry(Bound::Lower);
        let (shallow, few) = cut(&settings(10, 2), lower, 300);
        let (deep, many) = cut(&Parameters { multi_cut_reduction: 0, ..settings(10, 2) }, lower, 300);
        assert_eq!((shallow, deep), (Some(0), Some(0)));
        assert!(few == 2 && many > 20, "{few} {many}");
    }
}
