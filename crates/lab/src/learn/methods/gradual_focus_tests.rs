// SPDX-License-Identifier: GPL-3.0-or-later
//! Gradual Focus on made-up values, where every step can be followed by hand.

use std::borrow::Cow;
use std::collections::HashMap;

use super::*;
use crate::learn::fitness::Bar;
use crate::learn::methods::{Acceptance, Disjunction};
use crate::learn::worth::Worth;
use halfply_engine::base::Depth;
use halfply_engine::features::{Atom, ExtensionTable, Grouping};
use halfply_engine::game::Game;
use halfply_engine::games::Breakthrough;

/// Values from a function of the feature.
struct Made<V: FnMut(AtomSet) -> i64>(V);

impl<V: FnMut(AtomSet) -> i64> Fitness for Made<V> {
    fn evaluate(&mut self, table: &ExtensionTable, _bar: Option<Bar<'_>>) -> Result<Worth, RunError> {
        Ok(Worth::made((self.0)(table.wanted()), 0, &[]))
    }
}

const fn atom(name: &'static str, parent: Option<&'static str>) -> Atom {
    Atom { name: Cow::Borrowed(name), description: Cow::Borrowed(""), parent, prunable: true, only_if_named: false }
}

const ATOMS: &[Atom] = &[
    atom("a", None),
    atom("b", None),
    atom("d", None),
    atom("c1", None),
    atom("c2", Some("c1")),
    atom("c3", Some("c1")),
];

/// Two groups of three; c1 is the parent of c2 and c3, as in the paper's Figure 3.
const SIX: Vocabulary = Vocabulary {
    game: "six",
    atoms: Cow::Borrowed(ATOMS),
    own: None,
    groupings: &[
        Grouping { name: "two", description: "", groups: &[&["a", "b", "d"], &["c1", "c2", "c3"]] },
        Grouping { name: "none", description: "", groups: &[] },
    ],
    blacklist: &[],
};

fn settings(vocabulary: &Vocabulary, grouping: usize) -> Prepared {
    Prepared {
        space: Space {
            vocabulary: vocabulary.clone(),
            base: vocabulary.base(),
            groups: vocabulary.groups(&vocabulary.groupings[grouping]),
            blacklist: Vec::new(),
            plies: vec![Depth::hundredths(50)],
            max_evaluations: None,
            acceptance: Acceptance { epsilon: 0, ..Acceptance::default() },
            disjunction: Disjunction::default(),
        },
        linear_tree_pruning: false,
        threshold_pruning: None,
    }
}

fn run(settings: &Prepared, value: impl FnMut(AtomSet) -> i64) -> LearnOutcome {
    settings.learn(&mut Made(value), &mut |_| ()).unwrap()
}

/// Runs on values by name; features without one solve nothing.
fn run_named(settings: &Prepared, values: &[(&str, i64)]) -> LearnOutcome {
    let values: HashMap<AtomSet, i64> =
        values.iter().map(|&(name, value)| (SIX.parse(name).unwrap_or_default(), value)).collect();
    run(settings, |feature| values.get(&feature).copied().unwrap_or(0))
}

fn names(vocabulary: &Vocabulary, judged: &[&Judged]) -> Vec<String> {
    judged.iter().map(|judged| vocabulary.format(judged.feature())).collect()
}

/// Nothing is ever pruned when every atom adds to the value.
fn growing(feature: AtomSet) -> i64 {
    feature.len() as i64
}

#[test]
fn six_features_make_63_combinations_without_groups_and_15_with_two() {
    // Paper, section 3.3. Neutral is evaluated besides.
    assert_eq!(run(&settings(&SIX, 1), growing).judged.len(), 63 + 1);
    assert_eq!(run(&settings(&SIX, 0), growing).judged.len(), 15 + 1);
}

#[test]
fn breakthrough_has_377_features_of_one_to_three_atoms() {
    // Thesis, section 4.1.4: with its groups. And 2^15 = 32,768 without any, Neutral included.
    let vocabulary = Breakthrough::VOCABULARY;
    let outcome = run(&settings(&vocabulary, 0), growing);
    let up_to_three = outcome.judged.iter().filter(|judged| (1..=3).contains(&judged.feature().len())).count();
    assert_eq!(up_to_three, 377);
    assert_eq!(vocabulary.groupings[2].name, "none");
    assert_eq!(run(&settings(&vocabulary, 2), growing).judged.len(), 32_768);
}

