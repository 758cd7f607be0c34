// SPDX-License-Identifier: GPL-3.0-or-later
//! Gradient descent over settings of the search (Björnsson and Marsland, "Learning control of search extensions", 2002, as
//! David-Tabibi, Koppel and Netanyahu 2010 describe it): in each iteration every setting is changed a little, and all settings
//! move to where the total of nodes falls. Björnsson and Marsland tuned costs of extensions; here genes can be tuned too.
//!
//! The descriptions leave open how far. The rule here is ours: derivatives are central differences, so an iteration searches
//! all positions 2N times for N settings and once for the step, where the descriptions have N times: with differences to one
//! side. The setting with the steepest derivative moves by the length of the step, the others in proportion. If the total
//! does not fall, the settings stay and the step is halved. The descent ends when a step no longer changes a setting.
//!
//! Lengths are in plies for a cost, and in shares of the gene's range for a gene. The first step of a switch is its whole
//! range, or it would never move.

use clap::Args;
use serde::Serialize;

use super::gene::Genes;
use super::{Round, Scored, Scorer, Setting, Tuner};
use crate::learn::candidate::Candidate;
use crate::learn::settings::SettingError;
use crate::run::RunError;
use halfply_engine::base::Depth;
use halfply_engine::base::figures::count_in;
use halfply_engine::features::Vocabulary;
use halfply_engine::search::Setup;

/// The settings of the method.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct Gradient {
    /// What is tuned; without a gene all costs of the table.
    #[command(flatten)]
    #[serde(flatten)]
    pub genes: Genes,
    /// Iterations, at most: each tries one setting at a time a little lower and a little higher
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count_in::<u32>(1..=10_000))]
    pub iterations: u32,
    /// How much lower and higher, in plies; for a gene, a share of its range
    #[arg(long, value_name = "PLIES", default_value = "0.1")]
    pub difference: f64,
    /// How far the setting with the steepest derivative moves at first, in plies; for a gene, a share of its range
    #[arg(long, value_name = "PLIES", default_value = "0.1")]
    pub step: f64,
}

impl Gradient {
    /// The method for a game with that vocabulary, beginning with that candidate in that search.
    pub(super) fn prepare(
        &self,
        vocabulary: &Vocabulary,
        given: &Candidate,
        setup: &Setup,
    ) -> Result<Prepared, SettingError> {
        let genes = self.genes.prepare(vocabulary, setup)?;
        let settings: Vec<Setting> = if genes.is_empty() {
            given.table.rows().iter().map(|row| Setting::Cost(row.feature)).collect()
        } else {
            genes.iter().map(|gene| gene.setting).collect()
        };
        let reason = "there is nothing to tune: name the table whose costs are to be tuned (--extensions FILE), or genes \
                      (--gene NAME=FIRST..LAST/COUNT, --genes FILE)";
        SettingError::unless(!settings.is_empty(), "extensions", "", reason)?;
        let hundredths = |name: &str, plies: f64| {
            let cost = Depth::from_cost(plies).map_err(|error| SettingError::new(name, plies, error))?;
            let reason = "at least a hundredth of a ply";
            SettingError::unless(cost > Depth::ZERO, name, plies, reason)?;
            Ok(i64::from(cost.as_hundredths()))
        };
        let (difference, step) = (hundredths("difference", self.difference)?, hundredths("step", self.step)?);
        let mut ranges: Vec<Range> = settings.iter().map(|setting| Range::of_cost(setting.range())).collect();
        for (range, gene) in ranges.iter_mut().zip(&genes) {
            *range = Range::of_gene(gene.range());
            let value = gene.setting.get(given);
            if !(range.least..=range.most).contains(&value) {
                let reason = format!("{} as given is outside of its gene", gene.setting.show(value));
                return Err(SettingError::new("gene", gene.setting.name(vocabulary), reason));
            }
        }
        Ok(Prepared { settings, ranges, iterations: self.iterations as usize, difference, step })
    }
}

/// Where a setting may move.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: i64,
    most: i64,
    /// The length of one: a ply, or a gene's whole range.
    unit: i64,
}

impl Range {
    fn of_cost((least, most): (i64, i64)) -> Self {
        Self { least, most, unit: i64::from(Depth::PLY.as_hundredths()) }
    }

    fn of_gene((least, most): (i64, i64)) -> Self {
        Self { least, most, unit: most - least }
    }

    /// A length in hundredths of the unit as a difference of values, at least of one.
    fn difference(self, hundredths: i64) -> i64 {
        (hundredths * self.unit / 100).max(1)
    }

    /// The value that is by so many values away, or the end of the range.
    fn moved(self, value: i64, by: i64) -> i64 {
        (value + by).clamp(self.least, self.most)
    }
}

/// The method for a game.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    settings: Vec<Setting>,
    /// Of each setting.
    ranges: Vec<Range>,
    iterations: usize,
    /// In hundredths of a ply, or of a gene's range.
    difference: i64,
    /// The same.
    step: i64,
}

