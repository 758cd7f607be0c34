// SPDX-License-Identifier: GPL-3.0-or-later
//! Fitness from searches of a suite's positions.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use super::super::candidate::{Attempt, Candidate};
use super::super::worth::Worth;
use super::measure::{Measure, WHOLE};
use super::prefix::{Prefix, value};
use super::{Bar, Fitness, Trials};
use crate::run::{RunError, Runner};
use crate::suite::Suite;
use crate::suite::trial::{Summary, Trial, TrialResult, Until, key};
use halfply_engine::features::{ExtensionTable, Vocabulary};
use halfply_engine::game::Notation;
use halfply_engine::search::{Engine, Evaluator, Limits, Setup};

/// How every candidate is tried.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Nodes a position.
    pub nodes: u64,
    /// When a search ends before that.
    pub until: Until,
    /// The search, the same for every candidate but for what that sets.
    pub setup: Setup,
    /// How often a position is searched, at least once, with consecutive seeds from that of the search.
    pub repeats: usize,
    /// What a search counts.
    pub measure: Measure,
    /// Positions subtracted from the value for each percent of moves that the table extends.
    pub frequency_penalty: f64,
}

impl Conditions {
    /// A candidate with each seed.
    fn attempts(&self, candidate: &Candidate) -> Vec<Attempt> {
        let Self { setup, until, repeats, .. } = self;
        let seeds = (0..*repeats).map(|repeat| setup.seed.wrapping_add(repeat as u64));
        seeds.map(|seed| Attempt { candidate: candidate.clone(), seed, until: *until }).collect()
    }

    /// The names of a candidate's searches, one for each seed.
    fn names(&self, candidate: &Candidate, vocabulary: &Vocabulary) -> Vec<String> {
        self.attempts(candidate).iter().map(|attempt| attempt.name(&self.setup, vocabulary)).collect()
    }
}

/// Positions of a suite solved by a search.
pub struct SuiteFitness<'a, G: Notation, F> {
    suite: &'a Suite<G>,
    evaluation: &'a Evaluator<G>,
    conditions: &'a Conditions,
    runner: &'a mut Runner<TrialResult>,
    finished: F,
    /// How long each position's last search took.
    times: Vec<Duration>,
    /// What candidates are worth that were tried on all positions, by name.
    tried: HashMap<String, Worth>,
}

/// A search that is tried, with its name in keys.
struct Named<G: Notation> {
    engine: Box<dyn Engine<G>>,
    name: String,
}

impl<'a, G: Notation, F: FnMut(Option<Duration>)> SuiteFitness<'a, G, F> {
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
        Self { suite, evaluation, conditions, runner, finished, times, tried: HashMap::new() }
    }

    /// The searches of a candidate, one for each seed. They are named by what they are and not by the method that asks,
    /// so every method finds them in the journal.
    fn searches(&self, candidate: &Candidate) -> Vec<Named<G>> {
        let setup = &self.conditions.setup;
        let named = |attempt: Attempt| {
            let engine = self.evaluation.engine(&Setup { seed: attempt.seed, ..attempt.candidate.setup(setup) });
            Named { engine, name: attempt.name(setup, &G::VOCABULARY) }
        };
        self.conditions.attempts(candidate).into_iter().map(named).collect()
    }

    /// What identifies a candidate in this run: the name of its first search.
    fn name(&self, candidate: &Candidate) -> String {
        self.conditions.names(candidate, &G::VOCABULARY).swap_remove(0)
    }

    /// The units of a candidate's searches, position by position in that order.
    fn units<'u>(&self, searches: &'u [Named<G>], order: &[usize]) -> Vec<Trial<'u, G>>
    where
        'a: 'u,
    {
        let Conditions { nodes, until, .. } = *self.conditions;
        let suite = self.suite;
        let of_position = |&place: &usize| {
            let problem = &suite.problems[place];
            searches.iter().map(move |Named { engine, name }| Trial {
                problem,
                engine: engine.as_ref(),
                limits: Limits::nodes(nodes),
                until,
                label: name,
            })
        };
        order.iter().flat_map(of_position).collect()
    }

    /// What results say of a candidate: those of the first units, in the order of the positions.
    fn worth(&self, counted: &[TrialResult], order: &[usize]) -> Worth {
        let Conditions { nodes, repeats, measure, frequency_penalty, .. } = *self.conditions;
        let positions = self.suite.problems.len();
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
        let unsearched = positions * repeats - counted.len();
        let credit: u64 = credits.iter().sum();
        let summary = Summary::of(counted, Limits::nodes(nodes));
        let is_bound = unsearched > 0;
        // The frequency in the searches left out is unknown.
        let penalty = if is_bound { 0.0 } else { frequency_penalty * 100.0 * summary.frequency };
        let value = value(credit + unsearched as u64 * WHOLE, repeats, penalty);
        let searched = counted.len();
        Worth { value, credits, solved, by_seed, summary, searched, unsearched, is_bound }
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

impl<G: Notation, F: FnMut(Option<Duration>)> Fitness for SuiteFitness<'_, G, F> {
    fn evaluate(&mut self, table: &ExtensionTable, bar: Option<Bar<'_>>) -> Result<Worth, RunError> {
        let Conditions { nodes, ref setup, repeats, measure, .. } = *self.conditions;
        let searches = self.searches(&Candidate::of_table(table.clone(), setup));
        let order = self.order(bar);
        let units = self.units(&searches, &order);
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
        let counted = results.into_iter().take(prefix.decided_at()).map(|result| result.map(Arc::unwrap_or_clone));
        Ok(self.worth(&counted.collect::<Option<Vec<_>>>().ok_or(RunError::Stopped)?, &order))
    }

    /// All seeds of a position are announced together.
    fn announce(&mut self, tables: &[ExtensionTable]) {
        let (conditions, problems) = (self.conditions, &self.suite.problems);
        let keys = |table: &ExtensionTable| {
            let candidate = Candidate::of_table(table.clone(), &conditions.setup);
            let names = conditions.names(&candidate, &G::VOCABULARY);
            problems.iter().flat_map(move |problem| names.iter().map(|name| key(name, &problem.id)).collect::<Vec<_>>())
        };
        self.runner.announce(tables.iter().flat_map(keys));
    }
}