#[test]
fn every_feature_is_evaluated_once_and_neutral_first() {
    let outcome = run(&settings(&SIX, 1), growing);
    let mut seen = HashSet::new();
    assert!(outcome.judged.iter().all(|judged| seen.insert(judged.feature())));
    assert_eq!(outcome.judged[0].verdict, Verdict::Neutral);
    assert!(outcome.judged.windows(2).all(|pair| pair[0].feature().len() <= pair[1].feature().len()));
}

#[test]
fn a_pruned_combination_is_in_no_later_one() {
    // The paper's Figure 2 has a, b and c where b-c fails: here a, c1 and b with b-c1 failing, without groups.
    let mut settings = settings(&SIX, 1);
    settings.space.blacklist = ["d", "c2", "c3"].map(|name| SIX.parse(name).unwrap()).to_vec();
    let outcome = run_named(&settings, &[("a", 3), ("b", 2), ("c1", 2), ("a-b", 4), ("a-c1", 4), ("b-c1", 1)]);
    let all: Vec<_> = outcome.judged.iter().collect();
    // No a-b-c1, for it contains b-c1.
    assert_eq!(names(&SIX, &all), ["Neutral", "a", "b", "c1", "a-b", "a-c1", "b-c1"]);
    assert_eq!(names(&SIX, &outcome.output()), ["a-b", "a-c1", "a", "b", "c1", "Neutral"]);
}

#[test]
fn the_first_parent_is_the_better_one_and_epsilon_is_added_to_it() {
    let mut settings = settings(&SIX, 0);
    settings.space.acceptance.epsilon = 3;
    let outcome = run_named(&settings, &[("a", 5), ("c1", 9), ("a-c1", 12), ("c2", 5), ("a-c2", 7), ("b-c1", 11)]);
    let find = |name: &str| outcome.judged.iter().find(|judged| SIX.format(judged.feature()) == name).unwrap();
    let [a, c1, c2] = ["a", "c1", "c2"].map(|name| SIX.parse(name).unwrap());
    assert_eq!(find("a-c1").parents, Some(Parents { first: c1, first_value: 9, second: a }));
    assert_eq!(find("a-c1").verdict, Verdict::Kept);
    assert_eq!(find("b-c1").verdict, Verdict::Pruned { banned: vec![], by_chance: None });
    // A tie of parents goes to the sequence of atoms.
    assert_eq!(find("a-c2").parents, Some(Parents { first: a, first_value: 5, second: c2 }));
}

#[test]
fn a_tie_with_the_parent_survives_epsilon_0_unless_it_must_be_strictly_better() {
    let values = [("a", 5), ("a-c1", 5), ("a-c2", 6)];
    let kept = |strictly_better| {
        let mut settings = settings(&SIX, 0);
        settings.space.acceptance.strictly_better = strictly_better;
        let outcome = run_named(&settings, &values);
        let kept: Vec<_> = outcome.judged.iter().filter(|judged| judged.verdict == Verdict::Kept).collect();
        names(&SIX, &kept)
    };
    let ties_of_nothing = ["b-c1", "b-c2", "b-c3", "d-c1", "d-c2", "d-c3"];
    assert_eq!(kept(false), [["a-c1", "a-c2"].as_slice(), &ties_of_nothing].concat());
    assert_eq!(kept(true), ["a-c2"]);
}