impl Tuner for Prepared {
    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn tune(&self, given: &Scored, scorer: &mut Scorer<'_>) -> Result<Vec<Round>, RunError> {
        let mut rounds: Vec<Round> = Vec::new();
        let mut centre = given.clone();
        let mut derivatives = None;
        let mut step = self.step as f64;
        while rounds.len() < self.iterations {
            if derivatives.is_none() {
                derivatives = Some(self.derivatives(&centre.candidate, scorer)?);
            }
            let next = self.moved(&centre.candidate, derivatives.as_deref().unwrap_or_default(), step);
            if next == centre.candidate {
                break;
            }
            let tried = scorer.score(vec![next])?;
            // One for each candidate.
            for scored in tried {
                if scored.nodes < centre.nodes {
                    (centre, derivatives) = (scored, None);
                } else {
                    step /= 2.0;
                }
            }
            let round = Round { tried: vec![centre.clone()] };
            scorer.ended(rounds.len() + 1, &round);
            rounds.push(round);
        }
        if rounds.is_empty() {
            // Nothing changes the total.
            rounds.push(Round { tried: vec![centre] });
        }
        Ok(rounds)
    }
}

impl Prepared {
    /// How much the total of nodes rises with each setting, in nodes for one of its values.
    fn derivatives(&self, candidate: &Candidate, scorer: &mut Scorer<'_>) -> Result<Vec<f64>, RunError> {
        let around = |(setting, range): (&Setting, &Range)| {
            let by = range.difference(self.difference);
            [-by, by].map(|by| range.moved(setting.get(candidate), by))
        };
        let pairs: Vec<[i64; 2]> = self.settings.iter().zip(&self.ranges).map(around).collect();
        let around = self.settings.iter().zip(&pairs);
        let around = around.flat_map(|(setting, pair)| pair.map(|value| setting.with(value, candidate)));
        let scored = scorer.score(around.collect())?;
        let nodes: Vec<f64> = scored.iter().map(|scored| scored.nodes as f64).collect();
        let derivative = |([low, high], nodes): (&[i64; 2], &[f64])| (nodes[1] - nodes[0]) / (high - low) as f64;
        Ok(pairs.iter().zip(nodes.chunks_exact(2)).map(derivative).collect())
    }

