// SPDX-License-Identifier: GPL-3.0-or-later
//! Disjunctions: several features as rows of one table, any of which extends.
//!
//! The thesis found them by hand ("re-capture with a bishop or rook", sections 3.8 and 4.2.3), and left open what
//! "extending on all of these" gives. Here they grow greedily from the conjunctions: of all features in the output, the
//! one with which the table solves most is added, as long as the table gains enough. At the end rows are dropped that
//! later ones have made superfluous.

use std::slice;

use super::super::event::Event;
use super::super::fitness::Bar;
use super::super::judged::Judged;
use super::super::significance::Comparison;
use super::super::step::{Change, Step};
use super::super::worth::Worth;
use super::gradual_focus::Settings;
use crate::features::{ExtensionTable, Row};

/// How a disjunction grew; the last step is the disjunction.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The steps; the first has a single row.
    pub steps: Vec<Step>,
}

impl Growth {
    /// The last step.
    ///
    /// # Panics
    /// Never for one that [`grow`] made: there is always a first step.
    #[must_use]
    pub fn last(&self) -> &Step {
        self.steps.last().expect("a growth begins with a feature")
    }
}

/// Grows a disjunction from a feature, of those rows, to at most so many. `evaluate` says what the first of some tables
/// solves, and may end as soon as the bar is out of reach, as [`Fitness::evaluate`](crate::learn::Fitness::evaluate); the other
/// tables are those that will probably come next.
///
/// # Errors
/// Those of `evaluate`.
pub fn grow<E>(
    first: &Judged,
    candidates: &[Row],
    most: usize,
    settings: &Settings,
    mut evaluate: impl FnMut(&[ExtensionTable], Option<Bar<'_>>) -> Result<Worth, E>,
    mut follow: impl FnMut(Event<'_>),
) -> Result<Growth, E> {
    let mut attempt = |tables: &[ExtensionTable], bar: Option<Bar<'_>>, follow: &mut dyn FnMut(Event<'_>)| {
        follow(Event::Trying(&tables[0]));
        let worth = evaluate(tables, bar)?;
        follow(Event::Tried { searches: worth.searched });
        Ok(worth)
    };
    let row = first.row();
    let table = first.table();
    let worth = first.worth.clone();
    let mut growth = Growth { steps: vec![Step { change: Change::Added(row), table, worth, from_previous: None }] };
    while growth.last().table.rows().len() < most {
        let now = growth.last();
        let solved_by_parent = &now.worth.solved;
        let open: Vec<&Row> = candidates.iter().filter(|row| changes(&now.table, row)).collect();
        let tables: Vec<ExtensionTable> = open.iter().map(|&&row| now.table.with(row)).collect();
        let tried = open.len();
        follow(Event::Round { tables: tried });
        // Something must be gained, even if epsilon is 0.
        let mut wanted = settings.least(now.worth.value).max(now.worth.value + 1);
        let mut best = None;
        for (place, &&row) in open.iter().enumerate() {
            let bar = settings.early_rejection.then_some(Bar { value: wanted, solved_by_parent });
            let worth = attempt(&tables[place..], bar, &mut follow)?;
            if worth.value >= wanted {
                wanted = worth.value + 1;
                best = Some((row, tables[place].clone(), worth));
            }
        }
        let Some((row, table, worth)) = best else { break };
        let comparison = Comparison::of_best(&worth, &now.worth, tried);
        if !settings.is_significant(comparison) {
            break;
        }
        let step = Step { change: Change::Added(row), table, worth, from_previous: Some(comparison) };
        follow(Event::Grown(&step));
        growth.steps.push(step);
    }
    // The last row gained; earlier rows may have become superfluous.
    let now = growth.last();
    let earlier: Vec<Row> = now.table.rows().iter().copied().filter(|&row| now.change != Change::Added(row)).collect();
    if !earlier.is_empty() {
        follow(Event::Round { tables: earlier.len() });
    }
    for row in earlier {
        let now = growth.last();
        let table = now.table.without(row);
        let bar = Bar { value: now.worth.value, solved_by_parent: &now.worth.solved };
        let bar = settings.early_rejection.then_some(bar);
        let worth = attempt(slice::from_ref(&table), bar, &mut follow)?;
        if worth.value >= now.worth.value {
            let comparison = Comparison::of_best(&worth, &now.worth, 1);
            let step = Step { change: Change::Dropped(row), table, worth, from_previous: Some(comparison) };
            follow(Event::Grown(&step));
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
    use std::convert::Infallible;

    use super::*;
    use crate::base::Depth;
    use crate::features::AtomSet;
    use crate::game::Game;
    use crate::games::Breakthrough;
    use crate::learn::judged::Verdict;
    use crate::learn::recipe::Recipe;

    const HALF: Depth = Depth::hundredths(50);

    fn row(atom: usize) -> Row {
        Row { feature: AtomSet::single(atom), cost: HALF }
    }

    /// Four features and what each solves; a table solves what one of its rows does.
    const SOLVED: [&[usize]; 4] = [&[0, 1, 2, 3, 4, 5], &[0, 1, 2, 6, 7, 8], &[3, 4, 5, 9, 10, 11], &[4, 5, 6]];

    fn solved(table: &ExtensionTable) -> Worth {
        let solves = |place: &usize| {
            table.rows().iter().any(|row| row.feature.indices().any(|atom| SOLVED[atom].contains(place)))
        };
        let solved: Vec<usize> = (0..20).filter(solves).collect();
        Worth::made(solved.len() as i64, 20, &solved)
    }

    fn grown(most: usize, epsilon: u32, significance: Option<f64>) -> Vec<(Change, i64)> {
        let settings =
            Recipe { epsilon, significance, ..Recipe::default() }.settings(&Breakthrough::VOCABULARY).unwrap();
        let table = ExtensionTable::single(AtomSet::single(0), HALF);
        let first =
            Judged { feature: AtomSet::single(0), worth: solved(&table), parents: None, verdict: Verdict::Base };
        let evaluate = |tables: &[ExtensionTable], _: Option<Bar<'_>>| Ok::<_, Infallible>(solved(&tables[0]));
        let Ok(growth) = grow(&first, &[0, 1, 2, 3].map(row), most, &settings, evaluate, |_| ());
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
