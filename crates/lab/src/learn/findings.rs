// SPDX-License-Identifier: GPL-3.0-or-later
//! What a run found: the outcome of its method, and what the output solves of the held-out positions.

use super::event::LearnEvent;
use super::growth::{Change, Growth, Step};
use super::held_out::HeldOut;
use super::outcome::LearnOutcome;

/// What a run found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The features, and the disjunctions grown from them.
    pub outcome: LearnOutcome,
    /// The names of the positions that were learned from, in their order.
    pub positions: Vec<String>,
    /// What the output solves of the held-out positions; none if there are none.
    pub held_out: Option<HeldOut>,
}

impl Findings {
    /// What is found before the first event: nothing, on these positions.
    pub fn none(positions: Vec<String>) -> Self {
        Self { outcome: LearnOutcome::default(), positions, held_out: None }
    }

    /// Takes what an event of the run says. Returns whether it was anything.
    pub fn enter(&mut self, event: &LearnEvent<'_>) -> bool {
        let LearnOutcome { judged: all, grown, .. } = &mut self.outcome;
        match event {
            LearnEvent::Judged(judged) => all.push((*judged).clone()),
            LearnEvent::Dropped(judged) => {
                let before = all.iter_mut().find(|before| before.table == judged.table);
                before.into_iter().for_each(|before| before.verdict = judged.verdict.clone());
            }
            LearnEvent::Grown(step) => {
                // A disjunction begins with a feature; the first change adds a row to that.
                let first = match step.change {
                    Change::Added(row) if step.table.rows().len() == 2 => Some(step.table.without(row)),
                    _ => None,
                };
                if let Some(first) = first.and_then(|first| all.iter().find(|judged| judged.table == first)) {
                    let (table, worth) = (first.table.clone(), first.worth.clone());
                    let change = Change::Added(table.rows()[0]);
                    grown.push(Growth { steps: vec![Step { change, table, worth, from_previous: None }] });
                }
                grown.iter_mut().next_back().into_iter().for_each(|growth| growth.steps.push((*step).clone()));
            }
            _ => return false,
        }
        true
    }
}
