// SPDX-License-Identifier: GPL-3.0-or-later
//! Learned control: which late moves are skipped, and by how much the others are reduced, by a model of
//! [`control`](super::super::control); and the samples that such a model is learned from.

use super::super::control::{self, COUNT, MOST_PAWNS, ONE, Sample, Term, Values};
use super::super::score::LEAST_WIN;
use super::super::{Depth, Score};
use super::history;
use super::order::Picked;
use super::pruning::StaticValue;
use super::table::{Bound, Entry};
use super::{Place, Worker};
use crate::evaluation::Evaluation;
use crate::features::{AtomSet, state};
use crate::game::{MoveContext, Tactics};

/// Logits count up to so many thousandths, far more than any real one.
const MOST_LOGIT: i32 = 100_000;

/// What is known of a node, for all of its moves.
pub(super) struct NodeTerms {
    /// The terms of the node; those of its moves are zero.
    values: Values,
    /// What the node adds to the logit by which moves are skipped, less the threshold; none if no move is.
    skip: Option<i32>,
}

/// A move that is about to be searched.
pub(super) struct LateMove<'a, 'p, G: Tactics> {
    pub context: &'a MoveContext<'p, G>,
    pub picked: &'a Picked<G::Move>,
    /// Whether it changes the material.
    pub noisy: bool,
    /// The position behind it, at full depth.
    pub below: Place,
    /// By how much it is to be reduced without the model; none if it is to be skipped.
    pub reduction: Option<Depth>,
}

