// SPDX-License-Identifier: GPL-3.0-or-later
//! A model from samples: its weights, the features of moves that earn a place in it, and how good it is on games held out.

use std::collections::BTreeMap;

use super::regression::{self, Examples, logit, loss, probability};
use halfply_engine::base::Depth;
use halfply_engine::features::{AtomSet, Vocabulary};
use halfply_engine::search::control::{COUNT, Control, ONE, Sample, Term, is_known_before};

/// Reductions are learned from moves with more depth left than this, in hundredths of a ply: others cannot be reduced.
const REDUCIBLE: i32 = 200;

/// The least samples of either kind to fit a model to.
const LEAST_TRAINING: usize = 1000;

/// The least held-out samples of moves that can be reduced.
const LEAST_HELD_OUT: usize = 100;

/// A feature is a candidate if so many samples that raised alpha have it.
const FEWEST_RAISED: u64 = 100;

/// Weights in a file are thousandths.
const THOUSAND: f64 = 1000.0;

/// The terms that the hand-crafted formula of reductions has.
const HAND_CRAFTED: [Term; 9] = [
    Term::Constant,
    Term::Depth,
    Term::Number,
    Term::DepthNumber,
    Term::Principal,
    Term::Worsening,
    Term::History,
    Term::Killer,
    Term::Check,
];

/// Samples to learn from and samples of other games.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// To learn from.
    pub training: Vec<Sample>,
    /// To test on.
    pub held_out: Vec<Sample>,
}

/// How well probabilities fit samples that they were not fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Mean negative log-likelihood.
    pub loss: f64,
    /// The probability that a move that raises alpha has a greater logit than one that does not.
    pub auc: f64,
}

/// A model with some of the terms, for comparison.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Which terms it has.
    pub name: &'static str,
    /// How many.
    pub terms: usize,
    /// How good it is.
    pub quality: Quality,
}

/// Samples of about the same probability.
#[derive(Clone, Copy, Debug)]
pub struct Bin {
    /// How many samples.
    pub samples: u64,
    /// Their mean probability by the model.
    pub expected: f64,
    /// The share of them that raised alpha.
    pub observed: f64,
}

/// What is skipped at a depth: by the search that played, and by the model if it skips as many.
#[derive(Clone, Copy, Debug)]
pub struct Skipping {
    /// Depth in plies, rounded up.
    pub plies: u32,
    /// Quiet late moves.
    pub samples: u64,
    /// The share of them that the search skipped.
    pub skipped: f64,
    /// The share of those that would have raised alpha.
    pub missed: f64,
    /// The share of as many moves that the model finds least likely that would have.
    pub missed_by_model: f64,
    /// The value of ln((1 - P) / P) from which on they are.
    pub threshold: f64,
}

/// A model with everything that is known about it.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The model.
    pub control: Control,
    /// Models with fewer terms, and the model itself as the last.
    pub variants: Vec<Variant>,
    /// How the probabilities of held-out samples agree with what happened, ascending.
    pub bins: Vec<Bin>,
    /// By depth.
    pub skipping: Vec<Skipping>,
    /// The line through the thresholds: its value at depth zero and its rise for each ply; none if nothing was skipped.
    pub threshold: Option<[f64; 2]>,
}

/// Samples as examples for a regression over some terms and features.
struct View<'a> {
    samples: Vec<&'a Sample>,
    terms: &'a [usize],
    features: &'a [AtomSet],
}

impl View<'_> {
    fn fill(&self, sample: &Sample, values: &mut Vec<f64>) {
        values.clear();
        values.extend(self.terms.iter().map(|&term| f64::from(sample.values[term]) / f64::from(ONE)));
        values.extend(self.features.iter().map(|&feature| f64::from(u8::from(sample.atoms.contains(feature)))));
    }
}

impl Examples for View<'_> {
    fn terms(&self) -> usize {
        self.terms.len() + self.features.len()
    }

    fn each(&self, each: &mut dyn FnMut(&[f64], bool)) {
        let mut values = Vec::new();
        for sample in &self.samples {
            self.fill(sample, &mut values);
            each(&values, sample.raised);
        }
    }
}

