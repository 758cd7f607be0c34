// SPDX-License-Identifier: GPL-3.0-or-later
//! Fitness from searches of a suite's positions.

use std::cmp::Reverse;
use std::time::Duration;

use super::super::searches::label;
use super::super::worth::Worth;
use super::measure::{Measure, WHOLE};
use super::prefix::{Prefix, value};
use super::{Bar, Fitness};
use crate::features::ExtensionTable;
use crate::games::Furnished;
use crate::run::{RunError, Runner};
use crate::search::{Evaluator, Limits, Setup};
use crate::suite::trial::{Summary, Trial, TrialResult, key};
use crate::suite::{Problem, Suite};

/// How every table is tried.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Nodes a position.
    pub nodes: u64,
    /// The search, the same for every table but for the table itself.
    pub setup: Setup,
    /// How often a position is searched, at least once, with consecutive seeds from that of the search.
    pub repeats: usize,
    /// What a search counts.
    pub measure: Measure,
    /// Positions subtracted from the value for each percent of moves that the table extends.
    pub frequency_penalty: f64,
}

/// Positions of a suite solved by a search.
pub struct SuiteFitness<'a, G: Furnished, F> {
    suite: &'a Suite<G>,
    evaluation: &'a Evaluator<G>,
    conditions: &'a Conditions,
    runner: &'a mut Runner<TrialResult>,
    finished: F,
    /// How long each position's last search took.
    times: Vec<Duration>,
}

impl<'a, G: Furnished, F: FnMut(Option<Duration>)> SuiteFitness<'a, G, F> {
    /// Fitness by the search with that evaluation; `finished` is called after each search, with the
    /// time it took if it was done now.
    pub fn new(
        suite: &'a Suite<G>,
        evaluation: &'a Evaluator<G>,
        conditions: &'a Conditions,
        runner: &'a mut Runner<TrialResult>,
        finished: F,
    ) -> Self {
        let times = vec![Duration::ZERO; suite.problems.len()];
        Self { suite, evaluation, conditions, runner, finished, times }
    }

    /// The order in which positions are searched.
    fn order(&self, bar: Option<Bar<'_>>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.suite.problems.len()).collect();
        match bar {
            // A stable sort by the parent's results alone, because verdicts depend on the order.
            Some(bar) => order.sort_by_key(|place| bar.solved_by_parent.contains(place)),
            // The slow ones first, so that no thread is left with a slow one at the end.
            None => order.sort_by_key(|&place| Reverse(self.times[place])),
        }
        order
    }
}

impl<'a, G: Furnished, F: FnMut(Option<Duration>)> Fitness for SuiteFitness<'a, G, F> {
    fn evaluate(&mut self, table: &ExtensionTable, bar: Option<Bar<'_>>) -> Result<Worth, RunError> {
        let Conditions { nodes, ref setup, repeats, measure, frequency_penalty } = *self.conditions;
        let positions = self.suite.problems.len();
        // Units are named by the table and not by the feature, so every method finds the table's searches in the
        // journal.
        let name = table.summary(&G::VOCABULARY);
        let with_seed = |repeat: usize| {
            let seed = setup.seed.wrapping_add(repeat as u64);
            let engine = self.evaluation.engine(&Setup { table: table.clone(), seed, ..setup.clone() });
            (engine, label(&name, seed, setup.seed))
        };
        let engines: Vec<_> = (0..repeats).map(with_seed).collect();
        let order = self.order(bar);
        let limits = Limits::nodes(nodes);
        let units: Vec<Trial<'_, G>> = order
            .iter()
            .map(|&place| &self.suite.problems[place])
            .flat_map(|problem| engines.iter().map(move |engine| (problem, engine)))
            .map(|(problem, (engine, label))| Trial { problem, engine: engine.as_ref(), limits, label })
            .collect();
        let mut prefix = Prefix::new(units.len(), repeats, bar.map(|bar| bar.value));
        let (times, finished) = (&mut self.times, &mut self.finished);
        let results = self.runner.run_while(&units, |index, result, time| {
            finished(time);
            if let Some(time) = time {
                times[order[index / repeats]] = time;
            }
            prefix.enter(index, measure.credit(result, nodes))
        })?;
        // Searches beyond the deciding prefix are kept in the journal, but do not count: with another number of threads
        // they would not have run.
        let counted = results.into_iter().take(prefix.decided_at()).collect::<Option<Vec<_>>>();
        let counted = counted.ok_or(RunError::Stopped)?;

        let (mut credits, mut times_solved) = (vec![0; positions], vec![0; positions]);
        let mut by_seed = vec![0; repeats];
        for (index, result) in counted.iter().enumerate() {
            let place = order[index / repeats];
            credits[place] += measure.credit(result, nodes);
            times_solved[place] += usize::from(result.solved);
            by_seed[index % repeats] += usize::from(result.solved);
        }
        let by_most = |place: &usize| 2 * times_solved[*place] > repeats;
        let solved = (0..positions).filter(by_most).collect();
        let unsearched = units.len() - counted.len();
        let credit: u64 = credits.iter().sum();
        let summary = Summary::of(&counted, limits);
        let is_bound = unsearched > 0;
        // The frequency in the searches left out is unknown.
        let penalty = if is_bound { 0.0 } else { frequency_penalty * 100.0 * summary.frequency };
        let value = value(credit + unsearched as u64 * WHOLE, repeats, penalty);
        let searched = counted.len();
        Ok(Worth { value, credits, solved, by_seed, summary, searched, unsearched, is_bound })
    }

