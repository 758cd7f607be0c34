// SPDX-License-Identifier: GPL-3.0-or-later
//! Principal-variation search (Finkel and Fishburn 1982; Marsland and Campbell 1982): the first move gets the whole
//! window, the others only have to prove that they are no better. The extension table determines the cost of a move.

use super::super::score::{self, INFINITE, LEAST_WIN, WIN};
use super::super::{Depth, Realization, Score};
use super::history::{Behind, Earlier, Quiet};
use super::killers::Killers;
use super::learned::LateMove;
use super::order::{Picker, Worths};
use super::pruning::{Passed, StaticValue};
use super::reductions::Circumstances;
use super::singular::Singular;
use super::table::{Bound, Entry};
use super::{MoveCost, Place, Worker};
use crate::evaluation::Evaluation;
use crate::game::{MoveContext, Proof, Tactics};

/// A move that has been played and is to be searched.
pub(super) struct Step<'p, G: Tactics> {
    /// The position it leads to, and where that stands.
    pub next: &'p G::Position,
    pub place: Place,
    pub mv: G::Move,
    /// Its number in the order of moves, from 0.
    pub index: usize,
    /// By how much it is searched less deep at first.
    pub reduction: Depth,
    /// By how much in the intermediate search of an unlikely move, if there is one.
    pub intermediate: Option<Depth>,
}

/// Quiet moves that did not fail high, remembered until one does.
const MOST_TRIED: usize = 64;