/// Fits a model with at most so many features. `report` hears what is being done.
///
/// # Errors
/// If there are too few samples: says what is missing.
pub fn fit(data: &Data, rows: usize, vocabulary: &Vocabulary, report: &mut dyn FnMut(&str)) -> Result<Fit, String> {
    let reducible = |samples: &'_ [Sample]| samples.iter().filter(|sample| sample.depth > REDUCIBLE).count();
    let skippable = data.training.iter().filter(|sample| is_skippable(sample)).count();
    for (count, least, what) in [
        (reducible(&data.training), LEAST_TRAINING, "of moves that can be reduced"),
        (reducible(&data.held_out), LEAST_HELD_OUT, "of such moves held out"),
        (skippable, LEAST_TRAINING, "of moves that can be skipped"),
    ] {
        if count < least {
            return Err(format!(
                "there are too few samples {what}, {count} where {least} are needed: raise --games or --nodes, or lower \
                 --every"
            ));
        }
    }
    let all: Vec<usize> = (0..COUNT).collect();
    let mut variants = Vec::new();
    for (name, terms) in variant_terms() {
        report(&format!("terms: {name}"));
        let weights = weights(&data.training, &terms, &[], &[]);
        let quality = quality(&data.held_out, &terms, &[], &weights);
        variants.push(Variant { name, terms: terms.len(), quality });
    }
    let mut features = Vec::new();
    let mut reduce = weights(&data.training, &all, &features, &[]);
    while features.len() < rows {
        report(&format!("feature {} of {rows}", features.len() + 1));
        let Some(next) = best_feature(&data.training, &all, &features, &reduce, vocabulary) else { break };
        features.push(next);
        reduce = weights(&data.training, &all, &features, &reduce);
    }
    if !features.is_empty() {
        let quality = quality(&data.held_out, &all, &features, &reduce);
        variants.push(Variant { name: "all, with features of the move", terms: COUNT + features.len(), quality });
    }
    let bins = bins(&data.held_out, &all, &features, &reduce);

    report("moves that are skipped");
    let before: Vec<usize> = (0..COUNT).filter(|&term| is_known_before(term)).collect();
    let samples = data.training.iter().filter(|sample| is_skippable(sample)).collect();
    let skip = regression::fit(&View { samples, terms: &before, features: &[] }, &[]);
    let skipping = skipping(&data.held_out, &before, &skip);
    let threshold = line(&skipping);

    let integers = |terms: &[usize], weights: &[f64]| {
        let mut integers = [0; COUNT];
        terms.iter().zip(weights).for_each(|(&term, weight)| integers[term] = (weight * THOUSAND).round() as i32);
        integers
    };
    let rows = features.iter().zip(&reduce[COUNT..]);
    let rows = rows.map(|(&feature, weight)| (feature, (weight * THOUSAND).round() as i32)).collect();
    let control = Control::new(integers(&all, &reduce), integers(&before, &skip), rows);
    Ok(Fit { control, variants, bins, skipping, threshold })
}

/// Whether the search asks the model if such a move is to be skipped: quiet, in a null-window node that is not in check.
fn is_skippable(sample: &Sample) -> bool {
    let others = [Term::Principal, Term::Evasion, Term::Check, Term::Capture, Term::Losing];
    others.iter().all(|&term| sample.values[term as usize] == 0)
}

/// Models with some of the terms, each with more than the one before.
fn variant_terms() -> Vec<(&'static str, Vec<usize>)> {
    let hand_crafted: Vec<usize> = HAND_CRAFTED.iter().map(|&term| term as usize).collect();
    let with_cut = [&hand_crafted[..], &[Term::Cut as usize]].concat();
    let before = |last: Term| (0..last as usize).collect();
    vec![
        ("none", vec![Term::Constant as usize]),
        ("those of the hand-crafted formula", hand_crafted),
        ("the same and expected cut nodes", with_cut),
        ("all of the node and the move", before(Term::ChildKnown)),
        ("the table's entry behind the move, too", before(Term::GainAbove)),
        ("all, with the evaluation behind the move", (0..COUNT).collect()),
    ]
}

fn weights(samples: &[Sample], terms: &[usize], features: &[AtomSet], start: &[f64]) -> Vec<f64> {
    let samples = samples.iter().filter(|sample| sample.depth > REDUCIBLE).collect();
    regression::fit(&View { samples, terms, features }, start)
}

/// Logits and outcomes of the samples that can be reduced, ascending by logit.
fn sorted(samples: &[Sample], terms: &[usize], features: &[AtomSet], weights: &[f64]) -> Vec<(f64, bool)> {
    let samples = samples.iter().filter(|sample| sample.depth > REDUCIBLE).collect();
    let mut logits = Vec::new();
    View { samples, terms, features }.each(&mut |values, raised| logits.push((logit(weights, values), raised)));
    logits.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    logits
}

fn quality(samples: &[Sample], terms: &[usize], features: &[AtomSet], weights: &[f64]) -> Quality {
    let logits = sorted(samples, terms, features, weights);
    let loss = logits.iter().map(|&(logit, raised)| loss(logit, raised)).sum::<f64>() / logits.len().max(1) as f64;
    Quality { loss, auc: auc(&logits) }
}

