// SPDX-License-Identifier: GPL-3.0-or-later
//! Compares what runs found: the measures of Skowronski 2009, sections 4.1.3 and 4.1.4.

use super::super::judged::Judged;
use super::super::outcome::LearnOutcome;
use halfply_engine::features::AtomSet;

/// How many of the best features count as interesting (thesis, Table 4.3).
pub const INTERESTING: usize = 10;

/// How many of the best features of a brute-force run are compared (thesis, Table 4.4).
pub const TOP: usize = 25;

/// The interesting features of `reference` that are not in the output of `run`.
pub fn overlooked(reference: &LearnOutcome, run: &LearnOutcome) -> Vec<AtomSet> {
    let found = features(&run.output());
    let interesting = reference.output().into_iter().filter(|judged| !judged.feature().is_empty()).take(INTERESTING);
    interesting.map(|judged| judged.feature()).filter(|feature| !found.contains(feature)).collect()
}

/// The best features of a brute-force run, best first.
pub fn top(brute_force: &LearnOutcome) -> Vec<&Judged> {
    brute_force.ranking().into_iter().filter(|judged| !judged.feature().is_empty()).take(TOP).collect()
}

/// Of the best features of a brute-force run those that are not redundant: no proper part of them is worth as much.
pub fn relevant(brute_force: &LearnOutcome) -> Vec<AtomSet> {
    let is_redundant = |judged: &Judged| {
        let is_part = |part: &&Judged| part.feature() != judged.feature() && judged.feature().contains(part.feature());
        brute_force.judged.iter().filter(is_part).any(|part| part.worth.value >= judged.worth.value)
    };
    top(brute_force).into_iter().filter(|judged| !is_redundant(judged)).map(|judged| judged.feature()).collect()
}

/// The best part of a feature with one atom less, in a brute-force run: its parent in Table 4.4.
pub fn best_parent(brute_force: &LearnOutcome, feature: AtomSet) -> Option<AtomSet> {
    let is_parent = |part: &&Judged| {
        part.feature().len() + 1 == feature.len() && !part.feature().is_empty() && feature.contains(part.feature())
    };
    brute_force.ranking().into_iter().find(|judged| is_parent(judged)).map(|judged| judged.feature())
}

/// How well a run's output agrees with the relevant features.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// How many features are relevant.
    pub relevant: usize,
    /// How many of the run's best features are relevant, out of as many as there are relevant ones.
    pub correct: usize,
    /// Relevant features that are nowhere in the run's output.
    pub missed: Vec<AtomSet>,
}

impl Agreement {
    /// Compares a run with the relevant features.
    pub fn of(relevant: &[AtomSet], run: &LearnOutcome) -> Self {
        let output = features(&run.output());
        let best = &output[..relevant.len().min(output.len())];
        Self {
            relevant: relevant.len(),
            correct: best.iter().filter(|feature| relevant.contains(feature)).count(),
            missed: relevant.iter().copied().filter(|feature| !output.contains(feature)).collect(),
        }
    }

    /// The share of relevant features among the best in the output, 0 to 1; 1 if the output is empty.
    pub fn precision(&self) -> f64 {
        share(self.correct, self.relevant)
    }

    /// The share of the relevant features that are in the output, 0 to 1; 1 if none is relevant.
    pub fn recall(&self) -> f64 {
        share(self.relevant - self.missed.len(), self.relevant)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The features without Neutral, in the same order.
fn features(judged: &[&Judged]) -> Vec<AtomSet> {
    judged.iter().map(|judged| judged.feature()).filter(|feature| !feature.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::judged::Verdict;
    use crate::learn::worth::Worth;
    use halfply_engine::base::Depth;
    use halfply_engine::features::ExtensionTable;

    const A: AtomSet = AtomSet::single(0);
    const B: AtomSet = AtomSet::single(1);
    const C: AtomSet = AtomSet::single(2);

    fn outcome(values: &[(AtomSet, i64, Verdict)]) -> LearnOutcome {
        let judged = |(feature, value, verdict): &(AtomSet, i64, Verdict)| Judged {
            table: ExtensionTable::single(*feature, Depth::hundredths(50)),
            tables_tried: 1,
            worth: Worth::made(*value, 0, &[]),
            parents: None,
            verdict: verdict.clone(),
        };
        LearnOutcome { judged: values.iter().map(judged).collect(), ..LearnOutcome::default() }
    }

    fn brute() -> LearnOutcome {
        use Verdict::{Base, Neutral, Tried};
        outcome(&[
            (AtomSet::EMPTY, 3, Neutral),
            (A, 10, Base),
            (B, 20, Base),
            (C, 3, Base),
            (A | B, 20, Tried),
            (A | C, 12, Tried),
            (B | C, 25, Tried),
            (A | B | C, 24, Tried),
        ])
    }

    #[test]
    fn what_a_part_already_gives_is_redundant() {
        // A-B solves no more than B, A-B-C less than B-C, C no more than nothing.
        assert_eq!(relevant(&brute()), [B | C, B, A | C, A]);
        assert_eq!(best_parent(&brute(), A | B | C), Some(B | C));
        assert_eq!(best_parent(&brute(), A), None);
    }

    #[test]
    fn agreement_counts_the_best_and_the_missed() {
        use Verdict::{Base, Kept, Neutral};
        let pruned = Verdict::Pruned { banned: Vec::new(), by_chance: None };
        let run = outcome(&[
            (AtomSet::EMPTY, 3, Neutral),
            (A, 10, Base),
            (B, 20, Base),
            (C, 3, Base),
            (A | B, 20, Kept),
            (B | C, 25, pruned),
        ]);
        let agreement = Agreement::of(&relevant(&brute()), &run);
        // The four best in the output are B, A-B, A and C, of which two are relevant.
        assert_eq!(agreement, Agreement { relevant: 4, correct: 2, missed: vec![B | C, A | C] });
        assert!((agreement.precision() - 0.5).abs() < 1e-9 && (agreement.recall() - 0.5).abs() < 1e-9);
        assert_eq!(overlooked(&brute(), &run), [B | C, A | B | C, A | C]);
        assert_eq!(Agreement::of(&[], &run).precision(), 1.0);
    }
}
