// SPDX-License-Identifier: GPL-3.0-or-later
//! Conjunctions of atoms: which ones there are, and what a move with one costs.

use clap::Args;
use serde::Serialize;

use super::super::event::LearnEvent;
use super::super::fitness::{Bar, Fitness};
use super::super::judged::{Judged, Verdict};
use super::super::settings::{SettingError, defaults};
use super::super::worth::Worth;
use super::{Acceptance, Disjunction};
use crate::run::RunError;
use halfply_engine::base::Depth;
use halfply_engine::base::figures::count_in;
use halfply_engine::features::{AtomSet, ExtensionTable, Grouping, Vocabulary};

/// Settings of methods that form conjunctions.
#[derive(Clone, Debug, PartialEq, Args, Serialize)]
pub struct Conjunctions {
    /// The cost of a move with the feature, in plies; with several values, each feature is tried with each, and the
    /// best counts
    #[arg(long = "ply", value_name = "PLY,...", value_delimiter = ',', default_value = "0.5")]
    pub plies: Vec<f64>,
    /// Atoms to start from [default: those of the game's papers]
    #[arg(long, value_name = "ATOM,...", value_delimiter = ',')]
    pub atoms: Vec<String>,
    /// Groups of atoms that are never combined [default: the game's first]
    #[arg(long, value_name = "NAME")]
    pub groups: Option<String>,
    /// Features never to try, alone or as part of others; "none" to try everything [default: those that the game's
    /// papers leave out]
    #[arg(long, value_name = "FEATURE,...", value_delimiter = ',')]
    pub blacklist: Option<Vec<String>>,
    /// Stop after this many features
    #[arg(long, value_name = "N", value_parser = count_in::<u32>(1..))]
    pub max_evaluations: Option<u32>,
    /// When a combination is kept, and a row of a disjunction.
    #[command(flatten)]
    #[serde(flatten)]
    pub acceptance: Acceptance,
    /// The disjunctions to grow at the end.
    #[command(flatten)]
    #[serde(flatten)]
    pub disjunction: Disjunction,
}

impl Default for Conjunctions {
    fn default() -> Self {
        defaults()
    }
}

/// The conjunctions of a game.
#[derive(Clone, Debug)]
pub(in crate::learn) struct Space {
    /// The names of atoms.
    pub vocabulary: Vocabulary,
    /// The atoms to start from (the papers' Base).
    pub base: AtomSet,
    /// Atoms of one group are never combined (paper, section 3.3).
    pub groups: Vec<AtomSet>,
    /// Combinations that are never formed. A single atom in it is left out of Base.
    pub blacklist: Vec<AtomSet>,
    /// The costs of a move with a feature, at least one. A feature is tried with each, and the best counts.
    pub plies: Vec<Depth>,
    /// The most features to try.
    pub max_evaluations: Option<usize>,
    /// When a combination is kept, and a row of a disjunction.
    pub acceptance: Acceptance,
    /// The disjunctions to grow in the end.
    pub disjunction: Disjunction,
}

/// A feature that was tried with each cost.
#[derive(Clone, Debug)]
pub(in crate::learn) struct Tried {
    /// The best table.
    pub table: ExtensionTable,
    /// How many there were.
    pub tables: usize,
    /// What the best one is worth, with the searches of all.
    pub worth: Worth,
}

impl Conjunctions {
    /// The conjunctions of a game with that vocabulary.
    ///
    /// # Errors
    /// Names the setting that does not fit the game, or is out of its range.
    pub(in crate::learn) fn space(&self, vocabulary: &Vocabulary) -> Result<Space, SettingError> {
        let default = || vocabulary.blacklist.iter().map(|&name| name.to_owned()).collect();
        let blacklist = match self.blacklist.clone().unwrap_or_else(default) {
            names if names == ["none"] => Vec::new(),
            names => features(vocabulary, "blacklist", &names)?,
        };
        let named: AtomSet = features(vocabulary, "atoms", &self.atoms)?.into_iter().collect();
        let cost = |&given: &f64| Depth::from_cost(given).map_err(|error| SettingError::new("ply", given, error));
        SettingError::unless(!self.plies.is_empty(), "ply", "", "at least one cost is tried")?;
        let level = self.acceptance.significance.unwrap_or(0.05);
        SettingError::unless((0.0..=1.0).contains(&level), "significance", level, "a probability is from 0 to 1")?;
        self.disjunction.check()?;
        Ok(Space {
            vocabulary: vocabulary.clone(),
            base: if named.is_empty() { vocabulary.base() } else { named },
            groups: vocabulary.groups(self.grouping(vocabulary)?),
            blacklist,
            plies: self.plies.iter().map(cost).collect::<Result<_, _>>()?,
            max_evaluations: self.max_evaluations.map(|most| most as usize),
            acceptance: self.acceptance,
            disjunction: self.disjunction,
        })
    }