impl<G: Tactics, E: Evaluation<G>> Worker<'_, G, E> {
    /// The terms of a node; none if nobody asks for them.
    pub(super) fn node_terms<const PRINCIPAL: bool>(
        &self,
        place: Place,
        static_value: Option<StaticValue>,
        unknown: bool,
        threat: bool,
        alpha: Score,
    ) -> Option<NodeTerms> {
        let model = self.control;
        if model.is_none() && self.sampling == 0 && self.wanted_state.is_empty() {
            return None;
        }
        let mut values = [0; COUNT];
        let mut set = |term: Term, value: i32| values[term as usize] = value;
        set(Term::Constant, ONE);
        set(Term::Depth, self.reductions.of_depth(place.depth) / 10);
        set(Term::Principal, flag(PRINCIPAL));
        set(Term::Cut, flag(!PRINCIPAL && place.cut));
        set(Term::Worsening, flag(static_value.is_some_and(|static_value| static_value.worsening)));
        set(Term::Passed, flag(place.passed));
        set(Term::Evasion, flag(place.in_check));
        set(Term::Unknown, flag(unknown));
        set(Term::Threat, flag(threat));
        set(Term::Sharp, flag(static_value.is_some_and(|static_value| !static_value.calm)));
        let mut terms = NodeTerms { values, skip: None };
        self.set_alpha(&mut terms, place, static_value, alpha);
        if !PRINCIPAL && let Some(model) = model.filter(|_| self.parameters.learned_pruning) {
            let parameters = self.parameters;
            let threshold = parameters.learned_skip + parameters.learned_skip_slope * place.depth.as_hundredths() / 100;
            terms.skip = Some(control::logit(&model.skip, &terms.values) + 10 * threshold);
        }
        Some(terms)
    }

    /// Sets the terms that depend on alpha, which rises in principal nodes.
    pub(super) fn set_alpha(
        &self,
        terms: &mut NodeTerms,
        place: Place,
        static_value: Option<StaticValue>,
        alpha: Score,
    ) {
        let margin = static_value.map_or(0, |static_value| self.pawns(static_value.guess - alpha));
        let below = (-margin).max(0);
        terms.values[Term::Above as usize] = margin.max(0);
        terms.values[Term::Below as usize] = below;
        terms.values[Term::BelowPerPly as usize] = per_ply(below, place.depth);
    }

    /// Whether the model says that a quiet move may be skipped; none if there is no such model.
    pub(super) fn is_unlikely(&self, terms: Option<&NodeTerms>, picked: &Picked<G::Move>) -> Option<bool> {
        let (terms, model) = (terms?, self.control?);
        let of_node = terms.skip?;
        let number = self.number(picked.index);
        let weight = |term: Term| model.skip[term as usize];
        let value = |term: Term| terms.values[term as usize];
        let of_number = weight(Term::Number)
            + weight(Term::DepthNumber) * value(Term::Depth) / ONE
            + weight(Term::CutNumber) * value(Term::Cut) / ONE;
        let history = picked.history * ONE / history::MOST;
        let killer = if picked.killer { weight(Term::Killer) } else { 0 };
        let of_move = (of_number * number + weight(Term::History) * history) / ONE + killer;
        Some(picked.index > 0 && of_node + of_move < 0)
    }

    /// The atoms of the search's state that hold for a move, as far as the extension table asks for them. The position behind
    /// it is looked at as if the move cost one ply.
    pub(super) fn state_of<const PRINCIPAL: bool>(
        &mut self,
        terms: &mut NodeTerms,
        late: &LateMove<'_, '_, G>,
        place: Place,
        static_value: Option<StaticValue>,
        alpha: Score,
    ) -> AtomSet {
        if PRINCIPAL {
            self.set_alpha(terms, place, static_value, alpha);
        }
        let mut values = terms.values;
        self.set_move(&mut values, late);
        if self.wanted_state.meets(state::BEHIND) {
            let evaluation = self.set_entry(&mut values, late, alpha);
            self.set_gain(&mut values, late, evaluation, alpha);
        }
        control::state(&values)
    }

    /// By how much a move is searched less deep at first. Samples are taken here, of moves that are to be skipped, too.
    pub(super) fn learned_reduction<const PRINCIPAL: bool>(
        &mut self,
        terms: &mut NodeTerms,
        late: &LateMove<'_, '_, G>,
        place: Place,
        static_value: Option<StaticValue>,
        alpha: Score,
    ) -> Option<Depth> {
        if late.picked.index == 0 {
            terms.values[Term::FirstNoisy as usize] = flag(late.noisy);
            return late.reduction;
        }
        let most = late.below.depth - late.reduction.unwrap_or_default() - Depth::PLY;
        let model = self.control.filter(|_| late.reduction.is_some());
        let is_sample = self.is_sample(place, late, alpha);
        if !is_sample && (model.is_none() || most <= Depth::ZERO) {
            return late.reduction;
        }
        if PRINCIPAL {
            self.set_alpha(terms, place, static_value, alpha);
        }
        let mut values = terms.values;
        self.set_move(&mut values, late);
        let evaluation = self.set_entry(&mut values, late, alpha);
        // Near the leaves most moves are reduced as far as they can be, whatever they gain.
        let at_most = model.filter(|_| !is_sample).and_then(|model| model.most(&values));
        if at_most.is_some_and(|logit| self.by_logit(logit) >= most) {
            return late.reduction.map(|without| without + most);
        }
        self.set_gain(&mut values, late, evaluation, alpha);
        let learned = match model {
            Some(model) => {
                let mut logit = control::logit(&model.reduce, &values);
                if !model.rows.is_empty() {
                    logit += model.of_atoms(G::atoms(late.context, model.wanted()) | control::state(&values));
                }
                self.by_logit(logit).clamp(Depth::ZERO, most.max(Depth::ZERO))
            }
            None => Depth::ZERO,
        };
        let reduction = late.reduction.map(|without| without + learned);
        if is_sample {
            self.sample(values, late, place.depth, reduction, alpha);
        }
        reduction
    }

    /// By how much a move with that logit is reduced, as far as it can be.
    fn by_logit(&self, logit: i32) -> Depth {
        let logit = logit.clamp(-MOST_LOGIT, MOST_LOGIT);
        Depth::hundredths(self.parameters.learned_base - self.parameters.learned_slope * logit / 1000)
    }

    /// Sets the terms of a move, all but those of the position behind it.
    fn set_move(&self, values: &mut Values, late: &LateMove<'_, '_, G>) {
        let &LateMove { context, picked, noisy, below, .. } = late;
        let number = self.number(picked.index);
        values[Term::DepthNumber as usize] = values[Term::Depth as usize] * number / ONE;
        values[Term::CutNumber as usize] = values[Term::Cut as usize] * number / ONE;
        let mut set = |term: Term, value: i32| values[term as usize] = value;
        set(Term::Number, number);
        set(Term::History, picked.history * ONE / history::MOST);
        set(Term::Killer, flag(picked.killer));
        set(Term::Check, flag(below.in_check));
        set(Term::Capture, flag(noisy && !picked.losing));
        set(Term::Losing, flag(picked.losing));
        set(Term::Urgent, flag(G::is_urgent(context.before, context.mv)));
    }

    /// Sets the terms of what the table knows of the position behind a move; its evaluation, if that is known.
    fn set_entry(&self, values: &mut Values, late: &LateMove<'_, '_, G>, alpha: Score) -> Option<Score> {
        let below = late.below;
        let entry = self.table_entry(below.key, below.ply)?;
        let Entry { score, bound, depth, evaluation, .. } = entry;
        let part = (depth.as_hundredths().max(0) * ONE / below.depth.as_hundredths().max(1)).clamp(1, ONE);
        let raises = -score > alpha && bound != Bound::Lower;
        let fails = -score <= alpha && bound != Bound::Upper;
        let mut set = |term: Term, value: i32| values[term as usize] = value;
        set(Term::ChildKnown, ONE);
        set(Term::ChildAbove, flag(raises));
        set(Term::ChildAboveDepth, if raises { part } else { 0 });
        set(Term::ChildBelow, flag(fails));
        set(Term::ChildBelowDepth, if fails { part } else { 0 });
        evaluation
    }

    /// Sets the terms of the static evaluation behind a move. It is handed down, so that it is computed once.
    fn set_gain(&mut self, values: &mut Values, late: &LateMove<'_, '_, G>, known: Option<Score>, alpha: Score) {
        let below = late.below;
        let mut gain = 0;
        if !below.in_check && G::decided(late.context.after).is_none() {
            let evaluation = known.unwrap_or_else(|| {
                let evaluation = self.evaluate(late.context.after, below.ply);
                self.frames[below.ply].handed = Some((below.key, evaluation));
                evaluation
            });
            gain = self.pawns(-evaluation - alpha);
        }
        let mut set = |term: Term, value: i32| values[term as usize] = value;
        set(Term::Gains, flag(gain > 0));
        set(Term::GainAbove, gain.max(0));
        set(Term::GainBelow, (-gain).max(0));
        set(Term::GainBelowPerPly, per_ply((-gain).max(0), below.depth));
    }

    /// Whether a move is to be a sample.
    fn is_sample(&self, place: Place, late: &LateMove<'_, '_, G>, alpha: Score) -> bool {
        // Keys are as good as random, and the count of nodes tells visits of a position apart.
        let random = (late.below.key ^ self.meter.nodes.wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 32;
        self.sampling > 0
            && !self.in_sample
            && place.depth > Depth::ZERO
            && alpha.abs() < LEAST_WIN
            && random < (1 << 32) / self.sampling
    }

    /// Searches a move to full depth, uncounted, and reports what came of it.
    fn sample(
        &mut self,
        values: Values,
        late: &LateMove<'_, '_, G>,
        depth: Depth,
        reduction: Option<Depth>,
        alpha: Score,
    ) {
        let counted = (self.meter.suspend(), self.extended, self.height);
        self.in_sample = true;
        let score = -self.node::<false>(late.context.after, Some(late.context.mv), late.below, -alpha - 1, -alpha);
        self.in_sample = false;
        let meter;
        (meter, self.extended, self.height) = counted;
        self.meter.resume(meter);
        let sample = Sample {
            values,
            atoms: G::atoms(late.context, G::VOCABULARY.all()) | control::state(&values),
            depth: depth.as_hundredths(),
            index: late.picked.index,
            reduction: reduction.map(Depth::as_hundredths),
            raised: score > alpha,
        };
        self.meter.watcher.sample(&sample);
    }

    /// The logarithm of the number of a move, from 0, in hundredths.
    fn number(&self, index: usize) -> i32 {
        self.reductions.of_depth(Depth::plies(index as u32 + 1)) / 10
    }

    /// A difference of scores in hundredths of a pawn, within [`MOST_PAWNS`].
    fn pawns(&self, difference: Score) -> i32 {
        (difference.clamp(-LEAST_WIN, LEAST_WIN) * 100 / self.evaluation.unit()).clamp(-MOST_PAWNS, MOST_PAWNS)
    }
}

