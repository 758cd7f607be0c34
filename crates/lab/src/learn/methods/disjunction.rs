// SPDX-License-Identifier: GPL-3.0-or-later
//! Disjunctions: several features as rows of one table, any of which extends.
//!
//! The thesis found them by hand ("re-capture with a bishop or rook", sections 3.8 and 4.2.3), and left open what
//! "extending on all of these" gives. Here they grow greedily from the conjunctions: of all features in the output, the
//! one with which the table solves most is added, as long as the table gains enough. At the end rows are dropped that
//! later ones have made superfluous.

use std::slice;

use clap::Args;
use serde::Serialize;

use super::super::event::LearnEvent;
use super::super::fitness::{Bar, Fitness};
use super::super::growth::{Change, Growth, Step};
use super::super::judged::Judged;
use super::super::outcome::LearnOutcome;
use super::super::settings::{SettingError, defaults};
use super::super::significance::Comparison;
use super::super::similarity;
use super::super::worth::Worth;
use super::Acceptance;
use crate::run::RunError;
use halfply_engine::base::figures::count_in;
use halfply_engine::features::{ExtensionTable, Row, Vocabulary};

/// Most rows of a table.
const MOST_ROWS: u32 = 64;

/// The disjunctions to grow from what a method has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args, Serialize)]
pub struct Disjunction {
    /// At the end, grow a table of at most this many rows, any of which extends
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count_in::<u32>(1..=MOST_ROWS.into()))]
    pub rows: u32,
    /// Grow one table from the best feature of each of this many groups of similar features
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count_in::<u32>(1..))]
    pub starts: u32,
}

impl Default for Disjunction {
    fn default() -> Self {
        defaults()
    }
}

impl Disjunction {
    /// Whether both are in range, which those from command lines and files are.
    ///
    /// # Errors
    /// Names the setting that is not.
    pub fn check(self) -> Result<(), SettingError> {
        SettingError::unless((1..=MOST_ROWS).contains(&self.rows), "rows", self.rows, "a table has 1 to 64 rows")?;
        SettingError::unless(self.starts > 0, "starts", self.starts, "at least one table is grown")?;
        let is_used = self.grows() || self.starts == Self::default().starts;
        SettingError::unless(is_used, "starts", self.starts, "without rows no table is grown: add --rows")
    }

    /// Whether any table is grown.
    pub fn grows(self) -> bool {
        self.rows > 1
    }

    /// Grows disjunctions from the features of an outcome, and adds them to it. With at most one row there are none.
    pub(super) fn grow_from(
        self,
        outcome: &mut LearnOutcome,
        vocabulary: &Vocabulary,
        acceptance: &Acceptance,
        fitness: &mut dyn Fitness,
        follow: &mut dyn FnMut(LearnEvent<'_>),
    ) -> Result<(), RunError> {
        if !self.grows() {
            return Ok(());
        }
        let features = outcome.worthwhile(vocabulary);
        let candidates: Vec<Row> = features.iter().filter_map(|judged| judged.row()).collect();
        let mut grown: Vec<Growth> = Vec::new();
        for first in first_of_groups(&features).into_iter().take(self.starts as usize) {
            let growth = grow(first, &candidates, self.rows as usize, acceptance, fitness, follow)?;
            // Different starts may grow the same table.
            if grown.iter().all(|other| other.last().table != growth.last().table) {
                grown.push(growth);
            }
        }
        outcome.grown = grown;
        Ok(())
    }
}

/// A feature that a disjunction may start from.
type Start<'a> = (Row, &'a Worth);

/// The first feature of each group of similar ones, from features sorted best first.
fn first_of_groups<'a>(features: &[&'a Judged]) -> Vec<Start<'a>> {
    let solved: Vec<&[usize]> = features.iter().map(|judged| &judged.worth.solved[..]).collect();
    let leaders = similarity::leaders(&solved);
    let first = features.iter().enumerate().filter(|(place, _)| leaders[*place] == *place);
    first.filter_map(|(_, judged)| Some((judged.row()?, &judged.worth))).collect()
}

