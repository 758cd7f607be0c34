// SPDX-License-Identifier: GPL-3.0-or-later
//! Gradient descent over the costs of an extension table (Björnsson and Marsland, "Learning control of search extensions",
//! 2002, as David-Tabibi, Koppel and Netanyahu 2010 describe it): in each iteration every cost is changed a little, and all
//! costs move to where the total of nodes falls.
//!
//! The descriptions leave open how far. The rule here is ours: derivatives are central differences; the cost with the
//! steepest one moves by the length of the step, the others in proportion. If the total does not fall, the costs stay and
//! the step is halved. The descent ends when a step no longer changes a cost.

use clap::Args;
use serde::Serialize;

use super::{Event, Round, Scored, Scorer, Setting, Tuner};
use crate::learn::candidate::Candidate;
use crate::learn::settings::SettingError;
use crate::run::RunError;
use halfply_engine::base::Depth;
use halfply_engine::base::figures::count_in;

/// The settings of the method.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct Gradient {
    /// Iterations, at most: each tries the table with one cost at a time a little lower and a little higher
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count_in::<u32>(1..=10_000))]
    pub iterations: u32,
    /// How much lower and higher, in plies
    #[arg(long, value_name = "PLIES", default_value = "0.1")]
    pub difference: f64,
    /// How far the cost with the steepest derivative moves at first, in plies
    #[arg(long, value_name = "PLIES", default_value = "0.1")]
    pub step: f64,
}

impl Gradient {
    /// The method for a table.
    ///
    /// # Errors
    /// Names the setting that does not fit.
    pub(super) fn prepare(&self, given: &Candidate) -> Result<Prepared, SettingError> {
        let settings: Vec<Setting> = given.table.rows().iter().map(|row| Setting::Cost(row.feature)).collect();
        let reason = "name a table whose costs are to be tuned";
        SettingError::unless(!settings.is_empty(), "extensions", "none", reason)?;
        let hundredths = |name: &str, plies: f64| {
            let cost = Depth::from_cost(plies).map_err(|error| SettingError::new(name, plies, error))?;
            let reason = "at least a hundredth of a ply";
            SettingError::unless(cost > Depth::ZERO, name, plies, reason)?;
            Ok(i64::from(cost.as_hundredths()))
        };
        let (difference, step) = (hundredths("difference", self.difference)?, hundredths("step", self.step)?);
        Ok(Prepared { settings, iterations: self.iterations as usize, difference, step })
    }
}

/// The method for a table.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    settings: Vec<Setting>,
    iterations: usize,
    /// In hundredths of a ply.
    difference: i64,
    /// In hundredths of a ply.
    step: i64,
}

impl Tuner for Prepared {
    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn tune(
        &self,
        given: &Scored,
        scorer: &mut Scorer<'_>,
        follow: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<Round>, RunError> {
        let mut rounds: Vec<Round> = Vec::new();
        let mut centre = given.clone();
        let mut derivatives = None;
        let mut step = self.step as f64;
        while rounds.len() < self.iterations {
            if derivatives.is_none() {
                derivatives = Some(self.derivatives(&centre.candidate, scorer, follow)?);
            }
            let next = self.moved(&centre.candidate, derivatives.as_deref().unwrap_or_default(), step);
            if next == centre.candidate {
                break;
            }
            let tried = scorer.score(vec![next], follow)?;
            // One for each candidate.
            for scored in tried {
                if scored.nodes < centre.nodes {
                    (centre, derivatives) = (scored, None);
                } else {
                    step /= 2.0;
                }
            }
            let round = Round { tried: vec![centre.clone()] };
            follow(Event::Round { number: rounds.len() + 1, round: &round });
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
    /// How much the total of nodes rises with each cost, in nodes for a hundredth of a ply.
    fn derivatives(
        &self,
        candidate: &Candidate,
        scorer: &mut Scorer<'_>,
        follow: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<f64>, RunError> {
        let moved = |setting: &Setting, by: i64| {
            let (least, most) = setting.range();
            (setting.get(candidate) + by).clamp(least, most)
        };
        let pairs: Vec<(i64, i64)> = self
            .settings
            .iter()
            .map(|setting| (moved(setting, -self.difference), moved(setting, self.difference)))
            .collect();
        let around = self.settings.iter().zip(&pairs);
        let around = around.flat_map(|(setting, (low, high))| [low, high].map(|&value| setting.with(value, candidate)));
        let scored = scorer.score(around.collect(), follow)?;
        let nodes: Vec<f64> = scored.iter().map(|scored| scored.nodes as f64).collect();
        let derivative = |((low, high), nodes): (&(i64, i64), &[f64])| (nodes[1] - nodes[0]) / (high - low) as f64;
        Ok(pairs.iter().zip(nodes.chunks_exact(2)).map(derivative).collect())
    }

    /// The candidate a step against the gradient: the cost with the steepest derivative moves by the whole step. A cost at
    /// the end of its range that would leave it stays, and its derivative does not count.
    fn moved(&self, candidate: &Candidate, derivatives: &[f64], step: f64) -> Candidate {
        let slopes: Vec<f64> = (self.settings.iter().zip(derivatives))
            .map(|(setting, &derivative)| {
                let (least, most) = setting.range();
                let bound = if derivative > 0.0 { least } else { most };
                if setting.get(candidate) == bound { 0.0 } else { derivative }
            })
            .collect();
        let steepest = slopes.iter().fold(0.0_f64, |steepest, slope| steepest.max(slope.abs()));
        if steepest <= 0.0 {
            return candidate.clone();
        }
        self.settings.iter().zip(slopes).fold(candidate.clone(), |moved, (setting, slope)| {
            let (least, most) = setting.range();
            let by = (-step * slope / steepest).round() as i64;
            setting.with((setting.get(candidate) + by).clamp(least, most), &moved)
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
        let method = settings.prepare(&given).unwrap();
        let mut scorer = Scorer::new(&mut bowl, Count::FirstFound);
        let given = scorer.score(vec![given], &mut |_| ()).unwrap().remove(0);
        let rounds = method.tune(&given, &mut scorer, &mut |_| ()).unwrap();
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
        let method = defaults::<Gradient>().prepare(&table("Ud@0.05 C@0.4")).unwrap();
        let mut bowl = Bowl(0);
        let mut scorer = Scorer::new(&mut bowl, Count::FirstFound);
        let derivatives = method.derivatives(&table("Ud@0.05 C@0.4"), &mut scorer, &mut |_| ()).unwrap();
        let expected = [(55.0_f64.powi(2) - 70.0_f64.powi(2)) / 15.0, 0.0];
        assert_eq!(derivatives, expected);
        let moved = method.moved(&table("Ud@0.05 C@0.4"), &[1.0, 0.0], 10.0);
        assert_eq!(costs(&moved), [0, 40]);
        // A cost that stays at the end of its range does not hold up the others.
        let moved = method.moved(&table("Ud@0 C@0.4"), &[100.0, 3.0], 10.0);
        assert_eq!(costs(&moved), [0, 30]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (settings, from, expected) in [
            (defaults::<Gradient>(), "none", "extensions none: name a table"),
            (Gradient { step: 0.0, ..defaults() }, "C@0.5", "step 0: at least a hundredth"),
            (Gradient { difference: 0.001, ..defaults() }, "C@0.5", "difference 0.001: "),
            (Gradient { difference: -1.0, ..defaults() }, "C@0.5", "difference -1: "),
        ] {
            let error = settings.prepare(&table(from)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
