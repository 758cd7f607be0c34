// SPDX-License-Identifier: GPL-3.0-or-later
//! Features from features, by the four kinds of transformations of T. E. Fawcett, "Feature Discovery for Problem Solving
//! Systems", 1993. The rules themselves are ours: `research/patterns.md` describes them with examples.

use super::clauses::{Atom, Rule, Sort};
use super::conjunction::Conjunction;
use super::sorts;
use super::theory::Theory;

/// How a feature was made of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transformation {
    /// Decomposition: one atom alone.
    Split,
    /// Abstraction: all atoms but one.
    Drop,
    /// Goal regression: a fact is replaced by what makes it true in one move.
    Regress,
    /// Specialization: an atom is replaced by the body of one of its rules.
    Expand,
    /// Specialization: a variable that is a player is replaced by one of the players.
    Bind,
}

impl Transformation {
    /// All.
    pub const ALL: [Self; 5] = [Self::Split, Self::Drop, Self::Regress, Self::Expand, Self::Bind];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Split => "split",
            Self::Drop => "drop",
            Self::Regress => "regress",
            Self::Expand => "expand",
            Self::Bind => "bind",
        }
    }

    /// The kind of transformation that it is, in the paper's words.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Split => "decomposition",
            Self::Drop => "abstraction",
            Self::Regress => "goal regression",
            Self::Expand | Self::Bind => "specialization",
        }
    }

    /// The features that it makes of one. They may repeat each other, or be the same as the feature itself.
    pub fn apply(self, theory: &Theory, feature: &Conjunction) -> Vec<Conjunction> {
        match self {
            Self::Split => split(theory, feature),
            Self::Drop => drop(theory, feature),
            Self::Regress => regress(theory, feature),
            Self::Expand => expand(theory, feature),
            Self::Bind => bind(theory, feature),
        }
    }
}

/// The places of the atoms that depend on the position.
fn dependent(theory: &Theory, feature: &Conjunction) -> Vec<usize> {
    (0..feature.atoms.len()).filter(|&place| !theory.is_static(&feature.atoms[place])).collect()
}

fn split(theory: &Theory, feature: &Conjunction) -> Vec<Conjunction> {
    dependent(theory, feature).into_iter().map(|place| with_context(theory, feature, &[place])).collect()
}

fn drop(theory: &Theory, feature: &Conjunction) -> Vec<Conjunction> {
    let all = dependent(theory, feature);
    if all.len() < 2 {
        return Vec::new();
    }
    let without = |&left_out: &usize| all.iter().copied().filter(|&place| place != left_out).collect::<Vec<_>>();
    all.iter().map(|left_out| with_context(theory, feature, &without(left_out))).collect()
}

/// The atoms at these places with all static atoms that are linked to them by common variables, directly or by other
/// static atoms.
fn with_context(theory: &Theory, feature: &Conjunction, places: &[usize]) -> Conjunction {
    let mut kept: Vec<bool> = (0..feature.atoms.len()).map(|place| places.contains(&place)).collect();
    loop {
        let is_linked = |atom: &Atom| {
            let kept_terms =
                || feature.atoms.iter().zip(&kept).filter(|(_, kept)| **kept).flat_map(|(atom, _)| &atom.terms);
            atom.terms.iter().any(|term| term.variable().is_some() && kept_terms().any(|other| other == term))
        };
        let next = (0..feature.atoms.len())
            .find(|&place| !kept[place] && theory.is_static(&feature.atoms[place]) && is_linked(&feature.atoms[place]));
        match next {
            Some(place) => kept[place] = true,
            None => break,
        }
    }
    Conjunction::new(feature.atoms.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(atom, _)| atom.clone()))
}

fn regress(theory: &Theory, feature: &Conjunction) -> Vec<Conjunction> {
    replaced(feature, |atom| theory.effects.iter().filter(|effect| effect.head.predicate == atom.predicate).collect())
}

fn expand(theory: &Theory, feature: &Conjunction) -> Vec<Conjunction> {
    replaced(feature, |atom| match &theory.predicates[atom.predicate] {
        predicate if predicate.is_static => Vec::new(),
        predicate => predicate.rules.iter().collect(),
    })
}

/// The feature with each atom in turn replaced by the body of each of its rules.
fn replaced<'a>(feature: &Conjunction, rules: impl Fn(&Atom) -> Vec<&'a Rule>) -> Vec<Conjunction> {
    let of_place = |place: usize| {
        let rules = rules(&feature.atoms[place]);
        rules.into_iter().filter_map(move |rule| feature.replaced(place, rule)).collect::<Vec<_>>()
    };
    (0..feature.atoms.len()).flat_map(of_place).collect()
}

fn bind(theory: &Theory, feature: &Conjunction) -> Vec<Conjunction> {
    let sorts = sorts::of_variables(&theory.predicates, &feature.atoms, feature.variables);
    let is_player = |variable: &u16| sorts[usize::from(*variable)] == Some(Sort::Player);
    let both = |variable| theory.players.map(|player| feature.bound(variable, player));
    (0..feature.variables).filter(is_player).flat_map(both).collect()
}