impl<G: Tactics, E: Evaluation<G>> Worker<'_, G, E> {
    /// The value of a node, fail-soft. `PRINCIPAL` nodes have an open window.
    pub(super) fn node<const PRINCIPAL: bool>(
        &mut self,
        position: &G::Position,
        previous: Option<G::Move>,
        place: Place,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if let Some(outcome) = G::decided(position) {
            return score::of_outcome(outcome, place.ply);
        }
        if let Some(score) = self.proved(position, place.ply) {
            return score;
        }
        self.keys.truncate(self.at_root + place.ply);
        let since_pass = self.keys.get(place.first_key..).unwrap_or_default();
        let at_root = self.at_root.saturating_sub(place.first_key);
        if G::RULE_DRAWS && G::rule_draw(position, place.key, since_pass, at_root) {
            return 0;
        }
        if place.depth <= Depth::ZERO || place.ply == G::MAX_PLY {
            return self.quiescence::<PRINCIPAL>(position, place, alpha, beta);
        }
        self.keys.push(place.key);
        // Mate distance pruning: even an immediate win or loss does not matter here if the root has a shorter one.
        let (alpha, beta) = (alpha.max(place.ply as Score - WIN), beta.min(WIN - place.ply as Score - 1));
        if alpha >= beta {
            return alpha;
        }
        let entry = self.table_entry(place.key, place.ply);
        if !PRINCIPAL
            && let Some(entry) = entry
            && entry.depth >= place.depth
            && let Some(score) = cuts_off(entry, alpha, beta)
        {
            return score;
        }
        if let Some(outcome) = self.endings.and_then(|endings| G::in_tables(endings, position)) {
            let score = score::of_ending(outcome, place.ply);
            if self.parameters.transposition_table {
                let known = Entry { mv: None, score, bound: Bound::Exact, depth: place.depth, evaluation: None };
                self.table.put(place.key, place.ply, known);
            }
            return score;
        }
        self.expand::<PRINCIPAL>(position, previous, place, entry, alpha, beta)
    }

    /// The score of a position whose end the board shows.
    pub(super) fn proved(&self, position: &G::Position, ply: usize) -> Option<Score> {
        let proof = if self.parameters.exact_rules { G::proved(position) } else { None };
        proof.map(|Proof { outcome, plies }| score::of_outcome(outcome, ply + plies))
    }

    /// The moves that may be worth searching: all, unless the board shows that others lose at once.
    pub(super) fn moves(&self, position: &G::Position) -> G::Moves {
        let forced = if self.parameters.exact_rules { G::forced(position) } else { None };
        forced.unwrap_or_else(|| G::generate(position))
    }

    /// What the transposition table knows of a position.
    pub(super) fn table_entry(&self, key: u64, ply: usize) -> Option<Entry> {
        if self.parameters.transposition_table { self.table.get(key, ply) } else { None }
    }

    /// The value of a node that has to be searched.
    pub(super) fn expand<const PRINCIPAL: bool>(
        &mut self,
        position: &G::Position,
        previous: Option<G::Move>,
        mut place: Place,
        entry: Option<Entry>,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let mut known = entry.and_then(|entry| entry.mv);
        // The move that a singular search of this node leaves out.
        let excluded = self.frames[place.ply].excluded;
        let evaluation = (!place.in_check).then(|| {
            let stored = entry.and_then(|entry| entry.evaluation);
            stored.unwrap_or_else(|| self.evaluation_of(position, place))
        });
        let corrected = evaluation.map(|evaluation| self.corrected(position, evaluation));
        self.frames[place.ply].evaluation = corrected;
        self.frames[place.ply + 1].excluded = None;
        self.frames[place.ply + 1].killers = Killers::default();
        let static_value = corrected.map(|evaluation| self.static_value(position, evaluation, entry, place));
        let mut mate_threat = false;
        if !PRINCIPAL
            && excluded.is_none()
            && let Some(static_value) = static_value
        {
            if self.reverse_futility(static_value, place, beta) {
                return static_value.guess;
            }
            if let Some(score) = self.razor(position, static_value, place, alpha) {
                return score;
            }
            match self.null_move(position, static_value, place, beta) {
                Passed::FailsHigh(score) => return score,
                Passed::MateThreat => mate_threat = true,
                Passed::Nothing => {}
            }
            if self.stopped {
                return 0;
            }
            let score = self.multi_cut(position, previous, place, entry, mate_threat, beta);
            if score.is_some() || self.stopped {
                return score.unwrap_or_default();
            }
        }
        // Without a table no move is ever known.
        let parameters = self.parameters;
        let is_unknown = known.is_none()
            && parameters.transposition_table
            && place.depth.as_hundredths() >= parameters.internal_depth;
        if PRINCIPAL && is_unknown && parameters.internal_deepening {
            let shallower = Place { depth: place.depth - Depth::PLY - Depth::PLY, ..place };
            self.expand::<PRINCIPAL>(position, previous, shallower, entry, alpha, beta);
            if self.stopped {
                return 0;
            }
            self.lines.clear(place.ply);
            known = self.table_entry(place.key, place.ply).and_then(|entry| entry.mv);
        }
        if known.is_none() && is_unknown && parameters.internal_reduction {
            place.depth = place.depth - Depth::PLY;
        }

        let mut moves = G::Moves::default();
        let is_staged = G::STAGED && !place.in_check;
        let mut lacks_quiet = false;
        if is_staged {
            G::fill_noisy(position, &mut moves);
            // Two legal moves rule out a mate, a stalemate and a single reply.
            let begins = known.is_none_or(|known| moves.iter().any(|&mv| G::pack(mv) == known));
            lacks_quiet = begins && moves.len() > 1;
            if !lacks_quiet {
                G::add_quiet(position, &mut moves);
            }
        } else {
            moves = self.moves(position);
        }
        if moves.is_empty() {
            return score::of_outcome(G::stuck(position), place.ply);
        }
        let only_move = moves.len() == 1;
        let mut extension = Depth::ZERO;
        if !only_move {
            match self.singular::<PRINCIPAL>(position, previous, place, entry, beta) {
                Some(Singular::Extended(by)) => extension = by,
                Some(Singular::FailsHigh(score)) => return score,
                None if self.stopped => return 0,
                None => {}
            }
        }
        let mut worths = Worths::new();
        let side = G::to_move(position);
        let killers = self.frames[place.ply].killers;
        let behind = self.behind(side, place.ply);
        let mut picker = if is_staged {
            Picker::<G>::staged(position, &mut moves, &mut worths, known, &killers, parameters, lacks_quiet)
        } else {
            Picker::<G>::new(position, &mut moves, &mut worths, known, &killers, parameters)
        };
        let first_alpha = alpha;
        let mut terms = self.node_terms::<PRINCIPAL>(place, static_value, known.is_none(), mate_threat, alpha);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut best_noisy = false;
        let mut quiet_tried = arrayvec::ArrayVec::<Quiet, MOST_TRIED>::new();
        // Whether doubtful moves are skipped by what is known before they are played: no row of a table can spare them, and
        // nobody takes samples of skipped moves.
        let skips_unseen = self.extensions.is_empty() && self.sampling == 0;
        let mut checks = None;
        while let Some(picked) = picker.next(|| self.history.at(behind)) {
            let mv = picked.mv;
            if excluded == Some(G::pack(mv)) {
                continue;
            }
            let noisy = G::is_noisy(position, mv);
            // Moves are skipped only once some move is known not to lose by force.
            let may_skip = static_value.filter(|_| !PRINCIPAL && best > -LEAST_WIN);
            // Whether this quiet move and all quiet moves behind it may be skipped.
            let mut are_hopeless = false;
            let doubtful = may_skip.is_some_and(|static_value| {
                let unlikely = if noisy { Some(false) } else { self.is_unlikely(terms.as_ref(), &picked) };
                are_hopeless = !noisy
                    && (unlikely.is_none() && self.is_hopeless(static_value, place, picked.index, alpha)
                        || self.failed_often(&picked, place.depth));
                are_hopeless
                    || unlikely == Some(true)
                    || (picked.losing || !noisy) && self.loses_too_much(position, mv, noisy, place.depth)
            });
            if doubtful && skips_unseen {
                let checks = checks.get_or_insert_with(|| G::checks(position));
                let is_spared = |mv| parameters.spare_urgent && G::is_urgent(position, mv) || checks(mv);
                if are_hopeless {
                    picker.skip_quiet_unless(is_spared);
                }
                if !is_spared(mv) {
                    continue;
                }
            }
            let (next, key) = self.after(position, place.key, mv);
            let gives_check = G::in_check(&next);
            let after = |depth| Place {
                key,
                depth,
                ply: place.ply + 1,
                in_check: gives_check,
                cut: PRINCIPAL || !place.cut,
                passed: false,
                ..place
            };
            let mut context = MoveContext { only_move, mate_threat, ..MoveContext::new(position, &next, mv, previous) };
            if !self.wanted_state.is_empty()
                && let Some(terms) = &mut terms
            {
                let below = after(place.depth - Depth::PLY);
                let late = LateMove { context: &context, picked: &picked, noisy, below, reduction: None };
                context.state = self.state_of::<PRINCIPAL>(terms, &late, place, static_value, alpha);
            }
            let mut move_cost = self.move_cost(&context);
            if Some(G::pack(mv)) == known {
                move_cost.cost = move_cost.cost - extension;
            }
            let MoveCost { matched, spared, .. } = move_cost;
            let skipped = doubtful && !gives_check && !spared;
            if skipped && self.sampling == 0 {
                continue;
            }
            // The model takes the place of the formula.
            let reducible = self.control.is_none() && (!noisy || picked.losing) && !place.in_check && !spared;
            let circumstances = Circumstances {
                principal: PRINCIPAL,
                worsening: static_value.is_some_and(|static_value| static_value.worsening),
                special: picked.killer || gives_check,
                cut: !PRINCIPAL && place.cut,
                history: picked.history,
            };
            let (depth, reduction) = self.depths(place.depth, move_cost, picked.index, reducible, circumstances);
            let below = after(depth);
            let reduction = if skipped { None } else { Some(reduction) };
            let reduction = match &mut terms {
                None => reduction,
                Some(terms) => {
                    let late = LateMove { context: &context, picked: &picked, noisy, below, reduction };
                    self.learned_reduction::<PRINCIPAL>(terms, &late, place, static_value, alpha)
                }
            };
            let Some(reduction) = reduction else { continue };
            if !self.count_node(place.ply + 1) {
                return best;
            }
            self.extended += u64::from(matched);
            let intermediate = self.realization.intermediate(move_cost.excess);
            self.frames[place.ply].moved = Some(Earlier::new::<G>(side, mv));
            let step = Step { next: &next, place: below, mv, index: picked.index, reduction, intermediate };
            let score = self.step::<PRINCIPAL>(step, alpha, beta);
            if self.stopped {
                return best;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(G::pack(mv));
                    best_noisy = noisy;
                    if PRINCIPAL {
                        self.lines.extend(place.ply, mv);
                    }
                    if score >= beta {
                        if !noisy {
                            self.remember(behind, mv, &quiet_tried, place);
                        }
                        break;
                    }
                    alpha = score;
                }
            }
            if !noisy && !quiet_tried.is_full() {
                quiet_tried.push(Quiet::new::<G>(mv));
            }
        }
        // Skipped moves are assumed to be no better than the best move searched. This claims more than the pruning
        // conditions show (that they do not reach alpha), but the safe bound, alpha, gives fewer cut-offs in the table
        // and elsewhere.
        if excluded.is_some() {
            return best.max(-LEAST_WIN);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if !best_noisy && let Some(corrected) = corrected {
            self.learn_correction(position, place, corrected, best, bound);
        }
        if self.parameters.transposition_table {
            let entry = Entry { mv: best_move, score: best, bound, depth: place.depth, evaluation };
            self.table.put(place.key, place.ply, entry);
        }
        best
    }

    /// Searches one move of a node: deeper or wider only as far as it proves better than expected.
    pub(super) fn step<const PRINCIPAL: bool>(&mut self, step: Step<'_, G>, alpha: Score, beta: Score) -> Score {
        let Step { next, place, mv, index, reduction, intermediate } = step;
        let previous = Some(mv);
        if PRINCIPAL {
            self.lines.clear(place.ply);
            if index == 0 {
                return -self.node::<true>(next, previous, place, -beta, -alpha);
            }
        }
        let reduced = Place { depth: place.depth - reduction, ..place };
        let mut score = -self.node::<false>(next, previous, reduced, -alpha - 1, -alpha);
        if let Some(excess) = intermediate
            && Realization::is_near(score, alpha, self.evaluation.unit())
            && !self.stopped
        {
            let between = Place { depth: place.depth - excess, ..place };
            score = -self.node::<false>(next, previous, between, -alpha - 1, -alpha);
        }
        if score > alpha && reduction > Depth::ZERO && !self.stopped {
            score = -self.node::<false>(next, previous, place, -alpha - 1, -alpha);
        }
        if PRINCIPAL && score > alpha && score < beta && !self.stopped {
            score = -self.node::<true>(next, previous, place, -beta, -alpha);
        }
        score
    }

    /// The depth that is left after a move, and by how much it is searched less deep at first: for its number, and for what
    /// an unlikely move costs above the threshold.
    pub(super) fn depths(
        &self,
        before: Depth,
        move_cost: MoveCost,
        index: usize,
        reducible: bool,
        circumstances: Circumstances,
    ) -> (Depth, Depth) {
        let after = before - move_cost.cost;
        let reduction = self.reduction(before, after, index, reducible, circumstances);
        (after + move_cost.excess, reduction + move_cost.excess)
    }

    /// By how much a move is searched less deep at first because it comes late: at least one ply is left.
    fn reduction(
        &self,
        before: Depth,
        after: Depth,
        index: usize,
        reducible: bool,
        circumstances: Circumstances,
    ) -> Depth {
        let parameters = self.parameters;
        let reduce = parameters.late_move_reductions
            && reducible
            && index as i32 >= parameters.reduction_moves
            && before.as_hundredths() >= parameters.reduction_depth;
        if !reduce {
            return Depth::ZERO;
        }
        let most = (after - Depth::PLY).max(Depth::ZERO);
        self.reductions.of(before, index + 1, circumstances).min(most)
    }

    /// The static evaluation of a node, and what follows from it.
    fn static_value(
        &self,
        position: &G::Position,
        evaluation: Score,
        entry: Option<Entry>,
        place: Place,
    ) -> StaticValue {
        let guess = entry.map_or(evaluation, |entry| match entry.bound {
            Bound::Lower => evaluation.max(entry.score),
            Bound::Upper => evaluation.min(entry.score),
            Bound::Exact => entry.score,
        });
        let earlier = place.ply.checked_sub(2).and_then(|ply| self.frames[ply].evaluation);
        StaticValue {
            guess,
            worsening: earlier.is_some_and(|earlier| evaluation <= earlier),
            calm: G::is_calm(position),
        }
    }

    /// A quiet move has failed high after others had not.
    fn remember(&mut self, behind: Behind, mv: G::Move, tried: &[Quiet], place: Place) {
        self.frames[place.ply].killers.add(G::pack(mv));
        self.history.reward(behind, Quiet::new::<G>(mv), place.depth);
        for &other in tried {
            self.history.punish(behind, other, place.depth);
        }
    }
}

/// The score that a deep enough entry proves to be outside the window, or true.
pub(super) fn cuts_off(entry: Entry, alpha: Score, beta: Score) -> Option<Score> {
    let proved = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    proved.then_some(entry.score)
}