#[test]
fn linear_tree_pruning_bans_the_children_of_the_second_parent() {
    // The paper's Figure 3: a-c1 is pruned, so a-c2 and a-c3 are not even tried.
    let values = [("a", 9), ("b", 1), ("c1", 5), ("c2", 4), ("c3", 4), ("a-c1", 3), ("a-c2", 20), ("b-c1", 6)];
    let tried = |linear_tree_pruning| {
        let settings = Prepared { linear_tree_pruning, ..settings(&SIX, 0) };
        let outcome = run_named(&settings, &values);
        let banned: Vec<_> = outcome
            .judged
            .iter()
            .filter_map(|judged| match &judged.verdict {
                Verdict::Pruned { banned, .. } => Some(banned.iter().map(|&feature| SIX.format(feature))),
                _ => None,
            })
            .flatten()
            .collect();
        let pairs: Vec<_> = outcome.judged.iter().filter(|judged| judged.feature().len() == 2).collect();
        (names(&SIX, &pairs), banned)
    };
    let (without, banned) = tried(false);
    assert!(without.contains(&"a-c2".to_owned()) && banned.is_empty());
    let (with, banned) = tried(true);
    assert!(with.contains(&"a-c1".to_owned()));
    assert!(!with.contains(&"a-c2".to_owned()) && !with.contains(&"a-c3".to_owned()));
    // c1 is the better parent of b-c1 and of d-c1: then the second parent is b or d, which have no children.
    assert_eq!(banned, ["a-c2", "a-c3"]);
}

#[test]
fn a_feature_in_the_output_stays_there_when_it_is_banned_later() {
    // Sorted: c2 (10), a (9), c1 (5). First c2-a is kept; then a-c1 falls and bans a-c2, which stays in the output, but
    // nothing grows from it.
    let mut settings = settings(&SIX, 0);
    settings.linear_tree_pruning = true;
    settings.space.groups = SIX.groups(&SIX.groupings[1]);
    settings.space.blacklist = ["c3", "d", "c1-c2"].map(|name| SIX.parse(name).unwrap()).to_vec();
    let values = [("a", 9), ("b", 1), ("c1", 5), ("c2", 10), ("a-c2", 11), ("b-c2", 12), ("a-b", 12)];
    let outcome = run_named(&settings, &values);
    assert!(names(&SIX, &outcome.output()).contains(&"a-c2".to_owned()));
    assert!(outcome.judged.iter().all(|judged| judged.feature().len() <= 2), "a-b-c2 contains the banned a-c2");
}

#[test]
fn threshold_pruning_drops_base_features_below_neutral_unless_unsafe() {
    let mut settings = settings(&SIX, 0);
    settings.threshold_pruning = Some(Threshold { delta: None, unsafe_to_prune: SIX.parse("c2").unwrap() });
    let values = [("Neutral", 4), ("a", 4), ("b", 3), ("d", 2), ("c1", 9), ("c2", 1), ("c3", 3)];
    let values: Vec<_> =
        values.into_iter().map(|(name, value)| (if name == "Neutral" { "" } else { name }, value)).collect();
    let outcome = run_named(&settings, &values);
    // a equals Neutral and stays; c2 is below it and marked unsafe; b, d and c3 go, from Base and from the output.
    assert_eq!(names(&SIX, &outcome.output()), ["c1", "Neutral", "a", "c2"]);
    let pairs: Vec<_> = outcome.judged.iter().filter(|judged| judged.feature().len() == 2).collect();
    assert_eq!(names(&SIX, &pairs), ["a-c1", "a-c2"]);
    // With a delta of one's own.
    settings.threshold_pruning = Some(Threshold { delta: Some(9), unsafe_to_prune: AtomSet::EMPTY });
    assert_eq!(names(&SIX, &run_named(&settings, &values).output()), ["c1", "Neutral"]);
}

#[test]
fn the_initial_blacklist_is_never_formed() {
    let mut settings = settings(&SIX, 1);
    settings.space.blacklist = vec![SIX.parse("a-c1").unwrap()];
    let outcome = run(&settings, growing);
    assert!(outcome.judged.iter().all(|judged| !judged.feature().contains(settings.space.blacklist[0])));
    // A quarter of the 64 contain both.
    assert_eq!(outcome.judged.len(), 64 - 16);
}

#[test]
fn a_cap_ends_the_run() {
    let mut settings = settings(&SIX, 1);
    settings.space.max_evaluations = Some(10);
    let outcome = run(&settings, growing);
    assert!(outcome.capped);
    assert_eq!(outcome.judged.len(), 10);
    settings.space.max_evaluations = Some(64);
    assert!(!run(&settings, growing).capped);
}

