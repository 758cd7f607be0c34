// SPDX-License-Identifier: GPL-3.0-or-later
//! A race of extension tables: games against the search without a table decide which one is best. Successive halving
//! (Karnin, Koren and Somekh 2013) spends most games on the tables that may be, and a sequential test takes those out early
//! whose gain it does not find.
//!
//! A *lap* is a number of pairs that every table still in the race plays, all from the same openings. After laps 1, 3, 7, 15…
//! the better half stays, so that each halving follows about as many games as the one before. A table for which the
//! sequential test accepts its null hypothesis is out after any lap.
//!
//! | file | idea |
//! |---|---|
//! | [`mod@self`] | the settings, and the rules of the race |
//! | [`run`] | a run as a library call |
//! | [`report`] | its result as a table and as files |

pub mod report;
pub mod run;

use clap::Args;
use serde::Serialize;

use super::settings::SettingError;
use crate::tournament::statistics::{Decision, Model, Pentanomial, Sprt};
use halfply_engine::base::figures::{count_in, percent};
use halfply_engine::features::ExtensionTable;

/// The most pairs of a lap.
pub const MOST_PAIRS: u64 = 100_000;

/// The settings of the method.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct Race {
    /// A table in the race, its rows in one line: "Ud-Rdt@0.75" or "C@0.5 Rdb@1.25"; can be repeated
    #[arg(id = "table", long = "table", value_name = "ROWS", required = true)]
    pub tables: Vec<String>,
    /// Pairs of games of a lap, each pair from one opening with colours swapped
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count_in::<u32>(1..=MOST_PAIRS))]
    pub pairs: u32,
    /// The most laps
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = count_in::<u32>(1..=10_000))]
    pub laps: u32,
    /// Sequential test, in normalized Elo against none: a table for which this is likelier than --elo1 is dropped
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    pub elo0: f64,
    /// Sequential test: a table for which this is likelier than --elo0 is shown to gain, and ends the race if it is alone
    #[arg(long, value_name = "ELO", default_value_t = 30.0, allow_negative_numbers = true)]
    pub elo1: f64,
}

impl Race {
    /// The sequential test of a table against none.
    ///
    /// # Errors
    /// If the hypotheses are out of range or in the wrong order.
    pub fn test(&self) -> Result<Sprt, SettingError> {
        Sprt::new(self.elo0, self.elo1, 0.05, 0.05, Model::Normalized)
            .map_err(|error| SettingError::new("elo1", self.elo1, error))
    }
}

/// Why a table is no longer in the race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The sequential test accepted its null hypothesis. It may still gain less than the other hypothesis says.
    Test,
    /// It was in the worse half.
    Half,
}

impl Exit {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Test => "not shown to gain",
            Self::Half => "in the worse half",
        }
    }
}

/// A table in the race.
#[derive(Clone, Debug, PartialEq)]
pub struct Racer {
    /// The table.
    pub table: ExtensionTable,
    /// Its rows in one line: its name in games.
    pub name: String,
    /// Its pairs of games against none.
    pub pairs: Pentanomial,
    /// How it left the race, and after which lap; none if it is in it.
    pub exit: Option<(Exit, u32)>,
}

impl Racer {
    /// Whether it is in the race.
    #[must_use]
    pub fn runs(&self) -> bool {
        self.exit.is_none()
    }
}

/// Takes tables out after a lap, numbered from 1.
pub fn after_lap(racers: &mut [Racer], lap: u32, test: &Sprt) {
    for racer in racers.iter_mut().filter(|racer| racer.runs()) {
        if test.decision(&racer.pairs) == Some(Decision::H0) {
            racer.exit = Some((Exit::Test, lap));
        }
    }
    let mut left: Vec<&mut Racer> = racers.iter_mut().filter(|racer| racer.runs()).collect();
    if (lap + 1).is_power_of_two() {
        // Stable: of equals the one given first stays.
        left.sort_by(|a, b| b.pairs.score().total_cmp(&a.pairs.score()));
        let stay = left.len().div_ceil(2);
        for racer in &mut left[stay..] {
            racer.exit = Some((Exit::Half, lap));
        }
    }
}