    /// All seeds of a position are announced together.
    fn announce(&mut self, tables: &[ExtensionTable]) {
        let Conditions { ref setup, repeats, .. } = *self.conditions;
        let problems = &self.suite.problems;
        let seeds = move |problem: &'a Problem<G>, table: String| {
            let seeds = (0..repeats).map(move |repeat| setup.seed.wrapping_add(repeat as u64));
            seeds.map(move |seed| key(&label(&table, seed, setup.seed), &problem.id))
        };
        let searches = |table: &ExtensionTable| {
            let table = table.summary(&G::VOCABULARY);
            problems.iter().flat_map(move |problem| seeds(problem, table.clone()))
        };
        self.runner.announce(tables.iter().flat_map(searches));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::Breakthrough;
    use crate::learn::fitness::FitnessSettings;
    use crate::learn::methods::{Conjunctions, Tried};
    use crate::learn::significance::Comparison;
    use crate::run::{Header, Journal};

    const POSITIONS: &str = "8/7p/8/8/8/8/P7/8 w - - bm a2a3; id \"a\";\n\
                             8/7p/8/8/8/8/1P6/8 w - - bm b2b3; id \"b\";\n\
                             8/7p/8/8/8/8/2P5/8 w - - bm c2c3; id \"c\";\n";

    /// Puts a finished search of 1000 nodes into the journal: solved after half of the nodes or not, with that number of
    /// moves extended.
    fn done(journal: &mut Journal<TrialResult>, key: &str, solved: bool, extended: u64) {
        let nodes_found_and_kept = solved.then_some(500);
        let result = TrialResult { solved, nodes: 1000, nodes_found_and_kept, extended, ..TrialResult::default() };
        journal.append(key, &result, Duration::ZERO).unwrap();
    }

    fn evaluate(
        settings: &FitnessSettings,
        plies: &[f64],
        features: &[&str],
        known: &[(&str, [bool; 6], u64)],
    ) -> Vec<Tried> {
        let folder = tempfile::tempdir().unwrap();
        let header = Header::new("test", &0, 0);
        let mut journal = Journal::open(&folder.path().join("journal.jsonl"), &header, false).unwrap();
        for (table, solved, extended) in known {
            for (place, &solved) in solved.iter().enumerate() {
                let seed = if place % 2 == 0 { "" } else { " seed 8" };
                done(&mut journal, &format!("{table}{seed}/{}", ["a", "b", "c"][place / 2]), solved, *extended);
            }
        }
        let suite = Suite::<Breakthrough>::parse(POSITIONS, "three").unwrap();
        let conditions = settings.conditions(1000, Setup::plain(ExtensionTable::default(), 7)).unwrap();
        let conjunctions = Conjunctions { plies: plies.to_vec(), ..Conjunctions::default() };
        let space = conjunctions.space(&Breakthrough::VOCABULARY).unwrap();
        let mut runner = Runner::with_journal(1, journal);
        let evaluation = Breakthrough::default_evaluation(crate::search::Profile::Plain);
        let mut fitness = SuiteFitness::new(&suite, &evaluation, &conditions, &mut runner, |_| ());
        let feature = |name: &&str| Breakthrough::VOCABULARY.parse(name).unwrap_or_default();
        let found = features.iter().map(|name| space.evaluate(feature(name), None, &mut fitness).unwrap()).collect();
        assert_eq!(runner.computed(), 0, "searches have other names");
        found
    }

    #[test]
    fn seeds_plies_and_penalty_are_weighed_as_they_say() {
        let settings = FitnessSettings { repeats: 2, frequency_penalty: 2.0, ..FitnessSettings::default() };
        let known = [
            ("none", [true, true, false, false, false, false], 0),
            // One and a half positions, of which a tenth of a percent costs a fifth.
            ("Ud@0.25", [true, true, true, false, false, false], 1),
            // Two and a half, of which half a percent costs one.
            ("Ud@0.5", [true, true, true, true, true, false], 5),
            ("Rc@0.25", [true, false, true, false, true, true], 0),
            ("Rc@0.5", [true, true, true, true, false, false], 0),
        ];
        let found = evaluate(&settings, &[0.25, 0.5], &["Neutral", "Ud", "Rc"], &known);
        let tables: Vec<_> = found.iter().map(|tried| tried.table.summary(&Breakthrough::VOCABULARY)).collect();
        // Of Rc both are worth two: the one that extends less.
        assert_eq!(tables, ["none", "Ud@0.5", "Rc@0.5"]);
        assert_eq!(found.iter().map(|tried| tried.tables).collect::<Vec<_>>(), [1, 2, 2]);
        let [none, ud, rc] = [0, 1, 2].map(|place| &found[place].worth);
        assert_eq!((none.value, none.searched), (1, 6));
        assert_eq!((ud.value, rc.value), (2, 2));
        assert_eq!((&ud.solved[..], &ud.by_seed[..]), (&[0, 1][..], &[3, 2][..]));
        assert_eq!(ud.credits, [2 * WHOLE, 2 * WHOLE, WHOLE]);
        assert_eq!((ud.searched, ud.unsearched, ud.is_bound), (12, 0, false));
        // More of b and c, and less of nothing; twice the chance, for there were two plies.
        let comparison = Comparison::of_best(ud, none, found[1].tables);
        assert_eq!((comparison.differences.gained, comparison.p), (2, 1.0));
    }

    #[test]
    fn nodes_count_the_share_that_was_left_when_found_and_kept() {
        let settings = FitnessSettings { repeats: 2, fitness: Measure::Nodes, ..FitnessSettings::default() };
        let known = [("Ud@0.5", [true, true, true, true, false, false], 9)];
        let found = &evaluate(&settings, &[0.5], &["Ud"], &known)[0].worth;
        assert_eq!((found.value, &found.solved[..]), (1, &[0, 1][..]));
        assert_eq!(found.credits, [WHOLE, WHOLE, 0]);
    }
}
