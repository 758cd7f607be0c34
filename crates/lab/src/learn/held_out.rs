// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions that learning does not see: their results are not biased by the choice of the feature.

use super::settings::SettingError;
use super::significance::Comparison;
use super::worth::Worth;
use crate::suite::Suite;
use halfply_engine::base::mix::derive;
use halfply_engine::features::ExtensionTable;
use halfply_engine::game::Notation;

/// Divides a suite into positions to learn from and held-out positions. The choice depends on seed and position alone;
/// the order of the suite is kept.
fn divide<G: Notation>(suite: &Suite<G>, share: f64, seed: u64) -> [Suite<G>; 2] {
    let count = (suite.problems.len() as f64 * share.clamp(0.0, 1.0)).round() as usize;
    let lot = |place: &usize| (derive(seed, G::key(&suite.problems[*place].position)), *place);
    let mut places: Vec<usize> = (0..suite.problems.len()).collect();
    places.sort_by_key(lot);
    let (held_out, learned_from) = places.split_at(count);
    [learned_from, held_out].map(|part| {
        let problems = suite
            .problems
            .iter()
            .enumerate()
            .filter(|(place, _)| part.contains(place))
            .map(|(_, problem)| problem.clone());
        Suite { problems: problems.collect(), ..suite.clone() }
    })
}

/// Checks a share of positions to hold out.
///
/// # Errors
/// If it is out of its range.
pub fn check_share(share: f64) -> Result<(), SettingError> {
    let reason = "the share of held-out positions is from 0 to 0.9";
    SettingError::unless((0.0..=0.9).contains(&share), "held-out", share, reason)
}

/// The positions to learn from, and those held out, by their share.
///
/// # Errors
/// If the share is out of its range, or positions are to be held out and the choice would be none or all of them.
pub fn parts<G: Notation>(suite: &Suite<G>, share: f64, seed: u64) -> Result<[Suite<G>; 2], SettingError> {
    check_share(share)?;
    let parts = divide(suite, share, seed);
    if share > 0.0 && parts.iter().any(|part| part.problems.is_empty()) {
        let reason = format!("some of the {} positions must be held out, and some not", suite.problems.len());
        return Err(SettingError::new("held-out", share, reason));
    }
    Ok(parts)
}

/// What tables solve of the held-out positions.
#[derive(Clone, Debug)]
pub struct HeldOut {
    /// How many positions there are.
    pub positions: usize,
    /// What each table of the output solves of them; the first entry is without extensions.
    pub tried: Vec<(ExtensionTable, Worth)>,
}

impl HeldOut {
    /// What that table solves.
    pub fn of(&self, table: &ExtensionTable) -> Option<&Worth> {
        self.tried.iter().find(|(tried, _)| tried == table).map(|(_, evaluation)| evaluation)
    }

    /// That table compared with no extensions. Nothing was chosen by these positions, so there is nothing to correct.
    pub fn against_none(&self, table: &ExtensionTable) -> Option<Comparison> {
        let none = self.of(&ExtensionTable::default())?;
        Some(Comparison::of_best(self.of(table)?, none, 1)).filter(|_| !table.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Breakthrough, RegisteredGame as _};

    #[test]
    fn every_position_is_on_one_side() {
        let suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
        let ids =
            |suite: &Suite<Breakthrough>| suite.problems.iter().map(|problem| problem.id.clone()).collect::<Vec<_>>();
        let [learned, held] = divide(&suite, 1.0 / 3.0, 1);
        assert_eq!((learned.problems.len(), held.problems.len()), (201, 101));
        let mut all = [ids(&learned), ids(&held)].concat();
        assert!(ids(&held).is_sorted_by_key(|id| ids(&suite).iter().position(|other| other == id)));
        all.sort_by_key(|id| ids(&suite).iter().position(|other| other == id));
        assert_eq!(all, ids(&suite));
        assert_ne!(ids(&divide(&suite, 1.0 / 3.0, 2)[1]), ids(&held), "another seed holds out others");
        assert!(divide(&suite, 0.0, 1)[1].problems.is_empty());
    }

    #[test]
    fn it_depends_on_the_positions_and_not_on_their_order() {
        let suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
        let mut reversed = suite.clone();
        reversed.problems.reverse();
        let held = |suite: &Suite<Breakthrough>| {
            let [_, held] = divide(suite, 0.25, 7);
            let mut ids: Vec<String> = held.problems.iter().map(|problem| problem.id.clone()).collect();
            ids.sort();
            ids
        };
        assert_eq!(held(&suite), held(&reversed));
    }
}