    /// The candidate a step against the gradient: the setting with the steepest derivative moves by the whole step. A setting
    /// at the end of its range that would leave it stays, and its derivative does not count.
    fn moved(&self, candidate: &Candidate, derivatives: &[f64], step: f64) -> Candidate {
        // For a length of one.
        let slopes: Vec<f64> = (self.settings.iter().zip(&self.ranges).zip(derivatives))
            .map(|((setting, range), &derivative)| {
                let bound = if derivative > 0.0 { range.least } else { range.most };
                if setting.get(candidate) == bound { 0.0 } else { derivative * range.unit as f64 }
            })
            .collect();
        let steepest = slopes.iter().fold(0.0_f64, |steepest, slope| steepest.max(slope.abs()));
        if steepest <= 0.0 {
            return candidate.clone();
        }
        let all = self.settings.iter().zip(&self.ranges).zip(slopes);
        all.fold(candidate.clone(), |moved, ((setting, range), slope)| {
            // Of a switch one is the only step: its first is the whole range.
            let length = if range.unit == 1 { step / self.step as f64 } else { step * range.unit as f64 / 100.0 };
            let by = (-length * slope / steepest).round() as i64;
            setting.with(range.moved(setting.get(candidate), by), &moved)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::fitness::Trials;
    use crate::learn::settings::defaults;
    use crate::learn::tuning::Count;
    use crate::learn::worth::Worth;
    use halfply_engine::features::file;
    use halfply_engine::game::Game;
    use halfply_engine::games::Breakthrough;
    use halfply_engine::search::Setup;

    fn table(text: &str) -> Candidate {
        let table = file::parse_line(text, &Breakthrough::VOCABULARY).unwrap();
        Candidate::of_table(table, &Setup::plain(Default::default(), 1))
    }

    fn prepared(settings: &Gradient, given: &Candidate) -> Result<Prepared, SettingError> {
        settings.prepare(&Breakthrough::VOCABULARY, given, &Setup::full())
    }

    fn genes(texts: &[&str]) -> Gradient {
        let genes = texts.iter().map(|text| (*text).to_owned()).collect();
        Gradient { genes: Genes { genes, genes_file: None }, ..defaults() }
    }

    fn costs(candidate: &Candidate) -> [i64; 2] {
        ["Ud", "C"].map(|name| Setting::named(name, &Breakthrough::VOCABULARY).unwrap().get(candidate))
    }

    /// A bowl whose least value is at Ud@0.7 C@0.4.
    struct Bowl(usize);

    impl Bowl {
        fn nodes(candidate: &Candidate) -> u64 {
            let [ud, c] = costs(candidate);
            1000 + ((ud - 70).pow(2) + 3 * (c - 40).pow(2)) as u64
        }
    }

    impl Trials for Bowl {
        fn untried(&self, candidates: &[Candidate]) -> usize {
            candidates.len()
        }

        fn try_all(&mut self, candidates: &[Candidate]) -> Result<Vec<Worth>, RunError> {
            self.0 += candidates.len();
            let worth = |candidate| {
                let mut worth = Worth::made(0, 1, &[]);
                worth.summary.nodes_found_and_kept = Self::nodes(candidate);
                worth.summary.nodes_first_found = Some(Self::nodes(candidate));
                worth
            };
            Ok(candidates.iter().map(worth).collect())
        }
    }

    fn descend(settings: &Gradient, from: &str) -> (Vec<Round>, usize) {
        let mut bowl = Bowl(0);
        let given = table(from);
        let method = prepared(settings, &given).unwrap();
        let mut scorer = Scorer::new(&mut bowl, Count::FirstFound);
        let given = scorer.score(vec![given]).unwrap().remove(0);
        let rounds = method.tune(&given, &mut scorer).unwrap();
        (rounds, bowl.0)
    }

    #[test]
    fn costs_fall_to_the_least_total() {
        let (rounds, _) = descend(&Gradient { iterations: 100, ..defaults() }, "Ud@0.5 C@1.5");
        let nodes: Vec<u64> = rounds.iter().map(|round| round.best().nodes).collect();
        assert!(nodes.is_sorted_by(|before, after| before >= after), "it never rises: {nodes:?}");
        let last = rounds.last().unwrap().best();
        let [ud, c] = costs(&last.candidate);
        assert!((ud - 70).abs() <= 3 && (c - 40).abs() <= 3, "{ud} {c}");
        assert!(rounds.len() < 100, "it ends by itself");
    }

    #[test]
    fn an_iteration_tries_every_cost_on_both_sides_and_then_the_step() {
        let settings = Gradient { iterations: 1, ..defaults() };
        let (rounds, tried) = descend(&settings, "Ud@0.5 C@1.5");
        // The given table, twice two neighbours, and the step.
        assert_eq!((rounds.len(), tried), (1, 1 + 4 + 1));
        // C is the steepest, 660 to -40 a ply, and moves by the whole step.
        assert_eq!(costs(&rounds[0].tried[0].candidate), [51, 140]);
    }

    #[test]
    fn costs_stay_in_their_range() {
        // Below 0 there is nothing: the difference there has one side.
        let method = prepared(&defaults(), &table("Ud@0.05 C@0.4")).unwrap();
        let mut bowl = Bowl(0);
        let mut scorer = Scorer::new(&mut bowl, Count::FirstFound);
        let derivatives = method.derivatives(&table("Ud@0.05 C@0.4"), &mut scorer).unwrap();
        let expected = [(55.0_f64.powi(2) - 70.0_f64.powi(2)) / 15.0, 0.0];
        assert_eq!(derivatives, expected);
        let moved = method.moved(&table("Ud@0.05 C@0.4"), &[1.0, 0.0], 10.0);
        assert_eq!(costs(&moved), [0, 40]);
        // A cost that stays at the end of its range does not hold up the others.
        let moved = method.moved(&table("Ud@0 C@0.4"), &[100.0, 3.0], 10.0);
        assert_eq!(costs(&moved), [0, 30]);
    }

    /// Differences and steps are shares of a gene's range; a switch moves whole, if it is among the steepest.
    #[test]
    fn genes_move_in_their_range() {
        let settings = genes(&["null_move", "null_move_reduction=200..600/5", "Ud=1..0/5"]);
        let given = table("Ud@0.5");
        let method = prepared(&settings, &given).unwrap();
        let values = |candidate: &Candidate| -> Vec<i64> {
            method.settings.iter().map(|setting| setting.get(candidate)).collect()
        };
        assert_eq!(values(&given), [1, 300, 50]);
        // Slopes over the whole ranges of 100, 400 and -200.
        assert_eq!(values(&method.moved(&given, &[100.0, 1.0, -2.0], 10.0)), [1, 260, 55]);
        assert_eq!(values(&method.moved(&given, &[200.0, 1.0, -2.0], 10.0)), [0, 260, 55]);
        assert_eq!(values(&method.moved(&given, &[400.0, 1.0, -2.0], 5.0)), [0, 280, 53]);
        assert_eq!(values(&method.moved(&given, &[400.0, 1.0, -2.0], 2.5)), [1, 290, 51]);
        let ends = method.ranges.iter().map(|range| [range.moved(0, -1), range.moved(9999, 1)]);
        assert_eq!(ends.collect::<Vec<_>>(), [[0, 1], [200, 600], [0, 100]]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (settings, from, expected) in [
            (defaults::<Gradient>(), "none", "--extensions: there is nothing to tune"),
            (genes(&["null_move_reduction=400..600/3"]), "none", "300 as given is outside of its gene"),
            (Gradient { step: 0.0, ..defaults() }, "C@0.5", "step 0: at least a hundredth"),
            (Gradient { difference: 0.001, ..defaults() }, "C@0.5", "difference 0.001: "),
            (Gradient { difference: -1.0, ..defaults() }, "C@0.5", "difference -1: "),
        ] {
            let error = prepared(&settings, &table(from)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