/// One or zero.
fn flag(is_set: bool) -> i32 {
    if is_set { ONE } else { 0 }
}

/// A margin for each ply of depth, of at least one.
fn per_ply(margin: i32, depth: Depth) -> i32 {
    margin * ONE / depth.as_hundredths().max(ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::file;
    use crate::games::{Breakthrough, Chess, Othello, RegisteredGame};
    use crate::search::{Limits, Profile, Report, Root, Setup, Watcher};

    /// Keeps all samples.
    struct Samples(Vec<Sample>);

    impl<M> Watcher<M> for Samples {
        fn sampling(&self) -> u64 {
            4
        }

        fn sample(&mut self, sample: &Sample) {
            self.0.push(*sample);
        }
    }

    fn search<G: RegisteredGame>(
        set: &[&str],
        fen: &str,
        limits: Limits,
        watcher: &mut dyn Watcher<G::Move>,
    ) -> Report<G::Move> {
        let evaluation = G::default_evaluation(Profile::Full);
        let mut setup = Setup { hash: 1, ..G::usual_setup(&evaluation) };
        set.iter().for_each(|set| setup.parameters.assign(set).unwrap());
        let position = G::parse_position(fen).unwrap();
        evaluation.engine(&setup).thinker().search(Root::bare(&position), limits, watcher)
    }

    #[test]
    fn samples_are_not_counted_and_the_same_again() {
        let sampled = || {
            let mut samples = Samples(Vec::new());
            let report = search::<Breakthrough>(&[], Breakthrough::BENCH[2], Limits::nodes(5_000), &mut samples);
            assert_eq!(report.nodes, 5_000);
            samples.0
        };
        let samples = sampled();
        assert_eq!(samples, sampled());
        assert!(samples.len() > 1_000, "{}", samples.len());
        assert!(samples.iter().all(|sample| sample.index > 0 && sample.values[Term::Constant as usize] == ONE));
        // Late moves rarely raise alpha, and those that are skipped hardly ever do.
        let raised = |skipped: bool| {
            let of = samples.iter().filter(|sample| sample.reduction.is_none() == skipped);
            let (count, raised) =
                of.fold((0, 0), |(count, raised), sample| (count + 1, raised + i32::from(sample.raised)));
            f64::from(raised) / f64::from(count)
        };
        assert!(raised(true) < raised(false) && raised(false) < 0.1, "{} {}", raised(true), raised(false));
    }

    /// Nodes to a depth with such a table, in the search as it plays.
    fn with_table<G: RegisteredGame>(table: &str, depth: u32) -> (u64, u64) {
        let evaluation = G::default_evaluation(Profile::Full);
        let table = file::parse_line(table, &G::VOCABULARY).unwrap();
        let setup = Setup { hash: 1, table, ..G::usual_setup(&evaluation) };
        let position = G::parse_position(G::BENCH[2]).unwrap();
        let report = evaluation.engine(&setup).thinker().search(Root::bare(&position), Limits::depth(depth), &mut ());
        (report.nodes, report.extended)
    }

    #[test]
    fn looking_at_the_state_of_the_search_changes_nothing_but_costs() {
        fn check<G: RegisteredGame>(depth: u32) {
            let (without, none) = with_table::<G>("none", depth);
            assert_eq!(none, 0);
            for atom in &state::ATOMS {
                let (nodes, matched) = with_table::<G>(&format!("{}@1", atom.name), depth);
                assert_eq!(nodes, without, "{}", atom.name);
                // In Breakthrough and Othello nobody is in check, in Othello nothing is captured, and trees are small here.
                let is_rare = ["Eva", "Los", "Shp", "Cap", "Pas", "Hbd"].contains(&&*atom.name);
                assert!(matched > 0 || is_rare, "{} is never true", atom.name);
            }
        }
        check::<Breakthrough>(7);
        check::<Chess>(7);
        check::<Othello>(7);
    }

    #[test]
    fn a_row_with_the_state_of_the_search_costs_where_it_holds() {
        const ROWS: [&str; 3] = ["RdTb", "RdTb-Cut", "RdTb-Pv"];
        // Rows that cost a ply leave the tree as it is. No principal node is one where a cut is expected, and some are neither.
        let [all, at_cut_nodes, on_principal] = ROWS.map(|row| with_table::<Breakthrough>(&format!("{row}@1"), 8).1);
        assert!(at_cut_nodes > 0 && on_principal > 0, "{at_cut_nodes} {on_principal}");
        assert!(at_cut_nodes + on_principal < all, "{at_cut_nodes} and {on_principal} of {all}");
        let [all, at_cut_nodes, on_principal] = ROWS.map(|row| with_table::<Breakthrough>(&format!("{row}@0.5"), 8).0);
        assert!(all != at_cut_nodes && at_cut_nodes != on_principal && on_principal != all);
    }

    #[test]
    fn a_model_changes_the_tree_only_where_it_is_turned_on() {
        let nodes = |set: &[&str]| search::<Chess>(set, Chess::BENCH[3], Limits::depth(7), &mut ()).nodes;
        let by_hand = nodes(&["learned_reductions=false", "learned_pruning=false"]);
        let reduced = nodes(&["learned_reductions=true", "learned_pruning=false"]);
        let skipped = nodes(&["learned_reductions=true", "learned_pruning=true"]);
        assert!(by_hand != reduced && reduced != skipped && by_hand != skipped);
        // Without the switch, what the others say does not matter.
        let others = ["learned_reductions=false", "learned_pruning=true", "learned_slope=150", "learned_skip=100"];
        assert_eq!(nodes(&others), by_hand);
    }
}