/// Grows a disjunction from a feature, adding some of the candidates, to at most `most` rows.
fn grow(
    (row, worth): Start<'_>,
    candidates: &[Row],
    most: usize,
    acceptance: &Acceptance,
    fitness: &mut dyn Fitness,
    follow: &mut dyn FnMut(LearnEvent<'_>),
) -> Result<Growth, RunError> {
    // Evaluates the first of some tables; the others will probably come next.
    let mut attempt = |tables: &[ExtensionTable], bar: Option<Bar<'_>>, follow: &mut dyn FnMut(LearnEvent<'_>)| {
        follow(LearnEvent::Trying(&tables[0]));
        fitness.announce(tables);
        let worth = fitness.evaluate(&tables[0], bar)?;
        follow(LearnEvent::Tried { searches: worth.searched });
        Ok::<_, RunError>(worth)
    };
    let (table, worth) = (ExtensionTable::new(vec![row]), worth.clone());
    let mut growth = Growth { steps: vec![Step { change: Change::Added(row), table, worth, from_previous: None }] };
    while growth.last().table.rows().len() < most {
        let now = growth.last();
        let open: Vec<&Row> = candidates.iter().filter(|row| changes(&now.table, row)).collect();
        let tables: Vec<ExtensionTable> = open.iter().map(|&&row| now.table.with(row)).collect();
        let tried = open.len();
        follow(LearnEvent::Round { tables: tried });
        // Something must be gained, even if epsilon is 0.
        let mut wanted = acceptance.least(now.worth.value).max(now.worth.value + 1);
        let mut best = None;
        for (place, &&row) in open.iter().enumerate() {
            let worth = attempt(&tables[place..], acceptance.bar(wanted, &now.worth), follow)?;
            if worth.value >= wanted {
                wanted = worth.value + 1;
                best = Some((row, tables[place].clone(), worth));
            }
        }
        let Some((row, table, worth)) = best else { break };
        let comparison = Comparison::of_best(&worth, &now.worth, tried);
        if !acceptance.is_significant(comparison) {
            break;
        }
        let step = Step { change: Change::Added(row), table, worth, from_previous: Some(comparison) };
        follow(LearnEvent::Grown(&step));
        growth.steps.push(step);
    }
    // The last row gained; earlier rows may have become superfluous.
    let now = growth.last();
    let earlier: Vec<Row> = now.table.rows().iter().copied().filter(|&row| now.change != Change::Added(row)).collect();
    if !earlier.is_empty() {
        follow(LearnEvent::Round { tables: earlier.len() });
    }
    for row in earlier {
        let now = growth.last();
        let table = now.table.without(row);
        let worth = attempt(slice::from_ref(&table), acceptance.bar(now.worth.value, &now.worth), follow)?;
        if worth.value >= now.worth.value {
            let comparison = Comparison::of_best(&worth, &now.worth, 1);
            let step = Step { change: Change::Dropped(row), table, worth, from_previous: Some(comparison) };
            follow(LearnEvent::Grown(&step));
            growth.steps.push(step);
        }
    }
    Ok(growth)
}

/// Whether a row changes the cost of some move. A row with more atoms than another and no lower cost does not.
fn changes(table: &ExtensionTable, row: &Row) -> bool {
    !table.rows().iter().any(|other| row.feature.contains(other.feature) && other.cost <= row.cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::base::Depth;
    use halfply_engine::features::AtomSet;

    const HALF: Depth = Depth::hundredths(50);

    fn row(atom: usize) -> Row {
        Row { feature: AtomSet::single(atom), cost: HALF }
    }

    /// Four features and what each solves; a table solves what one of its rows does.
    const SOLVED: [&[usize]; 4] = [&[0, 1, 2, 3, 4, 5], &[0, 1, 2, 6, 7, 8], &[3, 4, 5, 9, 10, 11], &[4, 5, 6]];

    struct Solved;

    fn solved(table: &ExtensionTable) -> Worth {
        let solves = |place: &usize| {
            table.rows().iter().any(|row| row.feature.indices().any(|atom| SOLVED[atom].contains(place)))
        };
        let solved: Vec<usize> = (0..20).filter(solves).collect();
        Worth::made(solved.len() as i64, 20, &solved)
    }

    impl Fitness for Solved {
        fn evaluate(&mut self, table: &ExtensionTable, _bar: Option<Bar<'_>>) -> Result<Worth, RunError> {
            Ok(solved(table))
        }
    }

    fn grown(most: usize, epsilon: u32, significance: Option<f64>) -> Vec<(Change, i64)> {
        let acceptance = Acceptance { epsilon, significance, ..Acceptance::default() };
        let worth = solved(&ExtensionTable::new(vec![row(0)]));
        let rows = [0, 1, 2, 3].map(row);
        let growth = grow((row(0), &worth), &rows, most, &acceptance, &mut Solved, &mut |_| ()).unwrap();
        growth.steps.iter().map(|step| (step.change, step.worth.value)).collect()
    }

    #[test]
    fn the_best_partner_comes_first_and_what_is_superfluous_goes() {
        use Change::{Added, Dropped};
        // 1 and 2 add three each, and the first of them is taken; then nothing of 0 is left that the others lack.
        let all = [(Added(row(0)), 6), (Added(row(1)), 9), (Added(row(2)), 12), (Dropped(row(0)), 12)];
        assert_eq!(grown(4, 3, None), all);
        assert_eq!(grown(4, 0, None), all);
        assert_eq!(grown(2, 3, None), all[..2]);
        assert_eq!(grown(1, 3, None), all[..1]);
        assert_eq!(grown(4, 4, None), all[..1], "three are not enough");
        // Three more, and none less: p is a quarter, times the rows that were tried, three and then two.
        assert_eq!(grown(4, 3, Some(0.74)), all[..1]);
        assert_eq!(grown(4, 3, Some(0.76)), all);
    }

    #[test]
    fn a_row_that_asks_for_more_and_costs_as_much_changes_nothing() {
        let table = ExtensionTable::new(vec![row(1)]);
        let special = |cost| Row { feature: AtomSet::single(1) | AtomSet::single(2), cost };
        assert!(!changes(&table, &special(HALF)) && !changes(&table, &row(1)));
        assert!(changes(&table, &special(Depth::hundredths(25))) && changes(&table, &row(2)));
    }
}
