// SPDX-License-Identifier: GPL-3.0-or-later
//! Moves and nodes that are not searched at all.
//!
//! There is no pruning on the principal variation, in check, and near proved scores, where the static evaluation is
//! least reliable. Nor do futility, reverse futility, razoring and late-move pruning work in positions that are not
//! [calm](Tactics::is_calm). Where passing could be better than any move, the game offers no [null move](Tactics::pass).

use super::super::score::{LEAST_WIN, LONGEST_WIN};
use super::super::{Depth, Score};
use super::order::Picked;
use super::{Place, Worker};
use crate::evaluation::Evaluation;
use crate::game::Tactics;

/// The result of a null move.
pub(super) enum Passed {
    /// The node fails high with this score.
    FailsHigh(Score),
    /// The opponent would win by force: the atom `Mt`.
    MateThreat,
    /// Nothing useful.
    Nothing,
}

/// A node's static evaluation, and what follows from it for its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticValue {
    /// The best guess of the node's value: the static evaluation, or the transposition table's bound where that says
    /// more.
    pub guess: Score,
    /// Whether the evaluation has not risen since two plies ago.
    pub worsening: bool,
    /// Whether margins around it can be used here.
    pub calm: bool,
}

impl<G: Tactics, E: Evaluation<G>> Worker<'_, G, E> {
    /// Reverse futility: a node far above the window with little depth left will fail high.
    pub(super) fn reverse_futility(&self, static_value: StaticValue, place: Place, beta: Score) -> bool {
        let parameters = self.parameters;
        let depth = place.depth.as_hundredths();
        parameters.reverse_futility
            && static_value.calm
            && depth <= parameters.reverse_futility_depth
            && beta.abs() < LEAST_WIN
            && static_value.guess < LEAST_WIN
            && static_value.guess - self.margin(parameters.reverse_futility_margin * depth / 100) >= beta
    }

    /// Null move (Beal 1989; Donninger 1993): if even passing fails high, some move will.
    pub(super) fn null_move(
        &mut self,
        position: &G::Position,
        static_value: StaticValue,
        place: Place,
        beta: Score,
    ) -> Passed {
        let parameters = self.parameters;
        if !parameters.null_move
            || place.passed
            || place.depth.as_hundredths() < parameters.null_move_depth
            || static_value.guess < beta
            || beta <= -LEAST_WIN
        {
            return Passed::Nothing;
        }
        let Some(next) = G::pass(position) else { return Passed::Nothing };
        let ply = place.ply + 1;
        if !self.count_node(ply) {
            return Passed::Nothing;
        }
        let depth = place.depth - self.null_move_reduction(position, place.depth);
        let first_key = self.keys.len();
        self.frames[place.ply].moved = None;
        let below = Place { key: G::key(&next), depth, ply, in_check: false, cut: !place.cut, passed: true, first_key };
        let score = -self.node::<false>(&next, None, below, -beta, 1 - beta);
        if self.stopped {
            Passed::Nothing
        } else if score >= beta {
            // A win found after a null move is not proved.
            Passed::FailsHigh(if score > LEAST_WIN { beta } else { score })
        } else if score < -LONGEST_WIN {
            Passed::MateThreat
        } else {
            Passed::Nothing
        }
    }

    /// Razoring: where the static evaluation is so far below the window that only captures could help, quiescence decides.
    pub(super) fn razor(
        &mut self,
        position: &G::Position,
        static_value: StaticValue,
        place: Place,
        alpha: Score,
    ) -> Option<Score> {
        let parameters = self.parameters;
        let depth = place.depth.as_hundredths();
        let margin = self.margin(parameters.razoring_margin * depth / 100);
        if !parameters.razoring
            || !static_value.calm
            || depth > parameters.razoring_depth
            || alpha.abs() >= LEAST_WIN
            || static_value.guess + margin >= alpha
        {
            return None;
        }
        let leaf = Place { depth: Depth::ZERO, ..place };
        let score = self.quiescence::<false>(position, leaf, alpha, alpha + 1);
        (score <= alpha && !self.stopped).then_some(score)
    }

    /// How much less deep a null move is searched. With adaptive reductions it is one ply less near the leaves (Heinz
    /// 1999, "Adaptive null-move pruning"), and *near* is two plies more where a side has few pieces.
    fn null_move_reduction(&self, position: &G::Position, depth: Depth) -> Depth {
        let parameters = self.parameters;
        let depth = depth.as_hundredths();
        let reduction = parameters.null_move_reduction + parameters.null_move_slope * depth / 100;
        let few_pieces = if G::has_few_pieces(position) { 200 } else { 0 };
        let near = parameters.null_move_adaptive && depth <= parameters.null_move_adaptive_depth + few_pieces;
        Depth::hundredths(if near { (reduction - 100).max(100) } else { reduction })
    }

    /// Whether a quiet move may be skipped for being late, or because nothing it can do would lift the static
    /// evaluation into the window.
    pub(super) fn is_hopeless(&self, static_value: StaticValue, place: Place, index: usize, alpha: Score) -> bool {
        let parameters = self.parameters;
        let depth = place.depth.as_hundredths();
        if !static_value.calm {
            return false;
        }
        let late = parameters.late_move_pruning && depth <= parameters.late_move_depth && {
            let moves = parameters.late_move_base + depth * depth / 10_000;
            index as i32 >= if static_value.worsening { moves / 2 } else { moves }
        };
        let futile = parameters.futility
            && depth <= parameters.futility_depth
            && alpha > -LEAST_WIN
            && self.futility_margin(depth).is_some_and(|margin| static_value.guess + self.margin(margin) <= alpha);
        late || futile
    }

    /// Whether a quiet move may be skipped because it and its like have failed too often.
    pub(super) fn failed_often(&self, picked: &Picked<G::Move>, depth: Depth) -> bool {
        let parameters = self.parameters;
        let depth = depth.as_hundredths();
        parameters.history_pruning
            && picked.index > 0
            && !picked.killer
            && depth <= parameters.history_pruning_depth
            && picked.history < -parameters.history_pruning_margin * depth / 100
    }

    /// How far below the window a quiet move is futile, in hundredths of a pawn; none where no move is.
    fn futility_margin(&self, depth: i32) -> Option<i32> {
        let parameters = self.parameters;
        if !parameters.futility_by_depth {
            return Some(parameters.futility_base + parameters.futility_margin * depth.max(0) / 100);
        }
        match depth {
            ..=100 => Some(parameters.futility_margin_1),
            101..=200 => Some(parameters.futility_margin_2),
            201..=300 => Some(parameters.futility_margin_3),
            _ => None,
        }
    }

    /// Whether a move may be skipped because it loses too much by static exchange.
    pub(super) fn loses_too_much(&self, position: &G::Position, mv: G::Move, noisy: bool, depth: Depth) -> bool {
        let parameters = self.parameters;
        if !parameters.exchange_pruning || depth.as_hundredths() > parameters.exchange_depth {
            return false;
        }
        let a_ply = if noisy { parameters.exchange_noisy } else { parameters.exchange_quiet };
        !G::exchange(position, mv, -a_ply * depth.as_hundredths().max(100) / 100)
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::MOST;
    use super::super::tests::{place, with_worker};
    use super::*;
    use crate::game::{Game, Notation};
    use crate::games::Chess;
    use crate::search::Parameters;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_null_move_is_reduced_by_one_ply_less_near_the_leaves() {
        // Black has two pieces here.
        const FEW: &str = "2r1k1n1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
        let reduction = |parameters: &Parameters, fen: &str, depth| {
            let position = Chess::parse_position(fen).unwrap();
            with_worker(parameters, |worker| worker.null_move_reduction(&position, Depth::hundredths(depth)))
                .as_hundredths()
        };
        let fixed = Parameters { null_move_reduction: 400, null_move_slope: 0, ..Parameters::default() };
        let adaptive = Parameters { null_move_adaptive: true, null_move_adaptive_depth: 600, ..fixed.clone() };
        for (fen, depth, reduced) in
            [(START, 600, 300), (START, 601, 400), (FEW, 600, 300), (FEW, 601, 300), (FEW, 800, 300), (FEW, 801, 400)]
        {
            assert_eq!(reduction(&adaptive, fen, depth), reduced, "{fen} {depth}");
            assert_eq!(reduction(&fixed, fen, depth), 400);
        }
        // A null move costs a ply at least.
        assert_eq!(reduction(&Parameters { null_move_reduction: 100, ..adaptive }, START, 300), 100);
    }

    #[test]
    fn a_node_far_below_the_window_is_left_to_its_captures() {
        let razored = |parameters: &Parameters, fen: &str, depth, below: Score| {
            let position = Chess::parse_position(fen).unwrap();
            with_worker(parameters, |worker| {
                let evaluation = worker.evaluate(&position, 0);
                let static_value = StaticValue { guess: evaluation, worsening: false, calm: true };
                worker.razor(&position, static_value, place::<Chess>(&position, depth), evaluation + below)
            })
        };
        let parameters =
            Parameters { razoring: true, razoring_depth: 300, razoring_margin: 100, ..Parameters::default() };
        assert!(razored(&parameters, START, 100, 101).is_some());
        assert!(razored(&parameters, START, 100, 100).is_none(), "within the margin");
        assert!(razored(&parameters, START, 300, 301).is_some() && razored(&parameters, START, 300, 299).is_none());
        assert!(razored(&parameters, START, 301, 900).is_none(), "too deep");
        assert!(razored(&Parameters { razoring: false, ..parameters.clone() }, START, 100, 900).is_none());
        // White takes a queen: quiescence is above the window.
        let capture = "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1";
        assert!(
            razored(&parameters, capture, 100, 300).is_none() && razored(&parameters, capture, 100, 1_200).is_some()
        );
    }

    #[test]
    fn quiet_moves_that_mostly_failed_are_skipped_near_the_leaves() {
        let position = Chess::parse_position(START).unwrap();
        let picked =
            Picked { mv: Chess::generate(&position)[0], index: 3, losing: false, killer: false, history: -801 };
        let parameters = Parameters {
            history_pruning: true,
            history_pruning_depth: 400,
            history_pruning_margin: 400,
            ..Parameters::default()
        };
        let skips = |parameters: &Parameters, picked: Picked<_>, depth| {
            with_worker(parameters, |worker| worker.failed_often(&picked, Depth::hundredths(depth)))
        };
        assert!(skips(&parameters, picked, 200) && !skips(&parameters, picked, 201), "twice the margin");
        assert!(!skips(&parameters, Picked { index: 0, ..picked }, 200), "the first move is always searched");
        assert!(!skips(&parameters, Picked { killer: true, ..picked }, 200));
        assert!(!skips(&parameters, Picked { history: -MOST, ..picked }, 401), "too deep");
        assert!(!skips(&Parameters { history_pruning: false, ..parameters }, picked, 200));
    }

    #[test]
    fn each_ply_has_its_futility_margin() {
        let parameters = Parameters {
            futility: true,
            futility_by_depth: true,
            futility_depth: 300,
            futility_margin_1: 100,
            futility_margin_2: 250,
            futility_margin_3: 700,
            ..Parameters::bare()
        };
        let position = Chess::parse_position(START).unwrap();
        let is_futile = |parameters: &Parameters, depth, below: Score| {
            with_worker(parameters, |worker| {
                let static_value = StaticValue { guess: 0, worsening: false, calm: true };
                worker.is_hopeless(static_value, place::<Chess>(&position, depth), 1, below)
            })
        };
        for (depth, margin) in [(1, 100), (100, 100), (101, 250), (200, 250), (201, 700), (300, 700)] {
            assert!(is_futile(&parameters, depth, margin), "{depth}");
            assert!(!is_futile(&parameters, depth, margin - 1), "{depth}");
        }
        assert!(!is_futile(&parameters, 301, 30_000), "beyond the depth");
        let deeper = Parameters { futility_depth: 500, ..parameters.clone() };
        assert!(!is_futile(&deeper, 301, 20_000), "there is no margin beyond three plies");
        let shallower = Parameters { futility_depth: 200, ..parameters.clone() };
        assert!(is_futile(&shallower, 200, 250) && !is_futile(&shallower, 201, 20_000));
        assert!(!is_futile(&Parameters { futility_depth: 0, ..parameters }, 1, 20_000), "0 is for never");
    }
}