/// The area under the curve of outcomes ascending by logit, by ranks; equal logits share theirs.
fn auc(logits: &[(f64, bool)]) -> f64 {
    let raised = logits.iter().filter(|(_, raised)| *raised).count() as f64;
    let others = logits.len() as f64 - raised;
    let (mut ranks, mut begin) = (0.0, 0);
    for group in logits.chunk_by(|(a, _), (b, _)| a == b) {
        let middle = begin as f64 + (group.len() as f64 + 1.0) / 2.0;
        ranks += middle * group.iter().filter(|(_, raised)| *raised).count() as f64;
        begin += group.len();
    }
    if raised == 0.0 || others == 0.0 { 0.5 } else { (ranks - raised * (raised + 1.0) / 2.0) / (raised * others) }
}

/// The feature of one or two atoms that improves the likelihood most, to first order (a score test); none if none has
/// enough samples.
fn best_feature(
    samples: &[Sample],
    terms: &[usize],
    features: &[AtomSet],
    weights: &[f64],
    vocabulary: &Vocabulary,
) -> Option<AtomSet> {
    #[derive(Default)]
    struct Score {
        error: f64,
        variance: f64,
        raised: u64,
    }
    let view = View { samples: Vec::new(), terms, features };
    let mut scores: BTreeMap<u64, Score> = BTreeMap::new();
    let mut values = Vec::new();
    let base = vocabulary.base() | vocabulary.state_set();
    // Samples with the same atoms count together: there are few such sets.
    let mut by_atoms: BTreeMap<u64, Score> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| sample.depth > REDUCIBLE) {
        view.fill(sample, &mut values);
        let expected = probability(logit(weights, &values));
        let score = by_atoms.entry(sample.atoms.0 & base.0).or_default();
        score.error += f64::from(u8::from(sample.raised)) - expected;
        score.variance += expected * (1.0 - expected);
        score.raised += u64::from(sample.raised);
    }
    for (atoms, of) in by_atoms {
        let indices: Vec<usize> = AtomSet(atoms).indices().collect();
        for (place, &first) in indices.iter().enumerate() {
            for &second in &indices[place..] {
                let feature = AtomSet::single(first) | AtomSet::single(second);
                let score = scores.entry(feature.0).or_default();
                score.error += of.error;
                score.variance += of.variance;
                score.raised += of.raised;
            }
        }
    }
    let gain = |score: &Score| score.error * score.error / score.variance.max(1.0);
    let candidates = scores
        .iter()
        .filter(|(feature, score)| score.raised >= FEWEST_RAISED && !features.contains(&AtomSet(**feature)));
    let best = candidates.max_by(|(_, a), (_, b)| gain(a).total_cmp(&gain(b)))?;
    Some(AtomSet(*best.0))
}

/// Held-out samples by their logit, in steps of one.
fn bins(samples: &[Sample], terms: &[usize], features: &[AtomSet], weights: &[f64]) -> Vec<Bin> {
    let logits = sorted(samples, terms, features, weights);
    let step = |logit: f64| logit.clamp(-8.0, 1.0).floor() as i32;
    let groups = logits.chunk_by(|(a, _), (b, _)| step(*a) == step(*b));
    let bin = |group: &[(f64, bool)]| {
        let count = group.len() as f64;
        Bin {
            samples: group.len() as u64,
            expected: group.iter().map(|(logit, _)| probability(*logit)).sum::<f64>() / count,
            observed: group.iter().filter(|(_, raised)| *raised).count() as f64 / count,
        }
    };
    groups.map(bin).collect()
}

/// What is skipped at each depth of up to eight plies.
fn skipping(samples: &[Sample], terms: &[usize], weights: &[f64]) -> Vec<Skipping> {
    let view = View { samples: Vec::new(), terms, features: &[] };
    let plies = |sample: &Sample| (sample.depth + Depth::PLY.as_hundredths() - 1) / Depth::PLY.as_hundredths();
    let at = |depth: u32| {
        let mut values = Vec::new();
        let of_depth = samples.iter().filter(|sample| is_skippable(sample) && plies(sample) == depth as i32);
        let with_logit = |sample: &Sample| {
            view.fill(sample, &mut values);
            (logit(weights, &values), sample.raised, sample.reduction.is_none())
        };
        let mut moves: Vec<(f64, bool, bool)> = of_depth.map(with_logit).collect();
        moves.sort_by(|a, b| a.0.total_cmp(&b.0));
        let skipped = moves.iter().filter(|(.., skipped)| *skipped).count();
        let last = moves.get(skipped.checked_sub(1)?)?.0;
        let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        let missed = moves.iter().filter(|(_, raised, skipped)| *raised && *skipped).count();
        let by_model = moves[..skipped].iter().filter(|(_, raised, _)| *raised).count();
        Some(Skipping {
            plies: depth,
            samples: moves.len() as u64,
            skipped: share(skipped, moves.len()),
            missed: share(missed, skipped),
            missed_by_model: share(by_model, skipped),
            threshold: -last,
        })
    };
    (1..=8).filter_map(at).collect()
}