/// Whether the race is over: nobody is left, or one whose test has decided.
pub fn is_over(racers: &[Racer], test: &Sprt) -> bool {
    let left: Vec<&Racer> = racers.iter().filter(|racer| racer.runs()).collect();
    match left[..] {
        [] => true,
        [last] => test.decision(&last.pairs).is_some(),
        _ => false,
    }
}

/// The result of a race.
#[derive(Clone, Debug, PartialEq)]
pub struct Finish {
    /// The tables: first those in the race at its end, the best first, then the others, those that left last first.
    pub racers: Vec<Racer>,
    /// Laps run.
    pub laps: u32,
    /// Whether the sequential test accepted that the best table gains.
    pub is_shown: bool,
}

impl Finish {
    /// The best table, if one was in the race at its end.
    #[must_use]
    pub fn best(&self) -> Option<&Racer> {
        self.racers.first().filter(|racer| racer.runs())
    }
}

/// Who is in the race, the best first.
fn left(racers: &[Racer]) -> Vec<&Racer> {
    let mut left: Vec<&Racer> = racers.iter().filter(|racer| racer.runs()).collect();
    left.sort_by(|a, b| b.pairs.score().total_cmp(&a.pairs.score()));
    left
}

/// A lap in figures.
fn figures(racers: &[Racer]) -> Vec<(String, f64)> {
    let left = left(racers);
    let best = left.first().map(|racer| ("best score, %".to_owned(), racer.pairs.score() * 100.0));
    [("tables left".to_owned(), left.len() as f64)].into_iter().chain(best).collect()
}

/// A lap in words.
fn lap(number: u32, racers: &[Racer]) -> String {
    let left = left(racers);
    let left: Vec<String> =
        left.iter().map(|racer| format!("{} {}", racer.name, percent(racer.pairs.score()))).collect();
    format!("lap {number}: {}", if left.is_empty() { "nobody is left".to_owned() } else { left.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn racer(name: &str, pairs: [u64; 5]) -> Racer {
        Racer { table: ExtensionTable::default(), name: name.to_owned(), pairs: Pentanomial(pairs), exit: None }
    }

    fn race() -> Race {
        Race { tables: Vec::new(), pairs: 10, laps: 7, elo0: 0.0, elo1: 30.0 }
    }

    #[test]
    fn the_better_half_stays() {
        let test = race().test().unwrap();
        let mut racers =
            ["a", "b", "c", "d", "e"].map(|name| racer(name, [1, 0, 1, 0, u64::from(name >= "c")])).to_vec();
        after_lap(&mut racers, 2, &test);
        assert!(racers.iter().all(Racer::runs), "not after the second lap");
        after_lap(&mut racers, 3, &test);
        let exits: Vec<_> = racers.iter().map(|racer| racer.exit).collect();
        let half = Some((Exit::Half, 3));
        assert_eq!(exits, [half, half, None, None, None]);
        after_lap(&mut racers, 7, &test);
        // Of three equals, the first two stay.
        assert_eq!(racers[4].exit, Some((Exit::Half, 7)));
        assert!(!is_over(&racers, &test));
    }

    #[test]
    fn the_test_takes_out_what_is_no_better_than_none() {
        let test = race().test().unwrap();
        let mut racers = vec![racer("bad", [60, 20, 100, 20, 20]), racer("open", [2, 2, 10, 2, 3])];
        after_lap(&mut racers, 2, &test);
        assert_eq!(racers[0].exit, Some((Exit::Test, 2)));
        assert!(racers[1].runs() && !is_over(&racers, &test), "its test is open");
        racers[1].pairs = Pentanomial([10, 20, 100, 60, 80]);
        assert!(is_over(&racers, &test));
        racers[1].exit = Some((Exit::Test, 4));
        assert!(is_over(&racers, &test));
    }

    #[test]
    fn hypotheses_must_be_in_order() {
        let error = Race { elo1: -1.0, ..race() }.test().unwrap_err();
        assert!(error.to_string().starts_with("elo1 -1: elo0 is 0 and elo1 -1"), "{error}");
    }
}