    fn grouping(&self, vocabulary: &Vocabulary) -> Result<&'static Grouping, SettingError> {
        let groupings = vocabulary.groupings;
        let wanted = self.groups.as_deref();
        let found = groupings.iter().find(|grouping| wanted.is_none_or(|name| grouping.name == name));
        found.ok_or_else(|| {
            let list = groupings.iter().map(|grouping| format!("{} ({})", grouping.name, grouping.description));
            let known = list.collect::<Vec<_>>().join(", ");
            SettingError::new("groups", wanted.unwrap_or_default(), format!("this game has the groupings {known}"))
        })
    }
}

/// The features that an option names. Empty names are skipped: an empty list in a file becomes one.
pub(super) fn features(vocabulary: &Vocabulary, option: &str, names: &[String]) -> Result<Vec<AtomSet>, SettingError> {
    let feature = |name: &String| vocabulary.parse(name).map_err(|error| SettingError::new(option, name, error));
    names.iter().filter(|name| !name.is_empty()).map(feature).collect()
}

impl Space {
    /// Reports and announces the features of a level; `tried` features were tried before.
    pub(super) fn begin_level(
        &self,
        atoms: usize,
        features: &[AtomSet],
        tried: usize,
        fitness: &mut dyn Fitness,
        follow: &mut dyn FnMut(LearnEvent<'_>),
    ) {
        let allowed = self.max_evaluations.map_or(features.len(), |most| most.saturating_sub(tried));
        let next = features.iter().take(allowed);
        let tables: Vec<ExtensionTable> = next.flat_map(|&feature| self.tables(feature)).collect();
        follow(LearnEvent::Level { atoms, features: features.len(), tables: tables.len() });
        fitness.announce(&tables);
    }

    /// Whether no feature may be tried after that many.
    pub fn is_full(&self, tried: usize) -> bool {
        self.max_evaluations.is_some_and(|most| tried >= most)
    }

    /// The tables of a feature, one for each cost.
    pub fn tables(&self, feature: AtomSet) -> Vec<ExtensionTable> {
        // Without extensions, what they cost makes no difference.
        let plies = if feature.is_empty() { &self.plies[..1] } else { &self.plies };
        plies.iter().map(|&ply| ExtensionTable::single(feature, ply)).collect()
    }

    /// Tries a feature with each cost.
    pub fn evaluate(
        &self,
        feature: AtomSet,
        bar: Option<Bar<'_>>,
        fitness: &mut dyn Fitness,
    ) -> Result<Tried, RunError> {
        let tables = self.tables(feature);
        let count = tables.len();
        let (mut searched, mut unsearched) = (0, 0);
        let mut best: Option<(ExtensionTable, Worth)> = None;
        for table in tables {
            let worth = fitness.evaluate(&table, bar)?;
            searched += worth.searched;
            unsearched += worth.unsearched;
            // The best value, and of equal values the one that extends less. A bound is always below the bar. So if a
            // value reaches the bar, it is from a full trial; otherwise the greatest bound is a bound for all costs.
            let rank = |table: &ExtensionTable, worth: &Worth| (worth.value, table.rows().first().map(|row| row.cost));
            if best.as_ref().is_none_or(|(other, least)| rank(&table, &worth) >= rank(other, least)) {
                best = Some((table, worth));
            }
        }
        let (table, worth) = best.expect("a space has a cost");
        Ok(Tried { table, tables: count, worth: Worth { searched, unsearched, ..worth } })
    }
}

impl Tried {
    /// The feature without parents, with that verdict.
    pub fn judged(self, verdict: Verdict) -> Judged {
        Judged { table: self.table, tables_tried: self.tables, worth: self.worth, parents: None, verdict }
    }
}