/// The line through the thresholds of all depths, each weighted by what is skipped there.
fn line(skipping: &[Skipping]) -> Option<[f64; 2]> {
    let weighted = skipping.iter().map(|at| (at.samples as f64 * at.skipped, f64::from(at.plies), at.threshold));
    let [mut n, mut x, mut y, mut xx, mut xy] = [0.0; 5];
    for (weight, plies, threshold) in weighted {
        n += weight;
        x += weight * plies;
        y += weight * threshold;
        xx += weight * plies * plies;
        xy += weight * plies * threshold;
    }
    let determinant = n * xx - x * x;
    (determinant > 0.0).then(|| [(y * xx - x * xy) / determinant, (n * xy - x * y) / determinant])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample of a move whose chance depends on its number, its depth and one atom.
    fn samples(count: u64) -> Vec<Sample> {
        let mut state = 7_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 31)
        };
        let sample = |_| {
            let number = 50 + (random() * 300.0) as i32;
            let depth = 1 + (random() * 7.0) as i32;
            let has_atom = random() < 0.2;
            let mut values = [0; COUNT];
            values[Term::Constant as usize] = ONE;
            values[Term::Number as usize] = number;
            values[Term::FirstNoisy as usize] = ONE * (number % 2);
            let logit = -1.0 - f64::from(number) / 100.0 + if has_atom { 1.5 } else { 0.0 };
            Sample {
                values,
                atoms: if has_atom { AtomSet::single(3) } else { AtomSet::single(2) },
                depth: 100 * depth,
                index: 4,
                // The search that played skipped late moves, whatever the depth.
                reduction: (number < 200).then_some(100),
                raised: random() < probability(logit),
            }
        };
        (0..count).map(sample).collect()
    }

    #[test]
    fn a_model_is_found_with_the_feature_that_matters() {
        use halfply_engine::game::Game;
        let data = Data { training: samples(60_000), held_out: samples(30_000) };
        let vocabulary = halfply_engine::games::Breakthrough::VOCABULARY;
        let fit = fit(&data, 1, &vocabulary, &mut |_| ()).unwrap();
        let weight = |term: Term| fit.control.reduce[term as usize];
        let (feature, of_feature) = fit.control.rows[0];
        // Two atoms exclude each other here, so one of them stands for both.
        let difference = if feature == AtomSet::single(3) { of_feature } else { -of_feature };
        assert!((difference - 1500).abs() < 150, "{:?}", fit.control.rows);
        assert!((weight(Term::Number) + 1000).abs() < 100, "{}", weight(Term::Number));
        assert_eq!(weight(Term::Cut), 0, "it never varies");
        let first_noisy = Term::FirstNoisy as usize;
        assert!(fit.control.reduce[first_noisy] != 0 && fit.control.skip[first_noisy] == 0, "no part in skipping");
        let losses: Vec<f64> = fit.variants.iter().map(|variant| variant.quality.loss).collect();
        assert!(losses[0] > losses[1] && losses[5] > losses[6], "{losses:?}");
        assert!((fit.variants[0].quality.auc - 0.5).abs() < 1e-9);
        for bin in fit.bins.iter().filter(|bin| bin.samples > 2_000) {
            assert!((bin.expected - bin.observed).abs() < 0.03, "{bin:?}");
        }
        // The same moves are skipped at all depths, so the threshold does not depend on it.
        let [base, rise] = fit.threshold.unwrap();
        assert!(base > 1.0 && rise.abs() < 0.1, "{base} {rise}");
    }

    #[test]
    fn the_area_under_the_curve_counts_pairs() {
        assert_eq!(auc(&[(0.0, false), (1.0, true)]), 1.0);
        assert_eq!(auc(&[(0.0, true), (1.0, false)]), 0.0);
        assert_eq!(auc(&[(1.0, true), (1.0, false)]), 0.5);
        assert_eq!(auc(&[(0.0, false), (1.0, true), (1.0, false), (2.0, true)]), 0.875);
    }

    #[test]
    fn too_few_samples_are_refused() {
        use halfply_engine::game::Game;
        let vocabulary = halfply_engine::games::Breakthrough::VOCABULARY;
        let error = fit(&Data::default(), 0, &vocabulary, &mut |_| ()).unwrap_err();
        assert!(error.contains("too few samples"));
    }
}