#[test]
fn linear_tree_pruning_never_bans_the_first_parent() {
    // Without groups c2 meets its own parent c1: the pair is pruned, and c2 must stay.
    let settings = Prepared { linear_tree_pruning: true, ..settings(&SIX, 1) };
    let values = [("c2", 9), ("c1", 5), ("c1-c2", 1), ("a", 2), ("a-c2", 10)];
    let outcome = run_named(&settings, &values);
    let all: Vec<_> = outcome.judged.iter().collect();
    assert!(names(&SIX, &all).contains(&"c1-c2".to_owned()));
    assert!(names(&SIX, &outcome.output()).contains(&"a-c2".to_owned()));
}

/// Values from made-up sets of solved positions, searched one by one and no further than a bar asks.
struct Positions {
    count: usize,
    seed: u64,
    searched: usize,
}

impl Positions {
    /// More atoms solve other positions, and often more.
    fn solves(&self, feature: AtomSet, position: usize) -> bool {
        let luck = |salt: u64| halfply_engine::base::mix::derive(self.seed ^ salt, position as u64) % 100;
        feature.indices().any(|atom| luck(1 + atom as u64) < 25) && luck(0) < 80
    }
}

impl Fitness for Positions {
    fn evaluate(&mut self, table: &ExtensionTable, bar: Option<Bar<'_>>) -> Result<Worth, RunError> {
        let mut order: Vec<usize> = (0..self.count).collect();
        if let Some(bar) = bar {
            order.sort_by_key(|place| bar.solved_by_parent.contains(place));
        }
        let mut solved = Vec::new();
        let mut unsearched = self.count;
        for place in order {
            if bar.is_some_and(|bar| ((solved.len() + unsearched) as i64) < bar.value) {
                break;
            }
            unsearched -= 1;
            self.searched += 1;
            if self.solves(table.wanted(), place) {
                solved.push(place);
            }
        }
        solved.sort_unstable();
        let value = (solved.len() + unsearched) as i64;
        let searched = self.count - unsearched;
        let whole = Worth::made(value, self.count, &solved);
        Ok(Worth { searched, unsearched, is_bound: unsearched > 0, ..whole })
    }
}

proptest::proptest! {
    #[test]
    fn early_rejection_changes_no_verdict(
        seed in 0_u64..1000, epsilon in 0_u32..4, strictly_better: bool, grouping in 0_usize..2, pruning: bool, tree: bool,
        significance in proptest::option::of(0.01_f64..1.0),
    ) {
        let run = |early_rejection| {
            let threshold = Threshold { delta: None, unsafe_to_prune: AtomSet::EMPTY };
            let mut settings = settings(&SIX, grouping);
            settings.space.acceptance = Acceptance { epsilon, strictly_better, early_rejection, significance };
            settings.linear_tree_pruning = tree;
            settings.threshold_pruning = pruning.then_some(threshold);
            let mut fitness = Positions { count: 60, seed, searched: 0 };
            let outcome = settings.learn(&mut fitness, &mut |_| ()).unwrap();
            (outcome, fitness.searched)
        };
        let ((whole, all), (early, fewer)) = (run(false), run(true));
        proptest::prop_assert_eq!(whole.judged.len(), early.judged.len());
        for (whole, early) in whole.judged.iter().zip(&early.judged) {
            proptest::prop_assert_eq!(whole.feature(), early.feature());
            proptest::prop_assert_eq!(&whole.verdict, &early.verdict);
            proptest::prop_assert_eq!(whole.parents, early.parents);
            let value = early.worth.value;
            if early.worth.is_bound {
                proptest::prop_assert!(!early.verdict.is_output() && whole.worth.value <= value);
            } else {
                proptest::prop_assert_eq!(whole.worth.value, value);
            }
        }
        let output = |outcome: &LearnOutcome| outcome.output().iter().map(|judged| judged.feature()).collect::<Vec<_>>();
        proptest::prop_assert_eq!(output(&whole), output(&early));
        proptest::prop_assert!(fewer <= all);
    }
}
