// SPDX-License-Identifier: GPL-3.0-or-later
//! Leaves: the static evaluation is used only when no noisy move is left.

use super::super::score::{self, INFINITE};
use super::super::{Depth, Score};
use super::history::Behind;
use super::node::cuts_off;
use super::order::{Picker, Worths};
use super::table::{Bound, Entry};
use super::{Place, Worker};
use crate::evaluation::Evaluation;
use crate::game::Tactics;

impl<G: Tactics, E: Evaluation<G>> Worker<'_, G, E> {
    /// The value of a leaf: the side to move stands pat or plays a noisy move; in check it may play any move.
    pub(super) fn quiescence<const PRINCIPAL: bool>(
        &mut self,
        position: &G::Position,
        place: Place,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let parameters = self.parameters;
        if let Some(outcome) = G::decided(position) {
            return score::of_outcome(outcome, place.ply);
        }
        if let Some(score) = self.proved(position, place.ply) {
            return score;
        }
        if place.ply == G::MAX_PLY || !parameters.quiescence {
            return self.evaluate(position, place.ply);
        }
        let entry = if parameters.quiescence_table { self.table_entry(place.key, place.ply) } else { None };
        if !PRINCIPAL
            && let Some(entry) = entry
            && let Some(score) = cuts_off(entry, alpha, beta)
        {
            return score;
        }
        let evading = place.in_check && parameters.check_evasions;
        let known = entry.and_then(|entry| entry.mv);
        let first_alpha = alpha;
        let mut best = -INFINITE;
        let mut evaluation = None;
        let mut moves = G::Moves::default();
        let mut worths = Worths::new();
        let mut picker = if evading {
            moves = self.moves(position);
            if moves.is_empty() {
                return score::of_outcome(G::stuck(position), place.ply);
            }
            let killers = self.frames[place.ply].killers;
            Picker::<G>::new(position, &mut moves, &mut worths, known, &killers, parameters)
        } else {
            let stored = entry.and_then(|entry| entry.evaluation);
            let raw = stored.unwrap_or_else(|| self.evaluation_of(position, place));
            let standing = self.corrected(position, raw);
            evaluation = Some((raw, standing));
            best = standing;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            G::fill_noisy(position, &mut moves);
            Picker::<G>::noisy(position, &mut moves, &mut worths, known, parameters)
        };
        let mut best_move = None;
        // The moves before are not kept here.
        let nowhere = Behind { side: G::to_move(position), earlier: [None; 2] };
        while let Some(picked) = picker.next(|| self.history.at(nowhere)) {
            let mv = picked.mv;
            if let Some((_, standing)) = evaluation {
                if parameters.delta_pruning && G::is_calm(position) {
                    let most = standing + self.margin(G::gain(position, mv) + parameters.delta_margin);
                    if most <= alpha {
                        best = best.max(most);
                        continue;
                    }
                }
                if parameters.quiescence_exchange && !G::exchange(position, mv, 0) {
                    continue;
                }
            }
            let ply = place.ply + 1;
            if !self.count_node(ply) {
                return best;
            }
            let (next, key) = self.after(position, place.key, mv);
            let in_check = G::in_check(&next);
            let below = Place { key, depth: Depth::ZERO, ply, in_check, passed: false, ..place };
            let score = -self.quiescence::<PRINCIPAL>(&next, below, -beta, -alpha);
            if self.stopped {
                return best;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(G::pack(mv));
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if parameters.transposition_table && parameters.quiescence_table {
            let bound = if best >= beta {
                Bound::Lower
            } else if PRINCIPAL && best > first_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let evaluation = evaluation.map(|(raw, _)| raw);
            let entry = Entry { mv: best_move, score: best, bound, depth: Depth::ZERO, evaluation };
            self.table.put(place.key, place.ply, entry);
        }
        best
    }
}