impl<G: Notation, F: FnMut(Option<Duration>)> Trials for SuiteFitness<'_, G, F> {
    fn untried(&self, candidates: &[Candidate]) -> usize {
        let names: HashSet<String> = candidates.iter().map(|candidate| self.name(candidate)).collect();
        names.iter().filter(|&name| !self.tried.contains_key(name)).count()
    }

    fn try_all(&mut self, candidates: &[Candidate]) -> Result<Vec<Worth>, RunError> {
        let repeats = self.conditions.repeats;
        let names: Vec<String> = candidates.iter().map(|candidate| self.name(candidate)).collect();
        let mut open: Vec<(&String, Vec<Named<G>>)> = Vec::new();
        for (candidate, name) in candidates.iter().zip(&names) {
            if !self.tried.contains_key(name) && open.iter().all(|(other, _)| *other != name) {
                open.push((name, self.searches(candidate)));
            }
        }
        let order = self.order(None);
        let units: Vec<Trial<'_, G>> = open.iter().flat_map(|(_, searches)| self.units(searches, &order)).collect();
        let of_candidate = order.len() * repeats;
        let (times, finished) = (&mut self.times, &mut self.finished);
        let results = self.runner.run(&units, |index, _, time| {
            finished(time);
            if let Some(time) = time {
                times[order[index % of_candidate / repeats]] = time;
            }
        })?;
        for ((name, _), results) in open.iter().zip(results.chunks(of_candidate.max(1))) {
            let worth = self.worth(results, &order);
            self.tried.insert((*name).clone(), worth);
        }
        Ok(names.iter().map(|name| self.tried[name].clone()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::fitness::FitnessSettings;
    use crate::learn::methods::{Conjunctions, Tried};
    use crate::learn::significance::Comparison;
    use crate::run::{Header, Journal};
    use halfply_engine::game::Game;
    use halfply_engine::games::{Breakthrough, RegisteredGame};

    const POSITIONS: &str = "8/7p/8/8/8/8/P7/8 w - - bm a2a3; id \"a\";\n\
                             8/7p/8/8/8/8/1P6/8 w - - bm b2b3; id \"b\";\n\
                             8/7p/8/8/8/8/2P5/8 w - - bm c2c3; id \"c\";\n";

    /// Puts a finished search of 1000 nodes into the journal: solved after half of the nodes or not, with that number of
    /// moves extended.
    fn done(journal: &mut Journal<TrialResult>, key: &str, solved: bool, extended: u64) {
        let nodes_found_and_kept = solved.then_some(500);
        let result = TrialResult { solved, nodes: 1000, nodes_found_and_kept, extended, ..TrialResult::default() };
        journal.append(key, result, Duration::ZERO).unwrap();
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
        let evaluation = Breakthrough::default_evaluation(halfply_engine::search::Profile::Plain);
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
